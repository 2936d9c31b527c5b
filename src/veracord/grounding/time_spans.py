"""Spans of days: of the dates that a value tells, and of the times that a claim names ("the late 1980s", "before May").

A span runs from its first to its last possible day; a day is a tuple of year, month and day, so that it compares.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Final

from veracord.grounding.part_values import dates_of_value, is_limited
from veracord.language.dates import DateMention

Day = tuple[int, int, int]

_YEARS: Final = re.compile(r"([12]\d{3})(?:\s?[-–]\s?([12]\d{3}))?")
#: A year, and a place behind it: "1726  Ulm, Germany".
_LEADING_YEAR: Final = re.compile(r"\s*([12]\d{3})(?:\s{2,}|, )[^\d]*$")
_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        "january february march april may june july august september october november december".split(), 1
    )
}
_PART: Final = (
    r"(?:the )?(?:(?P<part>early|late|mid|beginning of|middle of|end of"
    r"|first half of|second half of|latter half of)[ -]?(?:the )?)?"
)
_TIME: Final = re.compile(
    rf"\b{_PART}(?:(?P<decade>[12]\d[1-9]0)['’]?s|['’]?(?P<short>[5-9]0)['’]?s|(?P<hundreds>1[0-8]00)['’]?s"
    r"|(?P<century>1?\d|2[01])(?:st|nd|rd|th)[ -]century|(?:(?P<month>[a-z]{3,9}) )?(?P<year>[12]\d{3}))\b",
    re.IGNORECASE,
)
_PERIOD: Final = re.compile(
    r"(?P<first>[^-–—]{4,30}?)\s*[-–—]\s*(?:(?P<now>present|today|now)|(?P<last>[^-–—]{4,30}))", re.IGNORECASE
)
_BRACKETED: Final = re.compile(r"\([^()]*\)")
_HALVES: Final = {"first": (0, 49), "second": (50, 99)}


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """From the first to the last day that may be meant."""

    first: Day
    last: Day

    def holds(self, other: "TimeSpan") -> bool:
        """Whether another span lies in this one."""
        return self.first <= other.first and other.last <= self.last

    def is_before(self, other: "TimeSpan") -> bool:
        """Whether all of this lies before all of another."""
        return self.last < other.first


def span_of_date(said: DateMention) -> TimeSpan | None:
    """Return the days that a date may be; None without its year."""
    if said.year is None:
        return None
    if said.month is None:
        return TimeSpan((said.year, 1, 1), (said.year, 12, 31))
    if said.day is None:
        return TimeSpan((said.year, said.month, 1), (said.year, said.month, 31))
    return TimeSpan((said.year, said.month, said.day), (said.year, said.month, said.day))


def ends_of_value(value: str) -> tuple[TimeSpan, TimeSpan | None] | None:
    """Return the two ends of a text that tells a period: "1995-2014", "2015 - present"; its end is None while it lasts.

    None where it is no period, or several.
    """
    match = _PERIOD.fullmatch(_BRACKETED.sub(" ", value).strip())
    if match is None:
        return None
    first = span_of_value(match["first"])
    if first is None or match["now"]:
        return (first, None) if first is not None else None
    last = span_of_value(match["last"])
    return (first, last) if last is not None and first.first <= last.last else None


def years_between(one: Day, other: Day) -> int:
    """Return the full years from one day to another."""
    return other[0] - one[0] - (other[1:] < one[1:])


def days_between(one: Day, other: Day) -> int:
    """Return the days from one day to another; the 31st of a shorter month is its last."""
    return _ordinal(other) - _ordinal(one)


def _ordinal(day: Day) -> int:
    year, month, number = day
    return date(year, month, min(number, monthrange(year, month)[1])).toordinal()


def span_of_value(value: str) -> TimeSpan | None:
    """Return the span of all dates that a text tells; None where it tells none, or something limits them."""
    years = _YEARS.fullmatch(value.strip())
    if years is not None:
        first, last = int(years[1]), int(years[2] or years[1])
        return TimeSpan((first, 1, 1), (last, 12, 31)) if first <= last else None
    leading = _LEADING_YEAR.match(value)
    if leading is not None and not dates_of_value(value) and not is_limited(value):
        return TimeSpan((int(leading[1]), 1, 1), (int(leading[1]), 12, 31))
    spans = [span_of_date(one.value) for one in dates_of_value(value) if isinstance(one.value, DateMention)]
    known = [span for span in spans if span is not None]
    if not known or len(known) != len(spans):
        return None
    return TimeSpan(min(span.first for span in known), max(span.last for span in known))


def period_named(text: str) -> tuple[tuple[int, int], TimeSpan] | None:
    """Return where a text names a period, and which: a decade, a century, an early, middle or late part of a time.

    "1900s" may be a decade or a century, and is neither here; a year or a month alone is a date, and no period.
    """
    for found in _TIME.finditer(text):
        part = (found["part"] or "").lower()
        span = _part_of_years(found, part) or _part_of_year(found, part)
        if span is not None:
            return found.span(), span
    return None


def _part_of_years(found: re.Match[str], part: str) -> TimeSpan | None:
    if found["decade"] or found["short"]:
        first = int(found["decade"] or f"19{found['short']}")
        parts = {"": (0, 9), "early": (0, 3), "mid": (4, 6), "late": (6, 9), "first": (0, 4), "second": (5, 9)}
    elif found["hundreds"]:
        first = int(found["hundreds"])
        parts = {"": (0, 99), "early": (0, 30), "mid": (35, 65), "late": (70, 99), **_HALVES}
    elif found["century"]:
        first = int(found["century"]) * 100 - 99
        parts = {"": (0, 99), "early": (0, 29), "mid": (35, 64), "late": (70, 99), **_HALVES}
    else:
        return None
    since, until = parts[_PARTS.get(part, part)]
    return TimeSpan((first + since, 1, 1), (first + until, 12, 31))


def _part_of_year(found: re.Match[str], part: str) -> TimeSpan | None:
    if not part or not found["year"]:
        return None
    year, part = int(found["year"]), _PARTS.get(part, part)
    if found["month"] is None:
        since, until = {"early": (1, 4), "mid": (5, 8), "late": (9, 12), "first": (1, 6), "second": (7, 12)}[part]
        return TimeSpan((year, since, 1), (year, until, 31))
    month = _MONTHS.get(found["month"].lower())
    if month is None:
        return None
    since, until = {"early": (1, 10), "mid": (11, 20), "late": (21, 31), "first": (1, 14), "second": (17, 31)}[part]
    return TimeSpan((year, month, since), (year, month, until))


_PARTS: Final = {
    "beginning of": "early",
    "middle of": "mid",
    "end of": "late",
    "first half of": "first",
    "second half of": "second",
    "latter half of": "second",
}
