"""What is wrong with a record: one row per cause, at the place where it can be mended.

A missing or unknown member stands at its own pointer.  Where all branches of ``oneOf`` or ``anyOf`` but
one are ruled out by a type, constant or list at the object or a direct member, that branch's violations
stand at their own pointers; otherwise there is one row at the object.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice
from typing import Any, Final, NamedTuple

from veracord.records.locations import Locator
from veracord.records.messages import message_of, message_of_branches
from veracord.records.pointers import Tokens, join
from veracord.records.schemas import Schema
from veracord.records.values import JsonValue

_BRANCHES: Final = ("oneOf", "anyOf")
#: Errors that are told one by one where not all are needed.
_FIRST: Final = 500
_CHOOSING: Final = ("type", "const", "enum", *_BRANCHES)
_OF_MEMBERS: Final = ("propertyNames", "additionalProperties", "unevaluatedProperties")


class Violation(NamedTuple):
    """One row of a validation.

    Attributes:
        path: Pointer of the place.
        rule: The schema's keyword, or the kind of a profile's rule.
        message: The rule and the allowed values, never the offending value.
    """

    path: str
    rule: str
    message: str


class Shape(Enum):
    """What kind of thing a violation is about."""

    VALUE = "a value that is there"
    MISSING = "a member that is not there"
    UNKNOWN = "a member that must not be there"
    BRANCHES = "alternatives of which none fits"
    AMBIGUOUS = "alternatives of which several fit"
    RULE = "a rule of the profile over several values"


class Finding(NamedTuple):
    """A violation with what the planner needs to know of it.

    Attributes:
        violation: The row.
        tokens: Its place.
        shape: What it is about.
        trail: The validator's way to the keyword, from which the conditions on it are read.
        options: For `BRANCHES`: members that the branches miss.
        reads: Places whose values decide whether it applies (members that choose a branch; operands of a rule).
        needs_numbers: For `RULE`: whether it can be checked only where all operands are numbers.
    """

    violation: Violation
    tokens: Tokens
    shape: Shape = Shape.VALUE
    trail: tuple[str | int, ...] = ()
    options: tuple[Tokens, ...] = ()
    reads: tuple[Tokens, ...] = ()
    needs_numbers: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What makes two findings the same violation: (path, rule)."""
        return self.violation.path, self.violation.rule


def schema_findings(schema: Schema, record: JsonValue) -> list[Finding]:
    """Return what a schema finds wrong with a record, unsorted."""
    locator = Locator(schema, record)
    return [finding for error in schema.errors(record) for finding in _expand(error, locator, ())]


def first_findings(schema: Schema, record: JsonValue) -> tuple[list[Finding], int]:
    """Return the findings of the first errors of the validator, sorted, and how many errors there are besides.

    What is damaged everywhere would take minutes to tell in full.
    """
    locator = Locator(schema, record)
    errors = iter(schema.errors(record))
    found = [finding for error in islice(errors, _FIRST) for finding in _expand(error, locator, ())]
    return sort_findings(found), sum(1 for _ in errors)


def sort_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by path (code points), rule and message, each row once."""
    rows = {(f.violation.path, f.violation.rule, f.violation.message): f for f in findings}
    return [rows[key] for key in sorted(rows)]


def _expand(error: Any, locator: Locator, reads: tuple[Tokens, ...]) -> Iterator[Finding]:  # noqa: ANN401 - untyped library
    """Yield the findings of one error of the validator."""
    name = error.kind.name
    if name in _BRANCHES:
        yield from _expand_branches(error, locator, reads)
        return
    trail = tuple(error.evaluation_path)
    if name == "falseSchema" and trail and trail[-1] in _OF_MEMBERS:
        tokens = locator.locate_object(error)
        for member in locator.members(tokens):
            yield _finding((*tokens, member), str(trail[-1]), error.kind, Shape.UNKNOWN, trail, reads)
        return
    tokens = locator.locate(error)
    match name:
        case "required":
            rule = str(trail[-1])
            yield _finding((*tokens, error.kind.property), rule, error.kind, Shape.MISSING, trail, reads)
        case "additionalProperties" | "unevaluatedProperties":
            for member in error.kind.unexpected:
                yield _finding((*tokens, member), name, error.kind, Shape.UNKNOWN, trail, reads)
        case "propertyNames":
            member = error.kind.error.instance
            yield _finding((*tokens, member), name, error.kind, Shape.UNKNOWN, trail, reads)
        case "falseSchema":
            yield _finding(tokens, "false", error.kind, Shape.UNKNOWN, trail, reads)
        case _:
            yield _finding(tokens, name, error.kind, Shape.VALUE, trail, reads)


def _finding(
    tokens: Tokens,
    rule: str,
    kind: Any,  # noqa: ANN401 - untyped library
    shape: Shape,
    trail: tuple[str | int, ...],
    reads: tuple[Tokens, ...],
) -> Finding:
    violation = Violation(join(tokens), rule, message_of(rule, kind))
    return Finding(violation, tokens, shape, trail, reads=reads)


def _expand_branches(error: Any, locator: Locator, reads: tuple[Tokens, ...]) -> Iterator[Finding]:  # noqa: ANN401 - untyped library
    branches = error.kind.context
    several_hold = type(error.kind).__name__ == "OneOfMultipleValid"
    if not several_hold:
        depth = len(locator.locate(error))
        ruled_out = [_choosers(branch, depth, locator) for branch in branches]
        if ruled_out.count(None) == 1:
            chosen = branches[ruled_out.index(None)]
            choosers = {locator.locate(c) for found in ruled_out if found for c in found}
            for inner in chosen:
                yield from _expand(inner, locator, (*reads, *sorted(choosers)))
            return
    tokens = locator.locate(error)
    below = [list(_leaf_findings(branch, locator)) for branch in branches]
    message = message_of_branches(
        error.kind.name,
        several_hold=several_hold,
        branches=[[(f.violation.path, f.violation.rule) for f in branch] for branch in below],
    )
    options = {f.tokens for branch in below for f in branch if f.shape is Shape.MISSING}
    yield Finding(
        Violation(join(tokens), error.kind.name, message),
        tokens,
        Shape.AMBIGUOUS if several_hold else Shape.BRANCHES,
        tuple(error.evaluation_path),
        tuple(sorted(options)),
        reads,
    )


def _choosers(branch: list[Any], depth: int, locator: Locator) -> list[Any] | None:
    """Return the errors that rule a branch out: what kind of thing stands there is not the branch's."""
    found = [error for error in branch if _rules_out(error, depth, locator)]
    return found or None


def _rules_out(error: Any, depth: int, locator: Locator) -> bool:  # noqa: ANN401 - untyped library
    name = error.kind.name
    if name not in _CHOOSING:
        return False
    below = len(locator.locate(error)) - depth
    if name in _BRANCHES and below == 0 and type(error.kind).__name__ != "OneOfMultipleValid":
        return all(_choosers(branch, depth, locator) for branch in error.kind.context)
    return (name == "type" and below == 0) or (name in ("const", "enum") and below in (0, 1))


def _leaf_findings(branch: list[Any], locator: Locator) -> Iterator[Finding]:
    for error in branch:
        if error.kind.name in _BRANCHES:
            for inner in error.kind.context:
                yield from _leaf_findings(inner, locator)
        else:
            yield from _expand(error, locator, ())
