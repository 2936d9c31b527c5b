"""A whole store in another one, row by row, and counted afterwards.

Leases stay behind: they are measured by the clock of their database.  So do sessions, links and failed sign-ins: people
sign in anew.  Users and keys come along, and so do requests that were answered: none of them may act
twice because the store was moved.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from veracord.errors import ConfigurationError
from veracord.storage.manifests import receipts_digest
from veracord.storage.removal import is_held
from veracord.storage.sessions import Row, Session

#: Rows that are copied in one transaction.
PAGE: Final = 2_000


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a store.

    Attributes:
        name: Its name.
        keys: The columns of its primary key; the order of copying.
        columns: All columns.
    """

    name: str
    keys: tuple[str, ...]
    columns: tuple[str, ...]


def _table(name: str, keys: str, columns: str) -> Table:
    return Table(name, tuple(keys.split()), tuple(columns.split()))


#: In an order in which no row refers to one that is not there yet.
TABLES: Final = (
    _table("store", "name", "name value"),
    _table("runs", "run_id", "run_id name input spec parts facts created_at units epoch owner lease_until"),
    _table("starts", "run_id epoch", "run_id epoch started_at ended_at ended_by"),
    _table(
        "units",
        "run_id position",
        "run_id position unit_key digest state fence lost outcome producer_id facts ended_run",
    ),
    _table(
        "receipts",
        "run_id position fence number",
        "run_id position fence number kind outcome requests input_tokens output_tokens cost_usd unmetered body",
    ),
    _table("records", "run_id position producer_id", "run_id position producer_id request_key result_key value"),
    _table("provisional", "run_id position", "run_id position value"),
    _table("issued_suggestions", "product place value_digest", "product place value_digest issued_at"),
    _table("rejected_suggestions", "product place value_digest", "product place value_digest rejected_at"),
    _table("passports", "record_id", "record_id revision text facts"),
    _table("evidence_items", "record_id item_key", "record_id item_key body_digest is_attached is_active"),
    _table("evidence_bodies", "body_digest", "body_digest evidence_ref body"),
    _table(
        "proposals",
        "suggestion_id",
        "suggestion_id record_id pointer rule model status created_at ledger_key body",
    ),
    _table("audit_events", "seq", "seq event_id record_id body"),
    _table("audit_head", "name", "name seq hash"),
    _table("settings", "name", "name value"),
    _table("jobs", "run_id", "run_id created_at asked_by once_key request_digest state code body"),
    _table("users", "user_id", "user_id role password_hash created_at is_disabled"),
    _table("api_keys", "prefix", "prefix digest scopes created_at created_by expires_at last_used_at revoked_at"),
    _table("answered_requests", "caller request_key", "caller request_key request_digest answer until"),
    _table("suggestion_counts", "pointer rule model status", "pointer rule model status number"),
)

#: What makes a store one that is not empty.
_FILLED: Final = (
    "runs",
    "store WHERE name = 'salt'",
    "issued_suggestions",
    "rejected_suggestions",
    "audit_events",
    "users",
    "api_keys",
)


def check_source(session: Session) -> None:
    """Make sure that nobody works in a store that is to be copied.

    Raises:
        ConfigurationError: Somebody does (``run_held``).
    """
    for run_id, name in session.execute("SELECT run_id, name FROM runs WHERE owner IS NOT NULL"):
        if is_held(session, run_id):
            raise ConfigurationError(
                "a process works on a run of this store", where=name, remedy="wait for its end", code="run_held"
            )


def check_target(session: Session, where: str) -> None:
    """Make sure that a store is empty; `where` is what errors call it.

    Raises:
        ConfigurationError: It is not (``store_not_empty``).
    """
    counts = (session.execute(f"SELECT COUNT(*) FROM {what}")[0][0] for what in _FILLED)  # noqa: S608 - ours
    if any(counts):
        raise ConfigurationError(
            "the store to copy to is not empty", where=where, remedy="name a new one", code="store_not_empty"
        )


def read_page(session: Session, table: Table, after: Sequence[Any] | None) -> list[Row]:
    """Return rows behind a key, in the order of keys."""
    keys = ", ".join(table.keys)
    marks = ", ".join("?" for _ in table.keys)
    condition = "" if after is None else f" WHERE ({keys}) > ({marks})"
    return session.execute(
        f"SELECT {', '.join(table.columns)} FROM {table.name}{condition} ORDER BY {keys} LIMIT ?",  # noqa: S608 - ours
        (*(after or ()), PAGE),
    )


def write_page(session: Session, table: Table, rows: Sequence[Row]) -> None:
    """Add rows; the version of the store and its leases are its own."""
    marks = ", ".join("?" for _ in table.columns)
    if table.name == "store":
        rows = [row for row in rows if row[0] != "version"]
    if table.name == "runs":
        rows = [(*row[:-2], None, 0.0) for row in rows]
    session.change_many(
        f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks})",  # noqa: S608 - ours
        rows,
    )


def key_of(table: Table, row: Row) -> list[Any]:
    """Return the key of a row."""
    return [row[table.columns.index(name)] for name in table.keys]


def count_rows(session: Session) -> dict[str, int]:
    """Return how many rows each table has."""
    return {
        table.name: int(session.execute(f"SELECT COUNT(*) FROM {table.name}")[0][0])  # noqa: S608 - ours
        for table in TABLES
    }


def digests(session: Session) -> dict[str, str]:
    """Return the digest of the receipts of each run."""
    rows = session.execute("SELECT run_id FROM runs ORDER BY run_id")
    return {row[0]: receipts_digest(session, row[0]) for row in rows}
