"""Texts of validators, made safe to pass on: bounded, without control characters and halves of characters.

The characters that are replaced are listed by number: the tables of Unicode change between versions of
Python, and what is sent to a model must not.
"""

import re
from typing import Final

#: The longest text of a defect, in characters.
MAX_TEXT: Final = 300

_MAX_NAME: Final = 64

#: C0 and C1 controls, marks that change the direction of text, line and paragraph separators, the byte order
#: mark, and surrogates.
_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_.:-]")


def clean(text: str, limit: int = MAX_TEXT) -> str:
    """Return a text of at most `limit` characters with U+FFFD for each unsafe one; "…" ends one that was cut."""
    short = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return _UNSAFE.sub("\ufffd", short)


def clean_name(text: str) -> str:
    """Return a code as letters, digits, ``_``, ``.``, ``:`` and ``-``, at most 64; other characters become ``_``."""
    return _NO_NAME.sub("_", text[:_MAX_NAME])
