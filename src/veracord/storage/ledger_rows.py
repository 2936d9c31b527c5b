"""The ledger of suggestions in a database: what was suggested, and what was refused.

The removal of runs leaves them alone; only a decision of a person takes a row away (`veracord.review`).
"""

from collections.abc import Callable, Collection, Coroutine, Iterator
from datetime import UTC, datetime
from typing import Any, Final, Literal

from veracord.composer.ledgers import LedgerEntry
from veracord.storage.sessions import Session

#: Products that one statement asks for; databases take a bounded number of values.
_AT_ONCE: Final = 500

#: Does something with the database.
_Way = Callable[[Callable[[Session], Any]], Coroutine[Any, Any, Any]]

LedgerTable = Literal["issued_suggestions", "rejected_suggestions"]

#: The column that says when, of each table.
_TIMES: Final[dict[LedgerTable, str]] = {"issued_suggestions": "issued_at", "rejected_suggestions": "rejected_at"}


class SqlLedger:
    """The port `veracord.composer.ledgers.Ledger` over a database."""

    def __init__(self, do: _Way, look: _Way) -> None:
        """Remember how something is done in one transaction, and how something is looked up."""
        self._do = do
        self._look = look

    async def issue(self, entries: Collection[LedgerEntry]) -> None:
        """Remember suggestions; see `Ledger`."""
        await self._add("issued_suggestions", entries)

    async def issued(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was ever suggested for products; see `Ledger`."""
        return await self._find("issued_suggestions", products)

    async def reject(self, entries: Collection[LedgerEntry]) -> None:
        """Remember that suggestions were refused; see `Ledger`."""
        await self._add("rejected_suggestions", entries)

    async def rejected(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was ever refused for products; see `Ledger`."""
        return await self._find("rejected_suggestions", products)

    async def _add(self, table: LedgerTable, entries: Collection[LedgerEntry]) -> None:
        if entries:
            await self._do(lambda session: add_entries(session, table, entries))

    async def _find(self, table: LedgerTable, products: Collection[str]) -> frozenset[LedgerEntry]:
        if not products:
            return frozenset()
        found: frozenset[LedgerEntry] = await self._look(
            lambda session: frozenset(find_entries(session, table, products))
        )
        return found


def add_entries(session: Session, table: LedgerTable, entries: Collection[LedgerEntry]) -> None:
    """Add entries; those that are there already stay as they are."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    # In one order, so that two processes that add the same rows do not wait for each other.
    session.change_many(
        f"INSERT INTO {table} (product, place, value_digest, {_TIMES[table]}) VALUES (?, ?, ?, ?)"  # noqa: S608 - ours
        " ON CONFLICT DO NOTHING",
        [(*entry, now) for entry in sorted(set(entries))],
    )


def remove_entries(session: Session, table: LedgerTable, entries: Collection[LedgerEntry]) -> None:
    """Remove entries, in the order in which they are added."""
    session.change_many(
        f"DELETE FROM {table} WHERE product = ? AND place = ? AND value_digest = ?",  # noqa: S608 - ours
        [tuple(entry) for entry in sorted(set(entries))],
    )


def find_entries(session: Session, table: LedgerTable, products: Collection[str]) -> Iterator[LedgerEntry]:
    """Yield the entries of products."""
    asked = sorted(set(products))
    for first in range(0, len(asked), _AT_ONCE):
        some = asked[first : first + _AT_ONCE]
        marks = ", ".join("?" for _ in some)
        rows = session.execute(
            f"SELECT product, place, value_digest FROM {table} WHERE product IN ({marks})",  # noqa: S608 - ours
            some,
        )
        yield from (LedgerEntry(*row) for row in rows)
