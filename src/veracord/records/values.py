"""JSON values: exact equality, leaves, the canonical form and digests.

Numbers are ``int`` and ``Decimal`` and compare by exact mathematical value; ``true`` is never 1.
"""

import hashlib
import re
from collections.abc import Iterator
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact, InvalidOperation
from enum import Enum
from typing import Final, TypeAlias, TypeGuard, Union

import msgspec

JsonValue: TypeAlias = Union["dict[str, JsonValue]", "list[JsonValue]", str, int, Decimal, bool, None]
JsonObject: TypeAlias = dict[str, JsonValue]
Number: TypeAlias = int | Decimal


class Missing(Enum):
    """The type of `MISSING`: a place where nothing stands (null is something)."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING

#: Arithmetic without rounding; a result that would need it raises.
EXACT: Final = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact, InvalidOperation])

#: A whole number of more digits, which can only be a Decimal, is written with an exponent in the canonical form.
_PLAIN_DIGITS: Final = 4_300

_CANONICAL: Final = msgspec.json.Encoder(decimal_format="number", order="deterministic")
_TRAILING_ZERO: Final = re.compile(rb"\.[0-9]*0(?:[,\]}]|\Z)")
_EXPONENT: Final = re.compile(rb"E[+-]?[0-9]")
_MINUS_ZERO: Final = re.compile(rb"-0(?:[,\]}]|\Z)")


def is_number(value: object) -> TypeGuard[Number]:
    """Whether a value is a JSON number (a boolean is none)."""
    kind = type(value)
    return kind is int or kind is Decimal


def is_scalar(value: object) -> bool:
    """Whether a value is neither an object nor an array."""
    return type(value) is not dict and type(value) is not list


def equal(a: object, b: object) -> bool:
    """Whether two JSON values are equal: numbers by value, strings by code point, objects without order."""
    if a is b:
        return True
    if type(a) is not type(b):
        return is_number(a) and is_number(b) and a == b
    if isinstance(a, dict) and isinstance(b, dict):
        return len(a) == len(b) and all(name in b and equal(item, b[name]) for name, item in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


def holds_objects(value: JsonValue | Missing) -> bool:
    """Whether a value is an array with an object in it, at any depth of arrays."""
    return type(value) is list and any(
        type(item) is dict or (type(item) is list and holds_objects(item)) for item in value
    )


def is_leaf(value: JsonValue) -> bool:
    """Whether a value is one leaf: a scalar, an array without objects in it, or an empty container."""
    if type(value) is dict:
        return not value
    return type(value) is not list or not holds_objects(value)


def leaves(value: JsonValue, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    """Yield (tokens, value) of every leaf, in the order of the value."""
    if is_leaf(value):
        yield at, value
    elif type(value) is dict:
        for key, item in value.items():
            yield from leaves(item, (*at, key))
    elif type(value) is list:
        for index, item in enumerate(value):
            yield from leaves(item, (*at, str(index)))


def is_empty(value: JsonValue) -> bool:
    """Whether a value says nothing by itself: null, "", [] or {}."""
    return value is None or (type(value) in (str, list, dict) and not value)


def copy(value: JsonValue) -> JsonValue:
    """Return a copy that shares no container with the value."""
    if type(value) is dict:
        return {key: copy(item) if type(item) in (dict, list) else item for key, item in value.items()}
    if type(value) is list:
        return [copy(item) if type(item) in (dict, list) else item for item in value]
    return value


def canonical(value: JsonValue) -> bytes:
    """Return the canonical form: UTF-8, members by code point, no blanks, exact normalised numbers.

    Equal values (see `equal`) give equal bytes.  Not RFC 8785, whose numbers are doubles.
    """
    data = _CANONICAL.encode(value)
    # Nearly all values hold normal numbers only; the others are seen in the text, which costs far less than a walk.
    if _TRAILING_ZERO.search(data) or _EXPONENT.search(data) or _MINUS_ZERO.search(data):
        return _CANONICAL.encode(_normalise(value))
    return data


def digest(data: bytes) -> str:
    """Return ``sha256:<hex>`` of bytes."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _normalise(value: JsonValue) -> JsonValue:
    if type(value) is dict:
        return {name: _normalise(item) for name, item in value.items()}
    if type(value) is list:
        return [_normalise(item) for item in value]
    return _normalise_number(value) if type(value) is Decimal else value


def _normalise_number(number: Decimal) -> Number:
    if not number:
        return 0
    exact = number.normalize(EXACT)
    if exact.as_tuple().exponent >= 0 and exact.adjusted() < _PLAIN_DIGITS:  # type: ignore[operator]  # it is finite
        return int(exact)
    return exact
