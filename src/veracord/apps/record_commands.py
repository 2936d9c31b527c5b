"""The commands about records: `validate`, `repair` and `synthesize`."""

from pathlib import Path
from typing import Annotated

import typer

from veracord.apps import options

ShowValues = Annotated[
    bool,
    typer.Option("--show-values", help="Show the violating values too: they are your record's."),
]
NoSuggest = Annotated[bool, typer.Option("--no-suggest", help="Never ask a model for suggestions.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Write the results there, as JSON, instead of printing them.",
        show_default=False,
    ),
]
RecordOut = Annotated[
    Path | None,
    typer.Option(
        "--record-out",
        metavar="FILE",
        help="Write the records there: the text that was read, with the fills in it.",
        show_default=False,
    ),
]
Diff = Annotated[bool, typer.Option("--diff", help="Print what changes in the record, as a unified diff.")]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        metavar="N",
        min=1,
        max=options.MAX_JOBS,
        help="Processes for a .jsonl file; the output is the same.",
    ),
]


Assemble = Annotated[
    bool,
    typer.Option(
        "--assemble/--no-assemble",
        help="Put the record together from evidence first; a model is asked only where that is not enough.",
    ),
]
ResultOut = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", help="Write the result there, as JSON, instead of printing it.", show_default=False
    ),
]
BuiltOut = Annotated[
    Path | None,
    typer.Option(
        "--record-out",
        metavar="FILE",
        help="Write the record there, and the origins of its leaves beside it.",
        show_default=False,
    ),
]
Seed = Annotated[
    str,
    typer.Argument(
        metavar="SEED",
        help="A .json file with what is known of the record, or - for standard input.",
        show_default=False,
    ),
]


def validate(
    record: options.Record,
    *,
    profile: options.Profile = None,
    schema: options.Schema = None,
    identity: options.Identity = None,
    show_values: ShowValues = False,
    lines: options.Lines = False,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """List what is wrong with a record.

    Exit code 0: it conforms; 1: it does not; 2: it could not be read.
    """
    from veracord.apps.inputs import RecordSource
    from veracord.apps.validate_run import ValidateRun

    choices = options.chosen(profile=profile, schema=schema, identity=identity, config=config)
    source = RecordSource(record, lines=lines, max_bytes=choices.settings.max_record_bytes)
    return ValidateRun(source, choices, as_json=as_json, show_values=show_values).run()


def repair(
    record: options.Record,
    *,
    profile: options.Profile = None,
    schema: options.Schema = None,
    identity: options.Identity = None,
    evidence: options.Evidence = None,
    no_suggest: NoSuggest = False,
    model: options.Model = None,
    base_url: options.BaseUrl = None,
    store: options.Store = None,
    out: Out = None,
    record_out: RecordOut = None,
    diff: Diff = False,
    jobs: Jobs = 1,
    lines: options.Lines = False,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Fill violations from evidence, exactly.

    Only violations are touched, and only with values that evidence about the same product states. Every
    fill names its source and the place in it; where sources disagree or none states a value, the
    violation stays open and the reason is told. For what stays open a model, where one is set up, is
    asked for suggestions: they are unverified, they stand apart, and they change nothing.

    Exit code 0: the record conforms now; 1: violations stay; 2: something could not be read.
    """
    from veracord.apps.inputs import RecordSource
    from veracord.apps.repair_run import RepairRun, wanted_of

    choices = options.chosen(profile=profile, schema=schema, identity=identity, evidence=evidence, config=config)
    choices = options.asking(choices, model=model, base_url=base_url, store=store, suggest=not no_suggest)
    source = RecordSource(record, lines=lines, max_bytes=choices.settings.max_record_bytes)
    outputs = (str(out) if out else None, str(record_out) if record_out else None)
    wanted = wanted_of(source, outputs, as_json=as_json, diff=diff, suggest=not no_suggest)
    return RepairRun(source, choices, wanted, *outputs, jobs=jobs).run()


def synthesize(
    seed: Seed,
    *,
    profile: options.Profile = None,
    schema: options.Schema = None,
    identity: options.Identity = None,
    evidence: options.Evidence = None,
    assemble: Assemble = True,
    model: options.Model = None,
    base_url: options.BaseUrl = None,
    store: options.Store = None,
    out: ResultOut = None,
    record_out: BuiltOut = None,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Build a whole record from a seed and evidence.

    The seed says which product it is; all of it survives unchanged. Every other leaf is stated by evidence
    about the same product, at the same place, whoever wrote the record: a model, where one is set up, is
    asked only for what cannot be put together without it, and what it writes is held to the same rule.

    Exit code 0: there is a record; 1: there is none, and every path is told with its reason; 2: something
    could not be read; 5: the model could not be reached.
    """
    from veracord.apps.inputs import RecordSource
    from veracord.apps.synthesize_run import SynthesizeRun

    choices = options.chosen(profile=profile, schema=schema, identity=identity, evidence=evidence, config=config)
    choices = options.asking(choices, model=model, base_url=base_url, store=store)
    source = RecordSource(seed, lines=False, max_bytes=choices.settings.max_record_bytes)
    outputs = (str(out) if out else None, str(record_out) if record_out else None)
    return SynthesizeRun(source, choices, assemble, *outputs, as_json=as_json).run()
