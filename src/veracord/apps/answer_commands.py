"""The commands about answers: `answer` and `check-answer`."""

from pathlib import Path
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


Question = Annotated[
    str,
    typer.Argument(metavar="QUESTION", help="The question, or - for standard input.", show_default=False),
]
Product = Annotated[
    Path | None,
    typer.Option(
        "--product",
        metavar="RECORD",
        help="A .json file with a record that says which product is meant.",
        show_default=False,
    ),
]


def answer(
    question: Question,
    *,
    evidence: options.Evidence = None,
    profile: options.Profile = None,
    schema: options.Schema = None,
    identity: options.Identity = None,
    product: Product = None,
    model: options.Model = None,
    base_url: options.BaseUrl = None,
    store: options.Store = None,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Answer a question about a product from evidence, or say why not.

    Every sentence of an answer cites the evidence that supports it, and a verifier has checked each; evidence about
    another product is never used. Without a model, questions that one field of the evidence answers are answered.

    Exit code 0: answered; 1: not answered, and the reason is told; 2: something could not be read; 5: the model could
    not be reached.
    """
    from veracord.apps.answer_run import AnswerRun

    choices = options.chosen(profile=profile, schema=schema, identity=identity, evidence=evidence, config=config)
    choices = options.asking(choices, model=model, base_url=base_url, store=store)
    return AnswerRun(question, choices, product, as_json=as_json).run()


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
