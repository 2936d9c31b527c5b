"""A store of reviews that lasts as long as its process; one transaction at a time, and whole or not at all."""

import threading
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields
from typing import TypeVar

from veracord.audit.chain import GENESIS, Head
from veracord.audit.events import Event, utc_text
from veracord.audit.stored_lines import StoredLine, StoredPage
from veracord.composer.ledgers import LedgerEntry
from veracord.records.pointers import is_under, split
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.settings import ReviewSettings
from veracord.review.stores import ReviewTransaction
from veracord.review.suggestions import Status, StoredSuggestion, SuggestionFilter

T = TypeVar("T")


class MemoryReviewStore:
    """Keeps everything in this process."""

    def __init__(self) -> None:
        """Start empty."""
        self._state = _State()
        self._lock = threading.Lock()

    async def transact(self, work: Callable[[ReviewTransaction], T]) -> T:
        """Do something in one transaction; what raises leaves nothing."""
        with self._lock:
            state = self._state.copy()
            done = work(_MemoryTransaction(state))
            self._state = state
            return done


@dataclass(slots=True)
class _State:
    records: dict[str, StoredRecord] = field(default_factory=dict)
    suggestions: dict[str, StoredSuggestion] = field(default_factory=dict)
    evidence: dict[tuple[str, str], StoredEvidence] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    issued: dict[LedgerEntry, None] = field(default_factory=dict)
    rejected: dict[LedgerEntry, None] = field(default_factory=dict)
    settings: dict[str, ReviewSettings] = field(default_factory=dict)

    def copy(self) -> "_State":
        return _State(**{one.name: dict(getattr(self, one.name)) for one in fields(self)})


class _MemoryTransaction:
    def __init__(self, state: _State) -> None:
        self._state = state

    def head(self) -> Head:
        last = next(reversed(self._state.events.values()), None)
        return Head(last.seq, last.hash) if last else GENESIS

    def append(self, event: Event) -> None:
        self._state.events[event.id] = event

    def event(self, event_id: str) -> Event | None:
        return self._state.events.get(event_id)

    def event_ids(self, beginning: str, limit: int) -> list[str]:
        return [name for name in self._state.events if name.startswith(beginning)][:limit]

    def events_of(self, record_id: str) -> list[Event]:
        return [event for event in self._state.events.values() if event.record_id == record_id]

    def lines(self, after: int, limit: int, record_id: str | None) -> list[tuple[int, bytes]]:
        events = self._state.events.values() if record_id is None else self.events_of(record_id)
        return [(event.seq, event.to_json()) for event in events if event.seq > after][:limit]

    def page(self, after: int, limit: int) -> StoredPage:
        events = [event for event in self._state.events.values() if event.seq > after][:limit]
        rows = [StoredLine(event.seq, event.id, event.record_id, event.to_json()) for event in events]
        return StoredPage(self.head(), rows)

    def record(self, record_id: str) -> StoredRecord | None:
        return self._state.records.get(record_id)

    def records(self, after: str, limit: int) -> list[StoredRecord]:
        names = sorted(name for name in self._state.records if name > after)
        return [self._state.records[name] for name in names[:limit]]

    def put_record(self, record: StoredRecord) -> None:
        self._state.records[record.record_id] = record

    def suggestion(self, suggestion_id: str) -> StoredSuggestion | None:
        return self._state.suggestions.get(suggestion_id)

    def suggestions_of(self, record_id: str) -> list[StoredSuggestion]:
        return self._found(SuggestionFilter(record_id=record_id, status=()))

    def find_suggestions(self, wanted: SuggestionFilter, limit: int, offset: int) -> list[StoredSuggestion]:
        found = [one for one in self._found(wanted) if not wanted.status or one.status in wanted.status]
        return found[offset : offset + limit] if limit >= 0 else found

    def count_suggestions(self, wanted: SuggestionFilter) -> dict[str, int]:
        return dict(Counter(one.status.value for one in self._found(wanted)))

    def _found(self, wanted: SuggestionFilter) -> list[StoredSuggestion]:
        found = [one for one in self._state.suggestions.values() if _is_meant(one, wanted)]
        return sorted(found, key=lambda one: (one.created_at, one.id))

    def is_rejected_elsewhere(self, suggestion: StoredSuggestion) -> bool:
        return any(
            one.status is Status.REJECTED and one.id != suggestion.id and one.ledger_key == suggestion.ledger_key
            for one in self._state.suggestions.values()
        )

    def put_suggestion(self, suggestion: StoredSuggestion) -> None:
        self._state.suggestions[suggestion.id] = suggestion

    def evidence_of(self, record_id: str) -> list[StoredEvidence]:
        return [self._state.evidence[at] for at in sorted(self._state.evidence) if at[0] == record_id]

    def find_evidence(self, evidence_ref: str) -> StoredEvidence | None:
        return next((one for one in self._state.evidence.values() if one.item.evidence_ref == evidence_ref), None)

    def put_evidence(self, record_id: str, evidence: StoredEvidence) -> None:
        self._state.evidence[record_id, evidence.key] = evidence

    def issued(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        return frozenset(entry for entry in self._state.issued if entry.product in products)

    def issue(self, entries: Collection[LedgerEntry]) -> None:
        self._state.issued |= dict.fromkeys(entries)

    def withdraw_issued(self, entries: Collection[LedgerEntry]) -> None:
        self._state.issued = {one: None for one in self._state.issued if one not in set(entries)}

    def rejected(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        return frozenset(entry for entry in self._state.rejected if entry.product in products)

    def reject(self, entries: Collection[LedgerEntry]) -> None:
        self._state.rejected |= dict.fromkeys(entries)

    def withdraw_rejected(self, entries: Collection[LedgerEntry]) -> None:
        self._state.rejected = {one: None for one in self._state.rejected if one not in set(entries)}

    def settings(self) -> ReviewSettings:
        return self._state.settings.get("review", ReviewSettings())

    def put_settings(self, settings: ReviewSettings) -> None:
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
    return wanted.older_than is None or one.created_at < utc_text(wanted.older_than)
