"""The workers of one run: each takes a unit, brings it to its end and has it kept, until none is left or the run ends.

Source: ADR-0014 (the pipeline alone decides when a run ends).
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from veracord.errors import VeracordError
from veracord.pipeline.candidates import Unit
from veracord.pipeline.feeds import Feed
from veracord.pipeline.interruptions import Interrupted, Reason
from veracord.pipeline.outcomes import Outcome, UnitResult
from veracord.pipeline.policies import Disposition
from veracord.pipeline.runs import Claim, Lease, Settlement, lease_lost
from veracord.pipeline.stores import StoredRun, undisturbed
from veracord.pipeline.units import Scene, UnitRun
from veracord.ports import Usage

OnSettled = Callable[[UnitResult[Any]], None]


@dataclass(slots=True)
class RunReport:
    """What a run has come to.

    Attributes:
        outcomes: How many units ended in which way, in this start of the run.
        reused: How many units had come to their end before.
        stale: How many units had been taken over by another process when they ended here.
        usage: What this start has cost.
        failed_by: The unit whose outcome ended the run, without its value; None where none did.
    """

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    reused: int = 0
    stale: int = 0
    usage: Usage = field(default_factory=Usage)
    failed_by: UnitResult[Any] | None = None

    @property
    def units(self) -> int:
        """How many units ended."""
        return self.outcomes.total()


class Workers:
    """The workers of one run, and what they have come to."""

    def __init__(self, units: Iterable[Unit], scene: Scene, on_settled: OnSettled | None) -> None:
        self.report = RunReport()
        self.interruption: Interrupted | None = None
        self._scene = scene
        self._feed = Feed(units, scene.store, scene.lease)
        self._on_settled = on_settled
        self._is_ending = False
        self._error: BaseException | None = None
        self._workers: list[asyncio.Task[None]] = []

    @property
    def ended_by(self) -> str:
        """What ended the run before its end, as a short name; "" where nothing did."""
        if self.interruption is not None:
            return self.interruption.reason.value
        if self._error is not None:
            return self._error.code if isinstance(self._error, VeracordError) else "error"
        return "fail_run" if self.report.failed_by is not None else ""

    async def work(self, concurrency: int) -> None:
        """Settle units until none is left or the run ends."""
        self._workers = [asyncio.create_task(self._settle_units()) for _ in range(concurrency)]
        while not all(worker.done() for worker in self._workers):
            try:
                await asyncio.wait(self._workers)
            except asyncio.CancelledError:
                self._interrupt(Interrupted(Reason.CANCELLED))
        await self._feed.close()
        self.report.reused = self._feed.reused
        if self._feed.set_aside:
            self.report.outcomes[Outcome.LOST] += len(self._feed.set_aside)
        if self._error is not None:
            raise self._error
        if self.report.stale:
            # One process works on a run at a time: whoever settles in vain has lost the run.
            raise lease_lost()

    async def _settle_units(self) -> None:
        try:
            while not self._ends() and (taken := await self._feed.next()) is not None:
                unit, claim = taken
                run = UnitRun(unit, self._scene, claim)
                if self._ends():
                    # Claimed while the run was ended: no call was made for it.
                    await self._record(run.give_up(), claim)
                    return
                settlement, interruption = await run.settle()
                await self._record(settlement, claim)
                if interruption is not None:
                    self._interrupt(interruption)
        except Exception as error:  # noqa: BLE001 - raised again when the others have settled what they have
            # A store or a source of units that fails ends the run, too.
            self._is_ending = True
            self._error = self._error or error
        except BaseException as error:  # noqa: BLE001 - told when the run has ended; the loop must not see it
            self._interrupt(Interrupted.by(error))

    def _ends(self) -> bool:
        """Whether nothing new is begun."""
        return self._is_ending

    async def _record(self, settlement: Settlement, claim: Claim | None) -> None:
        scene, result = self._scene, settlement.result
        if scene.store is not None and scene.lease is not None and claim is not None:
            # Who cancels a worker has ended the run already.
            is_kept, _ = await undisturbed(scene.store.settle(scene.lease, claim, settlement))
            if not is_kept:
                self.report.stale += 1
                return
        self.report.outcomes[result.outcome] += 1
        self.report.usage += result.usage
        if result.disposition is Disposition.FAIL_RUN and self.report.failed_by is None:
            self.report.failed_by = replace(result, value=None)
            self._is_ending = True
        if self._on_settled is not None:
            self._on_settled(result)

    def _interrupt(self, interruption: Interrupted) -> None:
        """End the run at once: what is in flight is cancelled, and recorded as such."""
        self._is_ending = True
        if self.interruption is None:
            self.interruption = interruption
            for worker in self._workers:
                if worker is not asyncio.current_task():
                    worker.cancel()


async def open_run(kept: StoredRun) -> Lease:
    """Take the lease of a run; give it back where the wait for it was cancelled."""
    lease, is_cancelled = await undisturbed(kept.store.open_run(kept.spec, again=kept.again))
    if is_cancelled:
        await undisturbed(kept.store.close_run(lease, Reason.CANCELLED.value))
        raise asyncio.CancelledError
    return lease
