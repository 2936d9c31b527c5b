"""Laws of the audit log: no change of an export goes unseen, and the log gives every text back."""

import importlib.util
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.properties.json_texts import RECORD_TEXTS, TEXTS
from tests.unit.audit_logs import Log, log_of, rehashed
from veracord import InputError
from veracord.audit.chain import follow
from veracord.audit.events import Event, EventType
from veracord.audit.exports import harmless
from veracord.audit.findings import Reason
from veracord.audit.keys import SigningKey
from veracord.audit.replay import CHANGING_TYPES, apply_edit, edit_between, replay
from veracord.audit.signatures import sign_checkpoint
from veracord.audit.verification import verify
from veracord.records.reading import read_value

KEY = SigningKey.make()
SCRIPT = Path(__file__).resolve().parents[2] / "tools/replay_log.py"


def _script():
    spec = importlib.util.spec_from_file_location("replay_log", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = _script()


def replayed_by_script(lines):
    """Return what the separate script gives: the records, or the message with which it ends."""
    with tempfile.TemporaryDirectory() as folder:
        export = Path(folder) / "export.jsonl"
        export.write_bytes(b"".join(lines))
        try:
            return script.replay(export)
        except SystemExit as end:
            return end.code


def _sample():
    log = log_of(8)
    log.sign(KEY)
    log.load("ж\u202e", '{"hash":"sha256:x","é":[1.50,"\\u0000"]}', {"/é": "input"})
    log.add(data={"value": read_value(b'{"a":[1e400,-0.5,null,true,"\\ud83d\\ude00"]}'), "hash": "x"}, pointer="/a~1b")
    log.change("ж\u202e", "[]", {})
    log.sign(KEY)
    log.add()
    return log


SAMPLE = _sample()
LINES = SAMPLE.lines
SAVED = sign_checkpoint(SAMPLE.head.seq, SAMPLE.head.hash, KEY)
OFTEN = st.sampled_from(
    [b'"', b"\\", b"{", b"}", b",", b" ", b"0", b"1", b"a", b"\n", b"\r", b"\x00", b"\xff", b"\\u0061"]
)
BYTES = st.one_of(OFTEN, st.binary(min_size=1, max_size=5))


@st.composite
def mutated(draw):
    """Return (index, line) of a line that is not what was written."""
    index = draw(st.integers(0, len(LINES) - 1))
    line = LINES[index].rstrip(b"\n")
    start = draw(st.integers(0, len(line)))
    kind = draw(st.sampled_from(["replace", "insert", "delete", "bit", "double", "swap"]))
    if kind == "insert":
        changed = line[:start] + draw(BYTES) + line[start:]
    elif kind == "replace":
        new = draw(BYTES)
        changed = line[:start] + new + line[start + len(new) :]
    elif kind == "delete":
        changed = line[:start] + line[start + draw(st.integers(1, 40)) :]
    elif kind == "bit":
        at = min(start, len(line) - 1)
        changed = line[:at] + bytes([line[at] ^ (1 << draw(st.integers(0, 7)))]) + line[at + 1 :]
    else:
        end = start + draw(st.integers(1, 30))
        changed = line[:end] + line[start:] if kind == "double" else line[:start] + line[start:end][::-1] + line[end:]
    return index, changed


@settings(max_examples=700)
@given(mutated())
def test_any_change_of_a_line_is_found_there(change):
    index, line = change
    # A line end put after a line leaves it as it is: the blank line after it is the bad one.
    if line.rstrip(b"\n") == LINES[index].rstrip(b"\n"):
        return
    lines = [*LINES[:index], line + b"\n", *LINES[index + 1 :]]
    report = verify(lines)
    event(str(report.reason))
    assert (report.ok, report.first_bad_seq, report.events) == (False, index + 1, index)
    said = replayed_by_script(lines)
    assert isinstance(said, str)
    assert said.startswith(f"broken at seq {index + 1}: ")


@st.composite
def member_changes(draw):
    """Return (index, line): one member of an event has another value, and the line is in our spelling."""
    index = draw(st.integers(0, len(LINES) - 1))
    value = json.loads(LINES[index])
    name = draw(st.sampled_from(sorted(value)))
    value[name] = draw(st.one_of(st.none(), st.integers(), st.text(max_size=5), st.just({}), st.booleans()))
    return index, json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(
        "utf-8", "replace"
    )


@settings(max_examples=300)
@given(member_changes())
def test_any_change_of_a_member_is_found_there(change):
    index, line = change
    # Of these lines json writes one number in another spelling than ours: that is a change of the line, too.
    if line == LINES[index].rstrip(b"\n"):
        return
    report = verify([*LINES[:index], line, *LINES[index + 1 :]])
    event(str(report.reason))
    assert (report.ok, report.first_bad_seq) == (False, index + 1)


@settings(max_examples=500)
@given(st.lists(st.integers(0, len(LINES) - 1), max_size=len(LINES) + 3))
def test_of_all_selections_of_lines_only_beginnings_are_sound(order):
    report = verify([LINES[index] for index in order], keys=[KEY.public])
    is_beginning = order == list(range(len(order)))
    assert report.ok is is_beginning
    if not is_beginning:
        first = next(place for place, index in enumerate(order) if place != index)
        assert report.first_bad_seq == first + 1
    whole = verify([LINES[index] for index in order], keys=[KEY.public], checkpoint=SAVED)
    assert whole.ok is (is_beginning and len(order) == len(LINES)) is whole.truncation_excluded


@settings(max_examples=200)
@given(st.integers(0, len(LINES) - 1), st.text(st.characters(codec="utf-8"), min_size=1, max_size=5))
def test_a_log_that_was_written_anew_is_found_by_a_checkpoint(index, text):
    parts = [Event.from_json(line.rstrip(b"\n")) for line in LINES]
    changed = LINES[index].replace(
        b'"tool":"veracord 0.1.0"', b'"tool":' + json.dumps(text, ensure_ascii=False).encode()
    )
    try:
        anew = rehashed([*LINES[:index], changed, *LINES[index + 1 :]], index)
    except InputError:
        # json spells some characters otherwise than our form.
        event("another spelling")
        return
    assert text == "veracord 0.1.0" or parts[index].tool != text
    report = verify(anew, checkpoint=SAVED)
    assert not report.ok
    assert report.reason in (Reason.REWRITTEN, Reason.MISPLACED_CHECKPOINT)


# ---- replay -------------------------------------------------------------------------------------

ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
ALIKE = st.text("ab\r\né😀\u202e", max_size=12)
POINTERS = st.lists(st.text("a~/0é", max_size=3), max_size=2).map(
    lambda tokens: "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)
)
ORIGINS = st.dictionaries(
    POINTERS, st.sampled_from(["input", "evidence", "declared", "accepted_suggestion"]), max_size=4
)


@settings(max_examples=500)
@given(st.one_of(st.tuples(ALIKE, ALIKE), st.tuples(ANY_TEXT, ANY_TEXT)))
def test_an_edit_leads_from_one_text_to_the_other_and_is_the_least(texts):
    before, after = texts
    edit = edit_between(before, after)
    assert apply_edit(before, edit) == after
    assert before[: edit.start] == after[: edit.start]
    if edit.removed and edit.inserted:
        assert edit.removed[0] != edit.inserted[0]
        assert edit.removed[-1] != edit.inserted[-1]
    assert (before == after) is (not edit.removed and not edit.inserted)


@st.composite
def histories(draw, texts):
    """Return a log of imports, changes and other events over a few records."""
    log = Log()
    for _ in range(draw(st.integers(1, 12))):
        name = draw(st.sampled_from(["r", "s", "é\u202e"]))
        kind = draw(st.sampled_from(["change", "change", "change", "import", "other", "sign"]))
        if kind == "import" or (kind == "change" and name not in log.records):
            log.load(name, draw(texts), draw(ORIGINS))
        elif kind == "change":
            log.change(name, draw(texts), draw(ORIGINS), draw(st.sampled_from(sorted(CHANGING_TYPES))))
        elif kind == "sign":
            log.sign(KEY)
        else:
            log.add(EventType.SUGGESTION_DEFERRED, {"value": read_value(draw(TEXTS).encode())}, record_id=name)
    return log


def same(log):
    expected = log.records
    found = replay(follow(Event.from_json(line.rstrip(b"\n")) for line in log.lines))
    assert {name: (r.revision, r.text.encode(), r.origins) for name, r in found.items()} == {
        name: (revision, text.encode(), origins) for name, (revision, text, origins) in expected.items()
    }
    assert verify(log.lines, keys=[KEY.public]).ok
    other = replayed_by_script(log.lines)
    assert {name: (r["revision"], r["text"], r["origins"]) for name, r in other.items()} == expected
    assert list(other) == list(found)


@settings(max_examples=50)
@given(histories(RECORD_TEXTS))
def test_the_log_gives_back_every_record_byte_for_byte(log):
    event(f"{sum('edit' in e.data for e in log.events)} changes")
    same(log)


@settings(max_examples=100)
@given(histories(st.one_of(ALIKE, ANY_TEXT)))
def test_the_log_gives_back_any_text_byte_for_byte(log):
    same(log)


@settings(max_examples=300)
@given(TEXTS)
def test_every_value_is_kept_by_its_line(text):
    try:
        value = read_value(text.encode())
    except InputError:
        return
    line = Log().add(data={"value": value}).to_json()
    again = Event.from_json(line)
    assert again.to_json() == line
    assert again.data == {"value": value}


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=10), st.text("=+-@\t\r\n'＝", max_size=4)))
def test_no_cell_is_run(cell):
    made = harmless(cell)
    assert made in (cell, f"'{cell}")
    assert not made.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))


@pytest.mark.parametrize("size", [0, 1, 200])
@settings(max_examples=200)
@given(data=st.data())
def test_arbitrary_bytes_are_told_and_never_crash(size, data):
    line = data.draw(st.binary(max_size=size))
    report = verify([line])
    assert (report.ok, report.first_bad_seq, report.reason) == (False, 1, Reason.UNREADABLE)
    with pytest.raises(InputError):
        Event.from_json(line)
