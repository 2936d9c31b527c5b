"""llama.cpp in this process, through xllamacpp (the extra `local`).

An answer depends on the request and the settings alone: nothing is kept from one request to the next.  Errors hold
nothing that was asked or answered.

llama.cpp opens an HTTP server of its own on a free port of the loopback address; it takes no request without a key
that nobody knows.  Loading a model holds up every thread of the process, as the binding keeps the interpreter then.
"""

import asyncio
import os
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Final

from veracord.errors import ConfigurationError, ModelUnavailableError, VeracordError, system_remedy
from veracord.models.exchanges import Sampling
from veracord.models.llama_engine import Engine, Failure, load_binding, start_server
from veracord.ports import Finish, Request, Response, Usage
from veracord.records.reading import read_value
from veracord.records.values import JsonObject, JsonValue
from veracord.records.writing import write_json

_FINISHES: Final = {"stop": Finish.STOP, "tool_calls": Finish.STOP, "length": Finish.LENGTH}


class LlamaCppModel:
    """A model in GGUF format that answers in this process, one request at a time.

    A request that requires a tool is answered with arguments that fit its parameters, as few models of this kind
    can be made to call one.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        context_tokens: int = 4096,
        threads: int = 1,
        temperature: Decimal | float | None = None,
        max_tokens: int | None = None,
        seed: int | None = None,
    ) -> None:
        """Check what can be checked without loading the model; see `load`.

        Args:
            path: The model file.
            context_tokens: How long a request and its answer may be together; it decides how much memory is taken.
            threads: Threads that compute.
            temperature: 0 takes the likeliest token each time; None leaves it to llama.cpp.
            max_tokens: Where an answer is cut off; None: where the context ends.
            seed: Makes answers at other temperatures repeatable.

        Raises:
            ConfigurationError: The extra is not installed, the file cannot be read, or a number has no meaning.
        """
        self._sampling = Sampling(temperature, max_tokens, seed).to_dict()
        if min(context_tokens, threads) < 1:
            raise ConfigurationError(
                "context_tokens or threads is out of range", remedy="both are at least 1", code="model_invalid"
            )
        self._path = Path(path)
        binding = load_binding()
        _check_readable(self._path)
        self._context_tokens = context_tokens
        # Not methods of this object: the thread of the engine must not keep it alive.
        file = str(self._path)
        self._engine = Engine[Response](lambda: start_server(binding, file, context_tokens, threads), read_answer)
        # Runs when the object is collected, and at the latest when the process ends.
        weakref.finalize(self, self._engine.stop)

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """The name of the file, the length of the context and how tokens are chosen."""
        return {
            "adapter": "llama_cpp",
            "name": self._path.name,
            "context_tokens": self._context_tokens,
            **self._sampling,
        }

    async def load(self) -> None:
        """Load the model now, instead of with the first request.

        Raises:
            ConfigurationError: llama.cpp cannot use the file.
            ModelUnavailableError: The model was closed.
        """
        outcome = await asyncio.wrap_future(self._engine.submit(None))
        if isinstance(outcome, Failure):
            raise _error(outcome, self._path)

    async def complete(self, request: Request) -> Response:
        """Answer a request; see the port.

        Cancelling it ends the computation within one step.

        Raises:
            ConfigurationError: llama.cpp cannot use the file, or the required tool is not among the tools.
            ModelUnavailableError: The model was closed, the request is longer than the context, or llama.cpp does
                not take its schema.
        """
        required_tool = request.required_tool
        body = _write(request, self._sampling)
        # Nothing that was said may stay in this frame: a traceback would show it.
        del request
        if isinstance(body, VeracordError):
            raise body
        waiting = asyncio.wrap_future(self._engine.submit(body))
        del body
        outcome = await waiting
        del waiting
        if not isinstance(outcome, Response):
            raise _error(outcome or Failure.BROKEN, self._path)
        return outcome if outcome.tool_name or not required_tool else replace(outcome, tool_name=required_tool)

    async def aclose(self) -> None:
        """Stop, also in the middle of an answer, and free the model; whoever waits gets an error."""
        await asyncio.wrap_future(self._engine.close())


@dataclass(slots=True)
class _Parts:
    """An answer while its pieces are put together."""

    text: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    tool_name: str | None = None
    has_several_calls: bool = False
    finish: str = ""
    usage: Usage = field(default_factory=lambda: Usage(requests=1, unmetered=1))

    def take(self, piece: JsonObject) -> None:
        usage = _object(piece.get("usage"))
        if usage:
            self.usage = Usage(1, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))
        for choice in map(_object, _list(piece.get("choices"))):
            self.finish = _text(choice.get("finish_reason")) or self.finish
            delta = _object(choice.get("delta"))
            self.text.append(_text(delta.get("content")))
            for call in map(_object, _list(delta.get("tool_calls"))):
                function = _object(call.get("function"))
                self.tool_name = _text(function.get("name")) or self.tool_name
                self.arguments.append(_text(function.get("arguments")))
                self.has_several_calls |= bool(call.get("index"))

    def response(self) -> Response | Failure:
        finish = _FINISHES.get(self.finish)
        if finish is None:
            return Failure.BROKEN
        if self.has_several_calls:
            # None of them is the one call that a request asks for.
            return Response("", finish, usage=self.usage)
        return Response("".join(self.arguments or self.text), finish, self.tool_name, self.usage)


def read_answer(pieces: Sequence[bytes]) -> Response | Failure:
    """Put a streamed chat completion together.

    Raises:
        InputError: A piece is no strict JSON.
    """
    parts = _Parts()
    for piece in pieces:
        value = _object(read_value(piece))
        error = _object(value.get("error"))
        if error:
            return _failure(error)
        parts.take(value)
    return parts.response()


def _failure(error: JsonObject) -> Failure:
    if error.get("type") == "exceed_context_size_error":
        return Failure.TOO_LONG
    return Failure.NOT_TAKEN if error.get("type") == "invalid_request_error" else Failure.BROKEN


def _write(request: Request, sampling: Mapping[str, JsonValue]) -> bytes | VeracordError:
    """Return the body of a chat completion request, or the error to raise where nothing of the request is in sight."""
    body: JsonObject = {
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
        # What was asked before must not change the rounding of an answer.
        "cache_prompt": False,
        **sampling,
    }
    schema = request.output_schema
    if request.required_tool is not None:
        schema = next((tool.parameters for tool in request.tools if tool.name == request.required_tool), None)
        if schema is None:
            return ConfigurationError("the required tool is not among the tools", code="unknown_tool")
    elif request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
            }
            for tool in request.tools
        ]
    if schema is not None:
        wanted: JsonObject = {"name": request.output_name, "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": wanted}
    try:
        return write_json(body)
    except (UnicodeError, ValueError, TypeError, RecursionError):
        return ModelUnavailableError(
            "the request cannot be written as JSON",
            code="model_request_invalid",
            details={"requests": 0, "retryable": False},
        )


def _check_readable(path: Path) -> None:
    try:
        with path.open("rb"):
            return
    except OSError as error:
        remedy = system_remedy(error)
    raise ConfigurationError("the model file cannot be read", where=str(path), remedy=remedy, code="unreadable_file")


#: Of each failure of the model: the code, the remedy, the requests that the engine began, whether it can succeed later.
_TOLD: Final = {
    Failure.CLOSED: ("model_closed", "", 0, False),
    Failure.STOPPED: ("model_closed", "", 1, False),
    Failure.TOO_LONG: ("context_exceeded", "raise context_tokens, or ask for less", 1, False),
    Failure.NOT_TAKEN: ("request_not_taken", "llama.cpp must be able to make a grammar of the schema", 1, False),
    Failure.BROKEN: ("model_unavailable", "", 1, True),
}


def _error(failure: Failure, path: Path) -> VeracordError:
    if failure is Failure.UNUSABLE:
        return ConfigurationError(
            "llama.cpp cannot use the model file",
            where=str(path),
            remedy="name a whole file in GGUF format",
            code="unusable_model",
        )
    code, remedy, requests, can_succeed = _TOLD[failure]
    details = {"requests": requests, "retryable": can_succeed}
    return ModelUnavailableError(f"no answer: {failure.value}", remedy=remedy, code=code, details=details)


def _object(value: JsonValue) -> JsonObject:
    return value if type(value) is dict else {}


def _list(value: JsonValue) -> list[JsonValue]:
    return value if type(value) is list else []


def _text(value: JsonValue) -> str:
    return value if type(value) is str else ""


def _count(usage: JsonObject, name: str) -> int | None:
    number = usage.get(name)
    return number if type(number) is int else None
