"""What only a profile knows about a result, decided anew from its record and the evidence.

Of a repair the fills are taken out of the record, of a synthesis the leaves that evidence states; then it is planned
what could stand there, as if it were to be filled today: which sources are about the same product and count, which of
their rows is the same row, what they disagree about.  A claim that such a plan does not allow is refused.  What a store
remembers of suggestions is not part of it, nor whether another set of fills would have been the larger one.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from veracord.composer.explanation import OUTCOMES
from veracord.composer.outcomes import Status
from veracord.composer.planning import Plan, Planner
from veracord.composer.support import ground
from veracord.composer.units import Unit, set_units
from veracord.records.evidence import EvidencePack
from veracord.records.matching import EvidenceIndex, Match
from veracord.records.pointers import Tokens, get, is_under, join, split
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, equal, is_leaf

_OTHER_ROW: Final = "by its key this is not the same row of the source"
_OTHER_PRODUCT: Final = "the source is not about the same product, or does not count"
_OTHER_VALUE: Final = "the source does not count here, others state the value otherwise"
_UNKNOWN: Final = "nothing could be filled here from this source"
_OTHERS_AGREE: Final = "also names a source that does not say so, or does not count"
_OTHERS_OVERRULED: Final = "the sources that are overruled are not those that it names"
_INVALID: Final = "the value violates the profile"


class Claim(NamedTuple):
    """A leaf that is said to come from evidence.

    Attributes:
        path: Its place in the record.
        evidence_id: The source.
        source: Its place there.
        value: What it is.
        also: Further sources that are said to say the same.
        overruled: Sources that are said to be overruled; None where nothing is said of that.
    """

    path: Tokens
    evidence_id: str
    source: Tokens
    value: JsonValue
    also: frozenset[str] = frozenset()
    overruled: frozenset[str] | None = None


def refused_fills(
    profile: Profile, record: JsonObject, claims: Sequence[Claim], pack: EvidencePack
) -> dict[Tokens, str]:
    """Return the fills of a repair that would not be made, by place, with the reason.

    Args:
        profile: What the record must be.
        record: The repaired record; it holds what the claims say.
        claims: The fills.
        pack: The evidence.
    """
    return dict(_Refill(profile, record, EvidenceIndex.of(pack, profile.identity)).refused(claims))


class _Refill:
    """The fills of one record, planned anew."""

    def __init__(self, profile: Profile, record: JsonObject, index: EvidenceIndex) -> None:
        self._profile = profile
        self._record = record
        self._index = index

    def refused(self, claims: Sequence[Claim]) -> Iterator[tuple[Tokens, str]]:
        violating = {finding.tokens for finding in self._profile.findings(self._record)}
        base = _as_object(_without(self._record, {claim.path for claim in claims}, keeps_rows=True))
        for group in self._groups(claims):
            planned = self._planned(base, group)
            for claim in group:
                reason = _objection(claim, *planned)
                if reason is not None and not _is_mixed(planned[0], claim):
                    # In a repair of several passes more of the record was there when this was filled.
                    around = _as_object(_without(self._record, {claim.path}, keeps_rows=True))
                    reason = _objection(claim, *self._planned(around, [claim])) and reason
                if reason is None and any(is_under(at, claim.path) for at in violating):
                    reason = _INVALID
                if reason is not None:
                    yield claim.path, reason
            base = set_units(base, [Unit(claim.path, claim.value, ()) for claim in group])

    def _groups(self, claims: Sequence[Claim]) -> Iterator[list[Claim]]:
        """Yield what is filled together: each identity member by itself, for once it is known others match."""
        rest = list(claims)
        for member in self._profile.identity.all_members:
            own = [claim for claim in rest if is_under(claim.path, member.tokens)]
            rest = [claim for claim in rest if not is_under(claim.path, member.tokens)]
            if own:
                yield own
        if rest:
            yield rest

    def _planned(self, record: JsonObject, claims: Iterable[Claim]) -> tuple[Plan, Match]:
        findings = self._profile.findings(record)
        match = self._index.match(record, [finding.tokens for finding in findings])
        places = {_topmost_missing(record, claim.path) for claim in claims}
        return Planner(self._profile, record, findings, match).plan_places(places), match


def _objection(claim: Claim, plan: Plan, match: Match) -> str | None:
    """Return why a plan does not allow a claim; None where it does."""
    if all(source.evidence_id != claim.evidence_id for source in match.sources) or match.key is None:
        return _OTHER_PRODUCT
    unit = _unit_around(plan, claim.path)
    if unit is None:
        status = plan.statuses.first([claim.path]) or _status_above(plan, claim.path)
        return _UNKNOWN if status is None else OUTCOMES[status.outcome.value]
    if claim.evidence_id not in unit.supporters:
        return _OTHER_VALUE
    if not claim.also <= unit.supporters:
        return _OTHERS_AGREE
    if claim.overruled is not None and claim.overruled != {said.source.evidence_id for said in unit.overruled}:
        return _OTHERS_OVERRULED
    found = {place: (pointer, value) for place, pointer, value in unit.named_after(claim.evidence_id).leaves()}
    pointer, value = found.get(claim.path, (None, None))
    return None if pointer == claim.source and equal(value, claim.value) else _OTHER_ROW


def _unit_around(plan: Plan, place: Tokens) -> Unit | None:
    return next((plan.units[place[:n]] for n in range(len(place) + 1) if place[:n] in plan.units), None)


def _status_above(plan: Plan, place: Tokens) -> Status | None:
    found = (plan.statuses.own(place[:depth]) for depth in range(len(place) - 1, 0, -1))
    return next((status for status in found if status is not None), None)


def _is_mixed(plan: Plan, claim: Claim) -> bool:
    """Whether a claim was given up because its row would be mixed from sources that disagree."""
    status = plan.statuses.own(claim.path)
    return status is not None and status.detail == "rows_differ"


def _topmost_missing(record: JsonObject, place: Tokens) -> Tokens:
    tops = (place[:depth] for depth in range(1, len(place) + 1))
    return next((top for top in tops if get(record, top) is MISSING), place)


def refused_support(
    profile: Profile, record: JsonObject, claims: Sequence[Claim], pack: EvidencePack
) -> dict[Tokens, str]:
    """Return the leaves of a synthesis that nothing supports as it is claimed, by place, with the reason.

    Args:
        profile: What the record must be.
        record: The record of the result.
        claims: The leaves that evidence is said to state.
        pack: The evidence.
    """
    seed = _as_object(_without(record, {claim.path for claim in claims}, keeps_rows=False))
    refused: dict[Tokens, str] = {}
    for evidence_id in sorted({claim.evidence_id for claim in claims}):
        own = [claim for claim in claims if claim.evidence_id == evidence_id]
        refused |= _unsupported(profile, record, seed, own, pack)
    return refused


def _unsupported(
    profile: Profile, record: JsonObject, seed: JsonObject, claims: list[Claim], pack: EvidencePack
) -> dict[Tokens, str]:
    """Return which leaves of one source it does not support.

    Where others state the same, one of them may be named instead of it, so these are left out then.
    """
    refused: dict[Tokens, str] = {}
    others: set[str] = set()
    while claims:
        items = EvidencePack(item for item in pack.items if item.id not in others) if others else pack
        grounding = ground(profile, seed, EvidenceIndex.of(items, profile.identity), record)
        rows = {row.path: row for row in grounding.rows}
        facts = {problem.path: problem.fact for problem in grounding.problems}
        named_others: list[Claim] = []
        for claim in claims:
            row = rows.get(join(claim.path))
            if row is None:
                refused[claim.path] = facts.get(join(claim.path), _UNKNOWN)
            elif row.evidence_id != claim.evidence_id:
                named_others.append(claim)
            elif split(row.source_pointer) != claim.source:
                refused[claim.path] = _OTHER_ROW
        others |= {rows[join(claim.path)].evidence_id for claim in named_others}
        claims = named_others
    return refused


def _without(node: JsonValue, gone: set[Tokens], *, keeps_rows: bool, at: Tokens = ()) -> JsonValue | Missing:
    """Return a value without places; what has nothing left goes, too.

    Args:
        node: The value.
        gone: The places.
        keeps_rows: Whether a row that has nothing left stays as an empty one, so that the others keep their index.
        at: The place of the value.
    """
    if at in gone:
        return MISSING
    if is_leaf(node):
        return node
    if isinstance(node, dict):
        parts = {name: _without(child, gone, keeps_rows=keeps_rows, at=(*at, name)) for name, child in node.items()}
        kept = {name: part for name, part in parts.items() if part is not MISSING}
        return kept or MISSING
    assert isinstance(node, list)  # noqa: S101 - nothing else has leaves below it
    items = [_without(child, gone, keeps_rows=keeps_rows, at=(*at, str(n))) for n, child in enumerate(node)]
    if all(item is MISSING for item in items):
        return MISSING
    return [{} if item is MISSING else item for item in items if keeps_rows or item is not MISSING]


def _as_object(value: JsonValue | Missing) -> JsonObject:
    return value if isinstance(value, dict) else {}
