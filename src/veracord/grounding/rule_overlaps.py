"""Rule `overlaps`: one name stands in two lists of one record, or a field's one name in a list beside it.

Supported: "The manufacturer of the pump is also one of its distributors" where the list has its name, "One of the
distributors of the pump is also its manufacturer", "At least one person both wrote and produced Low Tide".  Not: of
"Alpha" and "Alpha AG", nor "the writers also produced it" of two writers.
"""

import re
from itertools import islice
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.list_counts import may_be_called
from veracord.grounding.packs import PackView
from veracord.grounding.part_values import is_limited
from veracord.grounding.rule_roles import holds_one_name
from veracord.grounding.substitution import Stated, fields_asked, stating, supported_by, values_beside
from veracord.grounding.support import Judgement

_ONE_OF: Final = re.compile(
    r"(?:the|(?P<some>(?:at least )?one of the)) (?P<one>[a-z][a-z ]{2,30}?) of (?P<who>[^,;:]{1,120}?) (?:is|was) also"
    r" (?:(?P<only>its|the)|an?|one of (?:its|the)) (?P<two>[a-z][a-z ]{2,30})",
    re.IGNORECASE,
)
_SOMEBODY: Final = re.compile(
    r"(?:at least one (?P<sort>person|company)|somebody|someone)"
    r" (?:both )?(?P<one>[a-z]{4,14}) and (?P<two>[a-z]{4,14}) (?P<who>[^,;:]{1,120})",
    re.IGNORECASE,
)
_INVOLVED: Final = re.compile(
    r"(?:in at least one case,? (?:the same|one)|at least one) (?P<sort>person|company) (?:is|was) involved (?:in|with)"
    r" (?:both )?(?P<one>[a-z]{3,14})ing and (?P<two>[a-z]{3,14})ing (?P<who>[^,;:]{1,120})",
    re.IGNORECASE,
)
#: Verbs as they stand in front of "by", where they do not end in "ed".
_PARTICIPLES: Final = {"wrote": "written", "writ": "written", "made": "made", "mak": "made", "built": "built"}
#: How many names that two fields share are looked at.
_MOST: Final = 4
#: Values of one field by how they are written in small letters.
Named = dict[str, Field]


def supported_by_overlaps(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that somebody is named in two fields of a record, as a claim says, or None."""
    text = claim.text.strip(" .")
    if any(key == "not" for key, _ in claim.shape.cues):
        return None
    match = _ONE_OF.fullmatch(text)
    if match is not None:
        one, two = f"the {match['one']} of {match['who']}", f"the {match['two']} of {match['who']}"
        return _shared(match, (one, two), ("is", "includes"), claim, pack)
    match = _SOMEBODY.fullmatch(text) or _INVOLVED.fullmatch(text)
    if match is None:
        return None
    one, two = (f"{match['who']} was {_done(match[did].lower())} by" for did in ("one", "two"))
    return _shared(match, (one, two), ("",), claim, pack)


def _done(verb: str) -> str:
    """Return a verb as it stands in front of "by": "written" of "wrote" and "writ(ing)"."""
    if verb in _PARTICIPLES:
        return _PARTICIPLES[verb]
    return verb if verb.endswith("ed") else f"{verb}ed"


def _shared(
    match: re.Match[str], clauses: tuple[str, str], verbs: tuple[str, ...], claim: Reading, pack: PackView
) -> Judgement | None:
    """Return that two clauses are completed by one name, and by no other where the claim says "the" or "its"."""
    groups = match.groupdict()
    is_alone = match.re is _ONE_OF and not groups["some"], bool(groups.get("only"))
    one, two = (
        [named for named in _lists(clause, claim, pack) if not alone or len(named) == 1]
        for clause, alone in zip(clauses, is_alone, strict=True)
    )
    pairs = (
        (first[name], second[name]) for first in one for second in two for name in sorted(first.keys() & second.keys())
    )
    for fields in islice((pair for pair in pairs if _are_beside(*pair)), _MOST):
        if groups.get("sort") and not may_be_called(fields[0].value, groups["sort"]):
            continue
        told = [_told(clause, verbs, field, claim, pack) for clause, field in zip(clauses, fields, strict=True)]
        held = [stated.judgement for stated in told if stated is not None]
        if len(held) == len(told):
            return supported_by(*held)
    return None


def _lists(clause: str, claim: Reading, pack: PackView) -> list[Named]:
    """Return for each field that a clause could be about its names; none where a value may hold several."""
    found = []
    for field in fields_asked(claim, clause, pack):
        values = list(values_beside(field, pack))
        if all(holds_one_name(one) and not is_limited(one.value) for one in values):
            found.append({" ".join(one.value.casefold().split()): one for one in values})
    return found


def _told(clause: str, verbs: tuple[str, ...], field: Field, claim: Reading, pack: PackView) -> Stated | None:
    return stating(claim, [" ".join(f"{clause} {verb} {field.value}".split()) for verb in verbs], field, pack)


def _are_beside(one: Field, two: Field) -> bool:
    places = [field.path[:-1] if field.is_list_item else field.path for field in (one, two)]
    return one.evidence_id == two.evidence_id and places[0] != places[1]
