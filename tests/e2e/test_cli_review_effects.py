"""What `review` decided holds for `repair --store` and `synthesize --store`: of a guess, no fact is made."""

import json

import pytest

REPAIR = ["repair", "record.json", "-p", "widget.toml", "-e", "evidence", "--store", ".veracord/store.db", "--json"]
SYNTHESIZE = ["synthesize", "seed.json", "-p", "widget.toml", "--store", ".veracord/store.db", "--json"]


@pytest.fixture
def pasted(cli, shop, imported):
    """Accept the guess, hand the record out with it, and paste it back without its origins."""
    done = cli("review", "accept", imported, "--reason", "as I know it", "--json").json
    assert cli("export", "--include-unverified", "--out", "all.jsonl").code == 0
    record = json.loads((shop / "all.jsonl").read_text())
    assert record["colour"] == "red"
    (shop / "again.json").write_text(json.dumps(record), "utf-8")
    (shop / "source").mkdir()
    (shop / "source/again.json").write_text(json.dumps(record), "utf-8")
    (shop / "seed.json").write_text(json.dumps(record), "utf-8")
    return done["event_id"]


def test_what_was_rejected_is_not_issued_again_and_after_undoing_it_is(cli, imported):
    done = cli("review", "reject", imported, "--code", "wrong_value", "--json").json
    told = cli(*REPAIR).json
    assert (told["suggestions"], sum(told["suppressed"].values())) == ([], 1)
    # Another store knows nothing of it.
    other = cli(*REPAIR[:-2], "other.db", "--json").json
    assert [one["value"] for one in other["suggestions"]] == ["red"]
    cli("review", "undo", done["event_id"], "--reason", "a slip")
    assert [one["value"] for one in cli(*REPAIR).json["suggestions"]] == ["red"]


def test_what_was_accepted_is_known_when_it_is_pasted_back(cli, pasted):
    told = cli("repair", "again.json", *REPAIR[2:]).json
    assert told["origins"]["/colour"] == "suggestion_origin"
    assert [fill["path"] for fill in told["fills"]] == []
    # As a source it fills nothing, though it is about the product and states the value.
    fills = cli("repair", "record.json", "-p", "widget.toml", "-e", "source", *REPAIR[6:], "--no-suggest").json["fills"]
    assert "/colour" not in [fill["path"] for fill in fills]
    # After the decision was taken back it is a guess that was shown, all the same.
    cli("review", "undo", pasted, "--reason", "a slip")
    assert cli("repair", "again.json", *REPAIR[2:]).json["origins"]["/colour"] == "suggestion_origin"


def test_a_synthesis_takes_no_accepted_guess_from_seed_or_source(cli, shop, pasted):
    assert pasted
    ended = cli(*SYNTHESIZE)
    assert "colour" not in ended.json.get("record", {}), ended
    (shop / "seed.json").write_text('{"id": "W-1"}', "utf-8")
    ended = cli(*SYNTHESIZE, "-e", "source")
    assert ended.code == 0, ended
    assert "colour" not in ended.json["record"]
    assert ended.json["record"]["mass_kg"] == 1.25


def test_what_evidence_states_in_the_end_is_a_guess_no_more(cli, shop, pasted):
    assert pasted
    (shop / "more.json").write_text('{"id": "W-1", "name": "Widget", "mass_kg": 1.25, "colour": "red"}', "utf-8")
    assert cli("review", "attach", "record", "more.json", "--json").json["fills"] == ["/colour"]
    assert "/colour" not in cli("repair", "again.json", *REPAIR[2:]).json["origins"]
    fills = cli("repair", "record.json", "-p", "widget.toml", "-e", "source", *REPAIR[6:], "--no-suggest").json["fills"]
    assert "/colour" in [fill["path"] for fill in fills]
