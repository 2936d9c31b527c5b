"""Rules of a profile over several values: sums, comparisons and uniqueness, in exact decimals.

``*`` in a pointer stands for every row of an array.  A rule is about one array (the one of its last ``*``)
or one object; where an outer ``*`` repeats it, it holds for each of them apart.
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeAlias

from veracord.records.pointers import STAR, Tokens, get, join
from veracord.records.values import EXACT, MISSING, JsonValue, Missing, Number, canonical, equal, is_number
from veracord.records.violations import Finding, Shape, Violation

OPERATORS: Final[dict[str, Callable[[Number, Number], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


_OF_ANY_KIND: Final = ("==", "!=")


@dataclass(frozen=True, slots=True)
class SumRule:
    """The sum of a member over the rows of an array lies within bounds.

    It is checked when the array has a row and every row has the member as a number.
    """

    over: Tokens
    minimum: Number | None = None
    maximum: Number | None = None

    def findings(self, record: JsonValue) -> Iterator[Finding]:
        """Yield one finding, at the array, for each array whose sum is out of bounds."""
        for array, rows, rest in rows_of(record, self.over):
            values = [value for value in (get(row, rest) for row in rows) if is_number(value)]
            if not values or len(values) < len(rows):
                continue
            total = Decimal(0)
            for value in values:
                total = EXACT.add(total, value)
            if (self.minimum is not None and total < self.minimum) or (
                self.maximum is not None and total > self.maximum
            ):
                operands = tuple((*array, str(index), *rest) for index in range(len(rows)))
                yield _finding(array, "sum", self._message(rest), operands, needs_numbers=True)

    def _message(self, rest: Tokens) -> str:
        member = join(rest) or "the items"
        bounds = [
            f"{word} {bound}"
            for word, bound in (("at least", self.minimum), ("at most", self.maximum))
            if bound is not None
        ]
        return f"the sum of {member} over all rows must be {' and '.join(bounds)}"


@dataclass(frozen=True, slots=True)
class CompareRule:
    """One value stands in a relation to another value of the record, or to a fixed number.

    It is checked when both are numbers; ``==`` and ``!=`` compare values of every kind.
    """

    left: Tokens
    operator: str
    right: Tokens | Number

    def findings(self, record: JsonValue) -> Iterator[Finding]:
        """Yield one finding, at the object that holds both, for each pair out of relation."""
        for row, left in bindings(record, self.left):
            right = bind(self.right, row) if isinstance(self.right, tuple) else self.right
            theirs = get(record, right) if isinstance(right, tuple) else right
            ours = get(record, left)
            if self._holds(ours, theirs):
                continue
            operands = (left, right) if isinstance(right, tuple) else (left,)
            at = _common(*operands) if len(operands) > 1 else left[:-1]
            needs_numbers = self.operator not in _OF_ANY_KIND
            yield _finding(at, "compare", self._message(), operands, needs_numbers=needs_numbers)

    def _holds(self, left: JsonValue | Missing, right: JsonValue | Missing) -> bool:
        if left is MISSING or right is MISSING:
            return True
        if is_number(left) and is_number(right):
            return OPERATORS[self.operator](left, right)
        if self.operator in _OF_ANY_KIND:
            return equal(left, right) is (self.operator == "==")
        return True

    def _message(self) -> str:
        right = join(self.right) if isinstance(self.right, tuple) else self.right
        return f"{join(self.left)} must be {self.operator} {right}"


@dataclass(frozen=True, slots=True)
class UniqueRule:
    """A member has a different value in every row of an array; rows without it do not count."""

    over: Tokens

    def findings(self, record: JsonValue) -> Iterator[Finding]:
        """Yield one finding, at the array, for each array in which a value repeats."""
        for array, rows, rest in rows_of(record, self.over):
            found = [(index, get(row, rest)) for index, row in enumerate(rows)]
            there = [(index, canonical(value)) for index, value in found if value is not MISSING]
            if len({text for _, text in there}) < len(there):
                message = f"{join(rest) or 'the items'} must differ from row to row"
                operands = tuple((*array, str(index), *rest) for index, _ in there)
                yield _finding(array, "unique", message, operands, needs_numbers=False)


Rule: TypeAlias = SumRule | CompareRule | UniqueRule


def rows_of(record: JsonValue, over: Tokens) -> Iterator[tuple[Tokens, list[JsonValue], Tokens]]:
    """Yield each array that a rule is about, its rows, and the place of the member in a row."""
    last = len(over) - 1 - over[::-1].index(STAR)
    for _, array in bindings(record, over[:last]):
        rows = get(record, array)
        if type(rows) is list:
            yield array, rows, over[last + 1 :]


def bindings(record: JsonValue, pattern: Tokens) -> Iterator[tuple[Tokens, Tokens]]:
    """Yield (row indexes, place) for every place that a pattern with stars stands for."""
    if STAR not in pattern:
        yield (), pattern
        return
    star = pattern.index(STAR)
    rows = get(record, pattern[:star])
    for index in range(len(rows)) if type(rows) is list else ():
        bound = (*pattern[:star], str(index), *pattern[star + 1 :])
        for inner, place in bindings(record, bound):
            yield (str(index), *inner), place


def bind(pattern: Tokens, row: Tokens) -> Tokens:
    """Return a pattern with its stars replaced, in order, by row indexes."""
    indexes = iter(row)
    return tuple(next(indexes, token) if token == STAR else token for token in pattern)


def _common(left: Tokens, right: Tokens) -> Tokens:
    shared = 0
    for a, b in zip(left[:-1], right[:-1], strict=False):
        if a != b:
            break
        shared += 1
    return left[:shared]


def _finding(at: Tokens, rule: str, message: str, operands: tuple[Tokens, ...], *, needs_numbers: bool) -> Finding:
    return Finding(Violation(join(at), rule, message), at, Shape.RULE, reads=operands, needs_numbers=needs_numbers)
