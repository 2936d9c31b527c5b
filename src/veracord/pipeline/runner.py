"""A run: many units at once through one pipeline, ended by its policy alone.

`Pipeline` is for plain code, also inside a running event loop; `Pipeline.aio` is the same for coroutines.

Source: ADR-0014.
"""

import asyncio
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from veracord.errors import ConfigurationError, RunFailedError
from veracord.pipeline.attempts import Transcripts, Turn
from veracord.pipeline.bindings import ProducerBinding
from veracord.pipeline.blocking import LoopThread
from veracord.pipeline.candidates import Unit
from veracord.pipeline.execution import ValidatorExecution
from veracord.pipeline.interruptions import Interrupted, Reason, exception_for
from veracord.pipeline.outcomes import Outcome, UnitResult
from veracord.pipeline.policies import Disposition, Policy, ResolvedPolicy, resolve_policy
from veracord.pipeline.stores import Store, undisturbed
from veracord.pipeline.units import Scene, UnitRun
from veracord.ports import Clock, SystemClock, Usage

#: Units in flight at once, where nothing else is asked for.
DEFAULT_CONCURRENCY = 64

#: Codes of one validator that are told in a message.
_CODES = 5

OnSettled = Callable[[UnitResult[Any]], None]


@dataclass(slots=True)
class RunReport:
    """What a run has come to.

    Attributes:
        outcomes: How many units ended in which way.
        usage: What they cost.
        failed_by: The unit whose outcome ended the run, without its value; None where none did.
    """

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)
    failed_by: UnitResult[Any] | None = None

    @property
    def units(self) -> int:
        """How many units ended."""
        return self.outcomes.total()


class AsyncPipeline:
    """A pipeline for coroutines."""

    def __init__(
        self,
        producers: Sequence[ProducerBinding[Any]],
        *,
        policy: Policy | None = None,
        clock: Clock | None = None,
        transcripts: Transcripts | None = None,
    ) -> None:
        """Check that the parts fit together; see `Pipeline`."""
        names = [binding.id for binding in producers]
        twice = next((name for name in names if names.count(name) > 1), None)
        if not names or twice is not None:
            what = "a pipeline has no producer" if not names else f"two producers have the id {twice}"
            raise ConfigurationError(what, remedy="give each producer its own id", code="invalid_pipeline")
        self._bindings = producers
        self._policy = policy or Policy()
        self._clock = clock or SystemClock()
        self._transcripts = transcripts
        # What is wrong with a validator is told now, not when the first unit comes.
        self._turns = [self._turn(binding) for binding in producers]

    def _turn(self, binding: ProducerBinding[Any]) -> Turn:
        executions = tuple(ValidatorExecution(validator) for validator in binding.validators)
        return Turn(binding, executions, resolve_policy(self._policy, binding.policy))

    @property
    def policies(self) -> dict[str, ResolvedPolicy]:
        """The policy of each producer, with the origin of each field."""
        return {turn.binding.id: turn.policy for turn in self._turns}

    async def run(
        self,
        units: Iterable[Unit],
        *,
        store: Store | None = None,
        concurrency: int = DEFAULT_CONCURRENCY,
        on_settled: OnSettled | None = None,
    ) -> RunReport:
        """Bring every unit to its end; see `Pipeline.run`."""
        ended = await self.drive(units, store, concurrency, on_settled)
        return conclude(*ended)

    async def drive(
        self, units: Iterable[Unit], store: Store | None, concurrency: int, on_settled: OnSettled | None
    ) -> tuple[RunReport, Interrupted | None]:
        """Do the work of `run`, and return what ended it instead of raising it."""
        if concurrency < 1:
            raise ConfigurationError("concurrency is less than 1", remedy="use 1 or more", code="invalid_pipeline")
        scene = Scene(self._turns, self._clock, store, self._transcripts)
        run = _Run(iter(units), scene, on_settled)
        try:
            await run.work(concurrency)
        finally:
            scene.threads.close()
            self._end_children()
        return run.report, run.interruption

    async def aclose(self) -> None:
        """Close what producers hold, such as a model's connections, and end the child processes of validators.

        What is needed again is opened anew.
        """
        self._end_children()
        for turn in self._turns:
            # A producer that holds nothing need not have it.
            close = getattr(turn.binding.producer, "aclose", None)
            if close is not None:
                await close()

    async def __aenter__(self) -> Self:
        """Return the pipeline."""
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Close it; see `aclose`."""
        await self.aclose()

    def _end_children(self) -> None:
        for turn in self._turns:
            for execution in turn.executions:
                execution.close()

    async def run_unit(self, unit: Unit) -> UnitResult[Any]:
        """Bring one unit to its end; see `Pipeline.run_unit`."""
        return conclude_unit(*await self.drive_unit(unit))

    async def drive_unit(self, unit: Unit) -> tuple[UnitResult[Any], Interrupted | None]:
        """Do the work of `run_unit`, and return what ended it instead of raising it."""
        scene = Scene(self._turns, self._clock, None, self._transcripts)
        try:
            return await UnitRun(unit, scene).settle()
        finally:
            scene.threads.close()


class Pipeline:
    """Producers, their validators and a policy.

    Attributes:
        aio: The same for coroutines.
    """

    def __init__(
        self,
        producers: Sequence[ProducerBinding[Any]],
        *,
        policy: Policy | None = None,
        clock: Clock | None = None,
        transcripts: Transcripts | None = None,
    ) -> None:
        """Check that the parts fit together.

        Args:
            producers: At least one, in order; each is given the accepted value of the one before.
            policy: What is to be done about outcomes, where a producer's own policy leaves it open.
            clock: Time; the machine's where none is given.
            transcripts: Where the texts of every attempt are written down; nowhere where none is given.

        Raises:
            ConfigurationError: There is no producer, or two have the same id.
        """
        self.aio = AsyncPipeline(producers, policy=policy, clock=clock, transcripts=transcripts)
        self._loop = LoopThread()
        # Whoever forgets to close it leaves no thread and no connection behind, nor does a program that ends.
        weakref.finalize(self, _close, self.aio, self._loop)

    @property
    def policies(self) -> dict[str, ResolvedPolicy]:
        """The policy of each producer, with the origin of each field."""
        return self.aio.policies

    def run(
        self,
        units: Iterable[Unit],
        *,
        store: Store | None = None,
        concurrency: int = DEFAULT_CONCURRENCY,
        on_settled: OnSettled | None = None,
    ) -> RunReport:
        """Bring every unit to its end, many at a time.

        Args:
            units: What is to be done; taken from one at a time, as places become free.
            store: Where receipts and results are kept; without one, only the report is left.
            concurrency: How many units may be in flight.
            on_settled: Called with each result, in the order in which units end.

        Returns:
            Counts by outcome, and usage.

        Raises:
            RunFailedError: The policy ended the run; units in flight were settled before.  Its details hold `key`,
                `producer`, `outcome`, `code` and the `report`.
            RunInterruptedError: A limit on cost ended it, or a validator by an exception that is no `Exception`.
            KeyboardInterrupt, SystemExit: The caller was interrupted, or a validator raised it; without its text.
        """
        return conclude(*self._loop.run(self.aio.drive(units, store, concurrency, on_settled)))

    def run_unit(self, unit: Unit) -> UnitResult[Any]:
        """Bring one unit to its end and return how it ended, whatever the policy says about it.

        Raises:
            RunInterruptedError: A limit on cost ended it, or a validator by an exception that is no `Exception`.
            KeyboardInterrupt, SystemExit: The caller was interrupted, or a validator raised it; without its text.
        """
        return conclude_unit(*self._loop.run(self.aio.drive_unit(unit)))

    def close(self) -> None:
        """Close what the pipeline holds, as `AsyncPipeline.aclose` does, and end the thread of plain calls.

        Raises:
            PipelineError: It is called from within the pipeline.
        """
        _close(self.aio, self._loop)

    def __enter__(self) -> Self:
        """Return the pipeline."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close it; see `close`."""
        self.close()


def _close(aio: AsyncPipeline, loop: LoopThread) -> None:
    if loop.is_running:
        loop.close(aio.aclose)


class _Run:
    """The state of one run."""

    def __init__(self, units: Iterator[Unit], scene: Scene, on_settled: OnSettled | None) -> None:
        self.report = RunReport()
        self.interruption: Interrupted | None = None
        self._units = units
        self._scene = scene
        self._on_settled = on_settled
        self._is_ending = False
        self._taken = 0
        self._workers: list[asyncio.Task[None]] = []

    async def work(self, concurrency: int) -> None:
        """Settle units until none is left or the run ends."""
        self._workers = [asyncio.create_task(self._settle_units()) for _ in range(concurrency)]
        while not all(worker.done() for worker in self._workers):
            try:
                await asyncio.wait(self._workers)
            except asyncio.CancelledError:
                self._interrupt(Interrupted(Reason.CANCELLED))
        errors = [worker.exception() for worker in self._workers if not worker.cancelled()]
        for error in errors:
            if error is not None:
                raise error

    async def _settle_units(self) -> None:
        try:
            while not self._is_ending and (unit := self._next()) is not None:
                result, interruption = await UnitRun(unit, self._scene).settle()
                await self._record(result)
                if interruption is not None:
                    self._interrupt(interruption)
        except Exception:
            # A store or a source of units that fails ends the run, too; the others settle what they have.
            self._is_ending = True
            raise
        except BaseException as error:  # noqa: BLE001 - told when the run has ended; the loop must not see it
            self._interrupt(Interrupted.by(error))

    def _next(self) -> Unit | None:
        unit = next(self._units, None)
        if unit is not None:
            self._taken += 1
            if unit.position is None:
                return replace(unit, position=self._taken - 1)
        return unit

    async def _record(self, result: UnitResult[Any]) -> None:
        if self._scene.store is not None:
            # Who cancels a worker has ended the run already.
            await undisturbed(self._scene.store.settle(result))
        self.report.outcomes[result.outcome] += 1
        self.report.usage += result.usage
        if result.disposition is Disposition.FAIL_RUN and self.report.failed_by is None:
            self.report.failed_by = result
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


def conclude(report: RunReport, interruption: Interrupted | None) -> RunReport:
    """Return the report of a run that came to its end.

    Raises:
        RunFailedError: The policy ended it.
        BaseException: What stands for the interruption that ended it.
    """
    if interruption is not None:
        raise exception_for(interruption)
    failed = report.failed_by
    if failed is None:
        return report
    raise RunFailedError(
        f"unit {failed.key} ended as {failed.outcome.value}{_why(failed)} and the policy says fail_run",
        where=failed.producer_id,
        remedy='correct the cause, or set the policy to "warn_continue"',
        details={
            "key": failed.key,
            "producer": failed.producer_id,
            "outcome": failed.outcome.value,
            "code": failed.code,
            "report": report,
        },
    )


def _why(result: UnitResult[Any]) -> str:
    """Return the codes behind an outcome, in brackets."""
    words = [f"{name}: {', '.join(codes[:_CODES])}" for name, codes in result.rejected_by.items()]
    words += [f"{name}: {code}" for name, code in result.unchecked.items()]
    told = "; ".join([*words, *([result.code] if result.code else [])])
    return f" ({told})" if told else ""


def conclude_unit(result: UnitResult[Any], interruption: Interrupted | None) -> UnitResult[Any]:
    """Return the result of a unit that was not interrupted.

    Raises:
        BaseException: What stands for the interruption that ended it.
    """
    if interruption is not None:
        raise exception_for(interruption)
    return result
