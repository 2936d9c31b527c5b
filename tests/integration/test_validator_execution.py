"""Validators that misbehave: each could not check, and nothing else is disturbed."""

import asyncio
import functools
import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from tests.integration import child_checks
from tests.integration.pipelines import (
    BAD,
    GENEROUS_S,
    GOOD,
    FunctionModel,
    never_negative,
    outcomes_of,
    pipeline_of,
    units_of,
)
from veracord.errors import ConfigurationError, RunFailedError
from veracord.pipeline import (
    Attempt,
    Check,
    Defect,
    Disposition,
    Outcome,
    Pipeline,
    ProducerBinding,
    Unit,
    UnitResult,
    ValidatorBinding,
    Verdict,
)
from veracord.promptkit import Response
from veracord.testing import MemoryStore


def settle(pipeline: Pipeline, unit: Unit | None = None) -> tuple[UnitResult[Any], list[tuple[Check, ...]]]:
    """Return how a unit ended, and for each attempt how its validators did."""
    store = MemoryStore()
    results: list[UnitResult[Any]] = []
    with suppress(RunFailedError):
        asyncio.run(pipeline.aio.run([unit or units_of(1)[0]], store=store, on_settled=results.append))
    return results[0], [receipt.checks for receipt in store.receipts]


def checked(check: Any, unit: Unit | None = None, **binding: Any) -> Check:
    """Return how one validator ended on a good candidate; the one after it always runs, and passes."""
    binding = {"execution_retries": 0, **binding}
    last = ValidatorBinding("last", never_negative)
    result, checks = settle(pipeline_of(GOOD, [ValidatorBinding("v", check, **binding), last], retries=0), unit)
    assert len(checks) == 1
    first, second = checks[0]
    assert second == Check("last", "passed")
    expected = {"passed": Outcome.ACCEPTED, "execution_failed": Outcome.ACCEPTED_INCOMPLETE}
    if first.status in expected:
        assert result.outcome is expected[first.status]
        assert result.value == {"name": "A", "age": 36}
        assert result.incomplete == (() if first.status == "passed" else ("p/v",))
    return first


def failed(code: str) -> Check:
    return Check("v", "execution_failed", (code,))


def _raise(error: BaseException) -> Any:
    raise error


def recurse(value: Any) -> Any:
    return recurse(value)


class CallableCheck:
    def __call__(self, value: Any) -> list[str]:
        return [f"{value['name']} is not allowed"]


class AsyncCallableCheck:
    async def __call__(self, value: Any) -> list[str]:
        await asyncio.sleep(0)
        return [f"{value['name']} is not allowed"]


async def later(value: Any) -> list[str]:
    await asyncio.sleep(0)
    return [f"{value['name']} is not allowed"]


@pytest.mark.parametrize("limit", [{}, {"timeout_s": 60.0}], ids=["inline", "thread"])
@pytest.mark.parametrize(
    ("check", "code"),
    [
        (lambda _: _raise(ValueError("x")), "raised:ValueError"),
        (lambda _: _raise(TimeoutError("x")), "raised:TimeoutError"),
        (lambda _: _raise(MemoryError), "raised:MemoryError"),
        (lambda _: _raise(StopIteration), "raised:StopIteration"),
        (lambda _: _raise(StopAsyncIteration), "raised:StopAsyncIteration"),
        (lambda _: _raise(child_checks.StubbornError()), "raised:StubbornError"),
        (lambda _: _raise(type("A b\n" * 40, (Exception,), {})()), ("raised:" + "A_b_" * 40)[:64]),
        (recurse, "raised:RecursionError"),
        (lambda _: object(), "not_a_verdict"),
        (lambda _: False, "not_a_verdict"),
        (lambda _: "a text", "not_a_verdict"),
        (lambda _: Disposition.FAIL_RUN, "not_a_verdict"),
        (lambda _: Outcome.ACCEPTED, "not_a_verdict"),
        (lambda _: Verdict.execution_failed("x"), "not_a_verdict"),
        (lambda _: [1], "raised:TypeError"),
        (lambda _: [Defect("a", "", 1)], "raised:TypeError"),  # a mistake that a validator may make
    ],
)
def test_a_validator_that_cannot_check(check, code, limit):
    assert checked(check, **limit) == failed(code)


@pytest.mark.parametrize("limit", [{}, {"timeout_s": 60.0}], ids=["unlimited", "limited"])
@pytest.mark.parametrize(
    "check",
    [
        CallableCheck(),
        CallableCheck().__call__,
        functools.partial(lambda word, value: [f"{value['name']} {word}"], "is not allowed"),
        lambda value: Verdict.rejected([f"{value['name']} is not allowed"]),
        later,
        AsyncCallableCheck(),
        functools.partial(later),
        lambda value: later(value),  # noqa: PLW0108 - a plain function that returns a coroutine
    ],
)
def test_a_validator_of_any_kind_that_rejects(check, limit):
    assert checked(check, **limit) == Check("v", "rejected", ("rejected",))


@pytest.mark.parametrize("returned", [None, True, [], (), Verdict.passed()])
def test_what_says_that_a_value_passed(returned):
    assert checked(lambda _: returned) == Check("v", "passed")


def test_a_coroutine_that_raises_a_timeout_of_its_own_has_not_run_out_of_time():
    async def check(_: Any) -> None:
        await asyncio.sleep(0)
        raise TimeoutError

    assert checked(check) == failed("raised:TimeoutError")
    assert checked(check, timeout_s=60.0) == failed("raised:TimeoutError")


# Time


def test_a_validator_in_a_thread_that_hangs_is_timed_out():
    released = threading.Event()
    try:
        assert checked(lambda _: released.wait(), timeout_s=0.02) == failed("timed_out")
    finally:
        released.set()


def test_a_coroutine_that_hangs_is_timed_out():
    ended: list[bool] = []

    async def check(_: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    assert checked(check, timeout_s=0.02) == failed("timed_out")
    assert ended == [True]


def test_a_validator_that_hangs_is_run_again_within_its_budget():
    begun: list[int] = []
    released = threading.Event()

    def check(_: Any) -> None:
        begun.append(1)
        if len(begun) < 3:
            released.wait()

    try:
        first = checked(check, timeout_s=0.02, execution_retries=2)
    finally:
        released.set()
    assert first == Check("v", "passed", (), 2)


def _pid_told(pipe: Any, told: list[int]) -> threading.Thread:
    """Read a process id from a pipe, in a thread, since it comes when it comes."""
    thread = threading.Thread(target=lambda: told.append(int(pipe.read_text())))
    thread.start()
    return thread


@pytest.fixture
def pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def assert_dead(pid: int) -> None:
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_isolated_validator_that_hangs_is_killed(pipe):
    told: list[int] = []
    reader = _pid_told(pipe, told)
    unit = Unit("u0", str(pipe))
    assert checked(child_checks.hang, unit, isolate=True, timeout_s=0.2) == failed("timed_out")
    reader.join(GENEROUS_S)
    assert_dead(told[0])


# In a child process


@pytest.mark.parametrize(
    ("check", "ended"),
    [
        (child_checks.exit_at_once, failed("process_died")),
        (child_checks.crash_hard, failed("process_died")),
        (child_checks.return_garbage, failed("not_a_verdict")),
        (child_checks.return_garbage_defects, failed("raised:TypeError")),
        (child_checks.raise_what_cannot_be_pickled, failed("raised:StubbornError")),
        (child_checks.recurse, failed("raised:RecursionError")),
        (child_checks.out_of_memory, failed("raised:MemoryError")),
        (child_checks.print_and_reject, Check("v", "rejected", ("rejected",))),
    ],
)
def test_an_isolated_validator_that_misbehaves(check, ended, capfd):
    assert checked(check, isolate=True, timeout_s=60.0) == ended
    # What a validator prints must not get among the results of its parent; nothing else is written.
    printed = "printed by a child\n" if check is child_checks.print_and_reject else ""
    assert capfd.readouterr() == ("", printed)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    ("check", "raised", "args"),
    [
        (child_checks.exit_with_seven, SystemExit, (7,)),
        (child_checks.exit_with_a_text, SystemExit, (1,)),
        (child_checks.interrupt, KeyboardInterrupt, ()),
    ],
)
def test_an_isolated_validator_that_asks_the_process_to_end(check, raised, args, capfd):
    pipeline = pipeline_of(GOOD, [ValidatorBinding("v", check, isolate=True)])
    with pytest.raises(raised) as caught:
        asyncio.run(pipeline.aio.run(units_of(1)))
    assert caught.value.args == args
    assert multiprocessing.active_children() == []
    assert capfd.readouterr() == ("", "")


def test_a_child_is_used_again_and_replaced_when_it_died():
    store = MemoryStore()
    checks = [
        ValidatorBinding("a", child_checks.never_negative, isolate=True),
        ValidatorBinding("b", child_checks.exit_at_once, isolate=True, execution_retries=1),
    ]
    asyncio.run(pipeline_of(GOOD, checks).aio.run(units_of(2), store=store, concurrency=1))
    assert [receipt.checks for receipt in store.receipts] == [
        (Check("a", "passed"), Check("b", "execution_failed", ("process_died",), 1))
    ] * 2
    assert multiprocessing.active_children() == []


class _Unpicklable:
    correction_protocol = None

    async def produce(self, attempt: Attempt) -> Any:
        return attempt.candidate(threading.Lock())


def test_a_value_that_cannot_be_sent_to_a_child_could_not_be_checked():
    checks = [ValidatorBinding("v", child_checks.pass_everything, isolate=True, execution_retries=0)]
    result, receipts = settle(Pipeline([ProducerBinding("p", _Unpicklable(), checks)]))
    assert receipts == [(failed("not_sent:TypeError"),)]
    assert result.outcome is Outcome.ACCEPTED_INCOMPLETE
    assert multiprocessing.active_children() == []


def test_children_of_single_units_end_with_the_pipeline(pipe):
    told: list[int] = []
    reader = _pid_told(pipe, told)
    pipeline = pipeline_of(GOOD, [ValidatorBinding("v", child_checks.tell_and_pass, isolate=True)])
    assert pipeline.run_unit(Unit("u0", str(pipe))).outcome is Outcome.ACCEPTED
    reader.join(GENEROUS_S)
    pipeline.close()
    try:
        assert_dead(told[0])
    finally:
        for child in multiprocessing.active_children():
            child.kill()
            child.join()


@pytest.mark.parametrize("check", [lambda _: None, child_checks.be_a_coroutine])
def test_what_cannot_be_isolated_is_refused_before_the_first_call(check):
    model = FunctionModel(lambda _: GOOD)
    with pytest.raises(ConfigurationError) as caught:
        pipeline_of(model, [ValidatorBinding("v", check, isolate=True)])
    assert caught.value.code == "invalid_validator"
    assert caught.value.where == "v"
    assert model.asked == 0


# Budgets


def test_execution_retries_are_counted_anew_for_each_candidate():
    calls: list[int] = []

    def check(value: Any) -> list[str]:
        calls.append(value["age"])
        if len(calls) % 2:
            raise OSError
        return ["no"] if value["age"] < 0 else []

    answers = iter([BAD, BAD, GOOD])
    pipeline = pipeline_of(lambda _: next(answers), [check], retries=2)
    result, receipts = settle(pipeline)
    assert result.outcome is Outcome.ACCEPTED
    assert calls == [-1, -1, -1, -1, 36, 36]
    assert [check.execution_retries for (check,) in receipts] == [1, 1, 1]


@pytest.mark.parametrize("budget", [0, 1, 3])
def test_a_validator_is_run_as_often_as_its_budget_says(budget):
    calls: list[int] = []

    def check(_: Any) -> None:
        calls.append(1)
        raise OSError

    assert checked(check, execution_retries=budget) == Check("v", "execution_failed", ("raised:OSError",), budget)
    assert len(calls) == budget + 1


# Threads


def test_more_validators_than_threads_all_run_and_the_time_of_those_that_wait_does_not():
    lock = threading.Lock()
    running: list[int] = [0, 0]
    barrier = threading.Barrier(32)

    def check(_: Any) -> None:
        with lock:
            running[0] += 1
            running[1] = max(running)
        # Nobody goes on until 32 are there; the others wait for a place all the while.
        with suppress(threading.BrokenBarrierError):
            barrier.wait(GENEROUS_S)
        with lock:
            running[0] -= 1

    store = MemoryStore()
    pipeline = pipeline_of(GOOD, [ValidatorBinding("v", check, timeout_s=2 * GENEROUS_S, execution_retries=0)])
    asyncio.run(pipeline.aio.run(units_of(64), store=store, concurrency=64))
    assert set(outcomes_of(store).values()) == {Outcome.ACCEPTED}
    assert running == [0, 32]


def test_a_validator_that_hangs_gives_its_place_back():
    released = threading.Event()
    store = MemoryStore()

    def check(_: Any, unit: Unit) -> None:
        if unit.position < 40:
            released.wait()

    pipeline = pipeline_of(GOOD, [ValidatorBinding("v", check, timeout_s=0.1, execution_retries=0)])
    try:
        asyncio.run(pipeline.aio.run(units_of(50), store=store, concurrency=50))
    finally:
        released.set()
    assert list(outcomes_of(store).values()) == [Outcome.ACCEPTED_INCOMPLETE] * 40 + [Outcome.ACCEPTED] * 10


def test_a_validator_in_a_thread_sees_the_context_of_its_caller():
    import contextvars

    variable = contextvars.ContextVar("variable", default="unset")
    seen: list[str] = []

    async def main() -> None:
        variable.set("set")
        await pipeline_of(GOOD, [ValidatorBinding("v", lambda _: seen.append(variable.get()), timeout_s=60)]).aio.run(
            units_of(1)
        )

    asyncio.run(main())
    assert seen == ["set"]


# What validators are given


@pytest.mark.parametrize("binding", [{}, {"timeout_s": 60.0}, {"isolate": True}], ids=["inline", "thread", "isolated"])
def test_a_validator_that_spoils_its_value_spoils_nobody_elses(binding):
    seen: list[Any] = []
    checks = [
        ValidatorBinding("spoil", child_checks.spoil, **binding),
        ValidatorBinding("see", lambda value: seen.append(value) or None),
    ]
    result, _ = settle(pipeline_of(GOOD, checks))
    assert seen == [{"name": "A", "age": 36}]
    assert result.value == {"name": "A", "age": 36}
    assert result.outcome is Outcome.ACCEPTED


def test_a_validator_that_is_run_again_gets_a_whole_value_again():
    seen: list[Any] = []

    def check(value: Any) -> None:
        seen.append(dict(value))
        value.clear()
        if len(seen) == 1:
            raise OSError

    checked(check, execution_retries=1)
    assert seen == [{"name": "A", "age": 36}] * 2


def test_a_validator_that_spoils_the_unit_spoils_nobody_elses():
    prompts: list[str] = []

    def says(request: Any) -> Response:
        prompts.append(request.messages[1].content)
        return Response(BAD)

    def check(_: Any, unit: Unit) -> list[str]:
        unit.value["number"] = "spoilt"  # type: ignore[index,call-overload]  # it is a dict
        return ["no"]

    unit = Unit("a", {"number": 1})
    settle(pipeline_of(says, [check]), unit)
    assert unit.value == {"number": 1}
    assert len(set(prompts)) == 1
    assert len(prompts) == 2


SECOND_PARAMETERS: list[tuple[Callable[[list[Any]], Any], bool]] = [
    (lambda seen: lambda value, unit: seen.append((value, unit)), True),
    (lambda seen: lambda value, other: seen.append((value, other)), True),
    (lambda seen: lambda value, unit=None: seen.append((value, unit)), True),
    (lambda seen: lambda value, unit, /: seen.append((value, unit)), True),
    (lambda seen: lambda value, other="mine": seen.append((value, other)), False),
    (lambda seen: lambda value, *rest: seen.append((value, *rest)), False),
    (lambda seen: lambda value, *, unit=None: seen.append((value, unit)), False),
    (lambda seen: lambda value: seen.append((value,)), False),
    (lambda seen: functools.partial(lambda first, value, unit: seen.append((value, unit, first)), 1), True),
    (lambda seen: functools.partial(lambda value, other: seen.append((value, other)), other=1), False),
]


@pytest.mark.parametrize(("make", "gets_the_unit"), SECOND_PARAMETERS)
def test_the_unit_is_given_to_a_validator_that_asks_for_it(make, gets_the_unit):
    seen: list[Any] = []
    unit = Unit("a", {"number": 1}, 7)
    assert checked(make(seen), unit) == Check("v", "passed")
    assert len(seen) == 1
    assert (unit in seen[0]) is gets_the_unit


@pytest.mark.parametrize("check", [lambda: None, lambda _a, _b, _c: None, lambda _value, *, _other: None])
def test_a_validator_that_cannot_be_called_with_a_value_is_refused_before_the_first_unit(check):
    with pytest.raises(ConfigurationError) as caught:
        checked(check)
    assert caught.value.code == "invalid_validator"


def test_a_coroutine_that_holds_up_the_loop_is_not_faster_for_that():
    async def block(_value):
        time.sleep(0.2)  # noqa: ASYNC251 - that is the mistake

    assert checked(block, timeout_s=0.1, execution_retries=0).codes == ("timed_out",)
