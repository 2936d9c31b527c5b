"""What a person is shown before deciding: the place as it is, what is wrong there, and what the evidence says of it."""

from dataclasses import dataclass, field

from veracord.composer.ledgers import products_of
from veracord.composer.suggestions import MOST_CONFIDENCE
from veracord.errors import DecisionError
from veracord.records.evidence import EvidenceItem
from veracord.records.pointers import Tokens, get, is_pointer, join, split
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonValue, Missing
from veracord.records.violations import Violation
from veracord.review.acting import Act
from veracord.review.decisions import Seen
from veracord.review.records import StoredRecord
from veracord.review.seeing import findings_at, seen_of
from veracord.review.suggestions import StoredSuggestion


@dataclass(frozen=True, slots=True)
class Beside:
    """What one evidence item says at the same place.

    Attributes:
        evidence_id: Its id.
        evidence_ref: Its reference.
        value: The value there; `MISSING` for a text.
        text: The text, for one.
        origin: Why the value supports nothing, or None.
    """

    evidence_id: str
    evidence_ref: str
    value: JsonValue | Missing = field(repr=False)
    text: str | None = field(default=None, repr=False)
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A place of a record, with all that a decision about it needs.

    Attributes:
        record: The record.
        pointer: The place.
        present: What stands there.
        seen: What a decision must name.
        violations: What is wrong there or below.
        evidence: What the evidence says there, by id; all texts.
        suggestion: The suggestion that was asked for, if one was.
        cap: The highest confidence that a suggestion can have.
        is_recognisable: Whether the record says which product it is about, so that the ledger can know what is accepted
            here when it comes back elsewhere.
    """

    record: StoredRecord
    pointer: str
    present: JsonValue | Missing = field(repr=False)
    seen: Seen
    violations: tuple[Violation, ...]
    evidence: tuple[Beside, ...]
    suggestion: StoredSuggestion | None = None
    cap: float = MOST_CONFIDENCE
    is_recognisable: bool = True


def show_suggestion(act: Act, suggestion_id: str) -> Shown:
    """Return a suggestion and its place.

    Raises:
        DecisionError: ``unknown_suggestion``, ``profile_changed``.
    """
    suggestion = act.find_suggestion(suggestion_id)
    record = act.find_record(suggestion.record_id)
    return _shown(act, record, suggestion.pointer, suggestion)


def show_place(act: Act, record_id: str, pointer: str) -> Shown:
    """Return a place of a record.

    Raises:
        DecisionError: ``unknown_record``, ``profile_changed``; ``value_invalid``: the pointer is none.
    """
    if not is_pointer(pointer):
        raise DecisionError("this is no pointer", remedy="write one as /a/b", code="value_invalid")
    return _shown(act, act.find_record(record_id), pointer, None)


def _shown(act: Act, record: StoredRecord, pointer: str, suggestion: StoredSuggestion | None) -> Shown:
    place = split(pointer)
    profile: Profile = act.profile_of(record)
    kept = [one for one in act.reader.evidence_of(record.record_id) if one.is_active]
    told = [found for one in kept if (found := beside(one.item, place)) is not None]
    return Shown(
        record=record,
        pointer=join(place),
        present=get(record.value, place),
        seen=seen_of(record, place),
        violations=tuple(one.violation for one in findings_at(profile, record.value, place)),
        evidence=tuple(sorted(told, key=lambda one: one.evidence_id)),
        suggestion=suggestion,
        is_recognisable=bool(products_of(profile.identity, record.value)),
    )


def beside(item: EvidenceItem, place: Tokens) -> Beside | None:
    """Return what an evidence item says at a place; None for a structured one that says nothing."""
    if item.text is not None:
        return Beside(item.id, item.evidence_ref, MISSING, item.text)
    value = get(item.content, place)
    if value is MISSING:
        return None
    return Beside(item.id, item.evidence_ref, value, origin=item.unsupporting_origin(place))
