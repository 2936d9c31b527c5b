"""How a model's answer is read, and how it is asked again: the ordinary request and two messages, never more.

``awkward_answers.jsonl`` holds a text in a line (``text``, or ``before``, ``repeat`` so many ``times``, ``middle``,
``close`` as often, and ``after``), and how it ends: accepted at once, or asked for again because of a defect with this
code (or one of these).  ``model_ends`` is the same for a pydantic model, where the two differ.
"""

import asyncio
import importlib.util
import json
import re
import sys
import tracemalloc
from pathlib import Path

import pydantic
import pytest

from veracord.errors import (
    ConfigurationError,
    ModelError,
    ModelOutputError,
    ModelRefusedError,
    ModelTruncatedError,
    ModelUnavailableError,
)
from veracord.pipeline import AsyncPipeline, Defect, Outcome, ProducerBinding, Unit, ValidatorBinding, Verdict
from veracord.promptkit import Answer, Finish, Message, Response, StructuredOutput, StructuredProducer, Usage
from veracord.promptkit.structured_output import Exchange
from veracord.records.reading import MAX_BYTES
from veracord.testing import MemoryStore, ScriptedModel

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
}
GOOD = '{"name": "Alan", "age": 41}'
BASE = [Message("system", "Be brief."), Message("user", "Who?")]


class Person(pydantic.BaseModel):
    name: str
    age: int


def forms(via="schema", repairs=1):
    return {
        "schema": StructuredOutput.of_schema(SCHEMA, via=via, structure_repairs=repairs),
        "model": StructuredOutput.of_model(Person, via=via, structure_repairs=repairs),
    }


def read_cases():
    lines = Path(__file__).with_name("awkward_answers.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


CASES = read_cases()


def text_of(case):
    if "text" in case:
        return case["text"]
    closing = case.get("close", "") * case["times"]
    return case["before"] + case["repeat"] * case["times"] + case.get("middle", "") + closing + case["after"]


def ask(output, *answers, **options):
    """Ask a model with prepared answers; return the answer or the error, the requests and the exchange."""
    model, exchange = ScriptedModel(answers), Exchange()
    try:
        found = asyncio.run(output.ask(model, BASE, exchange, **options))
    except ModelError as error:
        found = error
    return found, model.requests, exchange


def codes_of(found):
    return {defect.code for defect in found.defects}


# The table


@pytest.mark.parametrize("kind", ["schema", "model"])
@pytest.mark.parametrize("via", ["schema", "tool", "prompt"])
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_every_awkward_text_ends_as_the_table_says(case, via, kind):
    ends = case.get("model_ends", case["ends"]) if kind == "model" else case["ends"]
    tool = "answer" if via == "tool" else None
    output, text = forms(via)[kind], text_of(case)
    found, requests, exchange = ask(output, Response(text, tool_name=tool), Response(GOOD, tool_name=tool))
    assert isinstance(found, Answer)
    if ends == "accepted":
        assert len(requests) == 1
        assert exchange.meter.structure_repairs == 0
        return
    assert len(requests) == 2
    assert exchange.meter.structure_repairs == 1
    assert codes_of(output.read(Response(text, tool_name=tool))) <= ({ends} if isinstance(ends, str) else set(ends))
    *base, assistant, user = requests[1].messages
    assert base == BASE
    # Half a character cannot be sent; everything else is sent back as it came.
    assert assistant == Message("assistant", re.sub("[\ud800-\udfff]", "\ufffd", text))
    assert user.role == "user"
    assert len(user.content) <= 4_000
    (assistant.content + user.content).encode()


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_without_repairs_an_awkward_text_is_an_error_with_codes_and_no_text(case):
    ends = case["ends"]
    found, requests, _ = ask(forms(repairs=0)["schema"], text_of(case))
    assert len(requests) == 1
    if ends == "accepted":
        assert isinstance(found, Answer)
        return
    assert isinstance(found, ModelOutputError)
    assert found.details["defects"] == [found.code]
    assert found.code in ([ends] if isinstance(ends, str) else ends)
    assert "Grace" not in repr((str(found), found.args, vars(found)))
    assert found.__cause__ is found.__context__ is None


def test_the_table_names_each_case_once():
    assert len({case["id"] for case in CASES}) == len(CASES) >= 50
    assert all(case["why"] for case in CASES)


def test_an_answer_may_be_larger_than_a_record():
    text = json.dumps({"name": "Al", "age": 1}) + " " * MAX_BYTES
    assert len(text) > MAX_BYTES
    assert forms()["schema"].read(Response(text)).value == {"name": "Al", "age": 1}


@pytest.mark.parametrize("part", ["x", "\\n", "\\\\", '\\"', "é"])
def test_a_large_answer_is_read_in_memory_of_its_own_size(part):
    text = '{"age": 1, "name": "' + part * (1024 * 1024 // len(part)) + '"}'
    tracemalloc.start()
    try:
        found = forms()["schema"].read(Response(text))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(found, Answer)
    # Its bytes, its value and what is made on the way; a place to go back to for each character is far more.
    times = peak / len(text)
    assert times < 16


@pytest.fixture
def peers_texts(shared, monkeypatch):
    """The texts of the file with which other libraries were measured."""
    folder = shared / "bench" / "peers"
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    # What it sets for itself is gone after the test, and so are its neighbours.
    for name in ("OPENAI_API_KEY", "OTEL_SDK_DISABLED", "GUARDRAILS_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "none")
    kept = {name: sys.modules.pop(name, None) for name in ("bench", "peers")}
    spec = importlib.util.spec_from_file_location("peers_edge", folder / "edge.py")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    finally:
        for name, before in kept.items():
            sys.modules.pop(name, None)
            if before is not None:
                sys.modules[name] = before
    return module.EDGE


#: How the texts of that file end that are accepted at once; all others are asked for again.
ACCEPTED = {
    "schema": {"fence", "float-int", "1e400", "nul", "extra-key"},
    "model": {"fence", "nul", "extra-key"},
}


@pytest.mark.shared("bench/peers/edge.py", "bench/peers/bench.py", "bench/peers/peers.py")
@pytest.mark.parametrize("via", ["schema", "tool", "prompt"])
@pytest.mark.parametrize("kind", ["schema", "model"])
def test_the_texts_of_the_peers_end_as_they_should(peers_texts, kind, via):
    assert len(peers_texts) == 25
    tool = "answer" if via == "tool" else None
    accepted = set()
    for name, text in peers_texts.items():
        found, requests, _ = ask(forms(via)[kind], Response(text, tool_name=tool), Response(GOOD, tool_name=tool))
        assert isinstance(found, Answer), name
        assert len(requests) in (1, 2)
        accepted |= {name} if len(requests) == 1 else set()
        failed, _, _ = ask(forms(via, 0)[kind], Response(text, tool_name=tool))
        assert isinstance(failed, Answer if len(requests) == 1 else ModelOutputError), name
    assert accepted == ACCEPTED[kind]


# Tools


@pytest.mark.parametrize(
    ("via", "called", "code"),
    [
        ("tool", None, "wrong_tool"),
        ("tool", "other", "wrong_tool"),
        ("tool", "", "wrong_tool"),
        ("tool", "Answer", "wrong_tool"),
        ("schema", "answer", "unexpected_tool"),
        ("prompt", "other", "unexpected_tool"),
    ],
)
def test_the_name_of_the_tool_is_checked(via, called, code):
    right = Response(GOOD, tool_name="answer" if via == "tool" else None)
    wrong = Response(GOOD, tool_name=called)
    output = forms(via)["schema"]
    assert codes_of(output.read(wrong)) == {code}
    found, requests, _ = ask(output, wrong, right)
    assert isinstance(found, Answer)
    assert len(requests) == 2
    # The name that the model chose is its own text: it is not told back.
    assert "other" not in requests[1].messages[-1].content


def test_the_arguments_of_a_tool_are_handed_over_in_the_canonical_form():
    answer = forms("tool")["schema"].read(Response(' {"name":"B",\n"age": 4.10e1} ', tool_name="answer"))
    assert answer.response == '{"age":41,"name":"B"}'
    assert forms()["schema"].read(Response(" " + GOOD)).response == " " + GOOD


@pytest.mark.parametrize("via", ["schema", "tool", "prompt"])
def test_the_form_is_asked_for_in_one_way(via):
    _, (request,), _ = ask(forms(via)["schema"], Response(GOOD, tool_name="answer" if via == "tool" else None))
    assert request.messages == tuple(BASE)
    assert request.output_schema == (SCHEMA if via == "schema" else None)
    assert [tool.parameters for tool in request.tools] == ([SCHEMA] if via == "tool" else [])
    assert request.required_tool == ("answer" if via == "tool" else None)


# Truncation, refusal, no answer


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (Response(GOOD, Finish.LENGTH), ModelTruncatedError),
        (Response('{"name": "Al', Finish.LENGTH), ModelTruncatedError),
        (Response("", Finish.REFUSAL), ModelRefusedError),
        (Response(GOOD, Finish.REFUSAL), ModelRefusedError),
        (ModelUnavailableError("gone", details={"requests": 3}), ModelUnavailableError),
    ],
)
@pytest.mark.parametrize("before", [[], ["no form"]])
def test_what_is_no_matter_of_form_is_not_repaired(response, error, before):
    found, requests, exchange = ask(forms(repairs=5)["schema"], *before, response, GOOD)
    assert type(found) is error
    assert len(requests) == len(before) + 1
    assert exchange.meter.structure_repairs == len(before)
    sent = 3 if error is ModelUnavailableError else 1
    assert exchange.meter.usage == Usage(requests=len(before) + sent, unmetered=len(before) + sent)


# Repairs of the form


@pytest.mark.parametrize("repairs", range(5))
def test_a_repair_is_the_ordinary_request_and_two_messages(repairs):
    bad = [f"bad {number}" for number in range(repairs + 1)]
    found, requests, exchange = ask(forms(repairs=repairs)["schema"], *bad, GOOD)
    assert isinstance(found, ModelOutputError)
    assert len(requests) == repairs + 1
    assert exchange.meter.structure_repairs == repairs
    assert requests[0].messages == tuple(BASE)
    for number, request in enumerate(requests[1:]):
        assert request.messages[:2] == tuple(BASE)
        assert request.messages[2] == Message("assistant", f"bad {number}")
        assert request.messages[3].role == "user"
        assert len(request.messages) == 4


ADDED = (Message("assistant", "rejected"), Message("user", "correction"))


def test_a_repair_inside_a_correction_takes_the_place_of_its_messages():
    """Never four extra messages: what is latest is told."""
    found, requests, _ = ask(forms(repairs=2)["schema"], "bad 0", "bad 1", GOOD, added=ADDED)
    assert isinstance(found, Answer)
    assert [len(request.messages) for request in requests] == [4, 4, 4]
    assert requests[0].messages == (*BASE, *ADDED)
    assert [request.messages[2].content for request in requests] == ["rejected", "bad 0", "bad 1"]
    assert all(message not in request.messages for message in ADDED for request in requests[1:])


@pytest.mark.parametrize("via", ["schema", "tool"])
def test_the_same_through_the_pipeline(via):
    """A rejection, a correction that is answered without form, its repair, and the next correction."""
    tool = "answer" if via == "tool" else None
    answers = ['{"name": "A", "age": -1}', "no form", '{"name": "B", "age": -2}', '{"name": "C", "age": 3}']
    model = ScriptedModel([Response(text, tool_name=tool) for text in answers])
    producer = StructuredProducer(model, lambda _: BASE, forms(via)["schema"])

    def positive(value):
        return None if value["age"] > 0 else [Defect("negative", "/age", "an age is positive")]

    store = MemoryStore()
    pipeline = AsyncPipeline([ProducerBinding("p", producer, [ValidatorBinding("age", positive)], retries=2)])
    asyncio.run(pipeline.run([Unit("key", 1)], store=store))
    assert [receipt.outcome for receipt in store.receipts] == [Outcome.REJECTED, Outcome.REJECTED, Outcome.ACCEPTED]
    assert [receipt.structure_repairs for receipt in store.receipts] == [0, 1, 0]
    assert [len(request.messages) for request in model.requests] == [2, 4, 4, 4]
    told = [request.messages[2].content for request in model.requests[1:]]
    canonical = ['{"age":-1,"name":"A"}', "no form", '{"age":-2,"name":"B"}']
    assert told == (canonical if via == "tool" else answers[:3])
    assert "an age is positive" in model.requests[1].messages[3].content
    assert "an age is positive" not in model.requests[2].messages[3].content


def test_all_that_is_wrong_with_the_form_is_told_at_once():
    schema = {"properties": {f"m{n:02}": {"type": "integer"} for n in range(60)}, "type": "object"}
    output = StructuredOutput.of_schema(schema)
    _, requests, _ = ask(output, json.dumps({f"m{n:02}": "x" for n in range(60)}), "{}")
    lines = requests[1].messages[-1].content.split("\n")
    assert lines[0] == "Fix these and return the whole answer:"
    assert [line[: len('- "/m00"')] for line in lines[1:21]] == [f'- "/m{n:02}"' for n in range(20)]
    assert lines[21:] == ["and 40 more"]


def test_a_repair_does_not_quote_the_answer():
    """What a schema says of a value names the rule, not the value."""
    _, requests, _ = ask(forms()["schema"], '{"name": "A", "age": "SECRET"}', GOOD)
    assert "SECRET" not in requests[1].messages[-1].content
    assert "/age" in requests[1].messages[-1].content


# Models


class Checked(pydantic.BaseModel):
    low: int
    high: int

    @pydantic.field_validator("low")
    @classmethod
    def is_small(cls, value):
        if value > 9:
            message = "low is at most 9"
            raise ValueError(message)
        return value

    @pydantic.model_validator(mode="after")
    def is_ordered(self):
        if self.high < self.low:
            message = "high is not below low"
            raise ValueError(message)
        return self


@pytest.mark.parametrize(
    ("text", "defects"),
    [
        ('{"low": 10, "high": 1}', [("value_error", "/low", "low is at most 9")]),
        ('{"low": 5, "high": 1}', [("value_error", "", "high is not below low")]),
        ('{"low": 5.0, "high": 5.0}', [("int_type", "/high", None), ("int_type", "/low", None)]),
    ],
)
def test_the_errors_of_a_model_are_defects(text, defects):
    found = StructuredOutput.of_model(Checked).read(Response(text))
    assert isinstance(found, Verdict)
    assert [(one.code, one.path) for one in found.defects] == [(code, path) for code, path, _ in defects]
    for one, (_, _, fact) in zip(found.defects, defects, strict=True):
        assert fact in (None, one.fact)


class Crashing(pydantic.BaseModel):
    age: int

    @pydantic.field_validator("age")
    @classmethod
    def look_up(cls, value):
        return {}[f"SECRET {value}"]


def test_a_model_that_crashes_is_a_structural_failure_without_its_words():
    model = ScriptedModel(['{"age": 1}'] * 2)
    producer = StructuredProducer(model, lambda _: BASE, StructuredOutput.of_model(Crashing, structure_repairs=3))
    result = asyncio.run(AsyncPipeline([ProducerBinding("p", producer)]).run_unit(Unit("key", 1)))
    assert (result.outcome, result.code) == (Outcome.STRUCTURAL_FAILURE, "producer_raised:KeyError")
    assert [len(request.messages) for request in model.requests] == [2, 2]
    assert result.usage.requests == 2
    assert "SECRET" not in repr(result)


def test_a_value_of_a_model_is_its_instance():
    found = StructuredOutput.of_model(Person).read(Response(GOOD))
    assert found.value == Person(name="Alan", age=41)
    assert type(found.value) is Person


@pytest.mark.parametrize(
    "make",
    [
        lambda: StructuredOutput.of_schema({"type": "objekt"}),
        lambda: StructuredOutput.of_schema({"$ref": "#/absent"}),
        lambda: StructuredOutput.of_schema({}, structure_repairs=-1),
    ],
)
def test_a_form_that_cannot_be_used_is_refused_when_it_is_made(make):
    with pytest.raises(ConfigurationError) as caught:
        make()
    assert caught.value.remedy
