"""What is looked up of reviews in a database, inside a transaction."""

from collections.abc import Collection, Sequence
from typing import Final

from veracord.audit.events import Event
from veracord.audit.stored_lines import StoredPage
from veracord.composer.ledgers import LedgerEntry
from veracord.records.reading import read_value
from veracord.review.damage import kept_as_written
from veracord.review.facets import CountChange, without_own
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.requests import AnsweredRequest
from veracord.review.settings import ReviewSettings
from veracord.review.suggestions import StoredSuggestion, SuggestionFilter
from veracord.storage import audit_rows, suggestion_counts, suggestion_rows
from veracord.storage.ledger_rows import find_entries
from veracord.storage.sessions import Row, Session

#: Under which name the settings of reviews are kept.
SETTINGS: Final = "review"


class SqlReviewReader:
    """What one transaction sees; see `ReviewReader` for what each method does."""

    def __init__(self, session: Session) -> None:
        """Remember the session, which is in a transaction."""
        self._session = session

    def event(self, event_id: str) -> Event | None:
        """Return an event by its id."""
        return audit_rows.find_event(self._session, event_id)

    def event_ids(self, beginning: str, limit: int) -> list[str]:
        """Return ids of events that begin so."""
        return audit_rows.event_ids(self._session, beginning, limit)

    def events_of(self, record_id: str) -> list[Event]:
        """Return all events about a record in their order."""
        return audit_rows.events_of(self._session, record_id)

    def lines(self, after: int, limit: int, record_id: str | None) -> list[tuple[int, bytes]]:
        """Return (seq, line) of events behind a number, as they were kept."""
        if record_id is not None and not _may_be_id(record_id):
            return []
        return audit_rows.read_lines(self._session, after, limit, record_id)

    def last_lines(self, before: int | None, limit: int, record_id: str | None) -> list[tuple[int, bytes]]:
        """Return (seq, line) of events before a number, the last one first."""
        return audit_rows.read_last_lines(self._session, before, limit, record_id)

    def page(self, after: int, limit: int) -> StoredPage:
        """Return events behind a number with what they are filed under, and the end of the log that is noted."""
        return audit_rows.read_page(self._session, after, limit)

    def record(self, record_id: str) -> StoredRecord | None:
        """Return a record as it is now."""
        if not _may_be_id(record_id):
            return None
        statement = "SELECT record_id, revision, text, facts FROM passports WHERE record_id = ?"
        return next((_record(row) for row in self._session.execute(statement, (record_id,))), None)

    def records(self, after: str, limit: int, contains: str = "") -> list[StoredRecord]:
        """Return records by id, behind one; only those whose id contains a text, in whatever case."""
        statement = "SELECT record_id, revision, text, facts FROM passports"
        # In PostgreSQL the order of texts depends on the database; all ids are sorted, and few records are read.
        every = (str(row[0]) for row in self._session.execute("SELECT record_id FROM passports"))
        names = sorted(name for name in every if name > after and contains.lower() in name.lower())
        found = (self._session.execute(f"{statement} WHERE record_id = ?", (name,)) for name in names[:limit])
        return [_record(rows[0]) for rows in found]

    def revisions(self, record_ids: Sequence[str]) -> dict[str, int]:
        """Return the revision of each record that there is."""
        marks = ", ".join("?" for _ in record_ids)
        statement = f"SELECT record_id, revision FROM passports WHERE record_id IN ({marks})"  # noqa: S608 - ours
        return {row[0]: int(row[1]) for row in self._session.execute(statement, record_ids)} if record_ids else {}

    def suggestion(self, suggestion_id: str) -> StoredSuggestion | None:
        """Return a suggestion as it is now."""
        return suggestion_rows.find_suggestion(self._session, suggestion_id) if _may_be_id(suggestion_id) else None

    def suggestions_of(self, record_id: str) -> list[StoredSuggestion]:
        """Return all suggestions for a record."""
        return self.find_suggestions(SuggestionFilter(record_id=record_id, status=()), -1, 0)

    def find_suggestions(self, wanted: SuggestionFilter, limit: int, offset: int) -> list[StoredSuggestion]:
        """Return what a filter means; a limit below 0 is none."""
        return suggestion_rows.find_suggestions(self._session, wanted, limit, offset)

    def suggestions_behind(
        self, wanted: SuggestionFilter, limit: int, behind: tuple[str, str] | None
    ) -> list[StoredSuggestion]:
        """Return what a filter means behind a moment and an id."""
        return suggestion_rows.suggestions_behind(self._session, wanted, limit, behind)

    def count_by(self, wanted: SuggestionFilter, facet: str) -> dict[str, int]:
        """Return how many suggestions a filter means by the value of a facet."""
        return suggestion_counts.count_by(self._session, wanted, facet)

    def count_changes(self, after: int) -> list[CountChange] | None:
        """Return what has changed of counts since the log ended at a number."""
        return suggestion_counts.count_changes(self._session, after)

    def answered(self, caller: str, key: str) -> AnsweredRequest | None:
        """Return a request that was answered, also one that is too old."""
        rows = self._session.execute(
            "SELECT caller, request_key, request_digest, answer, until FROM answered_requests"
            " WHERE caller = ? AND request_key = ?",
            (caller, key),
        )
        return AnsweredRequest(*rows[0]) if rows else None

    def end(self) -> int:
        """Return the number of the last event, without holding anything."""
        return audit_rows.read_end(self._session)

    def count_suggestions(self, wanted: SuggestionFilter) -> dict[str, int]:
        """Return how many a filter means by status."""
        return suggestion_counts.count_by(self._session, without_own(wanted, "status"), "status")

    def is_rejected_elsewhere(self, suggestion: StoredSuggestion) -> bool:
        """Whether another suggestion that the ledger does not tell from this one is rejected."""
        return suggestion_rows.is_rejected_elsewhere(self._session, suggestion)

    def evidence_of(self, record_id: str) -> list[StoredEvidence]:
        """Return the evidence of a record, also what does not count any more."""
        if not _may_be_id(record_id):
            return []
        return self._evidence("record_id = ? ORDER BY item_key", record_id)

    def find_evidence(self, evidence_ref: str) -> StoredEvidence | None:
        """Return evidence by its reference, of whatever record."""
        if not _may_be_id(evidence_ref):
            return None
        return next(iter(self._evidence("evidence_ref = ? ORDER BY record_id, item_key LIMIT 1", evidence_ref)), None)

    def _evidence(self, condition: str, value: str) -> list[StoredEvidence]:
        rows = self._session.execute(
            "SELECT item_key, i.body_digest, body, is_attached, is_active FROM evidence_items i"  # noqa: S608 - ours
            f" JOIN evidence_bodies b ON b.body_digest = i.body_digest WHERE {condition}",
            (value,),
        )
        return [StoredEvidence(row[0], row[1], row[2], bool(row[3]), bool(row[4])) for row in rows]

    def issued(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was suggested for products."""
        return frozenset(find_entries(self._session, "issued_suggestions", products))

    def rejected(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was refused for products."""
        return frozenset(find_entries(self._session, "rejected_suggestions", products))

    def settings(self) -> ReviewSettings:
        """Return the settings of the store."""
        rows = self._session.execute("SELECT value FROM settings WHERE name = ?", (SETTINGS,))
        if not rows:
            return ReviewSettings()
        with kept_as_written("the settings"):
            return ReviewSettings.from_object(read_value(rows[0][0].encode()))


def _record(row: Row) -> StoredRecord:
    with kept_as_written(f"record {row[0]}"):
        # SQLite keeps anything in any column.
        return StoredRecord.of(row[0], int(row[1]), row[2].encode().decode(), row[3])


def _may_be_id(text: str) -> bool:
    """Whether a database takes a text at all; no id of ours is otherwise."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
