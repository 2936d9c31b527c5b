"""What a violation depends on: the places that the conditions on the way to its keyword read.

A keyword below ``then``, ``else`` or ``dependentSchemas`` applies only because of values elsewhere.  Here
the validator's way to the keyword is walked through the schema, and for each condition passed the places
that it reads are gathered.  This decides what was masked and which fills belong together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from veracord.records.pointers import Tokens, get, step
from veracord.records.schemas import Node, Schema
from veracord.records.values import MISSING, JsonValue, Missing
from veracord.records.violations import Finding

_MEMBER_TABLES: Final = ("properties", "patternProperties")
_ONE_STEP: Final = (
    "additionalProperties",
    "unevaluatedProperties",
    "additionalItems",
    "unevaluatedItems",
    "contains",
)
_ITEM_TABLES: Final = ("items", "prefixItems")
_BY_MEMBER: Final = ("dependentSchemas", "dependencies")
_LISTS: Final = ("allOf", "anyOf", "oneOf")
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_DEEPEST: Final = 32
_CONDITIONAL: Final = frozenset({"then", "else", "dependentSchemas", "dependentRequired", "dependencies"})


#: On the way through one of these, a keyword may depend on what else the record holds.
_DEPENDENT: Final = _CONDITIONAL.union(
    ("if", "not", "anyOf", "oneOf", "contains", "unevaluatedProperties", "unevaluatedItems")
)


def applies_always(finding: Finding) -> bool:
    """Whether a violated keyword applies to its place whatever else the record holds.

    A member that is named like such a keyword makes the answer no; it is never yes wrongly.
    """
    return _DEPENDENT.isdisjoint(finding.trail)


@dataclass(slots=True)
class _Walk:
    """Where a walk along an evaluation path stands: in the schema, and how far down in the record."""

    node: Node
    at: int = 0


def places_read(schema: Schema, finding: Finding, record: JsonValue) -> set[Tokens]:
    """Return the places whose values decide whether a violation applies.

    A place stands for itself and all below it.

    Args:
        schema: The schema of the violation.
        finding: The violation.
        record: The record before anything was filled.
    """
    reads = set(finding.reads)
    if _CONDITIONAL.isdisjoint(finding.trail):
        return reads
    walk = _Walk(schema.root)
    trail = [str(part) for part in finding.trail]
    while trail and isinstance(walk.node.content, dict):
        used, found = _advance(schema, walk, trail, finding.tokens, record)
        reads |= found
        if not used:
            break
        trail = trail[used:]
    return reads


def _advance(
    schema: Schema, walk: _Walk, trail: list[str], tokens: Tokens, record: JsonValue
) -> tuple[int, set[Tokens]]:
    """Take one step; return how many parts of the trail it used (0: no further) and what it read."""
    content = walk.node.content
    assert isinstance(content, dict)  # noqa: S101 - narrows for mypy
    word, rest = trail[0], trail[1:]
    here = tokens[: walk.at]
    reads: set[Tokens] = set()
    if word in _REFERENCES:
        found = schema.follow(walk.node, str(content.get(word)))
        if found is None:
            return 0, reads
        walk.node = found
        return 1, reads
    if word in ("dependentRequired", "dependencies") and not (
        rest and isinstance(_child(content, word, rest[0]), dict)
    ):
        return 0, set(_triggers(content.get(word), here, tokens))
    if word in ("then", "else") and "if" in content:
        condition = schema.subschema(walk.node, content["if"])
        reads = {(*here, *place) for place in condition_reads(schema, condition, get(record, here))}
    if word in _BY_MEMBER and rest:
        reads = {(*here, rest[0])}
    used, child, steps = _descend(content, word, rest, tokens[walk.at : walk.at + 1])
    if child is None:
        return 0, reads
    walk.node = schema.subschema(walk.node, child)
    walk.at += steps
    return used, reads


def _descend(
    content: dict[str, JsonValue], word: str, rest: list[str], step_down: Tokens
) -> tuple[int, JsonValue, int]:
    """Return (parts used, subschema, steps down in the record) of one keyword on the trail.

    The validator leaves empty names out of its trail: for a member the place in the record tells the name.
    """
    inner = content.get(word)
    if word == "properties" and step_down == ("",):
        return 1, _child(content, word, ""), 1
    if rest and (word in _MEMBER_TABLES or (word in _ITEM_TABLES and isinstance(inner, list))):
        return 2, _child(content, word, rest[0]), 1
    if rest and (word in _LISTS or word in _BY_MEMBER):
        return 2, _child(content, word, rest[0]), 0
    if not isinstance(inner, dict):
        return 0, None, 0
    return 1, inner, 1 if word in _ONE_STEP or word in _ITEM_TABLES else 0


def _child(content: dict[str, JsonValue], word: str, key: str) -> JsonValue:
    table = content.get(word)
    if isinstance(table, dict):
        return table.get(key)
    if isinstance(table, list) and key.isdigit() and int(key) < len(table):
        return table[int(key)]
    return None


def _triggers(table: JsonValue, here: Tokens, tokens: Tokens) -> Iterator[Tokens]:
    """Yield the members whose presence makes a member required."""
    missing = tokens[len(here) :]
    for name, needed in table.items() if isinstance(table, dict) else ():
        if isinstance(needed, list) and missing and missing[0] in needed:
            yield (*here, name)


def condition_reads(schema: Schema, node: Node, value: JsonValue | Missing, depth: int = 0) -> set[Tokens]:
    """Return the places, relative to the value it is about, that a condition reads.

    Args:
        schema: The schema it stands in.
        node: The condition.
        value: The value before anything was filled; a member that is there is not read by ``required``.
        depth: How far references have been followed.
    """
    content = node.content
    if not isinstance(content, dict) or depth > _DEEPEST:
        return set()
    reads: set[Tokens] = set()
    for found in schema.references(node):
        reads |= condition_reads(schema, found, value, depth + 1)
    for word, inner in content.items():
        if word == "properties" and isinstance(inner, dict):
            reads |= _members_read(schema, node, inner, value, depth)
        elif word == "required" and isinstance(inner, list):
            reads |= {(str(name),) for name in inner if step(value, str(name)) is MISSING}
        elif word in _LISTS or word in _WRAPPERS:
            for sub in inner if isinstance(inner, list) else [inner]:
                reads |= condition_reads(schema, schema.subschema(node, sub), value, depth + 1)
        elif word not in _IGNORED:
            reads.add(())
    return reads


def _members_read(
    schema: Schema, node: Node, members: dict[str, JsonValue], value: JsonValue | Missing, depth: int
) -> set[Tokens]:
    reads: set[Tokens] = set()
    for name, sub in members.items():
        if isinstance(sub, dict) and not sub.keys() <= set(_IGNORED):
            below = condition_reads(schema, schema.subschema(node, sub), step(value, name), depth + 1)
            reads |= {(name, *place) for place in below}
        else:
            reads.add((name,))
    return reads


_WRAPPERS: Final = ("not", "if", "then", "else")
#: Keywords that read nothing below the value: annotations, references (followed apart) and its kind.
_IGNORED: Final = (
    *("$schema", "$id", "$comment", "$defs", "definitions", "title", "description"),
    *_REFERENCES,
    "type",
)
