"""However a run is ended from outside, it ends soon, and what was in flight is recorded with what it cost."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
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
    results_of,
    units_of,
)
from veracord.errors import ModelCeilingError, PipelineError, RunFailedError, RunInterruptedError
from veracord.models.chat_completions import ChatCompletionsModel
from veracord.models.transport import TransportOptions
from veracord.pipeline import Outcome, Pipeline, Receipt, Unit, UnitResult, ValidatorBinding
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
        if first is None or len(request.messages) > 1:
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


class _SlowStore(MemoryStore):
    """A store whose methods wait before they keep anything, and tell so."""

    def __init__(self, method: str, waiting: Waiting) -> None:
        super().__init__()
        self._method, self._waiting = method, waiting

    async def add_receipt(self, receipt: Receipt) -> None:
        if self._method == "add_receipt":
            await self._waiting.wait()
        await super().add_receipt(receipt)

    async def settle(self, result: UnitResult[Any]) -> None:
        if self._method == "settle":
            await self._waiting.wait()
        await super().settle(result)


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(
    ("method", "answer", "outcome"),
    [
        ("add_receipt", GOOD, Outcome.ACCEPTED),
        ("settle", GOOD, Outcome.ACCEPTED),
        # The attempt was recorded when the cancellation came; the correction that was to follow is not sent.
        ("add_receipt", BAD, CANCELLED),
        ("settle", BAD, Outcome.REJECTED),
    ],
)
def test_what_is_being_stored_when_a_cancellation_comes_is_stored_whole(method, answer, outcome, times):
    waiting = Waiting()
    store = _SlowStore(method, waiting)
    model = FunctionModel(lambda _: answer)
    told: list[UnitResult[Any]] = []

    async def main() -> None:
        work = pipeline_of(model, [never_negative], retries=method == "add_receipt").aio.run(
            units_of(2), store=store, on_settled=told.append
        )
        task = asyncio.create_task(work)
        await waiting.until(2)
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(0)
        waiting.let_go()
        await cancel(task)

    run(main)
    assert model.asked == 2
    results = results_of(store)
    assert [result.outcome for result in results] == [outcome] * 2
    assert [result.usage for result in results] == [Usage(requests=1, unmetered=1)] * 2
    assert {receipt.usage.requests for receipt in store.receipts} == {1}
    assert len(store.receipts) == 2
    assert sorted(told, key=lambda result: result.position) == results


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
        if '"number":0' not in request.messages[0].content:
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
        if '"number":1' in request.messages[0].content:
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
        if '"number":0' in request.messages[0].content:
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

    async def add_receipt(self, receipt: Receipt) -> None:
        if self._method == "add_receipt" and receipt.unit_key == "u0":
            raise self._error
        await super().add_receipt(receipt)

    async def settle(self, result: UnitResult[Any]) -> None:
        if self._method == "settle" and result.key == "u0":
            raise self._error
        await super().settle(result)


def _later_than_the_first(waiting: Waiting) -> Callable[[Any], Awaitable[str]]:
    """Say nothing to the units after the first until it was answered."""

    async def says(request: Any) -> str:
        if '"number":0' in request.messages[0].content:
            await waiting.until(2)
            waiting.let_go()
        else:
            await waiting.wait()
        return GOOD

    return says


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("where", ["add_receipt", "settle", "on_settled"])
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

    pipeline = pipeline_of(_later_than_the_first(waiting))
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
    store = MemoryStore()

    def units() -> Iterator[Unit]:
        yield from units_of(3)
        raise error

    pipeline = pipeline_of(GOOD)
    if plain:
        ended = _in_a_thread(lambda: pipeline.run(units(), store=store, concurrency=2))
        pipeline.close()
    else:
        ended = _in_a_thread(lambda: run(lambda: pipeline.aio.run(units(), store=store, concurrency=2)))
    assert type(ended) is type(error)
    assert set(outcomes_of(store)) == {"u0", "u1", "u2"}


# A process that is interrupted

SCRIPT = """
import asyncio, sys
from tests.integration.pipelines import outcomes_of, pipeline_of, units_of
from veracord.testing import MemoryStore

class HangingStore(MemoryStore):
    async def settle(self, result):
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
