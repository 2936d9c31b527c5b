"""Objects of a record that hold one quantity in several members: an operator, a tolerance, two ends of a range.

A number beside an operator that we do not know states nothing exactly, and then nothing is read from it.
"""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from veracord.grounding.names import name_of
from veracord.language.quantities import Quantity
from veracord.records.values import JsonValue

_OPERATORS: Final = {
    "<": "<", "lt": "<", "lessthan": "<", "below": "<", "≤": "<=", "<=": "<=", "le": "<=", "lte": "<=", "atmost": "<=",
    "max": "<=", "maximum": "<=", "upto": "<=", ">": ">", "gt": ">", "morethan": ">", "greaterthan": ">", "above": ">",
    "≥": ">=", ">=": ">=", "ge": ">=", "gte": ">=", "atleast": ">=", "min": ">=", "minimum": ">=", "~": "~", "≈": "~",
    "approx": "~", "approximately": "~", "ca": "~", "about": "~", "=": "", "==": "", "eq": "", "equals": "",
    "equal": "", "exact": "", "exactly": "",
}  # fmt: skip
_OPERATOR_MEMBERS: Final = frozenset("operator comparator qualifier comparison relation bound limittype sign".split())
_TOLERANCES: Final = frozenset({"tolerance", "plusminus", "uncertainty"})
_ENDS: Final = (("lower", "upper"), ("min", "max"), ("minimum", "maximum"), ("low", "high"), ("from", "to"))
_CENTRES: Final = frozenset({"value", "amount"})
#: Members whose numbers all have the unit that stands beside them.
_ROLES: Final = frozenset(
    "value amount lower upper min max minimum maximum low high from to nominal typical mean average tolerance plusminus"
    " uncertainty rated measured target initial remaining".split()
)
UNKNOWN: Final = "?"


def bound_of(parent: Mapping[str, JsonValue], member: str) -> str:
    """Return what limits a number of an object: "<", "±0.2", "?" where nobody can tell, or nothing."""
    if name_of(member).squashed not in _CENTRES:
        return ""
    for other, value in parent.items():
        name = name_of(other).squashed
        if name in _OPERATOR_MEMBERS and isinstance(value, str):
            return _OPERATORS.get("".join(value.split()).replace("_", "").casefold(), UNKNOWN)
        if name in _TOLERANCES and value is not None:
            is_number = isinstance(value, (int, Decimal)) and not isinstance(value, bool)
            return f"±{value}" if is_number else UNKNOWN
    return ""


def range_of(parent: Mapping[str, JsonValue]) -> tuple[Decimal, Decimal] | None:
    """Return the two ends of a range that an object is, or None."""
    numbers = {
        name_of(member).squashed: Decimal(value)
        for member, value in parent.items()
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool)
    }
    for low, high in _ENDS:
        if set(numbers) == {low, high} and numbers[low] <= numbers[high]:
            return numbers[low], numbers[high]
    return None


def share_unit(parent: Mapping[str, JsonValue]) -> bool:
    """Whether all numbers of an object have the one unit that it names."""
    numbers = [
        name_of(member).squashed
        for member, value in parent.items()
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool)
    ]
    return len(numbers) > 1 and all(name in _ROLES for name in numbers)


def limited(quantity: Quantity, bound: str) -> Quantity | None:
    """Return an exact quantity with its limit; None where the limit is unknown."""
    value = quantity.value
    if not bound or value is None:
        return quantity
    if bound in ("<", "<="):
        return replace(quantity, low=None, high_strict=bound == "<")
    if bound in (">", ">="):
        return replace(quantity, high=None, low_strict=bound == ">")
    if bound == "~":
        return replace(quantity, approximate=True)
    if bound[0] == "±":
        tolerance = abs(Decimal(bound[1:]))
        return replace(quantity, low=value - tolerance, high=value + tolerance, tolerance=tolerance)
    return None
