"""`veracord validate`."""

import json

PATHS = ["/colour", "/mass_kg"]


def test_a_record_that_conforms(cli):
    ended = cli("validate", "good.json", "-p", "widget.toml")
    assert ended.code == 0
    assert ended.out == "The record conforms to widget@1.\n"
    assert not ended.err


def test_violations_as_json(cli):
    ended = cli("validate", "record.json", "--profile", "widget.toml", "--json")
    assert ended.code == 1
    result = ended.json
    assert [row["path"] for row in result["violations"]] == PATHS
    assert all(set(row) == {"path", "rule", "message"} for row in result["violations"])
    assert result["conforms"] is False
    assert result["profile"] == "widget@1"
    assert set(result["digests"]) == {"profile", "schema", "record"}


def test_violations_to_read(cli):
    ended = cli("validate", "record.json", "-p", "widget.toml")
    assert ended.code == 1
    assert "Violations (2)" in ended.out
    for path in PATHS:
        assert path in ended.out
    assert ended.out.endswith("2 violations; the record does not conform to widget@1.\n")
    assert "\x1b" not in ended.out
    assert not any(line.endswith(" ") for line in ended.out.splitlines())


def test_values_are_shown_only_when_asked_for(cli):
    hidden = cli("validate", "record.json", "-p", "widget.toml")
    shown = cli("validate", "record.json", "-p", "widget.toml", "--show-values")
    assert "heavy" not in hidden.out
    assert '"heavy"' in shown.out
    rows = cli("validate", "record.json", "-p", "widget.toml", "--show-values", "--json").json
    assert {row["path"]: row["value"] for row in rows["violations"]} == {
        "/colour": "green",
        "/mass_kg": "heavy",
    }


def test_a_missing_value_is_told_as_missing(cli):
    ended = cli("validate", "-", "-p", "widget.toml", "--show-values", stdin=b'{"id": "W-1"}')
    assert "(missing)" in ended.out
    rows = cli("validate", "-", "-p", "widget.toml", "--show-values", "--json", stdin=b"{}").json
    assert all("value" not in row for row in rows["violations"])


def test_standard_input(cli):
    ended = cli("validate", "-", "-p", "widget.toml", stdin=b'{"id":"a","name":"b","mass_kg":1}')
    assert ended.code == 0


def test_a_schema_instead_of_a_profile(cli):
    ended = cli("validate", "record.json", "--schema", "widget.schema.json", "--json")
    assert [row["path"] for row in ended.json["violations"]] == PATHS


def test_a_schema_that_refers_to_another_file(cli, shop):
    (shop / "main.json").write_text('{"properties": {"mass_kg": {"$ref": "part.json"}}}', "utf-8")
    (shop / "part.json").write_text('{"type": "number"}', "utf-8")
    ended = cli("validate", "record.json", "--schema", "main.json", "--schema", "part.json", "--json")
    assert [row["path"] for row in ended.json["violations"]] == ["/mass_kg"]


def test_many_records(cli, lines):
    ended = cli("validate", lines.name, "-p", "widget.toml", "--json")
    assert ended.code == 2
    assert ended.err == (
        "error: invalid_json: the text is not strict JSON, many.jsonl line 4 column 14, correct it there\n"
    )
    rows = ended.lines
    assert [row.get("conforms") for row in rows] == [False, True, None, False]
    assert rows[2]["line"] == 4
    assert rows[2]["error"]["code"] == "invalid_json"


def test_many_records_to_read(cli, lines):
    ended = cli("validate", lines.name, "-p", "widget.toml", "--show-values")
    assert ended.out.splitlines() == [
        "line 1: 1 violation; the record does not conform to widget@1.",
        "  /mass_kg: required: is required (missing)",
        "line 2: The record conforms to widget@1.",
        "line 4: not done: invalid_json",
        "line 5: 1 violation; the record does not conform to widget@1.",
        "  /mass_kg: minimum: must be at least 0 (-1)",
        "4 records: 1 conform, 2 do not, 1 could not be read.",
    ]


def test_many_records_from_standard_input(cli):
    good = json.dumps({"id": "a", "name": "b", "mass_kg": 1}).encode()
    ended = cli("validate", "-", "--jsonl", "-p", "widget.toml", "--json", stdin=good + b"\n" + good)
    assert ended.code == 0
    assert len(ended.lines) == 2
    bad = cli("validate", "-", "--jsonl", "-p", "widget.toml", "--json", stdin=good + b"\n{}\n")
    assert bad.code == 1
