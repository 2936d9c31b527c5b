"""Violations stand at their true places, also where names look like indexes, pointers or nothing."""

import itertools
import json

import pytest

from veracord.records.pointers import join
from veracord.records.schemas import Schema, SchemaFile
from veracord.records.violations import schema_findings

NAMES = [
    *("", "0", "1", "01", "00", "-1", "+5", "5", "a/b", "~1", "~0", "~", "/", "//", "a", "A", " ", "1.0"),
    *("1e2", "%25", "#", "é", "e\u0301", "\n", '"', "\\", "length", "__proto__", "*", "-", "properties"),
    "99999999999999999999",
]
TEXT = {"type": "string"}
DRAFTS = ["http://json-schema.org/draft-04/schema#", "https://json-schema.org/draft/2020-12/schema"]


def found(schema, record):
    compiled = Schema([SchemaFile("s.json", schema)])
    findings = schema_findings(compiled, record)
    for finding in findings:
        assert join(finding.tokens) == finding.violation.path
    return sorted(((f.tokens, f.violation.rule) for f in findings), key=str)


def sort(rows):
    return sorted(rows, key=str)


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_value_under_any_name(name, draft):
    schema = {"$schema": draft, "additionalProperties": {"type": "string"}}
    assert found(schema, {name: 1, "ok": "x"}) == [((name,), "type")]


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_member_of_any_name(name):
    assert found({"required": [name]}, {}) == [((name,), "required")]
    inner = {"additionalProperties": {"required": [name]}}
    assert found(inner, {name: {}}) == [((name, name), "required")]


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_member_of_any_name(name):
    assert found({"additionalProperties": False}, {name: 1}) == [((name,), "additionalProperties")]
    schema = {"properties": {name: {"additionalProperties": False}}}
    assert found(schema, {name: {name: 1}}) == [((name, name), "additionalProperties")]
    closed = {"unevaluatedProperties": False, "properties": {"k": True}}
    assert found(closed, {name: 1, "k": 1}) == [((name,), "unevaluatedProperties")]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_breaks_a_rule_for_names(name):
    assert found({"propertyNames": {"const": "!"}}, {name: 1, "!": 1}) == [((name,), "propertyNames")]


@pytest.mark.parametrize(("outer", "inner"), list(itertools.product(NAMES[:14], repeat=2)))
def test_two_names_deep(outer, inner):
    schema = {"additionalProperties": {"additionalProperties": {"type": "string"}}}
    record = {outer: {inner: 1}, "ok": {"ok": "x"}}
    assert found(schema, record) == [((outer, inner), "type")]


def test_all_names_at_once():
    schema = {"additionalProperties": {"maximum": 0}}
    assert found(schema, dict.fromkeys(NAMES, 1)) == sort(((name,), "maximum") for name in NAMES)


def test_all_names_at_once_with_different_values():
    schema = {"additionalProperties": {"maximum": 0, "multipleOf": 7}}
    record = {name: 7 * n + 1 for n, name in enumerate(NAMES)}
    expected = [((name,), rule) for name in NAMES for rule in ("maximum", "multipleOf")]
    assert found(schema, record) == sort(expected)


def test_equal_records_under_names_that_are_reported_alike():
    schema = {"additionalProperties": {"additionalProperties": {"type": "string"}}}
    names = ["0", "00", "+0", "", "5", "+5", "05"]
    record = {outer: dict.fromkeys(names, 1) for outer in names}
    expected = [((outer, inner), "type") for outer in names for inner in names]
    assert found(schema, record) == sort(expected)


@pytest.mark.parametrize("name", NAMES)
def test_items_below_any_name_keep_their_index(name):
    schema = {"additionalProperties": {"items": {"items": {"type": "string"}}}}
    record = {name: [["x"], ["x", 1], [], [2, "x", 3]]}
    expected = [((name, "1", "1"), "type"), ((name, "3", "0"), "type"), ((name, "3", "2"), "type")]
    assert found(schema, record) == expected


def test_an_array_and_an_object_with_the_same_path():
    schema = {"additionalProperties": {"additionalProperties": {"type": "string"}, "items": {"type": "string"}}}
    assert found(schema, {"a": ["x", 1], "b": {"1": 1, "0": "x"}}) == [
        (("a", "1"), "type"),
        (("b", "1"), "type"),
    ]
    assert found(schema, {"": ["x", 1], "0": {"1": 1}, "1": [2]}) == sort(
        [(("", "1"), "type"), (("0", "1"), "type"), (("1", "0"), "type")]
    )


@pytest.mark.parametrize("name", NAMES)
def test_an_object_under_any_name_and_its_members(name):
    item = {"type": "object", "required": ["k"], "properties": {"k": {"enum": ["v"]}}}
    schema = {"additionalProperties": {"items": item}}
    record = {name: [{}, {"k": "v"}, {"k": "w"}, 5]}
    expected = [((name, "0", "k"), "required"), ((name, "2", "k"), "enum"), ((name, "3"), "type")]
    assert found(schema, record) == sort(expected)


@pytest.mark.parametrize("name", NAMES)
def test_branches_below_any_name(name):
    kinds = [{"properties": {"kind": {"const": word}, name: TEXT}, "required": ["kind", word]} for word in ("p", "q")]
    schema = {"additionalProperties": {"oneOf": kinds}}
    record = {name: {"kind": "p", "p": 1, **({name: 1} if name not in ("p", "q") else {})}}
    assert found(schema, record) == [((name, name), "type")]
    assert found(schema, {name: {"kind": "q"}}) == [((name, "q"), "required")]
    assert found(schema, {name: {"kind": "r"}}) == [((name,), "oneOf")]


@pytest.mark.parametrize("name", NAMES)
def test_references_do_not_change_a_place(name):
    schema = {
        "properties": {name: {"$ref": "#/$defs/t"}},
        "$defs": {"t": {"properties": {name: {"$ref": "#/$defs/t"}}, "type": "object"}},
    }
    assert found(schema, {name: {name: {name: 1}}}) == [((name, name, name), "type")]


def test_a_member_that_is_called_like_a_keyword():
    words = ["required", "oneOf", "items", "then", "$ref", "0", ""]
    schema = {"properties": {word: {"type": "string"} for word in words}}
    record = json.loads(json.dumps(dict.fromkeys(words, 1)))
    assert found(schema, record) == sort(((word,), "type") for word in words)


def test_the_record_itself():
    assert found({"minProperties": 1}, {}) == [((), "minProperties")]
    assert found({"type": "array"}, {"": 1}) == [((), "type")]
    assert found({"maxProperties": 0}, {"0": 1}) == [((), "maxProperties")]
    assert found({"not": {"required": [""]}}, {"": 1}) == [((), "not")]
    assert found(False, {"": 1}) == [((), "false")]
