"""A pronoun at the beginning of a claim, and the subject of the sentence before that it stands for."""

import re
from typing import Final

_PRONOUN: Final = re.compile(r"\s*(?:it|es|they|sie|this|dies)(?= )", re.IGNORECASE)
_SUBJECT: Final = re.compile(
    r"\s*((?:[\w\-/&.]+ ){1,8}?)(?:is|are|was|were|has|have|weighs?|contains?|consists?|uses?|costs?|ist|sind"
    r"|war|hat|haben|wiegt|enthält"
    r"|besteht|kostet)\b",
    re.IGNORECASE,
)


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
