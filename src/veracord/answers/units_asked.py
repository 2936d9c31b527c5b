"""The unit that a question asks for its value in: "the mass in grams".  A value is converted exactly, or not at all."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from veracord.answers.vocabulary import keys_of
from veracord.gates.statements import Field
from veracord.grounding.claim_words import ClaimWords
from veracord.language.units import Unit, convert, unit_named

#: Longer results are of no use to a person.
_LONGEST: Final = 30


@dataclass(frozen=True, slots=True)
class UnitAsked:
    """A unit that a question names.

    Attributes:
        unit: The unit.
        written: How the question writes it.
        places: The places of the words that name it.
    """

    unit: Unit
    written: str
    places: frozenset[int]


def unit_asked(words: ClaimWords, forms: tuple[str, ...], taken: frozenset[int]) -> UnitAsked | None:
    """Return the unit behind an "in" of a question, if there is one."""
    for at, form in enumerate(forms[:-1]):
        if form != "in" or {at, at + 1} & taken:
            continue
        start, end = words.spans[at + 1]
        written = words.text[start:end]
        unit = unit_named(written)
        if unit is not None and unit.dimension is not None:
            return UnitAsked(unit, written, frozenset({at, at + 1}))
    return None


def in_unit_asked(field: Field, asked: UnitAsked) -> tuple[str, str | None] | None:
    """Return the value and unit of a field in the unit that was asked for; None where it cannot be told exactly."""
    if field.unit is None:
        # "How long, in years": the name says it.
        is_named = keys_of(asked.written) <= {key for name in field.names for key in keys_of(name.words)}
        return (field.value, None) if is_named else None
    own = unit_named(field.unit)
    if own == asked.unit:
        return field.value, field.unit
    if own is None or field.kind != "number":
        return None
    try:
        value = convert(Decimal(field.value), own, asked.unit)
    except InvalidOperation:
        return None
    text = None if value is None else f"{value.normalize():f}"
    return None if text is None or len(text) > _LONGEST else (text, asked.written)
