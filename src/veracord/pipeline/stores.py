"""The port through which a run keeps what it settles."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Protocol

from veracord.errors import PipelineError
from veracord.pipeline.outcomes import Receipt, UnitResult


class Store(Protocol):
    """Keeps receipts and results; no text of a model ever reaches it."""

    async def add_receipt(self, receipt: Receipt) -> None:
        """Keep what happened in one attempt."""

    async def settle(self, result: UnitResult[Any]) -> None:
        """Keep how a unit ended."""

    def results(self) -> AsyncIterator[UnitResult[Any]]:
        """Yield the results in the order of the units."""


async def undisturbed(call: Coroutine[Any, Any, None]) -> bool:
    """Await a call of a store to its end, whatever cancels the wait, and return whether something did.

    What a store was given must not be half kept.

    Raises:
        PipelineError: The store itself cancelled the call.
    """
    task = asyncio.ensure_future(call)
    is_cancelled = False
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            is_cancelled = True
    if task.cancelled():
        raise PipelineError("the store gave up", remedy="look into its own log", code="store_cancelled")
    task.result()
    return is_cancelled
