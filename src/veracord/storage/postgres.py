"""PostgreSQL: a store that several machines share, through psycopg (the extra `postgres`).

Transactions read what is committed, so a row that decides over others is locked when it is read.  Whoever stops in
the middle of a transaction, and lives on, is cut off by the server: it must not hold up the others for longer than
its lease.

Errors name the host and the database; never the user, a password, or what the server said.

Source: https://www.postgresql.org/docs/current/transaction-iso.html, explicit-locking.html.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from veracord.errors import ConfigurationError, StorageError
from veracord.storage.sessions import Row

if TYPE_CHECKING:
    import psycopg

#: What a connection asks for where its address does not: an end to waiting for a server that is gone.
_DEFAULTS: Final = {"connect_timeout": "10", "tcp_user_timeout": "20000", "application_name": "veracord"}

#: Durable whatever the server was told; nobody is waited for, and nobody else is held up, without end.
_SETTINGS: Final = (
    ("client_encoding", "UTF8"),
    ("synchronous_commit", "on"),
    ("idle_in_transaction_session_timeout", "10s"),
    ("lock_timeout", "15s"),
)

#: Names the lock of a whole store among those of other programs: "vera" in ASCII.
_STORE_LOCK: Final = 0x76657261

_RIGHTS: Final = "give the user a schema in which it may create tables and write to them"

#: Said by its class, where an error has a remedy of its own.
_REASONS: Final = {
    "DiskFull": "the disk is full",
    "LockNotAvailable": "another process holds the store; try again when it has ended",
    "IdleInTransactionSessionTimeout": "this process stood still for too long; start the run again",
    "ReadOnlySqlTransaction": "the database takes no changes; use its primary server",
    "InsufficientPrivilege": _RIGHTS,
    "InvalidSchemaName": _RIGHTS,
}


class PostgresSession:
    """One connection to a database; the tables are in the first schema of its search path."""

    def __init__(self, address: str) -> None:
        """Connect.

        Args:
            address: ``postgresql://...`` as libpq takes it.

        Raises:
            ConfigurationError: The extra is not installed, or the address is none.
            StorageError: The server cannot be reached or does not let us in, or its database does not keep UTF-8.
        """
        self._psycopg = _load_driver()
        self._where = name_of(address)
        given = _parts(address)
        try:
            self._connection: psycopg.Connection[Row] = self._psycopg.connect(**{**_DEFAULTS, **given}, autocommit=True)
        except self._psycopg.Error as error:
            raise self._unusable(error) from None
        try:
            self._prepare()
        except self._psycopg.Error as error:
            self.close()
            raise self._unusable(error) from None
        except StorageError:
            self.close()
            raise

    def _prepare(self) -> None:
        for name, value in _SETTINGS:
            self.execute("SELECT set_config(?, ?, false)", (name, value))
        ((encoding,),) = self.execute("SHOW server_encoding")
        if encoding != "UTF8":
            raise StorageError(
                f"the database has the encoding {encoding}",
                where=self._where,
                remedy="make one with the encoding UTF8",
                code="store_unusable",
            )

    def _unusable(self, error: Exception) -> StorageError:
        return StorageError(
            "the store cannot be used",
            where=self._where,
            remedy=_REASONS.get(type(error).__name__, "check that the server runs, its address, and who may log in"),
            code="store_unusable",
        )

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a statement and return its rows."""
        return self._connection.execute(_translated(statement), values).fetchall()

    def read_locked(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a SELECT and lock its rows until the transaction ends."""
        return self.execute(f"{statement} FOR NO KEY UPDATE", values)

    def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run a statement and return how many rows it changed."""
        return self._connection.execute(_translated(statement), values).rowcount

    def change_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row of values."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_translated(statement), rows)

    def run_script(self, script: str) -> None:
        """Run several statements without values."""
        self._connection.execute(_translated(script))

    def begin(self) -> None:
        """Begin a transaction; each of its statements sees what others have committed by then."""
        self._connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")

    def begin_reading(self) -> None:
        """Begin a transaction all of whose statements see what was committed when the first one began."""
        self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def hold_store(self) -> None:
        """Wait for others who hold the store, and hold it until the transaction ends."""
        self.execute("SELECT pg_advisory_xact_lock(?)", (_STORE_LOCK,))

    def commit(self) -> None:
        """Make the transaction durable.

        Raises:
            StorageError: The server rolled it back, as a statement before had failed.
        """
        if self._connection.execute("COMMIT").statusmessage != "COMMIT":
            raise StorageError("the transaction was undone", where=self._where, code="store_failed")

    def roll_back(self) -> None:
        """Undo the transaction, if one is open."""
        if self._connection.info.transaction_status != self._psycopg.pq.TransactionStatus.IDLE:
            self._connection.execute("ROLLBACK")

    def clock_s(self) -> float:
        """Return the seconds of the clock of the server, which all machines share."""
        ((seconds,),) = self.execute("SELECT extract(epoch FROM clock_timestamp())::double precision")
        return float(seconds)

    def back_up(self, version: int) -> None:
        """Do nothing: a backup of a server is made with its own tools, and its tables change in one transaction."""

    def failure(self, error: Exception) -> StorageError:
        """Return what may be told of an error of the driver: its kind."""
        kind = type(error).__name__
        remedy = _REASONS.get(kind, "check the server and the way to it; start the run again")
        return StorageError(f"the store failed ({kind})", where=self._where, remedy=remedy, code="store_failed")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def name_of(address: str) -> str:
    """Return what errors call a database: its host and its name.

    Raises:
        ConfigurationError: The extra is not installed, or the address is none.
    """
    parts = _parts(address)
    host = parts.get("host") or parts.get("hostaddr") or "localhost"
    return f"postgresql://{host}/{parts.get('dbname', '')}"


def _parts(address: str) -> dict[str, str]:
    driver = _load_driver()
    try:
        found = driver.conninfo.conninfo_to_dict(address)
    except driver.Error:
        raise ConfigurationError(
            "the address of the store cannot be read",
            remedy="use postgresql://USER@HOST:PORT/DATABASE, and write odd characters as %XX",
            code="invalid_store_address",
        ) from None
    return {name: str(value) for name, value in found.items() if value is not None}


def _load_driver() -> Any:  # noqa: ANN401 - a module that may be absent
    """Return the driver; only who uses it needs it.

    Raises:
        ConfigurationError: It is not installed.
    """
    try:
        return import_module("psycopg")
    except ImportError:
        pass
    raise ConfigurationError(
        "psycopg is not installed", remedy="pip install 'veracord[postgres]'", code="missing_extra"
    )


@lru_cache(maxsize=128)
def _translated(statement: str) -> str:
    """Return a statement with the placeholders of psycopg; ours hold no question mark that is none."""
    return statement.replace("%", "%%").replace("?", "%s")
