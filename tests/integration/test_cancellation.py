"""However a run is ended from outside, it ends soon, and what was in flight is recorded with what it cost."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.contract.model_server import ModelServer, Status
from tests.integration import child_checks
from tests.integration.pipelines import (
    BAD,
    GENEROUS_S,
    GOOD,
    FunctionModel,
    Waiting,
    never_negative,
    outcomes_of,
    pipeline_of,
    producer_of,
    results_of,
    units_of,
)
from veracord.errors import ModelCeilingError, PipelineError, RunFailedError, RunInterruptedError
from veracord.models.chat_completions import ChatCompletionsModel
from veracord.models.transport import TransportOptions
from veracord.pipeline import Outcome, Pipeline, ProducerBinding, RunReport, Unit, UnitResult, ValidatorBinding
from veracord.pipeline.runs import Claim, Lease, RunSpec, Settlement, StepRecord
from veracord.ports import Usage
from veracord.testing import FixedClock, MemoryStore

#: One step of a run; what is cancelled ends within it.
SOON_S = 2.0

CANCELLED = Outcome.CANCELLED


def run(main: Callable[[], Awaitable[Any]]) -> Any:
    """Run a coroutine; no task may be left over, and no exception unseen."""
    problems: list[str] = []

    async def guarded() -> Any:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: problems.append(context["message"]))
        async with asyncio.timeout(GENEROUS_S):
            result = await main()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return result

    result = asyncio.run(guarded())
    gc.collect()
    assert problems == []
    return result


async def cancel(task: "asyncio.Task[Any]", times: int = 1) -> None:
    """Cancel a task, which must end soon, as cancelled."""
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0)
    async with asyncio.timeout(SOON_S):
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)


def run_and_cancel(pipeline: Pipeline, ready: Callable[[], Awaitable[Any]], units: list[Unit]) -> MemoryStore:
    """Run units, cancel when it is time, and return what was stored."""
    store = MemoryStore()

    async def main() -> None:
        task = asyncio.create_task(pipeline.aio.run(units, store=store))
        await ready()
        await cancel(task)

    run(main)
    return store


def assert_cancelled(store: MemoryStore, units: int, usage: Usage) -> None:
    results = results_of(store)
    assert [(result.outcome, result.code, result.usage) for result in results] == [
        (CANCELLED, "cancelled", usage)
    ] * units
    last = {receipt.unit_key: receipt for receipt in store.receipts}
    assert {receipt.outcome for receipt in last.values()} == {CANCELLED}
    assert len(last) == units
    assert {result.producer_id for result in results} == {"p"}
    # What a unit has cost is the sum over its receipts, whatever they ended as.
    for result in results:
        spent = [receipt.usage for receipt in store.receipts if receipt.unit_key == result.key]
        assert sum(spent, Usage()) == result.usage
        assert len(spent) == result.attempts


def test_a_cancellation_during_a_request():
    waiting = Waiting()
    store = run_and_cancel(pipeline_of(_waits(waiting)), lambda: waiting.until(3), units_of(3))
    assert_cancelled(store, 3, Usage(requests=1, unmetered=1))


def _waits(waiting: Waiting, *, first: str | None = None) -> Callable[[Any], Awaitable[str]]:
    async def says(request: Any) -> str:
        if first is None or len(request.messages) > 2:
            await waiting.wait()
        return first or GOOD

    return says


def test_a_cancellation_during_a_correction_keeps_what_the_first_attempt_cost():
    waiting = Waiting()
    pipeline = pipeline_of(_waits(waiting, first=BAD), [never_negative])
    store = run_and_cancel(pipeline, lambda: waiting.until(3), units_of(3))
    assert_cancelled(store, 3, Usage(requests=2, unmetered=2))
    assert [(item.outcome, item.is_correction) for item in store.receipts if item.unit_key == "u0"] == [
        (Outcome.REJECTED, False),
        (CANCELLED, True),
    ]


def test_a_cancellation_during_a_structural_repair_keeps_what_the_first_request_cost():
    waiting = Waiting()
    pipeline = pipeline_of(_waits(waiting, first="no JSON"))
    store = run_and_cancel(pipeline, lambda: waiting.until(1), units_of(1))
    assert_cancelled(store, 1, Usage(requests=2, unmetered=2))
    assert store.receipts[-1].structure_repairs == 1


class _WaitingClock(FixedClock):
    """A clock on which who sleeps does not wake up, from some sleep on."""

    def __init__(self, waiting: Waiting, wakes: int) -> None:
        super().__init__()
        self._waiting, self._wakes = waiting, wakes

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        if len(self.slept) > self._wakes:
            await self._waiting.wait()


@pytest.mark.parametrize("tries", [1, 3])
def test_a_cancellation_during_backoff_counts_the_requests_that_were_sent(tries):
    waiting = Waiting()
    with ModelServer(default=Status(500)) as server:
        options = TransportOptions(clock=_WaitingClock(waiting, tries - 1))
        model = ChatCompletionsModel(server.chat_url, "m", transport=options)
        store = MemoryStore()

        async def main() -> None:
            task = asyncio.create_task(pipeline_of(model).aio.run(units_of(1), store=store))
            await waiting.until(1)
            await cancel(task)
            await model.aclose()

        run(main)
        assert len(server.requests) == tries
    assert_cancelled(store, 1, Usage(requests=tries, unmetered=tries))


def test_a_cancellation_during_a_validator_that_is_a_coroutine():
    waiting = Waiting()

    async def check(_: Any) -> None:
        await waiting.wait()

    store = run_and_cancel(pipeline_of(GOOD, [check]), lambda: waiting.until(3), units_of(3))
    assert_cancelled(store, 3, Usage(requests=1, unmetered=1))


def _validator_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "veracord-validator"]


def test_a_cancellation_during_a_validator_in_a_thread():
    begun, released = threading.Semaphore(0), threading.Event()

    def check(_: Any) -> None:
        begun.release()
        released.wait()

    async def ready() -> None:
        for _ in range(3):
            await asyncio.to_thread(begun.acquire, timeout=GENEROUS_S)

    pipeline = pipeline_of(GOOD, [ValidatorBinding("v", check, timeout_s=60)])
    try:
        store = run_and_cancel(pipeline, ready, units_of(3))
        # They cannot be ended, but do not keep the process alive.
        threads = _validator_threads()
        assert len(threads) == 3
        assert all(thread.daemon for thread in threads)
    finally:
        released.set()
    assert_cancelled(store, 3, Usage(requests=1, unmetered=1))
    # They end by themselves, with nobody left to tell; pytest sees it if one raises.
    for thread in threads:
        thread.join(GENEROUS_S)
        assert not thread.is_alive()


def test_a_cancellation_during_an_isolated_validator_ends_the_child(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    pid = 0

    async def ready() -> None:
        nonlocal pid
        pid = int(await asyncio.to_thread(pipe.read_text))

    pipeline = pipeline_of(GOOD, [ValidatorBinding("v", child_checks.hang, isolate=True, timeout_s=600)])
    store = run_and_cancel(pipeline, ready, [Unit("u0", str(pipe))])
    assert_cancelled(store, 1, Usage(requests=1, unmetered=1))
    for thread in _validator_threads():
        thread.join(GENEROUS_S)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_cancellation_before_anything_has_begun():
    model = FunctionModel(lambda _: GOOD)
    store = MemoryStore()

    async def main() -> None:
        await cancel(asyncio.create_task(pipeline_of(model).aio.run(units_of(3), store=store)))

    run(main)
    assert results_of(store) == []
    assert model.asked == 0


def test_a_cancellation_of_one_unit_by_itself():
    waiting = Waiting()

    async def main() -> None:
        task = asyncio.create_task(pipeline_of(_waits(waiting)).aio.run_unit(units_of(1)[0]))
        await waiting.until(1)
        await cancel(task)

    run(main)


def test_a_time_limit_around_a_run_is_a_timeout():
    waiting = Waiting()
    store = MemoryStore()

    async def main() -> None:
        with pytest.raises(TimeoutError):  # noqa: PT012 - the limit is what raises
            async with asyncio.timeout(None) as limit:
                task = asyncio.create_task(waiting.until(2))
                task.add_done_callback(lambda _: limit.reschedule(asyncio.get_running_loop().time()))
                await pipeline_of(_waits(waiting)).aio.run(units_of(2), store=store)
        await task

    run(main)
    assert_cancelled(store, 2, Usage(requests=1, unmetered=1))


def test_units_that_had_not_begun_are_not_recorded():
    waiting = Waiting()
    store = MemoryStore()

    async def main() -> None:
        task = asyncio.create_task(pipeline_of(_waits(waiting)).aio.run(units_of(50), store=store, concurrency=4))
        await waiting.until(4)
        await cancel(task)

    run(main)
    assert_cancelled(store, 4, Usage(requests=1, unmetered=1))


class _CountingStore(MemoryStore):
    """A store that knows which leases were not given back."""

    def __init__(self) -> None:
        super().__init__()
        self.held: set[int] = set()

    async def open_run(self, *arguments: Any, **options: Any) -> Lease:
        lease = await super().open_run(*arguments, **options)
        self.held.add(lease.epoch)
        return lease

    async def close_run(self, lease: Lease, ended_by: str) -> None:
        await super().close_run(lease, ended_by)
        self.held.remove(lease.epoch)


class _SlowStore(_CountingStore):
    """A store one of whose methods waits, before or after it does its work."""

    def __init__(self, method: str, waiting: Waiting, *, is_after: bool = False) -> None:
        super().__init__()
        self.slow_down(method, waiting, is_after=is_after)

    def slow_down(self, method: str, waiting: Waiting, *, is_after: bool) -> None:
        """Let a method wait from now on."""
        work = getattr(_CountingStore, method)

        async def call(*arguments: Any, **options: Any) -> Any:
            if not is_after:
                await waiting.wait()
            kept = await work(self, *arguments, **options)
            if is_after:
                await waiting.wait()
            return kept

        self._slow = method
        setattr(self, method, call)

    def mend(self) -> None:
        """Let nothing wait any more."""
        delattr(self, self._slow)


def two_steps(first: Any, second: Any) -> Pipeline:
    """Return a pipeline of two producers, `first` and `p`, over two models."""
    last = ProducerBinding("p", producer_of(second), [ValidatorBinding("v", never_negative)], retries=0)
    return Pipeline([ProducerBinding("first", producer_of(first)), last])


async def _cancel_while_storing(task: "asyncio.Task[Any]", waiting: Waiting, number: int, times: int) -> None:
    """Cancel a run whose store waits, let the store go on, and await the end of the run."""
    await waiting.until(number)
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0)
    waiting.let_go()
    await cancel(task)


@pytest.mark.parametrize("is_after", [False, True])
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(("answer", "outcome"), [(GOOD, Outcome.ACCEPTED), (BAD, Outcome.REJECTED)])
def test_what_is_being_stored_when_a_cancellation_comes_is_stored_whole(answer, outcome, times, is_after):
    waiting = Waiting()
    store = _SlowStore("settle", waiting, is_after=is_after)
    model = FunctionModel(lambda _: answer)
    told: list[UnitResult[Any]] = []

    async def main() -> None:
        work = pipeline_of(model, [never_negative], retries=0).aio.run(units_of(2), store=store, on_settled=told.append)
        await _cancel_while_storing(asyncio.create_task(work), waiting, 2, times)

    run(main)
    assert model.asked == 2
    results = results_of(store)
    assert [result.outcome for result in results] == [outcome] * 2
    assert [result.usage for result in results] == [Usage(requests=1, unmetered=1)] * 2
    assert {receipt.usage.requests for receipt in store.receipts} == {1}
    assert len(store.receipts) == 2
    assert sorted(told, key=lambda result: result.position) == results


@pytest.mark.parametrize("is_after", [False, True])
@pytest.mark.parametrize("times", [1, 3])
def test_a_step_that_is_being_stored_when_a_cancellation_comes_is_stored_whole(times, is_after):
    waiting = Waiting()
    store = _SlowStore("add_record", waiting, is_after=is_after)
    first, second = FunctionModel(lambda _: GOOD), FunctionModel(lambda _: GOOD)

    async def main() -> None:
        work = two_steps(first, second).aio.run(units_of(2), store=store)
        await _cancel_while_storing(asyncio.create_task(work), waiting, 2, times)

    run(main)
    # The step that was to follow is not asked for; what the first one cost is kept.
    assert (first.asked, second.asked) == (2, 0)
    results = results_of(store)
    assert [(result.outcome, result.code) for result in results] == [(CANCELLED, "cancelled")] * 2
    assert [result.usage for result in results] == [Usage(requests=1, unmetered=1)] * 2
    assert [(item.producer_id, item.outcome) for item in store.receipts] == [("first", Outcome.ACCEPTED)] * 2
    # Whoever goes on with the run does not ask for it again.
    store.mend()
    report = asyncio.run(two_steps(first, second).aio.run(units_of(2), store=store))
    assert report.outcomes == {Outcome.ACCEPTED: 2}
    assert (first.asked, second.asked) == (2, 2)


@pytest.mark.parametrize("is_after", [False, True])
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(
    ("method", "waits"),
    [("open_run", 1), ("plan", 1), ("finish_plan", 1), ("claim", 2), ("find_record", 2)],
)
def test_a_cancellation_while_a_store_is_asked_leaves_every_unit_recorded_or_to_be_done(method, waits, times, is_after):
    """Nothing is lost silently: the same run again brings every unit to its end, and pays for each once."""
    waiting = Waiting()
    store = _SlowStore(method, waiting, is_after=is_after)
    model = FunctionModel(lambda _: GOOD)

    async def main() -> None:
        work = pipeline_of(model).aio.run(units_of(2), store=store)
        await _cancel_while_storing(asyncio.create_task(work), waiting, waits, times)

    run(main)
    assert model.asked == 0
    assert store.held == set()
    assert store.receipts == []
    assert {(result.outcome, result.usage) for result in results_of(store)} <= {(CANCELLED, Usage())}
    store.mend()
    report = asyncio.run(pipeline_of(model).aio.run(units_of(2), store=store))
    assert report.outcomes == {Outcome.ACCEPTED: 2}
    assert report.reused == 0
    assert model.asked == 2
    assert set(outcomes_of(store).values()) == {Outcome.ACCEPTED}


def test_units_that_were_cancelled_while_they_were_claimed_are_no_lost_ones():
    """However often a run is interrupted before anything is asked for, no unit is set aside for it."""
    model = FunctionModel(lambda _: GOOD)
    store = _SlowStore("claim", Waiting(), is_after=True)

    async def main() -> None:
        waiting = Waiting()
        store.slow_down("claim", waiting, is_after=True)
        work = pipeline_of(model).aio.run(units_of(2), store=store)
        await _cancel_while_storing(asyncio.create_task(work), waiting, 2, 1)

    for _ in range(4):
        run(main)
    assert model.asked == 0
    store.mend()
    report = asyncio.run(pipeline_of(model).aio.run(units_of(2), store=store))
    assert report.outcomes == {Outcome.ACCEPTED: 2}
    assert store.receipts
    assert {receipt.outcome for receipt in store.receipts} == {Outcome.ACCEPTED}


@pytest.mark.parametrize("times", [1, 3])
def test_a_cancellation_while_a_run_is_closed_changes_nothing_of_it(times):
    waiting = Waiting()
    store = _SlowStore("close_run", waiting)

    async def main() -> Any:
        task = asyncio.create_task(pipeline_of(GOOD).aio.run(units_of(2), store=store))
        await waiting.until(1)
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(0)
        waiting.let_go()
        return await asyncio.gather(task, return_exceptions=True)

    (ended,) = run(main)
    assert isinstance(ended, RunReport | asyncio.CancelledError)
    assert store.held == set()
    assert set(outcomes_of(store).values()) == {Outcome.ACCEPTED}


def test_who_cancels_twice_leaves_no_task_behind():
    waiting = Waiting()
    store = MemoryStore()

    async def main() -> None:
        task = asyncio.create_task(pipeline_of(_waits(waiting)).aio.run(units_of(3), store=store))
        await waiting.until(3)
        await cancel(task, times=3)

    run(main)
    assert_cancelled(store, 3, Usage(requests=1, unmetered=1))


# Ended from within


@pytest.mark.parametrize(
    ("error", "raised", "code"),
    [
        (KeyboardInterrupt("x"), KeyboardInterrupt, "keyboard_interrupt"),
        (SystemExit(3), SystemExit, "system_exit"),
        (GeneratorExit("x"), RunInterruptedError, "other_exit"),
    ],
)
def test_a_validator_that_ends_the_run_ends_the_other_units_at_once(error, raised, code):
    waiting = Waiting()
    store = MemoryStore()

    async def says(request: Any) -> str:
        if '"number":0' not in request.messages[1].content:
            await waiting.wait()
        else:
            await waiting.until(2)
        return GOOD

    def check(_: Any) -> None:
        raise error

    async def main() -> None:
        async with asyncio.timeout(SOON_S):
            with pytest.raises(raised):
                await pipeline_of(says, [check]).aio.run(units_of(5), store=store, concurrency=3)

    run(main)
    assert [(result.outcome, result.code) for result in results_of(store)] == [
        (CANCELLED, code),
        (CANCELLED, "cancelled"),
        (CANCELLED, "cancelled"),
    ]


def test_the_limit_on_cost_ends_the_run():
    store = MemoryStore()

    def says(request: Any) -> str:
        if '"number":1' in request.messages[1].content:
            raise ModelCeilingError("the limit is reached")
        return GOOD

    async def main() -> None:
        with pytest.raises(RunInterruptedError) as caught:
            await pipeline_of(says).aio.run(units_of(4), store=store, concurrency=1)
        assert caught.value.code == "cost_ceiling"

    run(main)
    assert [result.outcome for result in results_of(store)] == [Outcome.ACCEPTED, CANCELLED]
    assert [result.usage for result in results_of(store)] == [Usage(requests=1, unmetered=1), Usage()]


def test_fail_run_settles_what_is_in_flight_and_begins_nothing_new():
    waiting = Waiting()
    store = MemoryStore()

    async def says(request: Any) -> str:
        if '"number":0' in request.messages[1].content:
            await waiting.until(2)
            return BAD
        await waiting.wait()
        return GOOD

    model = FunctionModel(says)

    async def main() -> None:
        with pytest.raises(RunFailedError) as caught:
            await pipeline_of(model, [never_negative], retries=0).aio.run(
                units_of(10),
                store=store,
                concurrency=3,
                on_settled=lambda result: waiting.let_go() if result.position == 0 else None,
            )
        assert caught.value.details["key"] == "u0"

    run(main)
    assert model.asked == 3
    assert outcomes_of(store) == {"u0": Outcome.REJECTED, "u1": Outcome.ACCEPTED, "u2": Outcome.ACCEPTED}


class _Raising(MemoryStore):
    """A store that raises when a method is called for the unit u0."""

    def __init__(self, method: str, error: BaseException) -> None:
        super().__init__()
        self._method, self._error = method, error

    async def claim(self, lease: Lease, position: int) -> Claim | None:
        self._raise("claim", position)
        return await super().claim(lease, position)

    async def add_record(self, lease: Lease, claim: Claim, record: StepRecord) -> None:
        self._raise("add_record", claim.position)
        await super().add_record(lease, claim, record)

    async def settle(self, lease: Lease, claim: Claim, settlement: Settlement) -> bool:
        self._raise("settle", claim.position)
        return await super().settle(lease, claim, settlement)

    def _raise(self, method: str, position: int) -> None:
        if (method, position) == (self._method, 0):
            raise self._error


def _later_than_the_first(waiting: Waiting) -> Callable[[Any], Awaitable[str]]:
    """Say nothing to the units after the first until it was answered."""

    async def says(request: Any) -> str:
        if '"number":0' in request.messages[1].content:
            await waiting.until(2)
            waiting.let_go()
        else:
            await waiting.wait()
        return GOOD

    return says


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("where", ["add_record", "settle", "on_settled"])
@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (OSError("full"), OSError),
        (KeyboardInterrupt(), KeyboardInterrupt),
        (SystemExit(3), SystemExit),
        (asyncio.CancelledError(), (PipelineError, asyncio.CancelledError)),
    ],
)
def test_a_store_or_a_caller_that_raises_ends_the_run(error, raised, where, plain):
    waiting = Waiting()
    store = _Raising(where, error)

    def on_settled(result: UnitResult[Any]) -> None:
        if where == "on_settled" and result.key == "u0":
            raise error

    pipeline = two_steps(FunctionModel(_later_than_the_first(waiting)), FunctionModel(lambda _: GOOD))
    kept = {"store": store, "concurrency": 3, "on_settled": on_settled}
    if plain:
        ended = _in_a_thread(lambda: pipeline.run(units_of(10), **kept))
        pipeline.close()
    else:
        ended = _in_a_thread(lambda: run(lambda: pipeline.aio.run(units_of(10), **kept)))
    assert isinstance(ended, raised)
    # Those that were in flight are settled; how depends on whether they were cancelled.
    assert {"u1", "u2"} <= set(outcomes_of(store)) <= {"u0", "u1", "u2"}


def _in_a_thread(call: Callable[[], Any]) -> Any:
    """Return what a call returns or raises; a test that hangs must not hang all."""
    ended: list[Any] = []

    def work() -> None:
        try:
            ended.append(call())
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is looked at
            ended.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(GENEROUS_S)
    assert ended, "it hangs"
    return ended[0]


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("error", [OSError("lost"), KeyboardInterrupt(), SystemExit(3)])
def test_a_source_of_units_that_raises_ends_the_run(error, plain):
    told: list[UnitResult[Any]] = []

    def units() -> Iterator[Unit]:
        yield from units_of(3)
        raise error

    pipeline = pipeline_of(GOOD)
    kept = {"concurrency": 2, "on_settled": told.append}
    if plain:
        ended = _in_a_thread(lambda: pipeline.run(units(), **kept))
        pipeline.close()
    else:
        ended = _in_a_thread(lambda: run(lambda: pipeline.aio.run(units(), **kept)))
    assert type(ended) is type(error)
    assert {result.key for result in told} == {"u0", "u1", "u2"}


@pytest.mark.parametrize("error", [OSError("lost"), KeyboardInterrupt(), SystemExit(3)])
@pytest.mark.parametrize("number", [0, 3, 2500])
def test_a_source_of_units_that_raises_loses_no_unit_of_a_run_that_is_kept(error, number):
    """What was begun is settled; the same run again does the others, and nothing twice."""
    store = MemoryStore()
    model = FunctionModel(lambda _: GOOD)

    def units() -> Iterator[Unit]:
        yield from units_of(number)
        raise error

    ended = _in_a_thread(lambda: run(lambda: pipeline_of(model).aio.run(units(), store=store, concurrency=2)))
    assert type(ended) is type(error)
    first = outcomes_of(store)
    assert set(first.values()) <= {Outcome.ACCEPTED, CANCELLED}
    report = asyncio.run(pipeline_of(model).aio.run(units_of(number), store=store))
    accepted = sum(outcome is Outcome.ACCEPTED for outcome in first.values())
    assert (report.units, report.reused) == (number - accepted, accepted)
    assert len(outcomes_of(store)) == number
    assert model.asked <= number + 2


class _YieldingStore(MemoryStore):
    """A store that lets others work while it plans."""

    async def plan(self, lease: Lease, units: Sequence[Unit]) -> list[int]:
        await asyncio.sleep(0)
        return await super().plan(lease, units)


@pytest.mark.parametrize("number", [999, 1000, 1001])
def test_units_that_could_not_be_read_are_not_taken_for_the_end_of_the_input(number):
    """Also not by those who wait for the reader: the run knows nothing of how many units there are."""
    store = _YieldingStore()

    def units() -> Iterator[Unit]:
        yield from units_of(number)
        raise OSError

    # The second time all that is planned was done before, and the reader goes on while the others wait for it.
    for _ in range(2):
        with pytest.raises(OSError, match=r"^$"):
            run(lambda: pipeline_of(GOOD).aio.run(units(), store=store, concurrency=8))
        lease = asyncio.run(store.open_run(RunSpec("run")))
        assert not lease.is_planned
    report = asyncio.run(pipeline_of(GOOD).aio.run(units_of(1500), store=store))
    assert report.units + report.reused == 1500
    assert set(outcomes_of(store).values()) == {Outcome.ACCEPTED}


# A process that is interrupted

SCRIPT = """
import asyncio, sys
from tests.integration.pipelines import outcomes_of, pipeline_of, units_of
from veracord.testing import MemoryStore

class HangingStore(MemoryStore):
    async def settle(self, *_):
        print("settling", flush=True)
        await asyncio.Event().wait()

async def says(request):
    print("asked", flush=True)
    await asyncio.Event().wait()

pipeline, how = pipeline_of(says), sys.argv[1]
store = HangingStore() if how == "hangs" else MemoryStore()
try:
    if how == "aio":
        asyncio.run(pipeline.aio.run(units_of(2), store=store, concurrency=1))
    else:
        pipeline.run(units_of(2), store=store, concurrency=1)
except KeyboardInterrupt as error:
    print(error.args, {key: outcome.value for key, outcome in outcomes_of(store).items()}, flush=True)
    if how == "uncaught":
        raise
"""


def _interrupted(how: str, *lines: str) -> tuple[int, str, str]:
    """Run the script, interrupt it after each line that it prints, and return code, output and errors."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", SCRIPT, how],
        cwd=Path(__file__).resolve().parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for line in lines:
            assert process.stdout is not None
            assert process.stdout.readline() == f"{line}\n"
            process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=GENEROUS_S)
    finally:
        process.kill()
        process.communicate()
    return process.returncode, output, errors


@pytest.mark.parametrize("how", ["plain", "aio"])
def test_ctrl_c_ends_a_run_and_records_what_was_in_flight(how):
    assert _interrupted(how, "asked") == (0, "() {'u0': 'cancelled'}\n", "")


def test_ctrl_c_that_nobody_catches_ends_the_process():
    code, output, errors = _interrupted("uncaught", "asked")
    assert code in (130, -signal.SIGINT)
    assert output == "() {'u0': 'cancelled'}\n"
    assert errors.endswith("KeyboardInterrupt\n")
    assert errors.count("Traceback") == 1


def test_a_second_ctrl_c_does_not_wait_for_a_store_that_hangs():
    code, output, _ = _interrupted("hangs", "asked", "settling")
    assert (code, output) == (0, "() {}\n")
