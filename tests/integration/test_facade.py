"""Plain calls of a pipeline: from anywhere, also from within a running event loop, and always with an end."""

import asyncio
import gc
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.contract.model_server import Hang, ModelServer
from tests.integration.pipelines import (
    BAD,
    GENEROUS_S,
    GOOD,
    FunctionModel,
    never_negative,
    outcomes_of,
    pipeline_of,
    results_of,
    units_of,
)
from veracord.errors import ConfigurationError, RunFailedError, RunInterruptedError
from veracord.models.chat_completions import ChatCompletionsModel
from veracord.pipeline import Outcome, Pipeline, RunReport, Unit, ValidatorBinding
from veracord.ports import Usage
from veracord.testing import MemoryStore


@pytest.fixture
def opened():
    """Closes the pipelines that it is given."""
    pipelines: list[Pipeline] = []

    def keep(pipeline: Pipeline) -> Pipeline:
        pipelines.append(pipeline)
        return pipeline

    yield keep
    for pipeline in pipelines:
        pipeline.close()


def ended(call: Callable[[], Any]) -> Any:
    """Return what a call returns or raises, made in a thread, since one that hangs must not hang all."""
    found: list[Any] = []

    def work() -> None:
        try:
            found.append(call())
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is looked at
            found.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(GENEROUS_S)
    assert found, "it hangs"
    return found[0]


def _loop_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "veracord-loop"]


def test_plain_calls_work_inside_a_running_event_loop(opened):
    pipeline = opened(pipeline_of(GOOD, [never_negative]))
    store = MemoryStore()

    async def main() -> tuple[Any, Any]:
        return pipeline.run(units_of(3), store=store), pipeline.run_unit(units_of(1)[0])

    report, result = asyncio.run(main())
    assert report.outcomes == {Outcome.ACCEPTED: 3}
    assert report.units == 3
    assert report.usage == Usage(requests=3, unmetered=3)
    assert result.value == {"name": "A", "age": 36}
    assert [item.position for item in results_of(store)] == [0, 1, 2]


def test_plain_calls_and_coroutines_may_be_mixed(opened):
    pipeline = opened(pipeline_of(GOOD))

    async def main() -> list[Outcome]:
        first = await pipeline.aio.run_unit(units_of(1)[0])
        second = pipeline.run_unit(units_of(1)[0])
        third = await asyncio.to_thread(pipeline.run_unit, units_of(1)[0])
        return [item.outcome for item in (first, second, third)]

    assert asyncio.run(main()) == [Outcome.ACCEPTED] * 3


def test_several_threads_may_call_at_once(opened):
    barrier = threading.Barrier(8)

    async def says(_: Any) -> str:
        await asyncio.sleep(0)
        return GOOD

    pipeline = opened(pipeline_of(says))
    reports: list[RunReport] = []

    def work() -> None:
        barrier.wait(GENEROUS_S)
        reports.append(pipeline.run(units_of(10), concurrency=3))
        pipeline.run_unit(units_of(1)[0])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(GENEROUS_S)
    assert [report.outcomes for report in reports] == [{Outcome.ACCEPTED: 10}] * 8
    assert len(_loop_threads()) == 1


def test_calls_share_connections(opened):
    with ModelServer(default=GOOD) as server:
        pipeline = opened(pipeline_of(ChatCompletionsModel(server.chat_url, "m")))
        for _ in range(3):
            pipeline.run_unit(units_of(1)[0])
        assert (len(server.requests), server.connections) == (3, 1)
        pipeline.close()


def test_closing_a_pipeline_closes_the_connections():
    with ModelServer(default=GOOD) as server:
        pipeline = pipeline_of(ChatCompletionsModel(server.chat_url, "m"))
        pipeline.run(units_of(2))
        pipeline.close()
        server.wait_until_left()
        del pipeline
        # A session that was left open would warn now, and warnings are errors.
        gc.collect()


def test_a_pipeline_that_was_closed_opens_again(opened):
    pipeline = opened(pipeline_of(GOOD))
    pipeline.close()
    assert pipeline.run_unit(units_of(1)[0]).outcome is Outcome.ACCEPTED
    assert len(_loop_threads()) == 1
    pipeline.close()
    pipeline.close()
    assert _loop_threads() == []
    assert pipeline.run(units_of(2)).units == 2


def test_a_pipeline_that_is_forgotten_leaves_nothing_behind():
    with ModelServer(default=GOOD) as server:
        for _ in range(3):
            pipeline_of(ChatCompletionsModel(server.chat_url, "m")).run_unit(units_of(1)[0])
            gc.collect()
            assert _loop_threads() == []
        server.wait_until_left()


@pytest.mark.parametrize("http", [False, True], ids=["in process", "http"])
def test_who_waits_while_a_pipeline_is_closed_is_told(http, opened):
    begun = threading.Event()

    async def says(_: Any) -> str:
        begun.set()
        await asyncio.Event().wait()
        return GOOD

    def step(_: Any) -> Hang:
        begun.set()
        return Hang()

    store = MemoryStore()
    with ModelServer(step) as server:
        model = ChatCompletionsModel(server.chat_url, "m") if http else says
        pipeline = opened(pipeline_of(model))
        found: list[Any] = []
        work = lambda: pipeline.run(units_of(3), store=store, concurrency=2)  # noqa: E731 - a call, for later
        thread = threading.Thread(target=lambda: found.append(ended(work)))
        thread.start()
        assert begun.wait(GENEROUS_S)
        pipeline.close()
        thread.join(GENEROUS_S)
        server.wait_until_left()
    assert isinstance(found[0], asyncio.CancelledError | RunInterruptedError)
    assert set(outcomes_of(store).values()) == {Outcome.CANCELLED}
    assert _loop_threads() == []


def test_a_validator_may_call_another_pipeline(opened):
    inner = opened(pipeline_of(GOOD))
    outer = opened(pipeline_of(GOOD, [lambda _: inner.run_unit(units_of(1)[0]).value["age"] == 36]))
    assert ended(lambda: outer.run_unit(units_of(1)[0])).outcome is Outcome.ACCEPTED
    assert asyncio.run(outer.aio.run_unit(units_of(1)[0])).outcome is Outcome.ACCEPTED


@pytest.mark.parametrize("call", ["run_unit", "run", "close"])
def test_a_validator_that_calls_its_own_pipeline_could_not_check(call, opened):
    def check(_: Any) -> None:
        if call == "run_unit":
            pipeline.run_unit(units_of(1)[0])
        elif call == "run":
            pipeline.run(units_of(1))
        else:
            pipeline.close()

    pipeline = opened(pipeline_of(GOOD, [ValidatorBinding("v", check)]))
    result = ended(lambda: pipeline.run_unit(units_of(1)[0]))
    assert result.outcome is Outcome.ACCEPTED_INCOMPLETE
    assert result.incomplete == ("p/v",)


def test_a_validator_in_a_thread_may_call_its_own_pipeline(opened):
    def check(_: Any, unit: Unit) -> None:
        if unit.key == "u0":
            assert pipeline.run_unit(Unit("inner", {})).outcome is Outcome.ACCEPTED

    pipeline = opened(pipeline_of(GOOD, [ValidatorBinding("v", check, timeout_s=60)]))
    assert ended(lambda: pipeline.run_unit(units_of(1)[0])).outcome is Outcome.ACCEPTED


class OtherExit(BaseException):
    pass


@pytest.mark.parametrize("limit", [{}, {"timeout_s": 60}], ids=["inline", "thread"])
@pytest.mark.parametrize("call", ["run", "run_unit", "aio.run", "aio.run_unit"])
@pytest.mark.parametrize(
    ("error", "raised", "args"),
    [
        (KeyboardInterrupt("a text"), KeyboardInterrupt, ()),
        (SystemExit("a text"), SystemExit, (1,)),
        (SystemExit(7), SystemExit, (7,)),
        (SystemExit(0), SystemExit, (0,)),
        (OtherExit("a text"), RunInterruptedError, ("a validator or producer ended the run",)),
    ],
)
def test_what_ends_the_process_comes_to_the_caller_without_its_text(error, raised, args, call, limit, opened):
    def check(_: Any) -> None:
        raise error

    pipeline = opened(pipeline_of(GOOD, [ValidatorBinding("v", check, **limit)]))
    calls: dict[str, Callable[[], Any]] = {
        "run": lambda: pipeline.run(units_of(1)),
        "run_unit": lambda: pipeline.run_unit(units_of(1)[0]),
        "aio.run": lambda: asyncio.run(pipeline.aio.run(units_of(1))),
        "aio.run_unit": lambda: asyncio.run(pipeline.aio.run_unit(units_of(1)[0])),
    }
    found = ended(calls[call])
    assert type(found) is raised
    assert found is not error
    assert found.args == args
    assert (found.__cause__, found.__context__) == (None, None)
    # The pipeline is none the worse for it.
    error = OSError()
    assert ended(lambda: pipeline.run_unit(units_of(1)[0])).outcome is Outcome.ACCEPTED_INCOMPLETE


def test_a_run_that_the_policy_ended_tells_by_what(opened):
    model = FunctionModel(lambda _: BAD)
    pipeline = opened(pipeline_of(model, [ValidatorBinding("age", never_negative)]))
    with pytest.raises(RunFailedError) as caught:
        pipeline.run(units_of(5), concurrency=1)
    error = caught.value
    report = error.details["report"]
    expected = {"key": "u0", "producer": "p", "outcome": "rejected", "code": ""}
    assert {key: value for key, value in error.details.items() if key != "report"} == expected
    assert error.code == "run_failed"
    assert isinstance(report, RunReport)
    assert report.outcomes == {Outcome.REJECTED: 1}
    assert report.usage == Usage(requests=2, unmetered=2)
    assert report.failed_by is not None
    assert report.failed_by.rejected_by == {"age": ("rejected",)}
    assert report.failed_by.value is None
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - made on the line itself
    assert (type(copy), str(copy), copy.code, copy.where, copy.details) == (
        RunFailedError,
        str(error),
        error.code,
        error.where,
        error.details,
    )
    # One unit by itself is a result, whatever the policy says.
    assert pipeline.run_unit(units_of(1)[0]).outcome is Outcome.REJECTED


def test_what_cannot_be_meant_is_refused(opened):
    pipeline = opened(pipeline_of(GOOD))
    with pytest.raises(ConfigurationError):
        pipeline.run(units_of(1), concurrency=0)
    with pytest.raises(ConfigurationError):
        asyncio.run(pipeline.aio.run(units_of(1), concurrency=0))
    assert pipeline.run([]).units == 0


HEAD = """
import atexit, sys, threading
from tests.integration import child_checks
from tests.integration.pipelines import GOOD, pipeline_of, units_of
from veracord.models.chat_completions import ChatCompletionsModel
from veracord.pipeline import ValidatorBinding

pipeline = pipeline_of(GOOD)
"""

SCRIPTS = {
    "left open": "pipeline.run(units_of(3)); print(pipeline.run_unit(units_of(1)[0]).outcome.value)",
    "closed": "pipeline.run(units_of(3)); pipeline.close(); print('accepted')",
    "never used": "print('accepted')",
    "called at the end": "atexit.register(lambda: print(pipeline.run(units_of(1)).units and 'accepted'))",
    "ended by a validator": "pipeline_of(GOOD, [lambda _: sys.exit(5)]).run(units_of(3))",
    "a connection left open": """
pipeline = pipeline_of(ChatCompletionsModel(sys.argv[1], "m"))
print(pipeline.run_unit(units_of(1)[0]).outcome.value)
""",
    "a thread that hangs": """
hangs = ValidatorBinding("v", lambda _: threading.Event().wait(), timeout_s=0.05, execution_retries=0)
pipeline_of(GOOD, [hangs]).run(units_of(3))
print("accepted")
""",
    "a child left open": """
pipeline = pipeline_of(GOOD, [ValidatorBinding("v", child_checks.pass_everything, isolate=True)])
print(pipeline.run_unit(units_of(1)[0]).outcome.value)
""",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_process_ends_at_once_whatever_is_left_open(name):
    with ModelServer(default=GOOD) as server:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", HEAD + SCRIPTS[name], server.chat_url],
            cwd=Path(__file__).resolve().parents[2],
            env={key: value for key, value in os.environ.items() if key != "PYTHONASYNCIODEBUG"},
            capture_output=True,
            text=True,
            timeout=GENEROUS_S,
            check=False,
        )
    assert done.stderr == ""
    assert (done.returncode, done.stdout) == ((5, "") if name == "ended by a validator" else (0, "accepted\n"))
