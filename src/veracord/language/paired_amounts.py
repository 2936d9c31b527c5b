"""The arithmetic of two amounts that are one quantity: a value with its tolerance, and feet with inches."""

from decimal import Context, Decimal
from typing import Final

from veracord.language.numbers import Number
from veracord.language.units import Unit, comparable, convert

_PRECISION: Final = 1200
#: Units that people write one after the other, the larger first.
_COMPOUNDS: Final = frozenset(
    {("ft", "in"), ("h", "min"), ("min", "s"), ("lb", "oz"), ("d", "h"), ("yr", "mo"), ("kg", "g"), ("wk", "d")}
)


def compound_value(first: Number, second: Number, unit: Unit | None, smaller: Unit | None) -> Decimal | None:
    """Return "5 ft 2 in" or "1 h 30 min" in the smaller unit, or None if they are two quantities."""
    if unit is None or smaller is None or (unit.symbol, smaller.symbol) not in _COMPOUNDS or first.digits_after:
        return None
    whole = convert(first.value, unit, smaller)
    return None if whole is None else Context(prec=_PRECISION).add(whole, second.value)


def tolerance_width(first: Number, second: Number, unit: Unit | None, other: Unit | None) -> Decimal | None:
    """Return the tolerance in the unit of the value: of 10 ± 0.5 mm, 25 °C ± 2 K, 10 mm ± 5 %; None if none fits."""
    exact = Context(prec=_PRECISION)
    width = second.value.copy_abs()
    if unit is None or other is None or unit == other:
        return width
    if other.symbol == "%" and other.basis is None:
        return exact.multiply(exact.multiply(first.value.copy_abs(), width), Decimal("0.01"))
    if not comparable(unit, other):
        return None
    zero, moved = convert(Decimal(0), other, unit), convert(width, other, unit)
    return None if zero is None or moved is None else exact.subtract(moved, zero)
