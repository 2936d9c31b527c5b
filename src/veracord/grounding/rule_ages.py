"""Rule `ages`: how old somebody was at an event, from the two dates of one record.

Supported: "Ada Berg died at the age of 59", "died when she was 59", "died before she was 60" of one born on 6 October
1952 who died on 4 May 2012.  Not: "at the age of 60"; nor "at the age of 59" where only the years are known, as 60 is as
likely then.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field, Standing
from veracord.grounding.packs import PackView
from veracord.grounding.substitution import Stated, fields_asked, stating, supported_by
from veracord.grounding.support import Judgement
from veracord.grounding.time_spans import TimeSpan, ends_of_value, span_of_value, years_between
from veracord.language.number_words import number_word

_THEY: Final = r"(?:he|she|they)"
_AGE: Final = r"(?P<age>\d{1,3}|[a-z]{3,9}(?:-[a-z]{3,5})?)(?: or (?P<or>\d{1,3}))?(?: years?(?: old| of age)?)?"
_FORMS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<event>[^;:]{{2,200}}?),? (?:when|while|since) {_THEY} (?:was|were|turned) {_AGE}",
        rf"(?P<event>[^;:]{{2,200}}?),? (?:at|since)(?: the)? age(?: of)? {_AGE}",
        rf"(?P<event>[^;:]{{2,200}}?),? (?:when )?aged {_AGE}",
        rf"(?P<event>[^;:]{{2,200}}?),? (?P<before>before) (?:{_THEY} (?:was|were|turned)|(?:the )?age(?: of)?"
        rf"|turning|reaching(?: the)?(?: age)?(?: of)?) {_AGE}",
    )
)
_ACTIVE: Final = re.compile(r"(?P<who>[^;:]{2,120}?) (?:became|has been|have been|was|were) (?:first )?active")
_BIRTHS: Final = frozenset({"born", "birthdate", "dateofbirth", "birth"})


@dataclass(frozen=True, slots=True)
class _Said:
    event: str
    ages: frozenset[int]
    is_before: bool


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
        holds = oldest < min(said.ages) if said.is_before else set(range(youngest, oldest + 1)) <= said.ages
        if holds and 0 <= youngest <= oldest:
            beside = Judgement(stated.judgement.verdict, (), (birth[0],))
            return supported_by(stated.judgement, beside)
    return None


def _said_in(text: str) -> _Said | None:
    for form in _FORMS:
        match = form.fullmatch(text)
        if match is None:
            continue
        ages = [_number(match[group]) for group in ("age", "or") if match[group]]
        known = frozenset(age for age in ages if age is not None)
        is_before = "before" in form.groupindex
        if known and len(known) == len(ages) and not (is_before and len(ages) > 1):
            return _Said(match["event"], known, is_before)
    return None


def _number(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    value = number_word(text)
    return value[0] if value is not None and value[1] == "cardinal" else None


def _events(event: str, claim: Reading, pack: PackView) -> Iterator[tuple[Stated, TimeSpan]]:
    """Yield the fields that date an event, and when it was; of a time of activity when it began."""
    active = _ACTIVE.fullmatch(event)
    clause = f"{active['who']} was active" if active is not None else event
    for field in fields_asked(claim, clause, pack):
        if field.kind != "text" or field.is_list_item:
            continue
        ends = ends_of_value(field.value)
        span = ends[0] if ends is not None and active is not None else span_of_value(field.value)
        if span is None or (ends is not None and active is None):
            continue
        texts = [f"{clause} {field.value.strip()}", f"{clause} in {field.value.strip()}"]
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
