"""The commands that look at runs and tidy them up: `runs` and `store copy`."""

from typing import Annotated

import typer

from veracord.apps import options

Store = Annotated[
    str,
    typer.Option("--store", metavar="URL", help="Where runs are kept: a file, sqlite:///FILE, or postgresql://..."),
]
Run = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="The id of a run, the beginning of it, or a name: its latest run.", show_default=False
    ),
]
Key = Annotated[str | None, typer.Argument(metavar="[KEY]", help="The key of a unit of this run.", show_default=False)]
Keep = Annotated[
    int | None,
    typer.Option(
        "--keep",
        metavar="N",
        min=0,
        help="How many runs of each name stay, counted from the latest; 3 where --before is not given either.",
        show_default=False,
    ),
]
Before = Annotated[
    str | None,
    typer.Option(
        "--before", metavar="DATE", help="Only runs made before this day or time, in UTC.", show_default=False
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Tell what would be removed, and remove nothing.")]
From = Annotated[str, typer.Argument(metavar="FROM", help="The store to copy.", show_default=False)]
To = Annotated[str, typer.Argument(metavar="TO", help="A store without runs, or none yet.", show_default=False)]

_DEFAULT_STORE = ".veracord/store.db"
_DEFAULT_KEEP = 3


def list_runs(*, store: Store = _DEFAULT_STORE, as_json: options.AsJson = False) -> int:
    """List the runs of a store, the latest first."""
    from veracord.apps.rendering import show
    from veracord.apps.runs_reports import list_text
    from veracord.bootstrap.run_lookups import RunLookup

    with RunLookup(store) as lookup:
        rows = lookup.runs()
    return show({"runs": rows}, list_text, as_json=as_json)


def show_run(run: Run, *, store: Store = _DEFAULT_STORE, as_json: options.AsJson = False) -> int:
    """Show the manifest of a run.

    That is how its units ended, what was asked and what it cost, when it was started and how fast it was.
    """
    from veracord.apps.rendering import show
    from veracord.apps.runs_reports import manifest_text
    from veracord.bootstrap.run_lookups import RunLookup

    with RunLookup(store) as lookup:
        manifest = lookup.manifest(run)
        times = [] if as_json else lookup.end_times(manifest["run_id"])
    return show(manifest, lambda told, look: manifest_text(told, times, look), as_json=as_json)


def explain_run(run: Run, key: Key = None, *, store: Store = _DEFAULT_STORE, as_json: options.AsJson = False) -> int:
    """Tell what decided the results of a run, or why one unit stands where it stands."""
    from veracord.apps.rendering import show
    from veracord.apps.runs_reports import explanation_text, unit_text
    from veracord.bootstrap.run_lookups import RunLookup

    with RunLookup(store) as lookup:
        if key is None:
            return show(lookup.explain(run), explanation_text, as_json=as_json)
        return show(lookup.explain_unit(run, key), unit_text, as_json=as_json)


def remove_runs(
    *,
    keep: Keep = None,
    before: Before = None,
    dry_run: DryRun = False,
    store: Store = _DEFAULT_STORE,
    as_json: options.AsJson = False,
) -> int:
    """Remove old runs, with their records and receipts; never one that a process works on."""
    from veracord.apps.rendering import show
    from veracord.apps.runs_reports import read_day, removal_text
    from veracord.bootstrap.run_lookups import RunLookup

    before_s = None if before is None else read_day(before)
    if keep is None and before is None:
        keep = _DEFAULT_KEEP
    with RunLookup(store) as lookup:
        removed = lookup.remove(keep, before_s, is_dry=dry_run)
    return show({"dry_run": dry_run, "removed": removed}, removal_text, as_json=as_json)


def copy(source: From, target: To, *, as_json: options.AsJson = False) -> int:
    """Copy a store into an empty one, as from a file to PostgreSQL, and compare the two."""
    from veracord.apps.rendering import show
    from veracord.apps.runs_reports import copy_text
    from veracord.bootstrap.run_lookups import copy_store

    return show(copy_store(source, target), copy_text, as_json=as_json)
