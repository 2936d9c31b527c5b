"""What `review` decided holds for `repair`, `synthesize` and `answer`: of a guess, no fact is made."""

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


@pytest.fixture
def handed_out(shop, pasted):
    """The same; from then on no model is asked."""
    (shop / "veracord.toml").unlink()
    return pasted


COLOUR = ["answer", "What is the colour of the product?", "--json"]
KNOWING = ["-p", "widget.toml", "--store", ".veracord/store.db"]


@pytest.mark.parametrize("more", [[], ["-p", "widget.toml"], KNOWING], ids=["bare", "profile", "store"])
def test_an_accepted_guess_answers_no_question(cli, handed_out, more):
    """With its sidecar a record needs no store to be known; what it states beside the guess answers as ever."""
    assert handed_out
    ended = cli(*COLOUR, "-e", "all.jsonl", *more)
    assert (ended.code, ended.json["code"]) == (1, "unverified_only")
    assert "red" not in ended.out
    mass = cli("answer", "How heavy is the product?", "--json", "-e", "all.jsonl", *more)
    assert mass.code == 0
    assert "1.25" in mass.json["text"]


def test_a_copy_without_its_sidecar_is_known_by_the_store_alone(cli, shop, handed_out):
    ended = cli(*COLOUR, "-e", "source", *KNOWING)
    assert (ended.code, ended.json["code"]) == (1, "unverified_only")
    # As a text, too, and after the decision was taken back: it was shown as a guess.
    item = {"id": "pasted", "text": (shop / "again.json").read_text("utf-8")}
    (shop / "items.evidence.jsonl").write_text(json.dumps(item) + "\n", "utf-8")
    cli("review", "undo", handed_out, "--reason", "a slip")
    for source in ("source", "items.evidence.jsonl"):
        assert cli(*COLOUR, "-e", source, *KNOWING).json["code"] == "unverified_only"
    # Without both it is a record like any other: docs/decisions.md.
    assert cli(*COLOUR, "-e", "source", "-p", "widget.toml").code == 0


def test_a_clean_export_has_no_guess_to_answer_with(cli, handed_out):
    assert handed_out
    assert cli("export", "--out", "clean.jsonl").code == 0
    assert cli(*COLOUR, "-e", "clean.jsonl", "-p", "widget.toml").json["code"] == "no_such_field"


def test_a_store_needs_a_profile_to_know_a_guess(cli, one_error):
    one_error(cli("answer", "What is the colour?", "--store", "s.db"), "usage", words=("--profile",))
