"""What can be looked at without deciding anything: suggestions, places, records, evidence, and the log."""

import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from veracord.audit.events import Event, EventType
from veracord.audit.stored_lines import StoredPage
from veracord.errors import InputError
from veracord.ports import Clock
from veracord.records.evidence import EvidenceItem
from veracord.review.acting import Act, Profiles
from veracord.review.cursors import read_cursor, write_cursor
from veracord.review.damage import kept_as_written
from veracord.review.explaining import Account, explain
from veracord.review.facets import FacetCache, Facets, Queue
from veracord.review.looking import Shown, show_place, show_suggestion
from veracord.review.outcomes import Outcome, events_of_request, outcome_of, unused_evidence
from veracord.review.people import Caller
from veracord.review.permissions import Action
from veracord.review.presents import Presents
from veracord.review.record_lists import OpenCounts, RecordPage
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.settings import ReviewSettings
from veracord.review.stores import ReviewReader, ReviewStore
from veracord.review.suggestions import StoredSuggestion, SuggestionFilter, SuggestionPage

T = TypeVar("T")

_PAGE: Final = 500

#: The lists that one turns the pages of.
_SUGGESTIONS: Final = "suggestions"
_RECORDS: Final = "records"
_EVENTS: Final = "events"
_NEWEST: Final = "newest events"


@dataclass(frozen=True, slots=True)
class EventPage:
    """Some of the events of the log.

    Attributes:
        items: In the order that was asked for.
        next: Where the next page begins; None for the last one.
    """

    items: Sequence[Event]
    next: str | None


def new_event_id() -> str:
    """Return an id that nobody else makes."""
    return secrets.token_hex(16)


class ReviewLookups:
    """What people and programs can look at in one store."""

    def __init__(self, store: ReviewStore, profiles: Profiles, clock: Clock, new_id: Callable[[], str]) -> None:
        """Remember the parts.

        Args:
            store: Where everything is kept.
            profiles: Loads a profile by the name that its importer gave it.
            clock: Tells the time.
            new_id: Makes ids of events.
        """
        self._store = store
        self._profiles = profiles
        self._clock = clock
        self._new_id = new_id
        self._facets = FacetCache()
        self._presents = Presents()
        self._open = OpenCounts()

    async def list_suggestions(
        self, wanted: SuggestionFilter | None = None, *, limit: int = 100, offset: int = 0, after: str | None = None
    ) -> SuggestionPage:
        """Return some of the suggestions that a filter means, with counts.

        Args:
            wanted: Which; None for all that wait.
            limit: How many at most.
            offset: How many are passed over; it counts from the beginning, whatever was decided since.
            after: The `next` of the page before: what is decided meanwhile moves nothing.

        Raises:
            InputError: ``invalid_cursor``: `after` is none.
        """
        asked = wanted or SuggestionFilter()
        behind = _behind(after)

        def look(reader: ReviewReader) -> SuggestionPage:
            if offset:
                return _page(
                    reader.find_suggestions(asked, limit + 1, offset), limit, reader.count_suggestions(asked), asked
                )
            return _page(
                reader.suggestions_behind(asked, limit + 1, behind), limit, reader.count_suggestions(asked), asked
            )

        return await self._store.look(look)

    async def facets(self, wanted: SuggestionFilter | None = None) -> Facets:
        """Return how many suggestions there are of each kind, each facet under all filters but its own."""
        asked = wanted or SuggestionFilter()
        return await self._store.look(lambda reader: self._facets.facets(reader, asked))

    async def queue(
        self, wanted: SuggestionFilter | None = None, *, limit: int = 25, after: str | None = None
    ) -> Queue:
        """Return a page of suggestions with counts and what stands at their places, all of one moment.

        Raises:
            InputError: ``invalid_cursor``: `after` is none.
        """
        asked = wanted or SuggestionFilter()
        behind = _behind(after)

        def look(reader: ReviewReader) -> Queue:
            facets = self._facets.facets(reader, asked)
            counts = {one.value: one.count for one in facets.status}
            page = _page(reader.suggestions_behind(asked, limit + 1, behind), limit, counts, asked)
            return Queue(page, facets, self._presents.of(reader, page.items))

        return await self._store.look(look)

    async def show(self, suggestion_id: str) -> Shown:
        """Return a suggestion with its place, what is wrong there, and the evidence beside it."""
        return await self._look(lambda act: show_suggestion(act, suggestion_id))

    async def show_place(self, record_id: str, pointer: str) -> Shown:
        """Return a place of a record in the same way."""
        return await self._look(lambda act: show_place(act, record_id, pointer))

    async def explain(self, record_id: str, pointer: str) -> Account:
        """Return where what stands at a place comes from, or why it is open, and what happened there."""
        return await self._look(lambda act: explain(act, record_id, pointer))

    async def record(self, record_id: str) -> StoredRecord:
        """Return a record as it is now."""
        return await self._look(lambda act: act.find_record(record_id))

    async def records(self, after: str = "", limit: int = 100) -> list[StoredRecord]:
        """Return records by id, behind one."""
        return await self._store.look(lambda reader: reader.records(after, limit))

    async def list_records(
        self, *, limit: int = 100, after: str | None = None, contains: str | None = None
    ) -> RecordPage:
        """Return records by id, all of them or those whose id contains a text, in whatever case.

        Raises:
            InputError: ``invalid_cursor``: `after` is none.
        """
        behind = str(read_cursor(_RECORDS, after, (str,))[0]) if after is not None else ""
        found = await self._store.look(lambda reader: reader.records(behind, limit + 1, contains or ""))
        items = found[:limit]
        return RecordPage(items, write_cursor(_RECORDS, [items[-1].record_id]) if len(found) > limit else None)

    async def open_counts(self, records: Sequence[StoredRecord]) -> dict[str, int | None]:
        """Return how many violations each record has, by id; None where its profile is not what it was."""
        return await self._look(lambda act: self._open.of(act, records))

    async def list_events(
        self, *, limit: int = 100, after: str | None = None, record_id: str | None = None, newest_first: bool = False
    ) -> EventPage:
        """Return events of the log, or those about a record.

        Raises:
            InputError: ``invalid_cursor``: `after` is none.
            StorageError: ``store_damaged``: a line is no event.
        """
        kind = _NEWEST if newest_first else _EVENTS
        behind = int(read_cursor(kind, after, (int,))[0]) if after is not None else None

        def look(reader: ReviewReader) -> list[tuple[int, bytes]]:
            if newest_first:
                return reader.last_lines(behind, limit + 1, record_id)
            return reader.lines(behind or 0, limit + 1, record_id)

        found = await self._store.look(look)
        with kept_as_written("the audit log"):
            items = [Event.from_json(line) for _, line in found[:limit]]
        return EventPage(items, write_cursor(kind, [found[limit - 1][0]]) if len(found) > limit else None)

    async def evidence(self, record_id: str) -> list[StoredEvidence]:
        """Return the evidence that counts for a record."""
        found = await self._store.look(lambda reader: reader.evidence_of(record_id))
        return [one for one in found if one.is_active]

    async def resolve_evidence(self, evidence_ref: str) -> EvidenceItem:
        """Return the evidence that a reference names, of whatever record.

        Raises:
            InputError: ``unresolved_reference``: none has it.
            StorageError: ``evidence_damaged``: it is not what was kept.
        """
        found = await self._store.look(lambda reader: reader.find_evidence(evidence_ref))
        if found is None:
            message = "no evidence has this reference"
            raise InputError(message, where=evidence_ref, remedy="name another store", code="unresolved_reference")
        return found.item

    async def outcome(self, event_id: str) -> Outcome | None:
        """Return what came of an act, as the log tells it; None where there is no such event about a record."""
        return await self._store.look(lambda reader: outcome_of(reader, event_id))

    async def events_of_request(self, request_id: str, kind: EventType) -> list[Event]:
        """Return the events of a kind that a request left not long ago."""
        return await self._store.look(lambda reader: events_of_request(reader, request_id, kind))

    async def unused_evidence(self, record_id: str) -> dict[str, str]:
        """Return which evidence of a record was not used, by id, with the code of the reason."""
        return await self._look(lambda act: unused_evidence(act, record_id))

    async def settings(self) -> ReviewSettings:
        """Return the settings of the store."""
        return await self._store.look(lambda reader: reader.settings())

    async def lines(self, record_id: str | None = None) -> AsyncIterator[bytes]:
        """Yield the lines of the log as they were kept, without line ends; of all events, or those about a record."""
        after = 0
        while page := await self._store.look(
            lambda reader, after=after: reader.lines(after, _PAGE, record_id)  # type: ignore[misc]  # bound now
        ):
            for after, line in page:  # noqa: B007 - the last one is where the next page begins
                yield line

    async def pages(self) -> AsyncIterator[StoredPage]:
        """Yield the log as it is kept, with what its lines are filed under; the last page has no line."""
        after, is_last = 0, False
        while not is_last:
            page = await self._store.look(lambda reader, after=after: reader.page(after, _PAGE))  # type: ignore[misc]  # bound now
            yield page
            is_last = not page.rows
            after = page.rows[-1].seq if page.rows else after

    async def event_ids(self, beginning: str, limit: int) -> list[str]:
        """Return ids of events that begin so, at most so many."""
        return await self._store.look(lambda reader: reader.event_ids(beginning, limit))

    async def events(self, record_id: str | None = None) -> AsyncIterator[Event]:
        """Yield the events of the log, or those about a record.

        Raises:
            StorageError: ``store_damaged``: a line is no event.
        """
        async for line in self.lines(record_id):
            with kept_as_written("the audit log"):
                event = Event.from_json(line)
            yield event

    async def _look(self, look: Callable[[Act], T]) -> T:
        return await self._store.look(lambda reader: look(self._new_act(reader, None, Action.EXPORT, None)))

    def _new_act(self, reader: ReviewReader, caller: Caller, action: Action, request_id: str | None) -> Act:
        now = self._clock.now()
        return Act(reader, caller, action, reader.settings(), self._profiles, now, self._new_id, request_id)


def _behind(after: str | None) -> tuple[str, str] | None:
    if after is None:
        return None
    created_at, name = read_cursor(_SUGGESTIONS, after, (str, str))
    return str(created_at), str(name)


def _page(
    found: Sequence[StoredSuggestion], limit: int, counts: dict[str, int], wanted: SuggestionFilter
) -> SuggestionPage:
    """Return a page; one more than it holds was looked for, which tells whether another follows."""
    items = found[:limit]
    total = sum(count for status, count in counts.items() if not wanted.status or status in wanted.status)
    ends = write_cursor(_SUGGESTIONS, [items[-1].created_at, items[-1].id]) if items and len(found) > limit else None
    return SuggestionPage(items, total, counts, ends)
