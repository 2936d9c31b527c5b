"""Strict reading of JSON: what is not exactly one clear value is refused, with line and column.

Refused: duplicate keys, NaN and Infinity, lone surrogates, trailing text, comments, an encoding other
than UTF-8 (or UTF-16 with a byte order mark), more than 128 levels, more than 16 MiB (settable), an
exponent beyond ±100,000, an integer of more than 4,300 digits.  Every other number keeps all digits.

Source: RFC 8259, and records.md section 1 of the project's design.
"""

import codecs
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import jiter

from veracord.errors import InputError
from veracord.records.values import JsonObject, JsonValue, digest

MAX_BYTES: Final = 16 * 1024 * 1024
MAX_DEPTH: Final = 128
MAX_EXPONENT: Final = 100_000
MAX_INTEGER_DIGITS: Final = 4_300

#: Within this distance from 1, and in a text of this length, no exponent can be beyond the limit.
_PLAIN_MAGNITUDE: Final = 10_000
_PLAIN_LENGTH: Final = MAX_EXPONENT - _PLAIN_MAGNITUDE

# Possessive: a long text would otherwise cost a place to go back to for each of its characters.
_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|-?[0-9][0-9.]*(?:[eE]([+-]?[0-9]+))?', re.DOTALL)
_POSITION: Final = re.compile(r"^(.*) at line (\d+) column (\d+)$", re.DOTALL)

_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
    (codecs.BOM_UTF8, "UTF-8"),
)


@dataclass(frozen=True, slots=True)
class Document:
    """One record as it was read.

    Attributes:
        value: The record.
        data: Its text in UTF-8, without a byte order mark.
        digest: ``sha256:<hex>`` of the bytes that were received.
        where: The file, or file and line, that it came from.
    """

    value: JsonObject
    data: bytes
    digest: str
    where: str = ""


def read_record(data: bytes, *, where: str = "", max_bytes: int = MAX_BYTES, max_levels: int = MAX_DEPTH) -> Document:
    """Read one record: one JSON object.

    Args:
        data: The whole text.
        where: What errors call the place, such as a file name.
        max_bytes: The largest text that is read.
        max_levels: The deepest nesting that is read, at most 200; a result is deeper than its record.

    Raises:
        InputError: The text is no strict JSON, or no object.
    """
    value, text = read_text(data, where=where, max_bytes=max_bytes, max_levels=max_levels)
    if type(value) is not dict:
        raise InputError(
            "the text is not a JSON object", where=where, remedy="a record is one object", code="not_an_object"
        )
    return Document(value, text, digest(data), where)


def read_value(
    data: bytes, *, where: str = "", max_bytes: int = MAX_BYTES, max_levels: int = MAX_DEPTH, keeps_names: bool = True
) -> JsonValue:
    """Read one JSON value of any kind; see `read_text`.

    Raises:
        InputError: The text is no strict JSON.
    """
    return read_text(data, where=where, max_bytes=max_bytes, max_levels=max_levels, keeps_names=keeps_names)[0]


def read_text(
    data: bytes, *, where: str = "", max_bytes: int = MAX_BYTES, max_levels: int = MAX_DEPTH, keeps_names: bool = True
) -> tuple[JsonValue, bytes]:
    """Read one JSON value and return it with its text in UTF-8, without a byte order mark.

    Args:
        data: The whole text.
        where: What errors call the place.
        max_bytes: The largest text that is read.
        max_levels: The deepest nesting that is read, at most 200.
        keeps_names: Whether names of members may stay in a cache of the process, which makes reading many like
            texts faster.  What a model wrote must not.

    Raises:
        InputError: The text is no strict JSON.
    """
    if len(data) > max_bytes:
        raise InputError(
            f"the text is larger than {max_bytes} bytes",
            where=where,
            remedy="raise limits.max_record_bytes in veracord.toml if it is meant",
            code="too_large",
        )
    text = to_utf8(data, where)
    try:
        value = jiter.from_json(
            text,
            catch_duplicate_keys=True,
            float_mode="decimal",
            allow_inf_nan=False,
            cache_mode="keys" if keeps_names else "none",
        )
    except ValueError as error:
        raise _syntax_error(str(error), text, where, max_levels) from None
    _check_limits(value, text, where, max_levels)
    return value, text


def to_utf8(data: bytes, where: str = "") -> bytes:
    """Return text as UTF-8 without its byte order mark.

    Raises:
        InputError: Another encoding than UTF-8, or UTF-16 with a byte order mark; the one found is named.
    """
    mark, name = next((found for found in _MARKS if data.startswith(found[0])), (b"", "UTF-8"))
    if name == "UTF-32":
        raise _wrong_encoding("the text is UTF-32", _place(where, "byte 1"))
    text = data[len(mark) :] if name == "UTF-8" else data
    try:
        if name == "UTF-16":
            return data.decode("utf-16").encode()
        if not text.isascii():
            text.decode()
    except UnicodeDecodeError as error:
        raise _wrong_encoding(f"the text is not valid {name}", _place(where, f"byte {error.start + 1}")) from None
    return text


def check_levels(value: JsonValue, where: str = "", max_levels: int = MAX_DEPTH) -> None:
    """Make sure that a value that was part of another one is no deeper than one that stands alone.

    Raises:
        InputError: ``too_deep``.
    """
    level: list[Any] = [[value]]
    for _ in range(max_levels + 1):
        items = (item for node in level for item in (node.values() if type(node) is dict else node))
        level = [item for item in items if type(item) is dict or type(item) is list]
        if not level:
            return
    raise _too_deep(max_levels, where)


def _too_deep(max_levels: int, where: str) -> InputError:
    return InputError(f"the text has more than {max_levels} levels", where=where, remedy="flatten it", code="too_deep")


def _check_limits(value: JsonValue, text: bytes, where: str, max_levels: int) -> None:
    """Refuse what is too deep, or has an exponent beyond the limit."""
    may_have_large_exponent = len(text) > _PLAIN_LENGTH
    level: list[Any] = [[value]]
    for _ in range(max_levels + 1):
        below = []
        for node in level:
            for item in node.values() if type(node) is dict else node:
                kind = type(item)
                if kind is dict or kind is list:
                    below.append(item)
                elif kind is Decimal and abs(item.adjusted()) > _PLAIN_MAGNITUDE:
                    may_have_large_exponent = True
        if not below:
            break
        level = below
    else:
        raise _too_deep(max_levels, where)
    if may_have_large_exponent:
        _check_exponents(text, where)


def _check_exponents(text: bytes, where: str) -> None:
    for match in _TOKEN.finditer(text):
        # Zeros in front count for nothing, however many.
        exponent = match[1].lstrip(b"+-0") if match[1] else b""
        if exponent and (len(exponent) > MAX_INTEGER_DIGITS or int(exponent) > MAX_EXPONENT):
            raise InputError(
                _TOO_LARGE_EXPONENT,
                where=_place(where, _line_and_column(text, match.start())),
                remedy="write a number that can be meant",
                code="number_too_large",
            )


def _syntax_error(message: str, text: bytes, where: str, max_levels: int) -> InputError:
    """Turn the parser's message into ours; it may quote a key, so only its kind is kept."""
    found = _POSITION.match(message)
    place = _place(where, _reported_place(text, int(found[2]), int(found[3])) if found else "")
    lower = message.lower()
    if "recursion limit" in lower:
        return _too_deep(max_levels, place)
    for words, code, what, remedy in _KINDS:
        if words in lower:
            return InputError(what, where=place, remedy=remedy, code=code)
    return InputError("the text is not strict JSON", where=place, remedy="correct it there", code="invalid_json")


def _reported_place(text: bytes, line: int, column: int) -> str:
    """Return a place as the parser reports it; its column 0 is the end of the line before."""
    if column or line == 1:
        return f"line {line} column {max(column, 1)}"
    before = text.split(b"\n", line)[line - 2]
    return f"line {line - 1} column {len(before) + 1}"


_TOO_MANY_DIGITS: Final = f"a number has more than {MAX_INTEGER_DIGITS} digits before the point"
_TOO_LARGE_EXPONENT: Final = f"a number has an exponent beyond {MAX_EXPONENT}"
_KINDS: Final = (
    ("duplicate", "duplicate_key", "a name stands twice in one object", "keep one of them"),
    ("hex escape", "lone_surrogate", "a \\u escape is cut or is half a surrogate pair", "write the whole character"),
    ("surrogate", "lone_surrogate", "a string holds half a surrogate pair", "write the whole character"),
    ("number out of range", "number_too_large", _TOO_MANY_DIGITS, "write a number that can be meant"),
    ("invalidoperation", "number_too_large", _TOO_LARGE_EXPONENT, "write a number that can be meant"),
    ("trailing characters", "trailing_text", "there is text after the end of the value", "remove it"),
    ("eof while parsing", "invalid_json", "the text ends too early", "complete it"),
)


def _wrong_encoding(what: str, where: str) -> InputError:
    return InputError(what, where=where, remedy="save it as UTF-8", code="wrong_encoding")


def _line_and_column(text: bytes, at: int) -> str:
    line = text.count(b"\n", 0, at) + 1
    column = at - text.rfind(b"\n", 0, at)
    return f"line {line} column {column}"


def _place(where: str, detail: str) -> str:
    return f"{where} {detail}".strip()
