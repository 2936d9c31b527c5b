"""Rule `people`: how many stand in a list that a verb tells of.

Supported: "Low Tide was directed by two people", "was written by more than one person" where the record lists two of
each.  Not: "by three people" of the same; nor any where one text may hold several names.
"""

import re
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.list_counts import count_of, is_person, may_be_called, names_in
from veracord.grounding.packs import PackView
from veracord.grounding.substitution import fields_asked, stating, supported_by, values_beside
from veracord.grounding.support import Judgement
from veracord.language.number_words import number_word

_ROLES: Final = {
    "director": "was directed by", "producer": "was produced by", "writer": "was written by",
    "editor": "was edited by", "composer": "music by", "actor": "stars", "star": "stars",
}  # fmt: skip
_COUNT: Final = (
    r"(?P<bound>more than |less than |fewer than |at least )?(?P<number>\d{1,2}|[a-z]{3,9})"
    r" (?:different |separate |main |starring )?"
)
_BY: Final = re.compile(
    rf"(?P<clause>[^;:]{{2,160}}? (?:by|stars|starred|starring)) {_COUNT}"
    r"(?P<sort>people|persons?|individuals|producers|directors|writers|actors|companies)",
    re.IGNORECASE,
)
_SORTS: Final = frozenset({"people", "person", "persons", "individuals", "companies"})
_HAS: Final = re.compile(
    rf"(?P<who>[^;:]{{2,120}}?) (?:has|had) {_COUNT}(?P<role>{'|'.join(_ROLES)})s?(?:/actress(?:es)?)?", re.IGNORECASE
)
#: People who sit in something that a field lists the members of.
_ON: Final = re.compile(
    rf"(?P<who>[^;:]{{2,120}}?) (?:has|had) {_COUNT}(?:people|persons|individuals|members)"
    r" (?:(?:that|who) (?:are|sit) )?(?:on|in|of) (?:the|its)"
    r" (?P<what>(?:[a-z]+ )?(?:council|board|team|committee|crew|staff|panel|jury))",
    re.IGNORECASE,
)


def supported_by_people(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that a list of names is as long as a claim says, or None."""
    text = claim.text.strip(" .")
    match = _BY.fullmatch(text) or _HAS.fullmatch(text) or _ON.fullmatch(text)
    if match is None:
        return None
    clause = _clause_of(match)
    word = match["number"].lower()
    said = (int(word), "cardinal") if word.isdigit() else (1, "cardinal") if word == "one" else number_word(word)
    if said is None or said[1] != "cardinal":
        return None
    for field in fields_asked(claim, clause, pack):
        way = (match["bound"] or "").strip().lower()
        if not _fits(field, said[0], way, pack) or not _are_so(match, field, pack):
            continue
        stated = stating(claim, [f"{clause} {field.value.strip()}"], field, pack)
        if stated is not None:
            return supported_by(stated.judgement)
    return None


def _clause_of(match: re.Match[str]) -> str:
    """Return how the value of the list that a claim counts is told: "Low Tide was directed by"."""
    if match.re is _BY:
        return match["clause"]
    if match.re is _HAS:
        return f"{match['who']} {_ROLES[match['role'].lower()]}"
    return f"the {match['what']} of {match['who']} includes"


def _are_so(match: re.Match[str], field: Field, pack: PackView) -> bool:
    """Whether the values of a list may be what a claim says that they are: persons, and no companies."""
    if match.re is _ON:
        return _lists_persons(field, pack)
    sort = match["sort"].lower() if match.re is _BY else ""
    return sort not in _SORTS or all(may_be_called(one.value, sort) for one in values_beside(field, pack))


def _lists_persons(field: Field, pack: PackView) -> bool:
    """Whether each value of a list is the name of one person, with what he or she is in front: "Chair: Bo Ek"."""
    values = [one.value.partition(": ")[2] or one.value for one in values_beside(field, pack)]
    return field.is_list_item and all(is_person(value) for value in values)


def _fits(field: Field, said: int, way: str, pack: PackView) -> bool:
    listed = names_in(field.value) if field.kind == "text" and field.list_size < 2 else 0  # noqa: PLR2004 - one text
    if listed:
        return _is_as_said(listed, said, way)
    count = count_of(field, pack, needs_all=way not in ("more than", "at least"))
    if count is None or count[1].value is None:
        return False
    return _is_as_said(int(count[1].value), said, way)


def _is_as_said(held: int, said: int, way: str) -> bool:
    if way == "at least":
        return held >= said
    if way in ("less than", "fewer than"):
        return held < said
    return held > said if way else held == said
