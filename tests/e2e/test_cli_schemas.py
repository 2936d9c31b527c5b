"""Whatever `--json` prints conforms to the JSON Schema that ships for it."""

import json
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

PROFILE = ["-p", "widget.toml"]
EVIDENCE = ["-e", "evidence"]


def conforms(name, results):
    text = (files("veracord") / "bundled" / "schemas" / f"{name}.schema.json").read_text("utf-8")
    schema = json.loads(text)
    Draft202012Validator.check_schema(schema)
    assert results
    for result in results:
        Draft202012Validator(schema).validate(result)


@pytest.mark.parametrize("values", [[], ["--show-values"]])
def test_validation(cli, lines, values):
    results = [cli("validate", name, *PROFILE, *values, "--json").json for name in ("record.json", "good.json")]
    many = cli("validate", lines.name, *PROFILE, *values, "--json").lines
    conforms("validation-result", results + [row for row in many if "error" not in row])


def test_repair(cli, lines):
    results = [
        cli("repair", "record.json", *PROFILE, *EVIDENCE, "--json").json,
        cli("repair", "record.json", *PROFILE, "--json", "--no-suggest").json,
        cli("repair", "record.json", "--schema", "widget.schema.json", *EVIDENCE, "--json").json,
        cli("demo", "--json").json,
    ]
    many = cli("repair", lines.name, *PROFILE, *EVIDENCE, "--json").lines
    conforms("repair-result", results + [row for row in many if "error" not in row])


def test_verification_and_explanation(cli, shop):
    (shop / "record.origins.json").write_text('{"/price": "suggestion_origin"}', "utf-8")
    cli("repair", "record.json", *PROFILE, *EVIDENCE, "--out", "result.json")
    checked = [cli("verify", "result.json", *EVIDENCE, "--json").json, cli("verify", "result.json", "--json").json]
    assert [result["ok"] for result in checked] == [True, False]
    checked.append(cli("verify", "result.json", *EVIDENCE, *PROFILE, "--json").json)
    (shop / "seed.json").write_text('{"id": "W-1", "name": "Widget"}', "utf-8")
    cli("synthesize", "seed.json", *PROFILE, *EVIDENCE, "--out", "built.json")
    checked += [cli("verify", "built.json", *EVIDENCE, *seed, "--json").json for seed in ([], ["--seed", "seed.json"])]
    conforms("verification-result", checked)
    places = ["", "/mass_kg", "/colour", "/price"]
    conforms("explanation", [cli("explain", "result.json", place, "--json").json for place in places])
    assert shop.exists()
