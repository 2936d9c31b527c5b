"""Runs that a store keeps: gone on with where they ended, paid for once, and never told as more than they are."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

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
from veracord.errors import (
    InputError,
    ModelCeilingError,
    ModelRefusedError,
    PipelineError,
    RunFailedError,
    StorageError,
    VeracordError,
)
from veracord.pipeline import Disposition, Outcome, Policy, RunReport, Unit, UnitResult
from veracord.pipeline.runs import Lease, RunSpec
from veracord.pipeline.stores import StoredRun
from veracord.ports import Usage
from veracord.testing import MemoryStore

WARN = Policy(rejection=Disposition.WARN_CONTINUE, validator_execution_failure=Disposition.WARN_CONTINUE)


def _number(request: Any) -> int:
    text = request.messages[1].content
    return int(text.partition('"number":')[2].partition("}")[0])


def _rejected(*numbers: int) -> FunctionModel:
    """Return a model whose answers about some units are rejected."""
    return FunctionModel(lambda request: BAD if _number(request) in numbers else GOOD)


def _run(model: Any, store: Any, *, number: int = 5, policy: Policy = WARN, **options: Any) -> RunReport:
    pipeline = pipeline_of(model, [never_negative], policy=policy, retries=0)
    return asyncio.run(pipeline.aio.run(units_of(number), store=store, **options))


@pytest.mark.parametrize("plain", [False, True])
def test_the_same_run_again_asks_nobody_and_says_how_much_was_done_before(plain):
    store, model = MemoryStore(), _rejected(1)
    told: list[UnitResult[Any]] = []
    pipeline = pipeline_of(model, [never_negative], policy=WARN, retries=0)
    reports = []
    for _ in range(2):
        if plain:
            reports.append(pipeline.run(units_of(5), store=store, on_settled=told.append))
        else:
            reports.append(asyncio.run(pipeline.aio.run(units_of(5), store=store, on_settled=told.append)))
    pipeline.close()
    first, again = reports
    assert (first.outcomes, first.reused) == ({Outcome.ACCEPTED: 4, Outcome.REJECTED: 1}, 0)
    assert (again.outcomes, again.reused, again.units, again.usage) == ({}, 5, 0, Usage())
    assert model.asked == len(told) == len(store.receipts) == 5
    assert [result.position for result in results_of(store)] == [0, 1, 2, 3, 4]


def test_outcomes_that_are_named_are_done_again_and_no_others():
    store, first, second = MemoryStore(), _rejected(1, 3), _rejected(3)
    _run(first, store)
    report = _run(second, StoredRun(store, again=[Outcome.REJECTED]))
    assert (report.outcomes, report.reused) == ({Outcome.ACCEPTED: 1, Outcome.REJECTED: 1}, 3)
    assert second.asked == 2
    assert Counter(outcomes_of(store).values()) == {Outcome.ACCEPTED: 4, Outcome.REJECTED: 1}


def test_a_unit_that_ended_the_run_is_done_again_with_all_that_was_not_begun():
    store, first, second = MemoryStore(), _rejected(2), _rejected()
    with pytest.raises(RunFailedError) as caught:
        _run(first, store, policy=Policy(), concurrency=1)
    assert caught.value.details["report"].reused == 0
    assert first.asked == 3
    report = _run(second, store, policy=Policy(), concurrency=1)
    assert (report.outcomes, report.reused, second.asked) == ({Outcome.ACCEPTED: 3}, 2, 3)
    assert list(outcomes_of(store).values()) == [Outcome.ACCEPTED] * 5


def test_what_another_run_has_accepted_is_taken_over_and_told_as_such():
    store, first, second = MemoryStore(), _rejected(1), _rejected()
    _run(first, StoredRun(store, RunSpec("one")))
    report = _run(second, StoredRun(store, RunSpec("two")))
    # Done in this run, without a request where the value was known; what was rejected before is asked for anew.
    assert (report.outcomes, report.reused, report.usage.requests) == ({Outcome.ACCEPTED: 5}, 0, 1)
    assert second.asked == 1
    assert Counter(receipt.code for receipt in store.receipts[5:]) == {"cached": 4, "": 1}


def test_a_unit_whose_claims_were_lost_is_set_aside_and_counted():
    store, model = MemoryStore(), _rejected()

    async def die(times: int) -> None:
        for _ in range(times):
            lease = await store.open_run(RunSpec("run"))
            await store.plan(lease, units_of(5))
            await store.claim(lease, 2)

    asyncio.run(die(3))
    report = _run(model, store)
    assert report.outcomes == {Outcome.ACCEPTED: 4, Outcome.LOST: 1}
    assert (report.units, model.asked) == (5, 4)
    assert outcomes_of(store)["u2"] is Outcome.LOST
    again = _run(model, StoredRun(store, again=[Outcome.LOST]))
    assert (again.outcomes, again.reused, model.asked) == ({Outcome.ACCEPTED: 1}, 4, 5)


def test_who_lost_the_lease_settles_nothing_more_and_is_told():
    """The other start has the run; what this one was at is neither kept nor told as settled."""
    store = MemoryStore()
    told: list[UnitResult[Any]] = []

    async def main() -> PipelineError:
        waiting = Waiting()

        async def says(_: Any) -> str:
            await waiting.wait()
            return GOOD

        task = asyncio.create_task(
            pipeline_of(says).aio.run(units_of(4), store=store, concurrency=2, on_settled=told.append)
        )
        await waiting.until(2)
        await store.open_run(RunSpec("run"))
        waiting.let_go()
        async with asyncio.timeout(GENEROUS_S):
            with pytest.raises(PipelineError) as caught:
                await task
        return caught.value

    assert asyncio.run(main()).code == "lease_lost"
    assert told == results_of(store) == store.receipts == []


@pytest.mark.parametrize(
    ("units", "code"),
    [
        ([Unit("a", 1), Unit("b", 2), Unit("a", 3)], "duplicate_unit"),
        ([Unit("a", 1), Unit("a", 1)], "duplicate_unit"),
    ],
)
def test_two_units_of_one_key_are_refused_before_anything_is_asked(units, code):
    model = FunctionModel(lambda _: GOOD)
    store = MemoryStore()
    with pytest.raises(InputError) as caught:
        asyncio.run(pipeline_of(model).aio.run(units, store=store))
    assert (caught.value.code, model.asked, results_of(store)) == (code, 0, [])


@pytest.mark.parametrize(
    "changed",
    [
        [Unit("u0", {"number": 0}), Unit("u1", {"number": 9}), Unit("u2", {"number": 2})],
        [Unit("u0", {"number": 0}), Unit("u9", {"number": 1}), Unit("u2", {"number": 2})],
        units_of(2),
        units_of(4),
    ],
    ids=["a value", "a key", "fewer", "more"],
)
def test_a_run_whose_input_has_changed_is_not_gone_on_with(changed):
    store, model = MemoryStore(), FunctionModel(lambda _: GOOD)
    asyncio.run(pipeline_of(model).aio.run(units_of(3), store=store))
    kept = results_of(store)
    with pytest.raises(InputError) as caught:
        asyncio.run(pipeline_of(model).aio.run(changed, store=store))
    assert caught.value.code == "input_changed"
    assert model.asked == 3
    assert results_of(store) == kept


FAR = 2_345


@pytest.mark.parametrize(
    ("last", "code"), [(Unit("u7", {"number": FAR}), "duplicate_unit"), (Unit("u", {"number": -1}), "input_changed")]
)
def test_what_is_wrong_far_behind_is_told_before_anybody_is_asked(last, code):
    """Units that can be read again are all made known first; the run here is unfinished, too."""
    store, model = MemoryStore(), FunctionModel(lambda _: GOOD)
    if code == "input_changed":
        limited = FunctionModel(_asked_at_most(3))
        with pytest.raises(RunFailedError):
            asyncio.run(pipeline_of(limited).aio.run(units_of(FAR + 1), store=store, concurrency=1))
    with pytest.raises(InputError) as caught:
        asyncio.run(pipeline_of(model).aio.run([*units_of(FAR), last], store=store))
    assert (caught.value.code, model.asked) == (code, 0)


def _asked_at_most(times: int) -> Callable[[Any], str]:
    asked = Counter[str]()

    def says(_: Any) -> str:
        asked["times"] += 1
        if asked["times"] > times:
            raise ModelRefusedError("no more", code="no_more")
        return GOOD

    return says


@pytest.mark.parametrize("number", [0, 1, 999, 1000, 1001, 2000])
@pytest.mark.parametrize("kind", [list, iter])
def test_a_list_and_an_iterator_are_done_alike(number, kind):
    store, model = MemoryStore(), FunctionModel(lambda _: GOOD)
    asyncio.run(pipeline_of(model).aio.run(kind(units_of(number)), store=store))
    assert [result.key for result in results_of(store)] == [f"u{n}" for n in range(number)]
    again = asyncio.run(pipeline_of(model).aio.run(kind(units_of(number)), store=store))
    assert (model.asked, again.reused, again.units) == (number, number, 0)


def test_a_source_of_units_that_is_longer_the_second_time_gives_no_unit_that_nobody_knows():
    class Growing:
        def __init__(self) -> None:
            self.number = 2

        def __iter__(self) -> Iterator[Unit]:
            self.number += 1
            return iter(units_of(self.number))

    store, model = MemoryStore(), FunctionModel(lambda _: GOOD)
    asyncio.run(pipeline_of(model).aio.run(Growing(), store=store))
    assert len(results_of(store)) == model.asked == 3


@pytest.mark.parametrize("fails", [False, True], ids=["a run that ends well", "a run that fails"])
def test_what_ended_a_run_is_told_before_a_lease_that_cannot_be_given_back(fails):
    class Stuck(MemoryStore):
        async def close_run(self, _lease: Lease, _ended_by: str) -> None:
            raise StorageError("the store failed", code="store_failed")

    model = _rejected(0) if fails else FunctionModel(lambda _: GOOD)
    pipeline = pipeline_of(model, [never_negative], retries=0)
    with pytest.raises(RunFailedError if fails else StorageError):
        asyncio.run(pipeline.aio.run(units_of(2), store=Stuck()))


class _Closing(MemoryStore):
    """A store that keeps what it is told when a run is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.closed: list[tuple[int, str]] = []

    async def close_run(self, lease: Lease, ended_by: str) -> None:
        self.closed.append((lease.epoch, ended_by))


def _raise(error: BaseException) -> Callable[[Any], str]:
    def says(_: Any) -> str:
        raise error

    return says


def _says(text: str) -> Callable[[Any], str]:
    return lambda _: text


async def _cancelled(work: Awaitable[Any]) -> Any:
    task = asyncio.ensure_future(work)
    # Far enough for the lease to be taken, whatever is waited for then.
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    return await task


async def _never(_: Any) -> str:
    await asyncio.Event().wait()
    return GOOD


@pytest.mark.parametrize(
    ("says", "check", "ended_by"),
    [
        (_says(GOOD), never_negative, ""),
        (_says(BAD), never_negative, "fail_run"),
        (_raise(ModelCeilingError("the limit is reached")), never_negative, "cost_ceiling"),
        (_says(GOOD), _raise(KeyboardInterrupt()), "keyboard_interrupt"),
        (_says(GOOD), _raise(SystemExit(3)), "system_exit"),
        (_never, never_negative, "cancelled"),
    ],
)
def test_a_store_is_told_what_ended_a_run(says, check, ended_by):
    store = _Closing()

    async def main() -> None:
        work = pipeline_of(says, [check], retries=0).aio.run(units_of(2), store=store)
        await (_cancelled(work) if ended_by == "cancelled" else work)

    try:
        asyncio.run(main())
    except (VeracordError, KeyboardInterrupt, SystemExit, asyncio.CancelledError):
        assert ended_by
    assert store.closed == [(1, ended_by)]


@pytest.mark.parametrize(
    ("error", "ended_by"), [(OSError("lost"), "error"), (InputError("it is no JSON", code="not_json"), "not_json")]
)
def test_a_store_is_told_of_units_that_cannot_be_read(error, ended_by):
    store = _Closing()

    def units() -> Any:
        yield from units_of(2)
        raise error

    with pytest.raises(type(error)) as caught:
        asyncio.run(pipeline_of(GOOD).aio.run(units(), store=store))
    assert caught.value is error
    assert store.closed == [(1, ended_by)]
