"""Plans for whole records, kept for the next seed of the same product.

A seed of one item differs from that of the next in its own number, date and the like.  Of such values a plan knows
only that they are there: it is worked out from the sources, from which members a seed has, and from what its lists and
its contexts hold.  So seeds that agree in these, and in their sources, share one plan.  The evidence keeps the latest
plans, up to a bound, and each asker gets one of its own: the statuses of a plan grow while it is judged.
"""

from threading import Lock
from typing import Final

from veracord.composer.planning import Plan, Planner
from veracord.records.matching import EvidenceIndex, Match, Source
from veracord.records.profiles import Profile
from veracord.records.values import JsonObject, JsonValue
from veracord.records.writing import write_json

#: How many values and reasons all plans that are kept may hold together; one takes less than a kilobyte.
_MOST_PARTS: Final = 30_000

_Key = tuple[bytes, str | None, tuple[str, ...], tuple[str, ...]]


class KeptPlans:
    """The latest plans by what they depend on, of one profile and the sources of one index."""

    def __init__(self, profile: Profile, most: int = _MOST_PARTS) -> None:
        """Start without any.

        Args:
            profile: What the records must be.
            most: How many values and reasons all plans may hold together.
        """
        self.profile = profile
        self._most = most
        self._parts = 0
        self._plans: dict[_Key, tuple[Plan, int]] = {}
        # Records are built in several threads at once, and the oldest plan is taken out in two steps.
        self._lock = Lock()

    def find(self, key: _Key) -> Plan | None:
        """Return a plan of the asker's own, and make it the latest; None where it is not known."""
        with self._lock:
            found = self._plans.pop(key, None)
            if found is None:
                return None
            self._plans[key] = found
        return found[0].copy()

    def keep(self, key: _Key, plan: Plan) -> None:
        """Keep a copy of a plan, and let the oldest go where there are too many."""
        parts = sum(_size(unit.value) for unit in plan.units.values()) + len(plan.statuses.items())
        if parts > self._most:
            return
        with self._lock:
            self._drop(key)
            self._plans[key] = (plan.copy(), parts)
            self._parts += parts
            while self._parts > self._most:
                self._drop(next(iter(self._plans)))

    def _drop(self, key: _Key) -> None:
        _, parts = self._plans.pop(key, (None, 0))
        self._parts -= parts


def whole_plan(profile: Profile, record: JsonObject, index: EvidenceIndex, match: Match) -> Plan:
    """Return the plan for a whole record; see `Planner.plan_whole`.

    Args:
        profile: What the record must be.
        record: It.
        index: The evidence; it keeps the plan.
        match: What of the evidence is about the product of the record.
    """
    kept = index.kept
    if not isinstance(kept, KeptPlans) or kept.profile is not profile:
        kept = index.kept = KeptPlans(profile)
    key = (write_json(_outline(profile, record)), match.level, _ids(match.sources), _ids(match.disputed))
    plan = kept.find(key)
    if plan is None:
        plan = Planner(profile, record, [], match).plan_whole()
        kept.keep(key, plan)
    return plan


def _outline(profile: Profile, record: JsonObject) -> JsonObject:
    """Return a record with null for every value that no plan looks at.

    Members that contexts are about stay whole, since a context is compared.  So do lists: their rows are told apart
    by what they hold.
    """
    return {name: value if profile.contexts_near((name,)) else _without_values(value) for name, value in record.items()}


def _without_values(value: JsonValue) -> JsonValue:
    if type(value) is dict:
        return {name: _without_values(item) for name, item in value.items()}
    return value if type(value) is list else None


def _ids(sources: tuple[Source, ...]) -> tuple[str, ...]:
    return tuple(source.evidence_id for source in sources)


def _size(value: JsonValue) -> int:
    """Return how many values stand in a value that hold no others."""
    if type(value) is dict:
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if type(value) is list else 1
