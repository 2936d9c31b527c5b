"""The evidence that a model is shown: what comes nearest to the question, within a limit, item by item.

Only what may support a claim is shown: no suggestion, no instruction, nothing about another product.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from veracord.answers.fields import fits_of
from veracord.answers.ranking import rank
from veracord.answers.tasks import AnswerTask
from veracord.gates.atoms import classify_word
from veracord.gates.statements import Field, Standing
from veracord.grounding.field_names import name_variants
from veracord.grounding.packs import EvidenceView
from veracord.language.tokens import fold, tokens_of
from veracord.records.values import JsonObject, JsonValue

#: What an item costs beside its passages.
_OVERHEAD: Final = 40
_LONGEST_FACT: Final = 600


@dataclass(frozen=True, slots=True)
class Passage:
    """A fact or a sentence of an item."""

    evidence_id: str
    text: str
    field: Field | None = None


def shown_evidence(task: AnswerTask, limit: int) -> list[JsonValue]:
    """Return the items with their passages, at most so many characters, in the order of the evidence.

    Args:
        limit: The most characters.
    """
    passages = [passage for item_id, item in task.view.items.items() for passage in _passages(item_id, item)]
    kept = _within(task, passages, limit)
    items: dict[str, JsonObject] = {}
    for number in sorted(kept):
        passage = passages[number]
        item = items.setdefault(passage.evidence_id, {"id": passage.evidence_id})
        if passage.field is not None:
            facts = item.setdefault("facts", [])
            assert isinstance(facts, list)  # noqa: S101 - it was made here
            facts.append(passage.text)
        else:
            item["text"] = " ".join(filter(None, (str(item.get("text", "")), passage.text)))
    return list(items.values())


def _within(task: AnswerTask, passages: list[Passage], limit: int) -> set[int]:
    """Return the passages that fit, those nearest to the question first."""
    query = [key for at in task.question.free if (key := task.question.words.keys[at])]
    # The fields that a question asks for without their label have none of its words.
    asked = {id(fit.field) for fit in fits_of(task.question, task.view)}
    first = [number for number, passage in enumerate(passages) if id(passage.field) in asked]
    ranked = [number for number, _ in rank(query, [_words(passage.text) for passage in passages])]
    order = dict.fromkeys((*first, *ranked, *range(len(passages))))
    kept: set[int] = set()
    seen: set[str] = set()
    left = limit
    for number in order:
        passage = passages[number]
        cost = len(passage.text) + 4 + (0 if passage.evidence_id in seen else _OVERHEAD + len(passage.evidence_id))
        if cost <= left:
            kept.add(number)
            seen.add(passage.evidence_id)
            left -= cost
    return kept


def _words(text: str) -> list[str]:
    return [classify_word(fold(token.text))[1] for token in tokens_of(text) if token.kind != "punctuation"]


def _passages(item_id: str, item: EvidenceView) -> Iterator[Passage]:
    for field in item.fields:
        if field.standing is Standing.EVIDENCE and field.names and field.path:
            yield Passage(item_id, fact_of(field), field)
    if any(field.path for field in item.fields):
        # The texts of a record are among its fields.
        return
    for text in item.prose:
        for number, (start, end) in enumerate(text.spans):
            if text.standing(number) is Standing.EVIDENCE:
                yield Passage(item_id, text.text[start:end])


def fact_of(field: Field) -> str:
    """Return a field as one line: what it is called, its row, its value and unit."""
    label = " ".join(name.words.lower() for name in name_variants(field)[-1])
    row = "".join(f" of {row}" for row in field.row if not row.startswith("\x00"))
    value = f"{field.value} {field.unit}" if field.unit else field.value
    return f"{label}{row}: {value}"[:_LONGEST_FACT]
