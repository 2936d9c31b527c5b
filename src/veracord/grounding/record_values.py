"""The values of fields as mentions: a number with unit and limit, a range, a text that is wholly one value."""

import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from veracord.gates.mentions import Mention, mentions_of
from veracord.gates.statements import Field
from veracord.grounding.bounds import limited
from veracord.grounding.open_ends import has_open_end
from veracord.language.locales import Locale
from veracord.language.quantities import Quantity, single_quantity
from veracord.language.units import Unit, literal_unit, read_unit, unit_named

_LONGEST: Final = 120
_PLAIN_NUMBER: Final = re.compile(
    r"[-−+]?(?:0|[1-9][0-9]{0,2}(?:[,' \u00a0\u2009\u202f][0-9]{3})*|[1-9][0-9]*)(?:[.,][0-9]+)?"
)


def mention_of(field: Field) -> Mention | None:
    """Return the reading of a field's value where it is wholly one quantity, date or identifier."""
    if field.kind == "number":
        return number_mention(field.value, field.unit, field.bound)
    if field.kind == "range":
        return range_mention(field.value, field.unit)
    if field.kind == "boolean":
        return None
    mention = typed_mention(field.value)
    if mention is not None and field.unit and mention.kind == "quantity":
        return typed_mention(f"{field.value} {field.unit}") or mention
    return mention


@lru_cache(maxsize=4096)
def number_mention(text: str, unit: str | None, bound: str = "") -> Mention:
    """Return a number of a record, with its unit and what limits it, as a mention."""
    value = Decimal(text)
    held = f"{bound}{text} {unit}" if unit else f"{bound}{text}"
    known = _known_unit(unit) if unit else None
    return Mention("quantity", held, (0, len(held)), limited(single_quantity(value, known), bound))


@lru_cache(maxsize=4096)
def range_mention(text: str, unit: str | None) -> Mention:
    """Return two ends of a range, with their unit, as a mention."""
    low, high = (single_quantity(Decimal(end), _known_unit(unit) if unit else None) for end in text.split())
    whole = replace(low, high=high.high, numbers=(*low.numbers, *high.numbers))
    return Mention("quantity", text, (0, len(text)), whole)


def _known_unit(unit: str) -> Unit | None:
    known = unit_named(unit)
    if known is None and (read := read_unit(unit, 0)) is not None and read[1][1] == len(unit):
        return read[0]
    return known or literal_unit(unit)


@lru_cache(maxsize=8192)
def typed_mention(text: str, locale: Locale | None = None) -> Mention | None:
    """Return the reading of a text that is wholly one quantity, date or identifier."""
    if len(text) > _LONGEST:
        return None
    found = mentions_of(text, locale)
    if len(found) == 1 and found[0].kind == "quantity" and not is_plain(text, found[0]):
        return None
    if len(found) == 1 and _is_exact(found[0]) and has_open_end(text):
        return None
    if len(found) == 1 and not text[: found[0].span[0]].strip() and not text[found[0].span[1] :].strip(" ."):
        return found[0]
    return None


def _is_exact(mention: Mention) -> bool:
    return isinstance(mention.value, Quantity) and mention.value.value is not None


def is_plain(text: str, mention: Mention) -> bool:
    """Whether a text without a unit is a number, and not a code that looks like one: "011-99000"."""
    value = mention.value
    has_unit = isinstance(value, Quantity) and value.unit is not None
    return has_unit or _PLAIN_NUMBER.fullmatch(text.strip()) is not None
