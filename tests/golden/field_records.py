"""Real passport instances as records, and the leaves of a record with the words that name them.

Nothing here is shared with the package: pointers, labels and identities are worked out anew, so that questions
made of them are an independent check.
"""

import copy
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

Record = dict[str, Any]
Keys = tuple[str | int, ...]

FAMILIES: Final = ("batterypass", "catenax", "dppvalidator", "keystone", "untp")
#: Members that hold the value of the member around them.
VALUE_MEMBERS: Final = frozenset({"value", "Value"})
#: What examples put where a unit belongs and there is none.
NO_UNITS: Final = frozenset({"NIL", "Enumeration Value"})
#: Members beside a value that only tell how to read it.
SIDE_MEMBERS: Final = frozenset({"unit", "time", "timestamp", "uom", "measurementUnit", "unitCode"})
#: Members that tell one record's product from another's.
IDENTITY_MEMBERS: Final = frozenset(
    {"passportIdentifier", "batteryPassportIdentifier", "productId", "productIdentifier", "gtin", "serialNumber"},
)
#: Members by which the rows of an array are told apart.
ROW_NAMES: Final = ("name", "materialName", "batteryMaterialName", "chemicalName", "lifecycleStage", "key", "label")


@dataclass(frozen=True)
class Leaf:
    """A scalar of a record, where it stands, and the words that its way there and its row hold."""

    keys: Keys
    value: Any
    unit: str | None
    row: str
    words: frozenset[str]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the members on the way, without indices and without a closing `value`."""
        names = tuple(key for key in self.keys if isinstance(key, str))
        return names[:-1] if len(names) > 1 and names[-1] in VALUE_MEMBERS else names

    @property
    def holder(self) -> Keys:
        """Return the keys of what is to be removed for the field to be absent: the leaf or the object of its value."""
        return self.keys[:-1] if len(self.keys) > 1 and self.keys[-1] in VALUE_MEMBERS else self.keys


def passports_folder() -> Path:
    """Return the folder of passports, found as tests/conftest.py finds `../shared`."""
    shared = os.environ.get("VERACORD_SHARED") or Path(__file__).resolve().parents[3] / "shared"
    return Path(shared) / "data" / "passports"


@cache
def records(folder: Path) -> tuple[tuple[str, Record], ...]:
    """Return every instance that is one JSON object, with its path below the folder, in order of paths."""
    found = []
    for family in FAMILIES:
        for path in sorted((folder / family).rglob("*.json")):
            below = path.relative_to(folder).as_posix()
            if "schema" in below.lower() or re.search(r"/(vocabularies|invalid|csv)/", below):
                continue
            record = _read(path)
            if isinstance(record, dict):
                found.append((below, record))
    return tuple(found)


def _read(path: Path) -> object:
    data = path.read_bytes()
    encoding = "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        return json.loads(data.decode(encoding), parse_float=Decimal)
    except ValueError:
        # Some examples are no strict JSON; they are left out.
        return None


def split_words(name: str) -> tuple[str, ...]:
    """Split a member's name into lower-case words: `ratedCapacity`, `rated_capacity` and `Rated capacity` alike."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", name))
    return tuple(word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word)


def pointer(keys: Keys) -> str:
    """Return the RFC 6901 pointer."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def leaves(record: Record) -> list[Leaf]:
    """Return all scalars of a record."""
    return list(_walk(record, (), "", None))


def _walk(value: object, keys: Keys, row: str, parent: dict[str, Any] | None) -> Iterator[Leaf]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _walk(member, (*keys, name), row, value)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(item, (*keys, index), _row_name(item) or row, None)
    else:
        names = [key for key in keys if isinstance(key, str)]
        words = frozenset(word for name in names for word in split_words(name)) | frozenset(split_words(row))
        measured = isinstance(value, int | Decimal) and not isinstance(value, bool)
        yield Leaf(keys, value, _unit(parent, names[-1]) if parent and names and measured else None, row, words)


def _row_name(item: object) -> str:
    if not isinstance(item, dict):
        return ""
    return next((str(item[name]) for name in ROW_NAMES if isinstance(item.get(name), str)), "")


def _unit(parent: dict[str, Any], name: str) -> str | None:
    stem = re.sub(r"(Value|Amount)$", "", name)
    own = [f"{name}Unit", f"{stem}Unit"]
    for member in own if name not in VALUE_MEMBERS else [*own, "unit", "uom", "measurementUnit", "unitCode"]:
        if isinstance(parent.get(member), str) and parent[member] not in NO_UNITS:
            return str(parent[member])
    return None


def is_beside(other: Leaf, leaf: Leaf) -> bool:
    """Tell whether another leaf only tells how to read this one: its unit, its time."""
    if other.keys[:-1] != leaf.keys[:-1]:
        return False
    name = str(other.keys[-1])
    if leaf.keys[-1] in VALUE_MEMBERS:
        return name in SIDE_MEMBERS
    return name in {f"{leaf.keys[-1]}Unit", re.sub(r"(Value|Amount)$", "Unit", str(leaf.keys[-1]))} - {leaf.keys[-1]}


def names_only(words: frozenset[str], leaf: Leaf, all_leaves: list[Leaf]) -> bool:
    """Tell whether no other leaf of the record has all these words on its way."""
    return not any(words <= other.words for other in all_leaves if other is not leaf and not is_beside(other, leaf))


def label(leaf: Leaf, all_leaves: list[Leaf]) -> str | None:
    """Return the shortest words, from the last member upwards, that name this leaf and no other of its record."""
    for depth in range(1, 4):
        words: list[str] = []
        for name in leaf.names[-depth:]:
            words += [word for word in split_words(name) if word not in words]
        if names_only(frozenset(words), leaf, all_leaves):
            return " ".join(words)
    tail = split_words(leaf.names[-1])
    if leaf.row and leaf.value != leaf.row and names_only(frozenset({*tail, *split_words(leaf.row)}), leaf, all_leaves):
        return f"{' '.join(tail)} of {leaf.row}"
    return None


def is_identity(leaf: Leaf) -> bool:
    """Tell whether the leaf says which product the record is about."""
    return bool(leaf.names) and leaf.names[-1] in IDENTITY_MEMBERS


def at(record: Record, keys: Keys) -> Any:
    """Return what stands there."""
    value: Any = record
    for key in keys:
        value = value[key]
    return value


def replaced(record: Record, keys: Keys, value: object) -> Record:
    """Return a copy with another value at a place."""
    changed = copy.deepcopy(record)
    at(changed, keys[:-1])[keys[-1]] = value
    return changed


def without(record: Record, leaf: Leaf) -> Record:
    """Return a copy without the leaf, the object that holds only its value, and its unit."""
    changed = copy.deepcopy(record)
    parent = at(changed, leaf.holder[:-1])
    beside = [other.keys[-1] for other in leaves(record) if leaf.holder == leaf.keys and is_beside(other, leaf)]
    for key in [leaf.holder[-1], *beside]:
        del parent[key]
    return changed


def only(keys: Keys, value: object) -> Record:
    """Return a record that holds this leaf alone; its way has members only."""
    inner: object = value
    for key in reversed(keys):
        inner = {key: inner}
    assert isinstance(inner, dict)
    return inner
