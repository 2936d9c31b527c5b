"""Rule `durations`: how long a period of a record was, and how long somebody lived.

Supported: "Orvo was active for more than 15 years" of "1995-2014", "Ada Berg lived for less than 60 years".  Not: "more
than 19 years" of the same, as the days of the two years are not known; nor any of "1995 - present", whose end is not
told.
"""

import re
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.mentions import Mention
from veracord.grounding.packs import PackView
from veracord.grounding.substitution import fields_asked, stating, supported_by
from veracord.grounding.support import Judgement
from veracord.grounding.time_spans import (
    TimeSpan,
    days_between,
    ends_of_value,
    period_named,
    span_of_value,
    years_between,
)
from veracord.language.bounding import is_bound
from veracord.language.quantities import Quantity

_SINCE: Final = re.compile(
    r"(?P<who>[^;:]{2,120}?) (?:(?:has|have) been (?P<what>active|in office) since|became (?P<new>active) in)"
    r" (?P<when>[^;:]{4,40})",
    re.IGNORECASE,
)
_FOR: Final = re.compile(r",? (?:for )?$")
#: The least and the most days of a unit.
_YEAR: Final = "yr"
_DAYS: Final = {_YEAR: (365, 366), "d": (1, 1), "wk": (7, 7), "mo": (28, 31)}


def supported_by_starts(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that what a record says to last began when a claim says: "has been active since 2015", or None."""
    match = _SINCE.fullmatch(claim.text.strip(" ."))
    if match is None:
        return None
    period = period_named(match["when"])
    said = span_of_value(match["when"]) or (period[1] if period is not None else None)
    if said is None:
        return None
    clause = f"{match['who']} was {match['what'] or match['new']}"
    for field in fields_asked(claim, clause, pack):
        ends = ends_of_value(field.value) if field.kind == "text" and not field.is_list_item else None
        if ends is None or (match["what"] and ends[1] is not None) or not said.holds(ends[0]):
            continue
        stated = stating(claim, [f"{clause} {field.value.strip()}"], field, pack)
        if stated is not None:
            return supported_by(stated.judgement)
    return None


def supported_by_durations(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that a period of a record is longer or shorter than a claim says, or None."""
    said = [mention for mention, _ in claim.shape.mentions if _bounds_time(mention)]
    if len(said) != 1 or not isinstance(said[0].value, Quantity) or claim.text[said[0].span[1] :].strip(" ."):
        return None
    clause = _FOR.sub("", claim.text[: said[0].span[0]].rstrip() + " ")
    for field in fields_asked(claim, clause, pack):
        ends = ends_of_value(field.value) if field.kind == "text" and not field.is_list_item else None
        if ends is None or ends[1] is None:
            continue
        if not _is_inside(said[0].value, ends[0], ends[1]):
            continue
        value = field.value.strip()
        stated = stating(claim, [f"{clause} {value}", f"{clause} in {value}"], field, pack)
        if stated is not None:
            return supported_by(stated.judgement)
    return None


def _bounds_time(mention: Mention) -> bool:
    value = mention.value
    return isinstance(value, Quantity) and is_bound(value) and value.unit is not None and value.unit.symbol in _DAYS


def _is_inside(said: Quantity, since: TimeSpan, until: TimeSpan) -> bool:
    """Whether the shortest that a period may have been is above a bound, and the longest below."""
    unit = said.unit.symbol if said.unit is not None else ""
    least, most = _DAYS[unit]
    is_above = said.low is None or days_between(since.last, until.first) > said.low * most
    if said.high is None:
        return is_above
    if unit == _YEAR:
        return is_above and years_between(since.first, until.last) < said.high
    return is_above and days_between(since.first, until.last) + 1 < said.high * least
