"""Anthropic's messages.

Source: the API reference of Anthropic, ``POST /v1/messages``, and its guides "Structured outputs" and "Handling
stop reasons".
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal

from veracord.errors import ConfigurationError
from veracord.models.connections import Endpoint, endpoint_url
from veracord.models.exchanges import Exchanges, Reply, Sampling, Wire, token_count
from veracord.models.keys import ApiKey
from veracord.models.limits import Limits
from veracord.models.transport import JsonTransport, TransportOptions
from veracord.ports import Finish, Request, Response
from veracord.records.values import JsonObject, JsonValue
from veracord.records.writing import write_json

DEFAULT_BASE_URL: Final = "https://api.anthropic.com"
DEFAULT_MAX_TOKENS: Final = 1024
API_VERSION: Final = "2023-06-01"

AnthropicStructure = Literal["auto", "json_schema", "none"]
_STRUCTURES: Final = ("auto", "json_schema", "none")
_FINISHES: Final = {
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.REFUSAL,
}
#: What the API takes in a schema; it refuses a request with anything else.
_NOTES: Final = frozenset({"title", "description", "default", "type", "required", "enum", "const"})
_PLACES: Final = frozenset({"properties", "$defs", "definitions"})
_LISTS: Final = frozenset({"anyOf", "allOf"})
_VALUES: Final[dict[str, tuple[JsonValue, ...]]] = {
    "additionalProperties": (False,),
    "minItems": (0, 1),
    "format": ("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"),
}


class AnthropicModel:
    """A model behind a server that speaks Anthropic's messages."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str = DEFAULT_BASE_URL,
        api_key: str | ApiKey | None = None,
        sampling: Sampling | None = None,
        structured: AnthropicStructure = "auto",
        transport: TransportOptions | None = None,
    ) -> None:
        """Prepare a model; nothing is opened yet.

        Args:
            name: What the server calls the model.
            base_url: What stands before ``/v1/messages``.
            api_key: Sent as ``x-api-key``; None sends no such header.
            sampling: How words are chosen.  An answer always has a token limit here, 1,024 if none is set;
                there is no seed.
            structured: How the model is held to an output schema: ``json_schema`` always gives it the schema,
                ``auto`` only one that the API takes, ``none`` none.
            transport: Tries, time limits, and limits on requests, tokens and cost.

        Raises:
            ConfigurationError: A setting cannot be used.
        """
        key = ApiKey(api_key) if isinstance(api_key, str) else api_key
        del api_key
        sampling = sampling or Sampling()
        _check(structured, sampling)
        url, where = endpoint_url(base_url, "/v1/messages")
        endpoint = Endpoint(
            url, where, {"anthropic-version": API_VERSION}, None if key is None else ("x-api-key", "", key)
        )
        max_tokens = sampling.max_tokens or DEFAULT_MAX_TOKENS
        self._sampling = replace(sampling, max_tokens=max_tokens).to_dict()
        self._name = name
        self._structured = structured
        self._judged: tuple[JsonObject | None, bool] = (None, False)
        self._exchanges = Exchanges(
            Wire(self._encode, _decode, exact=True),
            JsonTransport(endpoint, transport or TransportOptions()),
            max_tokens,
        )

    @property
    def limits(self) -> Limits | None:
        """Limits on requests, tokens and cost, where there are any."""
        return self._exchanges.limits

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """What decides an answer beside the request: adapter, name, sampling, and how it is held to a schema."""
        return {"adapter": "anthropic", "name": self._name, "structured": self._structured, **self._sampling}

    async def complete(self, request: Request) -> Response:
        """Answer a request.

        System messages are joined, with an empty line between.  An empty turn of the assistant, which the server
        would refuse, is left out.  An answer with several tool calls is a response without text and tool name: an
        answer without the form that was asked for, not a failure of the exchange.

        Raises:
            ModelUnavailableError: No answer came that can be read, also after retries.
            ModelCeilingError: The request was not sent, because of a limit on cost.
        """
        outcome = await self._exchanges.ask(request)
        # The frame that raises holds nothing of the exchange, nor the key.
        del self, request
        if isinstance(outcome, (Exception, asyncio.CancelledError)):
            raise outcome
        return outcome

    async def aclose(self) -> None:
        """Close the connections of the running event loop; a later request opens new ones."""
        await self._exchanges.aclose()

    def _encode(self, request: Request) -> JsonObject:
        body: JsonObject = {"model": self._name, **self._sampling}
        body["messages"] = [
            {"role": message.role, "content": message.content}
            for message in request.messages
            if message.role == "user" or (message.role == "assistant" and message.content.strip())
        ]
        system = [message.content for message in request.messages if message.role == "system"]
        if system:
            body["system"] = "\n\n".join(system)
        schema = request.output_schema
        if schema is not None and self._gives(schema):
            plain = {name: value for name, value in schema.items() if name != "$schema"}
            body["output_config"] = {"format": {"type": "json_schema", "schema": plain}}
        if request.tools:
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
                for tool in request.tools
            ]
        if request.required_tool is not None:
            body["tool_choice"] = {"type": "tool", "name": request.required_tool, "disable_parallel_tool_use": True}
        return body

    def _gives(self, schema: JsonObject) -> bool:
        if self._structured != "auto":
            return self._structured == "json_schema"
        # A run asks with one schema again and again.
        judged, fits = self._judged
        if judged is not schema:
            fits = _is_taken({name: value for name, value in schema.items() if name != "$schema"})
            self._judged = (schema, fits)
        return fits


def _check(structured: str, sampling: Sampling) -> None:
    if structured not in _STRUCTURES or sampling.seed is not None:
        raise ConfigurationError(
            "structured has an unknown value, or a seed is set, which this server does not have",
            remedy=f"structured is one of {', '.join(_STRUCTURES)}; leave seed out",
            code="dialect_invalid",
        )


def _is_taken(schema: JsonValue) -> bool:
    """Whether the API takes a schema: objects closed, and only the keywords that it knows.

    A schema that refers to itself, which it refuses too, is not looked for.
    """
    if type(schema) is not dict:
        return False
    kinds = schema.get("type")
    has_objects = "properties" in schema or kinds == "object" or (type(kinds) is list and "object" in kinds)
    if has_objects and schema.get("additionalProperties") is not False:
        return False
    return all(_is_taken_keyword(name, value) for name, value in schema.items())


def _is_taken_keyword(name: str, value: JsonValue) -> bool:
    if name in _PLACES:
        return type(value) is dict and all(map(_is_taken, value.values()))
    if name in _LISTS:
        return type(value) is list and all(map(_is_taken, value))
    if name == "items":
        return _is_taken(value)
    if name == "$ref":
        return type(value) is str and value.startswith("#/")
    return name in _NOTES or value in _VALUES.get(name, ())


def _decode(envelope: JsonObject) -> Reply | None:
    blocks = envelope.get("content")
    if type(blocks) is not list or envelope.get("type", "message") != "message":
        return None
    texts: list[str] = []
    calls: list[JsonObject] = []
    for block in blocks:
        if type(block) is not dict:
            return None
        text = block.get("text")
        if block.get("type") == "text" and type(text) is str:
            texts.append(text)
        elif block.get("type") == "tool_use":
            calls.append(block)
    reason = envelope.get("stop_reason")
    finish = _FINISHES.get(reason, Finish.STOP) if type(reason) is str else Finish.STOP
    tokens = _tokens(envelope.get("usage"))
    if not calls:
        return Reply("".join(texts), finish, tokens=tokens)
    name, arguments = calls[0].get("name"), calls[0].get("input")
    if len(calls) > 1 or type(name) is not str or type(arguments) is not dict:
        return Reply("", finish, tokens=tokens)
    return Reply(write_json(arguments).decode(), finish, name, tokens)


def _tokens(usage: JsonValue) -> tuple[int, int] | None:
    if type(usage) is not dict:
        return None
    read, written = token_count(usage.get("input_tokens")), token_count(usage.get("output_tokens"))
    if read is None or written is None:
        return None
    # What was read from or written to a cache is not in the first number.
    for name in ("cache_creation_input_tokens", "cache_read_input_tokens"):
        read += token_count(usage.get(name)) or 0
    return read, written
