"""Rule `event dates`: an event took place in the month in which all of its days lie, and from the first to the last.

Supported: "The games took place in February", "They were held from 7 to 19 February" of the dates "7-19 February".
Not: the same of dates in two months, of a year that the record does not tell, or of other days.
"""

import re
from typing import Final, NamedTuple

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.packs import PackView
from veracord.grounding.rule_kinds import Support
from veracord.grounding.substitution import supported_by
from veracord.grounding.support import Judgement

_MONTHS: Final = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
    "dec": 12,
}  # fmt: skip
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DAY: Final = r"(?:the )?\d{1,2}(?:st|nd|rd|th)?"
_SAID: Final = re.compile(
    r"(?P<who>[^;:]{2,120}?) (?:took place|occurred|(?:was|were) (?:held|played|performed|contested)|ran)"
    r" (?P<when>(?:in|from|between) [^;:]{3,60})",
    re.IGNORECASE,
)
_IN_MONTH: Final = re.compile(rf"in (?P<month>{_MONTH})(?: (?:of )?(?P<year>[12]\d{{3}}))?", re.IGNORECASE)
_RANGE: Final = re.compile(
    rf"(?P<first>{_DAY})(?:(?: of)? (?P<month>{_MONTH}))?(?: ?[-–] ?| to | and | until )"
    rf"(?P<last>{_DAY})(?: of)? (?P<end>{_MONTH})(?:,? (?P<year>[12]\d{{3}}))?",
    re.IGNORECASE,
)
_NAMES: Final = frozenset({"dates", "date", "eventdate", "eventdates"})
_DIGITS: Final = re.compile(r"\d{1,2}")
_LONGEST: Final = 60


class _Days(NamedTuple):
    """The first and the last day of something, each with its month, and the year if it is told."""

    first: tuple[int, int]
    last: tuple[int, int]
    year: str | None


def supported_by_event_dates(claim: Reading, pack: PackView, support: Support) -> Judgement | None:
    """Return that the dates of an event lie as a claim says, or None.

    Args:
        support: Judges a claim with the same citations; gives a judgement only where it is supported.
    """
    match = _SAID.fullmatch(claim.text.strip(" ."))
    if match is None or any(key == "not" for key, _ in claim.shape.cues):
        return None
    for evidence_id in claim.claim.evidence_ids:
        item = pack.items.get(evidence_id)
        for field in item.fields if item is not None else ():
            days = _days_of(field)
            if days is None or not _agrees(match["when"], days):
                continue
            stated = support(f"the {field.names[-1].words} of {match['who']} are {field.value.strip()}")
            if stated is not None and any(one is field for one in stated.statements):
                return supported_by(stated)
    return None


def _days_of(field: Field) -> _Days | None:
    if field.kind not in ("text", "range") or len(field.names) != 1 or field.names[0].squashed not in _NAMES:
        return None
    return _read(field.value.strip())


def _read(text: str) -> _Days | None:
    match = _RANGE.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    end = _MONTHS[match["end"][:3].lower()]
    month = _MONTHS[match["month"][:3].lower()] if match["month"] else end
    first, last = (int(_DIGITS.findall(match[group])[0]) for group in ("first", "last"))
    if (month, first) >= (end, last):
        # Into the next year, or none at all.
        return None
    return _Days((month, first), (end, last), match["year"])


def _agrees(when: str, days: _Days) -> bool:
    month = _IN_MONTH.fullmatch(when)
    if month is not None:
        is_there = days.first[0] == days.last[0] == _MONTHS[month["month"][:3].lower()]
        return is_there and month["year"] in (None, days.year)
    said = _read(when.partition(" ")[2])
    return said is not None and said[:2] == days[:2] and said.year in (None, days.year)
