"""`veracord run` with `kind = "answer"`, and with `grounding` as a validator."""

import json

import pytest

from tests.contract.model_server import Answer, ModelServer
from tests.e2e.pipeline_folders import PipelineFolder, one_error

OWN = {"productId": "P-1", "mass": {"value": 10, "unit": "kg"}}
OTHER = {"productId": "P-2", "mass": {"value": 77, "unit": "kg"}}


def draft(text, *ids):
    return Answer(json.dumps({"sentences": [{"text": text, "evidence_ids": list(ids)}]}))


@pytest.fixture
def server():
    with ModelServer(default=draft("The mass is 10 kg.", "own")) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path, server):
    made = PipelineFolder.make(tmp_path / "line", server.chat_url)
    made.write("evidence/own.json", json.dumps(OWN))
    made.write("evidence/other.json", json.dumps(OTHER))
    del made.tables["run"]["key"]
    made.tables["producers"] = [{"id": "answer", "kind": "answer", "evidence": "evidence"}]
    made.units("How heavy is product P-1?", {"question": "What is the colour?", "product": {"productId": "P-1"}})
    return made


def values(folder):
    return [row["value"] for row in folder.results()]


def test_questions_are_answered_without_a_model(folder, server):
    del folder.tables["model"]
    ended = folder.run()
    assert ended.code == 0
    first, second = values(folder)
    assert (first["text"], first["path"]) == ("The mass is 10 kg [own].", "hints")
    assert second["code"] == "no_such_field"
    assert server.requests == []


def test_questions_are_answered_with_a_model_and_kept(folder, server):
    assert folder.run().code == 0
    first, _ = values(folder)
    assert first["path"] == "model"
    asked = len(server.requests)
    assert folder.run().code == 0
    assert len(server.requests) == asked


def test_changed_evidence_makes_another_run(folder):
    folder.run()
    folder.write("evidence/own.json", json.dumps({**OWN, "mass": {"value": 11, "unit": "kg"}}))
    folder.run()
    first, _ = values(folder)
    assert first["path"] == "hints"
    assert "11 kg" in first["text"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("suggest", True),
        ("retries", 3),
        ("prompt", "p.md"),
        ("policy", {"validator_execution_failure": "warn_continue"}),
        ("answers", {"supports": "yes"}),
        ("answers", {"evidence_characters": 0}),
    ],
)
def test_fields_of_other_kinds_are_refused(folder, field, value):
    folder.tables["producers"][0][field] = value
    ended = folder.run()
    one_error(ended, "invalid_pipeline")


def test_settings_of_answers_are_for_answers_alone(folder):
    folder.tables["producers"][0] |= {"kind": "repair", "profile": "eu-dpp-demo", "answers": {"supports": True}}
    one_error(folder.run(), "invalid_pipeline")
    folder.tables["producers"][0] = {"id": "a", "kind": "answer", "answers": {"colour": 1}}
    one_error(folder.run(), "unknown_field")


def test_settings_of_a_producer_hold(folder, server):
    folder.tables["producers"][0]["answers"] = {"decomposes": True, "evidence_characters": 2000}
    server.default = draft("The mass is 10 kg.", "own")
    folder.units("How heavy is product P-1?")
    planned = folder.run("--dry-run", "--json")
    assert json.loads(planned.out)["producers"][0]["max_requests_per_unit"] == 4
    assert folder.run().code == 0
    # What the server says is no list of claims, so the draft does not pass; it is asked for both, twice at most.
    names = [request.json["response_format"]["json_schema"]["name"] for request in server.requests]
    assert names == ["draft", "decompose"] * 2
    (only,) = values(folder)
    assert only["path"] == "hints"


@pytest.fixture
def grounded(folder):
    folder.write(
        "ask.md", "---\nid: ask\nversion: 1\npurpose: asks\nvariables: [input]\n---\nTell of it: {{ input }}\n"
    )
    folder.write("answer.schema.json", json.dumps({"type": "object", "required": ["answer"]}))
    folder.tables["producers"] = [
        {
            "id": "say",
            "kind": "structured",
            "prompt": "ask.md",
            "schema": "answer.schema.json",
            "retries": 0,
            "validators": [{"id": "grounded", "use": "grounding", "evidence": "evidence"}],
            "policy": {"rejection": "warn_continue"},
        }
    ]
    folder.units("a")
    return folder


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("The mass of P-1 is 10 kg [own].", "accepted"),
        # Of which of the two products it is said, nobody can know.
        ("The mass is 10 kg [own].", "rejected"),
        ("The mass of P-1 is 11 kg [own].", "rejected"),
        ("The mass is 10 kg.", "rejected"),
        ("The mass is not stated.", "accepted"),
    ],
)
def test_grounding_judges_any_text(grounded, text, outcome):
    with ModelServer(default=Answer(json.dumps({"answer": text}))) as other:
        grounded.tables["model"]["base_url"] = other.chat_url
        grounded.run()
    assert [row["outcome"] for row in grounded.results()] == [outcome]


SMUGGLED = {"answer": "The mass is 11 kg [e2].", "evidence": [{"id": "e2", "text": "The mass is 11 kg."}]}


@pytest.mark.parametrize(
    ("told", "outcome"), [({"answer": "The mass is 10 kg [e1]."}, "accepted"), (SMUGGLED, "rejected")]
)
def test_grounding_takes_the_evidence_of_the_unit_and_never_that_of_the_value(grounded, told, outcome):
    del grounded.validator["evidence"]
    grounded.units({"evidence": [{"id": "e1", "text": "The mass is 10 kg."}]})
    with ModelServer(default=Answer(json.dumps(told))) as other:
        grounded.tables["model"]["base_url"] = other.chat_url
        grounded.run()
    assert [row["outcome"] for row in grounded.results()] == [outcome]


def test_evidence_is_for_grounding(grounded):
    grounded.tables["producers"][0]["validators"][0]["use"] = "profile:eu-dpp-demo"
    ended = grounded.run()
    one_error(ended, "invalid_pipeline")
