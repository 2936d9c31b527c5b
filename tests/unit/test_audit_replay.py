"""Replay: the log gives records back byte for byte, and believes no step."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.audit_logs import Log, edited, log_of, rehashed
from veracord import InputError
from veracord.audit.chain import follow
from veracord.audit.events import EventType
from veracord.audit.replay import (
    Edit,
    apply_edit,
    change_data,
    edit_between,
    import_data,
    replay,
    replay_latest,
    text_digest,
)
from veracord.audit.told_suggestions import ToldSuggestion, told_suggestions
from veracord.records.values import digest

SCRIPT = Path(__file__).resolve().parents[2] / "tools/replay_log.py"

SPELLINGS = [
    "",
    "{}",
    '{"a":1.0,"a2":1e0,"b":"\\u00e9\\/"}\r\n',
    '\t{ "a" : [ 1 ,2 ] }\n\n',
    "\ufeff{}",
    '"\u202e\u2066 \u0000 \u007f \u2028 \U0001f600 e\u0301"',
    "x" * 1_000_000,
]


@pytest.mark.parametrize("text", SPELLINGS, ids=range(len(SPELLINGS)))
def test_the_spelling_of_an_import_is_kept(text):
    log = Log()
    log.load("r", text, {"/a": "input"})
    found = replay(log.events)["r"]
    assert (found.revision, found.text, found.origins) == (1, text, {"/a": "input"})
    assert found.digest == digest(text.encode()) == text_digest(text)


def test_every_kind_of_change_is_replayed():
    log = Log()
    log.load("r", '{"a": 1.0}', {"/a": "input"})
    log.load("s", "[]")
    kinds = (
        EventType.FILL_APPLIED,
        EventType.SUGGESTION_ACCEPTED,
        EventType.VALUE_DECLARED,
        EventType.EVIDENCE_ATTACHED,
        EventType.DECISION_UNDONE,
    )
    for number, kind in enumerate(kinds):
        log.change("r", f'{{"a": 1.0, "b": {number}}}', {"/a": "input", "/b": f"origin-{number}"}, kind, reason="why")
        log.add(EventType.SUGGESTION_CREATED, {"value": 1}, record_id="r", revision_before=number + 2)
    log.change("r", '{"a": 1.0}', {"/a": "input"}, EventType.DECISION_UNDONE)
    log.add(EventType.ACCESS_DENIED, record_id="unknown")
    log.add(EventType.EXPORT_MADE)
    found = replay(follow(log.events))
    assert list(found) == ["r", "s"]
    assert (found["r"].revision, found["r"].text, found["r"].origins) == (7, '{"a": 1.0}', {"/a": "input"})
    assert found["s"].text == "[]"


def test_only_the_origins_of_a_record_may_change():
    log = Log()
    log.load("r", "{}", {"/a": "accepted_suggestion"})
    event = log.change("r", "{}", {"/a": "evidence"}, EventType.EVIDENCE_ATTACHED)
    assert event.data["edit"] == {"start": 2, "removed": "", "inserted": ""}
    assert replay(log.events)["r"].origins == {"/a": "evidence"}


def test_a_record_may_be_imported_again():
    log = Log()
    log.load("r", "{}", {"/a": "input"})
    log.load("r", "[]")
    found = replay(log.events)["r"]
    assert (found.revision, found.text, found.origins) == (2, "[]", {})


def test_some_records_can_be_replayed_without_the_others():
    log = Log()
    log.load("r", "{}")
    log.load("s", "{}")
    log.change("s", "[]")
    assert replay(event for event in log.events if event.record_id == "s")["s"].text == "[]"


def test_texts_are_in_no_representation():
    log = Log()
    log.load("r", "secret-text")
    assert "secret" not in repr(replay(log.events)) + repr(Edit(0, "secret", "secret"))


@pytest.mark.parametrize(
    ("before", "after", "edit"),
    [
        ("", "", Edit(0, "", "")),
        ("", "a", Edit(0, "", "a")),
        ("a", "", Edit(0, "a", "")),
        ("abc", "abc", Edit(3, "", "")),
        ("abc", "axc", Edit(1, "b", "x")),
        ("aa", "aaa", Edit(2, "", "a")),
        ("aaa", "aa", Edit(2, "a", "")),
        ("abab", "ab", Edit(2, "ab", "")),
        ("xaby", "xy", Edit(1, "ab", "")),
        ("é😀ü", "é😁ü", Edit(1, "😀", "😁")),
        ("a\r\nb", "a\nb", Edit(1, "\r", "")),
    ],
)
def test_an_edit_leaves_out_what_stays(before, after, edit):
    assert edit_between(before, after) == edit
    assert apply_edit(before, edit) == after


def test_edits_of_large_texts_are_small():
    before = '{"a":"' + "é😀" * 500_000 + '"}'
    after = before.replace("é😀" * 1000 + '"}', 'x"}')
    edit = edit_between(before, after)
    assert (len(edit.removed), edit.inserted) == (2000, "x")
    assert apply_edit(before, edit) == after


@pytest.mark.parametrize(
    ("text", "edit"),
    [("abc", Edit(1, "x", "y")), ("abc", Edit(4, "", "y")), ("abc", Edit(3, "c", "")), ("", Edit(1, "", ""))],
)
def test_an_edit_that_does_not_fit_is_refused(text, edit):
    with pytest.raises(InputError, match="replay_mismatch"):
        apply_edit(text, edit)


def spoilt(change, **members):
    """Return a log whose third event is a change that went wrong."""
    log = Log()
    log.load("r", '{"a": 1}', {"/a": "input"})
    log.add()
    data = change_data('{"a": 1}', '{"a": 2}', {"/a": "input"}, {"/a": "evidence"})
    members = {"record_id": "r", "revision_before": 1, "revision_after": 2, **members}
    log.add(members.pop("kind", EventType.FILL_APPLIED), change(data), **members)
    return log


SPOILT = {
    "start": lambda data: {**data, "edit": {**data["edit"], "start": 5}},
    "start-after": lambda data: {**data, "edit": {**data["edit"], "start": 500}},
    "start-negative": lambda data: {**data, "edit": {**data["edit"], "start": -2}},
    "start-text": lambda data: {**data, "edit": {**data["edit"], "start": "6"}},
    "start-true": lambda data: {**data, "edit": {**data["edit"], "start": True}},
    "removed": lambda data: {**data, "edit": {**data["edit"], "removed": "3"}},
    "inserted": lambda data: {**data, "edit": {**data["edit"], "inserted": "3"}},
    "inserted-null": lambda data: {**data, "edit": {**data["edit"], "inserted": None}},
    "more": lambda data: {**data, "edit": {**data["edit"], "more": 1}},
    "edit-null": lambda data: {**data, "edit": None},
    "digest": lambda data: {**data, "text_digest": text_digest("x")},
    "digest-absent": lambda data: {name: item for name, item in data.items() if name != "text_digest"},
    "origins-absent": lambda data: {name: item for name, item in data.items() if name != "origins"},
    "origins-null": lambda data: {**data, "origins": None},
    "origins-set": lambda data: {**data, "origins": {"set": {}}},
    "origins-list": lambda data: {**data, "origins": {"set": [], "removed": []}},
    "origins-removed": lambda data: {**data, "origins": {"set": {}, "removed": ["/b"]}},
    "origins-twice": lambda data: {**data, "origins": {"set": {}, "removed": ["/a", "/a"]}},
    "origins-text": lambda data: {**data, "origins": {"set": {}, "removed": "/a"}},
    "origins-number": lambda data: {**data, "origins": {"set": {"/a": 1}, "removed": []}},
    "origins-pointer": lambda data: {**data, "origins": {"set": {"a": "x"}, "removed": []}},
}


def refused(log):
    with pytest.raises(InputError) as caught:
        replay(follow(log.events))
    assert (caught.value.code, caught.value.where) == ("replay_mismatch", "seq 3")


@pytest.mark.parametrize("change", SPOILT.values(), ids=SPOILT)
def test_a_change_that_does_not_fit_is_refused(change):
    refused(spoilt(change))


@pytest.mark.parametrize(
    "members",
    [
        {"revision_before": 2, "revision_after": 3},
        {"revision_before": None},
        {"revision_before": None, "revision_after": 1},
        {"revision_after": 1},
        {"revision_after": 3},
        {"revision_after": None},
        {"record_id": "other"},
        {"record_id": None},
        {"record_id": "other", "revision_before": None, "revision_after": 1},
        {"kind": EventType.SUGGESTION_REJECTED},
        {"kind": EventType.ACCESS_DENIED},
    ],
    ids=range(11),
)
def test_a_change_of_another_revision_record_or_type_is_refused(members):
    refused(spoilt(lambda data: data, **members))


@pytest.mark.parametrize(
    "members", [{"revision_before": 2}, {"revision_after": 2}, {"revision_before": 1, "revision_after": 2}]
)
def test_an_event_without_a_change_tells_no_new_revision(members):
    refused(spoilt(lambda _: {}, **{"revision_before": None, "revision_after": None, **members}))


@pytest.mark.parametrize(
    ("data", "members"),
    [
        ({}, {}),
        ({"text": 1, "origins": {}}, {}),
        ({"text": "", "origins": []}, {}),
        ({"text": "", "origins": {"a": "x"}}, {}),
        ({"text": "", "origins": {}, "text_digest": text_digest("x")}, {}),
        (import_data("", {}), {"revision_before": None, "revision_after": 1}),
        (import_data("", {}), {"revision_after": 1}),
        (import_data("", {}), {"record_id": None}),
    ],
    ids=range(8),
)
def test_an_import_that_does_not_fit_is_refused(data, members):
    refused(spoilt(lambda _: data, kind=EventType.RECORD_IMPORTED, **members))


# ---- the separate script ------------------------------------------------------------------------


def script(folder, lines, *options):
    export = folder / "export.jsonl"
    export.write_bytes(b"".join(lines))
    return subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(export), *options], capture_output=True, check=False, text=True
    )


def test_the_separate_script_is_short_and_knows_nothing_of_the_package():
    text = SCRIPT.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert "veracord." not in text
    assert "import veracord" not in text


def test_the_separate_script_gives_the_same_records(tmp_path):
    log = log_of(30)
    for number, text in enumerate(SPELLINGS):
        log.load(f"../{number}\u202e", text, {"/a": "input"})
    log.change("r", "[]", {}, EventType.DECISION_UNDONE)
    expected = replay(log.events)
    done = script(tmp_path, log.lines, "--out", str(tmp_path / "texts"))
    assert done.returncode == 0, done.stderr
    assert f"{len(log.events)} events, head {log.head.hash}; signatures were not checked" in done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["record_id"], row["revision"], row["digest"], row["origins"]) for row in told] == [
        (name, record.revision, record.digest, record.origins) for name, record in expected.items()
    ]
    for row, record in zip(told, expected.values(), strict=True):
        assert (tmp_path / "texts" / f"{row['number']}.json").read_bytes() == record.text.encode()
    assert len(list((tmp_path / "texts").iterdir())) == len(expected)


def test_the_separate_script_names_the_first_bad_seq(tmp_path):
    log = log_of(6)
    lines = log.lines
    cases = {
        3: [*lines[:2], edited(lines[2], tool="x"), *lines[3:]],
        2: [lines[0], *lines[2:]],
        4: [*lines[:3], b"\xff\n", *lines[4:]],
        5: [*lines[:4], lines[4].replace(b'"seq":5', b'"seq":5,"seq":5'), lines[5]],
    }
    for seq, tampered in cases.items():
        done = script(tmp_path, tampered)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"broken at seq {seq}: ")
    data = spoilt(SPOILT["digest"])
    assert script(tmp_path, data.lines).stderr.startswith("broken at seq 3: ")
    assert script(tmp_path, rehashed(lines, 0)).returncode == 0


def test_the_separate_script_tells_that_it_could_not_run(tmp_path):
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(tmp_path / "absent")], capture_output=True, check=False
    )
    assert done.returncode == 2


def declared(log, text, pointer, quote):
    source = {"document_digest": "sha256:d", "page": "1", "quote": quote, "quote_found": True}
    return log.change("r", text, {"/a": "declared"}, EventType.VALUE_DECLARED, at=pointer, **source)


def test_what_stands_behind_declared_values_is_replayed():
    log = Log()
    log.load("r", '{"a": 0}')
    first = declared(log, '{"a": 1}', "/a", "one")
    second = declared(log, '{"a": 2}', "", "two")
    assert replay(log.events)["r"].declarations["/a"] == {
        "document_digest": "sha256:d",
        "page": "1",
        "quote": "two",
        "quote_found": True,
        "event_id": second.id,
    }
    log.change("r", '{"a": 1}', kind=EventType.DECISION_UNDONE, undone=second.id)
    assert replay(log.events)["r"].declarations["/a"]["event_id"] == first.id
    log.load("r", '{"a": 1, "b": 2}', {"/a": "declared"})
    for found in (replay(log.events)["r"], replay_latest(log.events)):
        assert found.declarations["/a"]["event_id"] == first.id
    log.load("r", '{"a": 1}')
    assert replay(log.events)["r"].declarations == {}
    assert replay_latest(log.events) == replay(log.events)["r"]
    assert replay_latest(log.events[1:2]) is None


def test_a_declaration_elsewhere_stands_behind_nothing_here():
    log = Log()
    log.load("r", "{}")
    declared(log, '{"a": 1}', "/a", "one")
    declared(log, '{"a": 1, "ab": 1}', "/ab", "two")
    assert replay(log.events)["r"].declarations["/a"]["quote"] == "one"


def test_how_suggestions_stand_is_told():
    log = Log()
    content = {"value": 5, "rule": "r", "model": "m", "confidence": 1, "rank": 1}
    log.add(EventType.SUGGESTION_CREATED, {"suggestion_id": "s", **content}, record_id="r", pointer="/a")
    assert told_suggestions(log.events)["s"] == ToldSuggestion("r", "open", "/a", content)

    def move(kind, name, to, **more):
        log.add(kind, {"statuses": [{"id": name, "from": "?", "to": to}], **more}, record_id="r", pointer="/a")
        return told_suggestions(log.events)[name]

    assert move(EventType.SUGGESTION_DEFERRED, "s", "deferred", awaits_second=True).first == "u-7"
    assert move(EventType.SUGGESTION_ACCEPTED, "s", "accepted") == ToldSuggestion("r", "accepted", "/a", content)
    waiting = move(EventType.SUGGESTION_DEFERRED, "d", "deferred", awaits_second=True)
    assert waiting == ToldSuggestion("r", "deferred", "/a", None, "u-7")
    log.add(EventType.SUGGESTION_REOPENED, {"suggestion_id": "s", **content}, record_id="r", pointer="/a")
    log.add(EventType.SUGGESTION_REJECTED, {"statuses": "none"}, record_id="r", pointer="/a")
    log.add(EventType.SUGGESTION_REJECTED, {"statuses": [1]}, record_id="r", pointer="/a")
    assert told_suggestions(log.events)["s"].status == "open"
