"""Rule `shares`: a thing is mostly of a part, or a part is the largest, where the record tells the shares of the whole.

Supported: "The casing is mostly steel" and "Its main material is steel" of ``{"composition": ["64 % steel", "36 %
glass"]}``, "Less than half of it is glass".  Not: "mostly steel" of 50 % steel, of shares that are no whole, or of a
part of the thing.
"""

import re
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.packs import PackView
from veracord.grounding.shares import Shares, breakdowns_of
from veracord.grounding.substitution import reworded, supported_by
from veracord.grounding.support import SUPPORTED, Judgement, judge

_MOSTLY: Final = r"(?:mostly|mainly|predominantly|primarily)"
#: Each way to say that a part has more than half, or less.
_MORE_THAN_HALF: Final = (
    re.compile(
        rf"(?P<who>[^,;:]{{1,120}}?) (?:is|are) {_MOSTLY} (?:made (?:up )?of |composed of )?(?P<part>[^,;:]{{2,60}}?)"
        r"(?: (?:by|in terms of) (?P<label>[a-z ]{4,24})| as far as (?P<far>[a-z ]{4,24}?) goe?s?)?",
        re.IGNORECASE,
    ),
    re.compile(rf"(?P<who>[^,;:]{{1,120}}?) consists? {_MOSTLY} of (?P<part>[^,;:]{{2,60}})", re.IGNORECASE),
    re.compile(
        r"(?:most|the majority|more than half) of (?P<who>[^,;:]{1,120}?) (?:is|are) (?P<part>[^,;:]{2,60})",
        re.IGNORECASE,
    ),
)
_LESS_THAN_HALF: Final = re.compile(
    r"less than half of (?P<who>[^,;:]{1,120}?) (?:is|are) (?P<part>[^,;:]{2,60})", re.IGNORECASE
)
_LARGEST: Final = (
    re.compile(
        r"(?:the )?(?P<who>[^,;:]{1,120}?)['’]s? (?:main|largest|biggest|most common) (?P<label>[a-z ]{4,24}?)"
        r" (?:is|are) (?P<part>[^,;:]{2,60})",
        re.IGNORECASE,
    ),
    re.compile(
        r"the (?:main|largest|biggest|most common) (?P<label>[a-z ]{4,24}?) (?:of|in) (?P<who>[^,;:]{1,120}?)"
        r" (?:is|are) (?P<part>[^,;:]{2,60})",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<part>[^,;:]{2,60}?) (?:is|are) the (?:main|largest|biggest|most common) (?P<label>[a-z ]{4,24}?)"
        r" (?:of|in) (?P<who>[^,;:]{1,120})",
        re.IGNORECASE,
    ),
)
_HALF: Final = 50


def supported_by_shares(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that the shares of a record are as a claim says, or None."""
    text = claim.text.strip(" .")
    if any(key == "not" for key, _ in claim.shape.cues):
        return None
    for form in _MORE_THAN_HALF:
        match = form.fullmatch(text)
        found = _told(match, claim, pack) if match is not None else None
        if match is not None and found is not None and found[1].parts[_part_of(match)] > _HALF:
            return found[0]
    match = _LESS_THAN_HALF.fullmatch(text)
    found = _told(match, claim, pack) if match is not None else None
    if match is not None and found is not None and found[1].parts[_part_of(match)] < _HALF:
        return found[0]
    for form in _LARGEST:
        match = form.fullmatch(text)
        found = _told(match, claim, pack) if match is not None else None
        if match is not None and found is not None and _is_largest(_part_of(match), found[1]):
            return found[0]
    return None


def _part_of(match: re.Match[str]) -> str:
    return " ".join(match["part"].casefold().split())


def _is_largest(part: str, shares: Shares) -> bool:
    return all(shares.parts[part] > share for other, share in shares.parts.items() if other != part)


def _told(match: re.Match[str], claim: Reading, pack: PackView) -> tuple[Judgement, Shares] | None:
    """Return the one breakdown in which a thing has a part, and the judgement of the claim that states it."""
    groups = match.groupdict()
    label = (groups.get("label") or groups.get("far") or "").strip().casefold()
    part = _part_of(match)
    told = list(breakdowns_of(claim.claim.evidence_ids, pack))
    found = [one for one in told if one.may_tell_of(part)]
    if len(found) != 1 or part not in found[0].parts or not _is_called(label, found[0]):
        return None
    if any(one is not found[0] and set(one.called) & set(found[0].called) for one in told):
        # What else it is made of, another field tells.
        return None
    field = found[0].field
    if field.evidence_id not in claim.claim.evidence_ids:
        return None
    verb = "includes" if field.is_list_item else "is"
    stated = judge(reworded(claim, f"the {field.names[-1].words} of {match['who']} {verb} {field.value.strip()}"), pack)
    is_so = stated.verdict == SUPPORTED and any(one is field for one in stated.statements)
    return (supported_by(stated), found[0]) if is_so else None


def _is_called(label: str, shares: Shares) -> bool:
    """Whether a claim names what its shares are of as the record does, or need not."""
    return not label or label in shares.called or label.removesuffix("s") in shares.called
