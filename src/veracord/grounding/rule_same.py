"""Rule `same`: two fields of one record hold the same, or not: two makers, two years, two countries, two sizes.

Supported: "The manufacturer of the pump is also its importer" where both are "Alpha AG", "The pump was built in the
same year as it was tested", "The length and the width of it are the same" of 12 cm and 120 mm.  Not: of "Alpha" and
"Alpha AG", of a list, of a year that may be another, or where a country is not told.
"""

import re
from collections.abc import Callable
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.countries import Country
from veracord.grounding.list_counts import may_be_called
from veracord.grounding.packs import PackView
from veracord.grounding.part_values import is_limited
from veracord.grounding.rule_fields import exact_value
from veracord.grounding.rule_order import dated
from veracord.grounding.rule_roles import are_apart, is_one_name
from veracord.grounding.substitution import Stated, fields_asked, stating, supported_by
from veracord.grounding.support import Judgement
from veracord.grounding.told_countries import are_apart as are_countries_apart
from veracord.grounding.told_countries import only_country
from veracord.language.bounding import factor_between

_ALSO: Final = re.compile(
    r"(?:the )?(?P<one>[a-z][a-z ]{2,30}?) of (?P<who>[^,;:]{1,120}?) (?:is|was) also (?:its|the|his|her)"
    r" (?P<two>[a-z][a-z ]{2,30})",
    re.IGNORECASE,
)
_AND: Final = re.compile(
    r"(?:the )?(?P<one>[a-z][a-z ]{2,30}?) and (?:the )?(?P<two>[a-z][a-z ]{2,30}?) of (?P<who>[^,;:]{1,120}?)"
    r" (?:are|were) (?:(?P<same>the same|equal|identical)|different)"
    r"(?: (?P<sort>persons?|compan(?:y|ies)|organi[sz]ations?|firms?))?",
    re.IGNORECASE,
)
_WHO_DID: Final = re.compile(
    r"(?P<who>[^,;:]{1,120}?) (?:is|was) (?P<one>[a-z]{4,14}) by the (?:same )?"
    r"(?P<sort>person|company|organi[sz]ation|firm) (?:that|who|which) (?:also )?(?P<two>[a-z]{4,14}) it",
    re.IGNORECASE,
)
_IN_SAME: Final = re.compile(
    r"(?P<who>[^,;:]{1,120}?) (?:is|was) (?P<one>[a-z]{4,14}) in (?:(?P<same>the same)|a different)"
    r" (?P<what>year|country) (?:as|than|that|in which|where)?(?: where)? ?it (?:is|was) (?P<two>[a-z]{4,14})(?: in)?",
    re.IGNORECASE,
)
_AND_IN: Final = re.compile(
    r"(?P<who>[^,;:]{1,120}?) (?:is|was) (?P<one>[a-z]{4,14}) and (?P<two>[a-z]{4,14}) in"
    r" (?:(?P<same>the same)|(?:two )?different) (?P<what>years?|countr(?:y|ies))",
    re.IGNORECASE,
)
_PARTICIPLES: Final = {"wrote": "written", "made": "made", "built": "built", "drew": "drawn"}


def supported_by_same(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that two fields of a record hold the same, or different things, as a claim says, or None."""
    text = claim.text.strip(" .")
    if any(key == "not" for key, _ in claim.shape.cues):
        return None
    for form, decide in _FORMS:
        match = form.fullmatch(text)
        found = decide(match, claim, pack) if match is not None else None
        if found is not None:
            return found
    return None


def _also(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    clauses = (f"the {match['one']} of {match['who']} is", f"the {match['two']} of {match['who']} is")
    return _held_by_same(clauses, claim, pack)


def _who_did(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    two = _PARTICIPLES.get(match["two"].lower(), match["two"])
    clauses = (f"{match['who']} was {match['one']} by", f"{match['who']} was {two} by")
    return _held_by_same(clauses, claim, pack, match["sort"])


def _held_by_same(clauses: tuple[str, str], claim: Reading, pack: PackView, sort: str = "") -> Judgement | None:
    pair = _names(clauses, claim, pack)
    is_so = pair is not None and _is_same(pair) and _are_called(pair, sort)
    return supported_by(pair[0].judgement, pair[1].judgement) if pair is not None and is_so else None


def _are_called(pair: tuple[Stated, Stated], sort: str | None) -> bool:
    return not sort or all(may_be_called(one.field.value, sort) for one in pair)


def _and(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    clauses = (f"the {match['one']} of {match['who']} is", f"the {match['two']} of {match['who']} is")
    first, second = (exact_value(clause, claim, pack) for clause in clauses)
    if first is not None and second is not None:
        if first[0].field is second[0].field or first[0].field.evidence_id != second[0].field.evidence_id:
            return None
        factor = factor_between(first[1], second[1])
        has_unit = first[1].unit is not None
        is_so = has_unit and factor is not None and (factor == 1) == bool(match["same"])
        return supported_by(first[0].judgement, second[0].judgement) if is_so else None
    pair = _names(clauses, claim, pack)
    if pair is None or not _are_called(pair, match["sort"]):
        return None
    is_so = _is_same(pair) if match["same"] else are_apart(pair[0].field, pair[1].field)
    return supported_by(pair[0].judgement, pair[1].judgement) if is_so else None


def _in_same_year(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    first, second = (_year(clause, claim, pack) for clause in _events(match))
    if first is None or second is None:
        return None
    return _if_so(first[0], second[0], (first[1] == second[1]) == bool(match["same"]))


def _in_same_country(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    first, second = (_country(clause, claim, pack) for clause in _events(match))
    if first is None or second is None:
        return None
    return _if_so(first[0], second[0], are_countries_apart(first[1], second[1]) is (not match["same"]))


def _in_same(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    """Return that two events were in one year or country, or in two, as a claim says, or None."""
    decide = _in_same_year if match["what"].lower().startswith("year") else _in_same_country
    return decide(match, claim, pack)


def _events(match: re.Match[str]) -> list[str]:
    return [f"{match['who']} was {match[event]}" for event in ("one", "two")]


def _if_so(first: Stated, second: Stated, is_so: bool) -> Judgement | None:  # noqa: FBT001 - what is found of the two
    is_of_one = first.field is not second.field and first.field.evidence_id == second.field.evidence_id
    return supported_by(first.judgement, second.judgement) if is_so and is_of_one else None


def _year(clause: str, claim: Reading, pack: PackView) -> tuple[Stated, str] | None:
    found = dated(clause, claim, pack)
    if found is None or found[1].first[0] != found[1].last[0]:
        return None
    return found[0], str(found[1].first[0])


def _country(clause: str, claim: Reading, pack: PackView) -> tuple[Stated, Country] | None:
    """Return the one field that tells where something was done, and its country."""
    found = []
    for field in fields_asked(claim, clause, pack):
        told = only_country(field) if not field.is_list_item and not is_limited(field.value) else None
        if told is None:
            continue
        stated = stating(claim, [f"{clause} in {field.value.strip()}", f"{clause} in {told[0]}"], field, pack)
        if stated is not None:
            found.append((stated, told[1]))
    return found[0] if len(found) == 1 else None


def _names(clauses: tuple[str, str], claim: Reading, pack: PackView) -> tuple[Stated, Stated] | None:
    """Return the two fields of one record whose one name completes each of two clauses, or None."""
    found: list[Stated] = []
    for clause in clauses:
        held = [_named(clause, field, claim, pack) for field in fields_asked(claim, clause, pack)]
        named = [stated for stated in held if stated is not None]
        if len(named) != 1:
            return None
        found += named
    is_one_record = found[0].field.evidence_id == found[1].field.evidence_id
    return (found[0], found[1]) if is_one_record and found[0].field is not found[1].field else None


def _named(clause: str, field: Field, claim: Reading, pack: PackView) -> Stated | None:
    is_name = is_one_name(field) and not is_limited(field.value)
    return stating(claim, [f"{clause} {field.value.strip()}"], field, pack) if is_name else None


def _is_same(pair: tuple[Stated, Stated]) -> bool:
    first, second = (" ".join(one.field.value.casefold().split()) for one in pair)
    return first == second


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Reading, PackView], Judgement | None]], ...]] = (
    (_ALSO, _also),
    (_AND, _and),
    (_WHO_DID, _who_did),
    (_IN_SAME, _in_same),
    (_AND_IN, _in_same),
)
