"""JSON over HTTP, sent again where that can help.

Sent again: 408, 429, every 5xx, a connection that is refused or lost, a try that takes too long, half a body.
Waits grow exponentially with full jitter; a server's ``Retry-After`` takes their place.  This has nothing to do
with the budgets of a pipeline.

Source: RFC 9110 (section 10.2.3, Retry-After).
"""

import random
from dataclasses import dataclass, field
from typing import Final

from veracord.errors import ConfigurationError
from veracord.models.connections import Connections, Endpoint
from veracord.models.failures import Failure
from veracord.models.limits import Limits, Ticket
from veracord.ports import Clock, SystemClock

_BACKOFF_S: Final = 0.5
_LONGEST_BACKOFF_S: Final = 30.0
_MOST_DOUBLINGS: Final = 16


@dataclass(frozen=True, slots=True)
class TransportOptions:
    """How requests are sent.

    Attributes:
        timeout_s: How long one try may take.
        total_time_s: How long all tries of a request and the waits between them may take; waits for `limits`
            are not counted.
        retries: How often a request is sent again.
        max_response_bytes: The largest answer that is read.
        limits: Limits on requests, tokens and cost; several models may share them.
        clock: What tells the time and waits.
        jitter: What spreads the waits.
    """

    timeout_s: float = 120.0
    total_time_s: float = 600.0
    retries: int = 4
    max_response_bytes: int = 64 * 1024 * 1024
    limits: Limits | None = None
    clock: Clock = field(default_factory=SystemClock, repr=False)
    jitter: random.Random = field(default_factory=random.Random, repr=False)

    def __post_init__(self) -> None:
        """Refuse numbers without a meaning.

        Raises:
            ConfigurationError: A time or size is not above 0, or the number of retries is below 0.
        """
        if not (self.timeout_s > 0 and self.total_time_s > 0 and self.max_response_bytes > 0 and self.retries >= 0):
            raise ConfigurationError(
                "a setting of the transport is out of range",
                remedy="timeout_s, total_time_s and max_response_bytes are above 0, retries is at least 0",
                code="transport_invalid",
            )


@dataclass(slots=True)
class Delivery:
    """What became of a request.

    Attributes:
        requests: How often it was sent.
        result: The body of the answer, or the last failure.
        ticket: What its last try counts for in the limits.
    """

    requests: int
    result: bytes | Failure
    ticket: Ticket | None = None


class JsonTransport:
    """The way to one endpoint."""

    def __init__(self, endpoint: Endpoint, options: TransportOptions) -> None:
        """Prepare the way; nothing is opened yet."""
        self.where = endpoint.where
        self.limits = options.limits
        self._options = options
        self._clock = options.clock
        self._connections = Connections(
            endpoint, timeout_s=options.timeout_s, max_bytes=options.max_response_bytes, clock=options.clock
        )

    async def post(self, body: bytes, max_tokens: int | None, delivery: Delivery) -> None:
        """Send a body until it is answered, or until that is given up.

        Args:
            body: JSON text.
            max_tokens: The most that the answer may have, for the limits.
            delivery: Is told what becomes of the request, as it happens: so it holds also when this is cancelled.
        """
        options, clock = self._options, self._clock
        closings = self._connections.closings
        deadline = clock.monotonic() + options.total_time_s
        while True:
            ticket = None
            if options.limits is not None:
                asked = clock.monotonic()
                ticket = await options.limits.admit(len(body), max_tokens)
                deadline += clock.monotonic() - asked
                if ticket is None:
                    delivery.result = Failure("cost_ceiling")
                    return
            delivery.requests += 1
            delivery.ticket = ticket
            try:
                result = await self._connections.send(body, min(options.timeout_s, deadline - clock.monotonic()))
            finally:
                if options.limits is not None and ticket is not None:
                    options.limits.answered(ticket)
            delivery.result = result
            if isinstance(result, bytes):
                return
            if options.limits is not None and ticket is not None and result.unbilled:
                options.limits.release(ticket)
            if self._connections.closings != closings:
                delivery.result = Failure("model_closed")
                return
            wait_s = self._wait_s(result, delivery.requests, deadline - clock.monotonic())
            if isinstance(wait_s, Failure):
                delivery.result = wait_s
                return
            await clock.sleep(wait_s)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._connections.aclose()

    def _wait_s(self, failure: Failure, sent: int, left_s: float) -> float | Failure:
        """Return how long to wait before the next try, or the failure to end with."""
        if not failure.passing or sent > self._options.retries:
            return failure
        asked_s = failure.retry_after_s
        if asked_s is not None:
            if asked_s < left_s:
                return asked_s
            return Failure("model_rate_limited", failure.status, retry_after_s=asked_s)
        longest_s = min(_LONGEST_BACKOFF_S, _BACKOFF_S * 2 ** min(sent - 1, _MOST_DOUBLINGS))
        wait_s = self._options.jitter.uniform(0.0, longest_s)
        return wait_s if wait_s < left_s else failure
