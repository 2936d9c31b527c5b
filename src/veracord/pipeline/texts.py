"""Texts of validators, made safe to pass on: bounded, without control characters and halves of characters.

The characters that are replaced are listed by number: the tables of Unicode change between versions of
Python, and what is sent to a model must not.
"""

import re
from typing import Final

#: The longest text of a defect, in characters.
MAX_TEXT: Final = 300

_MAX_NAME: Final = 64

#: C0 and C1 controls, marks that change the direction of text, line and paragraph separators, characters that are
#: never seen (but for the two joiners, which scripts need), the byte order mark, tags, and surrogates.
_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_.:-]")


def clean(text: str, limit: int = MAX_TEXT) -> str:
    """Return a text of at most `limit` characters with U+FFFD for each unsafe one; "…" ends one that was cut."""
    short = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return _UNSAFE.sub("\ufffd", short)


def clean_name(text: str) -> str:
    """Return a code as letters, digits, ``_``, ``.``, ``:`` and ``-``, at most 64; other characters become ``_``."""
    return _NO_NAME.sub("_", text[:_MAX_NAME])
