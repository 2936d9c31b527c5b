"""Pipelines for tests: one producer over a model that does what a function says, and keeps nothing that it was told."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from veracord.pipeline import Outcome, Pipeline, Policy, ProducerBinding, Unit, UnitResult, ValidatorBinding
from veracord.promptkit import Prompt, Request, Response, StructuredOutput, StructuredProducer
from veracord.testing import MemoryStore

#: Far more than anything here takes; what takes longer hangs.
GENEROUS_S = 10.0

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
GOOD = '{"name": "A", "age": 36}'
BAD = '{"name": "A", "age": -1}'

Says = Callable[[Request], str | Response | Awaitable[str | Response]]


class FunctionModel:
    """A model that answers as a function of the request does.

    Attributes:
        asked: How many requests came.
    """

    settings: Mapping[str, Any] = {"adapter": "function"}

    def __init__(self, says: Says) -> None:
        self._says = says
        self.asked = 0

    async def complete(self, request: Request) -> Response:
        self.asked += 1
        said = self._says(request)
        if isinstance(said, Awaitable):
            said = await said
        return Response(said) if isinstance(said, str) else said

    async def aclose(self) -> None:
        pass


class Waiting:
    """What says nothing until it is let go; use its methods on one event loop.

    Attributes:
        waiting: How many wait.
    """

    def __init__(self) -> None:
        self.waiting = 0
        self._changed = asyncio.Condition()
        self._open = asyncio.Event()

    async def wait(self, *_: object) -> None:
        async with self._changed:
            self.waiting += 1
            self._changed.notify_all()
        try:
            await self._open.wait()
        finally:
            self.waiting -= 1

    async def until(self, number: int) -> None:
        """Wait until so many wait."""
        async with asyncio.timeout(GENEROUS_S), self._changed:
            await self._changed.wait_for(lambda: self.waiting >= number)

    def let_go(self) -> None:
        self._open.set()


def never_negative(value: Any) -> list[str]:
    return ["age must not be negative"] if value["age"] < 0 else []


def producer_of(model: Any, *, prompt: str = "Extract {{ input }}", **output: Any) -> StructuredProducer[Any]:
    return StructuredProducer(
        model, Prompt("p", 1, "x", ("input",), prompt), StructuredOutput.of_schema(SCHEMA, **output)
    )


def pipeline_of(
    model: Any, checks: Sequence[Any] = (), *, policy: Policy | None = None, clock: Any = None, **binding: Any
) -> Pipeline:
    """Return a pipeline of one producer, `p`.

    Args:
        model: A model, a function from the request to an answer, or an answer.
        checks: Bindings, or validators, which are then called v0, v1 and so on.
        policy: The pipeline's.
        clock: The pipeline's.
        binding: Further arguments for the producer's binding.
    """
    if isinstance(model, str):
        model = FunctionModel(lambda _, answer=model: answer)
    elif not hasattr(model, "complete"):
        model = FunctionModel(model)
    validators = [
        check if isinstance(check, ValidatorBinding) else ValidatorBinding(f"v{number}", check)
        for number, check in enumerate(checks)
    ]
    return Pipeline([ProducerBinding("p", producer_of(model), validators, **binding)], policy=policy, clock=clock)


def units_of(number: int) -> list[Unit]:
    return [Unit(f"u{position}", {"number": position}, position) for position in range(number)]


def results_of(store: MemoryStore) -> list[UnitResult[Any]]:
    """Return the results of the latest run; also for tests that are on an event loop, since this store never waits."""
    results: list[UnitResult[Any]] = []
    reading = store.results()
    while True:
        try:
            anext(reading).send(None)
        except StopIteration as found:
            results.append(found.value)
        except StopAsyncIteration:
            return results


def outcomes_of(store: MemoryStore) -> dict[str, Outcome]:
    return {result.key: result.outcome for result in results_of(store)}
