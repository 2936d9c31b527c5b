"""Conditions: which places decide whether a violated keyword applies."""

import pytest

from veracord.records.conditions import applies_always, places_read
from veracord.records.schemas import Schema, SchemaFile
from veracord.records.violations import schema_findings

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
IS_OPEN = {"properties": {"mode": {"const": "open"}}, "required": ["mode"]}
NEEDS_X = {"required": ["x"]}


def reads_of(schema, record, path="/x", rule="required", before=None, **others):
    """Return what the violation at a path reads, as sorted pointers' tokens."""
    files = [SchemaFile("s.json", schema), *(SchemaFile(f"{n}.json", c) for n, c in others.items())]
    compiled = Schema(files)
    found = [
        finding
        for finding in schema_findings(compiled, record)
        if (finding.violation.path, finding.violation.rule) == (path, rule)
    ]
    assert len(found) == 1, found
    return sorted(places_read(compiled, found[0], record if before is None else before))


@pytest.mark.parametrize(
    ("schema", "record", "reads"),
    [
        # then and else read what the condition reads.
        ({"if": IS_OPEN, "then": NEEDS_X}, {"mode": "open"}, [("mode",)]),
        ({"if": IS_OPEN, "else": NEEDS_X}, {"mode": "shut"}, [("mode",)]),
        ({"allOf": [{"if": IS_OPEN, "then": NEEDS_X}]}, {"mode": "open"}, [("mode",)]),
        ({"if": {"not": IS_OPEN}, "then": NEEDS_X}, {"mode": "shut"}, [("mode",)]),
        ({"if": {"anyOf": [IS_OPEN, {"properties": {"b": {"minimum": 1}}}]}, "then": NEEDS_X}, {"mode": "open"},
         [("b",), ("mode",)]),
        ({"if": {"allOf": [IS_OPEN, {"properties": {"b": {"const": 1}}}]}, "then": NEEDS_X},
         {"mode": "open", "b": 1}, [("b",), ("mode",)]),
        # A member that is required and not there is read; one that is there is not read by `required`.
        ({"if": {"required": ["k"]}, "else": NEEDS_X}, {}, [("k",)]),
        ({"if": {"required": ["k"]}, "then": NEEDS_X}, {"k": 1}, []),
        ({"if": {"properties": {"k": {"type": "object", "properties": {"d": {"const": 1}}}}}, "then": NEEDS_X},
         {"k": {"d": 1}}, [("k", "d")]),
        ({"if": {"properties": {"k": {"properties": {"d": {"properties": {"e": {"enum": [1]}}}}}}}, "then": NEEDS_X},
         {"k": {"d": {"e": 1}}}, [("k", "d", "e")]),
        # What a condition reads of the value itself stands for all of it.
        ({"if": {"minProperties": 1}, "then": NEEDS_X}, {"a": 1}, [()]),
        ({"if": {"patternProperties": {"^m": {"const": 1}}}, "then": NEEDS_X}, {"m": 1}, [()]),
        ({"if": {"properties": {"k": {"contains": {"const": 1}}}}, "then": NEEDS_X}, {"k": [1]}, [("k",)]),
        ({"if": {"properties": {"k": True}}, "then": NEEDS_X}, {"k": 1}, [("k",)]),
        # Conditions inside conditions.
        ({"if": IS_OPEN, "then": {"if": {"properties": {"b": {"const": 1}}}, "then": NEEDS_X}},
         {"mode": "open", "b": 1}, [("b",), ("mode",)]),
        ({"if": {"if": IS_OPEN, "then": {"properties": {"b": {"const": 1}}}}, "then": NEEDS_X},
         {"mode": "open", "b": 1}, [("b",), ("mode",)]),
        # References are followed, on the way and in the condition.
        ({"$ref": "#/$defs/c", "$defs": {"c": {"if": IS_OPEN, "then": {"$ref": "#/$defs/n"}}, "n": NEEDS_X}},
         {"mode": "open"}, [("mode",)]),
        ({"if": {"$ref": "#/$defs/o"}, "then": NEEDS_X, "$defs": {"o": IS_OPEN}}, {"mode": "open"}, [("mode",)]),
        # Members whose presence makes another one required.
        ({"dependentSchemas": {"k": NEEDS_X, "l": {"required": ["y"]}}}, {"k": 1, "l": 1, "y": 1}, [("k",)]),
        ({"$schema": DRAFT_07, "dependencies": {"k": NEEDS_X}}, {"k": 1}, [("k",)]),
        ({"dependentSchemas": {"k": {"if": IS_OPEN, "then": NEEDS_X}}}, {"k": 1, "mode": "open"}, [("k",), ("mode",)]),
        # What applies always reads nothing.
        (NEEDS_X, {}, []),
        ({"allOf": [NEEDS_X]}, {}, []),
        ({"$ref": "#/$defs/n", "$defs": {"n": NEEDS_X}}, {}, []),
    ],
)  # fmt: skip
def test_what_a_missing_member_depends_on(schema, record, reads):
    assert reads_of(schema, record) == reads


@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        ({"dependentRequired": {"k": ["x"], "l": ["y"], "m": ["x", "y"]}}, "dependentRequired"),
        ({"$schema": DRAFT_07, "dependencies": {"k": ["x"], "l": ["y"], "m": ["x", "y"]}}, "dependencies"),
    ],
)
def test_a_member_that_others_require_reads_those(schema, rule):
    assert reads_of(schema, {"k": 1, "y": 1}, rule=rule) == [("k",), ("m",)]


@pytest.mark.parametrize(
    ("schema", "record", "path", "rule", "reads"),
    [
        ({"if": IS_OPEN, "then": {"properties": {"x": {"maximum": 5}}}}, {"mode": "open", "x": 7}, "/x", "maximum",
         [("mode",)]),
        ({"properties": {"o": {"if": IS_OPEN, "then": NEEDS_X}}}, {"o": {"mode": "open"}}, "/o/x", "required",
         [("o", "mode")]),
        ({"properties": {"r": {"items": {"if": IS_OPEN, "then": NEEDS_X}}}},
         {"r": [{"mode": "shut"}, {"mode": "open"}]}, "/r/1/x", "required", [("r", "1", "mode")]),
        ({"properties": {"r": {"prefixItems": [{}, {"if": IS_OPEN, "then": NEEDS_X}]}}},
         {"r": [{}, {"mode": "open"}]}, "/r/1/x", "required", [("r", "1", "mode")]),
        ({"patternProperties": {"^o": {"if": IS_OPEN, "then": NEEDS_X}}}, {"o1": {"mode": "open"}}, "/o1/x",
         "required", [("o1", "mode")]),
        ({"additionalProperties": {"if": IS_OPEN, "then": NEEDS_X}}, {"o": {"mode": "open"}}, "/o/x", "required",
         [("o", "mode")]),
        ({"properties": {"": {"if": IS_OPEN, "then": NEEDS_X}}}, {"": {"mode": "open"}}, "//x", "required",
         [("", "mode")]),
        ({"properties": {"0": {"if": IS_OPEN, "then": NEEDS_X}}}, {"0": {"mode": "open"}}, "/0/x", "required",
         [("0", "mode")]),
        ({"properties": {"a/b": {"if": IS_OPEN, "then": NEEDS_X}}}, {"a/b": {"mode": "open"}}, "/a~1b/x", "required",
         [("a/b", "mode")]),
        # A member that is called like a keyword is no condition.
        ({"properties": {"then": NEEDS_X}}, {"then": {}}, "/then/x", "required", []),
        ({"properties": {"if": {"properties": {"then": NEEDS_X}}}}, {"if": {"then": {}}}, "/if/then/x", "required", []),
        # The condition stands above, the violation deep below.
        ({"if": IS_OPEN, "then": {"properties": {"o": {"properties": {"p": {"items": {"minLength": 2}}}}}}},
         {"mode": "open", "o": {"p": ["xx", "x"]}}, "/o/p/1", "minLength", [("mode",)]),
        # A member of an item decides about the item only.
        ({"if": {"properties": {"r": {"items": IS_OPEN}}}, "then": NEEDS_X}, {"r": [{"mode": "open"}]}, "/x",
         "required", [("r",)]),
    ],
)  # fmt: skip
def test_what_a_violation_anywhere_depends_on(schema, record, path, rule, reads):
    assert reads_of(schema, record, path, rule) == reads


def test_a_branch_reads_the_member_that_chose_it():
    kinds = [{"properties": {"kind": {"const": word}}, "required": ["kind", word]} for word in ("x", "y")]
    assert reads_of({"oneOf": kinds}, {"kind": "x"}) == [("kind",)]
    assert reads_of({"anyOf": kinds}, {"kind": "x"}) == [("kind",)]
    inside = {"properties": {"o": {"oneOf": kinds}}}
    assert reads_of(inside, {"o": {"kind": "x"}}, "/o/x") == [("o", "kind")]


def test_the_record_before_decides_what_required_reads():
    schema = {"if": {"required": ["k"]}, "then": NEEDS_X}
    assert reads_of(schema, {"k": 1}, before={}) == [("k",)]
    assert reads_of(schema, {"k": 1}, before={"k": None}) == []


def test_references_go_through_files():
    schema = {"properties": {"o": {"$ref": "more.json#/$defs/c"}}}
    more = {"$defs": {"c": {"if": {"$ref": "#/$defs/o"}, "then": NEEDS_X}, "o": IS_OPEN}}
    assert reads_of(schema, {"o": {"mode": "open"}}, "/o/x", more=more) == [("o", "mode")]


def test_a_condition_that_refers_to_itself_ends():
    schema = {
        "if": {"$ref": "#/$defs/c"},
        "then": NEEDS_X,
        "$defs": {"c": {"properties": {"k": {"const": 1}, "in": {"$ref": "#/$defs/c"}}}},
    }
    # A place stands for itself and all below it.
    assert reads_of(schema, {"k": 1, "in": {"k": 1}}) == [("in",), ("k",)]


@pytest.mark.parametrize(
    ("schema", "always"),
    [
        (NEEDS_X, True),
        ({"allOf": [NEEDS_X]}, True),
        ({"$ref": "#/$defs/n", "$defs": {"n": NEEDS_X}}, True),
        ({"if": True, "then": NEEDS_X}, False),
        ({"anyOf": [NEEDS_X, False]}, False),
        ({"dependentSchemas": {"k": NEEDS_X}}, False),
        ({"dependentRequired": {"k": ["x"]}}, False),
    ],
)
def test_what_applies_whatever_else_the_record_holds(schema, always):
    compiled = Schema([SchemaFile("s.json", schema)])
    findings = schema_findings(compiled, {"k": 1})
    assert findings
    assert {applies_always(finding) for finding in findings} == {always}
