"""How many suggestions there are of each kind, for who chooses among them: exact, and counted once for each moment.

Every change of a suggestion is told in the log in the same transaction, so counts hold for as long as the log ends
where it ended.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Final

from veracord.records.values import JsonValue, Missing
from veracord.review.suggestions import StoredSuggestion, SuggestionFilter, SuggestionPage

#: Values of each facet that are counted: the most frequent ones.
MOST_VALUES: Final = 20
#: Filters of which counts are remembered.
_MOST_FILTERS: Final = 256


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
class Present:
    """What stands where a suggestion would stand.

    Attributes:
        value: The value; `MISSING` where there is none.
        revision: The revision of the record.
    """

    value: JsonValue | Missing = field(repr=False)
    revision: int


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
    rows = sorted(((-count, value) for value, count in counts.items() if count > 0))[:MOST_VALUES]
    return tuple(FacetCount(value, -count) for count, value in rows)


def value_of(suggestion: StoredSuggestion, facet: str) -> str:
    """Return the value of a suggestion in a facet."""
    if facet == "status":
        return suggestion.status.value
    told: str = getattr(suggestion, "record_id" if facet == "record" else facet)
    return told


class FacetCache:
    """Facets by filter and end of the log, bounded; what several ask for at once is counted once.

    It is used by several threads.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._known: OrderedDict[SuggestionFilter, _Counted] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, wanted: SuggestionFilter, end: int, count: Callable[[], Facets]) -> Facets:
        """Return facets.

        Args:
            wanted: The filter.
            end: Where the log ends at the moment that is looked at.
            count: Counts them at that moment.
        """
        with self._lock:
            known = self._known.get(wanted)
            if known is None or known.end < end:
                known = self._known[wanted] = _Counted(end)
            self._known.move_to_end(wanted)
            while len(self._known) > _MOST_FILTERS:
                self._known.popitem(last=False)
        if known.end > end:
            # Who began to look before others has an older moment before them, and counts for themselves.
            return count()
        with known.lock:
            if known.facets is None:
                known.facets = count()
            return known.facets


@dataclass(slots=True, eq=False)
class _Counted:
    end: int
    facets: Facets | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)
