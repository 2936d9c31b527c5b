"""The command `run`."""

from pathlib import Path
from typing import Annotated

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


def run(
    pipeline: PipelineFile,
    *,
    concurrency: Concurrency = None,
    dry_run: DryRun = False,
    debug_transcripts: Transcripts = None,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Produce values with a model, check them, and have them corrected.

    Every unit of the input goes through the producers of the pipeline file. What a validator rejects is
    sent back with its findings, within the budgets; what is still rejected does not advance.

    Exit code 0: all accepted; 3: complete, and units are not, or not fully, accepted; 4: ended before
    the end, by the policy, an interruption or a limit; 2: something cannot be used, and no model was asked.
    """
    from veracord.apps.pipeline_run import PipelineRun
    from veracord.bootstrap.choices import load_settings

    settings = load_settings(config)
    return PipelineRun(
        pipeline, settings, concurrency=concurrency, transcripts=debug_transcripts, as_json=as_json
    ).start(dry_run=dry_run)
