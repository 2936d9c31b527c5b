"""Whether a value only moves a number of the record to the nearest bound: that hides a fault and mends none.

Source: ADR 0011 (no numeric clamping).
"""

from decimal import Decimal
from typing import Final

from veracord.records.places import Bound, Place
from veracord.records.pointers import Tokens
from veracord.records.values import EXACT, JsonValue, Missing, Number, is_number

#: A number so near to a bound that it may not reach lies at it: a part of the bound, or of one where it is nought.
_NEAR: Final = Decimal("0.01")
#: What is below this needs no exact arithmetic to be seen as far away.
_FAR_DIGITS: Final = 1_000


def clamps(root: Place, at: Tokens, present: JsonValue | Missing, value: JsonValue) -> bool:
    """Whether any number of the record would only be moved to a bound that it passes.

    Args:
        root: What the schema says about the whole record.
        at: The place that would be set.
        present: What stands there.
        value: What would stand there.
    """
    return _clamps(root.below(at), present, value)


def _clamps(place: Place, present: JsonValue | Missing, value: JsonValue) -> bool:
    if is_number(present) and is_number(value):
        return any(_is_moved(present, value, bound) for bound in place.bounds)
    if isinstance(present, dict) and isinstance(value, dict):
        return any(_clamps(place.member(name), item, value[name]) for name, item in present.items() if name in value)
    if isinstance(present, list) and isinstance(value, list):
        pairs = enumerate(zip(present, value, strict=False))
        return any(_clamps(place.item(index), old, new) for index, (old, new) in pairs)
    return False


def _is_moved(present: Number, value: Number, bound: Bound) -> bool:
    """Whether a number that passes a bound is moved to it, or just within one that it may not reach."""
    is_beyond = present < bound.value if bound.is_lower else present > bound.value
    if not bound.is_exclusive:
        return is_beyond and value == bound.value
    if not is_beyond and present != bound.value:
        return False
    inside = _difference(value, bound.value) if bound.is_lower else _difference(bound.value, value)
    if inside is None or inside <= 0:
        return False
    reach = abs(Decimal(bound.value)).scaleb(-2, EXACT) if bound.value else _NEAR
    is_next_whole = inside <= 1 and _is_whole(value)
    return is_next_whole or inside <= reach


def _difference(a: Number, b: Number) -> Decimal | None:
    """Return the exact difference; None of numbers so far apart that it would have too many digits."""
    left, right = Decimal(a), Decimal(b)
    if left and right and abs(left.adjusted() - right.adjusted()) > _FAR_DIGITS:
        return None
    return EXACT.subtract(left, right)


def _is_whole(value: Number) -> bool:
    return isinstance(value, int) or value == value.to_integral_value(context=EXACT)
