"""Quantities in a text: numbers with their unit, bounds, ranges, tolerance, hedge and kind.

The rule: what is read is what is said.  A range is not its ends, a bound is no value, a change is no level, an ordinal
counts nothing, and what has two readings is an `AmbiguousQuantity`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from typing import Final, Literal

from veracord.language.amounts import Amount, amounts_of
from veracord.language.dates import dates_of
from veracord.language.identifiers import identifiers_of
from veracord.language.locales import Locale
from veracord.language.numbers import Ambiguous, Number, Ratio, shared_magnitude
from veracord.language.paired_amounts import compound_value, tolerance_width
from veracord.language.tokens import Span
from veracord.language.units import Unit, convert, read_unit
from veracord.language.wordings import Wording, is_change, wording_after, wording_before

QuantityKind = Literal["cardinal", "ordinal", "money", "ratio", "change"]

_PRECISION: Final = 1200
_SPACE: Final = "[ \u00a0\u2009\u202f]"
_TOLERANCE: Final = re.compile(rf"{_SPACE}?(?:±|\+/[-−–]|\+[-−–]|plus/minus |plus or minus |plusminus ){_SPACE}?$")
_RANGE: Final = re.compile(
    rf"{_SPACE}?(?:[–—\-−…÷]|\.\.\.?){_SPACE}?|{_SPACE}?,?(?:to|through|bis|bis zu|up to|auf){_SPACE}", re.IGNORECASE
)
_AND: Final = re.compile(rf"{_SPACE}(?:and|und){_SPACE}", re.IGNORECASE)
_TIMES: Final = re.compile(rf"{_SPACE}?[x×]{_SPACE}?|{_SPACE}by{_SPACE}|{_SPACE}?/{_SPACE}?")
_OUT_OF: Final = re.compile(rf":|{_SPACE}:{_SPACE}|{_SPACE}(?:in|out of|von){_SPACE}")
_TOLERANCE_ENDS: Final = frozenset("±-−–  ")
_SPACES: Final = re.compile(f"{_SPACE}{{1,2}}")
_PLUS_MINUS_BEFORE: Final = re.compile(rf"(?:±|\+/[-−–]){_SPACE}?$")


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is said of a number: an exact value has `low == high`; None is no bound.

    A tolerance lies in the bounds, too: 10 ± 0.5 has low 9.5, high 10.5, tolerance 0.5.  A change "from 10 to 15" has
    the two numbers in the order said.  A ratio (3:1, a third) has two numbers and no bounds.
    """

    low: Decimal | None
    high: Decimal | None
    low_strict: bool
    high_strict: bool
    approximate: bool
    tolerance: Decimal | None
    unit: Unit | None
    span: Span
    numbers: tuple[Number, ...]
    kind: QuantityKind

    @property
    def value(self) -> Decimal | None:
        """The value, if a single one is said: exact, or about it; None for bounds, ranges, tolerances and ratios."""
        return self.low if self.low == self.high else None

    @property
    def is_exact(self) -> bool:
        """Whether one value is said, without hedge."""
        return self.low is not None and self.low == self.high and not self.approximate


@dataclass(frozen=True, slots=True)
class AmbiguousQuantity:
    """Characters that could say different quantities; `readings` are values, and empty where none is likely."""

    readings: tuple[Decimal, ...]
    unit: Unit | None
    span: Span
    written: str


AnyQuantity = Quantity | AmbiguousQuantity


def quantities_of(text: str, locale: Locale | None = None, taken: Sequence[Span] | None = None) -> list[AnyQuantity]:
    """Return the quantities in a text, in order, without overlap.

    Args:
        locale: That of the text; None looks for it in the text.
        taken: The spans of its dates and identifiers, sorted, if they have been read already.
    """
    if taken is None:
        taken = taken_spans([one.span for one in dates_of(text)], [one.span for one in identifiers_of(text)])
    amounts = _with_shared_units(text, amounts_of(text, locale, taken))
    out: list[AnyQuantity] = []
    position, last = 0, 0
    while position < len(amounts):
        quantity, used = _read(text, amounts, position, last)
        out.append(quantity)
        position += used
        last = quantity.span[1]
    return out


def _with_shared_units(text: str, amounts: list[Amount]) -> list[Amount]:
    """Give "10 x 20 x 30 mm" and "230/400 V" their unit at each number."""
    for position in range(len(amounts) - 2, -1, -1):
        amount, following = amounts[position], amounts[position + 1]
        if (
            amount.unit is not None
            or following.unit is None
            or amount.ordinal
            or following.span[0] - amount.span[1] > _GAP_MOST
        ):
            continue
        if _TIMES.fullmatch(text, amount.span[1], following.span[0]):
            amounts[position] = replace(amount, unit=following.unit)
    return amounts


def taken_spans(dates: Sequence[Span], identifiers: Sequence[Span]) -> list[Span]:
    """Return the spans of dates and identifiers in order, as `quantities_of` takes them."""
    return sorted([*dates, *identifiers])


def single_quantity(value: Decimal, unit: Unit | None = None, digits_after: int | None = None) -> Quantity:
    """Return the exact quantity that a record holds as a number and a unit."""
    exponent = value.as_tuple().exponent
    after = digits_after if digits_after is not None else max(0, -exponent) if isinstance(exponent, int) else 0
    number = Number(value, (0, 0), after, "digits")
    return Quantity(value, value, False, False, False, None, unit, (0, 0), (number,), _kind(unit))  # noqa: FBT003 - fields


def _kind(unit: Unit | None) -> QuantityKind:
    return (
        "money"
        if unit is not None and unit.dimension is not None and unit.dimension.startswith("money")
        else "cardinal"
    )


def _read(text: str, amounts: list[Amount], position: int, last: int) -> tuple[AnyQuantity, int]:
    """Read the quantity that begins with an amount, and tell how many amounts it takes."""
    amount = amounts[position]
    wording = wording_before(text, amount.span[0], last)
    if position + 1 < len(amounts):
        following = amounts[position + 1]
        near = following.span[0] - amount.span[1] <= _GAP_MOST
        if near and (pair := _pair(text, amount, following, wording, last)) is not None:
            return pair, 2
    return _single(text, amount, wording, last), 1


_GAP_MOST: Final = 16


def _single(text: str, amount: Amount, wording: Wording, last: int) -> AnyQuantity:
    number = amount.number
    if isinstance(number, Ambiguous):
        return _ambiguous(text, number.readings, amount.unit, (wording.start, amount.span[1]))
    if isinstance(number, Ratio):
        return _ratio(number, amount)
    if amount.ordinal:
        return _quantity(number.value, number.value, None, amount.span, (number,), "ordinal")
    if text[amount.span[0] - 1 : amount.span[0]] in _TOLERANCE_ENDS:
        plus_minus = _PLUS_MINUS_BEFORE.search(text, max(last, amount.span[0] - 5), amount.span[0])
        if plus_minus is not None:
            ends = (number.value.copy_negate(), number.value)
            alone = _quantity(*ends, amount.unit, (plus_minus.start(), amount.span[1]), (number,), _kind(amount.unit))
            return replace(alone, tolerance=number.value)
    return _worded(text, amount, number, wording, last)


def _worded(text: str, amount: Amount, number: Number, wording: Wording, last: int) -> Quantity:
    """Apply the words before and after an amount."""
    start, end = wording.start, amount.span[1]
    approximate, unit = wording.approximate, amount.unit
    bound: str = wording.bounds[0] if wording.bounds else ""
    if not bound and (after := wording_after(text, end)) is not None:
        bound, approximate, end = (
            "" if after[0] == "about" else after[0], after[0] == "about" or approximate, after[1],
        )  # fmt: skip
        # "20+ years": the unit may stand behind.
        if unit is None and (found := read_unit(text, end)) is not None:
            unit, end = found[0], found[1][1]
    role = "" if wording.role == "from" else wording.role
    kind: QuantityKind = "change" if is_change(text, start, end, last, role) else _kind(unit)
    return Quantity(
        low=None if bound in {"max", "below"} else number.value,
        high=None if bound in {"min", "above"} else number.value,
        low_strict=bound == "above",
        high_strict=bound == "below",
        approximate=approximate,
        tolerance=None,
        unit=unit,
        span=(start, end),
        numbers=(number,),
        kind=kind,
    )


def _quantity(
    low: Decimal | None,
    high: Decimal | None,
    unit: Unit | None,
    span: Span,
    numbers: tuple[Number, ...],
    kind: QuantityKind,
) -> Quantity:
    return Quantity(low, high, False, False, False, None, unit, span, numbers, kind)  # noqa: FBT003 - fields


def _ambiguous(text: str, readings: tuple[Decimal, ...], unit: Unit | None, span: Span) -> AmbiguousQuantity:
    return AmbiguousQuantity(readings, unit, span, text[span[0] : span[1]])


def _ratio(ratio: Ratio, amount: Amount) -> Quantity:
    numbers = tuple(Number(value, ratio.span, 0, "fraction") for value in (ratio.numerator, ratio.denominator))
    return _quantity(None, None, amount.unit, amount.span, numbers, "ratio")


def _pair(text: str, one: Amount, two: Amount, wording: Wording, last: int) -> AnyQuantity | None:
    """Read two amounts as one quantity: tolerance, range, change or ratio; None if they are two quantities."""
    gap = text[one.span[1] : two.span[0]]
    if one.ordinal or two.ordinal or gap in {", ", "; "}:
        return None
    span = (wording.start, two.span[1])
    tolerance = _TOLERANCE.fullmatch(gap) is not None
    joined = tolerance or _joins_range(gap, one, wording)
    first, second = one.number, two.number
    if not isinstance(first, Number) or not isinstance(second, Number):
        return _ambiguous(text, (), one.unit or two.unit, span) if joined else None
    # "10 -20 kg" is a range or a negative number; "at least 3 to 5" bounds what?
    dashed = gap != "" and gap.isspace() and text[two.span[0]] in "-–+" and one.unit is None
    if dashed or (joined and wording.bounds):
        return _ambiguous(text, (), two.unit, span)
    if tolerance:
        found = _tolerance(first, second, one.unit, two.unit, span)
    else:
        found = _range(text, one, two, wording, last) if joined else _together(one, two, gap, span)
    return replace(found, approximate=wording.approximate) if found else None


def _together(one: Amount, two: Amount, gap: str, span: Span) -> Quantity | None:
    """Read "5 ft 2 in" and "3:1"."""
    first, second = one.number, two.number
    if not isinstance(first, Number) or not isinstance(second, Number):
        return None
    if _SPACES.fullmatch(gap):
        value = compound_value(first, second, one.unit, two.unit)
        number = (
            None if value is None else Number(value, (first.span[0], second.span[1]), second.digits_after, "digits")
        )
        return _quantity(value, value, two.unit, span, (number,), "cardinal") if number else None
    counts = one.unit is None and two.unit is None and _are_counts(first, second)
    return _quantity(None, None, None, span, (first, second), "ratio") if counts and _OUT_OF.fullmatch(gap) else None


def _joins_range(gap: str, one: Amount, wording: Wording) -> bool:
    """Tell "3 to 5 %", "between 3 and 5", "von 3 auf 5" from "by 5 % to 20 %"."""
    if wording.role == "by" and one.unit is not None:
        return False
    if gap.strip().casefold() == "auf":
        return wording.role == "from"
    return _RANGE.fullmatch(gap) is not None or (wording.role == "between" and _AND.fullmatch(gap) is not None)


def _are_counts(first: Number, second: Number) -> bool:
    return first.value > 0 and 0 < second.value < 10**4 and first.digits_after == 0 == second.digits_after


def _tolerance(first: Number, second: Number, unit: Unit | None, other: Unit | None, span: Span) -> Quantity | None:
    """Read 10 ± 0.5 mm, 10 mm ± 0.5 mm, 10 mm ± 5 %."""
    width = tolerance_width(first, second, unit, other)
    if width is None:
        return None
    exact = Context(prec=_PRECISION)
    low, high = exact.subtract(first.value, width), exact.add(first.value, width)
    own = unit or other
    return replace(_quantity(low, high, own, span, (first, second), _kind(own)), tolerance=width)


def _range(text: str, one: Amount, two: Amount, wording: Wording, last: int) -> Quantity | None:
    first, second = one.number, two.number
    if not isinstance(first, Number) or not isinstance(second, Number):
        return None
    unit = two.unit or one.unit
    if one.unit is None:
        first = shared_magnitude(text, first, second)
    if one.unit is not None and two.unit is not None and one.unit != two.unit:
        converted = convert(first.value, one.unit, two.unit)
        if converted is None:
            return None
        first = replace(first, value=converted)
    low = first.value
    span = (wording.start, two.span[1])
    change = wording.role == "from" and (low > second.value or is_change(text, one.span[0], two.span[1], last, "from"))
    if low > second.value and not change:
        return None
    kind: QuantityKind = "change" if change else _kind(unit)
    ends = (low, second.value) if low <= second.value else (second.value, low)
    return _quantity(*ends, unit, span, (first, second), kind)
