"""Setting planned values in a record: only the way to each is made anew, and the text edits say the same."""

import copy
from typing import Any

import pytest

from veracord.composer.units import Unit, set_units, text_edits
from veracord.records.pointers import Tokens


def units(values: dict[Tokens, Any]) -> list[Unit]:
    return [Unit(place, value, ()) for place, value in values.items()]


@pytest.mark.parametrize(
    ("record", "values", "after", "edits"),
    [
        ({}, {("a",): 1}, {"a": 1}, {("a",): 1}),
        ({"a": 0}, {("a",): 1}, {"a": 1}, {("a",): 1}),
        ({"a": {"b": 0}}, {("a", "b"): 1}, {"a": {"b": 1}}, {("a", "b"): 1}),
        # Parents are made where nothing, a scalar, or an array without objects stands.
        ({}, {("a", "b", "c"): 1}, {"a": {"b": {"c": 1}}}, {("a",): {"b": {"c": 1}}}),
        ({"a": None}, {("a", "b"): 1}, {"a": {"b": 1}}, {("a",): {"b": 1}}),
        ({"a": "x"}, {("a", "b"): 1}, {"a": {"b": 1}}, {("a",): {"b": 1}}),
        ({"a": []}, {("a", "b"): 1}, {"a": {"b": 1}}, {("a",): {"b": 1}}),
        ({"a": [1, [2]]}, {("a", "0"): 1}, {"a": {"0": 1}}, {("a",): {"0": 1}}),
        ({"a": {}}, {("a", "b"): 1}, {"a": {"b": 1}}, {("a", "b"): 1}),
        # Rows keep their place; other members stay.
        ({"r": [{"a": 1}, {"b": 2}]}, {("r", "1", "c"): 3}, {"r": [{"a": 1}, {"b": 2, "c": 3}]}, {("r", "1", "c"): 3}),
        ({"r": [{"a": 1}, 5]}, {("r", "1", "c"): 3}, {"r": [{"a": 1}, {"c": 3}]}, {("r", "1"): {"c": 3}}),
        # Several leaves of one new object are one edit of the text.
        ({}, {("a", "b"): 1, ("a", "c"): 2}, {"a": {"b": 1, "c": 2}}, {("a",): {"b": 1, "c": 2}}),
        # An array whose rows are copied whole.
        ({"r": 7}, {("r",): [{"a": 1}]}, {"r": [{"a": 1}]}, {("r",): [{"a": 1}]}),
        ({"": {"0": 1}}, {("", "0"): 2, ("", "1"): 3}, {"": {"0": 2, "1": 3}}, {("", "0"): 2, ("", "1"): 3}),
    ],
)
def test_values_are_set(
    record: dict[str, Any], values: dict[Tokens, Any], after: dict[str, Any], edits: dict[Tokens, Any]
) -> None:
    before = copy.deepcopy(record)
    made = set_units(record, units(values))
    assert made == after
    assert record == before
    assert text_edits(record, made, values) == edits


def test_what_is_not_on_the_way_is_shared() -> None:
    record = {"a": {"b": {"x": 1}, "c": {"y": 1}}, "r": [{"k": 1}, {"k": 2}]}
    made = set_units(record, units({("a", "b", "x"): 2, ("r", "0", "k"): 3}))
    assert made["a"]["c"] is record["a"]["c"]
    assert made["r"][1] is record["r"][1]
    assert made["a"]["b"] is not record["a"]["b"]
    assert record == {"a": {"b": {"x": 1}, "c": {"y": 1}}, "r": [{"k": 1}, {"k": 2}]}


def test_a_value_that_is_set_shares_nothing_with_its_source() -> None:
    value = [[1]]
    made = set_units({}, units({("a",): value}))
    made["a"][0].append(2)
    assert value == [[1]]


def test_a_unit_makes_a_fill_for_each_of_its_leaves() -> None:
    assert Unit(("a",), 1, ()).count() == 1
    assert Unit(("a",), [1, 2], ()).count() == 1
    assert Unit(("a",), [{"k": 1, "t": []}, {"k": {"x": 1, "y": 2}}, {}], ()).count() == 5
