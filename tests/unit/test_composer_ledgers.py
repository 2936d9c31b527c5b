"""How the ledger names a product, a place and a value."""

import json
from decimal import Decimal

import pytest

from veracord.composer.ledgers import (
    entries_of,
    guessed_leaves,
    is_rejected,
    place_of,
    products_of,
    products_of_values,
    told_leaves,
    value_digest,
)
from veracord.records.profiles import Profile

SCHEMA = {
    "type": "object",
    "properties": {
        "gtin": {"type": "string"},
        "brand": {"type": "string"},
        "model": {"type": "string"},
        "mass_kg": {"type": "number"},
        "materials": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "share_pct": {"type": "number"}},
                "required": ["name", "share_pct"],
            },
        },
        "parts": {"type": "array", "items": {"type": "object", "properties": {"mass_kg": {"type": "number"}}}},
    },
}
PROFILE = """\
name = "thing"
version = "1"
schema = "thing.schema.json"

[identity]
keys = [{ members = ["/gtin"], kind = "gtin" }, ["/brand", "/model"]]

[[rows]]
at = "/materials"
key = ["/name"]
"""
GTIN = "04006381333931"


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("profile")
    (folder / "thing.schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    (folder / "thing.toml").write_text(PROFILE, "utf-8")
    return Profile.load(folder / "thing.toml")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (5, Decimal("5.0")),
        (Decimal("1E+2"), 100),
        ("caf\u00e9", "cafe\u0301"),
        ("steel", "  steel\n"),
        (["a", 1], ["a ", Decimal("1.00")]),
        ({"b": 1, "a": 2}, {"a": Decimal("2.0"), "b": 1}),
    ],
)
def test_one_value_however_it_is_written(one, other):
    assert value_digest(one) == value_digest(other)


@pytest.mark.parametrize(("one", "other"), [(1, True), ("5", 5), ("a", "A"), (None, ""), ([], {}), ("a b", "ab")])
def test_other_values_have_other_digests(one, other):
    assert value_digest(one) != value_digest(other)


@pytest.mark.parametrize(
    "text", ["Anodised finish", " anodised  finish", "anodised\u00a0FINISH", "ano\u200bdised finish"]
)
def test_texts_that_look_alike_are_one_guess(profile, text):
    record = {"brand": "Acme", "model": "X"}
    assert entries_of(profile, record, "/note", text) == entries_of(profile, record, "/note", "anodised finish")
    assert entries_of(profile, record, "/note", text) != entries_of(profile, record, "/note", "anodisedfinish")


def test_a_product_has_a_name_for_each_key_that_is_there_in_full(profile):
    both = {"gtin": GTIN, "brand": "Acme", "model": "X"}
    names = products_of(profile.identity, both)
    assert len(names) == 2
    assert products_of(profile.identity, {"brand": " Acme ", "model": "X"}) < names
    assert products_of(profile.identity, {"gtin": GTIN.lstrip("0")}) < names
    assert products_of(profile.identity, {"brand": "Acme"}) == frozenset()
    assert products_of(profile.identity, {"gtin": "04006381333932"}) == frozenset()
    assert not names & products_of(profile.identity, {"brand": "Acme", "model": "Y"})


def test_a_row_is_told_by_its_key_wherever_it_stands(profile):
    first = {"materials": [{"name": "steel"}, {"name": "tin"}]}
    second = {"materials": [{"name": "tin"}, {"name": "zinc"}, {"name": " steel"}]}
    assert place_of(profile, first, "/materials/0/share_pct") == place_of(profile, second, "/materials/2/share_pct")
    assert place_of(profile, first, "/materials/1/share_pct") != place_of(profile, first, "/materials/0/share_pct")
    assert "steel" not in place_of(profile, first, "/materials/0/share_pct")


def test_other_rows_are_one_of_many(profile):
    record = {"materials": [{"share_pct": 1}], "parts": [{"mass_kg": 1}]}
    assert place_of(profile, record, "/materials/0/share_pct") == "/materials/*/share_pct"
    assert place_of(profile, record, "/parts/0/mass_kg") == "/parts/*/mass_kg"
    assert place_of(profile, record, "/a~1b/c~0d") == "/a~1b/c~0d"
    assert place_of(profile, record, "") == ""
    assert "\0" not in place_of(profile, record, "/a\0b")


def test_a_suggestion_is_entered_leaf_by_leaf_under_every_name(profile):
    record = {"gtin": GTIN, "brand": "Acme", "model": "X"}
    rows = [{"name": "steel", "share_pct": 60}, {"name": "tin", "share_pct": 40}]
    entries = entries_of(profile, record, "/materials", rows)
    assert len(entries) == 8
    assert {entry.product for entry in entries} == products_of(profile.identity, record)
    pasted = {**record, "materials": rows[::-1]}
    assert place_of(profile, pasted, "/materials/1/share_pct") in {entry.place for entry in entries}


def test_the_key_of_a_row_that_is_itself_suggested_counts(profile):
    record = {"brand": "Acme", "model": "X", "materials": [{"share_pct": 60}]}
    (entry,) = entries_of(profile, record, "/materials/0/name", "steel")
    pasted = {**record, "materials": [{"share_pct": 60, "name": "steel"}]}
    assert entry.place == place_of(profile, pasted, "/materials/0/name")
    assert record["materials"] == [{"share_pct": 60}]


def test_no_identity_no_entry(profile):
    assert entries_of(profile, {"mass_kg": 1}, "/mass_kg", 2) == []


def test_rejected_is_what_was_rejected_in_every_leaf(profile):
    record = {"brand": "Acme", "model": "X", "gtin": GTIN}
    rejected = entries_of(profile, {"brand": "Acme", "model": "X"}, "/mass_kg", 2)
    assert is_rejected(profile, record, "/mass_kg", Decimal("2.0"), rejected)
    assert not is_rejected(profile, record, "/mass_kg", 3, rejected)
    row = [{"name": "steel", "share_pct": 60}]
    some = entries_of(profile, record, "/materials", row)[:1]
    assert not is_rejected(profile, record, "/materials", row, some)
    assert not is_rejected(profile, {"mass_kg": None}, "/mass_kg", 2, rejected)


RECORD = {
    "brand": "Ada",
    "model": "Lamp",
    "mass_kg": 5,
    "a/b": {"c~d": "x", "": {}, "nul\0": "y"},
    "tags": ["one", "Two", "one"],
    "none": [],
    "materials": [
        {"name": "steel", "share_pct": 60},
        {"name": "glass", "share_pct": 40, "marks": [{"n": 1}, {"n": 2}]},
    ],
    "parts": [{"mass_kg": 1}, {"mass_kg": 2}, {"mass_kg": 1}],
    "grid": [[{"x": 1}], [{"x": 2}]],
}


def guessed_one_by_one(profile, record, guesses):
    return [at for at, told in told_leaves(profile, record) if told <= guesses]


def test_guessed_leaves_are_those_of_which_all_that_is_told_is_a_guess(profile):
    told = [leaf for _, leaf in told_leaves(profile, RECORD)]
    everything = frozenset().union(*told)
    assert list(guessed_leaves(profile, RECORD, everything)) == [at for at, _ in told_leaves(profile, RECORD)]
    for one in everything:
        for guesses in (frozenset({one}), everything - {one}):
            found = list(guessed_leaves(profile, RECORD, guesses))
            assert found == guessed_one_by_one(profile, RECORD, guesses)
    assert list(guessed_leaves(profile, RECORD, frozenset())) == []


def test_an_empty_record_is_one_leaf_at_the_top(profile):
    ((_, told),) = told_leaves(profile, {})
    assert list(guessed_leaves(profile, {}, told)) == [()]
    assert list(guessed_leaves(profile, {"brand": "Ada"}, told)) == []


def test_products_of_several_are_those_of_each(profile):
    records = [{"brand": "Ada", "model": "Lamp"}, {"gtin": GTIN, "brand": "Ada", "model": "Lamp"}, {"model": "Lamp"}]
    values = [profile.identity.values(record) for record in records]
    each = frozenset().union(*(products_of(profile.identity, record) for record in records))
    assert products_of_values(profile.identity, values) == each
    assert len(each) == 2
