"""Whether an exact value lies inside a bound or a range that is said.

The rule: strictly inside.  A bound over its own value is another claim than the value, so that "at least 20" of
exactly 20 stays with `comparing`.
"""

from fractions import Fraction

from veracord.language.quantities import Quantity
from veracord.language.units import base_value, comparable


def is_bound(quantity: Quantity) -> bool:
    """Whether a quantity says a bound or a range of plain numbers, and nothing of how sure it is."""
    is_plain = quantity.kind in ("cardinal", "money") and quantity.tolerance is None and not quantity.approximate
    return is_plain and quantity.low != quantity.high


def lies_inside(said: Quantity, held: Quantity) -> bool:
    """Whether an exact quantity lies inside a bound; never where their units cannot be compared.

    Example: 5 kg lies inside "more than 4000 g", and neither inside "more than 5 kg" nor inside "more than 4".
    """
    if held.value is None or held.approximate or held.kind not in ("cardinal", "money") or not _compare(said, held):
        return False
    value = _base(Fraction(held.value), held)
    is_above = said.low is None or value > _base(Fraction(said.low), said)
    is_below = said.high is None or value < _base(Fraction(said.high), said)
    return is_above and is_below


def factor_between(one: Quantity, other: Quantity) -> Fraction | None:
    """Return how many times an exact value is another; None where units cannot be compared or one is not above 0."""
    if one.value is None or other.value is None or not _compare(one, other):
        return None
    first, second = _base(Fraction(one.value), one), _base(Fraction(other.value), other)
    return first / second if first > 0 and second > 0 else None


def _compare(one: Quantity, other: Quantity) -> bool:
    if one.unit is None or other.unit is None:
        return one.unit is other.unit
    return one.unit == other.unit or comparable(one.unit, other.unit)


def _base(value: Fraction, quantity: Quantity) -> Fraction:
    if quantity.unit is None or quantity.unit.dimension is None:
        return value
    return base_value(value, quantity.unit)
