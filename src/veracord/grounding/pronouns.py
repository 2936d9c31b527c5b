"""A pronoun at the beginning of a claim, and the subject of the sentence before that it stands for."""

import re
from typing import Final

_PRONOUN: Final = re.compile(r"\s*(?:it|es|they|sie|this|dies)(?= )", re.IGNORECASE)
#: A word that leaves to what stands before it what a claim is about.
_LEANING: Final = re.compile(
    r"^\W*(?:it|they|this|these|that|those|es|er|sie|dies\w*)\b|\b(?:its|their|seine?[rsmn]?|ihre?[rsmn]?|deren|dessen)\b",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“„«][^\"”“»]*[\"”“»]")
_SUBJECT: Final = re.compile(
    r"\s*((?:[\w\-/&.]+ ){1,8}?)(?:is|are|was|were|has|have|weighs?|contains?|consists?|uses?|costs?|ist|sind"
    r"|war|hat|haben|wiegt|enthält"
    r"|besteht|kostet)\b",
    re.IGNORECASE,
)


def leans_back(text: str) -> bool:
    """Whether a claim leaves to what stands before it what it is about: "Its colour is red"."""
    return _LEANING.search(_QUOTED.sub(" ", text)) is not None


def with_subject(text: str, before: str) -> str:
    """Return a claim that begins with a pronoun with the subject of the sentence before in its place.

    Where that sentence has no subject that can be told, the claim is returned as it is.
    """
    if not before:
        return text
    pronoun = _PRONOUN.match(text)
    subject = _SUBJECT.match(before) if pronoun else None
    if pronoun is None or subject is None or _PRONOUN.match(before):
        return text
    return f"{subject[1]}{text[pronoun.end() :].lstrip()}"
