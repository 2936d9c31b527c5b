"""Where a page of a list ended, as a text that a caller brings back; it names the last row and not a number of rows.

So that what is decided meanwhile moves nothing: no row is passed over, and none comes twice.
"""

import base64
import binascii
from collections.abc import Sequence
from typing import Final

from veracord.errors import InputError
from veracord.records.reading import read_value
from veracord.records.values import canonical

_MOST: Final = 4_096


def write_cursor(kind: str, parts: Sequence[str | int]) -> str:
    """Return the text of a place behind a row.

    Args:
        kind: The list that it is of.
        parts: What the list is ordered by, of that row.
    """
    return base64.urlsafe_b64encode(canonical([kind, *parts])).rstrip(b"=").decode()


def read_cursor(kind: str, text: str, types: Sequence[type]) -> list[str | int]:
    """Return the parts of a place.

    Raises:
        InputError: ``invalid_cursor``: it is none of this list.
    """
    parts = _parts(text)
    if parts is None or len(parts) != len(types) + 1 or parts[0] != kind:
        raise _refused()
    found: list[str | int] = []
    for part, wanted in zip(parts[1:], types, strict=True):
        if type(part) is not wanted or (wanted is str and not _is_storable(str(part))):
            raise _refused()
        found.append(part)  # type: ignore[arg-type]  # of a type that was asked for
    return found


def _parts(text: str) -> list[object] | None:
    if len(text) > _MOST or not text.isascii():
        return None
    try:
        data = base64.b64decode(text.encode() + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        value: object = read_value(data)
    except (binascii.Error, InputError):
        return None
    return value if type(value) is list else None


def _is_storable(text: str) -> bool:
    """Whether every database takes a text."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _refused() -> InputError:
    return InputError("this is no place in this list", remedy="begin at the first page", code="invalid_cursor")
