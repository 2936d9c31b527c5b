"""Turning the end of a repair into rows: fills with what they cure, violations with their outcomes."""

from collections.abc import Iterable, Mapping

from veracord.composer.masking import Judge
from veracord.composer.outcomes import Outcome, Statement, Status, Statuses
from veracord.composer.planning import Plan
from veracord.composer.results import CandidateRow, Fill, Unresolved
from veracord.composer.targets import Places, Target, target_of
from veracord.composer.units import Unit
from veracord.records.matching import Match
from veracord.records.pointers import Tokens, get, join
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, copy
from veracord.records.violations import Finding, Shape


class Reporter:
    """Writes the rows of one repair."""

    def __init__(
        self, before: list[Finding], after: list[Finding], filled: Mapping[Tokens, Unit], judge: Judge
    ) -> None:
        """Remember the violations before and after, and what was filled."""
        self._after = after
        self._filled = filled
        self._judge = judge
        self._under: dict[Tokens, set[Tokens]] = {}
        for place in filled:
            for depth in range(len(place) + 1):
                self._under.setdefault(place[:depth], set()).add(place)
        remaining = {finding.key for finding in after}
        self._cured = [finding for finding in before if finding.key not in remaining]

    def fills(self, match: Match) -> tuple[Fill, ...]:
        """Return one row for each leaf that was set, by path; sources that match in the end support it."""
        matching = {source.evidence_id for source in match.sources}
        cures: dict[Tokens, set[tuple[str, str]]] = {}
        for finding in self._cured:
            for place in self._related(finding):
                cures.setdefault(place, set()).add(finding.key)
        rows = [
            _fill(unit, place, pointer, value, cures.get(unit.place, set()), matching)
            for unit in self._filled.values()
            for place, pointer, value in unit.leaves()
        ]
        return tuple(sorted(rows, key=lambda fill: fill.path))

    def unresolved(
        self, profile: Profile, record: JsonObject, match: Match, plan: Plan | None, statuses: Statuses
    ) -> tuple[Unresolved, ...]:
        """Return one row for each violation that stays, in the order of the violations."""
        planned = {target.finding.key: target for target in plan.targets} if plan else {}
        violating = {finding.tokens for finding in self._after}
        places = Places(profile, record)
        rows: list[Unresolved] = []
        for finding in self._after:
            target = planned.get(finding.key) or target_of(finding, record, places)
            status = _outcome(finding, target, profile, match, statuses, violating)
            rows.append(self._row(finding, status))
        return tuple(rows)

    def _row(self, finding: Finding, status: Status) -> Unresolved:
        return Unresolved(
            finding.violation.path,
            finding.violation.rule,
            finding.violation.message,
            status.outcome.value,
            status.detail,
            self._uncovered_by(finding),
            tuple(candidate_row(statement) for statement in status.statements),
        )

    def _uncovered_by(self, finding: Finding) -> str | None:
        """Return the path of the fill that brought a violation to light."""
        if not self._judge.is_new(finding):
            return None
        about = self._related(finding) or self._below(finding.tokens[:-1]) or set(self._filled)
        paths = [join(place) for at in about for place, _, _ in self._filled[at].leaves()]
        return min(paths, default=None)

    def _related(self, finding: Finding) -> set[Tokens]:
        """Return the units that a violation is about."""
        if finding.shape is Shape.RULE:
            return self._around(finding.reads)
        # What a condition reads is asked only where no fill stands at the place itself.
        return self._around((finding.tokens, *finding.options)) or self._around(self._judge.reads(finding))

    def _around(self, places: Iterable[Tokens]) -> set[Tokens]:
        """Return the units at, above or below places."""
        found: set[Tokens] = set()
        for place in places:
            found |= {place[:depth] for depth in range(len(place) + 1) if place[:depth] in self._filled}
            found |= self._under.get(place, set())
        return found

    def _below(self, place: Tokens) -> set[Tokens]:
        return self._under.get(place, set())


def _fill(
    unit: Unit, place: Tokens, pointer: Tokens, value: JsonValue, cures: set[tuple[str, str]], matching: set[str]
) -> Fill:
    item = unit.first.source.item
    return Fill(
        path=join(place),
        # Whoever is given a result may change it, and never the evidence by that.
        value=copy(value),
        evidence=item,
        source_pointer=join(pointer),
        also=tuple(sorted((unit.supporters & matching) - {item.id})),
        overruled=tuple(sorted(statement.source.evidence_id for statement in unit.overruled)),
        cures=tuple(sorted(cures)),
    )


def candidate_row(statement: Statement) -> CandidateRow:
    """Return what a source says, whole: of rows only a part may be fit for copying."""
    said = get(statement.source.content, statement.pointer)
    value = statement.value if said is MISSING else said
    return CandidateRow(copy(value), statement.source.evidence_id, join(statement.pointer))


def _outcome(
    finding: Finding,
    target: Target,
    profile: Profile,
    match: Match,
    statuses: Statuses,
    violating: set[Tokens],
) -> Status:
    """Return the first outcome that applies to a violation that stays."""
    places = target.places
    if finding.shape is Shape.RULE:
        places = tuple(at for at in finding.reads if at in violating)
    elif target.fills_members:
        places = (finding.tokens,)
    if not places:
        return Status(Outcome.NOT_SETTABLE)
    if any(profile.is_never_filled(at) for at in places):
        return Status(Outcome.CALLER_CONTROLLED)
    if match.key is None:
        return Status(Outcome.NO_IDENTITY, match.detail)
    return statuses.first(places) or Status(Outcome.NO_SOURCE)
