"""Structured output: a model is asked for one value of a schema, and its answer is read strictly.

One code fence around the whole answer is accepted; nothing else is stripped, nothing is completed or converted.  An
answer that does not fit is asked for again, within a budget of its own: the ordinary request, the latest answer and one
message with everything that is wrong with it.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, Literal, TypeVar, cast

from veracord.errors import (
    ConfigurationError,
    InputError,
    ModelCeilingError,
    ModelError,
    ModelOutputError,
    ModelRefusedError,
    ModelTruncatedError,
)
from veracord.pipeline.checks import defects_of
from veracord.pipeline.meters import Meter
from veracord.pipeline.transcripts import Transcript
from veracord.pipeline.verdicts import Defect, Verdict
from veracord.ports import Finish, Message, Model, Request, Response, Tool, Usage, cancelled_after, requests_before
from veracord.promptkit.wording import repair_text
from veracord.records.reading import read_value
from veracord.records.schemas import Schema, SchemaFile
from veracord.records.values import JsonObject, JsonValue, canonical
from veracord.records.violations import first_findings
from veracord.records.writing import write_json

T = TypeVar("T")
M = TypeVar("M")

#: How the form is asked for: as an output schema of the request, as a tool that must be called, or in the prompt alone.
Via = Literal["schema", "tool", "prompt"]

_FENCE: Final = "```"
_BLANK: Final = " \t\r\n"
_HALF: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A value of the form that was asked for.

    Attributes:
        value: The value.
        response: The text that it was read from; of a tool call, its arguments in the canonical form.
    """

    value: T = field(repr=False)
    response: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What an attempt wants to know of its exchanges with a model.

    Attributes:
        meter: Counts what they cost.
        transcript: Where their texts are written down, or None.
    """

    meter: Meter = field(default_factory=Meter)
    transcript: Transcript | None = None


class StructuredOutput(Generic[T]):
    """A form for answers (`form`: the very schema that was given), and how it is asked for."""

    def __init__(
        self,
        schema: JsonObject,
        convert: Callable[[JsonValue], T | list[Defect]],
        *,
        name: str = "answer",
        via: Via = "schema",
        structure_repairs: int = 1,
    ) -> None:
        """Compile the schema; see `of_schema` and `of_model`.

        Raises:
            ConfigurationError: It is no valid schema, or the budget is negative.
        """
        if structure_repairs < 0:
            raise ConfigurationError(
                "structure_repairs is negative", where=name, remedy="use 0 or more", code="invalid_producer"
            )
        self.name = name
        self.form = schema
        self._schema = Schema([SchemaFile(f"{name}.schema.json", schema, name)])
        self._convert = convert
        self._via = via
        self._structure_repairs = structure_repairs

    @classmethod
    def of_schema(
        cls, schema: JsonObject, *, name: str = "answer", via: Via = "schema", structure_repairs: int = 1
    ) -> "StructuredOutput[JsonValue]":
        """Return the form of a JSON Schema; values are JSON with exact numbers.

        Args:
            schema: The schema; it refers to nothing outside itself.
            name: What servers are told that it is called: letters, digits, ``_`` and ``-``, at most 64.
            via: How the form is asked for.
            structure_repairs: How often an answer that does not fit is asked for again.

        Raises:
            ConfigurationError: It is no valid schema, or the budget is negative.
        """
        return StructuredOutput(schema, _same, name=name, via=via, structure_repairs=structure_repairs)

    @classmethod
    def of_model(
        cls, model: type[M], *, name: str = "answer", via: Via = "schema", structure_repairs: int = 1
    ) -> "StructuredOutput[M]":
        """Return the form of a pydantic model, strict; values are its instances.

        Raises:
            ConfigurationError: Its schema is not valid, or the budget is negative.
        """
        schema = cast("Any", model).model_json_schema()
        convert: Callable[[JsonValue], M | list[Defect]] = _Model(model)
        return StructuredOutput(schema, convert, name=name, via=via, structure_repairs=structure_repairs)

    async def ask(
        self,
        model: Model,
        messages: Sequence[Message],
        exchange: Exchange | None = None,
        *,
        added: Sequence[Message] = (),
    ) -> Answer[T]:
        """Ask a model until its answer has the form or the budget is spent.

        Args:
            model: The model.
            messages: The ordinary request; nobody changes it.
            exchange: What is told about cost and texts.
            added: Two messages of a correction, for the first request alone.

        Raises:
            ModelOutputError: No answer had the form.  Its details hold `defects`, their codes.
            ModelTruncatedError: An answer was cut off at the token limit.
            ModelRefusedError: The model refused.
            ModelUnavailableError: No answer came.
            ModelCeilingError: The limit on cost was reached.
        """
        ended: Answer[T] | ModelError | asyncio.CancelledError
        try:
            ended = await self._obtain(model, tuple(messages), exchange or Exchange(), tuple(added))
        except asyncio.CancelledError as stop:
            ended = cancelled_after(requests_before(stop), stop)
        if isinstance(ended, Answer):
            return ended
        # The frame that an exception shows must not hold what was asked.
        del messages, added, exchange
        raise ended

    async def _obtain(
        self, model: Model, ordinary: tuple[Message, ...], exchange: Exchange, added: tuple[Message, ...]
    ) -> Answer[T] | ModelError:
        left = self._structure_repairs
        while True:
            response = await _complete(model, self.request((*ordinary, *added)), exchange)
            if isinstance(response, ModelError):
                return response
            if response.finish is Finish.LENGTH:
                return ModelTruncatedError("the answer was cut off", remedy="raise max_tokens, or ask for less")
            if response.finish is Finish.REFUSAL:
                return ModelRefusedError("the model refused to answer", remedy="change the prompt, or the model")
            read = self.read(response)
            if isinstance(read, Answer):
                return read
            if not left:
                return _no_form(read)
            left -= 1
            exchange.meter.structure_repairs += 1
            told = Message("user", repair_text(read.defects, read.more))
            added = (Message("assistant", _sendable(response.text)), told)

    def request(self, messages: tuple[Message, ...]) -> Request:
        """Return the request that asks for the form."""
        if self._via == "tool":
            tool = Tool(self.name, "Give the answer.", self.form)
            return Request(messages, tools=(tool,), required_tool=self.name)
        return Request(messages, self.form if self._via == "schema" else None, self.name)

    def read(self, response: Response) -> Answer[T] | Verdict:
        """Return the value of an answer, or a verdict with everything that is wrong with its form."""
        text = _unfenced(response.text)
        wrong = self._wrong_tool(response) or _wrong_text(text)
        if wrong is not None:
            return Verdict.rejected([wrong])
        data = text.encode("utf-8", "surrogatepass")
        try:
            value = read_value(data, max_bytes=max(len(data), 1), keeps_names=False)
        except InputError as error:
            fact = f"{error.what} ({error.where})" if error.where else error.what
            return Verdict.rejected([Defect(error.code, "", fact)])
        if not self._schema.is_valid(value):
            found, more = first_findings(self._schema, value)
            rows = [finding.violation for finding in found]
            verdict = Verdict.rejected(Defect(row.rule, row.path, row.message) for row in rows)
            return replace(verdict, more=verdict.more + more)
        converted = self._convert(value)
        if isinstance(converted, list) and converted and isinstance(converted[0], Defect):
            return Verdict.rejected(converted)
        response_text = response.text if response.tool_name is None else canonical(value).decode()
        return Answer(cast("T", converted), response_text)

    def _wrong_tool(self, response: Response) -> Defect | None:
        if self._via == "tool" and response.tool_name != self.name:
            return Defect("wrong_tool", "", f"the tool {self.name} must be called, alone")
        if self._via != "tool" and response.tool_name is not None:
            return Defect("unexpected_tool", "", "no tool must be called")
        return None


class _Model:
    """Makes instances of a pydantic model, or tells why it cannot."""

    def __init__(self, model: type[Any]) -> None:
        self._model = model

    def __call__(self, value: JsonValue) -> Any | list[Defect]:  # noqa: ANN401 - an instance of the model
        from pydantic import ValidationError  # noqa: PLC0415 - only who gives a model needs pydantic

        try:
            return self._model.model_validate_json(write_json(value), strict=True)
        except ValidationError as error:
            return defects_of(error)


async def _complete(model: Model, request: Request, exchange: Exchange) -> Response | ModelError:
    """Ask once and count; what a model raises on purpose is returned."""
    exchange.meter.sent()
    try:
        response: object = await model.complete(request)
    except asyncio.CancelledError as stop:
        count = requests_before(stop)
        exchange.meter.answered(Usage(requests=count, unmetered=count))
        raise
    except ModelError as error:
        exchange.meter.answered(_usage_of(error))
        return type(error)(error.what, where=error.where, remedy=error.remedy, code=error.code, details=error.details)
    if not isinstance(response, Response):
        exchange.meter.answered(Usage(requests=1, unmetered=1))
        return ModelOutputError("the model returned no Response", remedy="correct the adapter", code="not_a_response")
    exchange.meter.answered(response.usage)
    if exchange.transcript is not None:
        asked = [{"role": message.role, "content": message.content} for message in request.messages]
        exchange.transcript.add(asked, response.text)
    return response


def _usage_of(error: ModelError) -> Usage:
    """Return what an exchange without an answer has cost: as many requests of unknown cost as were sent."""
    sent = error.details.get("requests", 0 if isinstance(error, ModelCeilingError) else 1)
    count = sent if isinstance(sent, int) else 1
    return Usage(requests=count, unmetered=count)


def _no_form(verdict: Verdict) -> ModelOutputError:
    codes = sorted({defect.code for defect in verdict.defects})
    return ModelOutputError(
        "no answer had the form that was asked for",
        remedy="make the schema or the prompt simpler, or raise structure_repairs",
        code=codes[0] if len(codes) == 1 else None,
        details={"defects": codes},
    )


def _unfenced(text: str) -> str:
    """Return an answer without the one code fence around all of it, if there is one."""
    whole = text.strip(_BLANK)
    head, line_end, rest = whole.partition("\n")
    if line_end and head.startswith(_FENCE) and rest.endswith(_FENCE) and _FENCE not in head[len(_FENCE) :]:
        return rest[: -len(_FENCE)]
    return text


def _sendable(text: str) -> str:
    """Return an answer as it can be sent back: halves of characters cannot be, so U+FFFD stands for them."""
    return _HALF.sub("\ufffd", text)


def _wrong_text(text: str) -> Defect | None:
    if not text.strip(_BLANK):
        return Defect("empty_answer", "", "the answer is empty")
    if text.startswith("\ufeff"):
        return Defect("byte_order_mark", "", "the answer begins with a byte order mark")
    return None


def _same(value: JsonValue) -> JsonValue:
    return value
