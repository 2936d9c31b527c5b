"""What a schema says about a place: whether it knows it, admits a value there, and shows a value itself."""

from decimal import Decimal

import pytest

from veracord.records.places import Place
from veracord.records.schemas import Schema, SchemaFile

DRAFT_04 = "http://json-schema.org/draft-04/schema#"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
TEXT = {"type": "string"}


def place_of(schema, *tokens, **others):
    files = [SchemaFile("s.json", schema), *(SchemaFile(f"{n}.json", c) for n, c in others.items())]
    place = Place.of(Schema(files))
    for token in tokens:
        place = place.item(token) if isinstance(token, int) else place.member(token)
    return place


@pytest.mark.parametrize(
    ("schema", "known", "unknown"),
    [
        ({"properties": {"a": {}}}, ["a"], ["b", ""]),
        ({"properties": {"a": True, "": {}, "0": {}}}, ["a", "", "0"], ["00"]),
        ({"properties": {"a": False}}, ["a"], []),
        ({"patternProperties": {"^x_": {}}}, ["x_1", "x_"], ["x", "ax_"]),
        ({"additionalProperties": TEXT}, ["a", "", "0"], []),
        ({"unevaluatedProperties": TEXT}, ["a"], []),
        ({"additionalProperties": True}, [], ["a"]),
        ({"additionalProperties": {}}, [], ["a"]),
        ({"additionalProperties": False, "properties": {"a": {}}}, ["a"], ["b"]),
        ({}, [], ["a"]),
        (True, [], ["a"]),
        ({"required": ["a"], "propertyNames": {"enum": ["a"]}}, [], ["a"]),
        ({"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}, ["a", "b"], ["c"]),
        ({"oneOf": [{"properties": {"a": {}}}, {"anyOf": [{"properties": {"b": {}}}]}]}, ["a", "b"], ["c"]),
        ({"if": {"properties": {"i": {}}}, "then": {"properties": {"t": {}}}}, ["t"], ["i"]),
        ({"if": {}, "then": {}, "else": {"properties": {"e": {}}}}, ["e"], []),
        ({"then": {"properties": {"t": {}}}}, [], ["t"]),
        ({"dependentSchemas": {"a": {"properties": {"b": {}}}}}, ["b"], ["a"]),
        ({"dependentRequired": {"a": ["b"]}}, [], ["a", "b"]),
        ({"not": {"properties": {"a": {}}}}, [], ["a"]),
        ({"$ref": "#/$defs/t", "$defs": {"t": {"properties": {"a": {}}}}}, ["a"], ["$defs"]),
        ({"$ref": "#/$defs/t", "properties": {"b": {}}, "$defs": {"t": {}}}, ["b"], []),
        ({"$schema": DRAFT_07, "dependencies": {"a": {"properties": {"b": {}}}, "c": ["d"]}}, ["b"], ["d"]),
    ],
)
def test_which_members_a_schema_knows(schema, known, unknown):
    root = place_of(schema)
    assert [name for name in known if not root.member(name).is_known] == []
    assert [name for name in unknown if root.member(name).is_known] == []


@pytest.mark.parametrize("draft", [DRAFT_04, DRAFT_07])
def test_before_2019_members_beside_a_reference_are_not_known(draft):
    schema = {
        "$schema": draft,
        "definitions": {"t": {"properties": {"a": {}}}},
        "properties": {"x": {"$ref": "#/definitions/t", "properties": {"b": {}}}},
    }
    assert place_of(schema, "x", "a").is_known
    assert not place_of(schema, "x", "b").is_known


def test_known_places_go_through_files_and_circles():
    schema = {"properties": {"part": {"$ref": "#"}, "other": {"$ref": "more.json#/$defs/t"}}}
    more = {"$defs": {"t": {"properties": {"deep": {"$ref": "#/$defs/u"}}}, "u": {"items": {"$ref": "s.json"}}}}
    tokens = ["part", "part", "other", "deep", 3, "part", "other"]
    assert place_of(schema, *tokens, more=more).is_known
    assert not place_of(schema, *tokens, "part", more=more).is_known


def test_a_reference_to_itself_ends():
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    assert not place_of(schema, "x").is_known


@pytest.mark.parametrize(
    ("schema", "known"),
    [
        ({"items": TEXT}, {0: True, 7: True}),
        ({"items": True}, {0: False}),
        ({"prefixItems": [TEXT, {}]}, {0: True, 1: True, 2: False}),
        ({"prefixItems": [TEXT], "items": TEXT}, {0: True, 1: True, 9: True}),
        ({"prefixItems": [TEXT], "items": False}, {0: True, 1: False}),
        ({"$schema": DRAFT_07, "items": [TEXT], "additionalItems": TEXT}, {0: True, 5: True}),
        ({"$schema": DRAFT_07, "items": [TEXT]}, {0: True, 1: False}),
        ({"$schema": DRAFT_07, "items": TEXT, "additionalItems": False}, {0: True, 3: True}),
        ({"$schema": DRAFT_07, "additionalItems": TEXT}, {0: False}),
        ({"unevaluatedItems": TEXT}, {0: True}),
        ({"contains": TEXT}, {0: False}),
    ],
)
def test_which_items_a_schema_knows(schema, known):
    root = place_of(schema)
    assert {index: root.item(index).is_known for index in known} == known


def test_the_items_of_a_tuple_have_places_of_their_own():
    schema = {"prefixItems": [{"properties": {"a": {}}}, {"properties": {"b": {}}}], "items": {"properties": {"c": {}}}}
    for index, name in ((0, "a"), (1, "b"), (2, "c"), (50, "c")):
        known = {n for n in "abc" if place_of(schema, index, n).is_known}
        assert known == {name}


@pytest.mark.parametrize(
    ("schema", "admitted", "refused"),
    [
        ({"properties": {"a": {"type": "string", "minLength": 2}}}, ["xx"], ["x", 1, None]),
        ({"properties": {"a": {"$ref": "#/$defs/t"}}, "$defs": {"t": {"minimum": 0}}}, [0, "x"], [-1]),
        ({"properties": {"a": {"allOf": [TEXT, {"maxLength": 1}]}}}, ["x"], ["xx", 1]),
        ({"patternProperties": {"^a": TEXT, "a$": {"minLength": 1}}}, ["x"], ["", 1]),
        ({"allOf": [{"properties": {"a": TEXT}}, {"properties": {"a": {"enum": ["x"]}}}]}, ["x"], ["y"]),
        ({"properties": {"a": {"format": "date"}}}, ["2024-02-29"], ["2024-02-30"]),
        ({"properties": {"a": {"maximum": Decimal("0.1")}}}, [Decimal("0.1")], [Decimal("0.10000000000000000001")]),
        # An alternative or a condition decides only together with the rest of the record.
        ({"anyOf": [{"properties": {"a": TEXT}}, {}]}, ["x", 1], []),
        ({"if": {}, "then": {"properties": {"a": TEXT}}}, ["x", 1], []),
        ({"properties": {"a": False}}, [], ["x"]),
        ({}, ["x", None], []),
        ({"$schema": DRAFT_04, "properties": {"a": {"minimum": 1, "exclusiveMinimum": True}}}, [2], [1]),
    ],
)
def test_what_a_place_admits_whatever_the_rest_holds(schema, admitted, refused):
    place = place_of(schema, "a")
    assert [value for value in admitted if not place.admits(value)] == []
    assert [value for value in refused if place.admits(value)] == []


@pytest.mark.parametrize(
    ("schema", "value", "admits"),
    [
        (TEXT, "", True),
        ({"type": "string", "minLength": 1}, "", False),
        (TEXT, None, False),
        ({"type": ["string", "null"]}, None, True),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None, True),
        ({"anyOf": [{"type": "string", "minLength": 1}, {"type": "number"}]}, "", False),
        ({"oneOf": [{"type": "null"}, {"$ref": "#/$defs/t"}]}, None, True),
        ({"oneOf": [{"type": "null"}, {"$ref": "#/$defs/t"}]}, "", False),
        ({"type": "array"}, [], True),
        ({"type": "array", "minItems": 1}, [], False),
        ({"type": "object"}, {}, True),
        ({"type": "object", "required": ["a"]}, {}, False),
        ({"type": "object", "minProperties": 1}, {}, False),
        ({"enum": ["", "x"]}, "", True),
        ({"const": None}, None, True),
        ({}, None, True),
    ],
)
def test_which_empty_values_a_place_admits(schema, value, admits):
    whole = {"properties": {"a": schema}, "$defs": {"t": {"type": "string", "minLength": 1}}}
    assert place_of(whole, "a").admits_empty(value) is admits


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"pattern": "^a+$", "examples": ["a", "aa", 1, None]}, {"^a+$", "a", "aa"}),
        ({"example": "x"}, {"x"}),
        ({"examples": ["x"], "default": "d", "title": "t", "description": "D"}, {"x"}),
        ({"examples": ["x"], "enum": ["x", "y"]}, set()),
        ({"examples": ["x"], "const": "x"}, set()),
        ({"allOf": [{"examples": ["x"]}, {"pattern": "p"}]}, {"x", "p"}),
        ({"allOf": [{"examples": ["x"]}, {"enum": ["x"]}]}, set()),
        ({"anyOf": [{"examples": ["x"]}, {"type": "null"}]}, {"x"}),
        ({"$ref": "#/$defs/t"}, {"shared"}),
        ({}, set()),
    ],
)
def test_what_the_schema_shows_itself(schema, shown):
    whole = {"properties": {"a": schema}, "$defs": {"t": {"examples": ["shared"]}}}
    assert place_of(whole, "a").shown == shown


def test_arrays_that_the_schema_shows():
    schema = {"properties": {"a": {"examples": [["x", "y"], [], "z", [1]]}}}
    assert list(place_of(schema, "a").shown_arrays) == [["x", "y"], [1]]
    assert list(place_of({"examples": [["x"]]}).shown_arrays) == [["x"]]


def test_a_place_is_looked_up_once():
    root = place_of({"properties": {"a": TEXT}, "items": TEXT})
    assert root.member("a") is root.member("a")
    assert root.item(3) is root.item(4)


@pytest.mark.parametrize(
    ("schema", "formats"),
    [
        ({}, set()),
        (True, set()),
        ({"format": "date"}, {"date"}),
        ({"$schema": DRAFT_07, "$ref": "#/definitions/t", "format": "date", "definitions": {"t": {}}}, set()),
        ({"allOf": [{"format": "uri"}], "anyOf": [{"format": "uuid"}, {"type": "null"}]}, {"uri", "uuid"}),
        ({"if": {"format": "date"}, "then": {"format": "time"}}, {"time"}),
        ({"$ref": "#/$defs/t", "$defs": {"t": {"format": "date-time"}}}, {"date-time"}),
        ({"items": {"format": "date"}}, set()),
    ],
)
def test_formats_at_a_place(schema, formats):
    assert place_of(schema).formats == formats


@pytest.mark.parametrize(
    ("schema", "bounds"),
    [
        ({}, []),
        (True, []),
        ({"minimum": 1, "maximum": Decimal("2.5")}, [(1, True, False), (Decimal("2.5"), False, False)]),
        ({"exclusiveMinimum": 1, "exclusiveMaximum": 9}, [(1, True, True), (9, False, True)]),
        ({"minimum": 0, "exclusiveMinimum": 1}, [(0, True, False), (1, True, True)]),
        ({"minLength": 1, "minItems": 2, "multipleOf": 3}, []),
        ({"$schema": DRAFT_04, "minimum": 1, "exclusiveMinimum": True}, [(1, True, True)]),
        ({"$schema": DRAFT_04, "maximum": 1, "exclusiveMaximum": False}, [(1, False, False)]),
        ({"allOf": [{"minimum": 1}], "anyOf": [{"maximum": 2}]}, [(1, True, False), (2, False, False)]),
        ({"if": {"minimum": 1}, "then": {"minimum": 2}}, [(2, True, False)]),
        ({"$ref": "#/$defs/t", "minimum": 3, "$defs": {"t": {"maximum": 4}}}, [(3, True, False), (4, False, False)]),
        (
            {"$schema": DRAFT_07, "$ref": "#/definitions/t", "minimum": 3, "definitions": {"t": {"maximum": 4}}},
            [(4, False, False)],
        ),
    ],
)
def test_bounds_at_a_place(schema, bounds):
    assert list(place_of(schema).bounds) == bounds


def test_a_place_below_is_found_by_tokens():
    schema = {
        "properties": {
            "rows": {"items": {"properties": {"a": {"format": "date"}}}},
            "named": {"properties": {"0": {"format": "time"}}, "items": {"format": "uri"}},
        }
    }
    root = place_of(schema)
    assert root.below(()) is root
    assert root.below(("rows", "7", "a")).formats == {"date"}
    assert root.below(("named", "0")).formats == {"time"}
    assert root.below(("named", "1")).formats == {"uri"}
    assert not root.below(("rows", "01", "a")).is_known
