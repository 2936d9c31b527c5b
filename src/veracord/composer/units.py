"""Units: a leaf, an array of rows that is copied whole, or rows that an array gets; and setting them in a record."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from veracord.composer.outcomes import Statement
from veracord.composer.support_rows import SupportRow
from veracord.records.pointers import Tokens, index_of, join, step
from veracord.records.values import MISSING, JsonObject, JsonValue, copy, holds_objects, leaves


@dataclass(frozen=True)
class Unit:
    """A planned fill.

    Attributes:
        place: The leaf, or the array whose rows are copied.
        value: What is set there.
        statements: The sources that say so, the one that is named first.
        overruled: Sources of worse rank that say otherwise.
        needs: Places of the same plan that this value means nothing without.
        adds_rows: Whether the value is rows that the array at the place gets besides those that it has.
    """

    place: Tokens
    value: JsonValue
    statements: tuple[Statement, ...]
    overruled: tuple[Statement, ...] = ()
    needs: frozenset[Tokens] = frozenset()
    adds_rows: bool = False

    @property
    def first(self) -> Statement:
        """The statement that the fill names."""
        return self.statements[0]

    @property
    def supporters(self) -> frozenset[str]:
        """Ids of the sources that say so."""
        return frozenset(statement.source.evidence_id for statement in self.statements)

    @cached_property
    def support(self) -> dict[Tokens, SupportRow]:
        """What supports each leaf of its value, set at its place; made once, for all records that get it."""
        item = self.first.source.item
        rows: dict[Tokens, SupportRow] = {}
        for at, pointer, _ in self.leaves():
            path = join(at)
            rows[at] = SupportRow(path, item.id, item.evidence_ref, path if pointer == at else join(pointer))
        return rows

    def leaves(self) -> Iterator[tuple[Tokens, Tokens, JsonValue]]:
        """Yield (place, pointer in the named source, value) of every leaf that is set."""
        for below, value in leaves(self.value):
            yield (*self.place, *below), (*self.first.pointer, *below), value

    def count(self) -> int:
        """Return the number of fills that it makes."""
        return sum(1 for _ in leaves(self.value))

    def named_after(self, evidence_id: str) -> "Unit":
        """Return the unit with another of its statements named first."""
        ordered = sorted(self.statements, key=lambda s: (s.source.evidence_id != evidence_id, s.source.order))
        return replace(self, statements=tuple(ordered), value=ordered[0].value)


def set_units(record: JsonObject, units: Iterable[Unit]) -> JsonObject:
    """Return a record with units set; what is not on the way to one is shared with the record given."""
    out = dict(record)
    owned: set[int] = {id(out)}
    for unit in units:
        node: JsonValue = out
        for token in unit.place[:-1]:
            node = _own_child(node, token, owned)
        if unit.adds_rows:
            rows, added = _own_child(node, unit.place[-1], owned), copy(unit.value)
            assert isinstance(rows, list) and isinstance(added, list)  # noqa: S101, PT018 - rows are added to rows
            rows += added
        else:
            _set(node, unit.place[-1], copy(unit.value))
    return out


def _own_child(node: JsonValue, token: str, owned: set[int]) -> JsonValue:
    """Return a child that may be changed; where a leaf stands in the way of an object, a new object."""
    child = step(node, token)
    if type(child) is dict:
        mine: JsonValue = child if id(child) in owned else dict(child)
    elif type(child) is list and holds_objects(child):
        mine = child if id(child) in owned else list(child)
    else:
        mine = {}
    if mine is not child:
        owned.add(id(mine))
        _set(node, token, mine)
    return mine


def _set(node: JsonValue, token: str, value: JsonValue) -> None:
    if type(node) is dict:
        node[token] = value
    elif type(node) is list:
        index = index_of(token)
        if index is not None:
            node[index] = value


def text_edits(before: JsonObject, after: JsonObject, places: Iterable[Tokens]) -> dict[Tokens, JsonValue]:
    """Return what to change in the text of a record: the topmost new value on the way to each place."""
    edits: dict[Tokens, JsonValue] = {}
    for place in places:
        node: JsonValue = before
        new: JsonValue = after
        for depth, token in enumerate(place):
            child = step(node, token)
            if type(node) is list and child is MISSING:
                edits[place[:depth]] = new
                break
            new = _present(new, token)
            if child is MISSING or type(child) not in (dict, list) or type(child) is not type(new):
                edits[place[: depth + 1]] = new
                break
            node = child
        else:
            edits[place] = new
    return edits


def _present(node: JsonValue, token: str) -> JsonValue:
    child = step(node, token)
    assert child is not MISSING  # noqa: S101 - the place was set, so everything on the way is there
    return child
