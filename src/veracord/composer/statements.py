"""Which statements of sources count: levels, empty values, placeholders and origins, before any comparison."""

import re
from collections.abc import Collection
from operator import is_
from typing import Final, NamedTuple

from veracord.composer.outcomes import Outcome, Statement, Status, Statuses
from veracord.composer.targets import Places
from veracord.records.places import Place
from veracord.records.pointers import Tokens
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, equal, holds_objects, is_empty, leaves

_ZERO_UUID: Final = re.compile(r"0{8}-0{4}-0{4}-0{4}-0{12}")


class _Cleaned(NamedTuple):
    """What may be copied of an array of a source, and what that depends on.

    Attributes:
        known: What the schema says about the place; each profile has its own.
        place: The place.
        value: The array.
        rows: What may be copied; MISSING or an outcome where nothing is.
    """

    known: Place
    place: Tokens
    value: JsonValue
    rows: JsonValue | Missing


class Sieve:
    """Separates the statements that may compete for a place from those that may not."""

    def __init__(self, profile: Profile, record_level: str | None, places: Places, statuses: Statuses) -> None:
        """Remember the record's level, and where the reasons go."""
        self._places = places
        self._profile = profile
        self._identity = profile.identity
        self._level = record_level
        self._statuses = statuses

    def leaf_statements(self, place: Tokens, statements: list[Statement]) -> list[Statement]:
        """Return the statements about a leaf that count; note why the others do not."""
        kept: list[Statement] = []
        for statement in statements:
            if statement.source.item.origins and self._is_unsupported(place, statement):
                continue
            outcome = self._outcome(place, statement)
            if outcome is None:
                kept.append(statement)
            elif outcome is not Outcome.NO_SOURCE:
                self._statuses.add(place, Status(outcome, statements=(statement,)))
        return kept

    def row_statements(self, place: Tokens, statements: list[Statement]) -> list[Statement]:
        """Return the statements about an array of rows that count, cleaned of what is never copied."""
        kept: list[Statement] = []
        for statement in statements:
            if statement.source.item.origins and self._is_unsupported(place, statement):
                continue
            if not self._admits_levels(place, statement):
                self._statuses.add(place, Status(Outcome.LEVEL_MISMATCH, statements=(statement,)))
                continue
            rows = self._cleaned(place, statement)
            if rows is MISSING:
                self._statuses.add(place, Status(Outcome.SOURCE_INVALID, "empty_row", (statement,)))
            elif isinstance(rows, Outcome):
                self._statuses.add(place, Status(rows, statements=(statement,)))
            else:
                kept.append(Statement(statement.source, statement.pointer, rows))
        return kept

    def _admits_levels(self, place: Tokens, statement: Statement) -> bool:
        """Whether every leaf of rows may be filled from a source of its level."""
        if self._identity.level is None:
            return True
        return all(self._admits_level((*place, *at), statement) for at, _ in leaves(statement.value))

    def _cleaned(self, place: Tokens, statement: Statement) -> JsonValue | Missing:
        """Return what of rows may be copied; MISSING or an outcome where nothing is.

        The source keeps the latest answer about each of its arrays: it is the same for all records of a profile.
        """
        known, value = self._places.at(place), statement.value
        kept = statement.source.copies.get(statement.pointer)
        if isinstance(kept, _Cleaned) and kept.known is known and kept.value is value and kept.place == place:
            return kept.rows
        rows: JsonValue | Missing = Outcome.SOURCE_PLACEHOLDER
        if not holds_placeholder(known, value):
            rows = self._copyable(place, known, value)
        statement.source.copies[statement.pointer] = _Cleaned(known, place, value, rows)
        return rows

    def _copyable(self, place: Tokens, known: Place, value: JsonValue) -> JsonValue | Missing:
        """Return what of rows may be copied.

        Left out are members that the schema does not know or that are never filled, and empty values that it does
        not admit.  What has nothing left says nothing: a member is left out then, and of an array with such a row
        nothing is copied (MISSING), since rows are taken whole.
        """
        if is_empty(value):
            return value if known.admits_empty(value) else MISSING
        if isinstance(value, list) and holds_objects(value):
            items = [self._copyable((*place, str(n)), known.item(n), item) for n, item in enumerate(value)]
            if _are_same(items, value):
                return value
            return MISSING if MISSING in items else [item for item in items if item is not MISSING]
        if not isinstance(value, dict):
            return value
        kept: JsonObject = {}
        for name, item in value.items():
            at, below = (*place, name), known.member(name)
            part = (
                self._copyable(at, below, item) if below.is_known and not self._profile.is_never_filled(at) else MISSING
            )
            if part is not MISSING:
                kept[name] = part
        return value if _are_same(kept.values(), value.values()) else kept or MISSING

    def _is_unsupported(self, place: Tokens, statement: Statement) -> bool:
        """Whether the origin of a statement keeps it from counting; note which origin.

        What equals a suggestion is kept: it may be a true source that a model guessed right, so it supports nothing and
        still contradicts what says otherwise (`Statement.is_guess`).
        """
        origin = statement.source.item.unsupporting_origin(statement.pointer)
        if origin is None or statement.is_guess:
            return False
        self._statuses.add(place, Status(Outcome.NO_SOURCE, origin, (statement,)))
        return True

    def _outcome(self, place: Tokens, statement: Statement) -> Outcome | None:
        if is_empty(statement.value) and not self._places.at(place).admits_empty(statement.value):
            return Outcome.NO_SOURCE
        if self._identity.level is not None and not self._admits_level(place, statement):
            return Outcome.LEVEL_MISMATCH
        if self._may_be_placeholder(statement.value) and is_placeholder(self._places.at(place), statement.value):
            return Outcome.SOURCE_PLACEHOLDER
        return None

    def _may_be_placeholder(self, value: JsonValue) -> bool:
        """Whether a leaf may be a placeholder; where no text of it is shown anywhere, the place need not be known."""
        if isinstance(value, str):
            return value in self._places.shown_texts or _ZERO_UUID.search(value) is not None
        return isinstance(value, list) and any(self._may_be_placeholder(item) for item in value)

    def _admits_level(self, place: Tokens, statement: Statement) -> bool:
        return self._identity.level_admits(self._level, statement.source.level, place)


def _are_same(parts: Collection[object], others: Collection[object]) -> bool:
    """Whether nothing was left out: what is whole needs no copy."""
    return len(parts) == len(others) and all(map(is_, parts, others))


def is_placeholder(known: Place, value: JsonValue) -> bool:
    """Whether a leaf is what the schema itself shows, or holds a UUID of zeros."""
    if isinstance(value, str):
        return value in known.shown or _ZERO_UUID.search(value) is not None
    if isinstance(value, list) and value:
        if any(equal(value, shown) for shown in known.shown_arrays):
            return True
        return any(is_placeholder(known.item(n), item) for n, item in enumerate(value) if isinstance(item, str | list))
    return False


def holds_placeholder(known: Place, value: JsonValue) -> bool:
    """Whether any leaf of a value is a placeholder."""
    if isinstance(value, dict):
        return any(holds_placeholder(known.member(name), item) for name, item in value.items())
    if isinstance(value, list):
        return any(holds_placeholder(known.item(n), item) for n, item in enumerate(value))
    return is_placeholder(known, value)
