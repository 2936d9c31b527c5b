"""From a request to a response over one of the wires, with nothing left behind where it fails.

Everything that can go wrong comes back as a value, for the adapter to raise from a frame that holds nothing of
the exchange.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

import jiter

from veracord.errors import ConfigurationError, ModelError
from veracord.models.failures import Failure, failure_error
from veracord.models.limits import Limits
from veracord.models.transport import Delivery, JsonTransport
from veracord.ports import Finish, Request, Response, Usage, cancelled_after
from veracord.records.values import JsonObject, JsonValue
from veracord.records.writing import write_json

_BAD_BODY: Final = Failure("model_bad_body", 200)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model chooses its words; what is None is left to the server.

    Attributes:
        temperature: 0 for the likeliest words.
        max_tokens: The most tokens that an answer may have.
        seed: For answers that can be repeated, where the server can do that.
    """

    temperature: float | Decimal | None = None
    max_tokens: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers without a meaning.

        Raises:
            ConfigurationError: The temperature is below 0 or no number, or the token limit is below 1.
        """
        temperature_fits = self.temperature is None or 0 <= self.temperature < float("inf")
        if not temperature_fits or (self.max_tokens is not None and self.max_tokens < 1):
            raise ConfigurationError(
                "temperature or max_tokens is out of range",
                remedy="temperature is at least 0, max_tokens at least 1",
                code="sampling_invalid",
            )

    def to_dict(self) -> JsonObject:
        """Return what is set, by name, with exact numbers."""
        settings: JsonObject = {}
        if self.temperature is not None:
            # By way of text: 0.7 means seven tenths, not the double nearest to it.
            exact = type(self.temperature) is not float
            settings["temperature"] = self.temperature if exact else Decimal(str(self.temperature))  # type: ignore[assignment]  # a float is turned into a Decimal
        if self.max_tokens is not None:
            settings["max_tokens"] = self.max_tokens
        if self.seed is not None:
            settings["seed"] = self.seed
        return settings


@dataclass(frozen=True, slots=True)
class Reply:
    """What a wire says in an answer's envelope.

    Attributes:
        text: As in `Response`.
        finish: As in `Response`.
        tool_name: As in `Response`.
        tokens: Tokens read and written, if the server told both.
    """

    text: str = field(repr=False)
    finish: Finish
    tool_name: str | None = field(default=None, repr=False)
    tokens: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Wire:
    """How a kind of server speaks.

    Attributes:
        encode: Makes the body of a request.
        decode: Reads the body of an answer; None if it does not have the form.
        exact: Whether numbers in the envelope are read as they are written, and only finite ones.
    """

    encode: Callable[[Request], JsonObject]
    decode: Callable[[JsonObject], Reply | None]
    exact: bool = False


class Exchanges:
    """The exchanges of one model with its server."""

    def __init__(self, wire: Wire, transport: JsonTransport, max_tokens: int | None) -> None:
        """Join a wire and a way.

        Raises:
            ConfigurationError: The transport has a limit on cost, and answers have no limit.
        """
        if transport.limits is not None:
            transport.limits.check(max_tokens)
        self._wire = wire
        self._transport = transport
        self._max_tokens = max_tokens

    @property
    def limits(self) -> Limits | None:
        """Limits on requests, tokens and cost."""
        return self._transport.limits

    async def ask(self, request: Request) -> Response | ModelError | asyncio.CancelledError:
        """Exchange a request for a response.

        Returns:
            The response, or what the caller must raise after it has let go of the request.
        """
        delivery = Delivery(0, Failure("model_request_invalid"))
        try:
            body = self._body(request)
            if body is not None:
                await self._transport.post(body, self._max_tokens, delivery)
                response = self._response(delivery)
                if response is not None:
                    return response
        except asyncio.CancelledError as stop:
            # A new one: the old one's frames hold the request.
            return cancelled_after(delivery.requests, stop)
        except Exception as error:  # noqa: BLE001 - whatever it is, its text and frames must not get out
            delivery.result = Failure("model_exchange_broken", cause=type(error).__name__)
        failure = delivery.result if isinstance(delivery.result, Failure) else _BAD_BODY
        return failure_error(failure, where=self._transport.where, requests=delivery.requests)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._transport.aclose()

    def _body(self, request: Request) -> bytes | None:
        try:
            return write_json(self._wire.encode(request))
        except (TypeError, ValueError, RecursionError):
            return None

    def _response(self, delivery: Delivery) -> Response | None:
        if isinstance(delivery.result, Failure):
            return None
        reply = self._read(delivery.result)
        if reply is None:
            return None
        sent, tokens, limits = delivery.requests, reply.tokens, self._transport.limits
        if tokens is None:
            return Response(reply.text, reply.finish, reply.tool_name, Usage(sent, unmetered=sent))
        cost_usd = None
        if limits is not None:
            cost_usd = limits.cost_usd(*tokens)
            if delivery.ticket is not None:
                limits.settle(delivery.ticket, *tokens)
        usage = Usage(sent, tokens[0], tokens[1], cost_usd, unmetered=sent - 1)
        return Response(reply.text, reply.finish, reply.tool_name, usage)

    def _read(self, body: bytes) -> Reply | None:
        exact = self._wire.exact
        try:
            # Without a cache: what a model said must not stay in this process.
            envelope = jiter.from_json(
                body, allow_inf_nan=not exact, cache_mode="none", float_mode="decimal" if exact else "float"
            )
        except ValueError:
            envelope = _with_halves(body)
        return self._wire.decode(envelope) if type(envelope) is dict else None


def _with_halves(body: bytes) -> JsonValue:
    """Read an envelope whose texts hold halves of characters, as some servers send them; None if that is not it.

    The answer itself is refused when it is read strictly: it has not the form that was asked for.
    """
    if b"\\ud" not in body.lower():
        return None
    try:
        return json.loads(body)  # type: ignore[no-any-return]  # noqa: TID251 - the strict reader refuses such texts
    except (ValueError, RecursionError):
        return None


def token_count(value: JsonValue | None) -> int | None:
    """Return a number of tokens, or None where there is none that makes sense."""
    return value if type(value) is int and value >= 0 else None
