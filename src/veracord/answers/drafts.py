"""The form of a draft, and what is made of one: a text with markers, a refusal, or a list of faults.

The words of a model are data here: a draft that refuses in prose, or beside a fact, is a refusal, and what is
unreadable is never completed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from veracord.answers.checking import Checked
from veracord.grounding.coverage import COMPLETE
from veracord.grounding.markers import strip_markers
from veracord.grounding.refusals import refuses
from veracord.grounding.sentences import sentences_of
from veracord.grounding.verdicts import SUPPORTED, ClaimVerdict, Verdict
from veracord.pipeline.texts import clean
from veracord.pipeline.verdicts import Defect
from veracord.promptkit.structured_output import StructuredOutput
from veracord.records.values import JsonObject, JsonValue

MOST_SENTENCES: Final = 5
_LONGEST_SENTENCE: Final = 1_000
#: How far an answer without a form is read for a refusal.
_MOST_READ: Final = 4_000

FORM: Final[JsonObject] = {
    "type": "object",
    "description": "An answer in at most five sentences with their evidence, or that there is none.",
    "properties": {
        "sentences": {
            "type": "array",
            "minItems": 1,
            "maxItems": MOST_SENTENCES,
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "minLength": 1, "maxLength": _LONGEST_SENTENCE},
                    "evidence_ids": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["text", "evidence_ids"],
                "additionalProperties": False,
            },
        },
        "cannot_answer": {"type": "string"},
    },
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model answered.

    Attributes:
        text: Its sentences in one, each with its markers; "" where it does not answer.
        refuses: Whether it says that it cannot answer, alone or beside anything else.
        is_mixed: Whether it says so beside a sentence that asserts something.
    """

    text: str
    refuses: bool = False
    is_mixed: bool = False


class DraftForm(StructuredOutput[Draft]):
    """Asks for a draft and reads it; what is not one is told, and not asked for again here."""

    def __init__(self) -> None:
        """Choose the form."""
        super().__init__(FORM, draft_of, name="draft", structure_repairs=0)


def draft_of(value: JsonValue) -> Draft | list[Defect]:
    """Return the draft that a value of the form is, or what is wrong with it."""
    assert isinstance(value, dict)  # noqa: S101 - the form says so
    sentences = value.get("sentences")
    if ("cannot_answer" in value) == isinstance(sentences, list):
        return [Defect("one_of", "", "give either sentences or cannot_answer")]
    if not isinstance(sentences, list):
        return Draft("", refuses=True)
    told = [_sentence(row) for row in sentences if isinstance(row, dict)]
    refusing = [any(map(refuses, _pieces(text))) for text, _ in told]
    return Draft(
        text=" ".join(_marked(text, ids) for text, ids in told),
        refuses=any(refusing),
        is_mixed=any(refusing) and not all(refusing),
    )


def text_of_sentences(value: JsonObject) -> str:
    """Return the sentences of a draft in one, each with its markers."""
    rows = value.get("sentences")
    told = [_sentence(row) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return " ".join(_marked(text, ids) for text, ids in told)


def refuses_in_prose(text: str) -> bool:
    """Whether an answer that has no form says that there is none."""
    return any(map(refuses, _pieces(text[:_MOST_READ])))


def _sentence(row: JsonObject) -> tuple[str, list[str]]:
    ids = row.get("evidence_ids")
    text = clean(" ".join(str(row.get("text", "")).split()), _LONGEST_SENTENCE)
    named = [clean(one, 200) for one in ids if isinstance(one, str)] if isinstance(ids, list) else []
    # Markers in the text count like those beside it.
    inside = strip_markers(text, named)
    named += [one for marker in inside.markers for one in marker.evidence_ids]
    return inside.text.strip(), list(dict.fromkeys(one for one in named if one and "[" not in one and "]" not in one))


def _pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences_of(text)] or [text]


def _marked(text: str, ids: Sequence[str]) -> str:
    """Return a sentence with its markers in front of its stop, or behind a quotation that ends it."""
    markers = "".join(f"[{one}]" for one in ids)
    if not markers:
        return text
    if text.endswith((".", "!", "?")) and not text.endswith(("..", '".', "”.")):
        return f"{text[:-1]} {markers}{text[-1]}"
    return f"{text} {markers}"


def defects_of(checked: Checked, draft: Draft | None = None) -> list[Defect]:
    """Return what a model is told about a draft that did not pass."""
    found = verdict_defects(checked.verdict) if checked.answer is None else []
    if draft is not None and draft.refuses:
        found.append(Defect("mixed_refusal", "", "a sentence says that something is not known; leave it out"))
    return found


def verdict_defects(verdict: Verdict) -> list[Defect]:
    """Return what is wrong with a text that is not supported; at least one defect."""
    found = [defect for claim in verdict.claims for defect in _claim_defects(claim)]
    if verdict.coverage.state != COMPLETE:
        found.append(Defect("incomplete_coverage", "", "the answer has words that no claim owns"))
    return found or [Defect("not_supported", "", "the answer asserts nothing that the evidence states")]


def _claim_defects(claim: ClaimVerdict) -> list[Defect]:
    if claim.verdict == SUPPORTED:
        return []
    shown = clean(claim.text, 160)
    if not claim.failed:
        return [Defect("not_stated", "", f"the evidence does not state this: {shown}", "leave it out, or copy")]
    return [
        Defect(f"{result.gate}_gate", "", f"{result.detail.partition(':')[0]}: {shown}", "correct it, or leave it out")
        for result in claim.failed
    ]
