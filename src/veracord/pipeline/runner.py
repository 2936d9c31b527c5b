"""A run: many units at once through one pipeline, ended by its policy alone.

`Pipeline` is for plain code, also inside a running event loop; `Pipeline.aio` is the same for coroutines.

Source: ADR-0014.
"""

import weakref
from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from typing import Any, Self

from veracord.errors import ConfigurationError, RunFailedError, StorageError
from veracord.pipeline.attempts import Transcripts, Turn
from veracord.pipeline.bindings import ProducerBinding
from veracord.pipeline.blocking import LoopThread
from veracord.pipeline.candidates import Unit
from veracord.pipeline.execution import ValidatorExecution
from veracord.pipeline.interruptions import Interrupted, exception_for
from veracord.pipeline.outcomes import UnitResult
from veracord.pipeline.policies import Policy, ResolvedPolicy, resolve_policy
from veracord.pipeline.stores import Store, StoredRun, undisturbed
from veracord.pipeline.units import Scene, UnitRun
from veracord.pipeline.workers import OnSettled, RunReport, Workers, open_run
from veracord.ports import Clock, SystemClock

#: Units in flight at once, where nothing else is asked for.
DEFAULT_CONCURRENCY = 64

#: Each unit in flight is a task of its own.
MOST_CONCURRENCY = 10_000

#: Codes of one validator that are told in a message.
_CODES = 5


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
        store: Store | StoredRun | None = None,
        concurrency: int = DEFAULT_CONCURRENCY,
        on_settled: OnSettled | None = None,
    ) -> RunReport:
        """Bring every unit to its end; see `Pipeline.run`."""
        ended = await self.drive(units, store, concurrency, on_settled)
        return conclude(*ended)

    async def drive(
        self, units: Iterable[Unit], store: Store | StoredRun | None, concurrency: int, on_settled: OnSettled | None
    ) -> tuple[RunReport, Interrupted | None]:
        """Do the work of `run`, and return what ended it instead of raising it."""
        if type(concurrency) is not int or not 1 <= concurrency <= MOST_CONCURRENCY:
            raise ConfigurationError(
                "concurrency is out of range",
                remedy=f"use a whole number from 1 to {MOST_CONCURRENCY:,}",
                code="invalid_pipeline",
            )
        kept = store if isinstance(store, StoredRun) or store is None else StoredRun(store)
        lease = None if kept is None else await open_run(kept)
        scene = Scene(self._turns, self._clock, self._transcripts, kept.store if kept is not None else None, lease)
        run = Workers(units, scene, on_settled)
        try:
            await run.work(concurrency)
        finally:
            scene.threads.close()
            self._end_children()
            if kept is not None and lease is not None:
                # What ended the run is told, not that its lease could not be given back: the lease ends by itself.
                with suppress(StorageError) if run.ended_by else nullcontext():
                    await undisturbed(kept.store.close_run(lease, run.ended_by))
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
        scene = Scene(self._turns, self._clock, self._transcripts)
        try:
            settlement, interruption = await UnitRun(unit, scene).settle()
            return settlement.result, interruption
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
        store: Store | StoredRun | None = None,
        concurrency: int = DEFAULT_CONCURRENCY,
        on_settled: OnSettled | None = None,
    ) -> RunReport:
        """Bring every unit to its end, many at a time.

        Args:
            units: What is to be done; read as places become free.  With a store they are read twice, and all made
                known to it before the first is begun; an iterator, which can be read once, in windows of 1,000.
            store: Where receipts and results are kept, under the name of a run; without one, only the report is left.
                A run that the store knows is gone on with: what has come to its end is not done again.
            concurrency: How many units may be in flight, from 1 to 10,000.
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
