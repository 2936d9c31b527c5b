"""Tokens of a text, each with the characters that it stands for.

The rule: a token is never normalised, only `fold` is, and letters of different scripts stay different.
"""

import re
import unicodedata
from typing import Final, Literal, NamedTuple

Span = tuple[int, int]
TokenKind = Literal["word", "number", "symbol", "punctuation"]

#: Marks that combine with the letter before them belong to the word.
_MARKS: Final = "\u0300-\u036f"
_TOKEN: Final = re.compile(
    # Before words: a sign such as ½ counts as alphanumeric.
    r"(?P<symbol>[%‰°€$£¥₹+<>=≥≤≧≦±~≈×·/^|−½¼¾⅓⅔⅛⅜⅝⅞⅕⅖⅗⅘⅙⅚])"
    rf"|(?P<word>(?:[A-Za-z]+|[^\W\d_])[\w{_MARKS}]*(?:['’][^\W\d_][\w{_MARKS}]*)*)"
    r"|(?P<number>[0-9]+(?:[.,][0-9]+)*)"
    r"|(?P<punctuation>\S)"
)
#: Greek letters and signs that units use among Latin letters.
_UNIT_LETTERS: Final = frozenset("µμΩΩ")
_GREEK: Final = range(0x370, 0x400)
_CYRILLIC: Final = range(0x400, 0x530)
_LAST_LATIN: Final = 0x24F


class Token(NamedTuple):
    """A piece of text: `text[span[0]:span[1]]` of the text that was read."""

    text: str
    span: Span
    kind: TokenKind


def tokens_of(text: str) -> list[Token]:
    """Split a text into tokens, in order; only white space lies between them."""
    # Straight to the tuple: half the time of the whole.
    make = tuple.__new__
    return [make(Token, (m.group(), m.span(), m.lastgroup)) for m in _TOKEN.finditer(text)]


def fold(word: str) -> str:
    """Return the form in which two spellings of a word meet: NFKC and case folded; scripts stay apart."""
    return word.lower() if word.isascii() else unicodedata.normalize("NFKC", word).casefold()


def mixed_scripts(word: str) -> bool:
    """Tell whether a word mixes Latin, Greek and Cyrillic letters; the Greek letters of units do not count."""
    if word.isascii():
        return False
    return len({_script(c) for c in word if c.isalpha() and c not in _UNIT_LETTERS} - {"other"}) > 1


def _script(letter: str) -> str:
    code = ord(letter)
    if code <= _LAST_LATIN:
        return "latin"
    if code in _GREEK:
        return "greek"
    return "cyrillic" if code in _CYRILLIC else "other"
