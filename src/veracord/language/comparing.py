"""Comparing what is said with what is held: the same, converted, rounded with a hedge, or different, and in what.

The rule: values are compared as exact rational numbers in the base unit.  A bound over its own value, strict or not,
and a hedge that is dropped differ in the comparator; an unhedged rounding differs in the number; a hedged one holds if
it rounds correctly to the digits shown and lies within 1 %.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from veracord.language.dates import AmbiguousDate, AnyDate, DateMention
from veracord.language.numbers import Number
from veracord.language.quantities import AmbiguousQuantity, AnyQuantity, Quantity, single_quantity
from veracord.language.units import Unit, base_value, comparable, in_unit

Outcome = Literal[
    "same", "converted", "rounded_hedged", "number_differs", "unit_differs", "comparator_differs", "undecided"
]
DateOutcome = Literal["same", "coarser", "finer", "date_differs", "undecided"]
Shape = Literal["exact", "min", "max", "range", "tolerance", "from_to", "ratio"]

#: How far a hedged value may lie from the value held.
_HEDGE: Final = Fraction(1, 100)
_COUNTS: Final = frozenset({"count"})


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome for two quantities; `detail` is a code of ours: what of it differs."""

    outcome: Outcome
    detail: str = ""

    @property
    def holds(self) -> bool:
        """Whether what is said is what is held."""
        return self.outcome in {"same", "converted", "rounded_hedged"}


@dataclass(frozen=True, slots=True)
class DateComparison:
    """The outcome for two dates: `coarser` says less than is held and holds, `finer` says more and does not."""

    outcome: DateOutcome
    detail: str = ""

    @property
    def holds(self) -> bool:
        """Whether what is said is what is held, at the precision said."""
        return self.outcome in {"same", "coarser"}


def compare_quantities(said: AnyQuantity, held: AnyQuantity) -> Comparison:
    """Compare a quantity that is said with one that is held."""
    if isinstance(said, AmbiguousQuantity) or isinstance(held, AmbiguousQuantity):
        return _compare_ambiguous(said, held)
    if said.kind != held.kind and not {said.kind, held.kind} <= {"cardinal", "money"}:
        return Comparison("number_differs", "kind")
    units = _compare_units(said.unit, held.unit)
    if units == "undecided":
        return Comparison("undecided", "currency")
    if units == "differ":
        return Comparison("unit_differs", "unit")
    same = Comparison("converted" if units == "converted" else "same")
    if said.kind == "ratio":
        return same if _ratio(said) == _ratio(held) else Comparison("number_differs", "ratio")
    return _compare_values(said, held, same)


def shape_of(quantity: Quantity) -> Shape:
    """Return what a quantity bounds."""
    if quantity.kind == "ratio":
        return "ratio"
    if quantity.tolerance is not None:
        return "tolerance"
    if quantity.kind == "change" and len(quantity.numbers) > 1:
        return "from_to"
    if quantity.low is None or quantity.high is None:
        return "max" if quantity.low is None else "min"
    return "exact" if quantity.low == quantity.high else "range"


def _compare_values(said: Quantity, held: Quantity, same: Comparison) -> Comparison:
    shape, other = shape_of(said), shape_of(held)
    if said.approximate and other == "exact" and shape in {"exact", "min", "max"}:
        return _compare_hedged(said, held, same)
    if shape != other:
        return _apart(said, held, "shape")
    if _ends(said) != _ends(held):
        return Comparison("number_differs", "value")
    if (said.low_strict, said.high_strict) != (held.low_strict, held.high_strict):
        return Comparison("comparator_differs", "strictness")
    if said.approximate != held.approximate:
        return Comparison("comparator_differs", "hedge")
    return same


def _apart(said: Quantity, held: Quantity, detail: str) -> Comparison:
    """Tell a comparator that differs over the same number from another number."""
    numbers = {_base(number, said) for number in said.numbers}
    return Comparison(
        "comparator_differs" if numbers <= {_base(n, held) for n in held.numbers} else "number_differs", detail
    )


def _compare_hedged(said: Quantity, held: Quantity, same: Comparison) -> Comparison:
    """Compare "about 12.7" or "nearly 13" with a value."""
    number, value = said.numbers[0], held.low
    if value is None:
        return Comparison("undecided", "hedge")
    exact = _in_said_unit(Fraction(value), held.unit, said.unit)
    shown = Fraction(number.value)
    if (said.high_strict and exact >= shown) or (said.low_strict and exact <= shown):
        return Comparison("comparator_differs" if exact == shown else "number_differs", "direction")
    if exact == shown and held.approximate == said.approximate:
        return same
    if _rounds(number, shown, exact) and abs(shown - exact) <= abs(exact) * _HEDGE:
        return Comparison("rounded_hedged")
    return Comparison("number_differs", "rounding")


def _rounds(number: Number, shown: Fraction, exact: Fraction) -> bool:
    """Tell whether a value rounds to what is shown, at one of the digits that the zeros at its end allow."""
    digit = Fraction(10) ** -number.digits_after
    for _ in range(_ZEROS_MOST):
        if abs(shown - exact) * 2 <= digit:
            return True
        digit *= 10
        if shown % digit != 0 or shown == 0:
            return False
    return False


_ZEROS_MOST: Final = 30


def _in_said_unit(value: Fraction, source: Unit | None, target: Unit | None) -> Fraction:
    if source is None or target is None or source == target:
        return value
    return in_unit(base_value(value, source), target)


def _ends(quantity: Quantity) -> tuple[Fraction | None, ...]:
    if quantity.kind == "change":
        return tuple(_base(number, quantity) for number in quantity.numbers)
    bounds = (quantity.low, quantity.high)
    return tuple(None if end is None else _scaled(Fraction(end), quantity) for end in bounds)


def _base(number: Number, quantity: Quantity) -> Fraction:
    return _scaled(Fraction(number.value), quantity)


def _scaled(value: Fraction, quantity: Quantity) -> Fraction:
    if quantity.unit is None or quantity.unit.dimension is None:
        return value
    # "by 5 °C" is a difference, "from 5 °C to 10 °C" are two values.
    difference = quantity.kind == "change" and len(quantity.numbers) == 1
    return base_value(value, quantity.unit, difference=difference)


def _ratio(quantity: Quantity) -> Fraction:
    first, second = quantity.numbers
    return Fraction(first.value) / Fraction(second.value)


def _compare_units(said: Unit | None, held: Unit | None) -> Literal["same", "converted", "differ", "undecided"]:
    if said == held:
        return "same"
    if said is None or held is None:
        # Pieces are counted with or without the word.
        other = said or held
        return "same" if other is not None and other.dimension in _COUNTS and other.per is None else "differ"
    if {said.symbol, held.symbol} & {"$"} and (said.symbol + held.symbol).replace("$", "") in _DOLLARS:
        return "undecided"
    return "converted" if comparable(said, held) else "differ"


_DOLLARS: Final = frozenset({"USD", "AUD", "CAD", "HKD"})


def _compare_ambiguous(said: AnyQuantity, held: AnyQuantity) -> Comparison:
    """Compare where a side has several readings: undecided, unless no reading of one is a reading of the other."""
    units = _compare_units(said.unit, held.unit)
    if units == "differ":
        return Comparison("unit_differs", "unit")
    if isinstance(said, AmbiguousQuantity) and isinstance(held, AmbiguousQuantity) and said.written == held.written:
        return Comparison("undecided", "same_writing")
    mine, theirs = _readings(said), _readings(held)
    outcomes = {compare_quantities(one, other).outcome for one in mine for other in theirs}
    if outcomes == {"number_differs"}:
        return Comparison("number_differs", "value")
    return Comparison("undecided", "ambiguous")


def _readings(quantity: AnyQuantity) -> list[Quantity]:
    if isinstance(quantity, Quantity):
        return [quantity]
    return [single_quantity(value, quantity.unit) for value in quantity.readings]


def compare_dates(said: AnyDate, held: AnyDate) -> DateComparison:
    """Compare a date that is said with one that is held, at the precision said and without a change of zone."""
    if isinstance(said, AmbiguousDate) or isinstance(held, AmbiguousDate):
        if isinstance(said, AmbiguousDate) and isinstance(held, AmbiguousDate) and said.written == held.written:
            return DateComparison("undecided", "same_writing")
        pairs = [(one, other) for one in _date_readings(said) for other in _date_readings(held)]
        if any(_compare_certain(one, other).outcome != "date_differs" for one, other in pairs):
            return DateComparison("undecided", "ambiguous")
        return DateComparison("date_differs", "ambiguous")
    return _compare_certain(said, held)


def _date_readings(mention: AnyDate) -> tuple[DateMention, ...]:
    return mention.readings if isinstance(mention, AmbiguousDate) else (mention,)


def _compare_certain(said: DateMention, held: DateMention) -> DateComparison:
    parts = [
        ("year", said.year, held.year), ("month", said.month, held.month), ("day", said.day, held.day),
        ("time", said.time, held.time),
    ]  # fmt: skip
    for name, one, other in parts:
        if one is not None and other is not None and one != other:
            return DateComparison("date_differs", name)
    for name, one, other in parts:
        if one is not None and other is None:
            return DateComparison("finer", name)
    coarser = [name for name, one, other in parts if one is None and other is not None]
    return DateComparison("coarser", coarser[0]) if coarser else DateComparison("same")
