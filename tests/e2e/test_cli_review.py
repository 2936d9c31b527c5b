"""`veracord import`, `review` and `export`: a guess enters a record only by what a person did, and the log says who."""

import json
import os
import pwd
import sqlite3

import pytest

from tests.contract.model_server import Status
from tests.e2e.conftest import IMPORT, RECORD, guess, guesses

HOSTILE = "\x1b[31mred\u202e\u0007"


@pytest.mark.usefixtures("imported")
def test_an_import_fills_from_evidence_and_keeps_the_guess_apart(cli):
    page = cli("review", "list", "--json").json
    (row,) = page["suggestions"]
    assert (row["record_id"], row["pointer"], row["value"], row["status"]) == ("record", "/colour", "red", "open")
    assert (row["model"], page["total"]) == ("small", 1)
    assert {name: number for name, number in page["counts"].items() if number} == {"open": 1}
    (line,) = cli("export").out.splitlines()
    assert json.loads(line) == {**json.loads(RECORD), "mass_kg": 1.25}
    assert '"price": 1.50' in line


def test_one_screen_shows_all_that_a_decision_needs(cli, imported):
    shown = cli("review", "show", imported[7:15])
    for words in (
        "Record record (widget@1), revision 2",
        "Place  /colour",
        "enum",
        "model guess, unverified, no evidence",
        "of small, confidence 0.3 (never above 0.3)",
        '- "green"',
        '+ "red"',
        "The widget W-1 is red.",
    ):
        assert words in shown.out, words
    told = cli("review", "show", imported, "--json").json
    assert (told["present"], told["stands"], told["suggestion"]["id"]) == ("green", True, imported)
    assert told["seen"] in shown.out
    place = cli("review", "show", "record", "/maker", "--json").json
    assert (place["stands"], place["present"], place["suggestion"]) == (False, None, None)
    assert [one["value"] for one in place["evidence"] if "value" in one] == ["Acme"]


def test_what_was_accepted_stays_unverified_and_can_be_undone(cli, shop, imported):
    seen = cli("review", "show", imported, "--json").json["seen"]
    done = cli("review", "accept", imported, "--reason", "as I know it", "--seen", seen, "--json").json
    assert (done["act"], done["revision"], done["awaits_second"]) == ("accept", 3, False)
    clean = cli("export", "--json").json["records"][0]
    assert "colour" not in clean["record"]
    assert clean["left_out"] == ["/colour"]
    assert cli("export", "--include-unverified", "--out", "all.jsonl").code == 0
    assert json.loads((shop / "all.jsonl").read_text())["colour"] == "red"
    assert json.loads((shop / "all.origins.json").read_text())["1"]["/colour"] == "accepted_suggestion"
    # What was handed out is known for a guess when it comes back.
    again = cli("import", "all.jsonl", "-p", "widget.toml", "--store", "other.db", "--no-suggest", "--json")
    assert again.json["records"][0]["record_id"] == "all#1"
    assert "colour" not in cli("export", "--store", "other.db").json
    undone = cli("review", "undo", done["event_id"], "--reason", "wrong", "--json").json
    assert undone["revision"] == 4
    assert cli("export").json["colour"] == "green"
    assert cli("review", "list", "--json").json["total"] == 1


def test_what_was_rejected_is_not_suggested_again(cli, imported):
    assert cli("review", "reject", imported, "--code", "wrong_value", "--note", "no").code == 0
    assert cli(*IMPORT).code == 0
    assert cli("review", "list", "--json").json["total"] == 0
    assert cli("review", "list", "--status", "rejected", "--json").json["total"] == 1


def test_edit_defer_and_declare(cli, shop, imported):
    assert cli("review", "defer", imported, "--note", "later").code == 0
    assert cli("review", "list", "--status", "deferred", "--json").json["total"] == 1
    assert cli("review", "edit", imported, '"blue"', "--reason", "I think").code == 0
    assert cli("export", "--include-unverified", "--json").json["records"][0]["record"]["colour"] == "blue"
    (shop / "sheet.txt").write_text("It weighs\n  2.5 kg.", "utf-8")
    document = ["--document", "sheet.txt", "--page", "1", "--quote", "weighs 2.5 kg"]
    assert cli("review", "declare", "record", "/mass_kg", "2.50", *document, "--reason", "I hold it").code == 0
    assert cli("export", "--out", "out.jsonl").code == 0
    assert '"mass_kg": 2.50' in (shop / "out.jsonl").read_text()
    declared = json.loads((shop / "out.declared.json").read_text())["1"]["/mass_kg"]
    assert (declared["page"], declared["quote"], declared["quote_found"]) == ("1", "weighs 2.5 kg", True)


def test_attaching_evidence_grounds_what_is_open(cli, shop, imported, events):
    (shop / "more.json").write_text('{"id": "W-1", "name": "Widget", "mass_kg": 1.25, "colour": "red"}', "utf-8")
    attached = cli("review", "attach", "record", "more.json", "--reason", "it came today", "--json").json
    assert attached["fills"] == ["/colour"]
    assert cli("export").json["colour"] == "red"
    assert cli("review", "show", imported, "--json").json["suggestion"]["status"] == "withdrawn"
    assert "evidence.attached" in [one["type"] for one in events()]


def test_the_person_is_the_account_whatever_the_environment_says(cli, imported, events):
    cli("review", "reject", imported, "--code", "other", USER="mallory", LOGNAME="mallory", USERNAME="mallory")
    (event,) = [one for one in events() if one["type"] == "suggestion.rejected"]
    name = pwd.getpwuid(os.getuid()).pw_name
    assert event["actor"] == {"id": name, "kind": "person", "how": "terminal", "role": "maintainer"}


@pytest.mark.parametrize(
    "refused",
    [
        (["accept", "ID"], "reason_missing", "accept"),
        (["accept", "ID", "--reason", " "], "reason_missing", "accept"),
        (["accept", "0000", "--reason", "x"], "unknown_suggestion", "accept"),
        (["accept", "", "--reason", "x"], "unknown_suggestion", "accept"),
        (["accept", "ID", "--reason", "x", "--seen", "1:sha256:00"], "changed_underneath", "accept"),
        (["edit", "ID", '"pink"', "--reason", "x"], "value_invalid", "edit"),
        (["edit", "ID", "--reason", "x", "--", "-1"], "value_invalid", "edit"),
        (["accept", "ID", "--reason", "\u200b"], "reason_missing", "accept"),
        (["accept", "ID", "--reason", "x" * 10_001], "text_too_long", "accept"),
        (["accept", "ID", "--reason", "\udcff"], "value_invalid", "accept"),
        (["reject", "ID"], "reason_missing", "reject"),
        (["reject", "ID", "--code", "because"], "reason_unknown", "reject"),
        (["defer", "nobody"], "unknown_suggestion", "defer"),
        (["undo", "nothing", "--reason", "x"], "unknown_event", "undo"),
        (["attach", "nobody", "evidence/maker.json"], "unknown_record", "attach"),
        (["declare", "nobody", "/a", "1", "--document", "good.json"], "unknown_record", "declare"),
    ],
)
def test_a_refusal_is_one_line_and_stands_in_the_log(cli, imported, events, one_error, refused):
    arguments, code, action = refused
    ended = cli("review", *(imported if word == "ID" else word for word in arguments))
    one_error(ended, code)
    for word in ("green", "red", "pink"):
        assert word not in ended.err
    # Nothing else came of it: what stands behind it is the export that was just made.
    denied, export = events()[-2:]
    assert (denied["type"], export["type"]) == ("access.denied", "export.made")
    assert (denied["data"]["action"], denied["data"]["code"]) == (action, code)
    assert denied["actor"]["how"] == "terminal"


def test_what_changed_since_it_was_seen_is_refused(cli, shop, imported, one_error):
    seen = cli("review", "show", imported, "--json").json["seen"]
    (shop / "record.json").write_text(RECORD.replace("green", "purple"), "utf-8")
    assert cli(*IMPORT).code == 0
    ended = cli("review", "accept", imported, "--reason", "x", "--seen", seen)
    one_error(ended, "changed_underneath")
    assert "purple" not in ended.err
    assert cli("review", "accept", imported, "--reason", "x").code == 0


def test_odd_texts_are_kept_exactly_and_shown_harmlessly(cli, shop, imported, events):
    assert cli("review", "reject", imported, "--code", "other", "--note", HOSTILE).code == 0
    (event,) = [one for one in events() if one["type"] == "suggestion.rejected"]
    assert event["data"]["note"] == HOSTILE
    (shop / "odd.json").write_text(json.dumps({"id": "W-9", "name": HOSTILE, "mass_kg": 1, "maker": HOSTILE}), "utf-8")
    odd = "=1+1 \u202e|'\"\\ 漢 #?&"
    assert cli("import", "odd.json", "-p", "widget.toml", "--id", odd, "--no-suggest").code == 0
    for arguments in (
        ["review", "show", imported],
        ["review", "show", odd, "/maker"],
        ["review", "list", "--status", "all"],
        ["audit", "replay"],
    ):
        ended = cli(*arguments)
        assert ended.code == 0, ended
        assert not {"\x1b", "\u202e", "\u0007"} & set(ended.out), arguments
    assert cli("review", "show", odd, "/maker", "--json").json["present"] == HOSTILE
    assert cli("export", "--record", odd).json["name"] == HOSTILE


@pytest.mark.usefixtures("lines")
def test_many_records_and_one_that_is_broken(cli):
    ended = cli("import", "many.jsonl", "-p", "widget.toml", "-e", "evidence", "--json")
    assert ended.code == 2
    assert [row["record_id"] for row in ended.json["records"]] == ["many#1", "many#2", "many#5"]
    assert ended.json["failed"] == 1
    assert ended.err.startswith("error: ")
    assert "many.jsonl line 4" in ended.err
    assert ended.err.count("\n") == 1
    assert len(cli("export").out.splitlines()) == 3
    assert len(cli("export", "--record", "many#2", "--record", "many#1").out.splitlines()) == 2


def test_an_id_from_the_record_and_standard_input(cli, shop):
    data = (shop / "record.json").read_bytes()
    ended = cli("import", "-", "-p", "widget.toml", "--key", "/id", "--json", stdin=data)
    assert ended.json["records"][0]["record_id"] == "W-1"
    assert cli("import", "record.json", "-p", "widget.toml", "--key", "/colour", "--json").json["failed"] == 0
    ended = cli("import", "-", "-p", "widget.toml", "--key", "/nothing", stdin=data)
    assert ended.err.startswith("error: record_id: ")


@pytest.mark.usefixtures("guesser")
def test_the_beginning_of_an_id_must_mean_one_suggestion(cli, one_error):
    for name in ("a", "b"):
        assert cli(*IMPORT, "--id", name).code == 0
    assert cli("review", "list", "--record", "a", "--json").json["total"] == 1
    one_error(cli("review", "show", "sha256:"), "ambiguous_id")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["import", "record.json"], "usage"),
        (["import", "record.json", "-p", "widget.toml", "--id", "a", "--key", "/id"], "usage"),
        (["import", "record.json", "good.json", "-p", "widget.toml", "--id", "a"], "usage"),
        (["import", "-", "-p", "widget.toml"], "usage"),
        (["import", "record.json", "-p", "widget.toml", "--key", "id"], "usage"),
        (["import", "record.json", "-p", "widget.toml", "--id", "a\x1b"], "record_id"),
        (["import", "gone.json", "-p", "widget.toml"], "unreadable_file"),
        (["import", "record.json", "-p", "widget.toml", "--store", ""], "usage"),
        (["review", "list", "--status", "lost"], "usage"),
        (["review", "list", "--older", "yesterday"], "usage"),
        (["review", "list", "--pointer", "colour"], "invalid_pointer"),
        (["review", "list", "--store", "gone.db"], "no_store"),
        (["review", "accept", "ID", "--reason", "x", "--seen", "now"], "usage"),
        (["review", "edit", "ID", "red", "--reason", "x"], "usage"),
        (["review", "attach", "record", "many.jsonl"], "usage"),
        (["review", "declare", "record", "/colour", '"red"', "--document", "gone.pdf"], "unreadable_file"),
        (["export", "--include-unverified"], "usage"),
        (["export", "--format", "csv", "--json"], "usage"),
        (["export", "--record", "nobody"], "unknown_record"),
        (["export", "--out", ".veracord/store.db"], "output_is_input"),
        (["export", "--format", "csv", "--out", ".veracord/store.db.audit.pem"], "output_is_input"),
    ],
)
def test_a_mistake_is_one_line(cli, shop, imported, one_error, arguments, code):
    (shop / "many.jsonl").write_text('{"id": "W-1"}\n{"id": "W-2"}\n', "utf-8")
    one_error(cli(*(imported if word == "ID" else word for word in arguments)), code)


def test_a_model_that_fails_changes_no_exit_code(cli, guesser):
    guesser.script(Status(401), guesses())
    ended = cli(*IMPORT, "--json")
    assert (ended.code, ended.err) == (0, "")
    (row,) = ended.json["records"]
    assert row["suggestions_status"].startswith("failed:")
    assert (row["fills"], row["suggestions_waiting"]) == (1, 0)
    assert "no suggestions" not in cli(*IMPORT).out


def test_a_mistake_in_the_profile_makes_no_store(cli, shop):
    assert cli("import", "record.json", "-p", "nothing").code == 2
    assert not (shop / ".veracord").exists()


def test_a_table_of_decisions_runs_nothing(cli, shop, imported):
    assert cli("review", "accept", imported, "--reason", "=cmd|' /C calc'!A0").code == 0
    assert cli("export", "--format", "csv", "--out", "decisions.csv").code == 0
    assert "\"'=cmd|" in (shop / "decisions.csv").read_text()
    assert cli("export", "--format", "prov").json["activity"]


def test_a_store_that_was_never_one_is_told(cli, shop, one_error):
    sqlite3.connect(shop / "empty.db").close()
    one_error(cli("review", "list", "--store", "empty.db"), "no_store", words=["import a record first"])


def test_a_guess_where_nothing_is_wrong_is_none(cli, guesser):
    guesser.script(guesses(guess(), guess("Acme", "/maker")))
    assert cli(*IMPORT).code == 0
    assert [one["pointer"] for one in cli("review", "list", "--json").json["suggestions"]] == ["/colour"]
    assert cli("review", "list", "--limit", "1", "--offset", "1", "--json").json["suggestions"] == []
