"""OpenAI's chat completions, which many hosted and local servers speak.

Source: the API reference of OpenAI, ``POST /chat/completions``.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from veracord.errors import ConfigurationError
from veracord.models.connections import Endpoint, endpoint_url
from veracord.models.exchanges import Exchanges, Reply, Sampling, Wire, token_count
from veracord.models.keys import ApiKey
from veracord.models.limits import Limits
from veracord.models.transport import JsonTransport, TransportOptions
from veracord.ports import Finish, Request, Response
from veracord.records.values import JsonObject, JsonValue

ChatStructure = Literal["json_schema", "json_schema_strict", "json_object", "none"]
_STRUCTURES: Final = ("json_schema", "json_schema_strict", "json_object", "none")
_OUTPUT_LIMITS: Final = ("max_tokens", "max_completion_tokens")
#: What servers say when a model stopped, in lower case; a reason that is not among them is no answer to rely on.
_FINISHES: Final = {
    **dict.fromkeys(("stop", "tool_calls", "function_call", "stop_sequence", "eos_token", "end_turn"), Finish.STOP),
    **dict.fromkeys(("length", "max_tokens", "model_length"), Finish.LENGTH),
    **dict.fromkeys(("content_filter", "safety", "refusal"), Finish.REFUSAL),
}


@dataclass(frozen=True, slots=True)
class ChatDialect:
    """What a server of this kind understands.

    Attributes:
        structured: How it is held to an output schema: ``json_schema`` gives it the schema;
            ``json_schema_strict`` also asks for strictness, for which OpenAI refuses a schema that does not close
            every object and require every member; ``json_object`` asks for any JSON; ``none`` asks for nothing.
        output_limit: The name of the token limit.  OpenAI's newer models refuse ``max_tokens``.
    """

    structured: ChatStructure = "json_schema"
    output_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def __post_init__(self) -> None:
        """Refuse other words.

        Raises:
            ConfigurationError: A field has a value that is not listed.
        """
        if self.structured not in _STRUCTURES or self.output_limit not in _OUTPUT_LIMITS:
            raise ConfigurationError(
                "structured or output_limit has an unknown value",
                remedy=f"structured is one of {', '.join(_STRUCTURES)}; output_limit of {', '.join(_OUTPUT_LIMITS)}",
                code="dialect_invalid",
            )


class ChatCompletionsModel:
    """A model behind a server that speaks chat completions."""

    def __init__(
        self,
        base_url: str,
        name: str,
        *,
        api_key: str | ApiKey | None = None,
        sampling: Sampling | None = None,
        dialect: ChatDialect | None = None,
        transport: TransportOptions | None = None,
    ) -> None:
        """Prepare a model; nothing is opened yet.

        Args:
            base_url: What stands before ``/chat/completions``, as in ``http://127.0.0.1:8080/v1``.
            name: What the server calls the model.
            api_key: Sent as ``Authorization: Bearer``; None sends no such header.
            sampling: How words are chosen; by default as the server does.
            dialect: What the server understands.
            transport: Tries, time limits, and limits on requests, tokens and cost.

        Raises:
            ConfigurationError: A setting cannot be used.
        """
        key = ApiKey(api_key) if isinstance(api_key, str) else api_key
        del api_key
        url, where = endpoint_url(base_url, "/chat/completions")
        self._dialect = dialect or ChatDialect()
        self._sampling = (sampling or Sampling()).to_dict()
        self._name = name
        endpoint = Endpoint(url, where, {}, None if key is None else ("Authorization", "Bearer ", key))
        self._parameters: JsonObject = {"model": name, **self._sampling}
        if "max_tokens" in self._parameters:
            self._parameters[self._dialect.output_limit] = self._parameters.pop("max_tokens")
        self._exchanges = Exchanges(
            Wire(self._encode, _decode),
            JsonTransport(endpoint, transport or TransportOptions()),
            sampling.max_tokens if sampling else None,
        )

    @property
    def limits(self) -> Limits | None:
        """Limits on requests, tokens and cost, where there are any."""
        return self._exchanges.limits

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """What decides an answer beside the request: adapter, name, sampling, and how it is held to a schema."""
        return {
            "adapter": "chat_completions",
            "name": self._name,
            "structured": self._dialect.structured,
            **self._sampling,
        }

    async def complete(self, request: Request) -> Response:
        """Answer a request.

        An answer with several tool calls, or one that cannot be read, is a response without text and tool name:
        an answer without the form that was asked for, not a failure of the exchange.

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
        body = dict(self._parameters)
        body["messages"] = [{"role": message.role, "content": message.content} for message in request.messages]
        if request.output_schema is not None and self._dialect.structured != "none":
            body["response_format"] = self._response_format(request.output_name, request.output_schema)
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
                }
                for tool in request.tools
            ]
        if request.required_tool is not None:
            body["tool_choice"] = {"type": "function", "function": {"name": request.required_tool}}
        return body

    def _response_format(self, name: str, schema: JsonObject) -> JsonObject:
        if self._dialect.structured == "json_object":
            return {"type": "json_object"}
        form: JsonObject = {"name": name, "schema": schema}
        if self._dialect.structured == "json_schema_strict":
            form["strict"] = True
        return {"type": "json_schema", "json_schema": form}


def _decode(envelope: JsonObject) -> Reply | None:
    choices = envelope.get("choices")
    choice = choices[0] if type(choices) is list and choices else None
    message = choice.get("message") if type(choice) is dict else None
    if type(choice) is not dict or type(message) is not dict:
        return None
    text = _text(message.get("content"))
    finish = _finish(choice.get("finish_reason"))
    if text is None or finish is None:
        return None
    if message.get("refusal"):
        finish = Finish.REFUSAL
    tokens = _tokens(envelope.get("usage"))
    calls = message.get("tool_calls")
    if type(calls) is not list or not calls:
        return Reply(text, finish, tokens=tokens)
    tool_name, arguments = _tool_call(calls[0]) if len(calls) == 1 else (None, "")
    return Reply(arguments, finish, tool_name, tokens)


def _finish(reason: JsonValue) -> Finish | None:
    """Return why a model stopped; None for what is no such reason, as gateways tell a provider's failure."""
    if reason is None:
        return Finish.STOP
    return _FINISHES.get(reason.lower()) if type(reason) is str else None


def _text(content: JsonValue) -> str | None:
    """Return the text of a message; some servers send it in parts, with parts of other kinds between."""
    if content is None or type(content) is str:
        return content or ""
    if type(content) is not list:
        return None
    texts = [part.get("text") for part in content if type(part) is dict and part.get("type") == "text"]
    return "".join(text for text in texts if type(text) is str)


def _tool_call(call: JsonValue) -> tuple[str | None, str]:
    function = call.get("function") if type(call) is dict else None
    if type(function) is not dict:
        return None, ""
    name, arguments = function.get("name"), function.get("arguments")
    return (name, arguments) if type(name) is str and type(arguments) is str else (None, "")


def _tokens(usage: JsonValue) -> tuple[int, int] | None:
    if type(usage) is not dict:
        return None
    read, written = token_count(usage.get("prompt_tokens")), token_count(usage.get("completion_tokens"))
    return None if read is None or written is None else (read, written)
