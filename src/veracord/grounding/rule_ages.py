"""Rule `ages`: how old somebody was at an event, from the two dates of one record.

Supported: "Ada Berg died at the age of 59", "died when she was 59", "died before she was 60" of one born on 6 October
1952 who died on 4 May 2012.  Not: "at the age of 60"; nor "at the age of 59" where only the years are known, as 60 is
as likely then.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field, Standing
from veracord.grounding.dated_items import dated_items, weddings
from veracord.grounding.packs import PackView
from veracord.grounding.substitution import Stated, fields_asked, stating, supported_by
from veracord.grounding.support import Judgement
from veracord.grounding.time_spans import TimeSpan, ends_of_value, span_of_value, years_between
from veracord.language.number_words import number_word

_THEY: Final = r"(?:he|she|they)"
_AGE: Final = r"(?P<age>\d{1,3}|[a-z]{3,9}(?:-[a-z]{3,5})?)(?: or (?P<or>\d{1,3}))?(?: years?(?: old| of age)?)?"
_EVENT: Final = r"(?P<event>[^;:]{2,200}?),?"
_FORMS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_EVENT} (?:when|while|since) {_THEY} (?:was|were|turned) {_AGE}",
        rf"{_EVENT} (?:at|since)(?: the)? age(?: of)? {_AGE}",
        rf"{_EVENT} (?:when )?aged {_AGE}",
        (
            rf"{_EVENT} (?P<before>before|under) (?:{_THEY} (?:was|were|turned)|(?:the )?age(?: of)?"
            rf"|turning|reaching(?: the)?(?: age)?(?: of)?) {_AGE}"
        ),
        rf"{_EVENT} (?P<after>after) (?:{_THEY} (?:was|were|turned)|(?:the )?age(?: of)?|turning) {_AGE}",
        (
            rf"(?P<who>[^;:]{{2,120}}?) (?:was|were)(?: (?:(?P<before>under|younger than|less than)"
            rf"|(?P<after>over|older than|more than)))?(?: the age of)? {_AGE}"
            rf" (?:when|at the time) {_THEY} (?P<did>[^;:]{{3,80}})"
        ),
        rf"(?P<who>[^;:]{{2,120}}?) (?P<did>lived) to (?:be (?:(?P<after>over|more than) )?|the age of ){_AGE}",
        (
            rf"{_EVENT} (?:in|while in|during) (?:his|her|their) (?:(?P<part>early|mid|late)[ -])?"
            r"(?P<decade>teens|twenties|thirties|forties|fifties"
            r"|sixties|seventies|eighties|nineties|[2-9]0['’]?s)"
        ),
        rf"{_EVENT} (?:when|while|since|as)(?: {_THEY} (?:was|were))? an? (?P<decade>teen)ager",
        rf"{_EVENT} in the year (?:that )?{_THEY} turned {_AGE}",
    )
)
_DECADES: Final = {
    word: number * 10
    for number, word in enumerate(
        "teens twenties thirties forties fifties sixties seventies eighties nineties".split(), 1
    )
}
_PARTS_OF_TEN: Final = {"": (0, 10), "early": (0, 4), "mid": (4, 7), "late": (7, 10)}
_TEENS: Final = frozenset(range(13, 20))
_ACTIVE: Final = re.compile(r"(?P<who>[^;:]{2,120}?) (?:became|has been|have been|was|were) (?:first )?active")
_BIRTHS: Final = frozenset({"born", "birthdate", "dateofbirth", "birth"})


@dataclass(frozen=True, slots=True)
class _Said:
    """An event, the ages that a claim allows, and whether it says that the age was below or above them."""

    event: str
    ages: frozenset[int]
    way: str

    def holds(self, youngest: int, oldest: int) -> bool:
        """Whether all ages that are possible are as the claim says."""
        if self.way == "before":
            return oldest < min(self.ages)
        if self.way == "after":
            return youngest > max(self.ages)
        return set(range(youngest, oldest + 1)) <= self.ages


def supported_by_ages(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that somebody was as old as a claim says at an event that a record dates, or None."""
    said = _said_in(claim.text.strip(" ."))
    if said is None:
        return None
    for stated, span in _events(said.event, claim, pack):
        birth = _birth_beside(stated.field, pack)
        if birth is None:
            continue
        youngest, oldest = years_between(birth[1].last, span.first), years_between(birth[1].first, span.last)
        if said.way == "year":
            # The age of a calendar year: both years are certain.
            youngest, oldest = span.first[0] - birth[1].last[0], span.last[0] - birth[1].first[0]
        if 0 <= youngest <= oldest and said.holds(youngest, oldest):
            return supported_by(stated.judgement, Judgement(stated.judgement.verdict, (), (birth[0],)))
    return None


def _said_in(text: str) -> _Said | None:
    for form in _FORMS:
        match = form.fullmatch(text)
        if match is None:
            continue
        part = match.groupdict()
        did = "died" if part.get("did") == "lived" else part.get("did")
        event = part.get("event") or f"{part.get('who')} {did}"
        if part.get("decade"):
            return _Said(event, _ages_of(part["decade"].lower(), (part.get("part") or "").lower()), "")
        ages = [_number(said) for said in (part["age"], part["or"]) if said]
        known = frozenset(age for age in ages if age is not None)
        way = next((way for way in ("before", "after") if part.get(way)), "year" if form is _FORMS[-1] else "")
        if known and len(known) == len(ages) and not (way and len(ages) > 1):
            return _Said(event, known, way)
    return None


def _ages_of(decade: str, part: str) -> frozenset[int]:
    if decade in ("teen", "teens"):
        return frozenset() if part else _TEENS
    first = int(decade[:2]) if decade[0].isdigit() else _DECADES[decade]
    since, until = _PARTS_OF_TEN[part]
    return frozenset(range(first + since, first + until))


def _number(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    value = number_word(text)
    return value[0] if value is not None and value[1] == "cardinal" else None


def _events(event: str, claim: Reading, pack: PackView) -> Iterator[tuple[Stated, TimeSpan]]:
    """Yield the fields that date an event, and when it was; of a time of activity when it began."""
    yield from dated_items(event, claim, pack)
    yield from weddings(event, claim, pack)
    active = _ACTIVE.fullmatch(event)
    clause = f"{active['who']} was active" if active is not None else event
    for field in fields_asked(claim, clause, pack):
        if field.kind != "text" or field.is_list_item:
            continue
        ends = ends_of_value(field.value)
        span = ends[0] if ends is not None and active is not None else span_of_value(field.value)
        if span is None or (ends is not None and active is None):
            continue
        texts = [clause, f"{clause} {field.value.strip()}", f"{clause} in {field.value.strip()}"]
        stated = stating(claim, texts, field, pack)
        if stated is not None:
            yield stated, span


def _birth_beside(field: Field, pack: PackView) -> tuple[Field, TimeSpan] | None:
    """Return the one date of birth of whom a field is about."""
    found = []
    for other in pack.items[field.evidence_id].fields:
        is_birth = bool(other.names) and other.names[-1].squashed in _BIRTHS and other.standing is Standing.EVIDENCE
        if is_birth and other is not field and _parent(other) == _parent(field):
            span = span_of_value(other.value) if other.kind == "text" else None
            found.append((other, span))
    if len(found) != 1 or found[0][1] is None:
        return None
    return found[0][0], found[0][1]


def _parent(field: Field) -> tuple[str | int, ...]:
    path = field.path[:-1]
    return path if isinstance(field.path[-1], str) else path[:-1]
