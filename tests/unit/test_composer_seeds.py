"""What makes a seed hopeless, and what of it a record must hold."""

import json

import pytest

from tests.unit.synthesis_worlds import FULL, PROFILE, SEED, changed
from veracord import Profile
from veracord.composer.seeds import identity_problems, seed_problems, supporting_part, survival_problems


def hopeless(seed, profile=PROFILE):
    return [finding.key for finding in seed_problems(profile, seed)]


@pytest.mark.parametrize("seed", [{}, SEED, FULL, {"product": {"brand": "x"}}, {**SEED, "materials": [{"name": "a"}]}])
def test_what_is_only_missing_is_no_problem(seed):
    assert hopeless(seed) == []


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (("/product/category", "spaceship"), ("/product/category", "enum")),
        (("/product/brand", ""), ("/product/brand", "minLength")),
        (("/product/image_url", "no uri"), ("/product/image_url", "format")),
        (("/materials", []), ("/materials", "minItems")),
        (("/materials", {"name": "tin"}), ("/materials", "type")),
        (("/carbon", [1]), ("/carbon", "type")),
        (("/materials", [{"name": "tin", "share_pct": 101}]), ("/materials/0/share_pct", "maximum")),
        (("/compliance", {}), ("/compliance/standards", "required")),
        (
            ("/materials", [{"name": "tin", "share_pct": 60}, {"name": "zinc", "share_pct": 60}]),
            ("/materials", "sum"),
        ),
    ],
)
def test_what_nothing_can_cure(change, key):
    assert key in hopeless(changed(SEED, change))


def test_a_sum_that_is_too_small_may_get_further_rows():
    assert hopeless(changed(SEED, ("/materials", [{"name": "tin", "share_pct": 60}]))) == []


@pytest.fixture
def profile(tmp_path):
    """A profile with a condition, rules and an undeclared array."""
    schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "id": {"type": "string"},
            "kind": {"enum": ["a", "b"]},
            "size": {"type": "number"},
            "low": {"type": "number"},
            "rows": {"type": "array", "minItems": 2, "items": {"properties": {"n": {"type": "number"}}}},
            "parts": {"type": "object", "minProperties": 2, "properties": {"x": {}, "y": {}}},
        },
        "if": {"required": ["kind"], "properties": {"kind": {"const": "a"}}},
        "then": {"properties": {"size": {"maximum": 5}}},
        "else": {"properties": {"size": {"minimum": 10}}},
    }
    (tmp_path / "s.json").write_text(json.dumps(schema))
    (tmp_path / "p.toml").write_text(
        """
name = "p"
version = "1"
schema = "s.json"
[identity]
keys = [["/id"]]
[[rules]]
kind = "compare"
left = "/low"
op = "<="
right = "/size"
[[rules]]
kind = "unique"
over = "/rows/*/n"
[[rules]]
kind = "sum"
over = "/rows/*/n"
min = 10
"""
    )
    return Profile.load(tmp_path / "p.toml")


@pytest.mark.parametrize(
    ("seed", "keys"),
    [
        ({"size": 3}, []),  # `kind` may still come and lift the bound
        ({"size": 3, "kind": "b"}, [("/size", "minimum")]),
        ({"size": 7, "kind": "a"}, [("/size", "maximum")]),
        ({"low": 4, "size": 3, "kind": "a"}, [("", "compare")]),
        ({"low": 4}, []),
        ({"rows": [{"n": 5}, {"n": 5}]}, [("/rows", "unique")]),
        ({"rows": [{"n": 4}, {"n": 5}]}, [("/rows", "sum")]),  # an undeclared array gets no further rows
        ({"parts": {"x": 1}}, []),
        ({"invented": 1}, [("/invented", "additionalProperties")]),
    ],
)
def test_conditions_and_rules(profile, seed, keys):
    assert hopeless(seed, profile) == keys


def lost(record, seed=SEED):
    return [(defect.code, defect.path) for defect in survival_problems(PROFILE, seed, record)]


def test_the_whole_seed_survives_in_what_it_grew_into():
    assert lost(FULL, changed(SEED, ("/dpp_id", "DPP-77"))) == []


def test_rows_of_a_declared_array_are_found_by_their_key():
    seed = changed(SEED, ("/materials", [{"name": "zinc", "share_pct": 60}]))
    assert lost(changed(FULL, ("/dpp_id", "DPP-99")), seed) == []
    record = changed(FULL, ("/dpp_id", "DPP-99"), ("/materials/1/share_pct", 61))
    assert lost(record, seed) == [("seed_leaf_changed", "/materials/0/share_pct")]
    record = changed(FULL, ("/dpp_id", "DPP-99"), ("/materials/1", ...))
    assert lost(record, seed) == [
        ("seed_leaf_dropped", "/materials/0/name"),
        ("seed_leaf_dropped", "/materials/0/share_pct"),
    ]


def test_rows_of_other_arrays_keep_their_index():
    seed = changed(SEED, ("/lifecycle/transport_legs", [{"mode": "ship"}]))
    record = changed(seed, ("/lifecycle/transport_legs", [{"mode": "rail"}, {"mode": "ship"}]))
    assert lost(record, seed) == [("seed_leaf_changed", "/lifecycle/transport_legs/0/mode")]


@pytest.mark.parametrize(
    ("change", "row"),
    [
        (("/product/brand", "Other"), ("seed_leaf_changed", "/product/brand")),
        (("/product/brand", ...), ("seed_leaf_dropped", "/product/brand")),
        (("/schema_version", 1), ("seed_leaf_changed", "/schema_version")),
        (("/product", "x"), ("seed_leaf_dropped", "/product/model")),
    ],
)
def test_a_leaf_that_is_lost(change, row):
    assert row in lost(changed(SEED, change))


def test_an_empty_container_is_a_leaf():
    assert lost({**SEED, "carbon": {"total_kg_co2e": 1}}, {**SEED, "carbon": {}}) == [("seed_leaf_changed", "/carbon")]


def test_numbers_survive_by_value_and_true_is_not_one():
    seed = {**SEED, "carbon": {"total_kg_co2e": 1}}
    assert lost({**SEED, "carbon": {"total_kg_co2e": True}}, seed) == [("seed_leaf_changed", "/carbon/total_kg_co2e")]


@pytest.mark.parametrize("pointer", ["/product/id", "/product/brand", "/product/model", "/dpp_id"])
def test_identity_is_what_the_seed_says(pointer):
    problems = identity_problems(PROFILE, SEED, changed(SEED, (pointer, "Other")))
    assert [(defect.code, defect.path) for defect in problems] == [("identity_changed", pointer)]
    assert identity_problems(PROFILE, changed(SEED, (pointer, ...)), SEED) == []


def test_what_supports_nothing_is_taken_out_of_a_seed():
    seed = {"a": 1, "b": {"c": 2, "d": {}}, "rows": [{"n": 1}, {"n": 2, "m": 3}], "tags": ["x", "y"]}
    assert supporting_part(seed, {}) is seed
    assert supporting_part(seed, {"/a": "declared", "/b": "seed"}) is seed
    guess = "suggestion_origin"
    assert supporting_part(seed, {"/a": guess}) == {name: seed[name] for name in ("b", "rows", "tags")}
    assert supporting_part(seed, {"/b/c": guess})["b"] == {"d": {}}
    assert supporting_part(seed, {"/rows/0/n": guess})["rows"] == [{}, {"n": 2, "m": 3}]
    assert "tags" not in supporting_part(seed, {"/tags/1": guess})
    assert supporting_part(seed, {"": guess}) == {}
    assert supporting_part(seed, {"/nothing/there": guess}) == seed
    assert supporting_part({"a": {"b": 1}}, {"/a/b": guess}) == {}


def test_an_object_whose_members_are_called_like_indexes_is_no_list():
    seed = changed(SEED, ("/lifecycle/transport_legs", [{"mode": "ship"}]))
    record = changed(SEED, ("/lifecycle/transport_legs", {"0": {"mode": "ship"}}))
    assert lost(record, seed) == [("seed_leaf_dropped", "/lifecycle/transport_legs/0/mode")]
