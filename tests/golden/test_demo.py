"""The demonstration that comes with the package gives what it says."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from tests.golden.runner import GOLDEN, same
from tools import record_demo
from veracord import EvidencePack, Profile, RecordComposer, read_record
from veracord.bootstrap.demonstrations import ANSWERS, demo_folder, demonstrate, recorded_model
from veracord.composer import suggesting, synthesis_producer
from veracord.errors import ModelError
from veracord.promptkit import system_prompts
from veracord.promptkit.prompts import bundled_prompt
from veracord.records.pointers import get, split

EXPECTED = json.loads((GOLDEN / "demo_expected.json").read_text("utf-8"), parse_float=Decimal)
RECORD_AGAIN = "the demonstration asks what its file does not hold; record it again: python tools/record_demo.py"


def demo_result():
    """The repair alone, without a model."""
    folder = demo_folder()
    pack = EvidencePack.from_paths([folder / "evidence"])
    record = read_record((folder / "record.json").read_bytes())
    return RecordComposer(Profile.load("eu-dpp-demo")).repair(record, pack), pack


def stale(folder):
    """Return what to do where a new recording is not the one that the package brings; "" where it is."""
    new = folder / ANSWERS
    record_demo.record(new)
    return "" if new.read_bytes() == (demo_folder() / ANSWERS).read_bytes() else RECORD_AGAIN


@pytest.fixture(scope="module")
def shown():
    try:
        return demonstrate(recorded_model(demo_folder()), demo_folder())
    except ModelError as error:
        pytest.fail(f"{RECORD_AGAIN} ({error.code})")


def test_the_demonstration():
    result, pack = demo_result()
    assert result.conforms is EXPECTED["conforms"]
    fills = {f.path: [f.value, f.evidence_id, f.source_pointer] for f in result.fills}
    assert same(fills, EXPECTED["fills"])
    assert {row.path: row.outcome for row in result.unresolved} == EXPECTED["unresolved"]
    for fill in result.fills:
        assert pack.resolve(fill.evidence_ref).id == fill.evidence_id


def test_its_guess_is_apart_from_all_that_is_known(shown):
    told, plain = shown.repair.to_dict(), demo_result()[0].to_dict()
    for name in ("suggestions", "suggestions_status", "suppressed"):
        assert same(told.pop(name), EXPECTED[name])
        plain.pop(name)
    assert same(told, plain)


def test_its_synthesis_is_supported(shown):
    expected, found = EXPECTED["synthesis"], shown.synthesis
    assert (found.method, found.requests, len(found.support)) == (expected["method"], 0, expected["values"])
    rows = {row.path: row for row in found.support}
    for path, (value, evidence_id, pointer) in expected["support"].items():
        assert same(get(found.record, split(path)), value)
        assert (rows[path].evidence_id, rows[path].source_pointer) == (evidence_id, pointer)
    pack = EvidencePack.from_paths([demo_folder() / "synthesis" / "sources"])
    for row in found.support:
        if row.evidence_id != "request:seed":
            assert pack.resolve(row.evidence_ref).id == row.evidence_id


def test_its_invention_is_refused(shown):
    assert shown.refusal.code == EXPECTED["refusal"]["code"]
    assert shown.refusal.details["violations"] == EXPECTED["refusal"]["violations"]


def test_its_answers_are_those_to_what_is_asked_today(tmp_path):
    problem = stale(tmp_path)
    assert not problem, problem


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (system_prompts, "structured"),
        (system_prompts, "structured_suggestions"),
        (suggesting, "suggest"),
        (synthesis_producer, "synthesize"),
    ],
)
def test_who_changes_a_prompt_is_told_to_record_it_again(module, name, monkeypatch, tmp_path):
    def changed(asked):
        prompt = bundled_prompt(asked)
        return replace(prompt, text=f"{prompt.text}\nBe brief.") if asked == name else prompt

    monkeypatch.setattr(module, "bundled_prompt", changed)
    assert "record it again: python tools/record_demo.py" in stale(tmp_path)
