"""The words of a violation: the rule and the allowed values, never the offending one."""

from collections.abc import Callable
from typing import Any, Final

from veracord.records.values import JsonValue, canonical

_MOST_OPTIONS: Final = 20
_LONGEST_OPTION: Final = 80

_PLAIN: Final = {
    "additionalItems": "holds more items than the schema allows",
    "additionalProperties": "is not a member that the schema allows here",
    "contains": "must contain an item of the kind that the schema asks for",
    "dependencies": "is required because of another member",
    "dependentRequired": "is required because of another member",
    "false": "must be absent",
    "not": "must not be what the schema excludes",
    "propertyNames": "has a name that the schema does not allow",
    "required": "is required",
    "unevaluatedItems": "holds items that the schema does not allow",
    "unevaluatedProperties": "is not a member that the schema allows here",
    "uniqueItems": "must not hold the same item twice",
}

_LIMITED: Final = {
    "exclusiveMaximum": "must be less than {}",
    "exclusiveMinimum": "must be greater than {}",
    "maxItems": "must have at most {} items",
    "maxLength": "must have at most {} characters",
    "maxProperties": "must have at most {} members",
    "maximum": "must be at most {}",
    "minItems": "must have at least {} items",
    "minLength": "must have at least {} characters",
    "minProperties": "must have at least {} members",
    "minimum": "must be at least {}",
}


def message_of(rule: str, kind: Any) -> str:  # noqa: ANN401 - the library's kinds share no public base
    """Return the message of one violated keyword.

    Args:
        rule: The keyword.
        kind: The validator's description of what it asks for.
    """
    if rule in _PLAIN:
        return _PLAIN[rule]
    if rule in _LIMITED:
        return _LIMITED[rule].format(_shown(kind.limit))
    say = _SPECIFIC.get(rule)
    return say(kind) if say else f"breaks the rule {rule}"


def message_of_branches(rule: str, *, several_hold: bool, branches: list[list[tuple[str, str]]]) -> str:
    """Return the message of a violated ``oneOf`` or ``anyOf``.

    Args:
        rule: The keyword.
        several_hold: Whether more than one branch holds where only one may.
        branches: For each branch what it lacks, as (pointer, keyword).
    """
    if several_hold:
        return f"must match exactly one of {len(branches)} alternatives, and matches several"
    told = "; ".join(f"{number}: {_branch(branch)}" for number, branch in enumerate(branches[:_MOST_OPTIONS], 1))
    count = "exactly one" if rule == "oneOf" else "at least one"
    return f"must match {count} of {len(branches)} alternatives ({told})"


def _branch(lacks: list[tuple[str, str]]) -> str:
    return ", ".join(sorted({f"{word} at {path or 'the record'}" for path, word in lacks}))


def _list(options: list[JsonValue]) -> str:
    shown = [_shown(option) for option in options[:_MOST_OPTIONS]]
    if len(options) > _MOST_OPTIONS:
        shown.append(f"and {len(options) - _MOST_OPTIONS} more")
    return ", ".join(shown)


def _shown(value: JsonValue | float) -> str:
    if isinstance(value, float):
        return repr(value)
    return _cut(canonical(value).decode())


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_OPTION else f"{text[: _LONGEST_OPTION - 1]}…"


_SPECIFIC: Final[dict[str, Callable[[Any], str]]] = {
    "type": lambda kind: f"must be {' or '.join(kind.types)}",
    "enum": lambda kind: f"must be one of {_list(kind.options)}",
    "const": lambda kind: f"must be {_shown(kind.expected_value)}",
    "format": lambda kind: f"must have the format {kind.format}",
    "pattern": lambda kind: f"must match the pattern {_cut(kind.pattern)}",
    "multipleOf": lambda kind: f"must be a multiple of {_shown(kind.multiple_of)}",
}
