"""The port through which a run keeps what it settles."""

from collections.abc import AsyncIterator
from typing import Any, Protocol

from veracord.pipeline.outcomes import Receipt, UnitResult


class Store(Protocol):
    """Keeps receipts and results; no text of a model ever reaches it."""

    async def add_receipt(self, receipt: Receipt) -> None:
        """Keep what happened in one attempt."""

    async def settle(self, result: UnitResult[Any]) -> None:
        """Keep how a unit ended."""

    def results(self) -> AsyncIterator[UnitResult[Any]]:
        """Yield the results in the order of the units."""
