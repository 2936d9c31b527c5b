"""Places where runs are kept, for tests that hold for all of them: each opens stores over the same data."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from veracord.bootstrap.stores import open_store
from veracord.pipeline.runs import Lease
from veracord.storage.owners import Owner
from veracord.storage.sql_store import SqlStore
from veracord.testing import MemoryStore


class MemoryPlace:
    """Memory: there is one process, so nobody is refused, and whoever comes takes over."""

    refuses_others = False

    def __init__(self) -> None:
        self.store = MemoryStore()

    def open(self) -> MemoryStore:
        return self.store

    def expire(self, lease: Lease) -> None:
        """Nothing to do: a lease is taken by whoever asks."""

    def attempts(self, _lease: Lease) -> list[str]:
        """How the attempts that receipts tell of ended."""
        return [receipt.outcome.value for receipt in self.store.receipts]

    def close(self) -> None:
        """Nothing is held."""


class SqlPlace:
    """A database, with a connection of the test's own beside those of the stores."""

    refuses_others = True

    def __init__(self, url: str, connection: Any, mark: str) -> None:
        self.url = url
        self.connection = connection
        self._mark = mark
        self._stores: list[SqlStore] = []

    def open(self) -> SqlStore:
        """Another store over the same data, as another process would open it."""
        store = open_store(self.url)
        self._stores.append(store)
        return store

    def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self.connection.execute(statement.replace("?", self._mark), values).fetchall()

    def change(self, statement: str, *values: object) -> None:
        self.connection.execute(statement.replace("?", self._mark), values)

    def expire(self, lease: Lease) -> None:
        """Let the time of a lease be over."""
        self.change("UPDATE runs SET lease_until = lease_until - 21 WHERE run_id = ?", lease.run_id)

    def set_owner(self, lease: Lease, **facts: object) -> None:
        """Let a lease be another process's."""
        ((text,),) = self.ask("SELECT owner FROM runs WHERE run_id = ?", lease.run_id)
        owner = replace(Owner.read(text), **facts)
        self.change("UPDATE runs SET owner = ? WHERE run_id = ?", owner.write(), lease.run_id)

    def attempts(self, lease: Lease) -> list[str]:
        """How the attempts that receipts tell of ended."""
        statement = "SELECT outcome FROM receipts WHERE run_id = ? AND kind = 'attempt' ORDER BY fence, number"
        return [outcome for (outcome,) in self.ask(statement, lease.run_id)]

    def receipts(self, lease: Lease) -> Counter[str]:
        """How many receipts there are of each kind."""
        rows = self.ask("SELECT kind, COUNT(*) FROM receipts WHERE run_id = ? GROUP BY kind", lease.run_id)
        return Counter(dict(rows))

    def count(self, table: str) -> int:
        return int(self.ask(f"SELECT COUNT(*) FROM {table}")[0][0])  # noqa: S608 - a name of ours

    def close(self) -> None:
        for store in self._stores:
            store.close()
        self.connection.close()


@contextmanager
def sqlite_place(folder: Path) -> Iterator[SqlPlace]:
    path = folder / "store.db"
    place = SqlPlace(f"sqlite:///{path}", sqlite3.connect(path, isolation_level=None, timeout=10), "?")
    try:
        yield place
    finally:
        place.close()


@contextmanager
def postgres_place(address: str) -> Iterator[SqlPlace]:
    import psycopg

    place = SqlPlace(address, psycopg.connect(address, autocommit=True), "%s")
    try:
        yield place
    finally:
        place.close()
