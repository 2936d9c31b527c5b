"""What decides whether a value is reused: each component of the key alone, and nothing else.

The components of a request are taken from the request object itself: a new field fails here until it is told what a
change of it looks like.
"""

import asyncio
from dataclasses import fields, replace

import pytest

from veracord.models import ChatCompletionsModel, Sampling
from veracord.pipeline import (
    Attempt,
    Defect,
    Disposition,
    Outcome,
    Pipeline,
    Policy,
    ProducerBinding,
    Unit,
    ValidatorBinding,
)
from veracord.pipeline.attempts import Turn
from veracord.pipeline.keys import step_keys
from veracord.pipeline.policies import resolve_policy
from veracord.pipeline.runs import RunSpec
from veracord.pipeline.stores import StoredRun
from veracord.ports import Message, Request, Tool
from veracord.promptkit import Prompt, StructuredOutput, StructuredProducer
from veracord.testing import MemoryStore, ScriptedModel

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}
UNIT = Unit("u", {"x": 1, "y": {"p": [1, 2], "q": "é"}})

#: For each field of a request, another value of it.
CHANGES = {
    "messages": (Message("user", "other"),),
    "output_schema": {"type": "array"},
    "output_name": "other",
    "tools": (Tool("t", "does something", {"type": "object"}),),
    "required_tool": "t",
}


class Asks:
    """A producer that is known by one request."""

    correction_protocol = None

    def __init__(self, request, settings=None):
        self._producer = StructuredProducer(
            ScriptedModel([]), lambda _: request.messages, StructuredOutput.of_schema({})
        )
        self.request = request
        self.settings = settings or {"adapter": "x"}

    def fingerprint(self, _attempt):
        from dataclasses import asdict

        return {"request": asdict(self.request), "model": self.settings}

    async def produce(self, attempt):
        return attempt.candidate({})


def keys_of(producer, *, validators=(), policy=None, salt=b"salt", binding_id="p", unit=UNIT):
    binding = ProducerBinding(binding_id, producer, validators, policy=policy or Policy())
    turn = Turn(binding, (), resolve_policy(Policy(), binding.policy))
    return step_keys(turn, Attempt(unit, binding_id), salt)


def structured(prompt="Read {{ input }}", schema=None, model=None):
    variables = ("input",) if "{{" in prompt else ()
    return StructuredProducer(
        model or ScriptedModel([]), Prompt("p", 1, "x", variables, prompt), StructuredOutput.of_schema(schema or SCHEMA)
    )


def chat(sampling=None, name="m", url="http://127.0.0.1:1/v1", key="k1"):
    return ChatCompletionsModel(url, name, api_key=key, sampling=sampling)


def test_every_field_of_a_request_has_a_change_here():
    assert {field.name for field in fields(Request)} == set(CHANGES)
    assert {field.name for field in fields(Message)} == {"role", "content"}
    assert {field.name for field in fields(Tool)} == {"name", "description", "parameters"}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_a_change_of_any_field_of_the_request_is_another_key(name):
    request = Request((Message("user", "ask"),), SCHEMA)
    changed = replace(request, **{name: CHANGES[name]})
    before, after = keys_of(Asks(request)), keys_of(Asks(changed))
    assert before.request != after.request
    assert before.result != after.result


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (structured(), structured("Read it {{ input }}")),
        (structured(), structured(schema={"type": "object"})),
        (structured(model=chat()), structured(model=chat(name="other"))),
        (structured(model=chat()), structured(model=chat(Sampling(temperature=0)))),
        (structured(model=chat(Sampling(temperature=0))), structured(model=chat(Sampling(temperature=0.5)))),
        (structured(model=chat(Sampling(max_tokens=10))), structured(model=chat(Sampling(max_tokens=11)))),
        (structured(model=chat()), structured(model=chat(Sampling(seed=1)))),
    ],
    ids=["prompt", "schema", "model", "temperature set", "temperature", "max_tokens", "seed"],
)
def test_a_change_of_what_is_asked_is_another_key(one, other):
    assert keys_of(one).request != keys_of(other).request


def test_other_input_id_and_salt_are_other_keys():
    keys = {
        keys_of(structured()).request,
        keys_of(structured(), unit=Unit("u", {"x": 2})).request,
        keys_of(structured(), binding_id="q").request,
        keys_of(structured(), salt=b"other").request,
    }
    assert len(keys) == 4


def test_the_order_of_members_and_the_key_of_the_unit_do_not_matter_but_the_text_that_is_sent_does():
    class Same(Asks):
        def fingerprint(self, attempt):
            return dict(reversed(super().fingerprint(attempt).items()))

    request = Request((Message("user", "ask"),), {"type": "object", "title": "t"})
    reordered = replace(request, output_schema={"title": "t", "type": "object"})
    assert keys_of(Asks(request)) == keys_of(Same(reordered))
    assert keys_of(structured()) == keys_of(structured(), unit=Unit("another", UNIT.value, 7, "elsewhere"))


def test_credentials_addresses_and_time_limits_do_not_matter():
    one = structured(model=chat(key="k1"))
    other = structured(model=chat(key="k2", url="http://127.0.0.1:2/other"))
    assert keys_of(one) == keys_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"validators": [ValidatorBinding("v", bool)]}),
        ({"validators": [ValidatorBinding("v", bool)]}, {"validators": [ValidatorBinding("w", bool)]}),
        (
            {"validators": [ValidatorBinding("v", bool, version="1")]},
            {"validators": [ValidatorBinding("v", bool, version="2")]},
        ),
        ({"validators": [ValidatorBinding("v", {})]}, {"validators": [ValidatorBinding("v", {"type": "object"})]}),
        ({}, {"policy": Policy(rejection=Disposition.WARN_CONTINUE)}),
    ],
    ids=["added", "id", "version", "schema", "policy"],
)
def test_a_change_of_the_checks_or_the_policy_is_another_result_of_the_same_request(one, other):
    before, after = keys_of(structured(), **one), keys_of(structured(), **other)
    assert before.request == after.request
    assert before.result != after.result


def test_time_limits_and_budgets_of_validators_do_not_matter():
    one = [ValidatorBinding("v", bool, execution_retries=0, timeout_s=1)]
    other = [ValidatorBinding("v", bool, execution_retries=3, timeout_s=9)]
    assert keys_of(structured(), validators=one) == keys_of(structured(), validators=other)


def test_what_is_no_json_has_no_keys():
    class Unknown(Asks):
        def fingerprint(self, _attempt):
            return {"request": object()}

    class Silent(Asks):
        fingerprint = None

    assert keys_of(Unknown(Request(()))) is None
    assert keys_of(Silent(Request(()))) is None


def test_the_salt_is_needed_to_tell_a_request_from_its_key():
    """The keys are no digests of texts that could be guessed."""
    assert keys_of(structured(), salt=b"a" * 32).request != keys_of(structured(), salt=b"b" * 32).request


def at_least(limit):
    def check(value):
        return None if value["a"] >= limit else [Defect("low", "/a", f"less than {limit}")]

    return check


def run(store, model, check, version, name):
    output = StructuredOutput.of_schema(SCHEMA)
    producer = StructuredProducer(model, Prompt("p", 1, "x", ("input",), "Read {{ input }}"), output)
    binding = ProducerBinding(
        "p",
        producer,
        [ValidatorBinding("limit", check, version=version)],
        retries=0,
        policy=Policy(rejection=Disposition.WARN_CONTINUE),
    )
    units = [Unit("low", 1), Unit("high", 2)]

    async def work():
        await Pipeline([binding]).aio.run(units, store=StoredRun(store, RunSpec(name)), concurrency=1)
        return [result async for result in store.results(RunSpec(name).run_id)]

    return asyncio.run(work())


def test_where_only_validators_changed_no_call_is_made_for_what_still_passes():
    store = MemoryStore()
    first = ScriptedModel(['{"a": 1}', '{"a": 9}'])
    assert [result.outcome for result in run(store, first, at_least(0), "1", "one")] == [Outcome.ACCEPTED] * 2
    again = ScriptedModel([])
    assert [result.value for result in run(store, again, at_least(0), "1", "two")] == [{"a": 1}, {"a": 9}]
    assert not again.requests
    stricter = ScriptedModel(['{"a": 7}'])
    results = run(store, stricter, at_least(5), "2", "three")
    assert [result.value for result in results] == [{"a": 7}, {"a": 9}]
    assert len(stricter.requests) == 1
    rules, asked = stricter.requests[0].messages
    assert (rules.role, asked.role) == ("system", "user")
    assert "1" in asked.content
