"""What a store must do for reviews: whole transactions, one at a time, in which the log grows with what it tells.

Beside them it is looked at, each time at one moment.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, TypeVar

from veracord.audit.chain import Head
from veracord.audit.events import Event
from veracord.audit.stored_lines import StoredPage
from veracord.composer.ledgers import LedgerEntry
from veracord.review.facets import CountChange
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.requests import AnsweredRequest
from veracord.review.settings import ReviewSettings
from veracord.review.suggestions import StoredSuggestion, SuggestionFilter

T = TypeVar("T")


class ReviewReader(Protocol):
    """What can be looked up inside a transaction."""

    def record(self, record_id: str) -> StoredRecord | None:
        """Return a record as it is now."""

    def records(self, after: str, limit: int, contains: str = "") -> list[StoredRecord]:
        """Return records by id, behind one; only those whose id contains a text, in whatever case."""

    def revisions(self, record_ids: Sequence[str]) -> Mapping[str, int]:
        """Return the revision of each record that there is."""

    def suggestion(self, suggestion_id: str) -> StoredSuggestion | None:
        """Return a suggestion as it is now."""

    def suggestions_of(self, record_id: str) -> list[StoredSuggestion]:
        """Return all suggestions for a record, oldest first, then by id."""

    def find_suggestions(self, wanted: SuggestionFilter, limit: int, offset: int) -> list[StoredSuggestion]:
        """Return what a filter means, oldest first, then by id."""

    def suggestions_behind(
        self, wanted: SuggestionFilter, limit: int, behind: tuple[str, str] | None
    ) -> list[StoredSuggestion]:
        """Return what a filter means behind a moment and an id; None for the beginning."""

    def count_suggestions(self, wanted: SuggestionFilter) -> dict[str, int]:
        """Return how many a filter means by status; the status that it asks for does not matter."""

    def count_by(self, wanted: SuggestionFilter, facet: str) -> dict[str, int]:
        """Return how many suggestions a filter means by the value of a facet; see `veracord.review.facets`."""

    def count_changes(self, after: int) -> list[CountChange] | None:
        """Return what has changed of counts since the log ended at a number; None where that is not known any more."""

    def answered(self, caller: str, key: str) -> AnsweredRequest | None:
        """Return a request that was answered, also one that is too old."""

    def end(self) -> int:
        """Return the number of the last event, without holding anything; 0 for an empty log."""

    def is_rejected_elsewhere(self, suggestion: StoredSuggestion) -> bool:
        """Whether another suggestion that the ledger does not tell from this one is rejected."""

    def evidence_of(self, record_id: str) -> list[StoredEvidence]:
        """Return the evidence of a record, also what does not count any more, by key."""

    def find_evidence(self, evidence_ref: str) -> StoredEvidence | None:
        """Return evidence by its reference, of whatever record; also what does not count any more."""

    def event(self, event_id: str) -> Event | None:
        """Return an event by its id."""

    def event_ids(self, beginning: str, limit: int) -> list[str]:
        """Return ids of events that begin so, in no order."""

    def events_of(self, record_id: str) -> list[Event]:
        """Return all events about a record in their order."""

    def lines(self, after: int, limit: int, record_id: str | None) -> list[tuple[int, bytes]]:
        """Return (seq, line) of events behind a number, as they were kept; about one record, or all."""

    def last_lines(self, before: int | None, limit: int, record_id: str | None) -> list[tuple[int, bytes]]:
        """Return the same of events before a number, the last one first; None for the end."""

    def page(self, after: int, limit: int) -> StoredPage:
        """Return events behind a number with what they are filed under, and the end of the log that is noted."""

    def issued(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was suggested for products and not taken out of the ledger since."""

    def rejected(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was refused for products."""

    def settings(self) -> ReviewSettings:
        """Return the settings of the store."""


class ReviewTransaction(ReviewReader, Protocol):
    """What can be changed inside a transaction."""

    def head(self) -> Head:
        """Return the end of the log, and let nobody else append until the transaction ends; the first call of all.

        Raises:
            StorageError: ``store_damaged``: the end that is noted is not the last event.
        """

    def append(self, event: Event) -> None:
        """Add the event that follows the head."""

    def put_record(self, record: StoredRecord) -> None:
        """Keep a record as it is now."""

    def put_suggestions(self, suggestions: Sequence[StoredSuggestion]) -> None:
        """Keep suggestions as they are now; of several of one id, the last counts."""

    def put_evidence(self, record_id: str, evidence: StoredEvidence) -> None:
        """Keep an evidence item of a record as it is now."""

    def issue(self, entries: Collection[LedgerEntry]) -> None:
        """Remember suggestions."""

    def withdraw_issued(self, entries: Collection[LedgerEntry]) -> None:
        """Forget suggestions that evidence supports now."""

    def reject(self, entries: Collection[LedgerEntry]) -> None:
        """Remember that suggestions were refused."""

    def withdraw_rejected(self, entries: Collection[LedgerEntry]) -> None:
        """Forget refusals that were undone."""

    def put_settings(self, settings: ReviewSettings) -> None:
        """Keep the settings of the store."""

    def put_answered(self, request: AnsweredRequest) -> None:
        """Keep a request that was answered just now, in the place of an older one."""

    def remove_answered(self, now: str) -> None:
        """Remove those whose time is over."""


class ReviewStore(Protocol):
    """Keeps records under review with their suggestions, evidence and log."""

    async def transact(self, work: Callable[[ReviewTransaction], T]) -> T:
        """Do something in one transaction, and return when it is durable.

        Args:
            work: Is called with the transaction, maybe in another thread.  When it raises, nothing is kept of what it
                did.

        Raises:
            StorageError: The store cannot be used, or could not keep it; ``store_damaged``: what is read is not what
                was kept.
        """

    async def look(self, work: Callable[[ReviewReader], T]) -> T:
        """Look at one moment of the store; nobody who writes is waited for, and nobody waits.

        What was acknowledged before is seen.

        Args:
            work: Is called with the reader, maybe in another thread.

        Raises:
            StorageError: As `transact`.
        """
