"""The same place in another record: rows are found by their key, never by mere position.

Through a declared array the row with the same key values is meant, wherever it stands.  Through an
undeclared array of objects the same index is meant, and only if the two rows share at least one sound
scalar member and differ in none.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

from veracord.records.matching import Source
from veracord.records.pointers import Tokens, get, index_of, step
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, canonical, equal, holds_objects, is_scalar


class Misfit(Enum):
    """Why a place has no counterpart in a source."""

    ABSENT = "the source has nothing there"
    OTHER_ROW = "no row of the source is surely the same row"


class Counterpart(NamedTuple):
    """A place as both sides have it.

    Attributes:
        pointer: The place in the source.
        ours: The record's value there, or MISSING.
        theirs: The source's value there.
    """

    pointer: Tokens
    ours: JsonValue | Missing
    theirs: JsonValue


Alignment: TypeAlias = Counterpart | Misfit


@dataclass(slots=True)
class _Rows:
    """The rows of one array by their key values."""

    by_key: dict[tuple[str | bytes, ...], list[int]] = field(default_factory=lambda: defaultdict(list))
    has_keyless: bool = False


class Aligner:
    """Finds the counterparts of a record's places in its sources, each once."""

    def __init__(self, profile: Profile, record: JsonObject, violating: Collection[Tokens]) -> None:
        """Remember the record and which places of it violate, at or below."""
        self._profile = profile
        self._record = record
        self._violating = {place[:depth] for place in violating for depth in range(len(place) + 1)}
        self._found: dict[tuple[str, Tokens], Alignment] = {}
        self._rows: dict[tuple[str | None, Tokens], _Rows] = {}

    def violates(self, place: Tokens) -> bool:
        """Whether a place, or one below it, violates."""
        return place in self._violating

    def align(self, source: Source, place: Tokens) -> Alignment:
        """Return the counterpart of a place in a source, or why there is none."""
        if not place:
            return Counterpart((), self._record, source.content)
        key = (source.evidence_id, place)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._step(source, place)
        return found

    def _step(self, source: Source, place: Tokens) -> Alignment:
        above = self.align(source, place[:-1])
        if isinstance(above, Misfit):
            return above
        token = place[-1]
        if type(above.ours) is list and holds_objects(above.ours):
            row = self._row(source, place, above)
            if isinstance(row, Misfit):
                return row
            token = str(row)
        elif type(above.theirs) is not dict:
            return Misfit.ABSENT
        theirs = step(above.theirs, token)
        if theirs is MISSING:
            return Misfit.ABSENT
        return Counterpart((*above.pointer, token), step(above.ours, place[-1]), theirs)

    def _row(self, source: Source, place: Tokens, array: Counterpart) -> int | Misfit:
        """Return the index of the source's row that is the record's row at a place."""
        index = index_of(place[-1])
        if type(array.theirs) is not list or type(array.ours) is not list or index is None or index >= len(array.ours):
            return Misfit.ABSENT
        key = self._profile.row_key(place[:-1])
        if key is None:
            return self._same_index(place, index, array)
        values = key_values(array.ours[index], key)
        if values is None or any(self.violates((*place, *member)) for member in key):
            return Misfit.OTHER_ROW
        ours = self._by_key(None, place[:-1], array.ours, key)
        theirs = self._by_key(source.evidence_id, array.pointer, array.theirs, key)
        matching = theirs.by_key.get(values, [])
        if len(ours.by_key[values]) > 1 or len(matching) > 1:
            return Misfit.OTHER_ROW
        if matching:
            return matching[0]
        return Misfit.OTHER_ROW if theirs.has_keyless else Misfit.ABSENT

    def _by_key(self, evidence_id: str | None, at: Tokens, rows: list[JsonValue], key: tuple[Tokens, ...]) -> _Rows:
        found = self._rows.get((evidence_id, at))
        if found is None:
            found = self._rows[evidence_id, at] = _Rows()
            for index, row in enumerate(rows):
                values = key_values(row, key)
                if values is None:
                    found.has_keyless = True
                else:
                    found.by_key[values].append(index)
        return found

    def _same_index(self, place: Tokens, index: int, array: Counterpart) -> int | Misfit:
        assert type(array.ours) is list and type(array.theirs) is list  # noqa: S101, PT018 - narrows for mypy
        if index >= len(array.theirs):
            return Misfit.ABSENT
        ours, theirs = array.ours[index], array.theirs[index]
        if type(ours) is not dict or type(theirs) is not dict:
            return Misfit.OTHER_ROW
        shared = False
        for name, value in ours.items():
            other = theirs.get(name, MISSING)
            if other is MISSING or not is_scalar(value) or not is_scalar(other) or self.violates((*place, name)):
                continue
            if not equal(value, other):
                return Misfit.OTHER_ROW
            shared = True
        return index if shared else Misfit.OTHER_ROW


def key_values(row: JsonValue, key: tuple[Tokens, ...]) -> tuple[str | bytes, ...] | None:
    """Return the key of a row in comparable form; None where a member of it is missing or null."""
    found: list[str | bytes] = []
    for member in key:
        # Most keys are direct members, and every row of every source is asked.
        value = row.get(member[0], MISSING) if len(member) == 1 and type(row) is dict else get(row, member)
        if value is MISSING or value is None:
            return None
        # A text and the canonical form of something else, which is bytes, are never equal.
        found.append(value if type(value) is str else canonical(value))
    return tuple(found)


def rows_around(record: JsonValue, place: Tokens) -> Iterator[Tokens]:
    """Yield every row of an array of objects that a place is in, the outermost first."""
    node: JsonValue | Missing = record
    for depth, token in enumerate(place[:-1]):
        if holds_objects(node):
            yield place[: depth + 1]
        node = step(node, token)
