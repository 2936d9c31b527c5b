"""Verification: every way to tamper, at the first, a middle and the last place, with and without a checkpoint."""

import io
import json
from dataclasses import replace

import pytest

from tests.unit.audit_logs import Log, edited, log_of, rehashed
from veracord.audit.chain import GENESIS, Head
from veracord.audit.events import Event, EventType
from veracord.audit.findings import Reason
from veracord.audit.keys import SigningKey
from veracord.audit.signatures import Checkpoint, sign_checkpoint, sign_rotation
from veracord.audit.stored_lines import StoredLine, StoredPage
from veracord.audit.verification import export_lines, verify, verify_store
from veracord.errors import InputError

COUNT = 21
PLACES = {"first": 0, "middle": COUNT // 2, "last": COUNT - 1}
KEY = SigningKey.make()
OTHER_KEY = SigningKey.make()


@pytest.fixture(scope="module")
def log():
    return log_of(COUNT)


@pytest.fixture(params=PLACES.values(), ids=PLACES)
def index(request):
    return request.param


def saved(log, key=KEY):
    return sign_checkpoint(log.head.seq, log.head.hash, key)


def found(lines, **options):
    report = verify(lines, **options)
    assert report.ok is (report.reason is None) is (report.why == "")
    assert json.dumps(report.to_dict())
    assert not (report.truncation_excluded and not report.ok)
    return report.first_bad_seq, report.reason


# ---- sound logs ---------------------------------------------------------------------------------


def test_a_sound_log_without_a_checkpoint_says_what_it_cannot_exclude(log):
    report = verify(log.lines)
    assert (report.ok, report.events, report.head) == (True, COUNT, log.head)
    assert (report.truncation_excluded, report.vouched_to, report.checkpoints, report.signed_to) == (False, 0, 0, 0)
    assert report.statements() == [
        f"sound: {COUNT} events, head {log.head.hash}",
        "no checkpoint was given: that events were cut off at the end cannot be excluded",
        "no event is under a signature in the log",
    ]


def test_a_sound_log_with_a_checkpoint_says_how_far_it_reaches():
    log = log_of(3)
    checkpoint = saved(log)
    log.sign(KEY)
    log.add()
    report = verify(log.lines, checkpoint=checkpoint, keys=[KEY.public])
    assert (report.ok, report.truncation_excluded, report.vouched_to) == (True, True, 3)
    assert (report.checkpoints, report.signed_to, report.keys_trusted) == (1, 3, True)
    truncation, signatures = report.statements()[1:]
    assert truncation.startswith(
        "events 1 to 3 are all there, as the checkpoint says; 2 came after it, and that others"
    )
    assert truncation.endswith(" after it were cut off cannot be excluded")
    assert signatures == "events 1 to 3 are under 1 checkpoint in the log, signed with keys that you trust"
    assert "anybody could have signed" in verify(log.lines).statements()[2]


def test_an_empty_log_is_sound_and_shows_nothing():
    assert verify([]).head == GENESIS
    report = verify([], checkpoint=sign_checkpoint(0, GENESIS.hash, KEY))
    assert (report.ok, report.truncation_excluded, report.vouched_to) == (True, True, 0)


def test_line_ends_are_optional_and_streams_are_read_line_by_line(log):
    bare = [line.rstrip(b"\n") for line in log.lines]
    assert verify(bare).ok
    assert verify(export_lines(io.BytesIO(b"\n".join(bare)))).ok
    assert verify(export_lines(io.BytesIO(b"".join(log.lines)))).ok


def test_a_report_holds_nothing_of_the_log():
    log = Log()
    log.add(data={"v": "secret-value"})
    line = log.lines[0].replace(b"secret-value", b"secret-valu\xff")
    assert "secret" not in repr(verify([line])) + "".join(verify([line]).statements())


# ---- single lines -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "members",
    [
        {"at": "2026-11-30T09:15:00.000001Z"},
        {"actor": {"id": "u-8", "kind": "person", "how": "password", "role": "reviewer"}},
        {"tool": "veracord 0.1.1"},
        {"id": "other"},
        {"data": {}},
        {"request_id": "other"},
        {"pointer": "/other"},
        {"type": "access.denied"},
        {"hash": f"sha256:{'0' * 64}"},
        {"prev": f"sha256:{'0' * 64}"},
        {"seq": 1000},
    ],
    ids=lambda members: next(iter(members)),
)
def test_an_edited_event_is_found(log, index, members):
    lines = log.lines
    lines[index] = edited(lines[index], **members)
    assert found(lines) == (index + 1, Reason.EDITED)


def test_an_edited_event_with_its_own_hash_made_anew_is_found_at_the_next(log, index):
    lines = log.lines
    lines[index] = rehashed([*lines[:index], edited(lines[index], tool="x")], index)[index]
    if index < COUNT - 1:
        assert found(lines) == (index + 2, Reason.UNLINKED)
    else:
        assert found(lines) == (None, None)
    seq, reason = found(lines, checkpoint=saved(log))
    assert (seq, reason) == ((index + 2, Reason.UNLINKED) if index < COUNT - 1 else (COUNT, Reason.REWRITTEN))


def test_a_rewritten_suffix_is_found_by_a_checkpoint_alone(log, index):
    lines = log.lines
    lines[index] = edited(lines[index], tool="x")
    lines = rehashed(lines, index)
    assert found(lines) == (None, None)
    assert found(lines, checkpoint=saved(log)) == (COUNT, Reason.REWRITTEN)


def test_a_removed_event_is_found(log, index):
    lines = log.lines
    del lines[index]
    last = index == COUNT - 1
    assert found(lines) == ((None, None) if last else (index + 1, Reason.OUT_OF_PLACE))
    assert found(lines, checkpoint=saved(log)) == (index + 1, Reason.TRUNCATED if last else Reason.OUT_OF_PLACE)
    if not last:
        anew = rehashed(lines, index)
        assert found(anew) == (None, None)
        assert found(anew, checkpoint=saved(log)) == (COUNT, Reason.TRUNCATED)


def test_swapped_events_are_found(log, index):
    lines = log.lines
    other = index + 1 if index < COUNT - 1 else index - 1
    lines[index], lines[other] = lines[other], lines[index]
    assert found(lines) == (min(index, other) + 1, Reason.OUT_OF_PLACE)


def test_inserted_events_are_found(log, index):
    for extra in (log.lines[index], log.lines[0], log.lines[-1]):
        lines = log.lines
        lines.insert(index, extra)
        expected = index + 1 if extra != log.lines[index] else index + 2
        assert found(lines) == (expected, Reason.OUT_OF_PLACE)
    forged = rehashed([*log.lines[:index], edited(log.lines[index], id="forged")], index)[index]
    lines = log.lines
    lines.insert(index, forged)
    assert found(lines) == (index + 2, Reason.OUT_OF_PLACE)
    anew = rehashed(lines, index)
    assert found(anew) == (None, None)
    assert found(anew, checkpoint=saved(log)) == (COUNT, Reason.REWRITTEN)


def test_an_appended_copy_is_found(log):
    assert found([*log.lines, log.lines[-1]]) == (COUNT + 1, Reason.OUT_OF_PLACE)


@pytest.mark.parametrize("kept", [0, 1, COUNT // 2, COUNT - 1])
def test_a_cut_tail_is_found_by_a_checkpoint_alone(log, kept):
    assert found(log.lines[:kept]) == (None, None)
    report = verify(log.lines[:kept], checkpoint=saved(log))
    assert (report.first_bad_seq, report.reason) == (kept + 1, Reason.TRUNCATED)
    assert report.why == f"the log ends before: events {kept + 1} to {COUNT} of the checkpoint are missing"


def test_a_cut_beginning_is_found(log):
    assert found(log.lines[1:]) == (1, Reason.OUT_OF_PLACE)


def test_a_full_rewrite_is_found_by_a_checkpoint_alone(log):
    anew = rehashed([edited(line, tool="forged") for line in log.lines], 0)
    assert found(anew) == (None, None)
    assert found(anew, checkpoint=saved(log)) == (COUNT, Reason.REWRITTEN)


@pytest.mark.parametrize(
    "changed",
    [
        lambda line: line.replace(b"\n", b"\r\n"),
        lambda line: line + b"\n",
        lambda line: b"\n" + line,
        lambda line: b" " + line,
        lambda line: b"\xef\xbb\xbf" + line,
        lambda _: b"",
        lambda _: b"\n",
        lambda line: b"\x00" * len(line),
        lambda _: b"\xff\xfe",
        lambda line: line[:-10],
        lambda line: line[:-2] + b',"more":1}\n',
        lambda line: line[:-2] + b',"type":"fill.applied"}\n',
        lambda line: line.replace(b'"seq":', b'"seq": '),
        lambda line: line.replace(b'"tool":', b'"t\\u006fol":'),
        lambda line: line.decode().encode("utf-16"),
    ],
)
def test_odd_bytes_are_found(log, index, changed):
    lines = log.lines
    lines[index] = changed(lines[index])
    assert found(lines) == (index + 1, Reason.UNREADABLE)
    joined = b"".join(lines)
    if joined.count(b"\n") == COUNT:
        assert found(export_lines(io.BytesIO(joined)))[0] == index + 1


def test_a_blank_line_at_the_end_is_told(log):
    assert found([*log.lines, b"\n"]) == (COUNT + 1, Reason.UNREADABLE)


# ---- checkpoints and keys -----------------------------------------------------------------------


def signed_log():
    """Events 1 to 12: checkpoints are 4 (over 3) and 8 (over 7); the rest is plain."""
    log = log_of(3)
    log.sign(KEY)
    for _ in range(3):
        log.add()
    log.sign(KEY)
    for _ in range(4):
        log.add()
    return log


def test_checkpoints_in_the_log_hold_against_who_has_no_key():
    log = signed_log()
    for index in range(7):
        lines = log.lines
        lines[index] = edited(lines[index], tool="x")
        seq, reason = found(rehashed(lines, index), keys=[KEY.public])
        assert (seq, reason) == (4 if index < 3 else 8, Reason.MISPLACED_CHECKPOINT)


def test_who_drops_the_checkpoints_too_is_seen_in_how_far_signatures_reach():
    log = signed_log()
    lines = rehashed([line for line in log.lines if b"checkpoint.signed" not in line], 3)
    report = verify(lines, keys=[KEY.public])
    assert (report.ok, report.signed_to, report.checkpoints) == (True, 0, 0)
    assert verify(lines, keys=[KEY.public], checkpoint=saved(log)).reason is Reason.TRUNCATED


def resigned(log, index, data):
    """Return lines with other data in one event, all hashes made anew."""
    lines = log.lines
    lines[index] = edited(lines[index], data=data)
    return rehashed(lines, index)


@pytest.mark.parametrize("index", [3, 7])
def test_an_unsigned_checkpoint_is_found(index):
    log = signed_log()
    data = log.events[index].data
    for wrong in (
        {},
        {name: value for name, value in data.items() if name != "signature"},
        {**data, "signature": None},
        {**data, "signature": ""},
        {**data, "more": 1},
        {**data, "key_id": OTHER_KEY.public.id},
    ):
        assert found(resigned(log, index, wrong)) == (index + 1, Reason.UNSIGNED_CHECKPOINT)


@pytest.mark.parametrize("index", [3, 7])
def test_a_wrong_signature_is_found(index):
    log = signed_log()
    other = sign_checkpoint(log.events[index].data["seq"], log.events[index].data["head"], OTHER_KEY)
    wrong = {**log.events[index].data, "signature": other.to_object()["signature"]}
    assert found(resigned(log, index, wrong)) == (index + 1, Reason.WRONG_SIGNATURE)


@pytest.mark.parametrize("index", [3, 7])
def test_a_wrong_key_is_found(index):
    log = signed_log()
    other = sign_checkpoint(log.events[index].data["seq"], log.events[index].data["head"], OTHER_KEY).to_object()
    lines = resigned(log, index, other)
    assert found(lines, keys=[KEY.public]) == (index + 1, Reason.WRONG_KEY)
    if index == 7:
        assert found(lines) == (8, Reason.WRONG_KEY)
        assert found(lines, keys=[KEY.public, OTHER_KEY.public]) == (None, None)


def test_keys_that_are_not_those_of_the_log_are_told():
    assert found(signed_log().lines, keys=[OTHER_KEY.public]) == (4, Reason.WRONG_KEY)
    assert found(signed_log().lines, keys=[]) == (4, Reason.WRONG_KEY)


@pytest.mark.parametrize(
    ("seq", "head"),
    [(2, lambda log: log.events[1].hash), (3, lambda log: log.events[1].hash), (5, lambda log: log.events[2].hash)],
)
def test_a_checkpoint_about_another_place_is_found(seq, head):
    log = log_of(3)
    log.add(EventType.CHECKPOINT_SIGNED, sign_checkpoint(seq, head(log), KEY).to_object())
    assert found(log.lines, keys=[KEY.public]) == (4, Reason.MISPLACED_CHECKPOINT)


def test_a_checkpoint_event_of_another_log_is_found():
    log, other = log_of(3), log_of(3)
    other.add()
    log.add(EventType.CHECKPOINT_SIGNED, sign_checkpoint(3, other.head.hash, KEY).to_object())
    assert found(log.lines) == (4, Reason.MISPLACED_CHECKPOINT)


def test_a_saved_checkpoint_of_another_log_is_told(log):
    shorter, longer = Log(), Log()
    for number in range(COUNT + 5):
        longer.add(data={"n": number})
        if number < 5:
            shorter.add(data={"n": number})
    report = verify(log.lines, checkpoint=saved(shorter))
    assert (report.first_bad_seq, report.reason, report.events) == (5, Reason.REWRITTEN, 5)
    assert "another log" in report.why
    assert found(log.lines, checkpoint=saved(longer)) == (COUNT + 1, Reason.TRUNCATED)
    assert found(log.lines, checkpoint=sign_checkpoint(0, log.head.hash, KEY)) == (1, Reason.REWRITTEN)


def test_a_saved_checkpoint_that_nobody_signed_accuses_no_log(log):
    good = saved(log)
    forged = [
        Checkpoint(good.seq, good.head, good.key, b"\x00" * 64),
        Checkpoint(good.seq, GENESIS.hash, good.key, good.signature),
        Checkpoint(good.seq + 5, good.head, good.key, good.signature),
        Checkpoint(0, good.head, good.key, good.signature),
    ]
    for checkpoint in forged:
        report = verify(log.lines, checkpoint=checkpoint)
        assert (report.first_bad_seq, report.reason) == (None, Reason.WRONG_SIGNATURE)
        assert report.statements()[0].startswith("broken with the checkpoint that was given")


def test_a_saved_checkpoint_by_a_key_that_is_not_trusted_is_told(log):
    assert found(log.lines, checkpoint=saved(log, OTHER_KEY), keys=[KEY.public]) == (None, Reason.WRONG_KEY)
    assert found(log.lines, checkpoint=saved(log, OTHER_KEY), keys=[]) == (None, Reason.WRONG_KEY)
    assert found(log.lines, checkpoint=saved(log, OTHER_KEY)) == (None, None)
    signed = signed_log()
    assert found(signed.lines, checkpoint=saved(signed, OTHER_KEY)) == (None, Reason.WRONG_KEY)


def test_a_fault_of_the_log_comes_before_that_of_the_checkpoint(log):
    lines = log.lines
    lines[4] = edited(lines[4], tool="x")
    assert found(lines, checkpoint=saved(log, OTHER_KEY), keys=[KEY.public]) == (5, Reason.EDITED)


# ---- rotation -----------------------------------------------------------------------------------


def rotated_log(old=KEY, new=OTHER_KEY):
    """Events 1 to 6: 2 signed by the old key, 4 the rotation, 6 signed by the new one."""
    log = Log()
    log.add()
    log.sign(old)
    log.add()
    log.rotate(old, new)
    log.add()
    log.sign(new)
    return log


def test_a_rotation_is_followed():
    log = rotated_log()
    for keys in (None, [KEY.public], [KEY.public, OTHER_KEY.public]):
        for key in (KEY, OTHER_KEY):
            report = verify(log.lines, keys=keys, checkpoint=saved(log, key))
            assert (report.ok, report.checkpoints, report.signed_to, report.vouched_to) == (True, 2, 5, 6)


def test_a_later_key_alone_does_not_vouch_for_what_was_signed_before():
    assert found(rotated_log().lines, keys=[OTHER_KEY.public]) == (2, Reason.WRONG_KEY)


def test_the_old_key_signs_no_more():
    log = rotated_log()
    log.sign(KEY)
    for keys in (None, [KEY.public], [KEY.public, OTHER_KEY.public]):
        assert found(log.lines, keys=keys) == (7, Reason.WRONG_KEY)


def test_a_rotation_by_a_stranger_is_found():
    stranger = SigningKey.make()
    log = Log()
    log.sign(KEY)
    log.rotate(stranger, OTHER_KEY)
    log.sign(OTHER_KEY)
    assert found(log.lines) == found(log.lines, keys=[KEY.public]) == (2, Reason.WRONG_KEY)


def test_a_rotation_that_is_not_signed_or_belongs_elsewhere_is_found():
    log = rotated_log()
    data = log.events[3].data
    lacking = {name: value for name, value in data.items() if name != "signature"}
    assert found(resigned(log, 3, lacking)) == (4, Reason.UNSIGNED_CHECKPOINT)
    elsewhere = sign_rotation(Head(2, log.events[1].hash), KEY, OTHER_KEY.public).to_object()
    assert found(resigned(log, 3, elsewhere)) == (4, Reason.WRONG_SIGNATURE)
    stranger = SigningKey.make().public
    other = {**data, "new_key_id": stranger.id, "new_public_key": stranger.text}
    assert found(resigned(log, 3, other)) == (4, Reason.WRONG_SIGNATURE)


def test_a_rotation_may_be_the_first_signature():
    log = Log()
    log.rotate(KEY, OTHER_KEY)
    log.sign(OTHER_KEY)
    assert found(log.lines) == found(log.lines, keys=[KEY.public]) == (None, None)
    assert found(log.lines, keys=[OTHER_KEY.public]) == (1, Reason.WRONG_KEY)


def test_every_kind_of_trouble_has_its_word():
    assert {str(reason) for reason in Reason} == {
        *("unreadable", "edited", "out_of_place", "unlinked", "unsigned_checkpoint", "wrong_signature"),
        *("misplaced_checkpoint", "wrong_key", "truncated", "rewritten", "misfiled", "wrong_head"),
    }


def test_lines_are_taken_one_at_a_time(log):
    taken = []

    def lines():
        for line in log.lines:
            taken.append(Event.from_json(line.rstrip(b"\n")).seq)
            yield line if len(taken) < 5 else b"x"

    assert found(lines()) == (5, Reason.UNREADABLE)
    assert taken == [1, 2, 3, 4, 5]


# ---- the log of a store -------------------------------------------------------------------------


def pages_of(log, head, **changed):
    rows = [StoredLine(one.seq, one.id, one.record_id, one.to_json()) for one in log.events]
    if changed:
        rows[-1] = replace(rows[-1], **changed)
    return [StoredPage(GENESIS, rows[:5]), StoredPage(GENESIS, rows[5:]), StoredPage(head, [])]


def test_what_a_store_notes_beside_its_lines_must_be_theirs(log):
    assert verify_store(pages_of(log, log.head), checkpoint=saved(log)).truncation_excluded
    assert verify_store([StoredPage(None, [])]).ok
    for changed in ({"seq": 99}, {"event_id": "x"}, {"record_id": None}, {"record_id": "s"}):
        report = verify_store(pages_of(log, log.head, **changed))
        assert (report.first_bad_seq, report.reason) == (COUNT, Reason.MISFILED), changed


def test_the_end_that_a_store_notes_must_be_the_last_event(log):
    ends = {
        None: (COUNT + 1, Reason.WRONG_HEAD),
        Head(COUNT + 1, log.head.hash): (COUNT + 1, Reason.TRUNCATED),
        Head(COUNT, GENESIS.hash): (COUNT, Reason.WRONG_HEAD),
        Head(3, log.events[2].hash): (4, Reason.WRONG_HEAD),
        GENESIS: (1, Reason.WRONG_HEAD),
    }
    for head, expected in ends.items():
        report = verify_store(pages_of(log, head))
        assert (report.first_bad_seq, report.reason) == expected
        assert report.why in report.statements()[0]


def test_a_line_that_is_broken_is_told_before_what_stands_beside_it(log):
    broken = edited(log.lines[-1], tool="another").rstrip(b"\n")
    report = verify_store(pages_of(log, log.head, line=broken, seq=99))
    assert (report.first_bad_seq, report.reason) == (COUNT, Reason.EDITED)


def test_a_file_that_is_too_large_for_a_checkpoint_is_none():
    with pytest.raises(InputError) as caught:
        Checkpoint.from_json(b" " * 5000)
    assert caught.value.code == "audit_checkpoint"
