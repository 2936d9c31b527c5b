"""The command `run`."""

from pathlib import Path
from typing import Annotated, Final

import typer

from veracord.apps import options

PipelineFile = Annotated[
    Path,
    typer.Argument(metavar="PIPELINE.toml", help="The pipeline file.", show_default=False),
]
Concurrency = Annotated[
    int | None,
    typer.Option(
        "--concurrency",
        metavar="N",
        min=1,
        max=10_000,
        help="Units in flight, instead of the number in the file.",
        show_default=False,
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Check everything, and tell the most requests that there can be; ask no model."),
]
Transcripts = Annotated[
    Path | None,
    typer.Option(
        "--debug-transcripts",
        metavar="DIR",
        help="Write down what is asked and answered, in a folder that only you can read.",
        show_default=False,
    ),
]

Store = Annotated[
    str,
    typer.Option("--store", metavar="URL", help="Where runs are kept: a file, sqlite:///FILE, or postgresql://..."),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--run", metavar="NAME", help="A name for the run, instead of the one in the file.", show_default=False
    ),
]
Again = Annotated[
    str | None,
    typer.Option(
        "--retry",
        metavar="OUTCOME,...",
        help="Do units again that ended so, such as rejected,transport_failure.",
        show_default=False,
    ),
]
SameRun = Annotated[
    bool,
    typer.Option("--same-run", help="Go on with the unfinished run of this name though its files have changed."),
]
Takeover = Annotated[
    bool,
    typer.Option("--takeover", help="Take a run over from a process that is gone; never from one that lives."),
]


#: As in a pipeline file.
_LONGEST_NAME: Final = 200


def run(
    pipeline: PipelineFile,
    *,
    store: Store = ".veracord/store.db",
    name: Name = None,
    retry: Again = None,
    same_run: SameRun = False,
    takeover: Takeover = False,
    concurrency: Concurrency = None,
    dry_run: DryRun = False,
    debug_transcripts: Transcripts = None,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Produce values with a model, check them, and have them corrected.

    Every unit of the input goes through the producers of the pipeline file. What a validator rejects is
    sent back with its findings, within the budgets; what is still rejected does not advance.

    What was accepted is kept in a store. The same command goes on with a run that was not brought to
    its end, and does nothing twice.

    Exit code 0: all accepted; 3: complete, and units are not, or not fully, accepted; 4: ended before
    the end, by the policy, an interruption or a limit; 2: something cannot be used, and no model was asked.
    """
    from veracord.apps.failures import usage_error
    from veracord.apps.pipeline_run import PipelineRun, outcomes_of
    from veracord.bootstrap.choices import load_settings
    from veracord.bootstrap.run_choices import RunWish

    if name is not None and not 0 < len(name) <= _LONGEST_NAME:
        raise usage_error("the name of the run is empty or too long", where="--run", remedy="use 1 to 200 characters")
    settings = load_settings(config)
    return PipelineRun(
        pipeline,
        settings,
        store=store,
        name=name,
        wish=RunWish(outcomes_of(retry), same_run, takeover, debug_transcripts is not None),
        concurrency=concurrency,
        transcripts=debug_transcripts,
        as_json=as_json,
    ).start(dry_run=dry_run)
