"""Hints: facts that are read out of the evidence and written down as plain sentences, each with its citation.

A hint is not trusted for being ours: what it cites is resolved once more, and the sentences pass the same verifier as
the words of a model.  A check on a hint uses the hint's own value, never a constant.

Source: ADR 0011 (fallback hints).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veracord.answers.questions import Question
from veracord.answers.sentences import is_list, sentences_of
from veracord.gates.statements import Field
from veracord.grounding.packs import PackView
from veracord.records.evidence import EvidenceItem
from veracord.records.pointers import join


@dataclass(frozen=True, slots=True)
class Hint:
    """One fact of the evidence.

    Attributes:
        label: What a person calls the field.
        value: The value, as the record writes it.
        unit: Its unit, as the record writes it.
        evidence_id: The item that it stands in.
        evidence_ref: The reference of that item.
        pointer: Where it stands there.
        also: Further items that say the same, each with where.
        sentence: It in plain words, with markers; of a list the first item tells all of them.
    """

    label: str
    value: str
    unit: str | None
    evidence_id: str
    evidence_ref: str
    pointer: str
    also: tuple[tuple[str, str], ...]
    sentence: str


def hints_of(question: Question, fields: Sequence[Field], items: dict[str, EvidenceItem]) -> list[list[Hint]]:
    """Return the ways to tell what fields say, the plainest first; any that the verifier accepts will do.

    Args:
        question: The question; its language is that of the sentences, as far as they can be put in it.
        fields: Fields that say the same, or all items of one list; at least one.
        items: The items by id.
    """
    markers = "".join(f"[{one}]" for one in dict.fromkeys(field.evidence_id for field in fields))
    # The items of a list are a hint each, the same field in several sources is one.
    told = [(field, ()) for field in fields] if is_list(fields) else [(fields[0], tuple(fields[1:]))]
    return [
        [
            Hint(
                label=sentence.label,
                value=field.value,
                unit=field.unit,
                evidence_id=field.evidence_id,
                evidence_ref=items[field.evidence_id].evidence_ref,
                pointer=join(field.path),
                also=tuple((other.evidence_id, join(other.path)) for other in others),
                # A value with a stop of its own keeps it.
                sentence=f"{sentence.text} {markers}" + ("" if sentence.text.endswith(".") else ".") if not at else "",
            )
            for at, (field, others) in enumerate(told)
        ]
        for sentence in sentences_of(question, fields)
    ]


def resolves(hint: Hint, view: PackView, items: dict[str, EvidenceItem]) -> bool:
    """Whether a hint's citations lead to fields of the evidence that hold the hint's own value."""
    item = items.get(hint.evidence_id)
    if item is None or item.evidence_ref != hint.evidence_ref:
        return False
    field = field_at(view, hint.evidence_id, hint.pointer)
    if field is None or (field.value, field.unit) != (hint.value, hint.unit):
        return False
    return all(field_at(view, evidence_id, pointer) is not None for evidence_id, pointer in hint.also)


def field_at(view: PackView, evidence_id: str, pointer: str) -> Field | None:
    """Return the field at a place of the evidence that was looked at."""
    return next(_fields_at(view, evidence_id, pointer), None)


def _fields_at(view: PackView, evidence_id: str, pointer: str) -> Iterator[Field]:
    item = view.items.get(evidence_id)
    if item is not None:
        yield from (field for field in item.fields if join(field.path) == pointer)
