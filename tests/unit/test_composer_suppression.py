"""Every reason for which a candidate of a model is not shown, from both sides: what it hits, and what it leaves."""

import json
from copy import deepcopy
from decimal import Decimal
from pathlib import Path

import pytest

from tests.golden.runner import load_profile
from veracord import Profile
from veracord.composer.suggestions import MOST_CONFIDENCE, MOST_RATIONALE, Suggestion, Suppression
from veracord.composer.suppression import clean_rationale, sift
from veracord.records.intake import from_python

PROFILES = Path(__file__).with_name("profiles")
BARE = Profile.from_schema([PROFILES / "lamp.schema.json"], [["/maker", "/model"]])
LAMP = load_profile(PROFILES / "lamp.toml")
RECORD = {
    "record_id": "R-1",
    "maker": "Lumo",
    "model": "L2",
    "name": "Lumo L2",
    "colour": "red",
    "power_w": 9,
    "tags": ["desk"],
    "box": {"label": "grey", "width_mm": 120, "seal": "S-1"},
    "parts": [{"name": "shade", "share_pct": 60, "stamp": "P-1"}, {"name": "foot", "share_pct": 40}],
}
ABSENT = object()


def record_with(changes):
    """Return the record with places set, or taken out."""
    record = deepcopy(RECORD)
    for path, value in changes.items():
        *way, last = path.split("/")[1:]
        node = record
        for token in way:
            node = node[int(token)] if isinstance(node, list) else node[token]
        key = int(last) if isinstance(node, list) else last
        if value is ABSENT:
            del node[key]
        else:
            node[key] = value
    return from_python(record)


def candidate(path, value, confidence=Decimal("0.2"), rationale="I recall it."):
    return {"path": path, "value": value, "rationale": rationale, "confidence": confidence}


def sifted(record, *suggestions, profile=LAMP, is_rejected=None, more=None):
    """Return what is shown, by path, and what is suppressed."""
    before = repr(record)
    found = sift({"suggestions": list(suggestions), **(more or {})}, profile, record, is_rejected)
    assert repr(record) == before
    return {suggestion.path: suggestion.value for suggestion in found.suggestions}, found.suppressed


def test_the_record_of_these_tests_conforms():
    assert LAMP.conforms(record_with({}))
    assert BARE.conforms(record_with({}))


# Whether it is a candidate at all

NAMELESS = record_with({"/name": ABSENT})


@pytest.mark.parametrize(
    "raw",
    [
        None,
        True,
        5,
        "text",
        [],
        ["/name", "Lumo L2"],
        {},
        {"path": "/name", "value": "Lumo L2", "confidence": 0},
        {"path": "/name", "value": "Lumo L2", "confidence": 0, "rationale": None},
        {"path": "/name", "value": "Lumo L2", "confidence": 0, "rationale": ["x"]},
        {"path": "/name", "rationale": "x", "confidence": 0},
        {"value": "Lumo L2", "rationale": "x", "confidence": 0},
        {"path": None, "value": "Lumo L2", "rationale": "x", "confidence": 0},
        {"path": 0, "value": "Lumo L2", "rationale": "x", "confidence": 0},
        {"path": ["/name"], "value": "Lumo L2", "rationale": "x", "confidence": 0},
        {"path": "name", "value": "Lumo L2", "rationale": "x", "confidence": 0},
        {"path": "#/name", "value": "Lumo L2", "rationale": "x", "confidence": 0},
        {"path": "/na~2me", "value": "Lumo L2", "rationale": "x", "confidence": 0},
        {"path": "/name~", "value": "Lumo L2", "rationale": "x", "confidence": 0},
    ],
)
def test_malformed(raw):
    assert sifted(NAMELESS, raw) == ({}, {"malformed": 1})


def test_a_bad_candidate_does_not_lose_a_good_one():
    good = candidate("/name", "Lumo L2")
    assert sifted(NAMELESS, None, good, "text") == ({"/name": "Lumo L2"}, {"malformed": 2})
    wrong = candidate("/name", "Lumo L3", confidence=2)
    assert sifted(NAMELESS, wrong, good) == ({"/name": "Lumo L2"}, {"confidence": 1})


@pytest.mark.parametrize(
    "confidence",
    [None, True, False, "0.9", "NaN", [], {}, 2, -1, Decimal("-0.0001"), Decimal("1.0000000000000000000000000001")],
)
def test_confidence_that_is_none(confidence):
    assert sifted(NAMELESS, candidate("/name", "Lumo L2", confidence)) == ({}, {"confidence": 1})


def test_confidence_that_is_missing():
    raw = {"path": "/name", "value": "Lumo L2", "rationale": "x"}
    assert sifted(NAMELESS, raw) == ({}, {"confidence": 1})


@pytest.mark.parametrize(
    ("confidence", "shown"),
    [
        (0, 0.0),
        (Decimal("-0"), 0.0),
        (1, 0.3),
        (Decimal("0.3"), 0.3),
        (Decimal("0.30000000000000000000000001"), 0.3),
        (Decimal("0.25"), 0.25),
        (Decimal("1E-90000"), 0.0),
    ],
)
def test_confidence_is_capped(confidence, shown):
    (found,) = sift({"suggestions": [candidate("/name", "Lumo L2", confidence)]}, LAMP, NAMELESS).suggestions
    assert (found.confidence, str(found.confidence)) == (shown, str(shown))
    assert found.confidence <= MOST_CONFIDENCE


def test_further_members_of_a_candidate_are_nothing():
    raw = candidate("/name", "Lumo L2") | {"status": "verified", "requires_review": False, "source": "evidence"}
    (found,) = sift({"suggestions": [raw]}, LAMP, NAMELESS).suggestions
    assert found.to_dict() == {
        "path": "/name",
        "value": "Lumo L2",
        "rationale": "I recall it.",
        "confidence": Decimal("0.2"),
        "rank": 1,
        "source": "model_training",
        "status": "unverified",
        "requires_review": True,
    }


def test_further_members_of_the_answer_are_counted():
    more = {"fills": [1, 2, 3], "record": {}, "status": "verified"}
    kept, suppressed = sifted(NAMELESS, candidate("/name", "Lumo L2"), more=more)
    assert (kept, suppressed) == ({"/name": "Lumo L2"}, {"not_asked_for": 3})


# Where it may stand


@pytest.mark.parametrize(
    "path", ["", "/", "/names", "/colour", "/box", "/name/x", "/parts/0/name", "/parts/-", "/parts/00"]
)
def test_no_violation(path):
    assert sifted(NAMELESS, candidate(path, "Lumo L2")) == ({}, {"no_violation": 1})


def test_second_candidate():
    first, second = candidate("/name", "Lumo L2", 0), candidate("/name", "Lumo L3", 1)
    assert sifted(NAMELESS, first, second, second) == ({"/name": "Lumo L2"}, {"second_candidate": 2})


def test_also_after_a_first_one_that_is_not_shown():
    first, second = candidate("/name", "x"), candidate("/name", "Lumo L2")
    assert sifted(NAMELESS, first, second) == ({}, {"not_resolving": 1, "second_candidate": 1})


NEVER = [
    ("a member named", {"/sku": "x"}, "/sku", "Lumo-0001"),
    ("an identity member", {"/maker": ""}, "/maker", "Lumo"),
    ("the identifier of the record", {"/record_id": 5}, "/record_id", "R-1"),
    ("what is never filled", {"/made_at": "x"}, "/made_at", "2020-01-01T00:00:00Z"),
    ("inside an object that is missing", {"/box": ABSENT}, "/box", {"label": "grey", "width_mm": 9, "seal": "S"}),
    ("inside an object of the wrong kind", {"/box": 5}, "/box", {"label": "grey", "width_mm": 9, "seal": None}),
    ("two levels down", {"/crate": {}}, "/crate", {"inner": {"seal": "x"}}),
    ("inside a row", {"/parts": []}, "/parts", [{"name": "shade", "share_pct": 100, "stamp": "P"}]),
    ("inside a second row", {"/parts": ABSENT}, "/parts", [{"name": "a", "share_pct": 50}, {"stamp": "P"}]),
    ("in a row that is there", {"/parts/1/stamp": 5}, "/parts/1/stamp", "P-2"),
    ("below such a place", {"/sku": {"made": 5}}, "/sku", {"made": "up"}),
    ("what stands there is set again", {"/parts/0/share_pct": 10}, "/parts", RECORD["parts"]),
    ("what stands there is lost", {"/parts/0/share_pct": 10}, "/parts", [{"name": "shade", "share_pct": 99}]),
]


@pytest.mark.parametrize(("changes", "path", "value"), [case[1:] for case in NEVER], ids=[case[0] for case in NEVER])
def test_never_suggested(changes, path, value):
    assert sifted(record_with(changes), candidate(path, value)) == ({}, {"never_suggested": 1})


BESIDE = [
    ({"/box": ABSENT}, "/box", {"label": "grey", "width_mm": 9}),
    ({"/crate": {}}, "/crate", {"label": "x"}),
    ({"/crate": {}}, "/crate", {"inner": {}}),
    ({"/parts": ABSENT}, "/parts", [{"name": "shade", "share_pct": 100}]),
    ({"/parts/1/note": "x"}, "/parts/1/note", "oak"),
]


@pytest.mark.parametrize(("changes", "path", "value"), BESIDE)
def test_what_stands_beside_such_a_place_is_shown(changes, path, value):
    assert sifted(record_with(changes), candidate(path, value)) == ({path: value}, {})


ISSUED = [
    ("/made_on", "2020-01-31"),
    ("/made_at", "2020-01-31T10:00:00Z"),
    ("/uid", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
    ("/page", "https://example.org/"),
    ("/id", "L-0002"),
    ("/ID", "L-0002"),
    ("/deviceId", "L-0002"),
    ("/deviceID", "L-0002"),
    ("/batch_id", "L-0002"),
    ("/layout_version", "1.0"),
    ("/layoutVersion", "1.0"),
]


@pytest.mark.parametrize(("path", "value"), ISSUED)
def test_administrative_by_format_or_name(path, value):
    record = record_with({path: "x", "/made_on": "2020-01-31"} | {path: "x"})
    assert sifted(record, candidate(path, value), profile=BARE) == ({}, {"administrative": 1})
    record = record_with({"/made_on": "2020-01-31"} | {path: "x"})
    kept, suppressed = sifted(record, candidate(path, value))
    # A profile that says what is administrative is taken at its word.
    assert (kept, suppressed) == (({}, {"never_suggested": 1}) if path == "/made_at" else ({path: value}, {}))


@pytest.mark.parametrize("path", ["/batch_ids", "/idle", "/grid", "/versions"])
def test_a_name_that_is_only_like_one(path):
    assert sifted(record_with({path: "x"}), candidate(path, "L-0002"), profile=BARE) == ({path: "L-0002"}, {})


def test_administrative_in_a_list_and_in_an_object():
    record = record_with({"/pages": [5]})
    page = "https://example.org/"
    assert sifted(record, candidate("/pages/0", page), profile=BARE) == ({}, {"administrative": 1})
    assert sifted(record, candidate("/pages/0", page)) == ({"/pages/0": page}, {})
    record = record_with({"/box": ABSENT})
    value = {"label": "grey", "width_mm": 9, "maker": {"id": "x"}}
    assert sifted(record, candidate("/box", value), profile=BARE) == ({}, {"administrative": 1})
    assert sifted(record, candidate("/box", value)) == ({"/box": value}, {})


def test_another_format_is_not_administrative():
    record = record_with({"/clock": "x", "/notes": "y"})
    assert sifted(record, candidate("/clock", "10:00:00Z"), profile=BARE) == ({"/clock": "10:00:00Z"}, {})


def test_a_profile_without_the_table_is_like_a_bare_schema(tmp_path):
    text = (PROFILES / "lamp.toml").read_text("utf-8")
    start, end = text.index("[administrative]"), text.index("[[rows]]")
    (tmp_path / "lamp.toml").write_text(text[:start] + text[end:], "utf-8")
    (tmp_path / "lamp.schema.json").write_bytes((PROFILES / "lamp.schema.json").read_bytes())
    profile = Profile.load(tmp_path / "lamp.toml")
    assert not profile.has_administrative
    assert LAMP.has_administrative
    assert not BARE.has_administrative
    assert not BARE.with_identity([["/name"]]).has_administrative
    record = record_with({"/batch_id": "x"})
    assert sifted(record, candidate("/batch_id", "L-0002"), profile=profile) == ({}, {"administrative": 1})
    assert sifted(record_with({"/maker": ""}), candidate("/maker", "Lumo"), profile=profile) == (
        {},
        {"never_suggested": 1},
    )


# Whether it says anything


@pytest.mark.parametrize(
    ("changes", "path", "value"),
    [
        ({"/name": "x"}, "/name", "x"),
        ({"/name": None}, "/name", None),
        ({"/power_w": 104}, "/power_w", Decimal("104.0")),
        ({"/tags": [""]}, "/tags/0", ""),
        ({"/box": {}}, "/box/label", ABSENT),
    ],
)
def test_unchanged(changes, path, value):
    record = record_with(changes)
    if value is ABSENT:
        # Nothing stands there, so null is something else.
        assert sifted(record, candidate(path, None)) == ({}, {"not_resolving": 1})
    else:
        assert sifted(record, candidate(path, value)) == ({}, {"unchanged": 1})


CLAMPS = [
    # path, the record's number, what is a clamp, what is none
    ("/power_w", 104, [100, Decimal("100.00"), Decimal("1E+2")], [99, Decimal("99.99"), 1, 40]),
    ("/power_w", Decimal("0.5"), [1], [2, Decimal("1.01"), 100]),
    ("/power_w", -3, [1], [5]),
    (
        "/load_kg",
        50,
        [49, Decimal("49.9"), Decimal("49.5"), Decimal("49.99999999999999999999999999999999999")],
        [48, 25],
    ),
    ("/load_kg", 70, [49, Decimal("49.75")], [Decimal("49.4"), 30, Decimal("0.001")]),
    ("/load_kg", 0, [1, Decimal("0.01"), Decimal("0.0001"), Decimal("1E-3000")], [Decimal("0.02"), 2, 30]),
    ("/load_kg", -7, [1, Decimal("0.01")], [Decimal("0.5"), 49]),
    ("/screws", 3, [4], [5, 11]),
    ("/screws", 20, [11], [10, 4]),
    ("/lumen", 90, [200], [201, 500, 800]),
    ("/lumen", 950, [800], [799, 1000, 200]),
    ("/hours", 5, [10**35 + 1], [10**35 + 2]),
]


@pytest.mark.parametrize(
    ("path", "own", "value", "is_clamp"),
    [
        (path, own, value, is_clamp)
        for path, own, clamps, others in CLAMPS
        for is_clamp, values in ((True, clamps), (False, others))
        for value in values
    ],
)
def test_clamped(path, own, value, is_clamp):
    expected = ({}, {"clamped": 1}) if is_clamp else ({path: value}, {})
    assert sifted(record_with({path: own}), candidate(path, value)) == expected


@pytest.mark.parametrize("absent", [ABSENT, None, "104", True])
def test_at_a_bound_where_no_number_stood_is_no_clamp(absent):
    assert sifted(record_with({"/power_w": absent}), candidate("/power_w", 100)) == ({"/power_w": 100}, {})


def test_clamped_inside_an_object_a_row_and_a_list():
    record = record_with({"/box": {"width_mm": 2}})
    assert sifted(record, candidate("/box/width_mm", 5)) == ({}, {"clamped": 1})
    record = record_with({"/levels": [3, 11]})
    assert sifted(record, candidate("/levels/1", 10)) == ({}, {"clamped": 1})
    assert sifted(record, candidate("/levels/1", 9)) == ({"/levels/1": 9}, {})
    record = record_with({"/parts/1/share_pct": -4, "/parts/0/share_pct": 95})
    assert sifted(record, candidate("/parts/1/share_pct", 0)) == ({}, {"clamped": 1})


@pytest.mark.parametrize(
    ("schema", "own", "clamp"),
    [
        ({"minimum": 5, "exclusiveMinimum": True}, 5, 6),
        ({"maximum": 5, "exclusiveMaximum": True}, 9, 4),
        ({"maximum": 5, "exclusiveMaximum": False}, 9, 5),
    ],
)
def test_bounds_of_the_oldest_draft(tmp_path, schema, own, clamp):
    draft = "http://json-schema.org/draft-04/schema#"
    (tmp_path / "s.json").write_text(json.dumps({"$schema": draft, "properties": {"a": schema}}), "utf-8")
    profile = Profile.from_schema([tmp_path / "s.json"])
    assert sifted({"a": own}, candidate("/a", clamp), profile=profile) == ({}, {"clamped": 1})
    other = 20 if "minimum" in schema else 1
    assert sifted({"a": own}, candidate("/a", other), profile=profile) == ({"/a": other}, {})


def test_rejected():
    asked = []

    def is_rejected(path, value):
        asked.append((path, value))
        return value == "Lumo L2"

    assert sifted(NAMELESS, candidate("/name", "Lumo L2"), is_rejected=is_rejected) == ({}, {"rejected": 1})
    assert sifted(NAMELESS, candidate("/name", "Lumo II"), is_rejected=is_rejected) == ({"/name": "Lumo II"}, {})
    assert asked == [("/name", "Lumo L2"), ("/name", "Lumo II")]


# Whether the record would be better


REPLACES = [
    ("a row is changed", {"/parts/0/stamp": ABSENT, "/parts/0/share_pct": 10}, "/parts", [10, 90], True),
    ("a row is added", {"/parts/0/stamp": ABSENT, "/parts/0/share_pct": 10}, "/parts", [10, 40, 50], False),
    ("a row is lost", {"/parts/0/stamp": ABSENT, "/parts/0/share_pct": 10}, "/parts", [100], True),
]


@pytest.mark.parametrize(
    ("changes", "path", "shares", "replaces"), [case[1:] for case in REPLACES], ids=[case[0] for case in REPLACES]
)
def test_replaces_valid_in_rows(changes, path, shares, replaces):
    names = ["shade", "foot", "cable"]
    rows = [{"name": name, "share_pct": share} for name, share in zip(names, shares, strict=False)]
    expected = ({}, {"replaces_valid": 1}) if replaces else ({path: rows}, {})
    assert sifted(record_with(changes), candidate(path, rows)) == expected


def test_replaces_valid_where_another_kind_belongs():
    record = record_with({"/name": {"en": "Lumo"}})
    assert sifted(record, candidate("/name", "Lumo L2")) == ({}, {"replaces_valid": 1})
    record = record_with({"/name": {}})
    assert sifted(record, candidate("/name", "Lumo L2")) == ({"/name": "Lumo L2"}, {})


def test_a_bad_item_does_not_hold_the_list():
    record = record_with({"/tags": ["desk", ""]})
    assert sifted(record, candidate("/tags/1", "lamp")) == ({"/tags/1": "lamp"}, {})
    assert sifted(record, candidate("/tags", ["desk", "lamp"])) == ({}, {"no_violation": 1})


@pytest.mark.parametrize("value", ["L", "", None, 5, ["Lumo L2"], {"name": "Lumo L2"}])
def test_not_resolving(value):
    assert sifted(NAMELESS, candidate("/name", value)) == ({}, {"not_resolving": 1})


def test_an_unknown_member_is_not_resolved_by_a_value():
    record = record_with({"/crate": {"label": "x", "colour": "red"}})
    assert sifted(record, candidate("/crate/colour", "blue")) == ({}, {"not_resolving": 1})


@pytest.mark.parametrize(
    ("changes", "path", "value"),
    [
        # inside the value
        ({"/box": ABSENT}, "/box", {"label": "grey"}),
        ({"/box": ABSENT}, "/box", {"label": "grey", "width_mm": 1}),
        # a condition that it makes true
        ({"/colour": "pink"}, "/colour", "blue"),
        # a rule of the profile
        ({"/parts/1/share_pct": ABSENT}, "/parts/1/share_pct", 1000),
        ({"/parts": ABSENT}, "/parts", [{"name": "shade", "share_pct": 20}]),
    ],
)
def test_new_violation(changes, path, value):
    reason = "not_resolving" if (path, value) == ("/parts", [{"name": "shade", "share_pct": 20}]) else "new_violation"
    assert sifted(record_with(changes), candidate(path, value)) == ({}, {reason: 1})


def test_what_violated_elsewhere_before_does_not_count():
    record = record_with({"/name": ABSENT, "/colour": "pink"})
    assert sifted(record, candidate("/name", "Lumo L2")) == ({"/name": "Lumo L2"}, {})


def test_the_whole_record():
    """A violation at the root: what stands there is held like everywhere else."""
    profile = Profile.from_schema([PROFILES / "lamp.schema.json"])
    record = from_python({"maker": "Lumo"})
    assert sifted(record, candidate("", {**RECORD}), profile=profile) == ({}, {"no_violation": 1})


def test_the_root_of_an_empty_record(tmp_path):
    (tmp_path / "s.json").write_text('{"minProperties": 1, "properties": {"a": {"type": "integer"}}}', "utf-8")
    profile = Profile.from_schema([tmp_path / "s.json"])
    assert sifted({}, candidate("", {"a": 1}), profile=profile) == ({"": {"a": 1}}, {})
    assert sifted({}, candidate("", {"a": "x"}), profile=profile) == ({}, {"new_violation": 1})
    assert sifted({}, candidate("", [1]), profile=profile) == ({}, {"not_resolving": 1})


# The order of the reasons, of the ranks and of the rows


def test_the_first_reason_counts():
    clamp = candidate("/power_w", 100)
    record = record_with({"/power_w": 104})
    assert sifted(record, clamp, is_rejected=lambda *_: True) == ({}, {"clamped": 1})
    assert sifted(record, clamp | {"confidence": 2}) == ({}, {"confidence": 1})
    assert sifted(record, clamp | {"confidence": 2, "path": 5}) == ({}, {"malformed": 1})
    assert sifted(record_with({"/sku": "x"}), candidate("/sku", "x")) == ({}, {"never_suggested": 1})
    assert sifted(record_with({"/id": "x"}), candidate("/id", "x"), profile=BARE) == ({}, {"administrative": 1})


def test_ranks_keep_the_models_own_order():
    record = record_with({"/name": ABSENT, "/colour": ABSENT, "/power_w": ABSENT, "/tags": ABSENT})
    answer = [
        candidate("/tags", ["desk"], Decimal("0.31")),
        candidate("/power_w", 9, Decimal("0.9")),
        candidate("/colour", "red", Decimal("0.31")),
        candidate("/name", "Lumo L2", Decimal("0.90000000000000000000000000000000001")),
    ]
    found = sift({"suggestions": answer}, LAMP, record).suggestions
    assert [(row.path, row.rank, row.confidence) for row in found] == [
        ("/colour", 4, 0.3),
        ("/name", 1, 0.3),
        ("/power_w", 2, 0.3),
        ("/tags", 3, 0.3),
    ]


def test_reasons_are_counted_in_the_order_of_their_names():
    suppressed = sifted(NAMELESS, None, candidate("/name", "x"), candidate("/x", 1), more={"more": 1})[1]
    assert list(suppressed.items()) == [
        ("malformed", 1),
        ("no_violation", 1),
        ("not_asked_for", 1),
        ("not_resolving", 1),
    ]


@pytest.mark.parametrize("answer", [{}, {"suggestions": None}, {"suggestions": {}}, {"suggestions": "x"}, [], None])
def test_an_answer_of_another_form_suggests_nothing(answer):
    assert sift(answer, LAMP, NAMELESS) == ((), {})


# Texts


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("It is sold as such.", "It is sold as such."),
        ("one\ntwo\tthree\r\nfour\u2028five\x85six", "one two three  four five six"),
        ("\x1b[31mred\x1b[0m \x07", "[31mred[0m"),
        ("left \u202eright\u202c \u2066x\u2069 \u200bnone\ufeff", "left right x none"),
        ("tag \U000e0041 private \ue000 none \u0378", "tag  private  none"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("naïve 漢字 🜁", "naïve 漢字 🜁"),
        ("", ""),
        ("x" * 280, "x" * 280),
        ("x" * 281, "x" * 279 + "…"),
        ("\u202e" * 500 + "x", "x"),
    ],
)
def test_a_rationale_is_one_line_of_plain_text(said, shown):
    assert clean_rationale(said) == shown
    assert len(clean_rationale(said)) <= MOST_RATIONALE


def test_values_are_kept_as_they_are():
    """A value is no text of ours: whoever shows it escapes it."""
    value = "Lumo\u202e \x1b[31m<b>\n"
    assert sifted(NAMELESS, candidate("/name", value)) == ({"/name": value}, {})
    record = record_with({"/power_w": ABSENT})
    kept, _ = sifted(record, candidate("/power_w", Decimal("9.50")))
    assert str(kept["/power_w"]) == "9.50"


def test_every_reason_has_its_test():
    text = Path(__file__).read_text("utf-8")
    for reason in Suppression:
        assert f'"{reason.value}"' in text, reason


def test_a_suggestion_is_no_fill():
    from veracord import Fill

    assert not issubclass(Suggestion, Fill)
    assert not issubclass(Fill, Suggestion)
    assert {*Suggestion.__mro__} & {*Fill.__mro__} == {object}
