"""What could be set to cure a violation, before any source is asked."""

from dataclasses import dataclass

from veracord.records.places import Place
from veracord.records.pointers import Tokens, get
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, holds_objects, is_leaf
from veracord.records.violations import Finding, Shape


@dataclass(frozen=True, slots=True)
class Target:
    """The places that may be set for a violation.

    Attributes:
        finding: The violation.
        places: Leaves, or missing objects and arrays; empty where nothing that could be set would cure it.
        fills_members: Whether the places are the missing members of an object that is there.
    """

    finding: Finding
    places: tuple[Tokens, ...] = ()
    fills_members: bool = False


def target_of(finding: Finding, record: JsonObject) -> Target:
    """Return what may be set for a violation.

    A rule over several values has no place of its own: its operands that violate are targets by themselves.
    """
    match finding.shape:
        case Shape.UNKNOWN | Shape.RULE:
            return Target(finding)
        case Shape.MISSING:
            return Target(finding, (finding.tokens,))
    place = leaf_around(record, finding.tokens)
    value = get(record, place)
    if value is MISSING or is_leaf(value):
        return Target(finding, (place,))
    if finding.shape is Shape.BRANCHES:
        return Target(finding, tuple(at for at in finding.options if get(record, at) is MISSING))
    return Target(finding, fills_members=finding.violation.rule == "minProperties")


def leaf_around(record: JsonObject, place: Tokens) -> Tokens:
    """Return the leaf that a place is in: an array without objects is one leaf, items and all."""
    node: JsonValue | Missing = record
    for depth, token in enumerate(place):
        if type(node) is list and not holds_objects(node):
            return place[:depth]
        node = node.get(token, MISSING) if type(node) is dict else get(node, (token,))
        if node is MISSING:
            break
    return place


def place_at(root: Place, record: JsonObject, place: Tokens) -> Place:
    """Return what the schema says about a place of a record."""
    node: JsonValue | Missing = record
    found = root
    for token in place:
        found = found.below(token, node)
        node = get(node, (token,)) if node is not MISSING else MISSING
    return found
