"""Suggestions as a store keeps them: content-addressed, each with the one status that it has now."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from veracord.audit.events import Actor
from veracord.composer.ledgers import LedgerEntry, value_digest
from veracord.errors import InputError
from veracord.records.pointers import Tokens, is_pointer, split
from veracord.records.reading import read_value
from veracord.records.values import JsonObject, JsonValue, canonical, digest
from veracord.records.writing import write_json

#: A value of a record may be 128 levels deep, and a suggestion is around it.
_MAX_LEVELS: Final = 160
_MAX_BYTES: Final = 128 * 1024 * 1024


class Status(StrEnum):
    """How a suggestion stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DEFERRED = "deferred"
    WITHDRAWN = "withdrawn"


#: What still waits for a decision.
UNDECIDED: Final = (Status.OPEN, Status.DEFERRED)


@dataclass(frozen=True, slots=True)
class FirstAct:
    """What the first of two persons did.

    Attributes:
        person_id: Who.
        value_digest: Of the value that they want.
    """

    person_id: str
    value_digest: str


@dataclass(frozen=True, slots=True)
class StoredSuggestion:
    """One suggestion, or a declaration that waits for its second person.

    Attributes:
        id: Of its content; see `suggestion_id`.
        record_id: The record that it is for.
        pointer: Where its value would stand.
        value: The exact value.
        status: How it stands.
        created_at: When it came, as events tell it.
        proposed_by: Who brought it in.
        rule: The rule that it would satisfy; "" for a declaration.
        rationale: What the model says for it.
        confidence: The model's own, capped; no probability.
        rank: Its place by that.
        model: The model's name; "" where it is not known.
        entries: How the ledger knows it.
        first: What the first of two persons did.
        is_declaration: Whether a person entered it from a document.
    """

    id: str
    record_id: str
    pointer: str
    value: JsonValue = field(repr=False)
    status: Status
    created_at: str
    proposed_by: Actor
    rule: str = ""
    rationale: str = field(default="", repr=False)
    confidence: float = 0.0
    rank: int = 1
    model: str = ""
    entries: tuple[LedgerEntry, ...] = ()
    first: FirstAct | None = None
    is_declaration: bool = False

    @property
    def place(self) -> Tokens:
        """The tokens of the pointer."""
        return split(self.pointer)

    @property
    def is_undecided(self) -> bool:
        """Whether it still waits for a decision."""
        return self.status in UNDECIDED

    @property
    def ledger_key(self) -> str:
        """The same for suggestions that the ledger does not tell apart."""
        return digest(canonical([list(entry) for entry in sorted(self.entries)]))

    def to_object(self) -> JsonObject:
        """Return the suggestion as JSON."""
        first = self.first
        return {
            "id": self.id,
            "record_id": self.record_id,
            "pointer": self.pointer,
            "value": self.value,
            "status": self.status.value,
            "created_at": self.created_at,
            "proposed_by": self.proposed_by.to_object(),
            "rule": self.rule,
            "rationale": self.rationale,
            "confidence": Decimal(repr(self.confidence)),
            "rank": self.rank,
            "model": self.model,
            "entries": [list(entry) for entry in self.entries],
            "first": {"person_id": first.person_id, "value_digest": first.value_digest} if first else None,
            "is_declaration": self.is_declaration,
        }

    def to_text(self) -> str:
        """Return what a store keeps."""
        return write_json(self.to_object()).decode()

    @classmethod
    def from_text(cls, text: str) -> "StoredSuggestion":
        """Read what `to_text` gave."""
        members: Any = read_value(text.encode(), max_bytes=_MAX_BYTES, max_levels=_MAX_LEVELS)
        first = members.pop("first")
        return cls(
            status=Status(members.pop("status")),
            proposed_by=Actor(**members.pop("proposed_by")),
            confidence=float(members.pop("confidence")),
            entries=tuple(LedgerEntry(*entry) for entry in members.pop("entries")),
            first=FirstAct(**first) if first else None,
            **members,
        )


@dataclass(frozen=True, slots=True)
class SuggestionFilter:
    """Which suggestions are meant; what is not given does not matter.

    Attributes:
        record_id: Those for one record.
        pointer: Those at a place or below it.
        rule: Those that would satisfy a rule.
        status: Those that stand so; empty for all.
        model: Those of a model.
        older_than: Those that came before a moment.
        newer_than: Those that came at a moment or after it.
    """

    record_id: str | None = None
    pointer: str | None = None
    rule: str | None = None
    status: tuple[Status, ...] = UNDECIDED
    model: str | None = None
    older_than: datetime | None = None
    newer_than: datetime | None = None

    def __post_init__(self) -> None:
        """Refuse what is no place.

        Raises:
            InputError: ``invalid_pointer``, ``invalid_time``.
        """
        if any(at is not None and at.tzinfo is None for at in (self.older_than, self.newer_than)):
            message = "a moment without a time zone is not one moment"
            raise InputError(message, remedy="give its time zone", code="invalid_time")
        if self.pointer is not None and not is_pointer(self.pointer):
            raise InputError("this is no pointer", remedy="write one as /a/b", code="invalid_pointer")


@dataclass(frozen=True, slots=True)
class SuggestionPage:
    """Some of the suggestions that a filter means.

    Attributes:
        items: Oldest first.
        total: How many it means in all.
        counts: How many there are by status, whatever status the filter asks for.
        next: Where the next page begins; None for the last one.
    """

    items: Sequence[StoredSuggestion]
    total: int
    counts: dict[str, int]
    next: str | None = None


def suggestion_id(record_id: str, entries: Sequence[LedgerEntry], pointer: str, value: JsonValue) -> str:
    """Return the id of a suggestion: the same content is the same suggestion, however often it is made.

    Args:
        record_id: The record that it is for; two records about one product are decided apart.
        entries: How the ledger knows it: product, place and value.
        pointer: Its place, which decides where the record names no product.
        value: The value.
    """
    told: list[JsonValue] = [list(entry) for entry in sorted(entries)]
    return digest(canonical([record_id, told, pointer if not entries else "", value_digest(value)]))


def declaration_id(record_id: str, pointer: str, value: JsonValue, document_digest: str) -> str:
    """Return the id of a declaration that waits for its second person."""
    return digest(canonical(["declaration", record_id, pointer, value_digest(value), document_digest]))
