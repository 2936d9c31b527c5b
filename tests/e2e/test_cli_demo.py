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


def test_the_demo_as_json(cli, tmp_path):
    result = cli("demo", "--json", cwd=tmp_path).json
    fills = {fill["path"]: [fill["value"], fill["evidence_id"], fill["source_pointer"]] for fill in result["fills"]}
    assert fills == EXPECTED["fills"]
    assert {row["path"]: row["outcome"] for row in result["unresolved"]} == EXPECTED["unresolved"]
    assert result["conforms"] is EXPECTED["conforms"]


def test_what_the_demo_proposes_next_works(cli, tmp_path):
    proposed = [
        shlex.split(line)[1:] for line in cli("demo", cwd=tmp_path).out.splitlines() if line.startswith("  veracord ")
    ]
    assert [arguments[0] for arguments in proposed] == ["validate", "repair"]
    for arguments in proposed:
        ended = cli(*arguments, cwd=tmp_path)
        assert ended.code == 1
        assert ended.out
        assert not ended.err
