"""A store of reviews that lasts as long as its process; one transaction at a time, and whole or not at all."""

import threading
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from veracord.audit.chain import GENESIS, Head
from veracord.audit.events import Event, utc_text
from veracord.audit.stored_lines import StoredLine, StoredPage
from veracord.composer.ledgers import LedgerEntry
from veracord.records.pointers import is_under, split
from veracord.review.facets import CountChange, value_of
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.requests import AnsweredRequest
from veracord.review.settings import ReviewSettings
from veracord.review.stores import ReviewReader, ReviewTransaction
from veracord.review.suggestions import Status, StoredSuggestion, SuggestionFilter

T = TypeVar("T")


class MemoryReviewStore:
    """Keeps everything in this process."""

    def __init__(self) -> None:
        """Start empty."""
        self._state = MemoryState()
        self._lock = threading.Lock()

    async def transact(self, work: Callable[[ReviewTransaction], T]) -> T:
        """Do something in one transaction; what raises leaves nothing."""
        return self._transacted(lambda state: work(MemoryTransaction(state)))

    async def look(self, work: Callable[[ReviewReader], T]) -> T:
        """Look at what the last transaction left."""
        return work(MemoryTransaction(self._state))

    def _transacted(self, work: "Callable[[MemoryState], T]") -> T:
        with self._lock:
            state = self._state.copy()
            done = work(state)
            self._state = state
            return done


@dataclass(slots=True)
class MemoryState:
    """All that is kept; `more` is for what an outer layer keeps in the same transactions."""

    records: dict[str, StoredRecord] = field(default_factory=dict)
    suggestions: dict[str, StoredSuggestion] = field(default_factory=dict)
    evidence: dict[tuple[str, str], StoredEvidence] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    issued: dict[LedgerEntry, None] = field(default_factory=dict)
    rejected: dict[LedgerEntry, None] = field(default_factory=dict)
    settings: dict[str, ReviewSettings] = field(default_factory=dict)
    answered: dict[tuple[str, str], AnsweredRequest] = field(default_factory=dict)
    more: dict[tuple[str, str], Any] = field(default_factory=dict)

    def copy(self) -> "MemoryState":
        """Return a copy that can be changed by itself."""
        return MemoryState(**{one.name: dict(getattr(self, one.name)) for one in fields(self)})


class MemoryTransaction:
    """One transaction; see `ReviewTransaction` for what each method does."""

    def __init__(self, state: MemoryState) -> None:
        """Remember the state, which may be changed."""
        self._state = state

    def head(self) -> Head:
        """Return the end of the log."""
        last = next(reversed(self._state.events.values()), None)
        return Head(last.seq, last.hash) if last else GENESIS

    def append(self, event: Event) -> None:
        """Add the event that follows the head."""
        self._state.events[event.id] = event

    def event(self, event_id: str) -> Event | None:
        """Return an event by its id."""
        return self._state.events.get(event_id)

    def event_ids(self, beginning: str, limit: int) -> list[str]:
        """Return ids of events that begin so."""
        return [name for name in self._state.events if name.startswith(beginning)][:limit]

    def events_of(self, record_id: str) -> list[Event]:
        """Return all events about a record in their order."""
        return [event for event in self._state.events.values() if event.record_id == record_id]

    def lines(self, after: int, limit: int, record_id: str | None) -> list[tuple[int, bytes]]:
        """Return (seq, line) of events behind a number."""
        events = self._state.events.values() if record_id is None else self.events_of(record_id)
        return [(event.seq, event.to_json()) for event in events if event.seq > after][:limit]

    def last_lines(self, before: int | None, limit: int, record_id: str | None) -> list[tuple[int, bytes]]:
        """Return (seq, line) of events before a number, the last one first."""
        found = self.lines(0, len(self._state.events), record_id)
        return [one for one in reversed(found) if before is None or one[0] < before][:limit]

    def page(self, after: int, limit: int) -> StoredPage:
        """Return events behind a number with what they are filed under."""
        events = [event for event in self._state.events.values() if event.seq > after][:limit]
        rows = [StoredLine(event.seq, event.id, event.record_id, event.to_json()) for event in events]
        return StoredPage(self.head(), rows)

    def record(self, record_id: str) -> StoredRecord | None:
        """Return a record as it is now."""
        return self._state.records.get(record_id)

    def records(self, after: str, limit: int, contains: str = "") -> list[StoredRecord]:
        """Return records by id, behind one; only those whose id contains a text, in whatever case."""
        names = sorted(name for name in self._state.records if name > after and contains.lower() in name.lower())
        return [self._state.records[name] for name in names[:limit]]

    def revisions(self, record_ids: Sequence[str]) -> dict[str, int]:
        """Return the revision of each record that there is."""
        return {name: self._state.records[name].revision for name in record_ids if name in self._state.records}

    def put_record(self, record: StoredRecord) -> None:
        """Keep a record as it is now."""
        self._state.records[record.record_id] = record

    def suggestion(self, suggestion_id: str) -> StoredSuggestion | None:
        """Return a suggestion as it is now."""
        return self._state.suggestions.get(suggestion_id)

    def suggestions_of(self, record_id: str) -> list[StoredSuggestion]:
        """Return all suggestions for a record."""
        return self._found(SuggestionFilter(record_id=record_id, status=()))

    def find_suggestions(self, wanted: SuggestionFilter, limit: int, offset: int) -> list[StoredSuggestion]:
        """Return what a filter means."""
        found = [one for one in self._found(wanted) if not wanted.status or one.status in wanted.status]
        return found[offset : offset + limit] if limit >= 0 else found

    def suggestions_behind(
        self, wanted: SuggestionFilter, limit: int, behind: tuple[str, str] | None
    ) -> list[StoredSuggestion]:
        """Return what a filter means behind a moment and an id."""
        found = self.find_suggestions(wanted, -1, 0)
        return [one for one in found if behind is None or (one.created_at, one.id) > behind][:limit]

    def count_by(self, wanted: SuggestionFilter, facet: str) -> dict[str, int]:
        """Return how many suggestions a filter means by the value of a facet."""
        return dict(Counter(value_of(one, facet) for one in self.find_suggestions(wanted, -1, 0)))

    def count_changes(self, after: int) -> list[CountChange] | None:  # noqa: ARG002 - of the port
        """Return None: it is quicker to count again."""
        return None

    def answered(self, caller: str, key: str) -> AnsweredRequest | None:
        """Return a request that was answered."""
        return self._state.answered.get((caller, key))

    def put_answered(self, request: AnsweredRequest) -> None:
        """Keep a request that was answered just now."""
        self._state.answered[request.caller, request.key] = request

    def remove_answered(self, now: str) -> None:
        """Remove those whose time is over."""
        self._state.answered = {at: one for at, one in self._state.answered.items() if one.until > now}

    def end(self) -> int:
        """Return the number of the last event."""
        return self.head().seq

    def count_suggestions(self, wanted: SuggestionFilter) -> dict[str, int]:
        """Return how many a filter means by status."""
        return dict(Counter(one.status.value for one in self._found(wanted)))

    def _found(self, wanted: SuggestionFilter) -> list[StoredSuggestion]:
        found = [one for one in self._state.suggestions.values() if _is_meant(one, wanted)]
        return sorted(found, key=lambda one: (one.created_at, one.id))

    def is_rejected_elsewhere(self, suggestion: StoredSuggestion) -> bool:
        """Whether another suggestion that the ledger does not tell from this one is rejected."""
        return any(
            one.status is Status.REJECTED and one.id != suggestion.id and one.ledger_key == suggestion.ledger_key
            for one in self._state.suggestions.values()
        )

    def put_suggestions(self, suggestions: Sequence[StoredSuggestion]) -> None:
        """Keep suggestions as they are now."""
        self._state.suggestions |= {one.id: one for one in suggestions}

    def evidence_of(self, record_id: str) -> list[StoredEvidence]:
        """Return the evidence of a record."""
        return [self._state.evidence[at] for at in sorted(self._state.evidence) if at[0] == record_id]

    def find_evidence(self, evidence_ref: str) -> StoredEvidence | None:
        """Return evidence by its reference."""
        return next((one for one in self._state.evidence.values() if one.item.evidence_ref == evidence_ref), None)

    def put_evidence(self, record_id: str, evidence: StoredEvidence) -> None:
        """Keep an evidence item of a record as it is now."""
        self._state.evidence[record_id, evidence.key] = evidence

    def issued(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was suggested for products."""
        return frozenset(entry for entry in self._state.issued if entry.product in products)

    def issue(self, entries: Collection[LedgerEntry]) -> None:
        """Remember suggestions."""
        self._state.issued |= dict.fromkeys(entries)

    def withdraw_issued(self, entries: Collection[LedgerEntry]) -> None:
        """Forget suggestions that evidence supports now."""
        self._state.issued = {one: None for one in self._state.issued if one not in set(entries)}

    def rejected(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was refused for products."""
        return frozenset(entry for entry in self._state.rejected if entry.product in products)

    def reject(self, entries: Collection[LedgerEntry]) -> None:
        """Remember that suggestions were refused."""
        self._state.rejected |= dict.fromkeys(entries)

    def withdraw_rejected(self, entries: Collection[LedgerEntry]) -> None:
        """Forget refusals that were undone."""
        self._state.rejected = {one: None for one in self._state.rejected if one not in set(entries)}

    def settings(self) -> ReviewSettings:
        """Return the settings of the store."""
        return self._state.settings.get("review", ReviewSettings())

    def put_settings(self, settings: ReviewSettings) -> None:
        """Keep the settings of the store."""
        self._state.settings["review"] = settings


def _is_meant(one: StoredSuggestion, wanted: SuggestionFilter) -> bool:
    """Whether a filter means a suggestion, whatever its status."""
    plain = (wanted.record_id, wanted.rule, wanted.model)
    if any(
        asked is not None and asked != told
        for asked, told in zip(plain, (one.record_id, one.rule, one.model), strict=True)
    ):
        return False
    if wanted.pointer is not None and not is_under(one.place, split(wanted.pointer)):
        return False
    if wanted.newer_than is not None and one.created_at < utc_text(wanted.newer_than):
        return False
    return wanted.older_than is None or one.created_at < utc_text(wanted.older_than)
