"""Reviews in a database: the port `veracord.review.stores.ReviewStore` over one session in one transaction."""

from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any, TypeVar

from veracord.audit.chain import Head
from veracord.audit.events import Event
from veracord.composer.ledgers import LedgerEntry
from veracord.errors import StorageError
from veracord.records.writing import write_json
from veracord.review.damage import STORE_DAMAGED, damaged
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.requests import AnsweredRequest
from veracord.review.settings import ReviewSettings
from veracord.review.stores import ReviewReader, ReviewTransaction
from veracord.review.suggestions import StoredSuggestion
from veracord.storage import audit_rows, suggestion_rows
from veracord.storage.ledger_rows import add_entries, remove_entries
from veracord.storage.review_reads import SETTINGS, SqlReviewReader
from veracord.storage.sessions import Session

T = TypeVar("T")

#: How a store does something with its database in one transaction.
Doing = Callable[[Callable[[Session], Any]], Coroutine[Any, Any, Any]]


class SqlReviewStore:
    """Keeps reviews in the database of a store."""

    def __init__(self, do: Doing, look: Doing, where: str) -> None:
        """Remember how something is done in one transaction, how it is looked, and what errors call the store."""
        self._do = do
        self._look = look
        self._where = where

    async def transact(self, work: Callable[[ReviewTransaction], T]) -> T:
        """Do something in one transaction; see `ReviewStore`."""
        return await named(self._where, self._do(lambda session: work(SqlReviewTransaction(session))))

    async def look(self, work: Callable[[ReviewReader], T]) -> T:
        """Look at one moment; see `ReviewStore`."""
        return await named(self._where, self._look(lambda session: work(SqlReviewReader(session))))


async def named(where: str, doing: Coroutine[Any, Any, T]) -> T:
    """Wait for something; where it finds damage, say of which store."""
    try:
        return await doing
    except StorageError as error:
        if error.code != STORE_DAMAGED:
            raise
        # Only we know which store it is.
        raise damaged(error.what, f"{where}: {error.where}") from None


class SqlReviewTransaction(SqlReviewReader):
    """One transaction that changes; see `ReviewTransaction` for what each method does."""

    def head(self) -> Head:
        """Hold the end of the log, and return it."""
        return audit_rows.lock_head(self._session)

    def append(self, event: Event) -> None:
        """Add the event that follows the head."""
        audit_rows.append_event(self._session, event)

    def put_record(self, record: StoredRecord) -> None:
        """Keep a record as it is now."""
        self._session.change(
            "INSERT INTO passports (record_id, revision, text, facts) VALUES (?, ?, ?, ?) ON CONFLICT (record_id)"
            " DO UPDATE SET revision = excluded.revision, text = excluded.text, facts = excluded.facts",
            (record.record_id, record.revision, record.text, write_json(record.facts()).decode()),
        )

    def put_suggestions(self, suggestions: Sequence[StoredSuggestion]) -> None:
        """Keep suggestions as they are now."""
        suggestion_rows.put_suggestions(self._session, suggestions)

    def put_answered(self, request: AnsweredRequest) -> None:
        """Keep a request that was answered just now."""
        self._session.change(
            "INSERT INTO answered_requests (caller, request_key, request_digest, answer, until) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (caller, request_key) DO UPDATE SET request_digest = excluded.request_digest,"
            " answer = excluded.answer, until = excluded.until",
            (request.caller, request.key, request.request_digest, request.answer, request.until),
        )

    def remove_answered(self, now: str) -> None:
        """Remove those whose time is over."""
        self._session.change("DELETE FROM answered_requests WHERE until <= ?", (now,))

    def put_evidence(self, record_id: str, evidence: StoredEvidence) -> None:
        """Keep an evidence item of a record as it is now; a text that several records have is kept once."""
        self._session.change(
            "INSERT INTO evidence_bodies (body_digest, evidence_ref, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (evidence.digest, evidence.item.evidence_ref, evidence.text),
        )
        self._session.change(
            "INSERT INTO evidence_items (record_id, item_key, body_digest, is_attached, is_active)"
            " VALUES (?, ?, ?, ?, ?) ON CONFLICT (record_id, item_key) DO UPDATE SET"
            " body_digest = excluded.body_digest, is_attached = excluded.is_attached, is_active = excluded.is_active",
            (record_id, evidence.key, evidence.digest, int(evidence.is_attached), int(evidence.is_active)),
        )

    def issue(self, entries: Collection[LedgerEntry]) -> None:
        """Remember suggestions."""
        if entries:
            add_entries(self._session, "issued_suggestions", entries)

    def withdraw_issued(self, entries: Collection[LedgerEntry]) -> None:
        """Forget suggestions that evidence supports now."""
        if entries:
            remove_entries(self._session, "issued_suggestions", entries)

    def reject(self, entries: Collection[LedgerEntry]) -> None:
        """Remember that suggestions were refused."""
        if entries:
            add_entries(self._session, "rejected_suggestions", entries)

    def withdraw_rejected(self, entries: Collection[LedgerEntry]) -> None:
        """Forget refusals that were undone."""
        if entries:
            remove_entries(self._session, "rejected_suggestions", entries)

    def put_settings(self, settings: ReviewSettings) -> None:
        """Keep the settings of the store."""
        self._session.change(
            "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (SETTINGS, write_json(settings.to_object()).decode()),
        )
