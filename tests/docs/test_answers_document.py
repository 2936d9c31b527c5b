"""docs/answers.md is true: its examples run, its gates do what the table says, and every code is told."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from veracord import AbstentionCode, EvidencePack
from veracord.answers import codes
from veracord.gates.outcomes import GateOutcome
from veracord.grounding.support import _GATES
from veracord.grounding.verifier import Verifier

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/answers.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def section(heading):
    return re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)[1]


def rows(heading):
    lines = [line for line in section(heading).splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


GATES = {row[0].strip("`"): row[1:] for row in rows("The gates")}


def verdict_of(evidence, answer):
    items = []
    for number, told in enumerate(evidence.split(" ‖ "), 1):
        kind = {"content": json.loads(told.strip("`"))} if told.startswith("`") else {"text": told}
        items.append({"id": f"e{number}", **kind})
    verifier = Verifier()
    return verifier.check(answer, verifier.view(EvidencePack.from_items(items).items))


RULES = {row[0].strip("`"): row[1:] for row in rows("What follows from what is stated")}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_holds_on_both_sides_as_told(rule):
    evidence, passes, fails = RULES[rule]
    assert verdict_of(evidence, passes).verdict == "supported"
    assert verdict_of(evidence, fails).verdict in ("unsupported", "undecided")


FORMS = {row[0]: row[1:] for row in rows("Other words for the same")}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_read_as_told(form):
    evidence, passes, fails = FORMS[form]
    assert verdict_of(evidence, passes).verdict == "supported"
    assert verdict_of(evidence, fails).verdict in ("unsupported", "undecided")


def test_every_gate_is_told():
    assert list(GATES) == [gate.GATE for gate in _GATES]


@pytest.mark.parametrize("gate", GATES)
def test_a_gate_passes_what_it_says(gate):
    evidence, passes, _ = GATES[gate]
    found = verdict_of(evidence, passes)
    assert found.verdict == "supported"
    outcomes = {result.outcome for claim in found.claims for result in claim.gates if result.gate == gate}
    assert GateOutcome.PASSED in outcomes or gate == "polarity"


@pytest.mark.parametrize("gate", GATES)
def test_a_gate_fails_what_it_says(gate):
    evidence, _, fails = GATES[gate]
    found = verdict_of(evidence, fails)
    assert found.verdict == "unsupported"
    failed = {result.gate for claim in found.claims for result in claim.gates if result.outcome is GateOutcome.FAILED}
    assert gate in failed


def test_every_code_is_told():
    assert [row[0].strip("`") for row in rows("Abstentions")] == [code.value for code in AbstentionCode]


def test_every_word_of_a_detail_is_told():
    told = {word for row in rows("The words of a detail") for word in re.findall(r"`([a-z_]+)", row[0])}
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src/veracord/gates").glob("*.py"))
    said = set(re.findall(r"(?:failed|passed|undecided)\(GATE, f?\"([a-z_]+)", source))
    said |= set(re.findall(r"return \"((?:value|qualifier)_[a-z_]+)\"", source))
    assert said <= told | {""}, said - told
    more = {getattr(codes, name) for name in ("NO_VALUE", "VALUE_TOO_LONG", "UNIT_NOT_EXACT", "ID_WITH_BRACKETS")}
    assert all(f"`{word}`" in section("Abstentions") for word in more)


def test_the_commands_run(tmp_path):
    start = f'veracord() {{ "{sys.executable}" -m veracord "$@"; }}\n'
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    for line in blocks("sh")[0].splitlines():
        told = re.search(r"# exit code (\d+)$", line)
        done = subprocess.run(
            ["bash", "-c", start + line], cwd=tmp_path, env=environment, capture_output=True, check=False, text=True
        )
        assert done.returncode == int(told[1] if told else 0), (line, done.stdout, done.stderr)


def test_the_python_runs():
    for block in blocks("python"):
        exec(compile(block, "answers.md", "exec"), {})  # noqa: S102 - our own document, run as a reader would
