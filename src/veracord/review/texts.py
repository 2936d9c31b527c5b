"""Changes of the text of a record: one place is set or taken away, and the rest keeps its spelling."""

from collections.abc import Collection, Iterator, Mapping

from veracord.composer.units import text_edits
from veracord.errors import DecisionError, InputError
from veracord.records.cutting import cut
from veracord.records.pointers import Tokens, get, index_of, is_under, join, split, step
from veracord.records.reading import read_record
from veracord.records.values import MISSING, JsonObject, JsonValue, copy, is_leaf, leaves
from veracord.records.writing import splice


def with_value(node: JsonValue, place: Tokens, value: JsonValue) -> JsonValue:
    """Return a value with a place in it set; what is not on the way there is shared.

    Objects are made on the way where there are none.

    Raises:
        LookupError: The place is in an array, and no item of it.
    """
    if not place:
        return copy(value)
    token, rest = place[0], place[1:]
    child = step(node, token)
    inner = with_value(None if child is MISSING else child, rest, value)
    if type(node) is list:
        index = index_of(token)
        if index is None or index >= len(node):
            raise LookupError
        return [*node[:index], inner, *node[index + 1 :]]
    return {**node, token: inner} if type(node) is dict else {token: inner}


def set_in_text(text: str, before: JsonObject, place: Tokens, value: JsonValue) -> tuple[str, JsonObject]:
    """Return the text and the value of a record with a place set.

    Raises:
        DecisionError: ``value_invalid``: nothing can be set there, or the record would be beyond the limits of reading.
    """
    try:
        after = with_value(before, place, value)
    except LookupError:
        raise _invalid("nothing can be set there", join(place)) from None
    if type(after) is not dict:
        raise _invalid("a record is an object", join(place))
    edits: dict[Tokens, JsonValue] = text_edits(before, after, [place]) if place else {(): after}
    new = splice(text, edits)
    try:
        return new, read_record(new.encode()).value
    except InputError as error:
        raise _invalid(f"the record could not be read any more: {error.what}", join(place)) from None


def leaf_of(record: JsonValue, place: Tokens) -> Tokens:
    """Return the leaf that a place is in: for an item of a plain array, the array."""
    for depth in range(len(place)):
        node = get(record, place[:depth])
        if node is MISSING or is_leaf(node):
            return place[:depth]
    return place


def leaves_at(record: JsonObject, place: Tokens) -> list[str]:
    """Return pointers of the leaves that a place is or holds."""
    value = get(record, place)
    found = leaves(value) if value is not MISSING else ()
    return list(dict.fromkeys(join(leaf_of(record, (*place, *below))) for below, _ in found))


def origins_with(origins: Mapping[str, str], record: JsonObject, place: Tokens, origin: str | None) -> dict[str, str]:
    """Return the origins after a place was set.

    Args:
        origins: Those before.
        record: The record after.
        place: The place.
        origin: Where its leaves come from now; None for the input.
    """
    leaf = leaf_of(record, place)
    kept = {at: known for at, known in origins.items() if not is_related(split(at), leaf)}
    return {**kept, **(dict.fromkeys(leaves_at(record, place), origin) if origin else {})}


def is_related(one: Tokens, other: Tokens) -> bool:
    """Whether one place is another, or above or below it."""
    return is_under(one, other) or is_under(other, one)


def without(text: str, record: JsonObject, pointers: Collection[str]) -> tuple[str, JsonObject, tuple[str, ...]]:
    """Return a record without some leaves: its text, its value, and what was taken away.

    An object or array of which nothing would be left goes with them.  Rows stay in their places: of a row nothing
    but its braces may be left, and a plain value among rows becomes null.
    """
    gone = {split(leaf) for pointer in pointers for leaf in leaves_at(record, split(pointer))}
    tops = sorted(_tops(record, (), gone))
    for place in reversed(tops):
        parent = get(record, place[:-1])
        text = cut(text, place) if type(parent) is dict else splice(text, {place: None})
    return text, read_record(text.encode()).value if tops else record, tuple(join(place) for place in tops)


def _tops(node: JsonValue, at: Tokens, gone: Collection[Tokens]) -> Iterator[Tokens]:
    """Yield the highest places below a node that hold nothing but what goes."""
    if at in gone and at:
        yield at
        return
    if type(node) not in (dict, list) or is_leaf(node):
        return
    names = node.items() if type(node) is dict else enumerate(node)  # type: ignore[arg-type]  # one of the two
    for name, child in names:
        place = (*at, str(name))
        is_row = type(node) is list
        if not is_row and not is_leaf(child) and all((*place, *below) in gone for below, _ in leaves(child)):
            yield place
        else:
            yield from _tops(child, place, gone)


def _invalid(what: str, where: str) -> DecisionError:
    return DecisionError(what, where=where, remedy="give another value or place", code="value_invalid")
