"""What every model does, whatever stands behind it.

To add an adapter, add a `Subject` to `SUBJECTS`.  One whose answers cannot be scripted says so, and the tests that
need a script are skipped for it.
"""

import asyncio
import copy
import json
import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.contract.model_server import Answer, Delay, Hang, ModelServer, Status, Step, ToolCalls
from veracord.models.anthropic import AnthropicModel
from veracord.models.cassettes import Cassette
from veracord.models.chat_completions import ChatCompletionsModel, ChatDialect
from veracord.models.exchanges import Sampling
from veracord.models.limits import Limits
from veracord.models.transport import TransportOptions
from veracord.ports import Finish, Message, Model, Request, Response, Tool, Usage
from veracord.records.values import JsonValue
from veracord.testing import ScriptedModel

KEY = "sk-secret-key-0001"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"age": {"type": "integer"}},
    "required": ["age"],
    "additionalProperties": False,
}
TOOL = Tool("save", "Keeps a person.", SCHEMA)
HOSTILE = '\u00e9 \U0001f600 "quoted" \\ \x00 \u2028 {{ input }}\r\n\ttab'
QUESTION = Request((Message("system", "Be brief."), Message("user", HOSTILE)))


@dataclass(frozen=True)
class Opened:
    """A model that is ready, and the server behind it where there is one."""

    model: Model
    server: ModelServer | None = None

    def wire(self) -> ModelServer:
        if self.server is None:
            pytest.skip("nothing of this model goes over a wire")
        return self.server


@dataclass(frozen=True)
class Subject:
    """An adapter under test.

    Attributes:
        name: How the tests are called.
        open: Makes the model, as a context; it takes the steps of a script.
        scripted: Whether the model answers what the script says.
        marks: Marks of pytest, as for one that is slow.
    """

    name: str
    open: Callable[..., Any]
    scripted: bool = True
    marks: tuple[Any, ...] = field(default=())


@contextmanager
def _chat(*script: Step, **options: Any) -> Iterator[Opened]:
    with ModelServer(*script) as server:
        yield Opened(ChatCompletionsModel(server.chat_url, "m", api_key=KEY, **options), server)


@contextmanager
def _anthropic(*script: Step, **options: Any) -> Iterator[Opened]:
    with ModelServer(*script) as server:
        yield Opened(AnthropicModel("m", base_url=server.url, api_key=KEY, **options), server)


@contextmanager
def _double(*script: Step) -> Iterator[Opened]:
    yield Opened(ScriptedModel([_response(step) for step in script or ("ok",) * 200]))


class _Taped:
    """Records each answer on a cassette of its own, and gives the one that is played from there."""

    def __init__(self, folder: Path, model: Model) -> None:
        self._folder = folder
        self._model = model
        self._made = 0

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        return self._model.settings

    async def complete(self, request: Request) -> Response:
        self._made += 1
        path = self._folder / f"{self._made}.jsonl"
        async with Cassette.record(path, self._model) as recorder:
            await recorder.complete(request)
        return await Cassette(path, model=self._model).complete(request)

    async def aclose(self) -> None:
        await self._model.aclose()


@contextmanager
def _cassette(*script: Step) -> Iterator[Opened]:
    with TemporaryDirectory() as folder, _double(*script) as double:
        yield Opened(_Taped(Path(folder), double.model))


def _response(step: Step) -> str | Response:
    """What an adapter must make of a step."""
    if isinstance(step, Answer):
        finish = Finish.REFUSAL if step.finish in ("refusal", "content_filter") else Finish(step.finish)
        text = "" if finish is Finish.REFUSAL else step.text or ""
        return Response(text, finish, usage=_usage(step.usage))
    if isinstance(step, ToolCalls):
        name, arguments = step.calls[0] if len(step.calls) == 1 else (None, "")
        return Response(arguments, tool_name=name, usage=_usage(step.usage))
    assert isinstance(step, str)
    return step


def _usage(tokens: tuple[int, int] | None) -> Usage:
    return Usage(1, *tokens) if tokens else Usage(1, unmetered=1)


SUBJECTS = [
    Subject("chat_completions", _chat),
    Subject("anthropic", _anthropic),
    Subject("scripted", _double),
    Subject("cassette", _cassette),
]
HTTP = [subject for subject in SUBJECTS if subject.open in (_chat, _anthropic)]


@pytest.fixture(params=[pytest.param(subject, id=subject.name, marks=subject.marks) for subject in SUBJECTS])
def subject(request) -> Subject:
    return request.param


@pytest.fixture(params=[pytest.param(subject, id=subject.name) for subject in HTTP])
def http(request) -> Subject:
    return request.param


def _ask(opened: Opened, *requests: Request) -> list[Response]:
    """Ask one after the other, and close."""

    async def go() -> list[Response]:
        try:
            return [await opened.model.complete(request) for request in requests]
        finally:
            await opened.model.aclose()

    return asyncio.run(go())


def _scripted(subject: Subject) -> Subject:
    if not subject.scripted:
        pytest.skip("the answers of this model cannot be scripted")
    return subject


# What every model does


def test_an_answer_is_a_response(subject):
    with subject.open() as opened:
        (response,) = _ask(opened, QUESTION)
    assert isinstance(response, Response)
    assert isinstance(response.text, str)
    assert response.tool_name is None
    assert response.usage.requests == 1


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(Answer(HOSTILE), id="text"),
        pytest.param(Answer(""), id="empty text"),
        pytest.param(Answer(None), id="no text"),
        pytest.param(Answer('{"age": 3', "length"), id="cut off"),
        pytest.param(Answer("No.", "refusal"), id="refused"),
        pytest.param(Answer("ok", usage=None), id="usage not told"),
        pytest.param(Answer("ok", usage=(0, 0)), id="zero tokens are told"),
        pytest.param(ToolCalls((("save", '{"age":3}'),)), id="tool call"),
        pytest.param(ToolCalls((("no_such_tool", '{"age":3}'),)), id="another tool than asked for"),
        pytest.param(ToolCalls((("save", '{"age":3}'), ("save", '{"age":4}'))), id="several tool calls"),
    ],
)
def test_an_answer_arrives_as_it_was_given(subject, step):
    with _scripted(subject).open(step) as opened:
        (response,) = _ask(opened, Request(QUESTION.messages, tools=(TOOL,), required_tool="save"))
    assert response == _response(step)


def test_a_request_is_not_changed(subject):
    request = Request(QUESTION.messages, output_schema=copy.deepcopy(SCHEMA), tools=(TOOL,))
    before = copy.deepcopy(request)
    with subject.open() as opened:
        _ask(opened, request, request)
    assert request == before


def test_settings_are_plain_values_and_the_same_each_time(subject):
    with subject.open() as opened:
        settings = opened.model.settings
        assert isinstance(settings["adapter"], str)
        assert settings == opened.model.settings
        assert None not in settings.values()
        _ask(opened)


def test_closing_twice_does_no_harm(subject):
    async def go(model: Model) -> None:
        await model.complete(QUESTION)
        await model.aclose()
        await model.aclose()

    with subject.open() as opened:
        asyncio.run(go(opened.model))


def test_closing_an_unused_model_does_no_harm(subject):
    with subject.open() as opened:
        asyncio.run(opened.model.aclose())


def test_many_callers_get_an_answer_each(subject):
    async def go(model: Model) -> list[Response]:
        try:
            return await asyncio.gather(*(model.complete(QUESTION) for _ in range(50)))
        finally:
            await model.aclose()

    with subject.open() as opened:
        responses = asyncio.run(go(opened.model))
    assert len(responses) == 50


def test_a_model_serves_one_event_loop_after_the_other(subject):
    with _scripted(subject).open("one", "two") as opened:
        assert [_ask(opened, QUESTION)[0].text, _ask(opened, QUESTION)[0].text] == ["one", "two"]


# What the models over HTTP do beside that


def test_the_texts_are_on_the_wire_as_they_are(http):
    turns = [("user", HOSTILE), ("assistant", ' {"age": -1} '), ("user", "Again."), ("user", "Please.")]
    with http.open() as opened:
        _ask(opened, Request(tuple(Message(*turn) for turn in turns)))
        (received,) = opened.wire().requests
    assert received.messages == [{"role": role, "content": content} for role, content in turns]


def test_equal_requests_are_equal_on_the_wire(http):
    request = Request(QUESTION.messages, output_schema=SCHEMA, tools=(TOOL,))
    with http.open() as opened:
        _ask(opened, request, copy.deepcopy(request))
        first, second = opened.wire().requests
    assert first.body == second.body


def test_the_system_message_goes_where_the_wire_has_it():
    request = Request((Message("system", "One."), Message("user", "Hi."), Message("system", "Two.")))
    with _chat() as opened:
        _ask(opened, request)
        assert [m["role"] for m in opened.wire().requests[0].messages] == ["system", "user", "system"]
    with _anthropic() as opened:
        _ask(opened, request)
        body = opened.wire().requests[0].json
    assert (body["system"], body["messages"]) == ("One.\n\nTwo.", [{"role": "user", "content": "Hi."}])


def test_an_empty_turn_of_the_assistant_is_left_out_where_it_would_be_refused():
    request = Request((Message("user", "Hi."), Message("assistant", ""), Message("user", "Again.")))
    with _anthropic() as opened:
        _ask(opened, request)
        assert [m["role"] for m in opened.wire().requests[0].messages] == ["user", "user"]


def test_the_key_is_sent_and_nowhere_else(http):
    with http.open() as opened:
        _ask(opened, QUESTION)
        (received,) = opened.wire().requests
        model = opened.model
        assert KEY in (received.headers.get("authorization", "Bearer ")[7:], received.headers.get("x-api-key"))
        assert KEY not in f"{dict(model.settings)} {model!r} {vars(model)}"
        with pytest.raises(TypeError, match=r"neither pickled nor copied|cannot pickle"):
            pickle.dumps(model)


def test_without_a_key_none_is_sent():
    with ModelServer() as server:
        _ask(Opened(ChatCompletionsModel(server.chat_url, "m")), QUESTION)
        _ask(Opened(AnthropicModel("m", base_url=server.url)), QUESTION)
        for received in server.requests:
            assert {"authorization", "x-api-key", "cookie"}.isdisjoint(received.headers)


def test_sampling_is_sent_exactly_and_is_in_the_settings():
    sampling = Sampling(temperature=0.7, max_tokens=50, seed=9)
    with _chat(sampling=sampling, dialect=ChatDialect(output_limit="max_completion_tokens")) as opened:
        _ask(opened, QUESTION)
        body = json.loads(opened.wire().requests[0].body, parse_float=Decimal)
        assert opened.model.settings == {
            "adapter": "chat_completions",
            "name": "m",
            "structured": "json_schema",
            "temperature": Decimal("0.7"),
            "max_tokens": 50,
            "seed": 9,
        }
    assert (body["temperature"], body["max_completion_tokens"], body["seed"]) == (Decimal("0.7"), 50, 9)
    assert "max_tokens" not in body
    with _anthropic(sampling=Sampling(temperature=0)) as opened:
        _ask(opened, QUESTION)
        body = opened.wire().requests[0].json
        assert opened.model.settings == {
            "adapter": "anthropic",
            "name": "m",
            "structured": "auto",
            "temperature": 0,
            "max_tokens": 1024,
        }
    assert (body["temperature"], body["max_tokens"]) == (0, 1024)


def test_what_is_not_set_is_not_sent():
    with _chat() as opened:
        _ask(opened, QUESTION)
        assert set(opened.wire().requests[0].json) == {"model", "messages"}
    with _anthropic() as opened:
        _ask(opened, QUESTION)
        received = opened.wire().requests[0]
    assert set(received.json) == {"model", "messages", "system", "max_tokens"}
    assert received.headers["anthropic-version"] == "2023-06-01"


@pytest.mark.parametrize(
    ("structured", "expected"),
    [
        ("json_schema", {"type": "json_schema", "json_schema": {"name": "person", "schema": SCHEMA}}),
        (
            "json_schema_strict",
            {"type": "json_schema", "json_schema": {"name": "person", "schema": SCHEMA, "strict": True}},
        ),
        ("json_object", {"type": "json_object"}),
        ("none", None),
    ],
)
def test_chat_completions_are_held_to_a_schema_as_configured(structured, expected):
    with _chat(dialect=ChatDialect(structured=structured)) as opened:
        _ask(opened, Request(QUESTION.messages, output_schema=SCHEMA, output_name="person"))
        assert opened.wire().requests[0].json.get("response_format") == expected


OPEN_SCHEMA = {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("structured", "schema", "given"),
    [
        ("auto", SCHEMA, True),
        ("auto", {"$schema": "https://json-schema.org/draft/2020-12/schema", **SCHEMA}, True),
        ("auto", OPEN_SCHEMA, False),
        ("auto", {**SCHEMA, "properties": {"age": {"type": "integer", "minimum": 0}}}, False),
        ("auto", {**SCHEMA, "properties": {"of": {"type": "array", "items": OPEN_SCHEMA}}}, False),
        ("auto", {**SCHEMA, "properties": {"of": {"anyOf": [{"type": "null"}, SCHEMA]}}}, True),
        ("auto", {**SCHEMA, "properties": {"on": {"type": "string", "format": "date"}}}, True),
        ("json_schema", OPEN_SCHEMA, True),
        ("none", SCHEMA, False),
    ],
)
def test_anthropic_is_given_a_schema_that_it_takes(structured, schema, given):
    with _anthropic(structured=structured) as opened:
        _ask(opened, Request(QUESTION.messages, output_schema=schema))
        config = opened.wire().requests[0].json.get("output_config")
    plain = {name: value for name, value in schema.items() if name != "$schema"}
    assert config == ({"format": {"type": "json_schema", "schema": plain}} if given else None)


def test_tools_are_sent_in_the_form_of_the_wire():
    request = Request(QUESTION.messages, tools=(TOOL,), required_tool="save")
    with _chat() as opened:
        _ask(opened, request)
        body = opened.wire().requests[0].json
    function = {"name": "save", "description": "Keeps a person.", "parameters": SCHEMA}
    assert body["tools"] == [{"type": "function", "function": function}]
    assert body["tool_choice"] == {"type": "function", "function": {"name": "save"}}
    with _anthropic() as opened:
        _ask(opened, request)
        body = opened.wire().requests[0].json
    assert body["tools"] == [{"name": "save", "description": "Keeps a person.", "input_schema": SCHEMA}]
    assert body["tool_choice"] == {"type": "tool", "name": "save", "disable_parallel_tool_use": True}


def test_arguments_keep_the_spelling_of_their_numbers():
    arguments = b'{"price":1.10,"count":12345678901234567890,"share":1e2}'
    block = b'{"type":"tool_use","id":"t","name":"save","input":' + arguments + b"}"
    with _anthropic(Status(200, b'{"content":[' + block + b'],"stop_reason":"tool_use"}')) as opened:
        (response,) = _ask(opened, QUESTION)
    assert json.loads(response.text, parse_float=Decimal) == json.loads(arguments, parse_float=Decimal)
    assert '"price":1.10' in response.text
    text = '{"price": 1.10,  "a": 1, "a": 2}'
    with _chat(ToolCalls((("save", text),))) as opened:
        assert _ask(opened, QUESTION)[0].text == text


@pytest.mark.parametrize(
    ("message", "reason", "expected"),
    [
        ({"content": "x"}, "content_filter", ("x", Finish.REFUSAL)),
        ({"content": None, "refusal": "No."}, "stop", ("", Finish.REFUSAL)),
        ({"content": "x"}, "STOP", ("x", Finish.STOP)),
        ({"content": "x"}, "MAX_TOKENS", ("x", Finish.LENGTH)),
        ({"content": "x"}, "model_length", ("x", Finish.LENGTH)),
        ({"content": "x"}, "safety", ("x", Finish.REFUSAL)),
        ({"content": "x"}, None, ("x", Finish.STOP)),
        ({}, "stop", ("", Finish.STOP)),
        ({"content": [{"type": "thinking"}, {"type": "text", "text": "x"}]}, "stop", ("x", Finish.STOP)),
        ({"content": None, "tool_calls": [{"function": {"name": "save"}}]}, "tool_calls", ("", Finish.STOP)),
        ({"content": None, "tool_calls": ["?"]}, "tool_calls", ("", Finish.STOP)),
        ({"content": "x", "tool_calls": []}, "stop", ("x", Finish.STOP)),
    ],
)
def test_odd_chat_completions_are_read(message, reason, expected):
    body = json.dumps({"choices": [{"message": message, "finish_reason": reason, "logprobs": float("nan")}]})
    with _chat(Status(200, body.encode())) as opened:
        (response,) = _ask(opened, QUESTION)
    assert (response.text, response.finish) == expected
    assert response.tool_name is None


def test_anthropic_counts_what_was_read_from_a_cache():
    usage = {"input_tokens": 1, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 300, "output_tokens": 5}
    body = {"content": [], "stop_reason": "model_context_window_exceeded", "usage": usage}
    with _anthropic(Status(200, json.dumps(body).encode())) as opened:
        (response,) = _ask(opened, QUESTION)
    assert response == Response("", Finish.LENGTH, usage=Usage(1, 321, 5))


def test_cost_is_told_where_prices_are_known(http):
    limits = Limits(price_per_mtok_in="0.15", price_per_mtok_out="0.60")
    with http.open(Answer(usage=(7, 3)), transport=TransportOptions(limits=limits)) as opened:
        (response,) = _ask(opened, QUESTION)
    assert response.usage == Usage(1, 7, 3, Decimal("0.00000285"))
    assert limits.committed_usd == Decimal("0.00000285")


def test_cancelling_stops_at_once_and_gives_the_connection_back(http):
    async def go(opened: Opened) -> None:
        task = asyncio.create_task(opened.model.complete(QUESTION))
        await asyncio.to_thread(opened.wire().wait_for_requests, 1)
        task.cancel("by the test")
        with pytest.raises(asyncio.CancelledError, match="by the test"):
            await task
        await asyncio.to_thread(opened.wire().wait_until_left)
        assert (await opened.model.complete(QUESTION)).text == "ok"
        await opened.model.aclose()

    with http.open(Hang(headers=True)) as opened:
        asyncio.run(go(opened))


def test_an_outer_time_limit_is_told_from_the_model_s_own(http):
    async def go(opened: Opened) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await opened.model.complete(QUESTION)
        await opened.model.aclose()

    with http.open(Hang()) as opened:
        asyncio.run(go(opened))


def test_a_connection_is_used_again(http):
    with http.open("one", "two") as opened:
        _ask(opened, QUESTION, QUESTION)
        assert opened.wire().connections == 1


def test_200_requests_are_in_flight_at_once(http):
    async def go(opened: Opened) -> None:
        tasks = [asyncio.create_task(opened.model.complete(QUESTION)) for _ in range(200)]
        await asyncio.to_thread(opened.wire().wait_for_requests, 200)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await opened.model.aclose()

    with http.open(*[Hang()] * 200) as opened:
        asyncio.run(go(opened))
        assert len(opened.wire().requests) == 200


def test_a_large_request_arrives_whole(http):
    text = "\u00e9" * 800_000
    with http.open(Delay(0.0, Answer())) as opened:
        _ask(opened, Request((Message("user", text),)))
        assert opened.wire().requests[0].messages[0]["content"] == text
