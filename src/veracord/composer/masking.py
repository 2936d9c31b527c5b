"""What a violation that shows after filling means: was it there before, was it masked, whom does it concern.

A violation was *masked* when it could not be checked before because a value that it needs was violating: a
sum with a missing or non-numeric member, a member of a parent that was missing or of the wrong kind, a
conditional (or the member that chooses a branch) that reads a violating place.  This is the one place where
that is decided.
"""

from collections.abc import Mapping

from veracord.composer.units import Unit
from veracord.records.conditions import places_read
from veracord.records.pointers import Tokens, get, is_under
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, holds_objects, is_number
from veracord.records.violations import Finding, Shape

Units = Mapping[Tokens, Unit]


class Judge:
    """Judges violations against the record as it was before anything was filled."""

    def __init__(self, profile: Profile, before: JsonObject, findings: list[Finding]) -> None:
        """Remember the record and its violations."""
        self._profile = profile
        self._before = before
        self._known = {finding.key for finding in findings}
        self._reads: dict[tuple[str, str], frozenset[Tokens]] = {}

    def is_new(self, finding: Finding) -> bool:
        """Whether the record did not have this violation before."""
        return finding.key not in self._known

    def reads(self, finding: Finding) -> frozenset[Tokens]:
        """Return the places whose values decide whether a violation applies."""
        found = self._reads.get(finding.key)
        if found is None:
            found = frozenset(places_read(self._profile.schema, finding, self._before))
            self._reads[finding.key] = found
        return found

    def was_masked(self, finding: Finding, units: Units) -> bool:
        """Whether a new violation could not be checked before.

        Args:
            finding: A violation that is there once the units are set.
            units: The units that are set.
        """
        if finding.shape is Shape.RULE:
            return self._rule_was_masked(finding, units)
        around = _units_around(finding.tokens, units)
        if any(not holds_objects(unit.value) for unit in around):
            return False
        if self._parent_was_missing(finding.tokens):
            return finding.shape is Shape.MISSING
        if around:
            return False
        return any(_touches(place, units) for place in self.reads(finding))

    def concerned(self, finding: Finding, units: Units) -> frozenset[Tokens]:
        """Return the places of the units that a violation is about; all of them where that cannot be told."""
        if finding.shape is Shape.RULE:
            about = {at for place in finding.reads for at in _units_at(place, units)}
        else:
            about = _units_at(finding.tokens, units) | {
                at for place in self.reads(finding) for at in _units_at(place, units)
            }
            about |= {at for place in finding.options for at in _units_at(place, units)}
        if not about and finding.tokens:
            about = _units_at(finding.tokens[:-1], units)
        return frozenset(about or units)

    def _rule_was_masked(self, finding: Finding, units: Units) -> bool:
        operands = finding.reads
        values = [get(self._before, place) for place in operands]
        could_be_checked = all(is_number(value) if finding.needs_numbers else value is not MISSING for value in values)
        return not could_be_checked and not _from_one_source(operands, units)

    def _parent_was_missing(self, place: Tokens) -> bool:
        return bool(place) and type(get(self._before, place[:-1])) is not dict


def _from_one_source(places: tuple[Tokens, ...], units: Units) -> bool:
    """Whether all places are set, and one source supports them all."""
    common: frozenset[str] | None = None
    for place in places:
        around = _units_around(place, units)
        if not around:
            return False
        supporters = around[0].supporters
        common = supporters if common is None else common & supporters
    return bool(common)


def _units_around(place: Tokens, units: Units) -> list[Unit]:
    """Return the unit that sets a place or one above it."""
    return [units[place[:depth]] for depth in range(len(place) + 1) if place[:depth] in units]


def _units_at(place: Tokens, units: Units) -> set[Tokens]:
    """Return the places of units at, above or below a place."""
    return {at for at in units if is_under(at, place) or is_under(place, at)}


def _touches(place: Tokens, units: Units) -> bool:
    return any(is_under(at, place) or is_under(place, at) for at in units)
