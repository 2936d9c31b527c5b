"""`veracord run` with producers that work on records: `kind = "repair"` and `kind = "synthesis"`."""

import json

import pytest

from tests.contract.model_server import Answer, ModelServer
from tests.e2e.conftest import PROFILE, SCHEMA
from tests.e2e.pipeline_folders import PipelineFolder, one_error
from tests.integration.store_rows import rows_of

CHECKS = """\
def has_maker(value):
    return None if "maker" in value["record"] else ["no maker is named"]


def has_fills(value):
    return [f"{len(value['fills'])} filled"] if not value["fills"] else None
"""
MAKER = {"id": "W-1", "name": "Widget", "mass_kg": 1.25, "maker": "Acme"}
SISTER = {"id": "W-2", "name": "Widget II", "mass_kg": 9}


def answer(*suggestions):
    return Answer(json.dumps({"suggestions": list(suggestions)}))


@pytest.fixture
def server():
    guess = {"path": "/colour", "value": "red", "rationale": "Most are.", "confidence": 0.2}
    with ModelServer(default=answer(guess)) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path, server):
    """A folder with a pipeline that repairs widgets."""
    made = PipelineFolder.make(tmp_path / "line", server.chat_url)
    made.write("widget.schema.json", json.dumps(SCHEMA))
    made.write("widget.toml", PROFILE)
    made.write("checks.py", CHECKS)
    evidence(made, maker=MAKER, sister=SISTER)
    made.tables["producers"] = [{"id": "repair", "kind": "repair", "profile": "widget.toml", "evidence": "evidence"}]
    made.units(
        {"id": "W-1", "name": "Widget"},
        {"id": "W-2", "name": "Widget II", "mass_kg": "heavy"},
        {"id": "W-3", "name": "Widget III"},
    )
    return made


def evidence(folder, **contents):
    for name, content in contents.items():
        folder.write(f"evidence/{name}.json", json.dumps(content))


def synthesis(folder, **fields):
    folder.tables["producers"] = [
        {
            "id": "synthesis",
            "kind": "synthesis",
            "profile": "widget.toml",
            "evidence": ["evidence/maker.json"],
            **fields,
        }
    ]
    folder.units({"id": "W-1"}, {"id": "W-2"})


# Repair


def test_every_record_is_repaired_as_the_command_repairs_it(folder, server, cli):
    folder.put("model", value=None)
    found = folder.run()
    assert (found.code, found.err) == (0, "")
    values = {row["key"]: row["value"] for row in folder.results()}
    assert [fill["value"] for fill in values["W-1"]["fills"]] == [1.25]
    assert [fill["evidence_id"] for fill in values["W-2"]["fills"]] == ["sister"]
    assert [row["outcome"] for row in values["W-3"]["unresolved"]] == ["no_source"]
    folder.write("alone.json", '{"id": "W-1", "name": "Widget"}')
    alone = cli("repair", "alone.json", "-p", "widget.toml", "-e", "evidence", "--json", cwd=folder.path).json
    assert values["W-1"] == alone
    assert not server.requests


def test_a_model_is_asked_for_what_stays_open_and_its_cost_is_counted(folder, server):
    folder.units({"id": "W-1", "name": "Widget", "colour": "green"}, {"id": "W-1", "name": "x", "mass_kg": 1})
    folder.put("run", "key", value=None)
    found = folder.run("--json")
    assert found.code == 0
    assert len(server.requests) == 1
    assert found.json["usage"]["requests"] == 1
    assert found.json["usage"]["input_tokens"] == 7
    first, second = (row["value"] for row in folder.results())
    assert [row["value"] for row in first["suggestions"]] == ["red"]
    assert first["record"]["colour"] == "green"
    assert second["suggestions_status"] == "none_needed"
    folder.producer["suggest"] = False
    server.script()
    assert folder.run("--json").json["usage"]["requests"] == 0
    assert folder.results()[0]["value"]["suggestions_status"] == "off"


def test_a_dry_run_tells_the_most_requests(folder):
    assert folder.run("--dry-run", "--json").json["max_requests"] == 3
    folder.producer["suggest"] = False
    assert folder.run("--dry-run", "--json").json["max_requests"] == 0
    synthesis(folder)
    assert folder.run("--dry-run", "--json").json["max_requests"] == 4
    assert "synthesis" in folder.run("--dry-run").out


def test_a_model_that_is_down_changes_no_outcome(folder):
    folder.put("model", "base_url", value="http://127.0.0.1:9/v1")
    assert folder.run().code == 0
    (row,) = [row for row in folder.results() if row["key"] == "W-3"]
    assert row["value"]["suggestions_status"].startswith("failed:")


def test_texts_are_written_down_only_where_somebody_asked(folder, tmp_path):
    folder.units({"id": "W-1", "name": "Widget", "colour": "green"})
    folder.run("--debug-transcripts", tmp_path / "texts")
    (text,) = [path.read_text("utf-8") for path in (tmp_path / "texts").rglob("*") if path.is_file()]
    assert "Most are." in text


def test_the_same_command_does_nothing_twice(folder, server):
    folder.units({"id": "W-1", "name": "Widget", "colour": "green"})
    assert folder.run().code == 0
    first = folder.results()
    assert folder.run("--json").json["this_start"]["reused"] == 1
    assert folder.results() == first
    assert len(server.requests) == 1


def test_another_run_takes_over_what_stands(folder, server):
    folder.units({"id": "W-1", "name": "Widget", "colour": "green"}, {"id": "W-3", "name": "x", "mass_kg": 1})
    assert folder.run().code == 0
    # Another source of one product, and one of none of them: what stands of the other unit still stands.
    evidence(folder, second={"id": "W-3", "name": "x", "mass_kg": 1}, third={"id": "W-7", "name": "y", "mass_kg": 1})
    found = folder.run("--run", "other", "--json")
    assert found.json["attempts"]["cached"] == 1
    assert len(server.requests) == 1


def test_a_value_that_is_a_known_guess_by_now_is_not_taken_over(folder, server, cli):
    evidence(folder, maker={"id": "W-1", "name": "Widget", "mass_kg": 7})
    folder.units({"id": "W-1", "name": "Widget", "colour": "red"})
    folder.producer["suggest"] = False
    assert folder.run().code == 0
    assert folder.results()[0]["value"]["record"]["mass_kg"] == 7
    # Somebody asks a model about the same product, without the evidence, and it guesses just this.
    server.script(answer({"path": "/mass_kg", "value": 7, "rationale": "Most do.", "confidence": 0.2}))
    folder.write("one.json", '{"id": "W-1", "name": "Widget", "colour": "red"}')
    asked = ["repair", "one.json", "-p", "widget.toml", "--store", ".veracord/store.db", "--json"]
    found = cli(*asked, "--model", "m", "--base-url", server.chat_url, cwd=folder.path)
    assert [row["value"] for row in found.json["suggestions"]] == [7]
    again = folder.run("--run", "other", "--json")
    assert again.json["attempts"].get("cached", 0) == 0
    (row,) = folder.results()[0]["value"]["unresolved"]
    assert (row["path"], row["detail"]) == ("/mass_kg", "suggestion_origin")


def test_changed_evidence_makes_another_run_and_says_so(folder):
    assert folder.run().code == 0
    evidence(folder, maker={**MAKER, "mass_kg": 2.5})
    assert folder.run().code == 0
    assert [fill["value"] for fill in folder.results()[0]["value"]["fills"]] == [2.5]
    assert len(rows_of(folder.path / ".veracord" / "store.db", "runs")) == 2


@pytest.mark.parametrize("name", ["widget.schema.json", "widget.toml", "evidence/maker.json"])
def test_each_file_is_part_of_what_makes_a_run_this_run(folder, name):
    folder.units({"id": "W-1", "name": "Widget"})
    assert folder.run().code == 0
    path = folder.path / name
    text = path.read_text("utf-8")
    path.write_text(
        text.replace('"1"', '"2"') if name.endswith(".toml") else text.replace("{", '{ "$comment": "x",', 1), "utf-8"
    )
    assert folder.run().code == 0
    parts = [json.loads(row["parts"]) for row in rows_of(folder.path / ".veracord" / "store.db", "runs")]
    assert len(parts) == 2
    changed = {part for part in parts[0] if parts[0][part] != parts[1][part]}
    assert changed == {"evidence of repair" if name.startswith("evidence") else "profile of repair"}


def test_a_unit_that_is_no_record_fails_alone(folder):
    folder.put("run", "key", value=None)
    folder.put("policy", value={"structural_failure": "warn_continue"})
    folder.units([1, 2], {"id": "W-1", "name": "Widget"}, "text", None)
    assert folder.run().code == 3
    rows = folder.results()
    assert [row["outcome"] for row in rows] == [
        "structural_failure",
        "accepted",
        "structural_failure",
        "structural_failure",
    ]
    codes = [json.loads(row["facts"])["code"] for row in rows_of(folder.path / ".veracord" / "store.db", "units")]
    assert codes == ["not_an_object", "", "not_an_object", "not_an_object"]


def test_validators_of_records_look_at_the_record_inside(folder):
    folder.put("policy", value={"rejection": "warn_continue"})
    folder.producer["validators"] = [
        {"id": "conforms", "use": "profile:widget.toml"},
        {"id": "schema", "use": "jsonschema:widget.schema.json"},
        {"id": "fills", "use": "checks:has_fills"},
    ]
    assert folder.run().code == 3
    assert folder.outcomes() == {"W-1": "accepted", "W-2": "accepted", "W-3": "rejected"}
    unit = next(row for row in rows_of(folder.path / ".veracord" / "store.db", "units") if "W-3" in row["unit_key"])
    assert json.loads(unit["facts"])["rejected_by"].keys() == {"conforms", "schema", "fills"}


def test_a_repair_after_another_producer_repairs_its_value(folder, server):
    folder.write("note.md", "---\nid: note\nversion: 1\npurpose: reads\nvariables: [input]\n---\n{{ input }}\n")
    folder.write("any.json", '{"type": "object"}')
    repair = folder.producer
    folder.tables["producers"] = [
        {"id": "read", "prompt": "note.md", "schema": "any.json"},
        {**repair, "suggest": False},
        {**repair, "id": "again", "suggest": False},
    ]
    folder.units({"id": "n1", "text": "A widget W-1."})
    server.script(Answer('{"id": "W-1", "name": "Widget"}'))
    assert folder.run().code == 0
    (row,) = folder.results()
    assert row["value"]["record"] == {"id": "W-1", "name": "Widget", "mass_kg": 1.25}
    # The second repair found the record inside the first one's result, and nothing to do.
    assert row["value"]["fills"] == []


def test_guesses_of_a_run_are_known_to_the_next(folder, server):
    folder.units({"id": "W-1", "name": "Widget", "colour": "green"})
    assert folder.run().code == 0
    evidence(folder, pasted={"id": "W-1", "colour": "red"})
    server.script(answer())
    assert folder.run().code == 0
    (row,) = folder.results()
    assert row["value"]["fills"] != []
    assert [(one["path"], one["detail"]) for one in row["value"]["unresolved"]] == [("/colour", "suggestion_origin")]
    assert row["value"]["record"]["colour"] == "green"


# Synthesis


def test_records_are_built_from_seeds(folder, server):
    synthesis(folder)
    folder.put("policy", value={"rejection": "warn_continue"})
    server.script(Answer("no record"), Answer('{"id": "W-2", "name": "made up", "mass_kg": 3}'))
    found = folder.run("--json")
    assert found.code == 3
    assert folder.outcomes() == {"W-1": "accepted", "W-2": "rejected"}
    assert len(server.requests) == 2
    assert found.json["usage"]["requests"] == 2
    value = folder.results()[0]["value"]
    assert value["method"] == "assembly"
    assert value["record"] == MAKER
    assert len(value["support"]) == 4
    assert folder.run("--json").json["this_start"]["reused"] == 2


def test_validators_of_a_file_come_after_our_own(folder):
    folder.put("model", value=None)
    folder.put("policy", value={"rejection": "warn_continue"})
    synthesis(
        folder, validators=[{"id": "maker", "use": "checks:has_maker"}, {"id": "p", "use": "profile:widget.toml"}]
    )
    evidence(folder, maker={"id": "W-1", "name": "Widget", "mass_kg": 1})
    folder.units({"id": "W-1"})
    assert folder.run().code == 3
    (unit,) = rows_of(folder.path / ".veracord" / "store.db", "units")
    assert json.loads(unit["facts"])["rejected_by"] == {"maker": ["rejected"]}
    evidence(folder, maker=MAKER)
    assert folder.run().code == 0


def test_a_guess_that_was_pasted_into_a_seed_or_a_source_supports_nothing_in_a_synthesis(folder):
    folder.units({"id": "W-1", "name": "Widget", "mass_kg": 1, "colour": "green"})
    assert folder.run().code == 0
    synthesis(folder, evidence=["evidence"])
    folder.put("model", value=None)
    folder.put("policy", value={"rejection": "warn_continue"})
    folder.units({"id": "W-1", "colour": "red"}, {"id": "W-1", "maker": "Acme"})
    folder.put("run", "key", value=None)
    assert folder.run().code == 3
    assert [row["outcome"] for row in folder.results()] == ["rejected", "accepted"]
    evidence(folder, pasted={"id": "W-1", "colour": "red"})
    assert folder.run().code == 3
    assert "colour" not in folder.results()[1]["value"]["record"]


# What is refused


@pytest.mark.parametrize(
    ("kind", "field", "value", "code"),
    [
        ("repair", "prompt", "reading.md", "invalid_pipeline"),
        ("repair", "schema", "reading.json", "invalid_pipeline"),
        ("repair", "via", "tool", "invalid_pipeline"),
        ("repair", "structure_repairs", 1, "invalid_pipeline"),
        ("repair", "retries", 1, "invalid_pipeline"),
        ("repair", "correction", "off", "invalid_pipeline"),
        ("repair", "settings", {"a": 1}, "invalid_pipeline"),
        ("repair", "stop_when_stuck", True, "invalid_pipeline"),
        ("synthesis", "retries", 0, "invalid_pipeline"),
        ("synthesis", "suggest", True, "invalid_pipeline"),
        ("synthesis", "policy", {"validator_execution_failure": "warn_continue"}, "invalid_pipeline"),
        ("repair", "evidence", "nowhere", "unreadable_file"),
        ("repair", "evidence", 3, "invalid_pipeline"),
        ("repair", "profile", "nowhere.toml", "unreadable_file"),
        ("repair", "profile", "unknown-name", "unknown_profile"),
        ("synthesis", "profile", None, "missing_field"),
        ("structured", "profile", "widget.toml", "invalid_pipeline"),
        ("structured", "evidence", "evidence", "invalid_pipeline"),
        ("structured", "suggest", False, "invalid_pipeline"),
    ],
)
def test_a_field_that_does_not_fit_its_kind_is_refused_by_file_and_field(folder, server, kind, field, value, code):
    own = {"profile": "widget.toml", "evidence": "evidence"}
    if kind == "structured":
        own = {"prompt": "reading.md", "schema": "reading.json"}
    producer = {"id": "p", "kind": kind, **own, field: value}
    folder.tables["producers"] = [{name: given for name, given in producer.items() if given is not None}]
    one_error(folder.run(), code, "weather.toml", f"producers[0].{field}")
    assert not server.requests


def test_evidence_is_no_output(folder):
    folder.put("run", "output", value="evidence/maker.json")
    one_error(folder.run(), "output_is_input", "evidence/maker.json")


def test_a_file_of_no_kind_that_is_read_is_told(folder):
    folder.put("model", value=None)
    folder.write("evidence/scan.pdf", "%PDF")
    found = folder.run()
    assert found.code == 0
    assert "unread_files" in found.err
    assert "scan.pdf" in found.err


def test_an_unfinished_run_whose_evidence_changed_is_told_by_the_part(folder):
    folder.put("run", "key", value=None)
    folder.units({"id": "W-1", "name": "Widget"}, [])
    assert folder.run().code == 4
    evidence(folder, maker={**MAKER, "mass_kg": 2.5})
    found = folder.run()
    assert found.code == 4
    assert "evidence of repair" in found.err
    kept = folder.run("--same-run", "--json")
    assert kept.code == 4


def test_a_record_as_deep_as_records_may_be_is_kept_and_taken_over(folder):
    folder.write(
        "widget.schema.json", '{"type": "object", "required": ["mass_kg"], "properties": {"id": {}, "mass_kg": {}}}'
    )
    deep: object = 1
    for _ in range(127):
        deep = [deep]
    folder.units({"id": "W-1", "name": deep})
    assert folder.run().code == 0
    assert folder.run("--json").json["this_start"]["reused"] == 1
    assert folder.run("--run", "other", "--json").json["attempts"]["cached"] == 1
