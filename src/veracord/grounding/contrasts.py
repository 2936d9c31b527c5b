"""The first half of "is 5 kg, not 6 kg" and of "is not certified to IEC 62619 but to IEC 62133".

What stands behind says the same with another value, and the other way round; so the first half says all that it says.
Nothing else behind "not" or "but" is cut off: "is made of steel, but only the lid" stays whole.
"""

import re
from typing import Final

from veracord.gates.mentions import Mention, mentions_of
from veracord.language.locales import Locale

_NOT: Final = re.compile(r"(?:,|(?<![\s,]))\s+(?:and |und )?(?:not|nicht)\s+", re.IGNORECASE)
_BUT: Final = re.compile(r"(?:,|(?<![\s,]))\s+(?:but|sondern)\s+", re.IGNORECASE)
_DENIED: Final = re.compile(r"\b(?:not|nicht)\b", re.IGNORECASE)
_JOINTS: Final = frozenset(("", "to", "of", "on", "in", "with", "by", "nach", "mit", "von", "am", "aus", "zu"))
_LONGEST: Final = 400


def first_half_of(text: str, locale: Locale | None = None) -> str | None:
    """Return the half in front of a contrast of two values of one kind, or None."""
    if len(text) > _LONGEST:
        return None
    for contrast, is_denied in ((_BUT, True), (_NOT, False)):
        cuts = list(contrast.finditer(text))
        if len(cuts) != 1:
            continue
        head, tail = text[: cuts[0].start()], text[cuts[0].end() :].rstrip(" .!")
        if (len(_DENIED.findall(head)) == 1) is is_denied and _are_alike(head, tail, locale):
            return head
    return None


def _are_alike(head: str, tail: str, locale: Locale | None) -> bool:
    """Whether one half ends with a value, and the other is a value of its kind and nothing else."""
    one, two = mentions_of(head, locale), mentions_of(tail, locale)
    if not one or len(two) != 1 or head[one[-1].span[1] :].strip() or tail[two[0].span[1] :].strip():
        return False
    return tail[: two[0].span[0]].strip().casefold() in _JOINTS and _is_of_kind(one[-1], two[0])


def _is_of_kind(one: Mention, two: Mention) -> bool:
    return one.kind == two.kind and one.text != two.text
