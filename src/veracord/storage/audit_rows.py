"""The log in a database: its events, and its head, whose row is the lock of all that write about records.

Rows of events are only ever added.  Who appends holds the head until the transaction ends, so that of two servers none
follows a head that the other has passed; were a lock to fail, the number of the event would be taken.
"""

from typing import Any, Final

from veracord.audit.chain import GENESIS, Head, event_hash
from veracord.audit.events import Event
from veracord.audit.stored_lines import StoredLine, StoredPage
from veracord.review.damage import damaged, kept_as_written
from veracord.storage.sessions import Row, Session

_NAME: Final = "log"
_HEAD: Final = "SELECT seq, hash FROM audit_head WHERE name = ?"
_LAST: Final = "SELECT seq, body FROM audit_events ORDER BY seq DESC LIMIT 1"
_COLUMNS: Final = "seq, event_id, record_id, body"


def lock_head(session: Session) -> Head:
    """Return the end of the log, and let nobody else have it until the transaction ends.

    Raises:
        StorageError: ``store_damaged``: what is noted as the end is not the last event, so that nothing may follow it.
    """
    rows = session.read_locked(_HEAD, (_NAME,))
    if not rows:
        # Another process may be the first at this moment: then its row is the one.
        if not session.execute(_LAST):
            session.change(
                "INSERT INTO audit_head (name, seq, hash) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (_NAME, GENESIS.seq, GENESIS.hash),
            )
        rows = session.read_locked(_HEAD, (_NAME,))
    if not rows:
        raise damaged("the store has lost where its log ends", "the audit log")
    head = Head(int(rows[0][0]), rows[0][1])
    if not _is_end(head, session.execute(_LAST)):
        raise damaged("the log does not end where the store has noted its end", "the audit log")
    return head


def _is_end(head: Head, last: list[Row]) -> bool:
    """Whether the last event is the one that is noted.  Its line holds its hash; to read all of it costs too much."""
    if not last:
        return head == GENESIS
    seq, body = last[0]
    return bool(seq == head.seq and type(body) is str and f'"hash":"{head.hash}"' in body)


def append_event(session: Session, event: Event) -> None:
    """Add the event that follows the head."""
    session.change(
        "INSERT INTO audit_events (seq, event_id, record_id, body) VALUES (?, ?, ?, ?)",
        (event.seq, event.id, event.record_id, event.to_json().decode()),
    )
    session.change("UPDATE audit_head SET seq = ?, hash = ? WHERE name = ?", (event.seq, event.hash, _NAME))


def find_event(session: Session, event_id: str) -> Event | None:
    """Return an event by its id.

    Raises:
        StorageError: ``store_damaged``: another event is filed under this id.
    """
    # A database may not even take what is no id of ours.
    if not _may_be_id(event_id):
        return None
    rows = session.execute(f"SELECT {_COLUMNS} FROM audit_events WHERE event_id = ?", (event_id,))  # noqa: S608 - ours
    return _event(rows[0]) if rows else None


def event_ids(session: Session, beginning: str, limit: int) -> list[str]:
    """Return ids of events that begin so."""
    if not _may_be_id(beginning):
        return []
    statement = "SELECT event_id FROM audit_events WHERE substr(event_id, 1, ?) = ? LIMIT ?"
    return [row[0] for row in session.execute(statement, (len(beginning), beginning, limit))]


def events_of(session: Session, record_id: str) -> list[Event]:
    """Return all events about a record in their order.

    Raises:
        StorageError: ``store_damaged``: one is not what was kept, or is filed under another record than it is about.
    """
    statement = f"SELECT {_COLUMNS} FROM audit_events WHERE record_id = ? ORDER BY seq"  # noqa: S608 - ours
    return [_event(row) for row in session.execute(statement, (record_id,))]


def read_lines(session: Session, after: int, limit: int, record_id: str | None) -> list[tuple[int, bytes]]:
    """Return (seq, line) of events behind a number, as they were kept."""
    return [(row.seq, row.line) for row in _rows(session, after, limit, record_id)]


def read_last_lines(session: Session, before: int | None, limit: int, record_id: str | None) -> list[tuple[int, bytes]]:
    """Return (seq, line) of events before a number, the last one first; None for the end."""
    conditions = [("seq < ?", before)] if before is not None else []
    if record_id is not None:
        if not _may_be_text(record_id):
            return []
        conditions.append(("record_id = ?", record_id))  # type: ignore[arg-type]  # a number or a text
    where = " AND ".join(["1 = 1", *(condition for condition, _ in conditions)])
    rows = session.execute(
        f"SELECT seq, body FROM audit_events WHERE {where} ORDER BY seq DESC LIMIT ?",  # noqa: S608 - ours
        (*(value for _, value in conditions), limit),
    )
    return [(int(seq), _bytes_of(body)) for seq, body in rows]


def read_end(session: Session) -> int:
    """Return the number that is noted as that of the last event, without holding it; 0 for an empty log."""
    rows = session.execute("SELECT seq FROM audit_head WHERE name = ?", (_NAME,))
    return int(rows[0][0]) if rows else 0


def read_page(session: Session, after: int, limit: int) -> StoredPage:
    """Return events behind a number with what they are filed under, and the end of the log that is noted."""
    # The end first: what was added since is among the rows, or on the next page.
    noted = session.execute(_HEAD, (_NAME,))
    head = Head(int(noted[0][0]), str(noted[0][1])) if noted else None
    return StoredPage(head, _rows(session, after, limit, None))


def _rows(session: Session, after: int, limit: int, record_id: str | None) -> list[StoredLine]:
    condition, values = ("", ()) if record_id is None else (" AND record_id = ?", (record_id,))
    rows = session.execute(
        f"SELECT {_COLUMNS} FROM audit_events WHERE seq > ?{condition} ORDER BY seq LIMIT ?",  # noqa: S608 - ours
        (after, *values, limit),
    )
    return [StoredLine(int(row[0]), row[1], row[2], _bytes_of(row[3])) for row in rows]


def _bytes_of(body: Any) -> bytes:  # noqa: ANN401 - SQLite gives whatever somebody has put there
    """Return a line as it is kept; whoever reads it finds out whether it is one."""
    return body if type(body) is bytes else str(body).encode()


def _event(row: Row) -> Event:
    seq, event_id, record_id, body = row
    where = f"seq {seq} of the audit log"
    with kept_as_written(where):
        event = Event.from_json(body.encode())
    if (event.seq, event.id, event.record_id) != (seq, event_id, record_id):
        raise damaged("the event is filed under another number, id or record than it is about", where)
    if event_hash(event) != event.hash:
        raise damaged("the event was edited", where)
    return event


def _may_be_text(text: str) -> bool:
    """Whether a database takes a text at all."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _may_be_id(text: str) -> bool:
    return text.isascii() and "\0" not in text
