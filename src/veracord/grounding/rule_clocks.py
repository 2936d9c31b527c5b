"""Rule `clocks`: a length as a clock shows it lies inside the bound that a claim says.

Supported: "Low Tide is less than an hour long" and "runs for more than 39 minutes" of a length of 39:05.  Not: "more
than 40 minutes"; nor "less than 5 minutes" of 3:20, which may be minutes or hours.
"""

import re
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.packs import PackView
from veracord.grounding.record_values import number_mention
from veracord.grounding.substitution import fields_asked, stating, supported_by
from veracord.grounding.support import Judgement
from veracord.language.bounding import is_bound, lies_inside
from veracord.language.quantities import Quantity

_CLOCK: Final = re.compile(r"\s*(\d{1,2})\s?:\s?([0-5]\d)(?:\s?:\s?([0-5]\d))?\s*")
_LENGTHS: Final = frozenset({"length", "runningtime", "runtime", "duration"})
_LASTS: Final = re.compile(r"(?P<who>[^;:]{2,120}?) (?:is|was|lasts?|lasted|runs|ran)(?: for)?", re.IGNORECASE)
_OF: Final = re.compile(
    r"(?P<who>[^;:]{2,120}?)(?:['’]s? (?:length|run(?:ning)? ?time|duration) (?:is|was)"
    r"| (?:has|had) a (?:length|run(?:ning)? ?time|duration) of)",
    re.IGNORECASE,
)
_BEHIND: Final = frozenset({"", "long", "in length"})
#: Nothing that is sold or shown lasts so many hours.
_SURELY_MINUTES: Final = 13


def supported_by_clocks(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that a length of a record, minutes and seconds, lies inside the bound of a claim, or None."""
    said = [mention for mention, _ in claim.shape.mentions if _bounds(mention.value)]
    if len(said) != 1 or claim.text[said[0].span[1] :].strip(" .") not in _BEHIND:
        return None
    clause = claim.text[: said[0].span[0]].strip()
    match = _OF.fullmatch(clause) or _LASTS.fullmatch(clause)
    if match is None:
        return None
    plain = f"the length of {match['who']} is"
    for field in fields_asked(claim, f"{plain} {clause}", pack):
        if field.kind != "text" or field.names[-1].squashed not in _LENGTHS:
            continue
        held = _seconds(field.value)
        if not held or not all(_lies_inside(said[0].value, one) for one in held):
            continue
        value = field.value.strip()
        stated = stating(claim, [f"{plain} {value}", f"{match['who']} runs for {value}"], field, pack)
        if stated is not None:
            return supported_by(stated.judgement)
    return None


def _bounds(value: object) -> bool:
    return isinstance(value, Quantity) and is_bound(value) and value.unit is not None


def _lies_inside(said: object, seconds: int) -> bool:
    held = number_mention(str(seconds), "s").value
    return isinstance(said, Quantity) and isinstance(held, Quantity) and lies_inside(said, held)


def _seconds(value: str) -> tuple[int, ...]:
    """Return how many seconds a clock may show; two where its first part may be minutes or hours."""
    match = _CLOCK.fullmatch(value)
    if match is None:
        return ()
    first, second = int(match[1]), int(match[2])
    if match[3]:
        return (first * 3600 + second * 60 + int(match[3]),)
    minutes = first * 60 + second
    return (minutes,) if first >= _SURELY_MINUTES else (minutes, minutes * 60)
