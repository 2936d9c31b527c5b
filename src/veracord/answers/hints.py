"""Hints: facts that are read out of the evidence and written down as plain sentences, each with its citation.

A hint is not trusted for being ours: what it cites is resolved once more, and the sentences pass the same verifier as
the words of a model.  A check on a hint uses the hint's own value, never a constant.

Source: ADR 0011 (fallback hints).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from veracord.answers.vocabulary import keys_of, vocabulary
from veracord.gates.statements import Field
from veracord.grounding.field_names import name_variants
from veracord.grounding.packs import PackView
from veracord.language.units import unit_named
from veracord.records.evidence import EvidenceItem
from veracord.records.pointers import join

_CODE_MARK: Final = ":"
_MOST_NAMES: Final = 4


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
        sentence: It in plain words, with markers.
    """

    label: str
    value: str
    unit: str | None
    evidence_id: str
    evidence_ref: str
    pointer: str
    also: tuple[tuple[str, str], ...]
    sentence: str


def hints_of(fields: Sequence[Field], items: dict[str, EvidenceItem]) -> list[list[Hint]]:
    """Return the ways to tell what fields say, the shortest first; any that the verifier accepts will do.

    Args:
        fields: Fields that say the same, at least one.
        items: The items by id.
    """
    first = fields[0]
    also = tuple((field.evidence_id, join(field.path)) for field in fields[1:])
    markers = "".join(f"[{one}]" for one in dict.fromkeys(field.evidence_id for field in fields))
    return [
        [
            Hint(
                label=label,
                value=first.value,
                unit=first.unit,
                evidence_id=first.evidence_id,
                evidence_ref=items[first.evidence_id].evidence_ref,
                pointer=join(first.path),
                also=also,
                # A value with a stop of its own keeps it.
                sentence=f"The {label} is {value} {markers}" + ("" if value.endswith(".") else "."),
            )
        ]
        for label in labels_of(first)
        for value in _values(first)
    ]


def labels_of(field: Field) -> list[str]:
    """Return what a field may be called, the plainest first: its own name, then with the names above it."""
    row = "".join(f" of {row}" for row in field.row)
    found: dict[str, None] = {}
    for names in name_variants(field)[::-1]:
        words = [_spoken(name.words) for name in names]
        unsaid = [word for word, name in zip(words, names, strict=True) if not _is_neutral(name.words)]
        plain = unsaid if unsaid and unsaid[-1] == words[-1] else [*unsaid, words[-1]]
        for parts in (plain, words[-1:], words[-2:], words[-3:], words[-_MOST_NAMES:]):
            found[" ".join(parts) + row] = None
    for alias in field.aliases:
        found[_spoken(alias.words) + row] = None
    return list(found)


def _is_neutral(words: str) -> bool:
    return vocabulary().wide(keys_of(words)) <= vocabulary().neutral


def _spoken(words: str) -> str:
    """Return a name as it stands in a sentence: in lower case but for what is written in capitals."""
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words.split())


def _values(field: Field) -> list[str]:
    """Return the value as it is told: as the record writes it, with a unit that people read."""
    value = " ".join(field.value.split())
    if field.kind != "text" or field.unit:
        return [value] if field.unit is None else [f"{value} {unit}" for unit in _units(field.unit)]
    return [value, f'"{value}"']


def _units(unit: str) -> list[str]:
    known = unit_named(unit)
    plain = [] if known is None or known.dimension is None else [str(known)]
    # A code such as unit:kilogram or KGM is for machines.
    is_code = _CODE_MARK in unit or (unit.isupper() and len(unit) == 3)  # noqa: PLR2004 - codes of Recommendation 20
    return list(dict.fromkeys([*plain, unit] if is_code else [unit, *plain]))


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
