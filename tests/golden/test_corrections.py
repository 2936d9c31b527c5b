"""What a model is told after a rejection, byte for byte: ``corrections/ID.txt`` for each case of ``cases.jsonl``.

The files were written from the rules of the specification, not by the package.  They hold for every process, hash seed,
order in which a validator returns its defects, and version of Python.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.golden.corrections.render import read_cases, render
from tests.golden.runner import GOLDEN
from veracord.pipeline import AsyncPipeline, Defect, Outcome, ProducerBinding, Unit, ValidatorBinding
from veracord.promptkit import Message, StructuredOutput, StructuredProducer
from veracord.testing import MemoryStore, ScriptedModel

CASES = read_cases()
FOLDER = GOLDEN / "corrections"
RENDERER = FOLDER / "render.py"
PROCESSES = 50
#: Versions of Python that take part where they are on the path and have what the package needs.
OTHERS = ("python3.11", "python3.12", "python3.13", "python3.14", "python3.15")


def golden(case):
    return (FOLDER / f"{case['id']}.txt").read_bytes()


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_the_text_is_the_golden_one(case):
    assert render(case, 0).encode() == golden(case)


def test_every_golden_file_has_its_case():
    assert {path.stem for path in FOLDER.glob("*.txt")} == {case["id"] for case in CASES}
    assert len(CASES) == len({case["id"] for case in CASES})


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_the_golden_file_keeps_the_bounds(case):
    text = golden(case).decode()
    lines = text.split("\n")
    assert len(text) <= 4_000
    assert sum(line.startswith("- ") for line in lines) <= 20
    # What is not printable, beside the ends of our lines: a blank that does not break, and the two joiners.
    assert {character for line in lines for character in line if not character.isprintable()} <= set("\xa0\u200c\u200d")


def rendered(python, seed):
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(GOLDEN.parents[1] / "src")}
    done = subprocess.run(
        [python, str(RENDERER), str(seed)], capture_output=True, env=environment, check=False, timeout=60
    )
    return json.loads(done.stdout) if done.returncode == 0 else None


# Slow: fifty processes of Python start, which takes more than ten seconds on a busy machine.
@pytest.mark.slow
def test_processes_with_different_hash_seeds_and_pythons_tell_the_same(capsys):
    """Fifty processes of this Python, and two of each other version that is here."""
    others = [path for path in map(shutil.which, OTHERS) if path]
    work = [(sys.executable, seed) for seed in range(PROCESSES)]
    work += [(python, PROCESSES + seed) for python in others for seed in range(2)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda job: rendered(*job), work))
    assert None not in results[:PROCESSES]
    told = [result for result in results if result is not None]
    versions = sorted({result["python"] for result in told})
    with capsys.disabled():
        sys.stdout.write(f"\ncorrections: {len(told)} processes, Python {', '.join(versions)}\n")
    expected = {case["id"]: golden(case).decode() for case in CASES}
    for result in told:
        assert result["texts"] == expected


def test_a_response_of_ten_megabytes_is_carried_whole_and_nowhere_else():
    """The assistant's message alone holds it; no other message, receipt or result does."""
    size = 10 * 1024 * 1024
    large = json.dumps({"text": "L" * size})
    model = ScriptedModel([large, json.dumps({"text": "small"})])
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    base = [Message("user", "ask")]
    producer = StructuredProducer(model, lambda _: base, StructuredOutput.of_schema(schema))

    def short(value):
        # A validator that quotes the whole text tells at most 300 characters of it.
        return [Defect("long", "/text", f"too long: {value['text']}", value["text"])] if len(value["text"]) > 9 else []

    store = MemoryStore()
    pipeline = AsyncPipeline([ProducerBinding("p", producer, [ValidatorBinding("v", short)])])

    async def run():
        report = await pipeline.run([Unit("key", 1)], store=store)
        return report, [result async for result in store.results()]

    report, (result,) = asyncio.run(run())
    assert result.outcome is Outcome.ACCEPTED
    first, second = model.requests
    assert first.messages == tuple(base)
    _, assistant, user = second.messages
    assert assistant == Message("assistant", large)
    assert len(user.content) <= 4_000
    assert user.content.count("L") == 2 * 299 - len("too long: ")
    held = repr((report, result, store.receipts, model.requests))
    assert "LLL" not in held
    assert len(held) < 10_000
