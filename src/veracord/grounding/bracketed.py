"""Remarks in brackets behind a value, and which of them say the same again and limit nothing.

"Ada Berg (rejected)" does not say that it was Ada Berg, and nobody can list all that may stand there.  So the list of
what may is closed: the same date or amount in another form, an age, a marriage, the letters that a name begins with,
the year of an award, a country behind a date, and how somebody is related.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from veracord.gates.mentions import Mention, mentions_of
from veracord.gates.statements import Name
from veracord.grounding.countries import found_country
from veracord.language.comparing import compare_dates
from veracord.language.dates import DateMention
from veracord.language.quantities import Quantity
from veracord.language.units import base_value, comparable

_BRACKETED: Final = re.compile(r"\(([^()]*)\)")
_LONGEST: Final = 400
_AGE: Final = re.compile(r"(?:age|aged)[\s\xa0]\d{1,3}")
#: How records write a marriage; what has ended is looked at where a marriage is told.
_MARRIAGE: Final = re.compile(r"(?:(?:m|div|sep|d|died|wid)\.? ?\d{4}(?: ?[-–] ?(?:\d{4}|present))?(?:; ?|$))+")
_KIN: Final = frozenset(
    "brother sister half-brother half-sister twin cousin father mother son daughter uncle aunt nephew niece wife"
    " husband".split()
)
#: Fields of what was given, or came out, in a year.
_DATED: Final = frozenset({"award", "medal", "prize", "honour", "honor", "releas", "release", "film", "publication"})
#: "1) Ada, 2) Bo" numbers, and closes nothing.
_NUMBERED: Final = re.compile(r"(?:^|[,;])\s{0,4}\d{1,2}\)")
_YEAR: Final = re.compile(r"[12]\d{3}")
#: What is given once, in a year.
_AWARD: Final = re.compile(r"\b(?:Medal|Award|Prize|Trophy)\s*$")
#: What a place behind a date is called at another time.
_NOW: Final = re.compile(r"(?:now|then) [^\W\d_][^\d()]{1,80}")
#: "km 2" is how tables write a raised 2.
_SQUARE: Final = re.compile(r"(?<=[a-z]) 2$")
_LETTERS: Final = re.compile(r"[A-Z]{2,8}")
_WORD: Final = re.compile(r"[^\W\d_]+")
#: How far two amounts may differ that are one, rounded.
_ROUNDING: Final = 20


@lru_cache(maxsize=4096)
def has_open_remark(value: str, whole: str = "", *, is_dated: bool = False) -> bool:
    """Whether a text has brackets with anything inside that may limit what stands in front of them.

    Args:
        whole: What the text is a piece of, where it is one.
        is_dated: Whether a year behind it says only when it was: an award, a release.
    """
    value = _NUMBERED.sub(" ", value)
    if "(" not in value and ")" not in value:
        return False
    outside = _BRACKETED.sub(" ", value)
    if len(value) > _LONGEST or "(" in outside or ")" in outside:
        return True
    around = _BRACKETED.sub(" ", whole or value)
    remarks = [(" ".join(match[1].split()), value[: match.start()]) for match in _BRACKETED.finditer(value)]
    return not all(
        (is_dated and _YEAR.fullmatch(remark)) or _says_the_same(remark, _BRACKETED.sub(" ", before), around)
        for remark, before in remarks
    )


def without_remarks(value: str) -> str:
    """Return a text without what stands in brackets."""
    return " ".join(_BRACKETED.sub(" ", value).split())


def tells_when(name: Name) -> bool:
    """Whether a year behind what a field of this name holds says only when that was."""
    return not _DATED.isdisjoint(name.stems)


def _says_the_same(remark: str, before: str, outside: str) -> bool:
    """Whether a remark adds nothing that limits what stands in front of it."""
    if _AGE.fullmatch(remark) or _MARRIAGE.fullmatch(remark) or remark in _KIN:
        return True
    if _LETTERS.fullmatch(remark):
        return _begins_words(remark, before)
    words = _WORD.findall(remark)
    if words and " ".join(words) == remark and {*words} <= {*_WORD.findall(before)}:
        return True
    if _YEAR.fullmatch(remark):
        return _AWARD.search(before) is not None
    held, said = mentions_of(outside), mentions_of(_SQUARE.sub("2", remark))
    is_dated = any(isinstance(one.value, DateMention) for one in held)
    if is_dated and (found_country(remark.rpartition(",")[2].strip()) is not None or _NOW.fullmatch(remark)):
        return True
    is_whole = bool(said) and not _WORD.search(_without(remark, said))
    return is_whole and all(any(_are_one(one, other) for other in held) for one in said)


def _begins_words(letters: str, before: str) -> bool:
    """Whether letters are those that the last words of a text begin with: "World Health Organization (WHO)"."""
    words = [word[0] for word in _WORD.findall(before)]
    return "".join(words[-len(letters) :]).upper() == letters


def _without(text: str, said: list[Mention]) -> str:
    for one in reversed(said):
        text = text[: one.span[0]] + text[one.span[1] :]
    return text


def _are_one(said: Mention, held: Mention) -> bool:
    """Whether two mentions are the same date, or the same amount in two units."""
    if isinstance(said.value, DateMention) and isinstance(held.value, DateMention):
        return compare_dates(said.value, held.value).holds or compare_dates(held.value, said.value).holds
    if not (isinstance(said.value, Quantity) and isinstance(held.value, Quantity)):
        return False
    one, two = said.value, held.value
    if one.unit is None or two.unit is None or one.value is None or two.value is None:
        return False
    if not comparable(one.unit, two.unit):
        return False
    first, second = base_value(Fraction(one.value), one.unit), base_value(Fraction(two.value), two.unit)
    return abs(first - second) * _ROUNDING <= abs(second)
