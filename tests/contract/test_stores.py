"""What every store keeps, and what it refuses: one suite over memory, SQLite and PostgreSQL."""

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from veracord.errors import ConfigurationError, InputError, PipelineError, StorageError
from veracord.pipeline import Check, Disposition, Outcome, Receipt, Unit, UnitResult
from veracord.pipeline.runs import Claim, Lease, RunSpec, Settlement, StepRecord
from veracord.ports import Usage

SPEC = RunSpec("nightly", "in.jsonl", {"pipeline file": "sha256:1"}, {"model": None})


def unit(position: int, value: Any = None, key: str | None = None) -> Unit:
    return Unit(
        key or f"k{position}", {"n": position} if value is None else value, position, f"in.jsonl:{position + 1}"
    )


def units(count: int) -> list[Unit]:
    return [unit(position) for position in range(count)]


def record(value: Any, request: str = "q", result: str = "q+c", producer: str = "last") -> StepRecord:
    return StepRecord(producer, request, result, value)


def ended(position: int, outcome: Outcome = Outcome.ACCEPTED, value: Any = None, **facts: Any) -> Settlement:
    """How a unit of `units` ended; an accepted one with the record of its value."""
    facts.setdefault("key", f"k{position}")
    advances = outcome.advances
    result = UnitResult(
        position=position, outcome=outcome, value=value if advances else None, producer_id="last", **facts
    )
    records = [record(value, f"q{position}")] if outcome is Outcome.ACCEPTED else []
    return Settlement(result, [receipt(position, outcome)], records)


def receipt(position: int, outcome: Outcome = Outcome.ACCEPTED) -> Receipt:
    checks = (Check("v", "passed"),)
    return Receipt(f"k{position}", "last", 1, outcome, "", False, checks, 0, Usage(1), datetime.now(UTC), 0.5)


async def settled(store: Any, lease: Lease, settlement: Settlement) -> None:
    claim = await store.claim(lease, settlement.result.position)
    assert await store.settle(lease, claim, settlement)


async def results_of(store: Any, lease: Lease) -> list[UnitResult[Any]]:
    return [result async for result in store.results(lease.run_id)]


async def taken_over(place: Any, lease: Lease) -> tuple[Any, Lease]:
    """Another runner, after the lease has expired."""
    place.expire(lease)
    other = place.open()
    return other, await other.open_run(SPEC)


# Opening


def test_a_new_run_is_open_and_nothing_of_it_is_known(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        assert (lease.run_id, lease.epoch, lease.is_resumed, lease.is_planned) == (SPEC.run_id, 1, False, False)
        assert lease.salt
        assert await results_of(store, lease) == []

    asyncio.run(check())


def test_a_run_that_was_given_back_is_resumed_with_what_it_settled(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        assert await store.plan(lease, units(3)) == [0, 1, 2]
        await store.finish_plan(lease, 3)
        await settled(store, lease, ended(1, value={"a": 1}))
        await store.close_run(lease, "interrupted")
        other = place.open()
        again = await other.open_run(SPEC)
        assert (again.epoch, again.is_resumed, again.is_planned, again.salt) == (2, True, True, lease.salt)
        assert await other.plan(again, units(3)) == [0, 2]
        assert [result.value for result in await results_of(other, again)] == [{"a": 1}]

    asyncio.run(check())


def test_runs_do_not_see_each_other(place):
    async def check() -> None:
        store = place.open()
        first = await store.open_run(SPEC)
        second = await store.open_run(RunSpec("other", "in.jsonl"))
        await store.plan(first, units(1))
        assert await store.plan(second, [unit(0, {"else": 1}), unit(1)]) == [0, 1]
        await settled(store, first, ended(0, value=1))
        assert await results_of(store, second) == []
        assert len(await results_of(store, first)) == 1

    asyncio.run(check())


# Leases


def test_a_live_lease_is_refused_and_its_owner_named(sql_place):
    async def check() -> None:
        store, other = sql_place.open(), sql_place.open()
        lease = await store.open_run(SPEC)
        sql_place.change("UPDATE runs SET lease_until = lease_until - 7 WHERE run_id = ?", lease.run_id)
        with pytest.raises(ConfigurationError) as refused:
            await other.open_run(SPEC)
        assert (refused.value.code, refused.value.where) == ("run_held", "nightly")
        assert f"process {os.getpid()} on " in refused.value.what
        assert "7 s ago" in refused.value.what
        # Nothing has happened to the one who has it.
        assert await store.plan(lease, units(1)) == [0]
        await other.open_run(RunSpec("another"))

    asyncio.run(check())


def _dead_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


@pytest.mark.parametrize(
    "facts",
    [{"pid": None}, {"boot": "another start of this machine"}, {"started": "1"}],
    ids=["its process is gone", "its machine was started again", "its number was given to another process"],
)
def test_the_lease_of_a_dead_process_of_this_machine_is_taken_at_once(sql_place, facts):
    async def check() -> None:
        store = sql_place.open()
        lease = await store.open_run(SPEC)
        sql_place.set_owner(lease, **{name: value or _dead_pid() for name, value in facts.items()})
        assert (await sql_place.open().open_run(SPEC)).epoch == 2

    asyncio.run(check())


def test_the_lease_of_another_machine_is_taken_only_when_its_time_is_over(sql_place):
    async def check() -> None:
        store, other = sql_place.open(), sql_place.open()
        lease = await store.open_run(SPEC)
        sql_place.set_owner(lease, host="elsewhere", pid=_dead_pid())
        with pytest.raises(ConfigurationError, match="on elsewhere works on this run"):
            await other.open_run(SPEC)
        sql_place.expire(lease)
        assert (await other.open_run(SPEC)).epoch == 2

    asyncio.run(check())


def test_a_lease_that_would_last_longer_than_any_does_not_bind(sql_place):
    async def check() -> None:
        store, other = sql_place.open(), sql_place.open()
        lease = await store.open_run(SPEC)
        # As on a store that was carried to a machine that was started later, or under a clock that was set back.
        sql_place.set_owner(lease, host="elsewhere")
        sql_place.change("UPDATE runs SET lease_until = lease_until + 86400")
        assert (await other.open_run(SPEC)).epoch == 2

    asyncio.run(check())


def test_the_time_of_a_lease_is_measured_by_the_clock_of_the_database(sql_place):
    async def check() -> float:
        store = sql_place.open()
        lease = await store.open_run(SPEC)
        ((until,),) = sql_place.ask("SELECT lease_until FROM runs WHERE run_id = ?", lease.run_id)
        return until - await store.read(lambda session: session.clock_s())

    assert 19 < asyncio.run(check()) <= 20


def test_a_start_that_ended_without_a_word_is_told_as_lost(sql_place):
    async def check() -> None:
        store = sql_place.open()
        lease = await store.open_run(SPEC)
        other, again = await taken_over(sql_place, lease)
        await other.close_run(again, "fail_run")
        await store.close_run(lease, "interrupted")
        third = await other.open_run(SPEC)
        await other.close_run(third, "")
        rows = sql_place.ask("SELECT epoch, ended_by FROM starts WHERE run_id = ? ORDER BY epoch", lease.run_id)
        assert rows == [(1, "lost"), (2, "fail_run"), (3, "")]

    asyncio.run(check())


def test_who_lost_the_lease_changes_nothing_any_more(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(3))
        claim = await store.claim(lease, 0)
        other, again = await taken_over(place, lease)
        for call in (
            lambda: store.plan(lease, units(4)),
            lambda: store.finish_plan(lease, 3),
            lambda: store.claim(lease, 1),
        ):
            with pytest.raises(PipelineError) as lost:
                await call()
            assert lost.value.code == "lease_lost"
        await store.add_record(lease, claim, record("stale", "stale", producer="first"))
        assert not await store.settle(lease, claim, ended(0, value="stale"))
        assert await other.find_record("stale", "") is None
        assert await other.find_record("q0", "") is None
        assert await other.plan(again, units(3)) == [0, 1, 2]
        await other.finish_plan(again, 3)
        # Giving back what one has not takes nothing from the one who has it.
        await store.close_run(lease, "lease_lost")
        await settled(other, again, ended(0, value="right"))
        assert [result.value for result in await results_of(other, again)] == ["right"]

    asyncio.run(check())


def test_a_stale_end_is_counted(sql_place):
    async def check() -> None:
        store = sql_place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        claim = await store.claim(lease, 0)
        other, again = await taken_over(sql_place, lease)
        await settled(other, again, ended(0, value=1))
        assert not await store.settle(lease, claim, ended(0, value=2))
        assert sql_place.receipts(lease) == {"intent": 2, "lost": 1, "attempt": 1, "commit": 1, "stale": 1}

    asyncio.run(check())


def test_the_end_of_a_unit_whose_run_was_removed_is_not_kept(sql_place):
    async def check() -> None:
        store = sql_place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        claim = await store.claim(lease, 0)

        def remove(session: Any) -> None:
            for table in ("receipts", "units", "starts", "runs"):
                session.change(f"DELETE FROM {table}")  # noqa: S608 - names of ours

        await sql_place.open().read(remove)
        assert await store.settle(lease, claim, ended(0)) is False

    asyncio.run(check())


def test_attempts_of_a_unit_under_way_are_kept_under_its_latest_claim_alone(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        first = await store.claim(lease, 0)
        await store.add_receipts(lease, first, [receipt(0, Outcome.REJECTED)])
        second = await store.claim(lease, 0)
        await store.add_receipts(lease, first, [receipt(0, Outcome.REJECTED)])
        assert await store.settle(lease, second, ended(0))
        assert place.attempts(lease) == ["rejected", "accepted"]

    asyncio.run(check())


def test_many_runners_that_start_one_run_at_once_leave_it_to_one(sql_place):
    async def check() -> None:
        stores = [sql_place.open() for _ in range(8)]
        ends = await asyncio.gather(*(store.open_run(SPEC) for store in stores), return_exceptions=True)
        assert [end.epoch for end in ends if isinstance(end, Lease)] == [1]
        assert {end.code for end in ends if not isinstance(end, Lease)} == {"run_held"}
        assert sql_place.count("starts") == 1
        assert sql_place.count("store") == 2

    asyncio.run(check())


def test_many_runners_that_resume_one_run_at_once_leave_it_to_one(sql_place):
    async def check() -> None:
        stores = [sql_place.open() for _ in range(8)]
        await stores[0].close_run(await stores[0].open_run(SPEC), "")
        # So that all are connected.
        await asyncio.gather(*(store.find_record("", "") for store in stores))
        for turn in range(3):
            ends = await asyncio.gather(*(store.open_run(SPEC) for store in stores), return_exceptions=True)
            leases = [end for end in ends if isinstance(end, Lease)]
            assert [lease.epoch for lease in leases] == [turn + 2]
            assert {end.code for end in ends if not isinstance(end, Lease)} == {"run_held"}
            await stores[ends.index(leases[0])].close_run(leases[0], "")

    asyncio.run(check())


# Planning


def test_units_are_known_once_however_often_they_are_planned(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        assert await store.plan(lease, units(5)) == [0, 1, 2, 3, 4]
        assert await store.plan(lease, units(5)) == [0, 1, 2, 3, 4]
        assert await store.plan(lease, [unit(5), unit(6)]) == [5, 6]
        await store.finish_plan(lease, 7)
        assert await store.plan(lease, []) == []

    asyncio.run(check())


@pytest.mark.parametrize(
    "changed",
    [unit(1, {"n": 7}), unit(1, key="other"), unit(1, {"n": "1"}), unit(1, key="k2")],
    ids=["its content", "its key", "a number into a text", "the key of another"],
)
def test_a_unit_that_is_not_what_it_was_is_refused_with_its_place(place, changed):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(3))
        with pytest.raises(InputError) as refused:
            await store.plan(lease, [unit(0), changed, unit(3)])
        assert (refused.value.code, refused.value.where) == ("input_changed", "in.jsonl:2")
        # Nothing of a plan that was refused is kept.
        await store.finish_plan(lease, 3)

    asyncio.run(check())


@pytest.mark.parametrize("same", [{"n": Decimal("1.0")}, {"n": Decimal("10E-1")}])
def test_the_same_number_in_another_spelling_is_the_same_unit(place, same):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(2))
        assert await store.plan(lease, [unit(0), unit(1, same)]) == [0, 1]

    asyncio.run(check())


@pytest.mark.parametrize("windows", [[[0, 1, 2]], [[0, 1], [2]]], ids=["in one window", "in two"])
def test_two_units_with_one_key_are_refused_with_the_places_of_both(place, windows):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        *before, last = [[unit(position, key="aba"[position]) for position in window] for window in windows]
        for window in before:
            await store.plan(lease, window)
        with pytest.raises(InputError) as refused:
            await store.plan(lease, last)
        assert (refused.value.code, refused.value.where) == ("duplicate_unit", "unit 1 and unit 3")

    asyncio.run(check())


def test_a_plan_that_was_refused_before_anything_was_begun_can_be_corrected(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(3))
        await store.close_run(lease, "duplicate_unit")
        lease = await store.open_run(SPEC)
        corrected = [unit(0), unit(1, "corrected"), unit(2, key="another")]
        assert await store.plan(lease, corrected) == [0, 1, 2]
        await store.finish_plan(lease, 3)

    asyncio.run(check())


def test_a_plan_in_which_something_was_begun_stays_what_it_was(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(3))
        await store.claim(lease, 2)
        await store.close_run(lease, "")
        lease = await store.open_run(SPEC)
        with pytest.raises(InputError):
            await store.plan(lease, [unit(0), unit(1, "corrected")])
        assert await store.plan(lease, units(3)) == [0, 1, 2]

    asyncio.run(check())


@pytest.mark.parametrize("count", [2, 4], ids=["fewer", "more"])
def test_another_number_of_units_is_refused_and_can_be_put_back(place, count):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(3))
        await store.finish_plan(lease, 3)
        await store.close_run(lease, "")
        lease = await store.open_run(SPEC)
        with pytest.raises(InputError) as refused:
            await _planned(store, lease, count)
        assert refused.value.code == "input_changed"
        await store.close_run(lease, "input_changed")
        lease = await store.open_run(SPEC)
        assert lease.is_planned
        await _planned(store, lease, 3)

    asyncio.run(check())


async def _planned(store: Any, lease: Lease, count: int) -> None:
    await store.plan(lease, units(count))
    await store.finish_plan(lease, count)


# Claims and ends


def test_only_the_latest_claim_settles_a_unit(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        first = await store.claim(lease, 0)
        second = await store.claim(lease, 0)
        assert second.fence > first.fence
        assert not await store.settle(lease, first, ended(0, value="old"))
        await store.add_record(lease, first, record("old", "old", producer="first"))
        assert await store.find_record("old", "") is None
        assert await store.settle(lease, second, ended(0, value="new"))
        assert not await store.settle(lease, second, ended(0, value="twice"))
        assert [result.value for result in await results_of(store, lease)] == ["new"]

    asyncio.run(check())


def test_a_unit_is_set_aside_when_its_third_claim_is_lost(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(2))
        await settled(store, lease, ended(1, value=1))
        for _ in range(3):
            assert isinstance(await store.claim(lease, 0), Claim)
            store, lease = await taken_over(place, lease)
        assert await store.claim(lease, 0) is None
        assert [(r.key, r.outcome) for r in await results_of(store, lease)] == [
            ("k0", Outcome.LOST),
            ("k1", Outcome.ACCEPTED),
        ]
        assert await store.plan(lease, units(2)) == []
        if place.refuses_others:
            kinds = {"intent": 4, "lost": 3, "set_aside": 1, "attempt": 1, "commit": 1}
            assert place.receipts(lease) == kinds
        # Who asks for it has three more.
        await store.close_run(lease, "")
        lease = await store.open_run(SPEC, again=[Outcome.LOST])
        assert await store.plan(lease, units(2)) == [0]
        await settled(store, lease, ended(0, value=2))

    asyncio.run(check())


@pytest.mark.parametrize("position", [0, 7], ids=["it has come to its end", "there is none"])
def test_a_unit_that_is_not_to_be_done_is_not_claimed(place, position):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        await settled(store, lease, ended(0, value=1))
        with pytest.raises(PipelineError) as refused:
            await store.claim(lease, position)
        assert refused.value.code == "not_claimable"

    asyncio.run(check())


@pytest.mark.parametrize(
    ("outcome", "facts", "again", "is_done_again"),
    [
        (Outcome.ACCEPTED, {}, [], False),
        (Outcome.REJECTED, {"disposition": Disposition.WARN_CONTINUE}, [], False),
        (Outcome.TRANSPORT_FAILURE, {"disposition": Disposition.WARN_CONTINUE}, [], False),
        (Outcome.ACCEPTED_INCOMPLETE, {"incomplete": ("last/v",)}, [], True),
        (Outcome.CANCELLED, {"code": "interrupted"}, [], True),
        (Outcome.REJECTED, {"disposition": Disposition.FAIL_RUN}, [], True),
        (Outcome.REJECTED, {"disposition": Disposition.WARN_CONTINUE}, [Outcome.REJECTED], True),
        (Outcome.REJECTED, {"disposition": Disposition.WARN_CONTINUE}, [Outcome.TRUNCATED], False),
        (Outcome.ACCEPTED, {}, [Outcome.ACCEPTED], True),
    ],
)
def test_what_a_resumed_run_does_again(place, outcome, facts, again, is_done_again):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        await settled(store, lease, ended(0, outcome, "first", **facts))
        await store.close_run(lease, "")
        lease = await store.open_run(SPEC, again=again)
        assert await store.plan(lease, units(1)) == ([0] if is_done_again else [])
        if is_done_again:
            assert await results_of(store, lease) == []
            await settled(store, lease, ended(0, value="second"))
            assert [result.value for result in await results_of(store, lease)] == ["second"]

    asyncio.run(check())


def test_an_end_is_kept_whole(place):
    usage = Usage(3, 1200, 80, Decimal("0.00120"), 1)
    rejected = UnitResult(
        "k0",
        0,
        Outcome.REJECTED,
        incomplete=("last/slow",),
        producer_id="last",
        code="unchanged",
        disposition=Disposition.WARN_CONTINUE,
        rejected_by={"age": ("too_old", "too_young"), "name": ("empty",)},
        attempts=3,
        usage=usage,
    )

    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        await settled(store, lease, Settlement(rejected, [receipt(0, Outcome.REJECTED)]))
        assert await results_of(place.open(), lease) == [rejected]

    asyncio.run(check())


def test_results_come_in_the_order_of_the_input_however_units_ended(place):
    count = 620

    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(count))
        order = sorted(range(count), key=lambda position: position * 7919 % count)
        await asyncio.gather(
            *(settled(store, lease, ended(position, value=position)) for position in order if position % 9)
        )
        found = await results_of(store, lease)
        assert [(r.position, r.key, r.value) for r in found] == [(p, f"k{p}", p) for p in range(count) if p % 9]

    asyncio.run(check())


# Records


def test_a_record_is_found_by_its_result_key_else_the_latest_with_its_request_key(place):
    async def check() -> None:
        store = place.open()
        for number, result_key in enumerate(("checked by 1", "checked by 2", "checked by 3")):
            lease = await store.open_run(RunSpec(f"run {number}"))
            await store.plan(lease, units(1))
            claim = await store.claim(lease, 0)
            await store.add_record(lease, claim, record(number, "asked", result_key, "first"))
            await store.close_run(lease, "")
            await asyncio.sleep(0.002)
        other = place.open()
        for number in range(3):
            assert (await other.find_record("asked", f"checked by {number + 1}")).value == number
        assert await other.find_record("asked", "checked by 4") == record(2, "asked", "checked by 3", "first")
        assert await other.find_record("asked else", "checked by 1") is None

    asyncio.run(check())


def test_the_record_of_a_step_is_kept_at_once_and_of_the_last_one_with_the_end(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        claim = await store.claim(lease, 0)
        await store.add_record(lease, claim, record({"a": 1}, "q1", producer="first"))
        other, again = await taken_over(place, lease)
        assert (await other.find_record("q1", "q+c")).value == {"a": 1}
        assert await other.find_record("q0", "q+c") is None
        assert await results_of(other, again) == []
        await settled(other, again, ended(0, value={"b": 2}))
        assert (await other.find_record("q0", "q+c")).value == {"b": 2}
        assert [result.value for result in await results_of(other, again)] == [{"b": 2}]

    asyncio.run(check())


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.ACCEPTED])
def test_only_an_accepted_value_becomes_a_record(place, outcome):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        await settled(store, lease, ended(0, outcome, {"a": 1}))
        assert await store.find_record("q0", "q+c") is None
        (result,) = await results_of(store, lease)
        assert result.value == ({"a": 1} if outcome.advances else None)

    asyncio.run(check())


def test_the_value_of_an_incomplete_unit_is_provisional_until_it_is_done_again(sql_place):
    async def check() -> None:
        store = sql_place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(2))
        incomplete = ended(0, Outcome.ACCEPTED_INCOMPLETE, {"secret": "not checked"}, incomplete=("last/v",))
        await settled(store, lease, incomplete)
        await settled(store, lease, ended(1, value={"a": 1}))
        assert sql_place.ask("SELECT position FROM provisional") == [(0,)]
        assert sql_place.ask("SELECT position FROM records") == [(1,)]
        assert [result.value for result in await results_of(store, lease)] == [{"secret": "not checked"}, {"a": 1}]
        await store.close_run(lease, "")
        lease = await store.open_run(SPEC)
        assert [result.key for result in await results_of(store, lease)] == ["k1"]
        await settled(store, lease, incomplete)
        assert sql_place.count("provisional") == 1
        await store.close_run(lease, "")
        lease = await store.open_run(SPEC)
        await settled(store, lease, ended(0, value={"b": 2}))
        assert sql_place.count("provisional") == 0
        assert [result.value for result in await results_of(store, lease)] == [{"b": 2}, {"a": 1}]

    asyncio.run(check())


# Odd content

DIGITS = "1234567890" * 3


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        "",
        "\0 \u2028 \U0001f600 \u0301 \x7f '\"\\ %s ? ;",
        {"": {"\0": [[], {}]}},
        [Decimal("1.10"), Decimal("1E400"), Decimal("-0.0"), Decimal(DIGITS + ".5"), int(DIGITS)],
        [[[[[[[[[[[[1]]]]]]]]]]]],
        "x" * 3_000_000,
        {f"m{number}": number for number in range(50_000)},
    ],
    ids=["null", "true", "empty", "characters", "empty names", "numbers", "depth", "a long text", "many members"],
)
def test_a_value_comes_back_as_it_was(place, value):
    async def check() -> Any:
        store = place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, [unit(0, {"v": value})])
        await settled(store, lease, ended(0, value=value))
        assert (await store.find_record("q0", "q+c")).value == value
        ((result),) = await results_of(place.open(), lease)
        return result.value

    found = asyncio.run(check())
    assert found == value
    # Equal numbers could still be spelled otherwise.
    assert repr(found) == repr(value)


@pytest.mark.parametrize(
    "key", ["\0", "é\u0301\U0001f600", "' OR 1=1 --", '"', "\\u0000", "x" * 500, "a\nb", "%s?"], ids=ascii
)
def test_a_key_comes_back_as_it_was(place, key):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        odd = Unit(key, 1, 0)
        assert await store.plan(lease, [odd, unit(1, key="k1")]) == [0, 1]
        assert await store.plan(lease, [odd]) == [0]
        await settled(store, lease, ended(0, value=1, key=key))
        assert [result.key for result in await results_of(store, lease)] == [key]
        with pytest.raises(InputError, match="duplicate_unit"):
            await store.plan(lease, [Unit(key, 1, 2)])

    asyncio.run(check())


def test_keys_that_look_alike_are_different(place):
    async def check() -> None:
        store = place.open()
        lease = await store.open_run(SPEC)
        keys = ["a", "A", "a ", "á", "a\u0301", "\\u0000", "\0"]
        assert await store.plan(lease, [unit(p, key=key) for p, key in enumerate(keys)]) == list(range(len(keys)))

    asyncio.run(check())


class Person(BaseModel):
    name: str
    born: datetime


def test_a_model_is_kept_as_its_json(sql_place):
    async def check() -> None:
        store = sql_place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        await settled(store, lease, ended(0, value=Person(name="Ada", born=datetime(1815, 12, 10, tzinfo=UTC))))
        (result,) = await results_of(store, lease)
        assert result.value == {"name": "Ada", "born": "1815-12-10T00:00:00Z"}

    asyncio.run(check())


@pytest.mark.parametrize("value", [object(), "half a pair: \ud800", {"a": {1j}}], ids=["object", "surrogate", "set"])
def test_a_value_that_is_no_json_is_refused_alone(sql_place, value):
    async def check() -> None:
        store = sql_place.open()
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(2))
        claim = await store.claim(lease, 0)
        refused, kept = await asyncio.gather(
            store.settle(lease, claim, ended(0, value=value)),
            settled(store, lease, ended(1, value=1)),
            return_exceptions=True,
        )
        assert isinstance(refused, StorageError)
        assert (refused.code, refused.where, kept) == ("not_json", "last", None)
        assert [result.key for result in await results_of(store, lease)] == ["k1"]
        # Nothing of it is there, and the unit can still be settled.
        assert sql_place.receipts(lease) == {"intent": 2, "attempt": 1, "commit": 1}
        assert await store.settle(lease, claim, ended(0, value=2))

    asyncio.run(check())


def spoilt(value):
    """A unit whose value was good when it was made."""
    unit = Unit("k0", {"a": 1}, 0)
    unit.value["a"] = value
    return unit


@pytest.mark.parametrize("odd", [spoilt(object()), Unit("\ud800", 1, 0)], ids=["value", "key"])
def test_a_unit_that_is_no_json_is_refused(sql_place, odd):
    async def check() -> None:
        store = sql_place.open()
        lease = await store.open_run(SPEC)
        with pytest.raises(InputError) as refused:
            await store.plan(lease, [odd])
        assert refused.value.code == "not_json"
        assert await store.plan(lease, units(1)) == [0]

    asyncio.run(check())


# Digests and durability


def test_each_store_has_a_key_of_its_own_that_stays(place):
    async def check() -> None:
        first = await place.open().open_run(SPEC)
        second = await place.open().open_run(RunSpec("another"))
        assert first.salt == second.salt

    asyncio.run(check())


def test_what_is_done_in_one_loop_is_there_in_the_next(place):
    store = place.open()

    async def start() -> Lease:
        lease = await store.open_run(SPEC)
        await store.plan(lease, units(1))
        await settled(store, lease, ended(0, value=1))
        return lease

    lease = asyncio.run(start())
    assert [result.value for result in asyncio.run(results_of(store, lease))] == [1]
