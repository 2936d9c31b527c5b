"""Events: one line each, read back exactly, and strictly."""

import json
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from tests.unit.audit_logs import PERSON, START, Log, edited
from veracord import InputError
from veracord.audit.chain import GENESIS, event_hash, next_event
from veracord.audit.events import Actor, Draft, Event, EventType, utc_text
from veracord.records.values import digest


def line_of(**data):
    return Log().add(data=data).to_json()


def written(line, **members):
    return json.dumps(
        {**json.loads(line), **members}, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    ).encode()


def refusal(line):
    with pytest.raises(InputError) as caught:
        Event.from_json(line)
    assert caught.value.code == "audit_event"
    return caught.value


ODD = [
    "",
    "\x00\x01\x1f\x7f\x80\x9f",
    "\b\f\n\r\t\v",
    '"\\/\\"\\u0041',
    "\u2028\u2029\ufeff\u200b",
    "\u202e\u202d\u2066\u2069\u200f",
    "<script>alert(1)</script>",
    "=1+1",
    "e\u0301 \u00e9 \u1e9b\u0323",
    "Ж 中 ا \U0001f600 \U0010ffff",
    "\ufffe\uffff\ufdd0",
    '","hash":"sha256:' + "0" * 64 + '","id":"x',
    "x" * 1_000_000,
    '\u202e"\\\n' * 250_000,
]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_text_is_kept_exactly(text):
    event = Log().add(data={"text": text, text[:40]: [text[:40]]})
    line = event.to_json()
    assert b"\n" not in line
    again = Event.from_json(line)
    assert again == event
    assert again.data["text"] == text
    assert json.loads(line)["data"] == {"text": text, text[:40]: [text[:40]]}


@pytest.mark.parametrize("number", ["0", "-1", "0.1", "1E+30", "9007199254740993", "1e-400", "9" * 4300, "1.5E+99999"])
def test_numbers_are_kept_exactly(number):
    value = Decimal(number) if set(number) & set(".eE") else int(number)
    assert Event.from_json(Log().add(data={"v": value}).to_json()).data["v"] == value


def test_the_hash_is_over_the_bytes_of_the_line_without_it():
    event = Log().add(data={"hash": f"sha256:{'1' * 64}", "x": [{"hash": "y"}]})
    line = event.to_json()
    part = f'"hash":"{event.hash}",'.encode()
    assert line.count(part) == 1
    assert digest(line.replace(part, b"")) == event.hash == event_hash(event)


def test_values_are_in_no_representation():
    assert "secret-value" not in repr(Log().add(data={"v": "secret-value"}))


@pytest.mark.parametrize("name", [*json.loads(line_of()), "actor.id", "actor.kind", "actor.how", "actor.role"])
def test_a_missing_member_is_named(name):
    value = json.loads(line_of())
    parent, _, child = name.rpartition(".")
    del (value[parent] if parent else value)[child]
    error = refusal(json.dumps(value).encode())
    assert error.what.endswith(f"lacks {child}")
    if name != "seq":
        assert error.where == "seq 1"


@pytest.mark.parametrize("where", ["event", "actor"])
def test_an_unknown_member_is_refused_and_not_repeated(where):
    value = json.loads(line_of())
    (value if where == "event" else value["actor"])["secret-name"] = "secret-value"
    error = refusal(json.dumps(value).encode())
    assert "a member that no event has" in str(error)
    assert "secret" not in str(error)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("seq", [0, -1, True, "1", None, 1.0, 2**53]),
        ("prev", ["", "sha256:", f"sha256:{'A' * 64}", f"sha256:{'0' * 65}", f"sha256:{'0' * 64}\n", None, 1]),
        ("hash", [f"md5:{'0' * 64}", None]),
        ("id", ["", None, 1]),
        ("type", ["", "fill.removed", None, "RECORD_IMPORTED", ["fill.applied"], {}]),
        (
            "at",
            [
                "",
                "2026-11-30",
                "2026-11-30T09:15:00Z",
                "2026-02-30T09:15:00.000000Z",
                "2026-11-30T09:15:00.000000+00:00",
            ],
        ),
        ("at", [None, 1, "2026-11-30T09:15:00.000000z", "２026-11-30T09:15:00.000000Z", "2026-11-30T09:15:61.000000Z"]),
        ("tool", ["", None]),
        ("request_id", [1, [], True]),
        ("schema_digest", ["", "abc", 1]),
        ("profile_digest", ["", "abc", 1]),
        ("record_id", ["", 1]),
        ("revision_before", [0, -1, "1", True, 1.5]),
        ("revision_after", [0, -1, "1", True, 1.5]),
        ("pointer", ["a", "/~", "/~2", 1]),
        ("data", [None, [], "x", 1]),
        ("actor", [None, "u-7", []]),
        (
            "actor",
            [{"id": "", "kind": "person", "how": "", "role": ""}, {"id": "a", "kind": "robot", "how": "", "role": ""}],
        ),
        (
            "actor",
            [{"id": "a", "kind": "person", "how": None, "role": ""}, {"id": "a", "kind": [], "how": "", "role": ""}],
        ),
    ],
)
def test_a_value_that_no_event_has_is_refused(name, values):
    for value in values:
        error = refusal(written(line_of(), **{name: value}))
        assert name in error.what, value


@pytest.mark.parametrize(
    "changed",
    [
        lambda line: line + b" ",
        lambda line: b" " + line,
        lambda line: line + b"\r",
        lambda line: line + b"\n",
        lambda line: b"\xef\xbb\xbf" + line,
        lambda line: line.decode().encode("utf-16"),
        lambda line: line.decode().encode("utf-32"),
        lambda line: line.replace(b'"seq":1', b'"seq":1.0'),
        lambda line: line.replace(b'"seq":1', b'"seq": 1'),
        lambda line: line.replace(b'"seq":1', b'"seq":1e0'),
        lambda line: line.replace(b'"u-7"', b'"\\u0075-7"'),
        lambda line: line.replace(b'"a/b"', b'"a\\/b"'),
        lambda line: line.replace(b'"seq":1,', b"").replace(b"{", b'{"seq":1,', 1),
        lambda line: line.replace(b'"seq":1', b'"seq":1,"seq":1'),
        lambda line: line.replace(b'"x":1', b'"x":1,"x":1'),
        lambda line: line.replace(b'"x":1', b'"x":2,"x":1'),
        lambda line: line.replace(b'"x":1', b'"x":NaN'),
        lambda line: line.replace(b'"x":1', b'"x":"\\ud800"'),
        lambda line: line.replace(b'"x":1', b'"x":"\xed\xa0\x80"'),
        lambda line: line.replace(b'"x":1', b'"x":"\xff"'),
        lambda line: line.replace(b'"x":1', b'"x":' + b"[" * 200 + b"]" * 200),
        lambda line: line.replace(b'"x":1', b'"x":1/**/'),
        lambda line: line[:-1],
        lambda line: line + line,
        lambda line: b"[" + line + b"]",
        lambda _: b"",
        lambda _: b"null",
        lambda _: b"\x00" * 100,
    ],
)
def test_any_other_spelling_is_refused(changed):
    line = line_of(x=1, y="a/b")
    assert changed(line) != line
    refusal(changed(line))


def test_errors_name_the_place_that_they_are_told():
    with pytest.raises(InputError, match="seq 12"):
        Event.from_json(edited(line_of(), id=None).rstrip(b"\n"), where="seq 12")


@pytest.mark.parametrize(
    "data",
    [
        {"v": 0.5},
        {"v": 1.0},
        {"v": float("nan")},
        {"v": float("inf")},
        {"v": Decimal("NaN")},
        {"v": Decimal("Infinity")},
        {"v": Decimal("1e200000")},
        {"v": "\ud800"},
        {"\udfff": 1},
        {"v": (1,)},
        {"v": {1: 2}},
        {"v": b"x"},
        {"v": START},
        {"v": {1, 2}},
        {"v": object()},
        {"v": EventType.FILL_APPLIED},
    ],
    ids=range(16),
)
def test_what_a_line_cannot_keep_is_no_event(data):
    with pytest.raises(InputError) as caught:
        Log().add(data=data)
    assert (caught.value.code, caught.value.where) == ("not_an_event", "seq 1")


def test_too_many_levels_are_no_event():
    deep = []
    for _ in range(2_000):
        deep = [deep]
    with pytest.raises(InputError, match="not_an_event"):
        Log().add(data={"v": deep})


def test_a_record_of_the_deepest_kind_fits_as_a_value():
    deep = 1
    for _ in range(128):
        deep = [deep]
    assert Event.from_json(Log().add(data={"v": deep}).to_json()).data["v"] == deep


@pytest.mark.parametrize(
    "members",
    [{"id": ""}, {"tool": ""}, {"record_id": ""}, {"pointer": "x"}, {"schema_digest": "x"}, {"revision_after": 0}],
)
def test_a_draft_with_an_impossible_member_is_no_event(members):
    draft = {"id": "e", "type": EventType.FILL_APPLIED, "actor": PERSON, "tool": "t", "data": {}}
    with pytest.raises(InputError, match="not_an_event"):
        next_event(GENESIS, Draft(**{**draft, **members}), START)


def test_an_event_shares_nothing_with_its_draft():
    data = {"list": [1]}
    event = Log().add(data=data)
    data["list"].append(2)
    assert event.data == {"list": [1]}


def test_moments_are_told_in_utc_to_the_microsecond():
    zone = timezone(timedelta(hours=5, minutes=30))
    assert utc_text(datetime(2026, 11, 30, 5, 0, tzinfo=zone)) == "2026-11-29T23:30:00.000000Z"
    assert utc_text(datetime(33, 1, 2, 3, 4, 5, 6, tzinfo=UTC)) == "0033-01-02T03:04:05.000006Z"
    with pytest.raises(ValueError, match="time zone"):
        utc_text(datetime(2026, 11, 30))  # noqa: DTZ001 - that is the point


def test_an_actor_kind_is_one_of_the_closed_set():
    for kind in ("person", "service", "plugin", "pipeline", "system"):
        assert Log().add(actor=Actor("a", kind, "", "")).actor.kind == kind
    with pytest.raises(InputError):
        Log().add(actor=Actor("a", "model", "", ""))
