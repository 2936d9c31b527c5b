"""Our side in the reference's bench of retry libraries; `bench/with_peers.py` puts it into a copy of that bench.

It asks as the others there do: the same prompt, model and key, and the same rule, which stands in the pydantic model
that is our validator.  Transport errors are not sent again, as there.
"""

import atexit
import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

from veracord.models.chat_completions import ChatCompletionsModel
from veracord.models.transport import TransportOptions
from veracord.pipeline import AsyncPipeline, Disposition, Policy, ProducerBinding, Unit, UnitResult, ValidatorBinding
from veracord.promptkit import Message, StructuredOutput, StructuredProducer


def veracord(url: str, n: int, crash: bool) -> Callable[[], Any]:  # noqa: FBT001 - called by position there
    """Return what asks for one person, and raises what a run of ours raises.

    Args:
        url: The server.
        n: The budget of corrections, and the one of repairs of the form.
        crash: Whether the validator itself fails.
    """
    peers: Any = importlib.import_module("peers")
    person, ordinary = peers.person(crash), (Message("user", peers.PROMPT),)
    form = StructuredOutput.of_schema(person.model_json_schema(), name="person", structure_repairs=n)
    producer = StructuredProducer(_model(url), lambda _attempt: ordinary, form)
    binding = ProducerBinding("person", producer, [ValidatorBinding("rule", person)], retries=n)
    # Nothing is accepted that was not checked.
    policy = Policy(validator_execution_failure=Disposition.FAIL_RUN)
    pipeline, loop = AsyncPipeline([binding], policy=policy), peers.loop()

    async def run() -> Any:  # noqa: ANN401 - a person, of a class that is made over there
        settled: list[UnitResult[Any]] = []
        await pipeline.run([Unit("ada", None)], concurrency=1, on_settled=settled.append)
        return person.model_validate(settled[0].value)

    def call() -> Any:  # noqa: ANN401 - a person
        return loop.run_until_complete(run())

    return call


@cache
def _model(url: str) -> ChatCompletionsModel:
    """Return the model behind a server; over there nobody closes what is built, so it is one, closed at the end."""
    peers: Any = importlib.import_module("peers")
    model = ChatCompletionsModel(
        f"{url}/v1", peers.MODEL, api_key=peers.KEY, transport=TransportOptions(retries=0, timeout_s=30)
    )
    loop = peers.loop()
    atexit.register(lambda: loop.run_until_complete(model.aclose()))
    return model
