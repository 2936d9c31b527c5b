"""Text from outside made safe to look at: no character of it can steer a terminal."""

import re
from typing import Final

#: What JSON text may hold between its values; everything else that is not printable is escaped.
_JSON_BLANKS: Final = frozenset("\n\t")

_NOT_ASCII: Final = re.compile(r"[^\n -~]+")


def visible(text: str) -> str:
    """Return text in which control, format and bidirectional characters are written as escapes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def shortened(text: str, limit: int) -> str:
    """Return text of at most `limit` characters; what was cut is told by its length."""
    if len(text) <= limit:
        return text
    mark = f"… ({len(text)} characters)"
    return text[: max(limit - len(mark), 1)] + mark


def json_for_terminal(data: bytes) -> bytes:
    """Return the same JSON with everything that is not printable escaped, safe to show."""
    text = data.decode(errors="replace").replace("\r", "")
    return _NOT_ASCII.sub(_escape_json, text).encode()


def _escape_json(match: re.Match[str]) -> str:
    return "".join(char if char.isprintable() or char in _JSON_BLANKS else _json_escape(char) for char in match[0])


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - end of the BMP
