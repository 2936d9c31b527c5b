"""The commands about results: `verify` and `explain`."""

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from veracord.apps import options

if TYPE_CHECKING:
    from veracord.apps.inputs import RecordSource
    from veracord.errors import InputError

Result = Annotated[
    str,
    typer.Argument(
        metavar="RESULT",
        help="A result of repair: a .json file, a .jsonl file of many, or - for standard input.",
        show_default=False,
    ),
]

#: A result holds the record and every candidate value, so it may be larger than a record.
_LARGER: Final = 8


def verify(
    result: Result,
    *,
    evidence: options.Evidence = None,
    lines: Annotated[bool, typer.Option("--jsonl", help="Read RESULT as JSON Lines, whatever its name is.")] = False,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Check a result against the evidence.

    Nothing in the result is trusted: every fill must be what unchanged evidence says.

    Exit code 0: all verified; 1: a fill is not what the evidence says; 2: it could not be read.
    """
    from veracord.apps.verify_run import VerifyRun
    from veracord.bootstrap.choices import load_evidence

    choices = options.chosen(evidence=evidence, config=config)
    source = _source(result, choices.settings.max_record_bytes, lines=lines)
    return VerifyRun(source, load_evidence(choices), as_json=as_json).run()


def explain(
    result: Result,
    pointer: Annotated[
        str,
        typer.Argument(metavar="POINTER", help="The place in the record, like /a/b.", show_default=False),
    ],
    *,
    line: options.LineNumber = None,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Tell where a value comes from.

    Of a place that is still open it tells why, and what the sources say.
    """
    from veracord.apps.escaping import visible
    from veracord.apps.outputs import StandardOutput
    from veracord.composer.explanation import explain as explain_result
    from veracord.errors import InputError
    from veracord.records.writing import write_json

    choices = options.chosen(config=config)
    source = _source(result, choices.settings.max_record_bytes, lines=line is not None)
    found = _read(source, line)
    place = source.where if line is None else f"{source.where} line {line}"
    try:
        explanation = explain_result(found, pointer)
        told, lines = explanation.to_dict(), explanation.lines()
    except InputError as error:
        raise _no_result(place) if error.code == "not_a_result" else error from None
    if as_json:
        StandardOutput().show(write_json(told) + b"\n")
    else:
        StandardOutput().show("".join(f"{visible(text)}\n" for text in lines))
    return 0


def _no_result(place: str) -> "InputError":
    from veracord.errors import InputError

    return InputError(
        "this is no result of repair",
        where=place,
        remedy="give the JSON that repair wrote",
        code="not_a_result",
    )


def _source(name: str, max_record_bytes: int, *, lines: bool) -> "RecordSource":
    from veracord.apps.inputs import RecordSource

    return RecordSource(name, lines=lines, max_bytes=_LARGER * max_record_bytes)


def _read(source: "RecordSource", number: int | None) -> dict[str, Any]:
    """Return the only result of a file, or the one in a line.

    Raises:
        VeracordError: The line is not there, or does not hold a result.
    """
    from veracord.apps.failures import usage_error
    from veracord.apps.inputs import at_line
    from veracord.composer.results import RESULT_LEVELS
    from veracord.errors import InputError, VeracordError
    from veracord.records.reading import read_record

    def result_in(data: bytes) -> dict[str, Any]:
        document = read_record(data, where=source.where, max_bytes=source.max_bytes, max_levels=RESULT_LEVELS)
        return document.value

    if not source.is_lines:
        return result_in(source.read())
    if number is None:
        raise usage_error("the file holds many results", where=source.where, remedy="choose one with --line N")
    for line in source.lines(keep_rests=False):
        if line.number == number:
            try:
                return result_in(line.data)
            except VeracordError as error:
                raise at_line(error, source.where, number) from None
    raise InputError(
        f"the file has no line {number}",
        where=source.where,
        remedy="choose a line that is there",
        code="no_such_line",
    )
