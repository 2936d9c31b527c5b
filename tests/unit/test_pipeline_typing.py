"""What a type checker makes of validators and policies, and what happens to those that no type checker has seen."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from veracord.pipeline import (
    SINGLE_RESPONSE_V1,
    AsyncPipeline,
    Correction,
    Defect,
    Disposition,
    Outcome,
    Policy,
    ProducerBinding,
    Unit,
    ValidatorBinding,
    Verdict,
)
from veracord.promptkit import Message, StructuredOutput, StructuredProducer
from veracord.testing import MemoryStore, ScriptedModel

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).with_name("typing_cases")
MARK = re.compile(r"# error: ([a-z-]+)$")
ERROR = re.compile(r"^(.+\.py):(\d+): error: .*\[([a-z-]+)\]$")


def expected_errors():
    found = set()
    for path in sorted(FOLDER.glob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if mark := MARK.search(line):
                found.add((path.name, number, mark[1]))
    return found


def test_the_type_checker_accepts_and_refuses_line_by_line():
    """One run over all case files, with the project's own settings."""
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--no-pretty", "--no-error-summary"]
    command += ["--no-color-output", "--cache-dir", ".mypy_cache/typing_cases"]
    files = sorted(str(path.relative_to(ROOT)) for path in FOLDER.glob("*.py"))
    done = subprocess.run(
        [*command, *files], cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stderr == ""
    found = set()
    for line in done.stdout.splitlines():
        if ": note: " in line:
            continue
        error = ERROR.match(line)
        assert error is not None, line
        found.add((Path(error[1]).name, int(error[2]), error[3]))
    expected = expected_errors()
    assert sorted(found - expected) == []
    assert sorted(expected - found) == []
    assert len(expected) > 20
    assert len(files) >= 2


class Plain:
    correction_protocol = SINGLE_RESPONSE_V1

    async def produce(self, attempt):
        return attempt.candidate({"age": 1}, controlling_response="text")


def generate(_value):
    yield Defect("c", "", "SECRET")


async def generate_later(_value):
    yield Defect("c", "", "SECRET")


async def decide_later(_value):
    return Disposition.FAIL_RUN


NO_VERDICTS = {
    "disposition": lambda _: Disposition.FAIL_RUN,
    "other disposition": lambda _: Disposition.WARN_CONTINUE,
    "outcome": lambda _: Outcome.REJECTED,
    "policy": lambda _: Policy(),
    "correction": lambda _: Correction("SECRET", ()),
    "coroutine": decide_later,
    "false": lambda _: False,
    "nought": lambda _: 0,
    "one": lambda _: 1,
    "text": lambda _: "SECRET",
    "empty text": lambda _: "",
    "bytes": lambda _: b"SECRET",
    "generator": generate,
    "asynchronous generator": generate_later,
    "iterator": lambda _: iter([Defect("c", "", "SECRET")]),
    "set": lambda _: {Defect("c", "", "SECRET")},
    "dictionary": lambda _: {"SECRET": "SECRET"},
    "defect": lambda _: Defect("c", "", "SECRET"),
    "failed verdict": lambda _: Verdict.execution_failed("SECRET"),
    "class of verdicts": lambda _: Verdict,
}


@pytest.mark.parametrize("name", NO_VERDICTS)
@pytest.mark.parametrize("timeout_s", [None, 30])
def test_what_is_no_verdict_is_a_check_that_could_not_be_run(name, timeout_s):
    validator = ValidatorBinding("v", NO_VERDICTS[name], execution_retries=1, timeout_s=timeout_s)
    store = MemoryStore()
    pipeline = AsyncPipeline([ProducerBinding("p", Plain(), [validator], retries=3)])

    async def run():
        await pipeline.run([Unit("key", 1)], store=store)
        return [result async for result in store.results()]

    (result,) = asyncio.run(run())
    assert result.outcome is Outcome.ACCEPTED_INCOMPLETE
    assert result.incomplete == ("p/v",)
    assert result.attempts == 1
    (receipt,) = store.receipts
    (check,) = receipt.checks
    assert (check.status, check.codes, check.execution_retries) == ("execution_failed", ("not_a_verdict",), 1)
    assert "SECRET" not in repr((result, receipt))


@pytest.mark.parametrize("found", [[Disposition.FAIL_RUN], [1], [None], [b"SECRET"], ["text", 5], [[]], (Defect,)])
def test_what_is_no_defect_makes_the_whole_no_verdict(found):
    pipeline = AsyncPipeline([ProducerBinding("p", Plain(), [ValidatorBinding("v", lambda _: found)], retries=3)])
    result = asyncio.run(pipeline.run_unit(Unit("key", 1)))
    assert (result.outcome, result.attempts) == (Outcome.ACCEPTED_INCOMPLETE, 1)


@pytest.mark.parametrize("found", [None, True, [], (), Verdict.passed()])
def test_what_says_that_nothing_is_wrong(found):
    pipeline = AsyncPipeline([ProducerBinding("p", Plain(), [ValidatorBinding("v", lambda _: found)])])
    assert asyncio.run(pipeline.run_unit(Unit("key", 1))).outcome is Outcome.ACCEPTED


@pytest.mark.parametrize("name", NO_VERDICTS)
def test_a_model_is_never_told_what_was_no_verdict(name):
    """Beside a rejection it is one check more that could not be run, and nothing else."""
    model = ScriptedModel(["{}", "{}"])
    producer = StructuredProducer(model, lambda _: [Message("user", "ask")], StructuredOutput.of_schema({}))
    validators = [ValidatorBinding("v", NO_VERDICTS[name]), ValidatorBinding("w", lambda _: ["no"])]
    result = asyncio.run(AsyncPipeline([ProducerBinding("p", producer, validators)]).run_unit(Unit("key", 1)))
    assert result.outcome is Outcome.REJECTED
    expected = 'Fix these and return the whole answer:\n- "no"\n1 check could not be run'
    assert [message.content for message in model.requests[1].messages] == ["ask", "{}", expected]
