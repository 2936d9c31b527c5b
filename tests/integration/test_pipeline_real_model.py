"""A whole pipeline with a real language model: its answers are checked, rejected, corrected, and given up.

The model is small and rarely mends what it is told; that a correction helps is shown elsewhere, with scripted answers
over a real server.  What is shown here holds whatever it answers.
"""

import asyncio
import json
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.contract.model_server import ModelServer, Received, Status
from veracord.models import ChatCompletionsModel, LlamaCppModel, Sampling
from veracord.pipeline import (
    Disposition,
    Outcome,
    Pipeline,
    Policy,
    ProducerBinding,
    Unit,
    UnitResult,
    ValidatorBinding,
)
from veracord.ports import Model, Request, Response
from veracord.promptkit import Prompt, StructuredOutput, StructuredProducer
from veracord.testing import MemoryStore

UNITS = 20
#: In this process; over HTTP there are enough.
FEWER_UNITS = 3
RETRIES = 1
PROMPT = Prompt(
    "reading",
    1,
    "Copy one number.",
    ("input",),
    'Give the number that `field` names.\nfield a of <input>{"a": 12, "b": 7}</input> is {"value": 12}\n'
    'field b of <input>{"a": 3, "b": 40}</input> is {"value": 40}\n{{ input }}',
)
SCHEMA = {
    "type": "object",
    "properties": {"value": {"type": "integer", "minimum": 0, "maximum": 9999}},
    "required": ["value"],
    "additionalProperties": False,
}


def units(count: int = UNITS) -> list[Unit]:
    return [
        Unit(f"u{n}", {"field": "a" if n % 2 else "b", "a": 10 + 7 * n, "b": 300 + 11 * n}, n) for n in range(count)
    ]


def is_the_field(value: dict, unit: Unit) -> list[str]:
    right = unit.value[unit.value["field"]]
    return [] if value["value"] == right else [f"value is not the number of field {unit.value['field']}"]


def pipeline_of(model: Model, policy: Policy) -> Pipeline:
    output = StructuredOutput.of_schema(SCHEMA)
    producer = StructuredProducer(model, PROMPT, output)
    return Pipeline(
        [
            ProducerBinding(
                "reading", producer, [ValidatorBinding("field", is_the_field)], retries=RETRIES, policy=policy
            )
        ]
    )


GO_ON = Policy(
    rejection=Disposition.WARN_CONTINUE,
    structural_failure=Disposition.WARN_CONTINUE,
    truncation=Disposition.WARN_CONTINUE,
)


def run(pipeline: Pipeline, model: Model, store: MemoryStore, count: int = UNITS) -> list[UnitResult]:
    async def work() -> list[UnitResult]:
        try:
            await pipeline.aio.run(units(count), store=store, concurrency=2)
            return [result async for result in store.results()]
        finally:
            await model.aclose()

    return asyncio.run(work())


def check_results(results: list[UnitResult], store: MemoryStore) -> None:
    """What must hold whatever the model answers."""
    for unit, result in zip(units(len(results)), results, strict=True):
        own = [receipt for receipt in store.receipts if receipt.unit_key == unit.key]
        assert len(own) == result.attempts <= 1 + RETRIES
        if result.outcome is Outcome.ACCEPTED:
            assert result.value == {"value": unit.value[unit.value["field"]]}
        else:
            assert result.outcome in (Outcome.REJECTED, Outcome.STRUCTURAL_FAILURE, Outcome.TRUNCATED)
            assert result.value is None
        if result.outcome is Outcome.REJECTED:
            assert result.attempts == 1 + RETRIES
            assert [receipt.is_correction for receipt in own] == [False, True]
        assert result.usage.input_tokens
        assert not result.usage.unmetered
    outcomes = Counter(result.outcome for result in results)
    assert outcomes[Outcome.REJECTED], "no answer was wrong: the units are too easy for this model"


def check_corrections(conversations: list[list[dict]], count: int = UNITS) -> None:
    """Every request is a base, or a base and exactly two messages; at least one is a correction."""
    bases = {json.dumps(messages[:2]) for messages in conversations if len(messages) == 2}
    corrected = [messages for messages in conversations if len(messages) != 2]
    assert len(bases) == count
    assert corrected
    for messages in corrected:
        assert len(messages) == 4
        assert json.dumps(messages[:2]) in bases
        assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]


@contextmanager
def logged(base_url: str) -> Iterator[ModelServer]:
    """A server that keeps every request and lets another one answer it."""

    def forward(request: Received) -> Status:
        headers = {"Content-Type": "application/json"}
        asked = urllib.request.Request(f"{base_url}/chat/completions", request.body, headers)  # noqa: S310 - our own
        with urllib.request.urlopen(asked, timeout=60) as response:  # noqa: S310 - the same
            return Status(response.status, response.read())

    with ModelServer(forward) as server:
        yield server


@pytest.mark.slow  # twenty units and more, answered by a real model at some 80 tokens a second
def test_a_real_model_over_http_is_rejected_corrected_and_given_up(llama_server: str) -> None:
    with logged(llama_server) as server:
        model = ChatCompletionsModel(server.chat_url, "small", sampling=Sampling(temperature=0, max_tokens=24, seed=1))
        store = MemoryStore()
        results = run(pipeline_of(model, GO_ON), model, store)
        assert len(results) == UNITS
        check_results(results, store)
        check_corrections([request.messages for request in server.requests])
        assert len(server.requests) == sum(result.usage.requests for result in results)


class Kept:
    """A model with a list of what it was asked."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.settings = model.settings
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Response:
        self.requests.append(request)
        return await self._model.complete(request)

    async def aclose(self) -> None:
        await self._model.aclose()


@pytest.mark.slow  # the same in this process
def test_a_real_model_in_this_process_is_rejected_corrected_and_given_up(small_model_path: Path) -> None:
    model = Kept(LlamaCppModel(small_model_path, context_tokens=1024, temperature=0, max_tokens=24, seed=1))
    store = MemoryStore()
    results = run(pipeline_of(model, GO_ON), model, store, FEWER_UNITS)
    assert len(results) == FEWER_UNITS
    check_results(results, store)
    conversations = [[{"role": m.role, "content": m.content} for m in kept.messages] for kept in model.requests]
    check_corrections(conversations, FEWER_UNITS)


def test_the_policy_ends_the_run_when_a_real_model_stays_wrong(llama_server: str) -> None:
    model = ChatCompletionsModel(llama_server, "small", sampling=Sampling(temperature=0, max_tokens=24, seed=1))

    def never(value: dict) -> list[str]:
        return [f"no number is right, and {value['value']} is not"]

    producer = StructuredProducer(model, PROMPT, StructuredOutput.of_schema(SCHEMA))
    pipeline = Pipeline([ProducerBinding("reading", producer, [ValidatorBinding("never", never)], retries=2)])

    async def work() -> UnitResult:
        try:
            return await pipeline.aio.run_unit(units()[0])
        finally:
            await model.aclose()

    result = asyncio.run(work())
    assert (result.outcome, result.disposition) == (Outcome.REJECTED, Disposition.FAIL_RUN)
    assert result.attempts == 3
    assert result.rejected_by == {"never": ("rejected",)}
