"""Texts that stand where a value should, and say that there is none: "n/a", "TBD", "keine Angabe", "see annex"."""

from functools import cache
from typing import Final

from veracord.answers.vocabulary import vocabulary
from veracord.language.tokens import fold

_OPEN: Final = "..."
#: "TBD-1" may be a name, "desconocido" is what "desconocid" begins.
_SHORT: Final = 6
_MARKS: Final = " \t\r\n.,;:!?()<>{}\"'*_-"


def says_nothing(value: str) -> bool:
    """Whether a text is no value: empty, marks alone, or one of the usual words for nothing."""
    form = " ".join(fold(value).split())
    if not any(char.isalnum() for char in form):
        return True
    plain = form.strip(_MARKS)
    whole, beginnings = _lists()
    return plain in whole or any(_begins(plain, beginning) for beginning in beginnings)


def _begins(form: str, beginning: str) -> bool:
    """Whether a text begins so, at the end of a word; a long beginning may be that of an inflected word."""
    after = form[len(beginning) : len(beginning) + 1]
    is_border = beginning.endswith(" ") or len(beginning) > _SHORT or not after.isalnum()
    return form.startswith(beginning) and is_border


@cache
def _lists() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the texts that are nothing as a whole, and those with which one begins."""
    folded = [fold(text) for text in vocabulary().nothing]
    whole = frozenset(text.strip(_MARKS) for text in folded)
    return whole, tuple(text.removesuffix(_OPEN) for text in folded if text.endswith(_OPEN))
