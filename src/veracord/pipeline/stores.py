"""The port through which a run keeps what it settles.

Nothing that a model said, and no request, ever reaches a store: receipts hold codes and counts, records are accepted
values.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from veracord.errors import PipelineError
from veracord.pipeline.candidates import Unit
from veracord.pipeline.interruptions import Interrupted
from veracord.pipeline.outcomes import Outcome, Receipt, UnitResult
from veracord.pipeline.runs import Claim, Lease, RunSpec, Settlement, StepRecord

T = TypeVar("T")


class Store(Protocol):
    """Keeps runs."""

    async def open_run(self, spec: RunSpec, *, again: Collection[Outcome] = ()) -> Lease:
        """Take the lease of a run, making the run where it is new.

        Args:
            spec: What run.
            again: Outcomes whose units are done again, besides those that a resumed run always does again.

        Raises:
            ConfigurationError: Another process holds the lease (``run_held``).
            StorageError: The store cannot be used.
        """

    async def plan(self, lease: Lease, units: Sequence[Unit]) -> list[int]:
        """Make units known and return the positions of those that are still to be done.

        Args:
            lease: The lease.
            units: Units in a row; each has a position.

        Raises:
            InputError: A unit is not what it was when the run was started (``input_changed``), or two units have one
                key (``duplicate_unit``).
            PipelineError: The lease was lost (``lease_lost``); so do all others that take one.
        """

    async def finish_plan(self, lease: Lease, units: int) -> None:
        """Say that all units are known.

        Raises:
            InputError: There were more, or fewer, when the run was started (``input_changed``).
        """

    async def claim(self, lease: Lease, position: int) -> Claim | None:
        """Take a unit before it is worked on; None where its claims were lost too often, and it is set aside."""

    async def add_receipts(self, lease: Lease, claim: Claim, receipts: Sequence[Receipt]) -> None:
        """Keep what happened in attempts of a unit that has not ended; nothing where the claim is not the latest."""

    async def add_record(self, lease: Lease, claim: Claim, record: StepRecord) -> None:
        """Keep the accepted value of a producer that is not the last one."""

    async def find_record(self, request_key: str, result_key: str) -> StepRecord | None:
        """Return a record with this result key, else the latest one with this request key, else None."""

    async def settle(self, lease: Lease, claim: Claim, settlement: Settlement) -> bool:
        """Keep how a unit ended; return whether it was: not when somebody else has claimed it since."""

    async def close_run(self, lease: Lease, ended_by: str) -> None:
        """Give the lease back; `ended_by` is a short name, "" where all units were brought to their end."""

    def results(self, run_id: str) -> AsyncIterator[UnitResult[Any]]:
        """Yield the results of a run in the order of its units."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run in a store.

    Attributes:
        store: The store.
        spec: Which run.
        again: Outcomes whose units are done again.
    """

    store: Store
    spec: RunSpec = field(default_factory=lambda: RunSpec("run"))
    again: Collection[Outcome] = ()


async def undisturbed(call: Coroutine[Any, Any, T]) -> tuple[T, bool]:
    """Await a call of a store to its end, whatever cancels the wait; return its result, and whether something did.

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
    result, error = task.result()
    if isinstance(error, asyncio.CancelledError):
        raise PipelineError("the store gave up", remedy="look into its own log", code="store_cancelled")
    if isinstance(error, Exception):
        raise error
    if error is not None:
        raise Interrupted.by(error)
    return result, is_cancelled


async def _outcome_of(call: Coroutine[Any, Any, Any]) -> tuple[Any, BaseException | None]:
    """Return what a call raised: an exit must not leave a task of its own, or it would take the loop with it."""
    try:
        return await call, None
    except BaseException as error:  # noqa: BLE001 - raised again where it is awaited
        return None, error
