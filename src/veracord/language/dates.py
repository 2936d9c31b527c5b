"""Dates as they are written, at the precision that is written.

The rule: nothing is filled in and no zone is converted; what could be two days (01/03/2026) is ambiguous.  A year alone
is a date only where the words around it say so: `in 2024`, never `2024 units`.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from veracord.language.tokens import Span

Precision = Literal["year", "month", "day"]

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january januar jan jänner", "february februar feb", "march märz maerz mar mär", "april apr", "may mai",
            "june juni jun", "july juli jul", "august aug", "september sept sep", "october oktober oct okt",
            "november nov", "december dezember dec dez",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH: Final = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")(?![^\W_])\.?"
_YEAR: Final = r"(?:19|20|21)[0-9]{2}"
_CLOCK: Final = (
    r"[T ](?P<{}>[0-2][0-9]:[0-5][0-9](?::[0-6][0-9](?:[.,][0-9]{{1,9}})?)?(?:Z|[+\-−][0-2][0-9]:?[0-5][0-9])?)"
)
_END: Final = r"(?![\w]|[./,:\-][0-9])"
_FORMS: Final = re.compile(
    # 2026-03-01, with or without a time; 2026/03/01; 2026-mar-01
    rf"(?P<iso>(?P<iy>[0-9]{{4}})(?P<mark>[-/])(?P<im>[0-9]{{1,2}}|{_MONTH})(?P=mark)(?P<id>[0-9]{{1,2}})"
    rf"(?:{_CLOCK.format('it')})?){_END}"
    # 2026-03
    rf"|(?P<isomonth>(?P<my>{_YEAR})-(?P<mm>0[1-9]|1[0-2])){_END}"
    # 01.03.2026, 1/3/26, 1-3-2026
    r"|(?P<marked>(?P<a>[0-9]{1,2})(?P<sep>[./\-])(?P<b>[0-9]{1,2})(?P=sep)(?P<c>[0-9]{4}|[0-9]{2}))"
    rf"(?:{_CLOCK.format('mt')})?{_END}"
    # 03/2026
    rf"|(?P<slashmonth>(?P<sm>0[1-9](?=[/.])|(?:[1-9]|1[0-2])(?=/))[/.](?P<sy>{_YEAR})){_END}"
    # 1 March 2026, 1. März 2026, 1st of March, 2026, 01-MAR-2026; the year may be missing
    rf"|(?P<dayfirst>(?P<dd>[0-9]{{1,2}})(?:st|nd|rd|th|\.)?(?: of |[ \u00a0\-/]|(?<=\.))(?P<dm>{_MONTH})"
    rf"(?:,?[ \u00a0\-/](?P<dy>[12][0-9]{{3}}))?){_END}",
    re.IGNORECASE,
)
#: What follows the name of a month: a day and perhaps a year, or a year.
_AFTER_MONTH: Final = re.compile(
    rf"(?P<only>{_YEAR})(?![\w]|[.,]?[0-9])"
    rf"|(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![\w]|[.,:][0-9]|[ \u00a0]?[%°])"
    rf"(?:,?[ \u00a0](?P<y>{_YEAR}|1[5-8][0-9]{{2}})(?![\w]))?"
)
_DIGITS: Final = re.compile(r"[0-9]+")
_NAME_BEFORE: Final = re.compile(r"(?<![^\W_])([^\W\d_]{3,9})\.?[ \u00a0\-/]$")
_YEAR_FIRST: Final = re.compile(rf"(?:{_YEAR}|1[5-8][0-9]{{2}})(?![\w%°€$£]|[.,:/\-][0-9])")
#: A date begins after none of these.
_JOINED: Final = frozenset(".,/:+-−_$€£")
_DIGITS_MOST: Final = 4
#: From this year on a number is rather a year than a count.
_FIRST_SURE: Final = "1900"
_LOOK_BACK: Final = 24
#: Words after which a number like a year is one, whatever follows.
_STRONG: Final = frozenset(
    "in since during year years im seit jahr jahre jahres q1 q2 q3 q4 anno ©  edition ausgabe baujahr early late mid "
    "spring summer autumn winter fall frühjahr sommer herbst januar season".split()
)
#: Words after which it is one if no thing is counted after it.
_WEAK: Final = frozenset(
    "of for to from by ab bis von vor nach before after until till through around about circa ca und and or oder "
    "between zwischen for für planned expected zum dated version ( – -".split()
)
_WORD_BEFORE: Final = re.compile(r"([^\W_][^\W_]*|[(©–-])\.?[ \u00a0]?$")
_COUNTED_AFTER: Final = re.compile(
    r"[ \u00a0](?!(?:and|or|to|und|oder|bis|it|the|they|the|is|was|were|are|has|will|for|with|at|on|by|in|as|wurde"
    r"|wird|ist|war)\b)[^\W\d_%°]"
)
_LAST_MONTH: Final = 12


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date at its precision; what is not written is None, and the time is kept as written."""

    year: int | None
    month: int | None
    day: int | None
    precision: Precision
    span: Span
    time: str | None = None


@dataclass(frozen=True, slots=True)
class AmbiguousDate:
    """Characters that could be different dates."""

    readings: tuple[DateMention, ...]
    span: Span
    written: str


AnyDate = DateMention | AmbiguousDate


def dates_of(text: str) -> list[AnyDate]:
    """Return the dates in a text, in order, without overlap."""
    found: list[AnyDate] = []
    end = 0
    for run in _DIGITS.finditer(text):
        start = run.start()
        if start < end or run.end() - start > _DIGITS_MOST:
            continue
        mention = _read_date(text, start, end)
        if mention is not None:
            found.append(mention)
            end = mention.span[1]
    return found


def _read_date(text: str, start: int, last: int) -> AnyDate | None:
    """Read the date whose first digits begin at `start`; the one before it ends at `last`."""
    before = text[start - 1] if start else " "
    if before in " -/\u00a0" and (mention := _month_first(text, start, last)) is not None:
        return mention
    if before in _JOINED or before.isalnum():
        return None
    if (match := _FORMS.match(text, start)) is not None and (read := _form(match)) is not None:
        return read
    return _bare_year(text, start, last)


def _month_first(text: str, start: int, last: int) -> DateMention | None:
    """Read March 1, 2026, or March 2026."""
    name = _NAME_BEFORE.search(text, max(last, start - 12), start)
    if name is None or name[1].casefold() not in _MONTHS or (match := _AFTER_MONTH.match(text, start)) is None:
        return None
    # "may 5 cells" is no date: a day without a year needs its month written as a name.
    if match["d"] and match["y"] is None and not name[1][0].isupper():
        return None
    year = match["y"] or match["only"]
    day = int(match["d"]) if match["d"] else None
    return _mention(int(year) if year else None, _MONTHS[name[1].casefold()], day, (name.start(1), match.end()))


def _form(match: re.Match[str]) -> AnyDate | None:
    if match["iso"]:
        return _mention(int(match["iy"]), _month(match["im"]), int(match["id"]), match.span(), match["it"])
    if match["isomonth"]:
        return _mention(int(match["my"]), int(match["mm"]), None, match.span())
    if match["slashmonth"]:
        return _mention(int(match["sy"]), int(match["sm"]), None, match.span())
    if match["dayfirst"]:
        year = int(match["dy"]) if match["dy"] else None
        return _mention(year, _month(match["dm"]), int(match["dd"]), match.span())
    return _marked(match)


def _marked(match: re.Match[str]) -> AnyDate | None:
    """Read 01.03.2026 (always day first), and 01/03/2026 or 01-03-2026, which may be two days."""
    first, second, year = int(match["a"]), int(match["b"]), int(match["c"])
    span, written = match.span(), match.group()
    time = match["mt"]
    # A year without its century may be of this one or the last.
    years = [year] if len(match["c"]) == _DIGITS_MOST else [1900 + year, 2000 + year]
    orders = {(first, second)} if match["sep"] == "." else {(first, second), (second, first)}
    readings = [_mention(y, month, day, span, time) for y in years for day, month in sorted(orders)]
    valid = tuple(reading for reading in readings if reading is not None)
    if len(valid) == 1:
        return valid[0]
    return AmbiguousDate(valid, span, written) if valid else None


def _mention(
    year: int | None, month: int | None, day: int | None, span: Span, time: str | None = None
) -> DateMention | None:
    """Return a date, or None if there is no such day."""
    if month is not None and not 1 <= month <= _LAST_MONTH:
        return None
    if day is not None:
        try:
            # A leap year where the year is not known.
            date(year or 2000, month or 1, day)
        except ValueError:
            return None
    precision: Precision = "day" if day else "month" if month else "year"
    return DateMention(year, month, day, precision, span, time)


def _month(name: str) -> int:
    return int(name) if name.isdigit() else _MONTHS[name.casefold().rstrip(".")]


def _bare_year(text: str, start: int, last: int) -> DateMention | None:
    match = _YEAR_FIRST.match(text, start)
    if match is None:
        return None
    before = _WORD_BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    if before is None:
        return None
    word = before[1].casefold()
    # "2024 to 2026": the second of a pair.
    paired = word in _WEAK and 0 < before.start() - 1 == last
    counts = _COUNTED_AFTER.match(text, match.end()) is not None
    if match.group() < _FIRST_SURE:
        # "in 1500 g of water": so early a year needs a sure word in front and nothing that is counted behind.
        paired, counts = False, counts or word not in _STRONG
        if counts:
            return None
    if word in _STRONG or paired or (word in _WEAK and not counts):
        return DateMention(int(match.group()), None, None, "year", match.span())
    return None
