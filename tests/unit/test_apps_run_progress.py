"""How far a run is: numbers that add up, one JSON line at a time where nobody watches."""

import asyncio
import json
from contextlib import suppress

import pytest

from veracord.apps.run_progress import RunProgress
from veracord.pipeline import Outcome, UnitResult
from veracord.ports import Usage


def result(outcome: Outcome, **usage: int) -> UnitResult[object]:
    return UnitResult("a", 0, outcome, usage=Usage(requests=1, **usage))


async def _watch(progress: RunProgress, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    ticking = asyncio.create_task(progress.tick())
    text = ""
    while text.count("\n") < 2:
        await asyncio.sleep(0)
        text += capsys.readouterr().err
    ticking.cancel()
    with suppress(asyncio.CancelledError):
        await ticking
    return [json.loads(line) for line in text.splitlines()]


def test_where_nobody_watches_a_line_of_json_is_told_again_and_again(capsys):
    progress = RunProgress(4, every_s=0.001)
    progress.add(result(Outcome.ACCEPTED, input_tokens=7, output_tokens=3))
    progress.add(result(Outcome.REJECTED, input_tokens=7))
    progress.add(result(Outcome.ACCEPTED_INCOMPLETE))
    told = asyncio.run(_watch(progress, capsys))[0]["progress"]
    progress.close()
    assert capsys.readouterr().err == ""
    assert (told["done"], told["total"], told["failed"]) == (3, 4, 1)
    assert (told["input_tokens"], told["output_tokens"], told["cost_usd"]) == (14, 3, None)
    assert told["rate_per_s"] > 0
    assert isinstance(told["eta_s"], int)


def test_before_the_first_unit_has_ended_nothing_is_foretold():
    assert RunProgress(4).state() | {"rate_per_s": 0} == {
        "done": 0,
        "total": 4,
        "reused": 0,
        "failed": 0,
        "rate_per_s": 0,
        "eta_s": None,
        "input_tokens": None,
        "output_tokens": None,
        "cost_usd": None,
    }


def test_a_short_run_tells_nothing(capsys):
    async def ends_at_once():
        ticking = asyncio.create_task(RunProgress(1).tick())
        await asyncio.sleep(0)
        ticking.cancel()

    asyncio.run(ends_at_once())
    assert capsys.readouterr().err == ""
