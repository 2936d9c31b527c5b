"""Limits on requests and tokens a minute, and on cost.

A request counts with its worst case (every byte of it a token, and all the tokens it may write) until its
usage is known; unknown usage stays at the worst case.  In no span of 60 seconds are more requests or tokens let
through than the limit, except for one request that alone is beyond it.
"""

import asyncio
import threading
from collections import deque
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from veracord.errors import ConfigurationError
from veracord.ports import Clock, SystemClock
from veracord.records.values import EXACT

_SPAN_S: Final = 60.0
#: The first in the queue looks again after this time: an answer may have corrected the sums.
_LOOK_AGAIN_S: Final = 0.25
#: The same while only the answer to another request can make room under the limit on cost.
_LOOK_SOON_S: Final = 0.02
_MILLION: Final = -6

Money = Decimal | int | float | str


@dataclass(slots=True)
class _Use:
    at: float
    amount: int
    counted: bool = True


class _Window:
    """What was used in the last 60 seconds, of one thing with a limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._uses: deque[_Use] = deque()
        self._total = 0

    def wait_s(self, amount: int, now: float) -> float:
        """Return 0 if an amount may be used now, else the time until something expires."""
        while self._uses and self._uses[0].at + _SPAN_S <= now:
            old = self._uses.popleft()
            old.counted = False
            self._total -= old.amount
        if self._total == 0 or self._total + amount <= self._limit:
            return 0.0
        return self._uses[0].at + _SPAN_S - now

    def take(self, amount: int, now: float) -> _Use:
        use = _Use(now, amount)
        self._uses.append(use)
        self._total += amount
        return use

    def correct(self, use: _Use, amount: int) -> None:
        if use.counted:
            self._total += amount - use.amount
            use.amount = amount


@dataclass(slots=True)
class Ticket:
    """One request that was let through, with what it counts for until its usage is known."""

    worst_usd: Decimal | None
    is_open: bool = True
    request: _Use | None = None
    tokens: _Use | None = None


class Limits:
    """Limits that one or several models keep together.

    They hold within a process; event loops and threads may share them.  Within an event loop, who asks first
    is let through first.
    """

    def __init__(
        self,
        *,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        max_cost_usd: Money | None = None,
        price_per_mtok_in: Money | None = None,
        price_per_mtok_out: Money | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Set limits; None sets none.

        Args:
            requests_per_minute: Requests that are sent again count, too.
            tokens_per_minute: Tokens read and written together.
            max_cost_usd: What all requests together may cost.
            price_per_mtok_in: US dollars for a million tokens read.
            price_per_mtok_out: US dollars for a million tokens written.
            clock: What tells the time and waits.

        Raises:
            ConfigurationError: A number is out of range, or a limit on cost or one price lacks a price.
        """
        self._requests = _window("requests_per_minute", requests_per_minute)
        self._tokens = _window("tokens_per_minute", tokens_per_minute)
        self._max_usd = _money("max_cost_usd", max_cost_usd)
        price_in = _money("price_per_mtok_in", price_per_mtok_in)
        price_out = _money("price_per_mtok_out", price_per_mtok_out)
        self._prices = None if price_in is None or price_out is None else (price_in, price_out)
        if self._prices is None and (self._max_usd, price_in, price_out) != (None, None, None):
            raise ConfigurationError(
                "a limit on cost or a price is set, but not both prices",
                remedy="set price_per_mtok_in and price_per_mtok_out",
                code="price_missing",
            )
        self._clock = clock or SystemClock()
        self._committed = Decimal(0)
        #: Requests that were let through and are not answered: what they cost at worst may become less.
        self._open = 0
        self._sums = threading.Lock()
        self._queues: dict[asyncio.AbstractEventLoop, asyncio.Lock] = {}

    @property
    def committed_usd(self) -> Decimal:
        """What was spent, and what the requests in flight cost at worst."""
        return self._committed

    def count_spent(self, usd: Money) -> None:
        """Count what was spent before these limits were made, as by an earlier start of a run.

        Raises:
            ConfigurationError: It is no amount.
        """
        amount = _money("what was spent", usd) or Decimal(0)
        with self._sums:
            self._committed = EXACT.add(self._committed, amount)

    def check(self, max_tokens: int | None) -> None:
        """Say whether a model with this token limit can keep to the limit on cost.

        Raises:
            ConfigurationError: It cannot, since its answers have no limit.
        """
        if self._max_usd is not None and max_tokens is None:
            raise ConfigurationError(
                "max_cost_usd is set, but an answer has no limit", remedy="set max_tokens", code="max_tokens_missing"
            )

    def cost_usd(self, input_tokens: int, output_tokens: int) -> Decimal | None:
        """Return the exact cost of tokens; None without prices."""
        if self._prices is None:
            return None
        read = EXACT.multiply(self._prices[0], input_tokens)
        written = EXACT.multiply(self._prices[1], output_tokens)
        return EXACT.scaleb(EXACT.add(read, written), _MILLION)

    async def admit(self, request_bytes: int, max_tokens: int | None) -> Ticket | None:
        """Wait until a request may be sent.

        Args:
            request_bytes: Its length in UTF-8, which is more than its tokens.
            max_tokens: The most that its answer may have; None counts as 0 until the usage is known.

        Returns:
            What to give to `settle` or `release`; None if the request could pass the limit on cost.
        """
        ticket = Ticket(self.cost_usd(request_bytes, max_tokens or 0))
        if self._requests is None and self._tokens is None and self._max_usd is None:
            with self._sums:
                self._commit(ticket)
            return ticket
        amount = request_bytes + (max_tokens or 0)
        async with self._queue():
            while (wait_s := self._try(ticket, amount)) > 0:
                await self._clock.sleep(min(wait_s, _LOOK_AGAIN_S))
                # Also where the clock is one that does not really wait.
                await asyncio.sleep(0)
        return None if wait_s < 0 else ticket

    def settle(self, ticket: Ticket, input_tokens: int, output_tokens: int) -> None:
        """Replace the worst case of a request by what it really used."""
        self._correct(ticket, input_tokens + output_tokens, self.cost_usd(input_tokens, output_tokens))

    def release(self, ticket: Ticket) -> None:
        """Count a request as one that used no tokens: it did not arrive, or was refused."""
        self._correct(ticket, 0, Decimal(0))

    def answered(self, ticket: Ticket) -> None:
        """Say that a request is not under way any more, whatever came of it."""
        with self._sums:
            self._open -= ticket.is_open
            ticket.is_open = False

    def _queue(self) -> asyncio.Lock:
        loop = asyncio.get_running_loop()
        queue = self._queues.get(loop)
        if queue is None:
            with self._sums:
                self._queues = {key: value for key, value in self._queues.items() if not key.is_closed()}
                queue = self._queues[loop] = asyncio.Lock()
        return queue

    def _try(self, ticket: Ticket, amount: int) -> float:
        """Let a request through and return 0, or return how long to wait, or -1 for the limit on cost."""
        now = self._clock.monotonic()
        with self._sums:
            wait_s = max(
                self._requests.wait_s(1, now) if self._requests else 0.0,
                self._tokens.wait_s(amount, now) if self._tokens else 0.0,
            )
            if wait_s > 0:
                return wait_s
            if not self._commit(ticket):
                may_fit = self._open and self._fits_alone(ticket)
                return _LOOK_SOON_S if may_fit else -1.0
            ticket.request = self._requests.take(1, now) if self._requests else None
            ticket.tokens = self._tokens.take(amount, now) if self._tokens else None
        return 0.0

    def _fits_alone(self, ticket: Ticket) -> bool:
        return ticket.worst_usd is None or self._max_usd is None or ticket.worst_usd <= self._max_usd

    def _commit(self, ticket: Ticket) -> bool:
        if ticket.worst_usd is None:
            self._open += 1
            return True
        total = EXACT.add(self._committed, ticket.worst_usd)
        if self._max_usd is not None and total > self._max_usd:
            return False
        self._committed = total
        self._open += 1
        return True

    def _correct(self, ticket: Ticket, tokens: int, cost_usd: Decimal | None) -> None:
        with self._sums:
            if self._tokens is not None and ticket.tokens is not None:
                self._tokens.correct(ticket.tokens, tokens)
            if ticket.worst_usd is not None and cost_usd is not None:
                self._committed = EXACT.add(self._committed, EXACT.subtract(cost_usd, ticket.worst_usd))
                ticket.worst_usd = cost_usd


def _window(name: str, limit: int | None) -> _Window | None:
    if limit is None:
        return None
    if type(limit) is not int or limit < 1:
        raise _out_of_range(name, "a whole number from 1")
    return _Window(limit)


def _money(name: str, amount: Money | None) -> Decimal | None:
    if amount is None:
        return None
    try:
        # By way of text: 0.1 means a tenth here, not the double nearest to it.
        value = Decimal(str(amount))
    except ArithmeticError:
        value = Decimal("NaN")
    if type(amount) is bool or not value.is_finite() or value < 0:
        raise _out_of_range(name, "an amount in US dollars from 0")
    return value


def _out_of_range(name: str, wanted: str) -> ConfigurationError:
    return ConfigurationError(f"{name} is out of range", remedy=f"it is {wanted}", code="limit_invalid")
