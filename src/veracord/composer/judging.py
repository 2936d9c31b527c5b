"""Judging planned fills together, to a fixed point.

All fills are set at once.  A leaf that its place refuses whatever else the record holds is given up at once.  If
the record then has a violation that a fill should have cured, or a new one that
was not masked, the fills concerned form a group (overlapping groups are one), and of each group the largest
sound set stays, by number of fills.  Sets are tried from the largest to the smallest, each judged on the whole
record, so a group of n units costs at most 2**n validations; this is done for groups of up to `MOST_UNITS`
units, and of a larger group nothing is filled, which is said (`search_bound`).  Where several largest sets are
sound, only what they share stays (`not_jointly_valid`) and is judged again.  Each round gives up at least one
fill, so the rounds end.  Nothing depends on the order of violations, sources or members.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from veracord.composer.masking import Judge
from veracord.composer.outcomes import Outcome, Status, Statuses
from veracord.composer.targets import Target
from veracord.composer.units import Unit, set_units
from veracord.records.conditions import applies_always
from veracord.records.pointers import Tokens, is_under
from veracord.records.profiles import Profile
from veracord.records.values import JsonObject, holds_objects
from veracord.records.violations import Finding, Shape

#: The largest group of which every subset is tried.
MOST_UNITS: Final = 10

Group = frozenset[Tokens]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What stays of a plan.

    Attributes:
        units: The units that stay, by place.
        record: The record with them set.
        findings: Its violations.
        statuses: Why the others were given up.
        beyond_bound: How many fills were given up because their group was too large to search.
    """

    units: dict[Tokens, Unit]
    record: JsonObject
    findings: list[Finding]
    statuses: Statuses
    beyond_bound: int = 0


class Panel:
    """Judges the units of one pass."""

    def __init__(
        self, profile: Profile, record: JsonObject, findings: list[Finding], targets: Iterable[Target]
    ) -> None:
        """Remember the record before the pass, its violations, and what was planned for each."""
        self._profile = profile
        self._record = record
        self._findings = findings
        self._judge = Judge(profile, record, findings)
        self._targets = {target.finding.key: target for target in targets if target.finding.shape is not Shape.RULE}
        self._statuses = Statuses()
        self._beyond_bound = 0

    def judge(self, planned: Mapping[Tokens, Unit]) -> Judgement:
        """Return what of the planned units stays."""
        units = dict(planned)
        while units:
            record = set_units(self._record, units.values())
            if self._profile.conforms(record):
                return Judgement(units, record, [], self._statuses, self._beyond_bound)
            findings = self._profile.findings(record)
            if self._drop_refused(findings, units):
                continue
            groups = _merge(self._groups(findings, units))
            if not groups:
                return Judgement(units, record, findings, self._statuses, self._beyond_bound)
            for group in groups:
                self._settle(group, groups, units)
            self._drop_dependents(units)
        return Judgement({}, self._record, self._findings, self._statuses, self._beyond_bound)

    def _drop_refused(self, findings: list[Finding], units: dict[Tokens, Unit]) -> bool:
        """Give up every leaf that its place refuses whatever the rest of the record holds."""
        refused = {
            finding.tokens[:depth]
            for finding in findings
            if finding.shape is Shape.VALUE and applies_always(finding)
            for depth in range(len(finding.tokens) + 1)
            if finding.tokens[:depth] in units and not holds_objects(units[finding.tokens[:depth]].value)
        }
        self._give_up(frozenset(refused), units, None)
        self._drop_dependents(units)
        return bool(refused)

    def _groups(self, findings: list[Finding], units: Mapping[Tokens, Unit]) -> list[Group]:
        """Return the units concerned by each violation that must not be there."""
        groups: list[Group] = []
        for finding in findings:
            if self._judge.is_new(finding):
                if not self._judge.was_masked(finding, units):
                    groups.append(self._judge.concerned(finding, units))
            else:
                own = self._units_for(finding, units)
                if own:
                    groups.append(own)
        return groups

    def _units_for(self, finding: Finding, units: Mapping[Tokens, Unit]) -> Group:
        """Return the units that were planned to cure a violation that is still there."""
        target = self._targets.get(finding.key)
        places = target.places if target else ()
        if target and target.fills_members:
            places = (finding.tokens,)
        return frozenset(at for at in units for place in places if is_under(at, place))

    def _settle(self, group: Group, groups: list[Group], units: dict[Tokens, Unit]) -> None:
        """Give up what must be given up of one group."""
        outside = {at: unit for at, unit in units.items() if not any(at in other for other in groups)}
        members = {at: units[at] for at in sorted(group)}
        if len(members) > MOST_UNITS:
            self._beyond_bound += sum(unit.count() for unit in members.values())
            self._give_up(group, units, "search_bound")
            return
        largest = self._largest_sound(members, outside)
        kept = frozenset.intersection(*largest)
        wanted = frozenset.union(*largest)
        self._give_up(group - wanted, units, None)
        self._give_up(wanted - kept, units, "not_jointly_valid")

    def _give_up(self, places: Group, units: dict[Tokens, Unit], detail: str | None) -> None:
        # In one order: what is told first of places above them stays.
        for place in sorted(places):
            unit = units.pop(place)
            said = (*unit.statements, *unit.overruled)
            self._statuses.add(place, Status(Outcome.SOURCE_INVALID, detail, said))

    def _largest_sound(self, members: Mapping[Tokens, Unit], outside: Mapping[Tokens, Unit]) -> list[Group]:
        """Return the sound proper subsets with the most fills; the empty one where there is no other."""
        best: list[Group] = []
        most = 0
        counts = {at: unit.count() for at, unit in members.items()}
        subsets = [frozenset(chosen) for size in range(len(members)) for chosen in combinations(members, size)]
        weighed = sorted(((sum(counts[at] for at in subset), subset) for subset in subsets), key=lambda w: -w[0])
        for weight, subset in weighed:
            if weight < most or not subset:
                break
            if self._is_sound(subset, members, outside):
                most = weight
                best.append(subset)
        return best or [frozenset()]

    def _is_sound(self, subset: Group, members: Mapping[Tokens, Unit], outside: Mapping[Tokens, Unit]) -> bool:
        units = {**outside, **{at: members[at] for at in subset}}
        if not all(need in units for at in subset for need in members[at].needs):
            return False
        record = set_units(self._record, units.values())
        # The rules of the profile cost far less than the schema, and are what most groups fail by.
        return not any(
            group & subset
            for findings in (self._profile.rule_findings(record), self._profile.findings(record))
            for group in self._groups(findings, units)
        )

    def _drop_dependents(self, units: dict[Tokens, Unit]) -> None:
        """Give up values whose context was given up."""
        while lonely := [at for at, unit in units.items() if not unit.needs <= units.keys()]:
            for place in lonely:
                unit = units.pop(place)
                self._statuses.add(place, Status(Outcome.CONTEXT_MISMATCH, None, unit.statements))


def _merge(groups: Iterable[Group]) -> list[Group]:
    """Return groups in which no unit is in two."""
    merged: list[Group] = []
    for group in groups:
        apart: list[Group] = []
        for other in merged:
            if group & other:
                group |= other  # noqa: PLW2901 - the group grows by what it overlaps
            else:
                apart.append(other)
        merged = [*apart, group]
    return merged
