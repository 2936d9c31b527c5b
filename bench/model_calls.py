"""What a call of a model costs through our whole stack, beside the least that anybody could do.

The floor is the standard library's HTTP client and one pydantic model.  Both sides ask the same server, in turns.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench import model_load, prompt_growth
from bench.figures import Figure, expect
from bench.model_stack import Floor, build_model, build_pipeline, unit
from bench.server_process import OURS, ServerProcess, choose_server, serve
from bench.timing import Turns, ratio, take_turns
from veracord.pipeline import Outcome, Pipeline, UnitResult

_ABOVE_FLOOR_AT_MOST_MS: Final = 0.25
_TIMES_FLOOR_AT_MOST: Final = 3.0
_CONCURRENCY: Final = 100
#: So long that no validator reaches it.
_LIMIT_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done.

    Attributes:
        rounds: How many turns each side gets.
        calls: Calls in one turn.
        in_flight: Units at the same time.
        rejections: Rejections of one unit in a row.
    """

    rounds: int
    calls: int
    in_flight: int
    rejections: int


def measure(sizes: Sizes, shared: Path | None, environment: Mapping[str, str]) -> Iterator[Figure]:
    """Yield the cost of a call, then what many at once and many in a row take, then the size of prompts.

    Args:
        sizes: How much is done.
        shared: The folder with the reference's server, or None.
        environment: For the processes that are started.
    """
    with serve(choose_server(shared)) as server:
        yield from _measure_calls(server, sizes)
        yield from prompt_growth.measure(server)
        yield from model_load.measure_rejections(server, sizes.rejections, environment)
    with serve(OURS) as server:
        # The other one takes a hundred connections at a time and lets the rest wait for a second.
        yield from model_load.measure_in_flight(server, sizes.in_flight, environment)


def _measure_calls(server: ServerProcess, sizes: Sizes) -> Iterator[Figure]:
    server.script()
    wall: Turns = {}
    with asyncio.Runner() as runner:
        floor, model, facade = Floor(server.port), build_model(server.url), build_pipeline(build_model(server.url))
        sides = _Sides(sizes.calls, runner, floor, build_pipeline(model), facade)
        with_limits = build_pipeline(model, timeout_s=_LIMIT_S)
        work: dict[str, Callable[[], object]] = {
            "floor": sides.floor,
            "run_unit": sides.one_after_the_other,
            "plain run_unit": sides.plain,
            "run": sides.many_at_once,
            "limits": lambda: runner.run(sides.await_units(with_limits)),
        }
        turns = take_turns({name: _timed(do, name, wall) for name, do in work.items()}, sizes.rounds)
        runner.run(model.aclose())
        facade.close()
        floor.close()
    yield from _figures(turns, {name: took[-sizes.rounds :] for name, took in wall.items()}, sizes.calls)


@dataclass(frozen=True, slots=True)
class _Sides:
    """The ways to make a number of calls; each one checks what comes back."""

    calls: int
    runner: asyncio.Runner
    bare: Floor
    pipeline: Pipeline
    facade: Pipeline

    def floor(self) -> None:
        for _ in range(self.calls):
            self.bare.call()

    def one_after_the_other(self) -> None:
        self.runner.run(self.await_units(self.pipeline))

    async def await_units(self, pipeline: Pipeline) -> None:
        for _ in range(self.calls):
            _check(await pipeline.aio.run_unit(unit()))

    def plain(self) -> None:
        for _ in range(self.calls):
            _check(self.facade.run_unit(unit()))

    def many_at_once(self) -> None:
        units = (unit(number) for number in range(self.calls))
        report = self.runner.run(self.pipeline.aio.run(units, concurrency=_CONCURRENCY))
        expect(holds=report.outcomes == {Outcome.ACCEPTED: self.calls}, what="a unit was not accepted")


def _check(result: UnitResult[Any]) -> None:
    expect(holds=result.outcome is Outcome.ACCEPTED, what=f"a unit ended as {result.outcome.value}: {result.code}")


def _timed(do: Callable[[], object], name: str, wall: Turns) -> Callable[[], None]:
    """Return work that also notes the time by the clock."""

    def work() -> None:
        began = time.perf_counter()
        do()
        wall.setdefault(name, []).append(time.perf_counter() - began)

    return work


def _figures(turns: Turns, wall: Turns, calls: int) -> Iterator[Figure]:
    def above(name: str) -> float:
        """Return how many milliseconds a call takes above the floor, the median over the rounds."""
        pairs = zip(turns[name], turns["floor"], strict=True)
        return median(ours - floor for ours, floor in pairs) / calls * 1e3

    def detail(name: str) -> str:
        sides = (("floor", "floor"), ("ours", name))
        cpu = ", ".join(f"{label} {median(turns[side]) / calls * 1e3:.3f}" for label, side in sides)
        clock = ", ".join(f"{label} {median(wall[side]) / calls * 1e3:.3f}" for label, side in sides)
        return f"processor {cpu} ms; by the clock {clock} ms"

    data = {"calls": calls, "processor_s": turns, "clock_s": wall}
    rounds = f"median of {len(turns['floor'])} rounds of {calls} calls"
    name, label = "run_unit", "await run_unit"
    yield Figure(f"{label} above the floor", above(name), "ms", _ABOVE_FLOOR_AT_MOST_MS, detail=detail(name), data=data)
    yield Figure(f"{label} against the floor", ratio(turns, name, "floor"), "x", _TIMES_FLOOR_AT_MOST, detail=rounds)
    for name, label in (
        ("plain run_unit", "plain run_unit above the floor"),
        ("run", f"{_CONCURRENCY} at once above the floor"),
        ("limits", "two validators in threads above the floor"),
    ):
        yield Figure(label, above(name), "ms", detail=detail(name))
