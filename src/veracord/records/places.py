"""What a schema says about one place: whether it knows it, what it admits there, what it shows.

A walk over the schema, not over a record: every subschema that may speak about the place is found through
references, ``allOf``, alternatives and conditionals, and remembered.  A subschema is *sure* when it applies
whatever the record holds, that is, when no alternative or conditional stands on the way to it.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from veracord.records.pointers import index_of
from veracord.records.schemas import Node, Schema
from veracord.records.values import JsonValue, Number, is_number

_SURE: Final = ("allOf",)
_ALTERNATIVES: Final = ("anyOf", "oneOf")
_CONDITIONALS: Final = ("then", "else")
_BY_MEMBER: Final = ("dependentSchemas", "dependencies")
#: A description no longer than this is a label.
_MOST_TITLE_WORDS: Final = 6
_TITLE: Final = re.compile(r"[^\W\d_][\w \-/()]*")
_REST_OF_MEMBERS: Final = ("additionalProperties", "unevaluatedProperties")

#: Of each end of a range: the keyword of a bound that is part of it, and of one that is not.
_BOUNDS: Final = (("minimum", "exclusiveMinimum", True), ("maximum", "exclusiveMaximum", False))


class Bound(NamedTuple):
    """One end of the numbers that a subschema admits.

    Attributes:
        value: Where it lies.
        is_lower: Whether numbers below it are refused, else those above it.
        is_exclusive: Whether it is refused itself.
    """

    value: Number
    is_lower: bool
    is_exclusive: bool


class Place:
    """One place of a schema; `Place.of` gives the whole record's.

    Attributes:
        is_known: Whether ``properties``, ``patternProperties`` or a schema-valued ``additionalProperties`` (for
            a row: ``items`` and its kin) of a subschema that applies above names the place.
    """

    def __init__(self, schema: Schema, nodes: list[Node], *, is_known: bool) -> None:
        """Gather every subschema that speaks about the place."""
        self.is_known = is_known
        self._schema = schema
        self._nodes = list(_expand(schema, nodes))
        self._members: dict[str, Place] = {}
        self._items: dict[int, Place] = {}

    @classmethod
    def of(cls, schema: Schema) -> "Place":
        """Return the place of the whole record."""
        return cls(schema, [schema.root], is_known=True)

    def member(self, name: str) -> "Place":
        """Return the place of a member."""
        place = self._members.get(name)
        if place is None:
            nodes = [found for node in self._nodes for found in _member_nodes(self._schema, node, name)]
            place = Place(self._schema, nodes, is_known=bool(nodes))
            self._members[name] = place
        return place

    def item(self, index: int) -> "Place":
        """Return the place of an array's item."""
        kind = min(index, self._tuple_length)
        place = self._items.get(kind)
        if place is None:
            nodes = [found for node in self._nodes for found in _item_nodes(self._schema, node, index)]
            place = Place(self._schema, nodes, is_known=bool(nodes))
            self._items[kind] = place
        return place

    def below(self, tokens: Sequence[str]) -> "Place":
        """Return a place below; what could be an index is one where no member of the name is known."""
        place = self
        for token in tokens:
            index, member = index_of(token), place.member(token)
            place = place.item(index) if index is not None and not member.is_known else member
        return place

    def admits(self, value: JsonValue) -> bool:
        """Whether every sure subschema accepts a value."""
        return all(validator.is_valid(value) for validator in self._sure)

    def admits_empty(self, value: JsonValue) -> bool:
        """Whether an empty value (null, "", [], {}) may stand here at all.

        The sure subschemas decide; where there are none, one alternative that accepts it is enough.
        """
        if self._sure or not self._possible:
            return self.admits(value)
        return any(validator.is_valid(value) for validator in self._possible)

    @cached_property
    def shown(self) -> frozenset[str]:
        """Texts that the schema itself shows here: patterns and examples, where no enum or const bounds it."""
        if any(isinstance(n.content, dict) and ("enum" in n.content or "const" in n.content) for n in self._nodes):
            return frozenset()
        return frozenset(text for node in self._nodes for text in _shown_by(node.content) if isinstance(text, str))

    @cached_property
    def shown_arrays(self) -> tuple[list[JsonValue], ...]:
        """Arrays that the schema itself shows here as examples."""
        return tuple(
            array for node in self._nodes for array in _shown_by(node.content) if isinstance(array, list) and array
        )

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """What the schema calls the place: titles, and descriptions that are as short as one."""
        told = (
            node.content.get(word)
            for word in ("title", "description")
            for node in self._nodes
            if isinstance(node.content, dict)
        )
        short = (text.strip() for text in told if isinstance(text, str) and len(text.split()) <= _MOST_TITLE_WORDS)
        return tuple(dict.fromkeys(text for text in short if _TITLE.fullmatch(text)))

    @cached_property
    def formats(self) -> frozenset[str]:
        """Every format that any subschema, sure or not, asks for here."""
        asking = (node.content for node in self._nodes if not node.hides_siblings)
        named = (content.get("format") for content in asking if isinstance(content, dict))
        return frozenset(name for name in named if isinstance(name, str))

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """Every bound on numbers that any subschema, sure or not, sets here."""
        return tuple(bound for node in self._nodes for bound in _bounds_of(node))

    @cached_property
    def _tuple_length(self) -> int:
        """From this index on, all items are alike."""
        lengths = [0]
        for node in self._nodes:
            if isinstance(node.content, dict):
                for word in ("prefixItems", "items"):
                    listed = node.content.get(word)
                    lengths.append(len(listed) if isinstance(listed, list) else 0)
        return max(lengths)

    @cached_property
    def _sure(self) -> list[Any]:
        return [self._schema.compile(node) for node in self._nodes if node.is_sure and _says_something(node)]

    @cached_property
    def _possible(self) -> list[Any]:
        return [self._schema.compile(node) for node in self._nodes if not node.is_sure and _says_something(node)]


def _says_something(node: Node) -> bool:
    """Whether a subschema asks for anything itself; what it refers to is a node of its own."""
    if not isinstance(node.content, dict):
        return node.content is not True
    return not node.hides_siblings and bool(node.content.keys() - {"$ref", "title", "description"})


def _expand(schema: Schema, nodes: list[Node]) -> Iterator[Node]:
    """Yield nodes with all that apply to the same value because of them."""
    todo = list(nodes)
    seen: set[tuple[str, str, bool]] = set()
    while todo:
        node = todo.pop(0)
        yield node
        if not isinstance(node.content, dict):
            continue
        for word in ("$ref", "$dynamicRef", "$recursiveRef"):
            reference = node.content.get(word)
            key = (node.resolver.base_uri, str(reference), node.is_sure)
            if isinstance(reference, str) and key not in seen:
                seen.add(key)
                found = schema.follow(node, reference)
                todo += [found] if found else []
        if not node.hides_siblings:
            todo += _beside(schema, node)


def _beside(schema: Schema, node: Node) -> Iterator[Node]:
    """Yield the subschemas of a node that speak about the same value."""
    assert isinstance(node.content, dict)  # noqa: S101 - narrows for mypy
    for word in (*_SURE, *_ALTERNATIVES):
        listed = node.content.get(word)
        for content in listed if isinstance(listed, list) else ():
            yield schema.subschema(node, content, is_sure=word in _SURE)
    for word in _CONDITIONALS:
        if word in node.content and "if" in node.content:
            yield schema.subschema(node, node.content[word], is_sure=False)
    for word in _BY_MEMBER:
        table = node.content.get(word)
        for content in table.values() if isinstance(table, dict) else ():
            if isinstance(content, dict):
                yield schema.subschema(node, content, is_sure=False)


def _member_nodes(schema: Schema, node: Node, name: str) -> Iterator[Node]:
    if not isinstance(node.content, dict) or node.hides_siblings:
        return
    named = False
    members = node.content.get("properties")
    if isinstance(members, dict) and name in members:
        named = True
        yield schema.subschema(node, members[name])
    patterns = node.content.get("patternProperties")
    for pattern, content in patterns.items() if isinstance(patterns, dict) else ():
        if schema.name_matches(pattern, name):
            named = True
            yield schema.subschema(node, content)
    if not named:
        for word in _REST_OF_MEMBERS:
            content = node.content.get(word)
            if isinstance(content, dict) and content:
                yield schema.subschema(node, content)


def _item_nodes(schema: Schema, node: Node, index: int) -> Iterator[Node]:
    if not isinstance(node.content, dict) or node.hides_siblings:
        return
    for listed, rest in (("prefixItems", "items"), ("items", "additionalItems")):
        first = node.content.get(listed)
        if isinstance(first, list) and index < len(first):
            yield schema.subschema(node, first[index])
            return
        content = node.content.get(rest)
        if isinstance(content, dict) and (rest == "items" or isinstance(first, list)):
            yield schema.subschema(node, content)
            return
    content = node.content.get("unevaluatedItems")
    if isinstance(content, dict):
        yield schema.subschema(node, content)


def _bounds_of(node: Node) -> Iterator[Bound]:
    """Yield the bounds that a subschema sets itself."""
    if not isinstance(node.content, dict) or node.hides_siblings:
        return
    for word, exclusive, is_lower in _BOUNDS:
        value, beyond = node.content.get(word), node.content.get(exclusive)
        if is_number(value):
            # Up to draft-04 the exclusive keyword is a flag beside the other one.
            yield Bound(value, is_lower, beyond is True)
        if is_number(beyond):
            yield Bound(beyond, is_lower, is_exclusive=True)


def _shown_by(content: JsonValue) -> Iterator[JsonValue]:
    if isinstance(content, dict):
        examples = content.get("examples")
        yield from examples if isinstance(examples, list) else ()
        for word in ("pattern", "example"):
            if word in content:
                yield content[word]
