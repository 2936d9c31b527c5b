"""What a text of a record supports beside its whole: a part between its marks, its one date, the season of that date.

Only of a text that nothing limits: "Alpha AG (until 2023)" has no parts.  Parts are whole: what stands between commas,
brackets and semicolons, never a piece of it.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.mentions import Mention, mentions_of
from veracord.grounding.bracketed import has_open_remark
from veracord.grounding.open_ends import has_open_end
from veracord.grounding.record_values import is_plain
from veracord.language.bounding import factor_between
from veracord.language.comparing import compare_dates
from veracord.language.dates import DateMention
from veracord.language.quantities import Quantity
from veracord.language.tokens import fold

#: A comma between digits is one of a number; a dash or a stroke parts nothing: "3 - 5 kg", "100 EUR - 10%".
_MARKS: Final = re.compile(r"(?<!\d),|,(?!\d)|[;()\n]|\s{2,}")
_BRACKETED: Final = re.compile(r"\([^()]*\)")
#: What stands between commas, with brackets kept whole.
_PIECES: Final = re.compile(r"(?:\([^()]*\)|[^,;\n]|(?<=\d),(?=\d))+")
_ROUGHLY: Final = re.compile(r"~|≈|\b(?:c|ca|circa|approx|about|around)\b", re.IGNORECASE)
#: What ends a marriage or an office.
_ENDED: Final = re.compile(
    r"\b(?:div|divorced|sep|separated|died|d|wid|widowed|ann|annulled|until|ended)\b", re.IGNORECASE
)
_TAIL: Final = re.compile(r"\s*(?:$|[(;]|, (?:including|incl))")
_WORD: Final = re.compile(r"[^\W_]+")
#: A country, and nothing that anybody states.
_UNITED_STATES: Final = re.compile(r"\bUnited States\b")
#: A date in its text, with what may stand beside it in its piece: "on Monday \x00", "\x00 in Ulm".
_DATED: Final = re.compile(
    r"(?:(?:on|in|am|im|the|(?:mon|tues|wednes|thurs|fri|satur|sun)day|[a-z]{4,7}tag)\s)*\x00(?:\s\x00)*"
    r"(?:\s(?:(?:in|at)\s\D+|(?-i:[A-Z])\D*))?",
    re.IGNORECASE,
)
#: What is left of a second date, or of a period: "4" of "4, 5 May 2019".
_OTHER_TIME: Final = re.compile(
    r"\b[12]\d{3}|^\d{1,2}\.?$|^[-–—]|^(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]{0,6}\.?$",
    re.IGNORECASE,
)
_LONGEST: Final = 400
_SHORTEST: Final = 3
#: How far apart one length is in feet and in metres.
_ROUNDED: Final = Fraction(1, 20)
_SEASON: Final = re.compile(r"\b(spring|summer|autumn|fall|winter)(?: of)?(?: (\d{4}))?\b", re.IGNORECASE)
#: A decade of a century ("the 1900s") may be the century; those are left out.
_DECADE: Final = re.compile(r"\b([12]\d[1-9]0)['’]?s\b")
_CENTURY: Final = re.compile(r"\b(1?\d|2[01])(?:st|nd|rd|th) century\b", re.IGNORECASE)
_YEARS: Final = re.compile(r"[12]\d{3}(?:\s?[-–]\s?[12]\d{3})?")
#: Months, and days of the months at their edges, on which all calendars of the northern half agree.
_SEASONS: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "spring": ((321, 531),),
    "summer": ((622, 831),),
    "autumn": ((924, 1130),),
    "fall": ((924, 1130),),
    "winter": ((1222, 1231), (101, 228)),
}


@lru_cache(maxsize=4096)
def parts_of_value(value: str, *, is_dated: bool = False) -> tuple[str, ...]:
    """Return the parts of a text; none where something in it limits what it says.

    A limit inside brackets is one of what stands in front of them: "Alpha AG (until 2023), Beta AG".

    Args:
        is_dated: Whether a year in brackets says only when it was: "Blue Star (1995)" of an award.
    """
    if len(value) > _LONGEST or is_limited(_BRACKETED.sub(" ", value)):
        return ()
    kept = [
        piece
        for piece in _PIECES.findall(value)
        if not is_limited(piece) and not has_open_remark(piece, value, is_dated=is_dated)
    ]
    parts = [part.strip(" .") for piece in kept for part in _MARKS.split(piece)]
    return tuple(
        part for part in dict.fromkeys(parts) if len(part) >= _SHORTEST and part != value and part[0].isalnum()
    )


@lru_cache(maxsize=4096)
def is_limited(value: str) -> bool:
    """Whether a text holds a word that turns or limits what it says."""
    if has_open_end(value):
        return True
    # "May" is a month here, and not a doubt.
    for mention in reversed(mentions_of(value)):
        if mention.kind == "date":
            value = value[: mention.span[0]] + value[mention.span[1] :]
    value = _UNITED_STATES.sub(" ", value)
    return any(classify_word(fold(word))[0] == "cue" for word in _WORD.findall(value))


@lru_cache(maxsize=4096)
def dates_of_value(value: str) -> tuple[Mention, ...]:
    """Return the dates that a text tells; none where one cannot be told, or something limits them."""
    if len(value) > _LONGEST or is_limited(value) or has_open_remark(value) or _ROUGHLY.search(value):
        return ()
    dates = [mention for mention in mentions_of(value) if mention.kind == "date"]
    rest = value
    for mention in reversed(dates):
        rest = f"{rest[: mention.span[0]]}\x00{rest[mention.span[1] :]}"
    pieces = (piece.strip(" .") for piece in _MARKS.split(rest))
    are_whole = all(_DATED.fullmatch(one) if "\x00" in one else not _OTHER_TIME.search(one) for one in pieces)
    return tuple(dates) if are_whole and all(isinstance(one.value, DateMention) for one in dates) else ()


def has_date(value: str) -> bool:
    """Whether a text tells a date."""
    return bool(dates_of_value(value))


@lru_cache(maxsize=4096)
def date_in(value: str) -> Mention | None:
    """Return the one day that a text tells, in whatever forms, or None."""
    dates = dates_of_value(value)
    days = {(one.value.year, one.value.month, one.value.day) for one in dates if isinstance(one.value, DateMention)}
    return dates[0] if len(days) == 1 else None


def agreed_date(value: str, said: DateMention) -> Mention | None:
    """Return a date of a text where all of its dates agree with one that is said, coarser than they are."""
    dates = dates_of_value(value)
    agree = all(isinstance(one.value, DateMention) and compare_dates(said, one.value).holds for one in dates)
    return dates[0] if dates and agree else None


@lru_cache(maxsize=4096)
def leading_quantity(value: str) -> tuple[Mention, ...]:
    """Return the quantity that a text begins with, and the same in brackets behind it: "5 ft 6 in (168 cm)"."""
    if len(value) > _LONGEST or is_limited(value) or has_open_remark(value) or _ROUGHLY.search(value):
        return ()
    found = mentions_of(value)
    if not found or found[0].kind != "quantity" or value[: found[0].span[0]].strip():
        return ()
    if _TAIL.match(value, found[0].span[1]) is None or not is_plain(value[: found[0].span[1]], found[0]):
        return ()
    is_several = len(found) > 1 and value[found[0].span[1] :].lstrip().startswith(";")
    if is_several or any(_differs(found[0], one) for one in found[1:]):
        return ()
    inside = [
        one
        for one in found[1:]
        if one.kind == "quantity"
        and value[one.span[0] - 1] == "("
        and value[one.span[1] : one.span[1] + 1] in (")", ";")
    ]
    return (found[0], *inside)


def _differs(one: Mention, other: Mention) -> bool:
    """Whether another quantity is of the same kind, and not the same as it, but for what its digits leave out."""
    first, second = one.value, other.value
    if not isinstance(first, Quantity) or not isinstance(second, Quantity) or first.unit is None or second.unit is None:
        return False
    if first.unit.dimension != second.unit.dimension:
        return False
    factor = factor_between(first, second)
    return factor is None or abs(factor - 1) > (0 if first.unit == second.unit else _ROUNDED)


def has_ended(value: str) -> bool:
    """Whether a text says that what it tells holds no longer."""
    return _ENDED.search(value) is not None


def season_in(text: str) -> re.Match[str] | None:
    """Return the season that a claim names."""
    return _SEASON.search(text)


def period_in(text: str) -> tuple[re.Match[str], range] | None:
    """Return the decade or the century that a claim names, and its years: "the 1940s", "the 18th century"."""
    found = _DECADE.search(text)
    if found is not None:
        return found, range(int(found[1]), int(found[1]) + 10)
    found = _CENTURY.search(text)
    return (found, range(int(found[1]) * 100 - 99, int(found[1]) * 100 + 1)) if found is not None else None


def years_of_value(value: str) -> frozenset[int]:
    """Return the years that the dates of a text lie in; none where one is not told."""
    if _YEARS.fullmatch(value.strip()):
        return frozenset(int(year) for year in _WORD.findall(value))
    years = {one.value.year for one in dates_of_value(value) if isinstance(one.value, DateMention)}
    return frozenset(year for year in years if year is not None)


def is_in_season(date: DateMention, season: str, year: str | None) -> bool:
    """Whether a day lies in a season of the northern half of the earth, by every calendar."""
    if date.month is None or date.day is None or (year is not None and int(year) != date.year):
        return False
    at = date.month * 100 + date.day
    return any(first <= at <= last for first, last in _SEASONS[season.casefold()])
