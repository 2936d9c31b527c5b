"""What can be looked at without deciding anything: suggestions, places, records, evidence, and the log."""

import secrets
from collections.abc import AsyncIterator, Callable
from typing import Final, TypeVar

from veracord.audit.events import Event
from veracord.audit.stored_lines import StoredPage
from veracord.errors import InputError
from veracord.ports import Clock
from veracord.records.evidence import EvidenceItem
from veracord.review.acting import Act, Profiles
from veracord.review.damage import kept_as_written
from veracord.review.explaining import Account, explain
from veracord.review.looking import Shown, show_place, show_suggestion
from veracord.review.people import Caller
from veracord.review.permissions import Action
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.settings import ReviewSettings
from veracord.review.stores import ReviewReader, ReviewStore
from veracord.review.suggestions import SuggestionFilter, SuggestionPage

T = TypeVar("T")

_PAGE: Final = 500


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

    async def list_suggestions(
        self, wanted: SuggestionFilter | None = None, *, limit: int = 100, offset: int = 0
    ) -> SuggestionPage:
        """Return some of the suggestions that a filter means, with counts."""
        asked = wanted or SuggestionFilter()

        def look(reader: ReviewReader) -> SuggestionPage:
            counts = reader.count_suggestions(asked)
            total = sum(count for status, count in counts.items() if not asked.status or status in asked.status)
            return SuggestionPage(reader.find_suggestions(asked, limit, offset), total, counts)

        return await self._store.transact(look)

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
        return await self._store.transact(lambda reader: reader.records(after, limit))

    async def evidence(self, record_id: str) -> list[StoredEvidence]:
        """Return the evidence that counts for a record."""
        found = await self._store.transact(lambda reader: reader.evidence_of(record_id))
        return [one for one in found if one.is_active]

    async def resolve_evidence(self, evidence_ref: str) -> EvidenceItem:
        """Return the evidence that a reference names, of whatever record.

        Raises:
            InputError: ``unresolved_reference``: none has it.
            StorageError: ``evidence_damaged``: it is not what was kept.
        """
        found = await self._store.transact(lambda reader: reader.find_evidence(evidence_ref))
        if found is None:
            message = "no evidence has this reference"
            raise InputError(message, where=evidence_ref, remedy="name another store", code="unresolved_reference")
        return found.item

    async def settings(self) -> ReviewSettings:
        """Return the settings of the store."""
        return await self._store.transact(lambda reader: reader.settings())

    async def lines(self, record_id: str | None = None) -> AsyncIterator[bytes]:
        """Yield the lines of the log as they were kept, without line ends; of all events, or those about a record."""
        after = 0
        while page := await self._store.transact(
            lambda reader, after=after: reader.lines(after, _PAGE, record_id)  # type: ignore[misc]  # bound now
        ):
            for after, line in page:  # noqa: B007 - the last one is where the next page begins
                yield line

    async def pages(self) -> AsyncIterator[StoredPage]:
        """Yield the log as it is kept, with what its lines are filed under; the last page has no line."""
        after, is_last = 0, False
        while not is_last:
            page = await self._store.transact(lambda reader, after=after: reader.page(after, _PAGE))  # type: ignore[misc]  # bound now
            yield page
            is_last = not page.rows
            after = page.rows[-1].seq if page.rows else after

    async def event_ids(self, beginning: str, limit: int) -> list[str]:
        """Return ids of events that begin so, at most so many."""
        return await self._store.transact(lambda reader: reader.event_ids(beginning, limit))

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
        return await self._store.transact(lambda reader: look(self._new_act(reader, None, Action.EXPORT, None)))

    def _new_act(self, reader: ReviewReader, caller: Caller, action: Action, request_id: str | None) -> Act:
        now = self._clock.now()
        return Act(reader, caller, action, reader.settings(), self._profiles, now, self._new_id, request_id)
