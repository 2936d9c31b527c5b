"""What the statements of a store need of a database: one connection, one kind of placeholder, one clock.

Statements are written once, with ``?`` for a value; each database turns them into its own.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from veracord.errors import StorageError

Row = tuple[Any, ...]


class Session(Protocol):
    """One connection, used by one thread."""

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a statement and return its rows."""

    def read_locked(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a SELECT and let nobody else change its rows until the transaction ends."""

    def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run a statement and return how many rows it changed."""

    def change_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row of values."""

    def run_script(self, script: str) -> None:
        """Run several statements without values."""

    def begin(self) -> None:
        """Begin a transaction that may write."""

    def begin_reading(self) -> None:
        """Begin a transaction that only reads: all of it sees one moment, and nobody waits for it."""

    def hold_store(self) -> None:
        """Let nobody else hold the store until the transaction ends."""

    def commit(self) -> None:
        """Make the transaction durable."""

    def roll_back(self) -> None:
        """Undo the transaction, if one is open."""

    def clock_s(self) -> float:
        """Return seconds on the clock that leases are measured by; it does not jump."""

    def back_up(self, version: int) -> None:
        """Keep what is there before the store is changed from a version, where the database can do that by itself."""

    def failure(self, error: Exception) -> StorageError:
        """Return what may be told of an error of the driver: never its text, which may quote what was written."""

    def close(self) -> None:
        """Close the connection."""
