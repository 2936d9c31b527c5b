"""How many things a list names: only where each of its entries is the plain name of one, and no two are alike.

"P-1 has two suppliers" does not follow of ["A AG", "n/a"], of ["A AG", "B AG (former)"], nor of ["A AG", "B AG, C AG"].
"""

import re
from collections.abc import Sequence
from typing import Final

from veracord.grounding.bracketed import has_open_remark, without_remarks
from veracord.grounding.part_values import is_limited
from veracord.grounding.placeholders import names_nobody
from veracord.language.tokens import fold

#: Marks of several in one text, and of what is not said for sure.
_SEVERAL: Final = re.compile(r"[;,/&|+\n?*~<>=\[\]]|\.\.\.|…|\s{2,}(?=\S)|\s[-–—]\s|:\s|\bu\. ?a\.")
#: Words of entries that stand for others, join several, or say that one is none, is no more, or is not yet.
_OPEN: Final = frozenset(
    "and or und oder et y e o as more other others etc further additional various several remaining rest including"
    " incl excluding except without with through via al usw weitere weiterer andere sonstige mehr former formerly ex"
    " previous previously nominated nominee candidate planned proposed pending rejected withdrawn cancelled canceled"
    " declined denied disputed alleged unconfirmed expired terminated ended inactive closed deleted removed revoked"
    " obsolete deprecated superseded discontinued suspended until since bis seit ehemals ehemalige ehemaliger optional"
    " only partly possibly probably maybe perhaps test dummy example sample draft tbd tba tbc see siehe".split()
)
#: A number, or an office, in front of a name.
_LEADING: Final = re.compile(
    r"(?:\d{1,2}[.)]|(?:mayor|chair(?:man|woman|person)?|president|secretary|treasurer|director|ceo|cfo|head):) +",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W_]+")
_LONGEST: Final = 120


def count_of_names(values: Sequence[str], *, is_dated: bool = False) -> int:
    """Return how many things a list of texts names, or 0 where that is not plain.

    Args:
        is_dated: Whether a year in brackets says only when it was: "Blue Star (1995)" of an award.
    """
    names = [_name_in(value, is_dated=is_dated) for value in values]
    return len(names) if all(names) and len(set(names)) == len(names) else 0


def _name_in(value: str, *, is_dated: bool) -> str:
    """Return the name that a text is of one thing, folded, or nothing where anything may limit it."""
    if is_limited(value) or has_open_remark(value, is_dated=is_dated):
        return ""
    bare = without_remarks(value).strip(" ,;")
    leading = _LEADING.match(bare)
    bare = fold(bare if leading is None else bare[leading.end() :])
    if len(bare) > _LONGEST or names_nobody(bare) or _SEVERAL.search(bare) is not None:
        return ""
    return "" if _OPEN.intersection(_WORD.findall(bare)) else bare
