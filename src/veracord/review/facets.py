"""How many suggestions there are of each kind, for who chooses among them: exact at each moment.

Every change of a suggestion is told in the log in the same transaction, so counts hold for as long as the log ends
where it ended; what has changed since is added to them.
"""

import heapq
import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, Protocol

from veracord.audit.events import utc_text
from veracord.review.presents import Present
from veracord.review.suggestions import StoredSuggestion, SuggestionFilter, SuggestionPage

#: Values of each facet that are counted: the most frequent ones.
MOST_VALUES: Final = 20
#: Filters of which counts are remembered.
_MOST_FILTERS: Final = 64


@dataclass(frozen=True, slots=True)
class FacetCount:
    """One value of a facet.

    Attributes:
        value: The value.
        count: How many suggestions have it, of those that the other filters mean.
    """

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Counts by what one can filter by; each facet under all filters but its own, most frequent first, then by value.

    Attributes:
        status: By how they stand.
        record: By record, which is the passport of one product.
        pointer: By place.
        rule: By the rule that they would satisfy; "" for declarations.
        model: By model; "" where it is not known.
    """

    status: tuple[FacetCount, ...]
    record: tuple[FacetCount, ...]
    pointer: tuple[FacetCount, ...]
    rule: tuple[FacetCount, ...]
    model: tuple[FacetCount, ...]


#: The facets by name.
FACETS: Final = tuple(one.name for one in fields(Facets))


@dataclass(frozen=True, slots=True)
class Queue:
    """A page of suggestions with all that a queue shows, of one moment.

    Attributes:
        page: The suggestions.
        facets: Counts of what can be chosen.
        presents: What stands at the place of each suggestion of the page, by its id.
    """

    page: SuggestionPage
    facets: Facets
    presents: Mapping[str, Present]


def without_own(wanted: SuggestionFilter, facet: str) -> SuggestionFilter:
    """Return a filter without what it says about one facet."""
    if facet == "status":
        return replace(wanted, status=())
    none: dict[str, None] = {"record_id" if facet == "record" else facet: None}
    return replace(wanted, **none)  # type: ignore[arg-type]  # one of the members that may be None


def ranked(counts: Mapping[str, int]) -> tuple[FacetCount, ...]:
    """Return the most frequent values, then by value."""
    rows = heapq.nsmallest(MOST_VALUES, ((-count, value) for value, count in counts.items() if count > 0))
    return tuple(FacetCount(value, -count) for count, value in rows)


def filed(text: str) -> str:
    """Return a text as every database takes it; in a pointer, no other tilde is followed by one."""
    return text.replace("\0", "~~0").encode(errors="replace").decode()


def value_of(suggestion: StoredSuggestion, facet: str) -> str:
    """Return the value of a suggestion in a facet."""
    if facet == "status":
        return suggestion.status.value
    told: str = getattr(suggestion, "record_id" if facet == "record" else facet)
    return filed(told)


@dataclass(frozen=True, slots=True)
class CountChange:
    """So many more suggestions of one kind, or fewer.

    Attributes:
        record: Their record.
        pointer: Their place, as `filed` writes it; so are rule and model.
        rule: Their rule.
        model: Their model.
        status: How they stand.
        created_at: When they came.
        number: How many more; below 0 for fewer.
    """

    record: str
    pointer: str
    rule: str
    model: str
    status: str
    created_at: str
    number: int

    def fits(self, wanted: SuggestionFilter) -> dict[str, bool]:
        """Return for each facet whether a filter, as far as it speaks of that, means these; and "" for the rest."""
        above = None if wanted.pointer is None else filed(wanted.pointer)
        older, newer = wanted.older_than, wanted.newer_than
        return {
            "status": not wanted.status or self.status in wanted.status,
            "record": wanted.record_id is None or self.record == wanted.record_id,
            "pointer": above is None or self.pointer == above or self.pointer.startswith(f"{above}/"),
            "rule": wanted.rule is None or self.rule == filed(wanted.rule),
            "model": wanted.model is None or self.model == filed(wanted.model),
            "": (older is None or self.created_at < utc_text(older))
            and (newer is None or self.created_at >= utc_text(newer)),
        }


class CountingReader(Protocol):
    """What is needed to count at one moment."""

    def end(self) -> int:
        """Return the number of the last event; see `veracord.review.stores.ReviewReader`."""

    def count_by(self, wanted: SuggestionFilter, facet: str) -> dict[str, int]:
        """Return how many suggestions a filter means by the value of a facet."""

    def count_changes(self, after: int) -> list[CountChange] | None:
        """Return what has changed since the log ended at a number; None where that is not known any more."""


class FacetCache:
    """Facets by filter, for a bounded number of filters; each is counted once, and then kept up with what changes.

    It is used by several threads, each in a transaction that has not looked at anything yet.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._known: OrderedDict[SuggestionFilter, _Counted] = OrderedDict()
        self._lock = threading.Lock()

    def facets(self, reader: CountingReader, wanted: SuggestionFilter) -> Facets:
        """Return facets at the moment of a reader."""
        with self._lock:
            known = self._known.setdefault(wanted, _Counted(wanted))
            self._known.move_to_end(wanted)
            while len(self._known) > _MOST_FILTERS:
                self._known.popitem(last=False)
        # The moment is fixed by what is read first, and that is here: so moments follow each other, and who waits
        # for a count gets it.
        with known.lock:
            return known.at(reader)


class _Counted:
    """The counts of one filter, all values of them, and where the log ended then."""

    def __init__(self, wanted: SuggestionFilter) -> None:
        self.lock = threading.Lock()
        self._wanted = wanted
        self._end = -1
        self._counts: dict[str, dict[str, int]] = {}
        self._facets: dict[str, tuple[FacetCount, ...]] = {}

    def at(self, reader: CountingReader) -> Facets:
        """Return facets at the moment of a reader."""
        end = reader.end()
        if end != self._end:
            changes = reader.count_changes(self._end) if 0 <= self._end < end else None
            if changes is None:
                self._counts = {facet: reader.count_by(without_own(self._wanted, facet), facet) for facet in FACETS}
                self._facets = {facet: ranked(counts) for facet, counts in self._counts.items()}
            else:
                self._follow(changes)
            self._end = end
        return Facets(**self._facets)

    def _follow(self, changes: Sequence[CountChange]) -> None:
        changed: dict[str, set[str]] = {facet: set() for facet in FACETS}
        for change in changes:
            fits = change.fits(self._wanted)
            for facet in FACETS:
                if all(fits[other] for other in fits if other != facet):
                    value: str = getattr(change, facet)
                    counts = self._counts[facet]
                    counts[value] = counts.get(value, 0) + change.number
                    changed[facet].add(value)
        for facet, values in changed.items():
            counts = self._counts[facet]
            if _moves(self._facets[facet], counts, values):
                self._facets[facet] = ranked(counts)
            for value in values:
                if not counts[value]:
                    del counts[value]


def _moves(top: tuple[FacetCount, ...], counts: Mapping[str, int], values: Collection[str]) -> bool:
    """Whether the most frequent values may be others, or have other counts, since some have changed."""
    if len(top) < MOST_VALUES:
        return bool(values)
    last = (-top[-1].count, top[-1].value)
    known = {one.value for one in top}
    return any(value in known or (-counts[value], value) < last for value in values)
