"""Seeds: what in one can never become a record, and what of it a record must still hold.

A leaf of a seed is somebody's word: it survives unchanged, an empty container too.  Rows of a declared array are
found again by their key, all others by their index.

Source: records.md section 6.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final, NamedTuple

from veracord.composer.whole_rows import row_keys
from veracord.pipeline.verdicts import Defect
from veracord.records.conditions import applies_always, places_read
from veracord.records.evidence import UNSUPPORTING_ORIGINS
from veracord.records.identity import normal_form
from veracord.records.pointers import Tokens, get, join, matches, split, step
from veracord.records.profiles import Profile
from veracord.records.rules import SumRule
from veracord.records.values import (
    EXACT,
    MISSING,
    JsonObject,
    JsonValue,
    Missing,
    equal,
    holds_objects,
    is_leaf,
    is_number,
)
from veracord.records.violations import Finding, Shape

#: What a container may still come to satisfy when something is added to it.
_GROWS: Final = ("minProperties", "minItems", "contains", "minContains", "not")

DROPPED: Final = "seed_leaf_dropped"
CHANGED: Final = "seed_leaf_changed"
OTHER_IDENTITY: Final = "identity_changed"


def seed_problems(profile: Profile, seed: JsonObject, findings: list[Finding] | None = None) -> list[Finding]:
    """Return the violations of a seed that nothing that is added to it could cure.

    Args:
        profile: What the record must be.
        seed: What is known of it.
        findings: Its violations, where they are known already.
    """
    known = profile.findings(seed) if findings is None else findings
    return [finding for finding in known if not _is_curable(profile, seed, finding)]


def _is_curable(profile: Profile, seed: JsonObject, finding: Finding) -> bool:
    match finding.shape:
        case Shape.MISSING:
            # An empty object of the seed stays one.
            return len(finding.tokens) == 1 or bool(get(seed, finding.tokens[:-1]))
        case Shape.BRANCHES | Shape.AMBIGUOUS:
            return True
        case Shape.RULE:
            return finding.violation.rule == "sum" and _may_still_add_up(profile, seed, finding)
    value = get(seed, finding.tokens)
    if finding.shape is Shape.VALUE and value is not MISSING and not is_leaf(value):
        return finding.violation.rule in _GROWS
    if applies_always(finding):
        return False
    # What a condition demands may no longer be demanded once what it reads is there.
    return any(get(seed, place) is MISSING for place in places_read(profile.schema, finding, seed))


def _may_still_add_up(profile: Profile, seed: JsonObject, finding: Finding) -> bool:
    """Whether a sum is too small, and its array may get further rows."""
    if profile.row_key(finding.tokens) is None:
        return False
    total = Decimal(0)
    for place in finding.reads:
        value = get(seed, place)
        total = EXACT.add(total, value) if is_number(value) else total
    rules = [rule for rule in profile.rules if isinstance(rule, SumRule) and matches(finding.reads[0], rule.over)]
    return not any(rule.maximum is not None and total > rule.maximum for rule in rules)


class SeedLeaf(NamedTuple):
    """A leaf of a seed, and where a record has it.

    Attributes:
        place: Its place in the seed.
        value: Its value.
        found_at: The same place in the record; None where the record has no such place.
    """

    place: Tokens
    value: JsonValue
    found_at: Tokens | None


def seed_leaves(profile: Profile, seed: JsonObject, record: JsonObject) -> Iterator[SeedLeaf]:
    """Yield every leaf of a seed with its place in a record."""
    yield from _leaves(profile, seed, record, (), ())


def _leaves(
    profile: Profile, ours: JsonValue, theirs: JsonValue | Missing, place: Tokens, found_at: Tokens
) -> Iterator[SeedLeaf]:
    if is_leaf(ours):
        yield SeedLeaf(place, ours, None if theirs is MISSING else found_at)
        return
    if type(ours) is not type(theirs):
        # A list is no object, though a member may be called like an index.
        theirs = MISSING
    if isinstance(ours, dict):
        steps = {name: name for name in ours}
    else:
        assert isinstance(ours, list)  # noqa: S101 - nothing else has leaves below it
        steps = row_steps(profile, place, ours, theirs)
    for token, other in steps.items():
        child = step(ours, token)
        assert child is not MISSING  # noqa: S101 - the token is its own
        yield from _leaves(profile, child, step(theirs, other), (*place, token), (*found_at, other))


def row_steps(profile: Profile, place: Tokens, ours: list[JsonValue], theirs: JsonValue | Missing) -> dict[str, str]:
    """Return for each row of a list the index of the same row of another list, both as tokens.

    By key where the list is declared and the rows of both can be told apart, otherwise by index.  What the other
    list lacks gets an index that it does not have.
    """
    key = profile.row_key(place)
    if key is not None and isinstance(theirs, list) and holds_objects(theirs):
        our_keys, their_keys = row_keys(ours, key), row_keys(theirs, key)
        if our_keys is not None and their_keys is not None:
            index = {values: str(number) for number, values in enumerate(their_keys)}
            return {str(n): index.get(values, str(len(theirs))) for n, values in enumerate(our_keys)}
    return {str(number): str(number) for number in range(len(ours))}


def survival_problems(profile: Profile, seed: JsonObject, record: JsonObject) -> list[Defect]:
    """Return a defect for each leaf of a seed that a record does not hold unchanged, at its place in the seed."""
    problems: list[Defect] = []
    for leaf in seed_leaves(profile, seed, record):
        held = MISSING if leaf.found_at is None else get(record, leaf.found_at)
        if held is MISSING:
            problems.append(Defect(DROPPED, join(leaf.place), "the seed has a value here, which must stay"))
        elif not equal(held, leaf.value):
            problems.append(Defect(CHANGED, join(leaf.place), "the value must be that of the seed, unchanged"))
    return problems


def identity_problems(profile: Profile, seed: JsonObject, record: JsonObject) -> list[Defect]:
    """Return a defect for each identity member of a seed that a record says otherwise."""
    members = [(member.tokens, member.is_gtin) for member in profile.identity.all_members]
    members += [(profile.identity.record_id, False)] if profile.identity.record_id is not None else []
    return [
        Defect(OTHER_IDENTITY, join(place), "the record must be about the product that the seed names")
        for place, is_gtin in members
        if (ours := normal_form(get(seed, place), is_gtin=is_gtin)) is not MISSING
        and normal_form(get(record, place), is_gtin=is_gtin) != ours
    ]


def supporting_part(seed: JsonObject, origins: Mapping[str, str]) -> JsonObject:
    """Return a seed without the members whose origin supports nothing; the seed itself where there are none."""
    part: JsonValue | Missing = seed
    for pointer, origin in origins.items():
        if origin in UNSUPPORTING_ORIGINS and part is not MISSING:
            part = _without(part, split(pointer))
    return part if isinstance(part, dict) else {}


def _without(node: JsonValue, place: Tokens) -> JsonValue | Missing:
    """Return a node without what stands at a place; an object that has nothing left goes, too."""
    if not place or is_leaf(node):
        return MISSING
    child = step(node, place[0])
    if child is MISSING:
        return node
    left = _without(child, place[1:])
    if isinstance(node, list):
        # A row stays, so that the others keep their index.
        kept: JsonValue = {} if left is MISSING else left
        return [kept if str(number) == place[0] else item for number, item in enumerate(node)]
    assert isinstance(node, dict)  # noqa: S101 - nothing else has members
    rest = {name: item for name, item in node.items() if name != place[0]}
    if left is not MISSING:
        rest[place[0]] = left
    return rest or MISSING
