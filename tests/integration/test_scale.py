"""Many rejections in a row, and many units at once."""

import asyncio
import gc
import tracemalloc
from typing import Any

from tests.contract.model_server import Answer, ModelServer
from tests.integration.pipelines import (
    BAD,
    GENEROUS_S,
    GOOD,
    FunctionModel,
    Waiting,
    never_negative,
    outcomes_of,
    pipeline_of,
    units_of,
)
from veracord.models.chat_completions import ChatCompletionsModel
from veracord.pipeline import Outcome
from veracord.ports import Usage
from veracord.testing import MemoryStore


def test_a_thousand_rejections_in_a_row_take_no_more_memory_than_a_hundred():
    peaks: dict[int, int] = {}
    sizes: set[tuple[int, int]] = set()

    def says(request: Any) -> str:
        sizes.add((len(request.messages), sum(len(message.content) for message in request.messages)))
        return BAD

    for retries in (50, 100, 1000):  # the first one fills caches
        model = FunctionModel(says)
        pipeline = pipeline_of(model, [never_negative], retries=retries)
        sizes.clear()
        gc.collect()
        tracemalloc.start()
        result = asyncio.run(pipeline.aio.run_unit(units_of(1)[0]))
        peaks[retries] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert result.outcome is Outcome.REJECTED
        assert (result.attempts, model.asked) == (retries + 1, retries + 1)
        assert result.usage == Usage(requests=retries + 1, unmetered=retries + 1)
        # Every correction is as long as the first one.
        assert [messages for messages, _ in sorted(sizes)] == [2, 4]
    assert peaks[1000] - peaks[100] < 64 * 1024


def test_a_thousand_units_are_in_flight_at_once():
    waiting = Waiting()
    store = MemoryStore()

    async def says(_: Any) -> str:
        await waiting.wait()
        return GOOD

    async def main() -> Any:
        work = pipeline_of(says).aio.run(units_of(1500), store=store, concurrency=1000)
        task = asyncio.create_task(work)
        await waiting.until(1000)
        assert waiting.waiting == 1000
        waiting.let_go()
        return await task

    report = asyncio.run(main())
    assert report.outcomes == {Outcome.ACCEPTED: 1500}
    assert set(outcomes_of(store).values()) == {Outcome.ACCEPTED}
    assert len(store.receipts) == 1500


def test_many_units_are_in_flight_over_http():
    number = 200

    async def main(server: ModelServer) -> Any:
        model = ChatCompletionsModel(server.chat_url, "m")
        try:
            async with asyncio.timeout(3 * GENEROUS_S):
                return await pipeline_of(model).aio.run(units_of(number), concurrency=number)
        finally:
            await model.aclose()

    with ModelServer(default=Answer(GOOD)) as server:
        report = asyncio.run(main(server))
        assert len(server.requests) == number
    assert report.outcomes == {Outcome.ACCEPTED: number}
    assert report.usage == Usage(number, 7 * number, 3 * number)
