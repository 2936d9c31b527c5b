"""`veracord demo`: the main job with nothing to configure."""

import json
import shlex
from pathlib import Path

EXPECTED = json.loads((Path(__file__).parents[1] / "golden" / "demo_expected.json").read_text("utf-8"))


def test_the_demo_shows_what_the_tool_does(cli, tmp_path):
    ended = cli("demo", cwd=tmp_path)
    assert ended.code == 0
    assert not ended.err
    assert f"Filled ({len(EXPECTED['fills'])})" in ended.out
    assert f"Open ({len(EXPECTED['unresolved'])})" in ended.out
    for words in ("sources disagree", "no source states it", "about another product"):
        assert words in ended.out


def test_the_demo_marks_its_guess_and_counts_what_it_hides(cli, tmp_path):
    out = cli("demo", cwd=tmp_path).out
    (guess,) = EXPECTED["suggestions"]
    _, marked = out.split("Unverified guesses of a model")
    assert guess["path"] in marked.split("\n\n")[0]
    assert guess["rationale"] in marked.split("\n\n")[0]
    assert "2 suggestions of the model not shown" in marked
    assert "1 only moved a number of the record to its bound; 1 was about an identifier" in marked
    # No model was asked, and the text says so.
    assert "written for the demonstration" in out


def test_the_demo_builds_one_record_and_refuses_another(cli, tmp_path):
    out = cli("demo", cwd=tmp_path).out
    synthesis = EXPECTED["synthesis"]
    _, built = out.split(f"Where some of its {synthesis['values']} values come from ({len(synthesis['support'])})")
    for path, (_, evidence_id, _) in synthesis["support"].items():
        row = next(line for line in built.splitlines() if path in line)
        assert ("the seed" if evidence_id == "request:seed" else evidence_id) in row
    _, refused = built.split("No record (1)")
    for row in EXPECTED["refusal"]["violations"]:
        assert f"{row['path']}  {row['rule']}" in refused
        assert row["message"] in refused
    # What was invented is nowhere shown.
    assert "EN 62133-2" not in out


def test_the_demo_answers_abstains_and_refuses_a_false_answer(cli, tmp_path):
    lines = [line.strip() for line in cli("demo", cwd=tmp_path).out.splitlines()]
    for said, then in EXPECTED["answers"].items():
        assert lines[lines.index(said) + 1] == f"-> {then}"


def test_the_demo_as_json(cli, tmp_path):
    result = cli("demo", "--json", cwd=tmp_path).json
    fills = {fill["path"]: [fill["value"], fill["evidence_id"], fill["source_pointer"]] for fill in result["fills"]}
    assert fills == EXPECTED["fills"]
    assert {row["path"]: row["outcome"] for row in result["unresolved"]} == EXPECTED["unresolved"]
    for name in ("conforms", "suggestions", "suggestions_status", "suppressed"):
        assert result[name] == EXPECTED[name]


def test_what_the_demo_proposes_next_works(cli, tmp_path):
    _, told = cli("demo", cwd=tmp_path).out.split("Go on with the same files:\n")
    # As it was called, it can be called again.
    proposed = [
        shlex.split(line.partition(" -m veracord ")[2]) for line in told.splitlines() if " -m veracord " in line
    ]
    assert [arguments[0] for arguments in proposed] == [
        "validate",
        "repair",
        "synthesize",
        "synthesize",
        "answer",
        "demo",
    ]
    assert proposed[-1] == ["demo", "--serve"]
    codes = []
    for arguments in proposed[:-1]:
        ended = cli(*arguments, cwd=tmp_path)
        codes.append(ended.code)
        assert ended.out
        assert not ended.err
    assert codes == [1, 1, 0, 1, 0]
