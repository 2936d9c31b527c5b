"""The verifier as a validator of any pipeline: every assertion of a value is supported by what it cites.

The evidence comes from the unit or from whoever wired the pipeline, never from the value that is judged.
"""

from collections.abc import Sequence
from typing import Final

from veracord.answers.drafts import text_of_sentences, verdict_defects
from veracord.errors import InputError
from veracord.grounding.packs import Labels, PackView
from veracord.grounding.verdicts import ABSTAIN, SUPPORTED
from veracord.grounding.verifier import Verifier
from veracord.pipeline.candidates import Unit
from veracord.pipeline.checks import reads_only
from veracord.pipeline.verdicts import Defect
from veracord.records.evidence import EvidencePack
from veracord.records.values import JsonValue

#: The members that may hold the text of a value.
_TEXTS: Final = ("answer", "text")


class NoEvidenceGivenError(LookupError):
    """Neither the validator nor the unit has evidence; its name is what a run tells of it."""


class GroundingCheck:
    """Judges the text of a value: a text, or an object with `answer`, `text`, or `sentences` as a draft has them."""

    def __init__(self, pack: EvidencePack | None = None, labels: Labels | None = None) -> None:
        """View the evidence once.

        Args:
            pack: The evidence; None: that of each unit, under `evidence`.
            labels: What a person calls the fields.
        """
        self._verifier = Verifier(labels)
        self._view = None if pack is None else self._verifier.view(pack.items)

    @reads_only
    def __call__(self, value: JsonValue, unit: Unit) -> list[Defect]:
        """Tell which claims are not supported; what asserts nothing has none.

        Raises:
            NoEvidenceGivenError: There is no evidence to judge by: it could not be checked.
            LookupError: The evidence of the unit cannot be read.
        """
        found = _text_and_claims(value)
        if found is None:
            return [Defect("malformed", "", "the value holds no text to judge")]
        text, claims = found
        view = self._view or self._of_unit(unit)
        try:
            verdict = self._verifier.check(text, view, claims=claims)
        except InputError as error:
            return [Defect(error.code, "", "the text is longer than an answer may be")]
        return [] if verdict.verdict in (SUPPORTED, ABSTAIN) else verdict_defects(verdict)

    def _of_unit(self, unit: Unit) -> PackView:
        rows = unit.value.get("evidence") if isinstance(unit.value, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise NoEvidenceGivenError("name files as evidence, or give the unit a list `evidence`")
        code = ""
        try:
            pack = EvidencePack.from_items(row for row in rows if isinstance(row, dict))
        except InputError as error:
            code = error.code
        else:
            return self._verifier.view(pack.items)
        raise LookupError(code)


def _text_and_claims(value: JsonValue) -> tuple[str, Sequence[str] | None] | None:
    if isinstance(value, str):
        return value, None
    if not isinstance(value, dict):
        return None
    if value.get("kind") == "abstention" or "cannot_answer" in value:
        return "", None
    if isinstance(value.get("sentences"), list):
        return text_of_sentences(value), None
    text = next((told for name in _TEXTS if isinstance(told := value.get(name), str)), None)
    claims = value.get("claims")
    texts = [claim for claim in claims if isinstance(claim, str)] if isinstance(claims, list) else []
    # Claims that are objects are those of a result, which the text is judged without.
    return None if text is None else (text, texts or None)
