"""Records that come as Python objects: copied, checked, and their floats made exact."""

from decimal import Decimal
from typing import Any, Final

from veracord.errors import InputError
from veracord.records.reading import MAX_DEPTH, MAX_EXPONENT, MAX_INTEGER_DIGITS
from veracord.records.values import JsonValue

_TOO_LONG: Final = 10**MAX_INTEGER_DIGITS


def from_python(value: object, *, where: str = "", max_levels: int = MAX_DEPTH) -> JsonValue:
    """Return a JSON value made of Python objects as our own copy.

    Args:
        value: dict with string keys, list, tuple, str, int, float, Decimal, bool or None.  A float stands for
            the decimal that it is printed as.
        where: What errors call the place.
        max_levels: The deepest nesting.

    Raises:
        InputError: Another type, NaN, infinity, a lone surrogate, more than 128 levels, or a number beyond the
            limits of the strict reader.
    """
    try:
        return _from_python(value, max_levels)
    except _Refused as refused:
        code, what = refused.args
        raise InputError(what, where=where, remedy="give plain JSON values", code=code) from None


class _Refused(Exception):  # noqa: N818 - it never leaves this module
    """Why a Python object is no JSON value."""


def _from_python(value: Any, levels: int) -> JsonValue:  # noqa: ANN401 - any object may come
    kind = type(value)
    if kind is dict:
        if not levels:
            raise _Refused("too_deep", f"the record has more than {MAX_DEPTH} levels")
        _check_names(value)
        levels -= 1
        # The commonest kind is handled in line: a call for every text would double the cost of a record.
        return {
            name: item if type(item) is str and item.isascii() else _from_python(item, levels)
            for name, item in value.items()
        }
    if kind is list or kind is tuple:
        if not levels:
            raise _Refused("too_deep", f"the record has more than {MAX_DEPTH} levels")
        levels -= 1
        return [item if type(item) is str and item.isascii() else _from_python(item, levels) for item in value]
    if kind is str:
        return _checked_text(value)
    if value is None or value is True or value is False:
        return value
    return _checked_number(value)


def _checked_number(value: object) -> int | Decimal:
    if type(value) is int:
        if abs(value) >= _TOO_LONG:
            raise _Refused("number_too_large", f"a whole number has more than {MAX_INTEGER_DIGITS} digits")
        return value
    number = Decimal(repr(value)) if type(value) is float else value
    if type(number) is not Decimal:
        raise _Refused("not_json", f"a value of type {type(value).__name__} is not JSON")
    if not number.is_finite():
        raise _Refused("not_json", "NaN and infinity are not JSON")
    if abs(int(number.as_tuple().exponent)) > MAX_EXPONENT:
        raise _Refused("number_too_large", f"a number has an exponent beyond {MAX_EXPONENT}")
    return number


def _checked_text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _Refused("lone_surrogate", "a string holds half a surrogate pair") from None
    return text


def _check_names(members: dict[str, object]) -> None:
    try:
        if all(map(str.isascii, members)):
            return
    except TypeError:
        raise _Refused("not_json", "the name of a member is no string") from None
    for name in members:
        _checked_text(name)
