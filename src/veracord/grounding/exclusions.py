"""Whether two values cannot both be the value of one thing.

Two bounds that overlap may both be true ("at most 10 kg", 5 kg), and so may a text and a part of it ("Acme", "Acme
GmbH").  Everything else that differs excludes the other.
"""

from decimal import Decimal
from fractions import Fraction
from typing import Final

from veracord.gates.mentions import Mention
from veracord.grounding.names import name_of, squash
from veracord.language.comparing import compare_dates, compare_quantities
from veracord.language.dates import AmbiguousDate, DateMention
from veracord.language.quantities import Quantity
from veracord.language.units import base_value, comparable

#: How far about a value its hedge reaches.
_HEDGE: Final = Fraction(1, 10)
_JOINED: Final = frozenset(("and", ",", ";", "present"))


def exclude_each_other(one: Mention, two: Mention) -> bool:
    """Whether two values as mentioned cannot both be true of one thing."""
    if isinstance(one.value, Quantity) and isinstance(two.value, Quantity):
        return quantities_exclude(one.value, two.value)
    if isinstance(one.value, (DateMention, AmbiguousDate)) and isinstance(two.value, (DateMention, AmbiguousDate)):
        return compare_dates(one.value, two.value).outcome == "date_differs"
    return one.kind == two.kind and one.kind in ("text", "identifier") and texts_exclude(one.text, two.text)


def agree(one: Mention, two: Mention) -> bool:
    """Whether two values as mentioned are the same."""
    if isinstance(one.value, Quantity) and isinstance(two.value, Quantity):
        return compare_quantities(one.value, two.value).holds
    if isinstance(one.value, DateMention) and isinstance(two.value, DateMention):
        return compare_dates(one.value, two.value).outcome == "same"
    return squash(one.text) == squash(two.text)


def quantities_exclude(one: Quantity, two: Quantity) -> bool:
    """Whether no number is both; values in units that do not meet exclude each other."""
    if "change" in (one.kind, two.kind) or "ratio" in (one.kind, two.kind):
        return one.kind == two.kind and not compare_quantities(one, two).holds
    if compare_quantities(one, two).holds or compare_quantities(two, one).holds:
        return False
    if one.unit is not None and two.unit is not None and not comparable(one.unit, two.unit):
        return True
    first, second = _ends(one), _ends(two)
    return _lies_below(first, second) or _lies_below(second, first)


_Ends = tuple[Fraction | None, Fraction | None, bool]


def _ends(quantity: Quantity) -> _Ends:
    """Return the lowest and the highest value, and whether a bound is strict."""
    low, high = (_base(end, quantity) for end in (quantity.low, quantity.high))
    if quantity.approximate:
        low = low - abs(low) * _HEDGE if low is not None else None
        high = high + abs(high) * _HEDGE if high is not None else None
    return low, high, quantity.low_strict or quantity.high_strict


def _base(value: Decimal | None, quantity: Quantity) -> Fraction | None:
    if value is None:
        return None
    return base_value(Fraction(value), quantity.unit) if quantity.unit is not None else Fraction(value)


def _lies_below(one: _Ends, two: _Ends) -> bool:
    if one[1] is None or two[0] is None:
        return False
    return one[1] < two[0] or (one[1] == two[0] and (one[2] or two[2]))


def texts_exclude(one: str, two: str) -> bool:
    """Whether two texts are neither the same words, in whatever language, nor one a part of the other."""
    first, second = ({key for key in name_of(text).stems if key not in _JOINED} for text in (one, two))
    if not first or not second or squash(one) == squash(two):
        return False
    return not (first <= second or second <= first)
