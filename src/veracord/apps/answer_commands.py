"""The commands about answers: `check-answer`."""

from typing import Annotated

import typer

from veracord.apps import options

Answers = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="JSON Lines of {id, evidence, answer, claims?}, or - for standard input.",
        show_default=False,
    ),
]


def check_answer(file: Answers, *, config: options.Config = None) -> int:
    """Judge answers against the evidence that they cite, one a line.

    Each line gives an answer with citation markers such as [e1] and its evidence. An answer is supported only if
    every assertion in it is supported by what it cites; what no rule decides is undecided, and that is no support.
    Each verdict is written as soon as it is decided.

    Exit code 0: all are supported; 1: some are not; 2: a line could not be read, and its place says why.
    """
    from veracord.apps.check_answer_run import CheckAnswerRun
    from veracord.apps.inputs import RecordSource

    choices = options.chosen(config=config)
    return CheckAnswerRun(RecordSource(file, lines=True, max_bytes=choices.settings.max_record_bytes)).run()
