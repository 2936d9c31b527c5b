"""The ledger of suggestions in a database: what was suggested, and what was refused.

Rows are only ever added; the removal of runs leaves them alone.
"""

from collections.abc import Callable, Collection, Coroutine, Iterator
from datetime import UTC, datetime
from typing import Any, Final, Literal

from veracord.composer.ledgers import LedgerEntry
from veracord.storage.sessions import Session

#: Products that one statement asks for; databases take a bounded number of values.
_AT_ONCE: Final = 500

_Table = Literal["issued_suggestions", "rejected_suggestions"]

#: The column that says when, of each table.
_TIMES: Final[dict[_Table, str]] = {"issued_suggestions": "issued_at", "rejected_suggestions": "rejected_at"}


class SqlLedger:
    """The port `veracord.composer.ledgers.Ledger` over a database."""

    def __init__(self, do: Callable[[Callable[[Session], Any]], Coroutine[Any, Any, Any]]) -> None:
        """Remember how something is done in one transaction."""
        self._do = do

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

    async def _add(self, table: _Table, entries: Collection[LedgerEntry]) -> None:
        if entries:
            await self._do(lambda session: _add(session, table, entries))

    async def _find(self, table: _Table, products: Collection[str]) -> frozenset[LedgerEntry]:
        if not products:
            return frozenset()
        found: frozenset[LedgerEntry] = await self._do(lambda session: frozenset(_find(session, table, products)))
        return found


def _add(session: Session, table: _Table, entries: Collection[LedgerEntry]) -> None:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    # In one order, so that two processes that add the same rows do not wait for each other.
    session.change_many(
        f"INSERT INTO {table} (product, place, value_digest, {_TIMES[table]}) VALUES (?, ?, ?, ?)"  # noqa: S608 - ours
        " ON CONFLICT DO NOTHING",
        [(*entry, now) for entry in sorted(set(entries))],
    )


def _find(session: Session, table: _Table, products: Collection[str]) -> Iterator[LedgerEntry]:
    asked = sorted(set(products))
    for first in range(0, len(asked), _AT_ONCE):
        some = asked[first : first + _AT_ONCE]
        marks = ", ".join("?" for _ in some)
        rows = session.execute(
            f"SELECT product, place, value_digest FROM {table} WHERE product IN ({marks})",  # noqa: S608 - ours
            some,
        )
        yield from (LedgerEntry(*row) for row in rows)
