"""One run of `veracord answer`: a question, and an answer with its evidence or the reason why there is none."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from veracord.answers.results import Answered, GroundedAnswer
from veracord.apps.failures import usage_error
from veracord.apps.inputs import RecordSource
from veracord.apps.outputs import StandardOutput
from veracord.apps.rendering import Look, Sheet
from veracord.apps.repair_run import warn_of_unread_files
from veracord.bootstrap.answer_steps import chosen_answer_settings
from veracord.bootstrap.choices import Choices, load_evidence, unread_files
from veracord.bootstrap.composers import WiredComposer
from veracord.errors import InputError
from veracord.records.reading import Document, read_record

_ANSWERED: Final = 0
_ABSTAINED: Final = 1
#: A question is short; what is longer is not read to its end.
_MOST_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """A run as it was asked for.

    Attributes:
        question: The question, or "-".
        choices: Profile, evidence, and who is asked.
        product: A file with a record that says which product is meant.
        as_json: Whether standard output is for programs.
    """

    question: str
    choices: Choices
    product: Path | None = None
    as_json: bool = False

    def run(self) -> int:
        """Do it and return the exit code.

        Raises:
            VeracordError: Something cannot be used, or the model could not be asked.
        """
        question = _typed() if self.question == "-" else self.question
        warn_of_unread_files(unread_files(self.choices))
        product = self._product()
        settings = chosen_answer_settings(self.choices)
        with WiredComposer(self.choices, needs_profile=False) as wired:
            result = wired.composer.answer(question, load_evidence(self.choices), product, settings=settings)
        if self.as_json:
            StandardOutput().show(result.encode() + b"\n")
        else:
            StandardOutput().show(answer_report(result, Look.of_output()))
        return _ANSWERED if result.is_answered else _ABSTAINED

    def _product(self) -> Document | None:
        if self.product is None:
            return None
        source = RecordSource(str(self.product), lines=False, max_bytes=self.choices.settings.max_record_bytes)
        if source.is_lines:
            raise usage_error("the product is JSON Lines", where=source.where, remedy="give one record")
        return read_record(source.read(), where=source.where, max_bytes=source.max_bytes)


def _typed() -> str:
    """Return the question that standard input holds.

    Raises:
        InputError: It is no text.
    """
    try:
        return sys.stdin.buffer.read(_MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        pass
    raise InputError("the question is not UTF-8", where="standard input", remedy="write it as UTF-8", code="encoding")


def answer_report(result: Answered, look: Look) -> str:
    """Return an answer with its sources, or why there is none, for people."""
    sheet = Sheet(look)
    if isinstance(result, GroundedAnswer):
        sheet.line(result.text, style="bold")
        sheet.line()
        sheet.table(
            "Evidence",
            ("id", "at", "reference"),
            [(c.evidence_id, _place(c.pointer, c.span), c.evidence_ref) for c in result.citations],
        )
        how = "drafted by a model, and verified" if result.path == "model" else "read from the evidence, and verified"
        sheet.line(f"{len(result.claims)} claim{'' if len(result.claims) == 1 else 's'}; {how}.")
        return sheet.text()
    sheet.line(f"No answer: {result.reason} ({result.code.value}).", style="bold yellow")
    if result.detail:
        sheet.line(f"Why: {result.detail}")
    if result.looked_for:
        sheet.line(f"Looked for: {' '.join(result.looked_for)}")
    if result.nearest_ids:
        sheet.line(f"Nearest evidence: {', '.join(result.nearest_ids)}")
    return sheet.text()


def _place(pointer: str | None, span: tuple[int, int] | None) -> str:
    place = "" if pointer is None else pointer or '""'
    return f"{place} characters {span[0]} to {span[1]}".strip() if span is not None else place
