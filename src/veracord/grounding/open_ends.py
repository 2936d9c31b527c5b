"""Words of a value that make of its number or date one end of something: "from 100 kg", "by 2019", "3 May onwards".

What begins or ends there may lie anywhere behind or before it, so such a text tells no exact value.
"""

import re
from typing import Final

_BEFORE: Final = (
    r"from|by|to|till|through|between|zwischen|range of|ranging|starting|beginning"
    r"|effective|up to|upto|prior to|as of|towards?|pending|at the latest|at the earliest"
    r"|not later|earliest|latest|von|ab|bis|seit|spätestens|frühestens|längstens|stand"
)
_BEHIND: Final = (
    r"onwards?|upwards?|and up|and later|and earlier|forward|or later|or earlier|at the latest|at the earliest|ff?\."
)
_OPEN: Final = re.compile(
    rf"^\W*(?:as )?(?:{_BEFORE})\b[^\d]{{0,60}}\d"
    rf"|\b(?:{_BEFORE})[\s:]+(?:the |about |ca\. ?)?(?:[A-Z]{{3}} ?|[€$£¥] ?)?"
    r"(?:[-−]?\d|(?:(?:early|mid|late|end of) )?"
    r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]{0,7}\b)"
    r"|\.\.|…"
    rf"|\d[^\d,;()]{{0,12}}[\s,](?:{_BEHIND})(?!\w)",
    re.IGNORECASE,
)


def has_open_end(value: str) -> bool:
    """Whether a text has a number or a date for one end only, or a period."""
    return _OPEN.search(value) is not None
