"""Planning fills: one candidate for each leaf, or the reason why there is none.

First every target is taken apart into leaves (and arrays whose rows are copied whole), with what each source
says about them; then each leaf is decided, its context before it; then rows that would be mixed from
sources which disagree are given up.  Everything is sorted, so no order of the input matters.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from veracord.composer.alignment import Aligner, Misfit
from veracord.composer.choosing import Chooser
from veracord.composer.mixing import settle_rows
from veracord.composer.outcomes import Outcome, Statement, Status, Statuses
from veracord.composer.statements import Sieve
from veracord.composer.targets import Places, Target, target_of
from veracord.composer.units import Unit
from veracord.composer.whole_rows import further_rows, keep_rows_whole
from veracord.records.matching import Match, Source
from veracord.records.pointers import Tokens, get, is_under, step
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, is_leaf
from veracord.records.violations import Finding


@dataclass(frozen=True, slots=True)
class Plan:
    """What one pass would fill.

    Attributes:
        targets: What may be set for each violation.
        units: The fills, by place.
        statuses: Why places are not filled.
    """

    targets: tuple[Target, ...]
    units: dict[Tokens, Unit]
    statuses: Statuses

    def copy(self) -> "Plan":
        """Return a plan that says the same, and to which statuses can be added apart."""
        return Plan(self.targets, dict(self.units), self.statuses.copy())


class Planner:
    """Plans one pass over a record."""

    def __init__(
        self,
        profile: Profile,
        record: JsonObject,
        findings: list[Finding],
        match: Match,
        unfinished: frozenset[Tokens] = frozenset(),
    ) -> None:
        """Remember the record, its violations and the sources that are about its product.

        Args:
            profile: What the record must be.
            record: The record as it stands.
            findings: Its violations.
            match: The sources.
            unfinished: Objects that were missing, of which so far only identity members are filled.
        """
        self._unfinished = unfinished
        self._profile = profile
        self._record = record
        self._match = match
        self._findings = findings
        self._statuses = Statuses()
        self._aligner = Aligner(profile, record, [finding.tokens for finding in findings])
        self._places = Places(profile, record)
        self._sieve = Sieve(profile, match.level, self._places, self._statuses)
        self._requests: dict[Tokens, list[Statement]] = {}
        self._units: dict[Tokens, Unit] = {}

    def plan(self) -> Plan:
        """Return the plan."""
        targets = tuple(target_of(finding, self._record, self._places) for finding in self._findings)
        places = {place for target in targets for place in self._places_of(target)}
        places |= {place for at in self._unfinished for place in self._missing_members(at)}
        return self._planned(targets, places)

    def plan_places(self, places: Iterable[Tokens]) -> Plan:
        """Return the plan for these places, as if each of them violated; what the schema does not know is left out."""
        return self._planned((), {place for place in places if self._places.at(place).is_known})

    def _planned(self, targets: tuple[Target, ...], places: set[Tokens]) -> Plan:
        for place in sorted(places):
            self._expand_target(place)
        chooser = Chooser(self._profile, self._record, self._aligner, self._requests, self._statuses)
        self._units |= chooser.choose_all()
        units = settle_rows(self._record, self._aligner, self._units, self._statuses)
        return Plan(targets, units, self._statuses)

    def plan_whole(self) -> Plan:
        """Return the plan for a whole record: every place that the schema knows, sources state and the record lacks.

        What the record has stays as it is, also where it is empty.  The rows of a declared array that is there are
        completed, each from one source, and rows that it lacks are added.
        """
        for place in sorted(set(self._lacking((), self._record))):
            self._expand_target(place)
        further = further_rows(self._profile, self._record, self._ask_all, self._sieve, self._statuses)
        self._requests |= further
        chosen = Chooser(self._profile, self._record, self._aligner, self._requests, self._statuses).choose_all()
        # Where the sources agree that there are no further rows, there is nothing to add.
        units = {at: unit for at, unit in chosen.items() if at not in further or unit.value}
        units = {at: replace(unit, adds_rows=True) if at in further else unit for at, unit in units.items()}
        return Plan((), keep_rows_whole(self._record, self._aligner, units, self._statuses), self._statuses)

    def _ask_all(self, place: Tokens) -> list[Statement]:
        return list(self._ask(place, self._match.sources))

    def _lacking(self, at: Tokens, node: JsonValue) -> Iterator[Tokens]:
        """Yield the missing members of every object of the record that is not empty."""
        if isinstance(node, dict):
            yield from self._missing_members(at)
            below: Iterable[tuple[str, JsonValue]] = node.items()
        else:
            below = ((str(n), item) for n, item in enumerate(node)) if isinstance(node, list) else ()
        for token, child in below:
            if not is_leaf(child):
                yield from self._lacking((*at, token), child)

    def _places_of(self, target: Target) -> Iterable[Tokens]:
        return self._missing_members(target.finding.tokens) if target.fills_members else target.places

    def _missing_members(self, at: Tokens) -> Iterator[Tokens]:
        """Yield the places of members that an object lacks, a source has, and the schema knows."""
        known, ours = self._places.at(at), get(self._record, at)
        said = [s.value for s in self._ask(at, self._match.sources)]
        for name in {name: None for value in said if isinstance(value, dict) for name in value}:
            if known.member(name).is_known and step(ours, name) is MISSING:
                yield (*at, name)

    def _expand_target(self, place: Tokens) -> None:
        if self._profile.is_never_filled(place):
            self._statuses.add(place, Status(Outcome.CALLER_CONTROLLED))
            return
        if disputed := tuple(self._ask(place, self._match.disputed)):
            self._statuses.add(place, Status(Outcome.CONFLICT, "identity", disputed))
        self._expand(place, list(self._ask(place, self._match.sources)))

    def _ask(self, place: Tokens, sources: Iterable[Source]) -> Iterator[Statement]:
        """Yield what sources say at the counterpart of a place."""
        for source in sources:
            found = self._aligner.align(source, place)
            if found is Misfit.OTHER_ROW:
                self._statuses.add(place, Status(Outcome.ROW_MISMATCH))
            elif not isinstance(found, Misfit):
                yield Statement(source, found.pointer, found.theirs)

    def _expand(self, place: Tokens, statements: list[Statement]) -> None:
        """Take a place that may be filled apart into leaves and arrays of rows."""
        leaves: list[Statement] = []
        rows: list[Statement] = []
        objects: list[Statement] = []
        for statement in statements:
            if is_leaf(statement.value):
                leaves.append(statement)
            else:
                (objects if isinstance(statement.value, dict) else rows).append(statement)
        leaves = self._sieve.leaf_statements(place, leaves)
        rows = self._sieve.row_statements(place, rows)
        shapes = [shape for shape in (leaves, rows, objects) if shape]
        if len(shapes) > 1:
            best = min(s.source.standing for shape in shapes for s in shape)
            leading = [shape for shape in shapes if any(s.source.standing == best for s in shape)]
            if len(leading) > 1:
                self._statuses.add(place, Status(Outcome.CONFLICT, "kind", tuple(s for shape in shapes for s in shape)))
                return
            shapes = leading
        if not shapes:
            return
        if shapes[0] is objects:
            self._expand_members(place, objects)
        elif shapes[0] is rows and self._keeps_rows(place):
            fits = self._places.at(place).admits(rows[0].value)
            outcome, detail = (Outcome.ROW_MISMATCH, "rows_present") if fits else (Outcome.SOURCE_INVALID, None)
            self._statuses.add(place, Status(outcome, detail, tuple(rows)))
        else:
            self._requests[place] = shapes[0]

    def _expand_members(self, place: Tokens, statements: list[Statement]) -> None:
        members: dict[str, list[Statement]] = {}
        for statement in statements:
            assert isinstance(statement.value, dict)  # noqa: S101 - narrows for mypy
            for name, value in statement.value.items():
                below = Statement(statement.source, (*statement.pointer, name), value)
                members.setdefault(name, []).append(below)
        for name in sorted(members):
            at = (*place, name)
            if self._places.at(at).is_known:
                if self._profile.is_never_filled(at):
                    self._statuses.add(at, Status(Outcome.CALLER_CONTROLLED))
                else:
                    self._expand(at, members[name])

    def _keeps_rows(self, place: Tokens) -> bool:
        """Whether an array with items stands at a place: rows are not added to it."""
        ours = get(self._record, place)
        return type(ours) is list and bool(ours)


def objects_begun(before: JsonObject, units: Iterable[Tokens]) -> frozenset[Tokens]:
    """Return the objects that were not there and are made on the way to units."""
    return frozenset(
        place[:depth]
        for place in units
        for depth in range(1, len(place))
        if not isinstance(get(before, place[:depth]), dict | list)
    )


def unit_groups(profile: Profile, units: dict[Tokens, Unit]) -> Iterator[tuple[dict[Tokens, Unit], bool]]:
    """Yield what is judged together, with whether it is identity: each identity member, then all the rest."""
    rest = dict(units)
    for member in profile.identity.all_members:
        own = {at: rest.pop(at) for at in list(rest) if is_under(at, member.tokens)}
        if own:
            yield own, True
    if rest:
        yield rest, False
