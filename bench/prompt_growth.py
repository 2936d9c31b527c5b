"""How much is sent for a number of rejections: what a server got, ours beside the least that tells a model anything.

The least is two messages on top of the ordinary request: the latest answer, and under a heading what pydantic says
of it.
"""

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any, Final

from bench.figures import Figure, expect
from bench.model_stack import Floor, build_model, build_pipeline, unit
from bench.server_process import ServerProcess
from veracord.pipeline import Outcome

_MOST: Final = 6

Log = list[dict[str, Any]]


def measure(server: ServerProcess) -> Iterator[Figure]:
    """Yield the messages, the bytes and the growth of the bytes over one to six rejections."""
    ours, least = [], []
    for rejections in range(1, _MOST + 1):
        server.script(rejections, keep_log=True)
        asyncio.run(_correct(server, rejections))
        ours.append(server.log())
        server.script(rejections, keep_log=True)
        _correct_barely(server, rejections)
        least.append(server.log())
    counts = [[asked["messages"] for asked in log] for log in ours]
    base = counts[0][0]
    growing = sum(
        asked != (base if number == 0 else base + 2) for count in counts for number, asked in enumerate(count)
    )
    expect(holds=all(len(count) == n for n, count in enumerate(counts, 2)), what="not one request for each attempt")
    our_bytes, least_bytes = [_bytes(log) for log in ours], [_bytes(log) for log in least]
    yield Figure(
        "corrections: requests not of base + 2 messages",
        growing,
        at_most=0,
        detail=f"messages at {_MOST} rejections: {', '.join(map(str, counts[-1]))}",
        data={"messages": counts},
    )
    yield Figure(
        "corrections: prompt bytes against two messages",
        max(a / b for a, b in zip(our_bytes, least_bytes, strict=True)),
        "x",
        at_most=1.0,
        detail=f"the worst of 1 to {_MOST} rejections; {our_bytes} and {least_bytes}",
        data={"ours": our_bytes, "least": least_bytes},
    )
    steps = [after - before for before, after in itertools.pairwise(our_bytes)]
    yield Figure(
        "corrections: bytes of each further one, spread",
        max(steps) - min(steps),
        "B",
        at_most=0,
        detail=f"{steps[0]} B for each further rejection",
    )


async def _correct(server: ServerProcess, rejections: int) -> None:
    model = build_model(server.url)
    result = await build_pipeline(model, retries=rejections).aio.run_unit(unit())
    await model.aclose()
    expect(holds=result.outcome is Outcome.ACCEPTED, what=f"a unit ended as {result.outcome.value}")


def _correct_barely(server: ServerProcess, rejections: int) -> None:
    floor = Floor(server.port)
    found = floor.call_with_corrections(rejections)
    floor.close()
    expect(holds=found is not None, what="the least has no answer")


def _bytes(log: Log) -> int:
    return sum(asked["prompt_bytes"] for asked in log)
