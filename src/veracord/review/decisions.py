"""What a person can ask for, and what comes of it."""

from dataclasses import dataclass, field

from veracord.records.evidence import EvidenceItem
from veracord.records.values import JsonValue
from veracord.review.suggestions import SuggestionFilter


@dataclass(frozen=True, slots=True)
class Seen:
    """What stood before the person's eyes.

    Attributes:
        revision: The revision of the record.
        value_hash: The hash of the value at the place; see `veracord.review.records.value_hash`.
    """

    revision: int
    value_hash: str


@dataclass(frozen=True, slots=True)
class Accept:
    """Take a suggestion as it is: it stays unverified, and supports nothing."""

    suggestion_id: str
    reason: str = field(repr=False)
    seen: Seen


@dataclass(frozen=True, slots=True)
class Edit:
    """Take another value in the place of a suggestion: as unverified as that."""

    suggestion_id: str
    value: JsonValue = field(repr=False)
    reason: str = field(repr=False)
    seen: Seen


@dataclass(frozen=True, slots=True)
class Reject:
    """Refuse a suggestion: it is not made again."""

    suggestion_id: str
    reason_code: str
    note: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class BulkReject:
    """Refuse all undecided suggestions that a filter means.

    Attributes:
        wanted: Which.
        reason_code: Why.
        note: Why, in words.
        expected: How many the person thinks that these are; None where they did not say.
    """

    wanted: SuggestionFilter
    reason_code: str
    note: str = field(default="", repr=False)
    expected: int | None = None


@dataclass(frozen=True, slots=True)
class Defer:
    """Put a suggestion off."""

    suggestion_id: str
    note: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Declare:
    """Enter a value from a document that one holds.

    Attributes:
        record_id: The record.
        pointer: Where the value stands.
        value: The value, entered afresh.
        document_digest: ``sha256:<hex>`` of the document.
        page: Where in it, as people say it.
        quote: The words of it that say so.
        reason: Why.
        seen: What stood there.
        document: Its bytes, where they are at hand: then digest and quote are checked.
    """

    record_id: str
    pointer: str
    value: JsonValue = field(repr=False)
    document_digest: str
    page: str
    quote: str = field(repr=False)
    reason: str = field(repr=False)
    seen: Seen
    document: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Attach:
    """Add evidence to a record, which is then repaired from it: the one way to ground what was accepted."""

    record_id: str
    item: EvidenceItem = field(repr=False)
    reason: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Undo:
    """Take a decision back, by a new event."""

    event_id: str
    reason: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a decision.

    Attributes:
        event_id: The event that tells it, which can be undone.
        record_id: The record.
        revision: Its revision after.
        awaits_second: Whether a second person must do the same before it holds.
        fills: Places that were filled from evidence.
    """

    event_id: str
    record_id: str
    revision: int
    awaits_second: bool = False
    fills: tuple[str, ...] = ()
