"""Many units at the same time, and many rejections of one unit in a row, each in a process of its own.

As a script it is that process: it does what it is asked and prints what it took as JSON.
"""

import argparse
import asyncio
import gc
import itertools
import json
import os
import subprocess
import sys
import time
import tracemalloc
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

# A script of this folder is no installed package.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.figures import Figure, expect
from bench.model_stack import build_model, build_pipeline, unit
from bench.process_memory import is_measurable, resident_mb
from bench.server_process import ServerProcess
from veracord.pipeline import Outcome, ValidatorBinding

_LATENCY_MS: Final = 200
#: One after the other would take 200 s; a busy machine needs most of it for a thousand new connections.
_IN_FLIGHT_AT_MOST_S: Final = 3.0
_GROWTH_AT_MOST_KB: Final = 64.0
_SLOWER_AT_MOST: Final = 1.25


def measure_in_flight(server: ServerProcess, count: int, environment: Mapping[str, str]) -> Iterator[Figure]:
    """Yield the time and the memory of many units at once."""
    server.script(latency_ms=_LATENCY_MS)
    took = _ask("in-flight", server, count, environment)
    first, second = took["seconds"]
    most = server.most()
    yield Figure(
        f"{count:,} units in flight, {_LATENCY_MS} ms each",
        first,
        "s",
        at_most=_IN_FLIGHT_AT_MOST_S,
        detail=f"{most:,} at the same time; again with open connections {second:.2f} s; "
        f"processor {took['processor_s']:.2f} s for both",
        data=took,
    )
    if is_measurable():
        yield Figure(
            "memory of each unit in flight",
            (took["most_mb"] - took["idle_mb"]) * 1e3 / count,
            "kB",
            detail=f"{took['most_mb']:.0f} MB at the most, {took['idle_mb']:.0f} MB with nothing in flight",
        )


def measure_rejections(server: ServerProcess, count: int, environment: Mapping[str, str]) -> Iterator[Figure]:
    """Yield how memory and time grow over many rejections of one unit."""
    server.script(count)
    traced = _ask("memory", server, count, environment)
    server.script(count)
    timed = _ask("rejections", server, count, environment)
    tenth = max(1, count // 10)
    # The first tenth opens the connection and fills what is filled once.
    sizes, gaps = traced["traced_kb"], timed["processor_ms"]
    yield Figure(
        f"growth of memory, {count:,} rejections in a row",
        sizes[-1] - sizes[tenth],
        "kB",
        at_most=_GROWTH_AT_MOST_KB,
        detail=f"objects of Python {sizes[tenth]:.0f} kB at 10 % and {sizes[-1]:.0f} kB at the end; "
        f"resident {timed['resident_mb'][tenth]:.1f} and {timed['resident_mb'][-1]:.1f} MB",
        data={"traced_kb": sizes[:: max(1, tenth // 10)]},
    )
    half = (tenth + len(gaps)) // 2
    # The lower quartile: a slow moment of the machine is longer than a tenth of this.
    early, late = (quantiles(part, n=4)[0] for part in (gaps[tenth:half], gaps[half:]))
    yield Figure(
        "time of a late rejection against an early one",
        late / early,
        "x",
        at_most=_SLOWER_AT_MOST,
        detail=f"processor {early:.3f} ms in the first half, {late:.3f} ms in the second, lower quartiles",
        data={"processor_ms": gaps},
    )


def _ask(task: str, server: ServerProcess, count: int, environment: Mapping[str, str]) -> dict[str, Any]:
    command = [sys.executable, str(Path(__file__)), task, server.url, str(count)]
    done = subprocess.run(command, env=dict(environment), stdout=subprocess.PIPE, check=True)
    took: dict[str, Any] = json.loads(done.stdout)
    return took


async def _run_in_flight(url: str, count: int) -> dict[str, Any]:
    """Bring many units to their end at once, twice; the second time connections are open."""
    model = build_model(url)
    pipeline = build_pipeline(model)
    await pipeline.aio.run_unit(unit())
    most_mb = idle_mb = _resident_mb()
    seconds = []
    processor = time.process_time()
    for _ in range(2):
        began = time.perf_counter()
        run = asyncio.create_task(pipeline.aio.run(map(unit, range(count)), concurrency=count))
        while not run.done():
            await asyncio.wait([run], timeout=_LATENCY_MS / 10_000)
            most_mb = max(most_mb, _resident_mb())
        report = run.result()
        seconds.append(time.perf_counter() - began)
        expect(holds=report.outcomes == {Outcome.ACCEPTED: count}, what=f"not all were accepted: {report.outcomes}")
    processor = time.process_time() - processor
    await model.aclose()
    return {"seconds": seconds, "processor_s": processor, "idle_mb": idle_mb, "most_mb": most_mb}


@dataclass(slots=True)
class _Onlooker:
    """A validator that finds nothing and notes where the process stands, in memory that was taken before."""

    look: Callable[[], tuple[float, float]]
    first: "array[float]"
    second: "array[float]"
    seen: int = 0

    def __call__(self, _visitor: object) -> None:
        self.first[self.seen], self.second[self.seen] = self.look()
        self.seen += 1


async def _reject(url: str, count: int, look: Callable[[], tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Let one unit be rejected many times, then accepted, and return what was seen at each attempt."""
    first, second = (array("d", bytes(8 * (count + 1))) for _ in range(2))
    onlooker = _Onlooker(look, first, second)
    model = build_model(url)
    pipeline = build_pipeline(model, retries=count, further=[ValidatorBinding("onlooker", onlooker)])
    result = await pipeline.aio.run_unit(unit())
    await model.aclose()
    expect(
        holds=result.outcome is Outcome.ACCEPTED and result.attempts == count + 1,
        what=f"a unit ended as {result.outcome.value} after {result.attempts} attempts",
    )
    return list(first), list(second)


def _traced_kb() -> tuple[float, float]:
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1e3, 0.0


def _resident_mb() -> float:
    return resident_mb(os.getpid()) if is_measurable() else 0.0


def _stand() -> tuple[float, float]:
    return time.process_time() * 1e3, _resident_mb()


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=["in-flight", "memory", "rejections"])
    parser.add_argument("url")
    parser.add_argument("count", type=int)
    asked = parser.parse_args()
    if asked.task == "in-flight":
        print(json.dumps(asyncio.run(_run_in_flight(asked.url, asked.count))))
    elif asked.task == "memory":
        tracemalloc.start()
        print(json.dumps({"traced_kb": asyncio.run(_reject(asked.url, asked.count, _traced_kb))[0]}))
    else:
        moments, resident = asyncio.run(_reject(asked.url, asked.count, _stand))
        gaps = [after - before for before, after in itertools.pairwise(moments)]
        print(json.dumps({"processor_ms": gaps, "resident_mb": resident}))


if __name__ == "__main__":
    _main()
