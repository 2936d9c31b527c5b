"""Names that end like a sentence, and are none: "Hop, Hop!", "Acme Bros.".

A record may call a thing by a sentence ("Soap. It is safe."), and an answer could then say it in passing, without
evidence.  So a name has capital letters at each of its words, no verb and nothing that turns or limits, and a mark
inside stands behind a single word.
"""

import re
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.language.tokens import fold

#: A longer one is a text.
LONGEST_MARKED: Final = 80
_NAME: Final = re.compile(r"[A-Z0-9][\w'’-]*(?:(?:[!,] |[ .])[\w'’-]+){0,8}[.!]")
_WORD: Final = re.compile(r"[^\W_]+")
_SMALL: Final = frozenset("of the and a an in to for on with by at de la und der die das von".split())
_SAYING: Final = frozenset(
    "contain have includ us use do make weigh meet exceed pass fail conform compli cost need requir support".split()
)


def is_marked_name(text: str) -> bool:
    """Whether a text with a mark at its end is a name and cannot be read as a sentence."""
    if len(text) > LONGEST_MARKED or _NAME.fullmatch(text) is None:
        return False
    inside = text[:-1]
    if "!" in inside and any(" " in piece.strip() for piece in inside.replace(",", "!").split("!")):
        return False
    words = _WORD.findall(text)
    told = [classify_word(fold(word)) for word in words]
    is_titled = all(word[0].isupper() or word[0].isdigit() or word in _SMALL for word in words)
    return is_titled and all(kind not in ("copula", "cue", "pronoun") and key not in _SAYING for kind, key in told)
