"""The closed set of outcomes of a violation, and what is remembered of a place on the way to one."""

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from veracord.records.evidence import SUGGESTION_ORIGIN
from veracord.records.matching import Source
from veracord.records.pointers import Tokens
from veracord.records.values import JsonValue


class Outcome(StrEnum):
    """What became of a violation; where several apply, the first in this order."""

    FILLED = "filled"
    NOT_SETTABLE = "not_settable"
    CALLER_CONTROLLED = "caller_controlled"
    NO_IDENTITY = "no_identity"
    CONFLICT = "conflict"
    SOURCE_INVALID = "source_invalid"
    SOURCE_PLACEHOLDER = "source_placeholder"
    CONTEXT_MISMATCH = "context_mismatch"
    ROW_MISMATCH = "row_mismatch"
    LEVEL_MISMATCH = "level_mismatch"
    NO_SOURCE = "no_source"

    __hash__ = str.__hash__  # the one of Enum is a Python function, and outcomes are looked up often


_ORDER: Final = {outcome: number for number, outcome in enumerate(Outcome)}


class Statement(NamedTuple):
    """What one source says about a place.

    Attributes:
        source: The source.
        pointer: Where it says it, in the source.
        value: What it says.
    """

    source: Source
    pointer: Tokens
    value: JsonValue

    @property
    def is_guess(self) -> bool:
        """Whether it equals a suggestion, so that it supports nothing."""
        return self.source.item.unsupporting_origin(self.pointer) == SUGGESTION_ORIGIN


class Status(NamedTuple):
    """Why a place was not filled.

    Attributes:
        outcome: The outcome.
        detail: A closed word that says more, or None.
        statements: What the sources say there, as far as it matters.
    """

    outcome: Outcome
    detail: str | None = None
    statements: tuple[Statement, ...] = ()


class Statuses:
    """The statuses of places; the first outcome by order counts, for a place and for all places above it."""

    def __init__(self) -> None:
        """Start without any."""
        self._own: dict[Tokens, Status] = {}
        self._below: dict[Tokens, Status] = {}

    def copy(self) -> "Statuses":
        """Return the same statuses, to which others can be added apart."""
        other = Statuses()
        other._own, other._below = self._own.copy(), self._below.copy()
        return other

    def add(self, place: Tokens, status: Status) -> None:
        """Remember a status; one that comes earlier in the order replaces a later one."""
        self._own[place] = _earlier(self._own.get(place), status)
        for depth in range(len(place) + 1):
            above = place[:depth]
            self._below[above] = _earlier(self._below.get(above), status)

    def items(self) -> Collection[tuple[Tokens, Status]]:
        """Return every place that has a status of its own, with it."""
        return self._own.items()

    def own(self, place: Tokens) -> Status | None:
        """Return the first status, by order, of a place itself."""
        return self._own.get(place)

    def first(self, places: Iterable[Tokens]) -> Status | None:
        """Return the first status, by order, of several places and what is below them."""
        found: Status | None = None
        for place in places:
            status = self._below.get(place)
            found = _earlier(found, status) if status else found
        return found

    def merge(self, other: "Statuses") -> None:
        """Take over the statuses of other places."""
        for place, status in other.items():
            self.add(place, status)


def _earlier(known: Status | None, other: Status) -> Status:
    if known is None:
        return other
    return min(known, other, key=_rank)


def _rank(status: Status) -> int:
    if status.outcome is Outcome.CALLER_CONTROLLED:
        # An administrative place inside a missing object says little about the object: it counts last but one.
        return 2 * _ORDER[Outcome.NO_SOURCE] - 1
    return 2 * _ORDER[status.outcome]
