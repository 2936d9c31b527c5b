"""The rules for claims that follow from what evidence states, and are not stated by it in so many words.

Each is a file of its own, and takes a claim apart into claims that are supported one by one from what is cited.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.claim_parts import claim_parts_of
from veracord.grounding.clauses import parts_of
from veracord.grounding.packs import PackView
from veracord.grounding.plain_amounts import with_plain_amounts
from veracord.grounding.rule_addresses import supported_by_addresses
from veracord.grounding.rule_ages import supported_by_ages
from veracord.grounding.rule_bounds import supported_by_bounds
from veracord.grounding.rule_clocks import supported_by_clocks
from veracord.grounding.rule_countries import supported_by_countries
from veracord.grounding.rule_counts import supported_by_counts
from veracord.grounding.rule_dates import supported_by_dates
from veracord.grounding.rule_durations import supported_by_durations, supported_by_starts
from veracord.grounding.rule_earnings import supported_by_earnings
from veracord.grounding.rule_event_dates import supported_by_event_dates
from veracord.grounding.rule_existence import supported_by_existence
from veracord.grounding.rule_fields import supported_by_fields
from veracord.grounding.rule_kinds import supported_by_kinds
from veracord.grounding.rule_lists import supported_by_lists
from veracord.grounding.rule_marriages import supported_by_marriages
from veracord.grounding.rule_names import supported_by_names
from veracord.grounding.rule_order import supported_by_order
from veracord.grounding.rule_overlaps import supported_by_overlaps
from veracord.grounding.rule_people import supported_by_people
from veracord.grounding.rule_predicates import supported_by_predicates
from veracord.grounding.rule_ratios import supported_by_ratios
from veracord.grounding.rule_regions import supported_by_regions
from veracord.grounding.rule_rewordings import supported_by_rewordings
from veracord.grounding.rule_roles import supported_by_roles
from veracord.grounding.rule_same import supported_by_same
from veracord.grounding.rule_shares import supported_by_shares
from veracord.grounding.rule_sizes import supported_by_sizes
from veracord.grounding.rule_subjects import supported_by_subjects
from veracord.grounding.substitution import reworded, supported_by
from veracord.grounding.support import SUPPORTED, Judgement, judge
from veracord.grounding.text_rules import supported_by_comparison, supported_by_two_hops

Rule = Callable[[Reading, PackView], Judgement | None]

_TEXT_RULES: Final[tuple[Rule, ...]] = (supported_by_comparison, supported_by_two_hops)
_RULES: Final[tuple[Rule, ...]] = (
    *_TEXT_RULES,
    supported_by_bounds,
    supported_by_clocks,
    supported_by_dates,
    supported_by_roles,
    supported_by_fields,
    supported_by_ratios,
    supported_by_sizes,
    supported_by_shares,
    supported_by_same,
    supported_by_overlaps,
    supported_by_ages,
    supported_by_durations,
    supported_by_starts,
    supported_by_order,
    supported_by_marriages,
    supported_by_people,
    supported_by_countries,
    supported_by_regions,
    supported_by_addresses,
)
_DEEPEST: Final = 2
_MOST_WAYS: Final = 8
#: A longer sentence says more than one thing that follows.
_LONGEST: Final = 400
_MOST_ATOMS: Final = 48
_MOST_JOINTS: Final = 3
_JOINT: Final = re.compile(r"\b(?:and|but|und)\b")
#: How many claims one claim may be taken apart into on all ways together.
_MOST_CLAIMS: Final = 16


@dataclass(slots=True)
class _Work:
    """How many claims may still be judged for one claim, so that none costs more than its length."""

    left: int


def supported_by_rule(claim: Reading, pack: PackView) -> Judgement | None:
    """Return what the first rule that applies finds supported, or None."""
    if not any(pack.items[one].fields for one in claim.claim.evidence_ids if one in pack.items):
        # Prose has no values that stand alone.
        return next((found for rule in _TEXT_RULES if (found := rule(claim, pack)) is not None), None)
    return _by_rules(claim, pack, 0, _Work(_MOST_CLAIMS))


def _by_rules(claim: Reading, pack: PackView, depth: int, work: _Work) -> Judgement | None:
    if len(claim.text) > _LONGEST or len(claim.atoms) > _MOST_ATOMS or len(_JOINT.findall(claim.text)) > _MOST_JOINTS:
        return None
    plain = with_plain_amounts(claim.text)
    read = claim if plain == claim.text else reworded(claim, plain)
    found = next((found for rule in _RULES if (found := rule(read, pack)) is not None), None)
    if found is None and read is not claim and (said := judge(read, pack)).verdict == SUPPORTED:
        return said
    if found is not None or depth >= _DEEPEST:
        return found

    def support(text: str) -> Judgement | None:
        return _supported(reworded(claim, text), pack, depth + 1, work)

    return (
        supported_by_predicates(read, pack, support)
        or supported_by_kinds(read, pack, support)
        or supported_by_lists(read, support)
        or supported_by_counts(read, pack, support)
        or supported_by_rewordings(read, support)
        or supported_by_names(read, pack, support)
        or supported_by_subjects(read, pack, support)
        or supported_by_earnings(read, pack, support)
        or supported_by_existence(read, pack, support)
        or supported_by_event_dates(read, pack, support)
    )


def _supported(claim: Reading, pack: PackView, depth: int, work: _Work) -> Judgement | None:
    """Return that a claim, or each of its clauses, is supported, or None."""
    work.left -= 1
    if work.left < 0:
        return None
    found = judge(claim, pack)
    if found.verdict == SUPPORTED:
        return found
    by_rule = _by_rules(claim, pack, depth, work)
    if by_rule is not None or depth >= _DEEPEST:
        return by_rule
    ways = [
        [text for text, _ in parts_of(claim.text)],
        *map(list, islice(claim_parts_of(claim.text, list(claim.atoms)), _MOST_WAYS)),
    ]
    for parts in ways:
        judged = [_supported(reworded(claim, part), pack, depth + 1, work) for part in parts]
        if judged and all(judged):
            return supported_by(*(one for one in judged if one is not None))
    return None
