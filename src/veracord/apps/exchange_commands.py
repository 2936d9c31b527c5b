"""The commands that bring records into a store and hand them out: `import` and `export`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from veracord.apps import options

#: The same as in `veracord.bootstrap.stores`, which is not loaded for the help.
DEFAULT_STORE: Final = ".veracord/store.db"


class Form(StrEnum):
    """What an export is."""

    JSONL = "jsonl"
    CSV = "csv"
    PROV = "prov"


Records = Annotated[
    list[str],
    typer.Argument(
        metavar="RECORD...",
        help=".json files, .jsonl files of many records, or - for standard input.",
        show_default=False,
    ),
]
Store = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="URL",
        help="Where records are under review: a file, sqlite:///FILE, or postgresql://...",
    ),
]
SigningKey = Annotated[
    Path | None,
    typer.Option(
        "--signing-key",
        metavar="FILE",
        help="The key that signs the log. Without it: beside the file of the store.",
        show_default=False,
    ),
]
Id = Annotated[
    str | None,
    typer.Option(
        "--id", metavar="ID", help="The id of the one record. Without it: the name of its file.", show_default=False
    ),
]
Key = Annotated[
    str | None,
    typer.Option("--key", metavar="POINTER", help="Where each record holds its id.", show_default=False),
]
DropDecisions = Annotated[
    bool,
    typer.Option("--drop-decisions", help="Also where what was accepted or declared here would stand no more."),
]
NoSuggest = Annotated[bool, typer.Option("--no-suggest", help="Never ask a model for suggestions.")]
OfRecord = Annotated[
    list[str] | None,
    typer.Option("--record", metavar="ID", help="Only this record. Repeatable.", show_default=False),
]
Unverified = Annotated[
    bool,
    typer.Option("--include-unverified", help="With what nothing verifies, marked by its origin."),
]
Format = Annotated[
    Form,
    typer.Option("--format", help="Records as JSON Lines, a table of the decisions, or the log as PROV-JSON."),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write there instead of printing it.", show_default=False),
]


def import_records(
    records: Records,
    *,
    profile: options.Profile = None,
    evidence: options.Evidence = None,
    store: Store = DEFAULT_STORE,
    record_id: Id = None,
    key: Key = None,
    no_suggest: NoSuggest = False,
    drop_decisions: DropDecisions = False,
    model: options.Model = None,
    base_url: options.BaseUrl = None,
    lines: options.Lines = False,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Bring records with their evidence into a store, to be decided about.

    Each is repaired from the evidence; what a model suggests for the rest waits for a person. A record whose id is
    known becomes a new revision.

    Exit code 0: all are in; 2: one or more are not.
    """
    from veracord.apps.import_run import ImportRun, Naming
    from veracord.apps.inputs import RecordSource
    from veracord.bootstrap.importers import Importer

    choices = options.chosen(profile=profile, evidence=evidence, config=config)
    choices = options.asking(choices, model=model, base_url=base_url, store=store, suggest=not no_suggest)
    most = choices.settings.max_record_bytes
    sources = [RecordSource(name, lines=lines, max_bytes=most) for name in records]
    run = ImportRun(sources, Naming(record_id, key), as_json=as_json)
    return run.into(store, Importer(choices, drops_decisions=drop_decisions), signing_key)


def export_records(
    *,
    record: OfRecord = None,
    include_unverified: Unverified = False,
    form: Format = Form.JSONL,
    out: Out = None,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Hand records out, without what nothing verifies; or what was decided about them.

    The log tells that it was done.
    """
    from veracord.apps.desks import signing_desk
    from veracord.apps.export_run import RecordExport, write_log
    from veracord.apps.failures import usage_error

    target = str(out) if out else None
    if form is not Form.JSONL:
        if include_unverified or as_json:
            raise usage_error(
                f"--include-unverified and --json are not for --format {form.value}", remedy="leave them out"
            )
        with signing_desk(store, signing_key) as desk:
            return write_log(desk, form.value, record, target)
    run = RecordExport(target, include_unverified=include_unverified, as_json=as_json)
    with signing_desk(store, signing_key) as desk:
        return run.run(desk, record)
