"""Reviews in a database: the port `veracord.review.stores.ReviewStore` over one session in one transaction."""

from collections.abc import Callable, Collection, Coroutine
from typing import Any, Final, TypeVar

from veracord.audit.chain import Head
from veracord.audit.events import Event, utc_text
from veracord.audit.stored_lines import StoredPage
from veracord.composer.ledgers import LedgerEntry
from veracord.errors import StorageError
from veracord.records.reading import read_value
from veracord.records.writing import write_json
from veracord.review.damage import STORE_DAMAGED, damaged, kept_as_written
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.settings import ReviewSettings
from veracord.review.stores import ReviewTransaction
from veracord.review.suggestions import Status, StoredSuggestion, SuggestionFilter
from veracord.storage import audit_rows
from veracord.storage.ledger_rows import add_entries, find_entries, remove_entries
from veracord.storage.sessions import Row, Session

T = TypeVar("T")

_SETTINGS: Final = "review"
#: The columns of a suggestion: what it is filed under, and the suggestion itself.
_PROPOSAL: Final = "suggestion_id, record_id, pointer, rule, model, status, created_at, ledger_key, body"


class SqlReviewStore:
    """Keeps reviews in the database of a store."""

    def __init__(self, do: Callable[[Callable[[Session], Any]], Coroutine[Any, Any, Any]], where: str) -> None:
        """Remember how something is done in one transaction, and what errors call the store."""
        self._do = do
        self._where = where

    async def transact(self, work: Callable[[ReviewTransaction], T]) -> T:
        """Do something in one transaction; see `ReviewStore`."""
        try:
            done: T = await self._do(lambda session: work(SqlReviewTransaction(session)))
        except StorageError as error:
            if error.code != STORE_DAMAGED:
                raise
            # Only we know which store it is.
            raise damaged(error.what, f"{self._where}: {error.where}") from None
        return done


class SqlReviewTransaction:
    """One transaction; see `ReviewTransaction` for what each method does."""

    def __init__(self, session: Session) -> None:
        """Remember the session, which is in a transaction."""
        self._session = session

    def head(self) -> Head:
        """Hold the end of the log, and return it."""
        return audit_rows.lock_head(self._session)

    def append(self, event: Event) -> None:
        """Add the event that follows the head."""
        audit_rows.append_event(self._session, event)

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

    def page(self, after: int, limit: int) -> StoredPage:
        """Return events behind a number with what they are filed under, and the end of the log that is noted."""
        return audit_rows.read_page(self._session, after, limit)

    def record(self, record_id: str) -> StoredRecord | None:
        """Return a record as it is now."""
        if not _may_be_id(record_id):
            return None
        statement = "SELECT record_id, revision, text, facts FROM passports WHERE record_id = ?"
        return next((_record(row) for row in self._session.execute(statement, (record_id,))), None)

    def records(self, after: str, limit: int) -> list[StoredRecord]:
        """Return records by id, behind one."""
        statement = "SELECT record_id, revision, text, facts FROM passports"
        # In PostgreSQL the order of texts depends on the database; all ids are sorted, and few records are read.
        names = sorted(row[0] for row in self._session.execute("SELECT record_id FROM passports") if row[0] > after)
        found = (self._session.execute(f"{statement} WHERE record_id = ?", (name,)) for name in names[:limit])
        return [_record(rows[0]) for rows in found]

    def put_record(self, record: StoredRecord) -> None:
        """Keep a record as it is now."""
        self._session.change(
            "INSERT INTO passports (record_id, revision, text, facts) VALUES (?, ?, ?, ?) ON CONFLICT (record_id)"
            " DO UPDATE SET revision = excluded.revision, text = excluded.text, facts = excluded.facts",
            (record.record_id, record.revision, record.text, write_json(record.facts()).decode()),
        )

    def suggestion(self, suggestion_id: str) -> StoredSuggestion | None:
        """Return a suggestion as it is now."""
        if not _may_be_id(suggestion_id):
            return None
        rows = self._session.execute(f"SELECT {_PROPOSAL} FROM proposals WHERE suggestion_id = ?", (suggestion_id,))  # noqa: S608 - ours
        return _suggestion(rows[0]) if rows else None

    def suggestions_of(self, record_id: str) -> list[StoredSuggestion]:
        """Return all suggestions for a record."""
        return self.find_suggestions(SuggestionFilter(record_id=record_id, status=()), -1, 0)

    def find_suggestions(self, wanted: SuggestionFilter, limit: int, offset: int) -> list[StoredSuggestion]:
        """Return what a filter means; a limit below 0 is none."""
        condition, values = _condition(wanted)
        if wanted.status:
            condition += f" AND status IN ({', '.join('?' for _ in wanted.status)})"
            values += [status.value for status in wanted.status]
        if limit >= 0:
            condition_end, ends = " LIMIT ? OFFSET ?", [limit, offset]
        else:
            condition_end, ends = "", []
        rows = self._session.execute(
            f"SELECT {_PROPOSAL} FROM proposals WHERE {condition} ORDER BY created_at, suggestion_id{condition_end}",  # noqa: S608 - ours
            [*values, *ends],
        )
        return [_suggestion(row) for row in rows]

    def count_suggestions(self, wanted: SuggestionFilter) -> dict[str, int]:
        """Return how many a filter means by status."""
        condition, values = _condition(wanted)
        rows = self._session.execute(
            f"SELECT status, COUNT(*) FROM proposals WHERE {condition} GROUP BY status",  # noqa: S608 - ours
            values,
        )
        return {row[0]: int(row[1]) for row in rows}

    def is_rejected_elsewhere(self, suggestion: StoredSuggestion) -> bool:
        """Whether another suggestion that the ledger does not tell from this one is rejected."""
        rows = self._session.execute(
            "SELECT 1 FROM proposals WHERE ledger_key = ? AND status = ? AND suggestion_id <> ? LIMIT 1",
            (suggestion.ledger_key, Status.REJECTED.value, suggestion.id),
        )
        return bool(rows)

    def put_suggestion(self, suggestion: StoredSuggestion) -> None:
        """Keep a suggestion as it is now."""
        self._session.change(
            f"INSERT INTO proposals ({_PROPOSAL}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - ours
            " ON CONFLICT (suggestion_id) DO UPDATE SET rule = excluded.rule, model = excluded.model,"
            " status = excluded.status, created_at = excluded.created_at, body = excluded.body",
            (*_columns(suggestion), suggestion.to_text()),
        )

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

    def issued(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was suggested for products."""
        return frozenset(find_entries(self._session, "issued_suggestions", products))

    def issue(self, entries: Collection[LedgerEntry]) -> None:
        """Remember suggestions."""
        if entries:
            add_entries(self._session, "issued_suggestions", entries)

    def withdraw_issued(self, entries: Collection[LedgerEntry]) -> None:
        """Forget suggestions that evidence supports now."""
        if entries:
            remove_entries(self._session, "issued_suggestions", entries)

    def rejected(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was refused for products."""
        return frozenset(find_entries(self._session, "rejected_suggestions", products))

    def reject(self, entries: Collection[LedgerEntry]) -> None:
        """Remember that suggestions were refused."""
        if entries:
            add_entries(self._session, "rejected_suggestions", entries)

    def withdraw_rejected(self, entries: Collection[LedgerEntry]) -> None:
        """Forget refusals that were undone."""
        if entries:
            remove_entries(self._session, "rejected_suggestions", entries)

    def settings(self) -> ReviewSettings:
        """Return the settings of the store."""
        rows = self._session.execute("SELECT value FROM settings WHERE name = ?", (_SETTINGS,))
        if not rows:
            return ReviewSettings()
        with kept_as_written("the settings"):
            return ReviewSettings.from_object(read_value(rows[0][0].encode()))

    def put_settings(self, settings: ReviewSettings) -> None:
        """Keep the settings of the store."""
        self._session.change(
            "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (_SETTINGS, write_json(settings.to_object()).decode()),
        )


def _record(row: Row) -> StoredRecord:
    with kept_as_written(f"record {row[0]}"):
        # SQLite keeps anything in any column.
        return StoredRecord.of(row[0], int(row[1]), row[2].encode().decode(), row[3])


def _suggestion(row: Row) -> StoredSuggestion:
    *columns, body = row
    with kept_as_written(f"suggestion {columns[0]} of record {columns[1]}"):
        found = StoredSuggestion.from_text(body)
    if tuple(columns) != _columns(found):
        raise damaged("the suggestion is filed as another one than it is", f"suggestion {found.id}")
    return found


def _columns(suggestion: StoredSuggestion) -> tuple[str, ...]:
    """Return what a suggestion is filed under."""
    return (
        *(suggestion.id, suggestion.record_id, _storable(suggestion.pointer), _storable(suggestion.rule)),
        *(_storable(suggestion.model), suggestion.status.value, suggestion.created_at, suggestion.ledger_key),
    )


def _condition(wanted: SuggestionFilter) -> tuple[str, list[Any]]:
    """Return the condition of a filter but for its status."""
    asked: list[tuple[str, list[Any]]] = []
    if wanted.record_id is not None:
        asked.append(("record_id = ?", [_storable(wanted.record_id)]))
    if wanted.pointer is not None:
        below = f"{_storable(wanted.pointer)}/"
        asked.append(("(pointer = ? OR substr(pointer, 1, ?) = ?)", [below[:-1], len(below), below]))
    if wanted.rule is not None:
        asked.append(("rule = ?", [_storable(wanted.rule)]))
    if wanted.model is not None:
        asked.append(("model = ?", [_storable(wanted.model)]))
    if wanted.older_than is not None:
        asked.append(("created_at < ?", [utc_text(wanted.older_than)]))
    return " AND ".join(["1 = 1", *(text for text, _ in asked)]), [value for _, values in asked for value in values]


def _storable(text: str) -> str:
    """Return a text as every database takes it; in a pointer, no other tilde is followed by one."""
    return text.replace("\0", "~~0").encode(errors="replace").decode()


def _may_be_id(text: str) -> bool:
    """Whether a database takes a text at all; no id of ours is otherwise."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
