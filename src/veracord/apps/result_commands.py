"""The commands about results: `verify` and `explain`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from veracord.apps import options

if TYPE_CHECKING:
    from veracord.apps.inputs import RecordSource
    from veracord.composer.verified_seed import GivenSeed
    from veracord.errors import InputError

Result = Annotated[
    str,
    typer.Argument(
        metavar="RESULT",
        help="A result of repair or synthesize: a .json file, a .jsonl file of many, or - for standard input.",
        show_default=False,
    ),
]

Seed = Annotated[
    str | None,
    typer.Option(
        "--seed",
        metavar="FILE",
        help="The seed of a result of synthesize: its rows are checked, too.",
        show_default=False,
    ),
]

#: A result holds the record and every candidate value, so it may be larger than a record.
_LARGER: Final = 8


def verify(
    result: Result,
    *,
    evidence: options.Evidence = None,
    profile: options.Profile = None,
    schema: options.Schema = None,
    identity: options.Identity = None,
    seed: Seed = None,
    lines: Annotated[bool, typer.Option("--jsonl", help="Read RESULT as JSON Lines, whatever its name is.")] = False,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Check a result against the evidence.

    Nothing in the result is trusted: every fill, or row of support, must be what unchanged evidence says. With a
    profile it is also decided anew whether the sources are about the same product and count. What was not checked is
    told in the last line.

    Exit code 0: all that was checked is verified; 1: something is not as the result says; 2: it could not be read.
    """
    from veracord.apps.verify_run import VerifyRun
    from veracord.bootstrap.choices import load_evidence, load_profile

    choices = options.chosen(profile=profile, schema=schema, identity=identity, evidence=evidence, config=config)
    most_bytes = choices.settings.max_record_bytes
    wants_profile = profile is not None or bool(schema) or bool(identity)
    return VerifyRun(
        _source(result, most_bytes, lines=lines),
        load_evidence(choices),
        as_json=as_json,
        profile=load_profile(choices) if wants_profile else None,
        seed=None if seed is None else _seed(seed, most_bytes, result),
    ).run()


def _seed(name: str, most_bytes: int, result: str) -> "GivenSeed":
    """Return a seed with the origins beside it.

    Raises:
        VeracordError: It cannot be read, or two things are to be read from standard input.
    """
    from veracord.apps.failures import usage_error
    from veracord.apps.inputs import STANDARD_INPUT, RecordSource
    from veracord.apps.origins import read_origins
    from veracord.composer.verified_seed import GivenSeed
    from veracord.records.reading import read_record

    source = RecordSource(name, lines=False, max_bytes=most_bytes)
    if source.is_lines:
        raise usage_error("the seed is JSON Lines", where=name, remedy="give one record")
    if name == result == STANDARD_INPUT:
        raise usage_error("the result and the seed both want standard input", remedy="name a file for one of them")
    seed = read_record(source.read(), where=source.where, max_bytes=most_bytes)
    return GivenSeed(seed.value, read_origins(source.path))


def explain(
    result: Annotated[
        str,
        typer.Argument(
            metavar="RESULT",
            help="A result of repair or synthesize: a .json file, a .jsonl file of many, or - for standard input. With "
            "--store: the id of a record.",
            show_default=False,
        ),
    ],
    pointer: Annotated[
        str,
        typer.Argument(metavar="POINTER", help="The place in the record, like /a/b.", show_default=False),
    ],
    *,
    line: options.LineNumber = None,
    store: options.ReviewStore = None,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Tell where a value comes from.

    Of a place that is still open it tells why, and what the sources say. With --store RESULT is the id of a record
    under review, and it is also told who decided what about the place.
    """
    from veracord.apps.failures import usage_error

    if store is None:
        return _explain_result(result, pointer, line, config, as_json=as_json)
    if line is not None:
        raise usage_error("--line is for a file of results", remedy="leave it out, or --store")
    return _explain_record(result, pointer, store, as_json=as_json)


def _explain_record(record_id: str, pointer: str, store: str, *, as_json: bool) -> int:
    """Tell what a store knows of a place of a record under review."""
    from veracord.apps.account_reports import account_text
    from veracord.apps.rendering import show
    from veracord.bootstrap.reviews import ReviewDesk

    with ReviewDesk(store) as desk:
        account = desk.run(desk.service.explain(record_id, pointer))
    from veracord.reports.accounts import account_report

    return show(account_report(account), account_text, as_json=as_json)


def _explain_result(result: str, pointer: str, line: int | None, config: Path | None, *, as_json: bool) -> int:
    """Tell what a result says of a place."""
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
        "this is no result of repair or synthesize",
        where=place,
        remedy="give the JSON that one of them wrote",
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
