"""Texts that stand where a value should, and say that there is none: "n/a", "TBD", "keine Angabe", "see annex"."""

from functools import cache

from veracord.answers.vocabulary import vocabulary
from veracord.language.tokens import fold

_OPEN = "..."
_MARKS = " \t\r\n.,;:!?()<>{}\"'*_-"


def says_nothing(value: str) -> bool:
    """Whether a text is no value: empty, marks alone, or one of the usual words for nothing."""
    form = " ".join(fold(value).split())
    if not any(char.isalnum() for char in form):
        return True
    plain = form.strip(_MARKS)
    whole, beginnings = _lists()
    return plain in whole or plain.startswith(beginnings)


@cache
def _lists() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the texts that are nothing as a whole, and those with which one begins."""
    folded = [fold(text) for text in vocabulary().nothing]
    whole = frozenset(text.strip(_MARKS) for text in folded)
    return whole, tuple(text.removesuffix(_OPEN) for text in folded if text.endswith(_OPEN))
