"""`veracord repair` on one record."""

import json
import shutil
import subprocess

import pytest

BASE = ["repair", "record.json", "-p", "widget.toml", "-e", "evidence"]
FILLED = '"mass_kg": 1.250,\n'


def test_result_as_json(cli):
    ended = cli(*BASE, "--json")
    assert ended.code == 1
    assert not ended.err
    result = ended.json
    (fill,) = result["fills"]
    assert fill["path"] == "/mass_kg"
    assert fill["value"] == 1.25
    assert fill["evidence_id"] == "maker"
    assert fill["source_pointer"] == "/mass_kg"
    assert [(row["path"], row["outcome"]) for row in result["unresolved"]] == [("/colour", "no_source")]
    assert '"value":1.250' in ended.out


def test_result_to_read(cli):
    ended = cli(*BASE)
    assert ended.code == 1
    rows = [line.split() for line in ended.out.splitlines()]
    assert ["/mass_kg", "1.250", "maker", "/mass_kg"] in rows
    assert ["/colour", "no", "source", "states", "it"] in rows
    assert ["sister", "about", "another", "product"] in rows
    assert ended.out.endswith("1 filled, 1 open; 1 source used, 2 not; the record does not conform to widget@1.\n")
    assert "\x1b" not in ended.out


def test_candidates_of_a_conflict_are_shown(cli, shop):
    shutil.copy(shop / "evidence" / "maker.json", shop / "evidence" / "rival.json")
    text = (shop / "evidence" / "rival.json").read_text("utf-8").replace("1.250", "3")
    (shop / "evidence" / "rival.json").write_text(text, "utf-8")
    ended = cli(*BASE)
    assert "sources disagree" in ended.out
    assert "1.250 from maker; 3 from rival" in ended.out


def test_a_record_that_conforms_now(cli, shop):
    text = (shop / "record.json").read_text("utf-8").replace("green", "red")
    (shop / "record.json").write_text(text, "utf-8")
    ended = cli(*BASE)
    assert ended.code == 0
    assert "the record conforms to widget@1" in ended.out


def test_no_evidence(cli):
    ended = cli("repair", "record.json", "-p", "widget.toml", "--json")
    assert ended.code == 1
    assert not ended.json["fills"]


def test_several_pieces_of_evidence(cli, shop):
    (shop / "colours.json").write_text('[{"id": "W-1", "colour": "blue"}]', "utf-8")
    ended = cli(*BASE, "-e", "colours.json", "--json")
    assert ended.code == 0
    assert [fill["evidence_id"] for fill in ended.json["fills"]] == ["colours#0", "maker"]


def test_schema_and_identity_instead_of_a_profile(cli):
    base = ["repair", "record.json", "--schema", "widget.schema.json", "-e", "evidence", "--json"]
    assert cli(*base).json["unresolved"][0]["outcome"] == "no_identity"
    found = cli(*base, "--identity", "/id", "--identity", "/maker,/colour").json
    assert [fill["path"] for fill in found["fills"]] == ["/mass_kg"]


def test_identity_added_to_a_profile(cli, shop):
    profile = shop / "widget.toml"
    profile.write_text(profile.read_text("utf-8").partition("[identity]")[0], "utf-8")
    assert not cli(*BASE, "--json").json["fills"]
    assert cli(*BASE, "--json", "--identity", "/id").json["fills"]


def test_standard_input(cli, shop):
    data = (shop / "record.json").read_bytes()
    from_file = cli(*BASE, "--json").json
    ended = cli("repair", "-", "-p", "widget.toml", "-e", "evidence", "--json", stdin=data)
    assert ended.json == from_file


def test_no_suggest(cli):
    assert cli(*BASE, "--json", "--no-suggest").json["suggestions_status"] == "off"
    assert cli(*BASE, "--json").json["suggestions_status"] == "no_model"


def test_out_takes_the_result_instead_of_standard_output(cli, shop):
    expected = cli(*BASE, "--json")
    ended = cli(*BASE, "--json", "--out", "result.json")
    assert ended.code == 1
    assert not ended.out
    assert not ended.err
    assert (shop / "result.json").read_bytes() == expected.raw


def test_out_is_json_also_without_the_option(cli, shop):
    cli(*BASE, "--out", "result.json")
    assert (shop / "result.json").read_bytes() == cli(*BASE, "--json").raw


def test_record_out_keeps_the_text(cli, shop):
    before = (shop / "record.json").read_text("utf-8")
    ended = cli(*BASE, "--record-out", "fixed.json")
    assert "1 filled" in ended.out
    after = (shop / "fixed.json").read_text("utf-8")
    assert after == before.replace('"mass_kg": "heavy",\n', FILLED)
    assert "1.50" in after


def test_record_out_with_utf_16(cli, shop):
    text = (shop / "record.json").read_text("utf-8")
    (shop / "record.json").write_bytes(text.encode("utf-16"))
    cli(*BASE, "--record-out", "fixed.json")
    after = (shop / "fixed.json").read_text("utf-8")
    assert after == text.replace('"mass_kg": "heavy",\n', FILLED)


def test_record_out_brings_the_origins(cli, shop):
    cli(*BASE, "--record-out", "fixed.json")
    origins = json.loads((shop / "fixed.origins.json").read_text("utf-8"))
    assert origins["/mass_kg"] == "evidence"
    assert origins == cli(*BASE, "--json").json["origins"]


def test_no_origins_when_all_is_input(cli, shop):
    (shop / "fixed.origins.json").write_text("left over", "utf-8")
    ended = cli("repair", "good.json", "-p", "widget.toml", "--record-out", "fixed.json")
    assert ended.code == 0
    assert (shop / "fixed.json").read_bytes() == (shop / "good.json").read_bytes()
    assert not (shop / "fixed.origins.json").exists()


def test_diff_shows_the_fills_alone(cli):
    ended = cli(*BASE, "--diff")
    assert ended.code == 1
    assert ended.out == (
        "--- record.json\n"
        "+++ record.json (repaired)\n"
        "@@ -2,6 +2,6 @@\n"
        '   "id": "W-1",\n'
        '   "price": 1.50,\n'
        '   "name": "Widget",\n'
        '-  "mass_kg": "heavy",\n'
        '+  "mass_kg": 1.250,\n'
        '   "colour": "green"\n'
        " }\n"
    )


def test_diff_of_nothing_is_nothing(cli):
    ended = cli("repair", "good.json", "-p", "widget.toml", "--diff")
    assert (ended.code, ended.out, ended.err) == (0, "", "")


def test_diff_beside_results_in_a_file(cli, shop):
    ended = cli(*BASE, "--diff", "--json", "--out", "result.json")
    assert ended.out.startswith("--- record.json\n")
    assert json.loads((shop / "result.json").read_text("utf-8"))["fills"]


@pytest.mark.skipif(shutil.which("patch") is None, reason="the command patch is not installed")
@pytest.mark.parametrize("name", ["record.json", "many.jsonl"])
def test_diff_can_be_applied(cli, shop, lines, name):
    assert lines.name == "many.jsonl"
    arguments = ["repair", name, "-p", "widget.toml", "-e", "evidence"]
    changes = cli(*arguments, "--diff").raw
    cli(*arguments, "--record-out", "expected")
    subprocess.run(["patch", "--binary", "-s", name], input=changes, cwd=shop, check=True)
    assert (shop / name).read_bytes() == (shop / "expected").read_bytes()


def test_settings_from_the_current_folder_and_from_a_named_file(cli, shop, one_error):
    (shop / "small.toml").write_text("[limits]\nmax_record_bytes = 20\n", "utf-8")
    for arguments in ([*BASE, "--config", "small.toml"], ["--config", "small.toml", *BASE]):
        one_error(cli(*arguments), "too_large", words=["20 bytes"])
    shutil.copy(shop / "small.toml", shop / "veracord.toml")
    one_error(cli(*BASE), "too_large")


def test_the_limit_holds_for_evidence_too(cli, shop, one_error):
    (shop / "large.json").write_text(json.dumps({"id": "W-1", "note": "x" * 900}), "utf-8")
    (shop / "veracord.toml").write_text("[limits]\nmax_record_bytes = 500\n", "utf-8")
    one_error(cli(*BASE, "-e", "large.json"), "too_large", words=["large.json", "500 bytes"])


def test_empty_settings_are_the_defaults(cli, shop):
    (shop / "veracord.toml").write_text("", "utf-8")
    assert cli(*BASE).code == 1


def test_jobs_for_one_record_changes_nothing(cli):
    assert cli(*BASE, "--json", "--jobs", "3").raw == cli(*BASE, "--json").raw
