"""The port through which a run keeps what it settles."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Protocol

from veracord.errors import PipelineError
from veracord.pipeline.interruptions import Interrupted
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
        PipelineError: The store ended the call in a way in which only a whole process is ended.
        Interrupted: It asked the process to end.
    """
    task = asyncio.ensure_future(_outcome_of(call))
    is_cancelled = False
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            is_cancelled = True
    error = task.result()
    if isinstance(error, asyncio.CancelledError):
        raise PipelineError("the store gave up", remedy="look into its own log", code="store_cancelled")
    if isinstance(error, Exception):
        raise error
    if error is not None:
        raise Interrupted.by(error)
    return is_cancelled


async def _outcome_of(call: Coroutine[Any, Any, None]) -> BaseException | None:
    """Return what a call raised: an exit must not leave a task of its own, or it would take the loop with it."""
    try:
        await call
    except BaseException as error:  # noqa: BLE001 - raised again where it is awaited
        return error
    return None
