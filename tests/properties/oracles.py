"""Second opinions for the laws, written apart from the package: equality, places, leaves, identity.

They favour being plain over being fast.
"""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

Tokens = tuple[str, ...]

ABSENT = object()


def same(a: Any, b: Any) -> bool:
    """Whether two JSON values are equal: numbers by value, true is never 1, objects without order."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | Decimal) and isinstance(b, int | Decimal):
        return Decimal(a) == Decimal(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def copied(value: Any) -> Any:
    """Return a copy that shares no container."""
    if isinstance(value, dict):
        return {name: copied(item) for name, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def spelled(value: Any) -> str:
    """Return a text in which also the type and spelling of numbers and the order of members show."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{name!r}:{spelled(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spelled, value)) + "]"
    return repr(value)


def tokens_of(pointer: str) -> Tokens:
    """Split a pointer."""
    return tuple(t.replace("~1", "/").replace("~0", "~") for t in pointer.split("/")[1:])


def pointer_of(tokens: Tokens) -> str:
    """Join tokens into a pointer."""
    return "".join("/" + t.replace("~", "~0").replace("/", "~1") for t in tokens)


def at(value: Any, tokens: Tokens) -> Any:
    """Return what stands at a place, or ABSENT."""
    for token in tokens:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and re.fullmatch("0|[1-9][0-9]*", token):
            if int(token) >= len(value):
                return ABSENT
            value = value[int(token)]
        else:
            return ABSENT
    return value


def under(place: Tokens, top: Tokens) -> bool:
    """Whether a place is `top` or below it."""
    return place[: len(top)] == top


def has_object(value: Any) -> bool:
    """Whether a value is an array that holds an object at some depth of arrays."""
    return isinstance(value, list) and any(isinstance(i, dict) or has_object(i) for i in value)


def is_leaf(value: Any) -> bool:
    """Whether a value is a scalar, an array without objects in it, or an empty container."""
    return not value if isinstance(value, dict) else not has_object(value)


def leaves(value: Any, place: Tokens = ()) -> Iterator[tuple[Tokens, Any]]:
    """Yield the leaves of a value."""
    if is_leaf(value):
        yield place, value
        return
    for name, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield from leaves(item, (*place, str(name)))


def nodes(value: Any, place: Tokens = ()) -> Iterator[Tokens]:
    """Yield every place of a value but the root, parents first."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in children:
        yield (*place, str(name))
        yield from nodes(item, (*place, str(name)))


def is_same_product(keys: list[list[Tokens]], record: Any, source: Any) -> bool:
    """Whether a source has the first key that the record has in full, and differs in no other member.

    In the worlds every identity member is a text; another kind violates in a record and counts as absent.
    """
    members = [member for key in keys for member in key]
    ours = {m: isinstance(at(record, m), str) and identity_text(record, m) for m in members}
    theirs = {m: identity_text(source, m) for key in keys for m in key}
    deciding = next((key for key in keys if all(ours[m] for m in key)), None)
    if deciding is None or any(ours[m] != theirs[m] for m in deciding):
        return False
    return all(ours[m] == theirs[m] for m in ours if ours[m] and theirs[m])


def identity_text(record: Any, member: Tokens) -> str | None:
    """Return what an identity member is compared by; None where it says nothing."""
    value = at(record, member)
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value).strip() or None
    return None if value is ABSENT or value in (None, [], {}) else repr(value)
