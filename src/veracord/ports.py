"""What the core asks of the outside: a model, and a clock.

A request and a response are values that no adapter changes.  Their texts are left out of every ``repr``.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from typing import Literal, Protocol, TypeVar

from veracord.records.values import JsonObject, JsonValue

Role = Literal["system", "user", "assistant"]
_Number = TypeVar("_Number", int, Decimal)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation, as plain text.

    Attributes:
        role: Who speaks.
        content: What is said.
    """

    role: Role
    content: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call.

    Attributes:
        name: Letters, digits, ``_`` and ``-``, at most 64.
        description: What it is for.
        parameters: A JSON Schema of its arguments, an object.
    """

    name: str
    description: str
    parameters: JsonObject = field(repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked.

    Attributes:
        messages: The conversation, oldest first.
        output_schema: The JSON Schema that the answer must have, for servers that can hold a model to it.
        output_name: A name for that schema: letters, digits, ``_`` and ``-``, at most 64.
        tools: What the model may call.
        required_tool: The name of the tool that it must call; None leaves the choice to it.
    """

    messages: tuple[Message, ...]
    output_schema: JsonObject | None = field(default=None, repr=False)
    output_name: str = "answer"
    tools: tuple[Tool, ...] = ()
    required_tool: str | None = None


class Finish(Enum):
    """Why a model stopped."""

    STOP = "stop"
    LENGTH = "length"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class Usage:
    """What answers cost, added up with ``+``.

    A number that nobody told is None, never 0; `unmetered` says how many requests are not in the sums.

    Attributes:
        requests: Requests that were sent, those that were sent again included.
        input_tokens: Tokens read, of the requests that told.
        output_tokens: Tokens written, of the requests that told.
        cost_usd: Cost in US dollars, of the requests whose tokens and price are known.
        unmetered: Requests whose tokens nobody told: lost, cancelled, or a server that does not count.
    """

    requests: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Decimal | None = None
    unmetered: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Return both together; an unknown number leaves the other one as it is."""
        return Usage(
            self.requests + other.requests,
            _sum(self.input_tokens, other.input_tokens),
            _sum(self.output_tokens, other.output_tokens),
            _sum(self.cost_usd, other.cost_usd),
            self.unmetered + other.unmetered,
        )

    def to_dict(self) -> JsonObject:
        """Return the numbers by name; what is unknown is null."""
        return {
            "requests": self.requests,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": self.cost_usd,
            "unmetered": self.unmetered,
        }


@dataclass(frozen=True, slots=True)
class Response:
    """What a model answered.

    Attributes:
        text: Its text; of a tool call, the text of its arguments.  "" where there is none, as in many refusals.
        finish: Why it stopped.
        tool_name: The tool that it called, or None.
        usage: What the exchange cost, requests that had to be sent again included.
    """

    text: str = field(repr=False)
    finish: Finish = Finish.STOP
    tool_name: str | None = field(default=None, repr=False)
    usage: Usage = Usage(requests=1, unmetered=1)


def cancelled_after(requests: int, cancellation: asyncio.CancelledError) -> asyncio.CancelledError:
    """Return a fresh cancellation that tells how many requests had been sent by then.

    A plain one with an attribute: no subclass would be taken for a cancellation by `asyncio.timeout`.
    """
    fresh = asyncio.CancelledError(*cancellation.args)
    fresh.requests = requests  # type: ignore[attr-defined]  # that is the point
    return fresh


def requests_before(cancellation: asyncio.CancelledError) -> int:
    """Return how many requests had been sent when a model was cancelled; 1 where it does not tell."""
    requests = getattr(cancellation, "requests", 1)
    return requests if isinstance(requests, int) else 1


class Model(Protocol):
    """A language model."""

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """Everything beside a request that decides an answer: adapter, name, sampling.

        Never a key, an address or a time limit.  What is not set is absent, not null.
        """

    async def complete(self, request: Request) -> Response:
        """Answer a request.

        A refusal and an answer cut off at the token limit are responses, told by their `finish`.

        Raises:
            ModelUnavailableError: No answer came, also after the adapter's own retries.  Its `details` hold
                `requests`, the number of requests sent.
            ModelCeilingError: The request was not sent, because of a limit on cost.
            CancelledError: Who asked was cancelled.  An adapter that may have sent more than one request tells
                their number with `cancelled_after`.
        """

    async def aclose(self) -> None:
        """Give back connections and processes; calling it twice does no harm."""


class Clock(Protocol):
    """Time, for those who measure it or wait."""

    def now(self) -> datetime:
        """Return the time of day, with its zone."""

    def monotonic(self) -> float:
        """Return seconds since some moment; never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the time of day, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds since some moment; never goes back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait without holding up others."""
        await asyncio.sleep(seconds)


def _sum(a: _Number | None, b: _Number | None) -> _Number | None:
    if a is None:
        return b
    return a if b is None else a + b
