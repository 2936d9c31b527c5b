"""Rule `order`: two dates of one record lie in the order, and as far apart, as a claim says.

Supported: "The pump was tested after it was built", "tested 10 days after being built" of 10 and 20 January 2025.  Not:
"tested before it was built", "11 days after"; nor any order of two days of which one may be the other.
"""

import re
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.packs import PackView
from veracord.grounding.substitution import Stated, fields_asked, stating, supported_by
from veracord.grounding.support import Judgement
from veracord.grounding.time_spans import TimeSpan, days_between, ends_of_value, span_of_value, years_between

_ORDER: Final = re.compile(
    r"(?P<subject>[^,;:]{2,120}?) (?P<is>was|is) (?P<one>[^,;:]{3,60}?)"
    r"(?: (?P<number>\d{1,4}) (?P<unit>days?|weeks?|years?))? (?P<way>after|before)"
    r" (?:being|(?:it|he|she|they) (?:was|were)) (?P<two>[^,;:]{3,60})",
    re.IGNORECASE,
)
_DAYS: Final = {"day": 1, "week": 7}
_YEAR: Final = ((1, 1), (12, 31))


def supported_by_order(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that two dates of a record lie as a claim says, or None."""
    match = _ORDER.fullmatch(claim.text.strip(" ."))
    if match is None:
        return None
    one, two = (dated(f"{match['subject']} {match['is']} {match[event]}", claim, pack) for event in ("one", "two"))
    if one is None or two is None or one[0].field is two[0].field:
        return None
    if one[0].field.evidence_id != two[0].field.evidence_id:
        return None
    first, second = (one[1], two[1]) if match["way"].lower() == "before" else (two[1], one[1])
    if not first.is_before(second):
        return None
    if match["number"] and not _is_apart(first, second, int(match["number"]), match["unit"].lower().rstrip("s")):
        return None
    return supported_by(one[0].judgement, two[0].judgement)


def dated(clause: str, claim: Reading, pack: PackView) -> tuple[Stated, TimeSpan] | None:
    """Return the one field that dates an event, and when it was."""
    found = []
    for field in fields_asked(claim, clause, pack):
        is_date = field.kind == "text" and not field.is_list_item and ends_of_value(field.value) is None
        span = span_of_value(field.value) if is_date else None
        value = field.value.strip()
        stated = stating(claim, [f"{clause} on {value}", f"{clause} in {value}"], field, pack) if span else None
        if span is not None and stated is not None:
            found.append((stated, span))
    return found[0] if len(found) == 1 else None


def _is_apart(first: TimeSpan, second: TimeSpan, number: int, unit: str) -> bool:
    """Whether two days are so many days or weeks apart, or full years; two bare years as many as they differ."""
    are_days = first.first == first.last and second.first == second.last
    if unit in _DAYS:
        return are_days and days_between(first.first, second.first) == number * _DAYS[unit]
    are_years = all((span.first[1:], span.last[1:]) == _YEAR for span in (first, second))
    if are_years:
        return second.first[0] - first.first[0] == number
    return are_days and years_between(first.first, second.first) == number
