"""`veracord explain RECORD POINTER --store URL`, `evidence show REF --store URL`: what stands behind a value."""

import hashlib
import json
import os
import pwd
import sqlite3

import pytest

from tests.e2e.conftest import IMPORT, RECORD

STORE = ["--store", ".veracord/store.db"]
ME = pwd.getpwuid(os.getuid()).pw_name


@pytest.fixture
def explain(cli):
    """Explain a place of the record, as JSON."""

    def ask(pointer, record="record"):
        ended = cli("explain", record, pointer, *STORE, "--json")
        assert (ended.code, ended.err) == (0, ""), ended
        return ended.json

    return ask


def types(told):
    return [one["type"] for one in told["history"]]


@pytest.mark.usefixtures("imported")
def test_a_fill_is_told_with_its_evidence(cli, shop, explain):
    told = explain("/mass_kg")
    (leaf,) = told["leaves"]
    assert (told["origin"], told["value"], told["violations"]) == ("evidence", 1.25, [])
    fill = leaf["fill"]
    reference = "sha256:" + hashlib.sha256((shop / "evidence/maker.json").read_bytes()).hexdigest()
    assert (fill["evidence_id"], fill["evidence_ref"], fill["source_pointer"]) == ("maker", reference, "/mass_kg")
    assert leaf["evidence_kept"] is True
    assert (leaf["event"]["type"], leaf["event"]["actor"]["id"]) == ("fill.applied", ME)
    assert types(told) == ["record.imported", "fill.applied"]
    out = cli("explain", "record", "/mass_kg", *STORE).out
    for words in ("from maker at /mass_kg", reference, "fill.applied", leaf["event"]["event_id"]):
        assert words in out, words


def test_a_place_that_is_open_tells_why(cli, imported, explain):
    told = explain("/colour")
    assert (told["origin"], told["stands"], told["value"]) == ("open", True, "green")
    (row,) = told["violations"]
    assert (row["rule"], row["outcome"]) == ("enum", "no_source")
    assert [(one["id"], one["status"]) for one in told["suggestions"]] == [(imported, "open")]
    assert [one["id"] for one in told["evidence"]] == ["leaflet"]
    assert types(told) == ["record.imported", "suggestion.created"]
    out = cli("explain", "record", "/colour", *STORE).out
    for words in ("open: something is wrong there", "no source states it", imported, "leaflet"):
        assert words in out, words
    cli("review", "reject", imported, "--code", "wrong_value", "--note", "never")
    told = explain("/colour")
    assert [one["status"] for one in told["suggestions"]] == ["rejected"]
    last = told["history"][-1]
    assert (last["type"], last["code"], last["reason"]) == ("suggestion.rejected", "wrong_value", "never")


def test_what_was_accepted_is_told_with_who_when_and_why(cli, imported, explain):
    done = cli("review", "accept", imported, "--reason", "as I \x1b[31mknow\u202e it", "--json").json
    told = explain("/colour")
    (leaf,) = told["leaves"]
    event = leaf["event"]
    assert (told["origin"], leaf["origin"]) == ("accepted_suggestion", "accepted_suggestion")
    assert (event["event_id"], event["actor"]["id"], event["reason"]) == (
        done["event_id"],
        ME,
        "as I \x1b[31mknow\u202e it",
    )
    assert event["at"].endswith("Z")
    assert (leaf["suggestion"]["id"], leaf["edited"], leaf["first_person"]) == (imported, False, None)
    out = cli("explain", "record", "/colour", *STORE).out
    assert not {"\x1b", "\u202e"} & set(out)
    for words in ("a guess that a person accepted", ME, done["event_id"], imported, "because: as I"):
        assert words in out, words
    cli("review", "undo", done["event_id"], "--reason", "a slip")
    told = explain("/colour")
    assert (told["origin"], told["value"]) == ("open", "green")
    assert [(one["type"], one["undone"]) for one in told["history"]][-2:] == [
        ("suggestion.accepted", True),
        ("decision.undone", False),
    ]
    assert told["history"][-1]["takes_back"] == done["event_id"]


def test_what_was_declared_is_told_with_its_document(cli, shop, imported, explain):
    (shop / "sheet.txt").write_text("It weighs 2.5 kg.", "utf-8")
    document = ["--document", "sheet.txt", "--page", "7", "--quote", "weighs 2.5 kg"]
    assert imported
    done = cli("review", "declare", "record", "/mass_kg", "2.50", *document, "--reason", "I hold it", "--json").json
    told = explain("/mass_kg")
    (leaf,) = told["leaves"]
    declared = leaf["declaration"]
    digest = "sha256:" + hashlib.sha256(b"It weighs 2.5 kg.").hexdigest()
    assert (declared["document_digest"], declared["page"], declared["quote"]) == (digest, "7", "weighs 2.5 kg")
    assert (leaf["event"]["event_id"], leaf["event"]["actor"]["id"]) == (done["event_id"], ME)
    out = cli("explain", "record", "/mass_kg", *STORE).out
    for words in ("declared by a person", digest, "page 7", "weighs 2.5 kg", "because: I hold it"):
        assert words in out, words


@pytest.mark.usefixtures("imported")
def test_attached_evidence_is_told_with_its_cause(cli, shop, explain):
    (shop / "more.json").write_text('{"id": "W-1", "name": "Widget", "mass_kg": 1.25, "colour": "red"}', "utf-8")
    done = cli("review", "attach", "record", "more.json", "--reason", "it came today", "--json").json
    told = explain("/colour")
    (leaf,) = told["leaves"]
    assert (leaf["fill"]["evidence_id"], leaf["event"]["cause"]) == ("more", done["event_id"])
    assert [one["status"] for one in told["suggestions"]] == ["withdrawn"]
    assert types(told) == ["record.imported", "suggestion.created", "evidence.attached", "fill.applied"]
    assert told["history"][2]["reason"] == "it came today"
    cli("review", "undo", done["event_id"], "--reason", "the wrong widget")
    told = explain("/colour")
    assert (told["origin"], types(told)[-1]) == ("open", "decision.undone")
    assert [one["undone"] for one in told["history"]] == [False, False, True, True, False]


@pytest.mark.usefixtures("imported")
def test_what_came_with_the_record_and_a_whole_record(explain):
    told = explain("/name")
    assert (told["origin"], told["leaves"][0]["event"]["type"]) == ("input", "record.imported")
    told = explain("")
    assert (told["origin"], [one["pointer"] for one in told["leaves"]]) == ("several", ["/mass_kg"])
    assert types(told) == ["record.imported", "fill.applied", "suggestion.created"]
    told = explain("/maker")
    assert (told["origin"], told["stands"], told["leaves"]) == ("absent", False, [])
    assert [one["value"] for one in told["evidence"] if "value" in one] == ["Acme"]


def test_an_origin_that_came_with_a_record_is_nobodys_decision_here(cli, shop, imported, explain):
    assert cli("review", "accept", imported, "--reason", "x").code == 0
    (shop / "record.json").write_text(RECORD.replace("green", "blue"), "utf-8")
    (shop / "record.origins.json").write_text('{"/colour": "accepted_suggestion"}', "utf-8")
    assert cli(*IMPORT, "--drop-decisions").code == 0
    (leaf,) = explain("/colour")["leaves"]
    assert (leaf["origin"], leaf["event"]["type"]) == ("accepted_suggestion", "record.imported")
    assert "suggestion" not in leaf


@pytest.mark.usefixtures("imported")
def test_a_profile_that_changed_hides_only_what_is_wrong(cli, shop, explain):
    # The profile is loaded from where the import found it.
    assert cli(*IMPORT).code == 0
    (shop / "widget.toml").unlink()
    told = explain("/mass_kg")
    assert (told["violations"], told["leaves"][0]["fill"]["evidence_id"]) == (None, "maker")
    assert "is not known: the profile" in cli("explain", "record", "/mass_kg", *STORE).out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["explain", "nobody", "/colour", *STORE], "unknown_record"),
        (["explain", "record", "colour", *STORE], "invalid_pointer"),
        (["explain", "record", "/gone", *STORE], "no_such_place"),
        (["explain", "record", "/colour/deeper", *STORE], "no_such_place"),
        (["explain", "record", "/colour", "--store", "gone.db"], "no_store"),
        (["explain", "record", "/colour", "--store", ""], "usage"),
        (["explain", "record", "/colour", "--line", "1", *STORE], "usage"),
        (["explain", "record", "/colour"], "unreadable_file"),
        (["evidence", "show", "sha256:00", *STORE], "unresolved_reference"),
        (["evidence", "show", "x\x1b\u202e", *STORE], "unresolved_reference"),
        (["evidence", "show", "sha256:00", "-e", "evidence", *STORE], "usage"),
        (["evidence", "show", "sha256:00", "--store", "gone.db"], "no_store"),
    ],
)
@pytest.mark.usefixtures("imported")
def test_a_mistake_is_one_line(cli, one_error, arguments, code):
    ended = cli(*arguments)
    one_error(ended, code)
    assert not {"\x1b", "\u202e"} & set(ended.err)


@pytest.mark.usefixtures("imported")
def test_a_reference_is_resolved_in_the_store(cli, shop, explain):
    reference = explain("/mass_kg")["leaves"][0]["fill"]["evidence_ref"]
    for path in (shop / "evidence").iterdir():
        path.unlink()
    ended = cli("evidence", "show", reference, *STORE, "--json")
    assert (ended.json["id"], ended.json["content"]["maker"]) == ("maker", "Acme")
    assert '"mass_kg":1.250' in ended.out
    assert "read from: the store" in cli("evidence", "show", reference, *STORE).out
    text = "sha256:" + hashlib.sha256(b"The widget W-1 is red.\n").hexdigest()
    assert "The widget W-1 is red." in cli("evidence", "show", text, *STORE).out


@pytest.mark.usefixtures("imported")
def test_evidence_that_was_changed_in_the_store_is_told(cli, shop, one_error, explain):
    reference = explain("/mass_kg")["leaves"][0]["fill"]["evidence_ref"]
    connection = sqlite3.connect(shop / ".veracord/store.db")
    with connection:
        connection.execute("UPDATE evidence_bodies SET body = replace(body, 'Acme', 'Ecma')")
    connection.close()
    ended = cli("evidence", "show", reference, *STORE)
    one_error(ended, "evidence_damaged", exit_code=4)
    assert "Ecma" not in ended.err
    one_error(cli("explain", "record", "/mass_kg", *STORE), "evidence_damaged", exit_code=4)


@pytest.mark.usefixtures("imported")
def test_a_result_is_explained_as_before(cli, shop):
    cli("repair", "record.json", "-p", "widget.toml", "-e", "evidence", "--out", "result.json", "--no-suggest")
    assert cli("explain", "result.json", "/mass_kg", "--json").json["origin"] == "evidence"
    assert json.loads((shop / "result.json").read_text())["fills"]
