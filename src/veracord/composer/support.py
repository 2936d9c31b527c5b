"""Support: what stands behind each leaf of a record, whoever wrote it.

The question is not who chose a leaf but what may stand at its place.  From the seed and the evidence alone it is worked
out what could be added to the seed (`veracord.composer.assembly`); a leaf of the record is then a leaf of the seed, or
exactly one of these, or it is not grounded.  So what sources contradict each other about supports nothing, and nothing
that a writer could do mixes rows.

Source: records.md section 6.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final, NamedTuple

from veracord.composer.assembly import Basis, basis_of
from veracord.composer.outcomes import Outcome
from veracord.composer.seeds import row_steps, supporting_part
from veracord.composer.support_rows import SupportRow
from veracord.composer.synthesis_results import REQUEST_SEED
from veracord.composer.units import Unit, set_units
from veracord.composer.whole_rows import ROWS_MIXED, row_keys
from veracord.pipeline.verdicts import Defect
from veracord.records.evidence import SUGGESTION_ORIGIN, UNSUPPORTING_ORIGINS
from veracord.records.matching import EvidenceIndex, Match
from veracord.records.pointers import STAR, Tokens, get, is_under, join, matches, split, step
from veracord.records.profiles import Profile
from veracord.records.rules import bind
from veracord.records.values import (
    MISSING,
    JsonObject,
    JsonValue,
    Missing,
    canonical,
    digest,
    equal,
    holds_objects,
    is_leaf,
    leaves,
)

UNGROUNDED: Final = "ungrounded"
SUGGESTION: Final = SUGGESTION_ORIGIN

_FACTS: Final = {
    UNGROUNDED: "neither the seed nor a structured source about this product states this value here",
    SUGGESTION: "a suggestion that came back supports nothing",
    ROWS_MIXED: "all leaves of a row that the seed does not hold come from one source",
    "conflict": "sources about this product disagree here, so no value is supported",
    "caller_controlled": "only the seed may state this",
    "source_placeholder": "what the source holds is a placeholder",
    "context_mismatch": "the source's value belongs to another context, or its context is missing",
    "row_mismatch": "no row of a source is surely the same row",
    "level_mismatch": "the source is about another level of the product",
    "source_invalid": "what the sources say here would not be valid, or not all of it together",
}


@dataclass(frozen=True, slots=True)
class Grounding:
    """What stands behind a record.

    Attributes:
        rows: One for each leaf that is supported, by path.
        problems: One for each leaf that is not, by path.
        match: The sources that are about its product.
    """

    rows: tuple[SupportRow, ...]
    problems: tuple[Defect, ...]
    match: Match


class _Backing(NamedTuple):
    """What stands behind a value: a unit, and the place in its first source."""

    pointer: Tokens
    unit: Unit


@dataclass(slots=True)
class _Walk:
    """A walk over a record beside what it may be built from.

    Attributes:
        profile: What the record must be.
        basis: What it may be built from.
        seed_ref: What refers to the seed.
        rows: What supports each leaf, by place.
        units: The units of those that the seed does not hold.
        failed: Why the other leaves are not supported.
    """

    profile: Profile
    basis: Basis
    seed_ref: str
    rows: dict[Tokens, SupportRow] = field(default_factory=dict)
    units: dict[Tokens, Unit] = field(default_factory=dict)
    failed: dict[Tokens, str] = field(default_factory=dict)

    def compare(self, ours: JsonValue, at: Tokens, known: JsonValue | Missing, place: Tokens) -> None:
        """Look for the support of each leaf of a value at `at` of the record, which is `place` of the basis."""
        if known is MISSING:
            self._added(ours, at, place)
        elif is_leaf(known) or is_leaf(ours):
            self._kept(ours, at, known, place)
        elif isinstance(ours, dict) and isinstance(known, dict):
            for name, child in ours.items():
                self.compare(child, (*at, name), step(known, name), (*place, name))
        elif isinstance(ours, list) and isinstance(known, list):
            self._rows(ours, at, known, place)
        else:
            self.fail(ours, at, UNGROUNDED)

    def _kept(self, ours: JsonValue, at: Tokens, known: JsonValue, place: Tokens) -> None:
        """A leaf that the basis has."""
        if not equal(ours, known):
            self.fail(ours, at, UNGROUNDED)
            return
        unit = next((u for top, u in self.basis.identity.items() if is_under(place, top)), None)
        if unit is None:
            self.rows[at] = SupportRow(join(at), REQUEST_SEED, self.seed_ref, join(place))
        else:
            self._back(at, _Backing((*unit.first.pointer, *place[len(unit.place) :]), unit))

    def _added(self, ours: JsonValue, at: Tokens, place: Tokens) -> None:
        """Something that the basis lacks at its place."""
        unit = self.basis.plan.units.get(place)
        if unit is not None and at == place and equal(ours, unit.value):
            # Next to always: what was planned, at its place.  Rows that are equal are the same rows.
            self.rows |= unit.support
            self.units |= dict.fromkeys(unit.support, unit)
        elif unit is not None:
            self._same(ours, at, unit.value, _Backing(unit.first.pointer, unit), place)
        elif isinstance(ours, dict) and ours:
            for name, child in ours.items():
                self._added(child, (*at, name), (*place, name))
        else:
            self.fail(ours, at, reason_at(self.profile, self.basis, place))

    def _rows(self, ours: list[JsonValue], at: Tokens, known: list[JsonValue], place: Tokens) -> None:
        """A list of rows that the basis has, which may have got more."""
        key = self.profile.row_key(place)
        # Rows that cannot be told apart could be one row twice.
        further = self.basis.plan.units.get(place) if key is not None and row_keys(ours, key) is not None else None
        for token, other in row_steps(self.profile, place, ours, known).items():
            row = step(ours, token)
            assert row is not MISSING  # noqa: S101 - the token is its own
            if step(known, other) is not MISSING:
                self.compare(row, (*at, token), step(known, other), (*place, other))
            elif further is None:
                self.fail(row, (*at, token), reason_at(self.profile, self.basis, place))
            else:
                self._further(row, (*at, token), further)

    def _further(self, row: JsonValue, at: Tokens, unit: Unit) -> None:
        """A row that the list got."""
        key = self.profile.row_key(unit.place)
        whole = get(unit.first.source.content, unit.first.pointer)
        assert key is not None  # noqa: S101 - only declared lists get rows
        assert isinstance(whole, list)  # noqa: S101 - the source states rows there
        assert isinstance(unit.value, list)  # noqa: S101 - and so does the unit
        own, theirs, sourced = row_keys([row], key), row_keys(unit.value, key), row_keys(whole, key)
        if own is None or theirs is None or sourced is None or own[0] not in theirs:
            self.fail(row, at, UNGROUNDED)
            return
        pointer = (*unit.first.pointer, str(sourced.index(own[0])))
        self._same(row, at, unit.value[theirs.index(own[0])], _Backing(pointer, unit), (*unit.place, at[-1]))

    def _same(self, ours: JsonValue, at: Tokens, theirs: JsonValue | Missing, backing: _Backing, place: Tokens) -> None:
        """A value for which a unit has its own: each leaf must be one of the unit's, at its place."""
        # A list is no object, though a member may be called like an index.
        if theirs is MISSING or is_leaf(ours) or is_leaf(theirs) or type(ours) is not type(theirs):
            if theirs is not MISSING and equal(ours, theirs):
                self._back(at, backing)
            else:
                self.fail(ours, at, UNGROUNDED)
            return
        pointer, unit = backing
        if isinstance(ours, dict):
            for name, child in ours.items():
                below = _Backing((*pointer, name), unit)
                self._same(child, (*at, name), step(theirs, name), below, (*place, name))
            return
        assert isinstance(ours, list)  # noqa: S101 - nothing else has leaves below it
        for token, other in row_steps(self.profile, place, ours, theirs).items():
            row = step(ours, token)
            assert row is not MISSING  # noqa: S101 - the token is its own
            self._same(row, (*at, token), step(theirs, other), _Backing((*pointer, other), unit), (*place, other))

    def _back(self, at: Tokens, backing: _Backing) -> None:
        """Note what supports a leaf that the seed does not hold."""
        pointer, unit = backing
        item = unit.first.source.item
        self.rows[at] = SupportRow(join(at), item.id, item.evidence_ref, join(pointer))
        self.units[at] = unit

    def fail(self, value: JsonValue, at: Tokens, code: str) -> None:
        """Note that no leaf of a value is supported."""
        for below, _ in leaves(value):
            self.failed[(*at, *below)] = code

    def check_contexts(self, record: JsonObject) -> None:
        """Give up values that stand without the neighbours that they mean nothing without."""
        for pattern, agrees in self.profile.context.items():
            places = self.units if STAR in pattern else self.units.keys() & {pattern}
            for at in [at for at in places if matches(at, pattern)]:
                row = tuple(token for token, part in zip(at, pattern, strict=True) if part == STAR)
                if any(self._lacks(record, at, bind(neighbour, row)) for neighbour in agrees):
                    del self.rows[at], self.units[at]
                    self.failed[at] = Outcome.CONTEXT_MISMATCH.value

    def _lacks(self, record: JsonObject, at: Tokens, neighbour: Tokens) -> bool:
        """Whether a record lacks a neighbour of a value; one that a row copied whole never had is not asked for."""
        if get(record, neighbour) is not MISSING:
            return False
        unit, pointer = self.units[at], split(self.rows[at].source_pointer)
        shared = next((n for n, (a, b) in enumerate(zip(at, neighbour, strict=False)) if a != b), len(neighbour))
        if not holds_objects(unit.value) or shared <= len(unit.place):
            return True
        return get(unit.first.source.content, (*pointer[:shared], *neighbour[shared:])) is not MISSING


def reason_at(profile: Profile, basis: Basis, place: Tokens) -> str:
    """Return why nothing is added at a place: the word of the nearest place about which one is known."""
    if profile.is_never_filled(place):
        return Outcome.CALLER_CONTROLLED.value
    statuses = basis.plan.statuses
    status = statuses.first([place]) or next(
        (found for depth in range(len(place) - 1, 0, -1) if (found := statuses.own(place[:depth]))), None
    )
    if status is not None and status.detail in UNSUPPORTING_ORIGINS:
        return SUGGESTION
    if status is None or status.outcome is Outcome.NO_SOURCE:
        return UNGROUNDED
    return ROWS_MIXED if status.detail == ROWS_MIXED else status.outcome.value


def fact_of(code: str) -> str:
    """Return what a reason means, in words."""
    return _FACTS.get(code, _FACTS[UNGROUNDED])


def grown(profile: Profile, seed: JsonObject, index: EvidenceIndex, record: JsonObject) -> Basis:
    """Return what a record may be built from: the seed, with those of its identity members that evidence states."""
    basis = basis_of(profile, seed, index)
    while True:
        for member in profile.identity.all_members:
            place = member.tokens
            unit = basis.plan.units.get(place)
            if unit is not None and equal(get(record, place), unit.value):
                found = basis_of(profile, set_units(basis.record, [unit]), index)
                basis = replace(found, identity=basis.identity | {place: unit})
                break
        else:
            return basis


def ground(
    profile: Profile,
    seed: JsonObject,
    index: EvidenceIndex,
    record: JsonObject,
    origins: Mapping[str, str] | None = None,
    *,
    basis: Basis | None = None,
) -> Grounding:
    """Return what stands behind each leaf of a record.

    Args:
        profile: What the record must be.
        seed: What was known of it.
        index: The evidence.
        record: The record.
        origins: Origins of the seed's leaves, by pointer.
        basis: What an assembly of this very seed and evidence went by, where the record says the same of its identity.
    """
    part = supporting_part(seed, origins or {})
    used = basis if basis is not None and part is seed else grown(profile, part, index, record)
    walk = _Walk(profile, used, digest(canonical(seed)))
    if record:
        walk.compare(record, (), used.record, ())
    walk.check_contexts(record)
    if part is not seed:
        guesses = {split(at) for at, origin in (origins or {}).items() if origin in UNSUPPORTING_ORIGINS}
        for at in walk.failed:
            if any(is_under(at, guess) for guess in guesses):
                walk.failed[at] = SUGGESTION
    problems = [Defect(code, join(at), fact_of(code)) for at, code in walk.failed.items()]
    return Grounding(
        tuple(sorted(walk.rows.values(), key=attrgetter("path"))),
        tuple(sorted(problems, key=lambda p: p.order)),
        used.match,
    )
