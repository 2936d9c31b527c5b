"""Limits on requests, tokens and cost: the sums, the order, and the corrections."""

import asyncio
from collections.abc import Callable
from decimal import Decimal

import pytest

from veracord.errors import ConfigurationError
from veracord.models.limits import Limits, Ticket
from veracord.testing import FixedClock


def _admit(limits: Limits, *requests: tuple[int, int | None]) -> list[Ticket | None]:
    """Let requests through one after the other."""

    async def go() -> list[Ticket | None]:
        return [await limits.admit(*request) for request in requests]

    return asyncio.run(go())


def _most_in_a_minute(uses: list[tuple[float, int]]) -> int:
    return max(sum(amount for at, amount in uses if start <= at < start + 60) for start, _ in uses)


def test_without_limits_nobody_waits():
    clock = FixedClock()
    assert None not in _admit(Limits(clock=clock), *[(10**9, None)] * 100)
    assert clock.slept == []


def test_a_minute_after_the_first_requests_come_the_next():
    clock = FixedClock()
    limits = Limits(requests_per_minute=3, clock=clock)
    times = []
    for _ in range(8):
        _admit(limits, (1, 1))
        times.append(clock.monotonic())
    assert times == [0, 0, 0, 60, 60, 60, 120, 120]


def test_1000_callers_at_once_are_let_through_in_order_and_within_the_limit():
    clock = FixedClock()
    limits = Limits(requests_per_minute=70, tokens_per_minute=1000, clock=clock)
    order: list[int] = []
    uses: list[tuple[float, int]] = []

    async def call(number: int) -> None:
        size = 1 + number % 40
        await limits.admit(size, 5)
        order.append(number)
        uses.append((clock.monotonic(), size + 5))

    async def go() -> None:
        await asyncio.gather(*(call(number) for number in range(1000)))

    asyncio.run(go())
    assert order == list(range(1000))
    assert _most_in_a_minute(uses) <= 1000
    assert _most_in_a_minute([(at, 1) for at, _ in uses]) <= 70
    # Nobody waits longer than needed: the tokens alone take 25 minutes and more.
    assert sum(amount for _, amount in uses) / 1000 <= clock.monotonic() / 60 + 1


def test_a_caller_that_gives_up_holds_up_nobody():
    class Patient(FixedClock):
        async def sleep(self, seconds: float) -> None:
            await asyncio.sleep(0)
            await super().sleep(seconds)

    clock = Patient()
    limits = Limits(requests_per_minute=1, clock=clock)

    async def go() -> None:
        await limits.admit(1, 1)
        tasks = [asyncio.create_task(limits.admit(1, 1)) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        tasks[1].cancel()
        await tasks[2]
        assert all(task.cancelled() for task in tasks[:2])

    asyncio.run(go())
    assert clock.monotonic() == 60.0


def test_a_token_estimate_is_corrected_by_the_usage():
    clock = FixedClock()
    limits = Limits(tokens_per_minute=1000, clock=clock)
    (first,) = _admit(limits, (600, 400))
    assert first is not None
    limits.settle(first, 100, 50)
    _admit(limits, (450, 400))
    assert clock.slept == []
    _admit(limits, (1, 0))
    assert clock.monotonic() == 60.0


def test_more_usage_than_was_estimated_holds_up_the_next():
    clock = FixedClock()
    limits = Limits(tokens_per_minute=1000, clock=clock)
    (first,) = _admit(limits, (100, None))
    assert first is not None
    limits.settle(first, 100, 5000)
    _admit(limits, (100, None))
    assert clock.monotonic() == 60.0


def test_an_answer_lets_the_first_in_the_queue_go_on():
    class Answering(FixedClock):
        """A clock in whose first sleep something happens."""

        happen: Callable[[], None] | None = None

        async def sleep(self, seconds: float) -> None:
            await super().sleep(seconds)
            if self.happen is not None:
                self.happen()

    clock = Answering()
    limits = Limits(tokens_per_minute=1000, clock=clock)
    (first,) = _admit(limits, (600, 400))
    assert first is not None
    clock.happen = lambda: limits.settle(first, 10, 10)
    _admit(limits, (500, 0))
    assert clock.monotonic() <= 1.0


def test_a_correction_after_its_minute_changes_nothing():
    clock = FixedClock()
    limits = Limits(tokens_per_minute=100, clock=clock)
    old, _ = _admit(limits, (100, 0), (100, 0))
    assert old is not None
    assert clock.monotonic() == 60.0
    limits.settle(old, 0, 0)
    _admit(limits, (100, 0))
    assert clock.monotonic() == 120.0


def test_a_request_beyond_the_limit_waits_for_an_empty_minute_and_goes():
    clock = FixedClock()
    limits = Limits(tokens_per_minute=100, clock=clock)
    _admit(limits, (1, 0), (5000, 0))
    assert clock.monotonic() == 60.0
    _admit(limits, (1, 0))
    assert clock.monotonic() == 120.0


def test_a_request_that_was_refused_gives_its_tokens_back():
    clock = FixedClock()
    limits = Limits(tokens_per_minute=100, clock=clock, price_per_mtok_in=1, price_per_mtok_out=1)
    (first,) = _admit(limits, (100, 0))
    assert first is not None
    limits.release(first)
    _admit(limits, (100, 0))
    assert clock.slept == []
    assert limits.committed_usd == Decimal("0.0001")


def test_the_limit_on_cost_counts_what_is_in_flight():
    # Worst case of each: 1000 bytes and 1000 tokens, 0.003 dollars.
    limits = Limits(max_cost_usd="0.0065", price_per_mtok_in=1, price_per_mtok_out=2)
    first, second = _admit(limits, *[(1000, 1000)] * 2)
    assert first is not None
    assert second is not None
    limits.answered(second)
    limits.answered(first)
    assert _admit(limits, (1000, 1000)) == [None]
    assert limits.committed_usd == Decimal("0.006")
    limits.settle(first, 200, 100)
    assert limits.committed_usd == Decimal("0.0034")
    (third,) = _admit(limits, (1000, 1000))
    assert third is not None
    limits.answered(third)
    assert _admit(limits, (1000, 1000)) == [None]


def test_a_request_waits_while_an_answer_to_another_one_may_make_room():
    limits = Limits(max_cost_usd="0.004", price_per_mtok_in=1, price_per_mtok_out=2, clock=FixedClock())

    async def go() -> Ticket | None:
        first = await limits.admit(1000, 1000)
        assert first is not None
        second = asyncio.create_task(limits.admit(1000, 1000))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not second.done()
        limits.answered(first)
        limits.settle(first, 100, 10)
        return await second

    assert asyncio.run(go()) is not None


def test_a_request_that_no_answer_can_make_room_for_does_not_wait():
    limits = Limits(max_cost_usd="0.004", price_per_mtok_in=1, price_per_mtok_out=2)
    first, second = _admit(limits, (1000, 1000), (5000, 0))
    assert first is not None
    assert second is None


def test_a_cost_of_exactly_the_limit_is_within_it():
    limits = Limits(max_cost_usd="0.3", price_per_mtok_in="100000", price_per_mtok_out="100000")
    for _ in range(3):
        (ticket,) = _admit(limits, (1, 0))
        assert ticket is not None
        limits.answered(ticket)
    assert _admit(limits, (1, 0)) == [None]


def test_a_request_stopped_by_the_limit_on_cost_takes_no_place():
    clock = FixedClock()
    limits = Limits(requests_per_minute=1, max_cost_usd="0.01", price_per_mtok_in=1, price_per_mtok_out=1, clock=clock)
    assert _admit(limits, (10**6, 0)) == [None]
    assert _admit(limits, (10, 0)) != [None]
    assert clock.slept == []


def test_nothing_passes_a_limit_of_zero():
    limits = Limits(max_cost_usd=0, price_per_mtok_in=1, price_per_mtok_out=1)
    assert _admit(limits, (1, 1)) == [None]


def test_costs_are_exact():
    limits = Limits(price_per_mtok_in=0.1, price_per_mtok_out="0.123456789012345678901234567890")
    assert limits.cost_usd(3, 0) == Decimal("0.0000003")
    assert limits.cost_usd(0, 10) == Decimal("0.00000123456789012345678901234567890")
    assert Limits().cost_usd(1, 1) is None


def test_limits_serve_several_event_loops():
    clock = FixedClock()
    limits = Limits(requests_per_minute=2, clock=clock)
    for _ in range(3):
        _admit(limits, (1, 1))
    assert clock.monotonic() == 60.0


@pytest.mark.parametrize(
    "settings",
    [
        {"max_cost_usd": 1},
        {"max_cost_usd": 1, "price_per_mtok_in": 1},
        {"price_per_mtok_out": 1},
    ],
)
def test_a_price_alone_is_refused(settings):
    with pytest.raises(ConfigurationError) as caught:
        Limits(**settings)
    assert caught.value.code == "price_missing"


@pytest.mark.parametrize(
    "settings",
    [
        {"requests_per_minute": 0},
        {"requests_per_minute": True},
        {"tokens_per_minute": 1.5},
        {"max_cost_usd": -1},
        {"max_cost_usd": "much"},
        {"price_per_mtok_in": float("nan")},
        {"price_per_mtok_out": float("inf")},
        {"price_per_mtok_out": True},
    ],
)
def test_a_number_out_of_range_is_refused(settings):
    with pytest.raises(ConfigurationError) as caught:
        Limits(**settings)
    assert caught.value.code == "limit_invalid"


def test_a_limit_on_cost_needs_a_limit_on_the_answer():
    limits = Limits(max_cost_usd=1, price_per_mtok_in=1, price_per_mtok_out=1)
    with pytest.raises(ConfigurationError):
        limits.check(None)
    limits.check(100)
    Limits(price_per_mtok_in=1, price_per_mtok_out=1).check(None)
