"""What could be set to cure a violation, before any source is asked."""

from typing import NamedTuple

from veracord.records.places import Place
from veracord.records.pointers import Tokens, get, index_of
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, holds_objects, is_leaf
from veracord.records.violations import Finding, Shape


class Target(NamedTuple):
    """The places that may be set for a violation.

    Attributes:
        finding: The violation.
        places: Leaves, or missing objects and arrays; empty where nothing that could be set would cure it.
        fills_members: Whether the places are the missing members of an object that is there.
    """

    finding: Finding
    places: tuple[Tokens, ...] = ()
    fills_members: bool = False


def target_of(finding: Finding, record: JsonObject, places: "Places") -> Target:
    """Return what may be set for a violation.

    A rule over several values has no place of its own: its operands that violate are targets by themselves.  A
    member that is known, and refused only as it is (a schema-valued ``unevaluatedProperties``), is a value.
    """
    match finding.shape:
        case Shape.RULE:
            return Target(finding)
        case Shape.UNKNOWN if not (
            finding.violation.rule == "unevaluatedProperties" and places.at(finding.tokens).is_known
        ):
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


class Places:
    """What the schema says about the places of one record, looked up when it is asked for."""

    def __init__(self, profile: Profile, record: JsonObject) -> None:
        """Remember the record: it tells arrays from objects."""
        self.shown_texts = profile.schema.shown_texts
        self._root = profile.place
        self._record = record
        self._found: dict[Tokens, Place] = {}

    def at(self, place: Tokens) -> Place:
        """Return what the schema says about a place."""
        if not place:
            return self._root
        found = self._found.get(place)
        if found is None:
            above, parent = self.at(place[:-1]), get(self._record, place[:-1])
            # An array without objects is a leaf: what is set below it replaces it by an object.
            in_rows = holds_objects(parent)
            found = above.item(index_of(place[-1]) or 0) if in_rows else above.member(place[-1])
            self._found[place] = found
        return found
