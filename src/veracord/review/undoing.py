"""Undoing a decision: a new event that gives back what was there, while everything else stays; nothing is deleted.

What a later act has changed again is not overwritten: that act must be undone first.
"""

from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

from veracord.audit.declarations import standing_declarations
from veracord.audit.events import Event, EventType
from veracord.audit.replay import Replayed
from veracord.composer.ledgers import LedgerEntry
from veracord.composer.units import text_edits
from veracord.errors import DecisionError
from veracord.records.cutting import cut, spelling
from veracord.records.pointers import Tokens, get, split
from veracord.records.reading import read_record
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, equal
from veracord.records.writing import raw, splice
from veracord.review.acting import Act, Changes, changed_record
from veracord.review.decisions import Done, Undo
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.seeing import record_at
from veracord.review.suggestions import Status, StoredSuggestion
from veracord.review.written import REASON, check_words

#: What can be undone.
UNDOABLE: Final = frozenset(
    {
        EventType.SUGGESTION_ACCEPTED,
        EventType.SUGGESTION_REJECTED,
        EventType.SUGGESTION_DEFERRED,
        EventType.VALUE_DECLARED,
        EventType.EVIDENCE_ATTACHED,
    }
)


@dataclass(frozen=True, slots=True)
class _Span:
    """A record before and after what is undone, the places that were changed in between, and what ever happened."""

    before: Replayed
    after: Replayed
    places: list[Tokens]
    events: list[Event]
    undone: str


def undo(act: Act, asked: Undo) -> Changes:
    """Take one decision back.

    Raises:
        DecisionError: Why not; see docs/decisions.md.
    """
    act.permit()
    event = act.reader.event(asked.event_id)
    if event is None:
        remedy = "find its id with explain RECORD POINTER, or in export --format csv"
        raise DecisionError("there is no such event", remedy=remedy, code="unknown_event")
    act.about["event"] = event.id
    check_words(asked.reason, REASON)
    if event.type not in UNDOABLE or event.record_id is None:
        _refuse("an event of this type is not undone", "undo a decision")
    record = act.find_record(event.record_id)
    events = act.reader.events_of(record.record_id)
    if any(one.type is EventType.DECISION_UNDONE and one.data["undone"] == event.id for one in events):
        _refuse("it is undone already", "look at the events of the record")
    suggestions, told = _statuses_back(act, event)
    changes = Changes(suggestions=suggestions, evidence=_detached(act, record, event))
    changes.withdraw_rejected = _refusals_back(act, event, suggestions)
    changes.issue = _entries(event, "withdrawn_issued")
    data: JsonObject = {"undone": event.id, "undone_type": event.type.value, "reason": asked.reason, "statuses": told}
    span = _span(act, record, event, events)
    after = record
    if span is not None:
        after, change = _record_back(record, span)
        data |= change
        changes.record = after
    done = act.draft(
        EventType.DECISION_UNDONE, data, before=record, after=after if span else None, pointer=event.pointer
    )
    changes.drafts.append(done)
    changes.result = Done(done.id, record.record_id, after.revision)
    return changes


def _statuses_back(act: Act, event: Event) -> tuple[list[StoredSuggestion], list[JsonValue]]:
    """Return suggestions as they stood before an event, and what the log tells of it."""
    back: list[StoredSuggestion] = []
    told: list[JsonValue] = []
    moves: Any = event.data.get("statuses", [])
    for move in moves:
        suggestion = act.reader.suggestion(move["id"])
        if suggestion is None or suggestion.status != move["to"]:
            _refuse("a suggestion was decided again since", "undo that first")
        # A declaration is never open: without its first person it is nothing.
        is_over = suggestion.is_declaration and move["from"] == Status.OPEN
        status = Status.WITHDRAWN if is_over else Status(move["from"])
        back.append(replace(suggestion, status=status, first=None))
        told.append({"id": suggestion.id, "from": suggestion.status.value, "to": status.value})
    return back, told


def _detached(act: Act, record: StoredRecord, event: Event) -> list[tuple[str, StoredEvidence]]:
    told: Any = event.data.get("attached")
    if event.type is not EventType.EVIDENCE_ATTACHED or not told:
        return []
    kept = act.reader.evidence_of(record.record_id)
    found = [one for one in kept if one.key == told["key"] and one.digest == told["digest"] and one.is_active]
    if not found:
        _refuse("the evidence does not count any more", "look at the events of the record")
    return [(record.record_id, replace(one, is_active=False)) for one in found]


def _refusals_back(act: Act, event: Event, back: list[StoredSuggestion]) -> list[LedgerEntry]:
    """Return entries that nobody refuses any more."""
    entries = _entries(event, "rejected")
    return [] if any(act.reader.is_rejected_elsewhere(one) for one in back) else entries


def _entries(event: Event, name: str) -> list[LedgerEntry]:
    told: Any = event.data.get(name, [])
    return [LedgerEntry(*entry) for entry in told]


def _span(act: Act, record: StoredRecord, event: Event, events: list[Event]) -> _Span | None:
    """Return what an event, with the fills that it caused, did to its record; None where it did nothing."""
    group = [one for one in events if one.id == event.id or one.data.get("cause") == event.id]
    changing = [one for one in group if one.revision_after is not None]
    if not changing:
        return None
    first, last = changing[0].revision_before, changing[-1].revision_after
    before, after = record_at(act, record, first or 0), record_at(act, record, last or 0)
    assert before is not None  # noqa: S101 - the log tells both revisions
    assert after is not None  # noqa: S101 - the same
    return _Span(before, after, [split(one.pointer or "") for one in changing], events, event.id)


def _record_back(record: StoredRecord, span: _Span) -> tuple[StoredRecord, JsonObject]:
    """Return a record without what an act did to it."""
    origins = dict(record.origins)
    for at in span.before.origins.keys() | span.after.origins.keys():
        was, became = span.before.origins.get(at), span.after.origins.get(at)
        if was == became:
            continue
        if origins.get(at) != became:
            _refuse("the value was decided again since", "undo that first")
        if was is None:
            del origins[at]
        else:
            origins[at] = was
    text = _text_back(record, span)
    _check_leaves(text, span)
    return changed_record(record, text, origins, standing_declarations(span.events, origins, {span.undone}))


def _check_leaves(text: str, span: _Span) -> None:
    """Make sure that leaves which come from elsewhere again are what they were: an array may hold another guess."""
    value, before = read_record(text.encode()).value, read_record(span.before.text.encode()).value
    for at in span.before.origins.keys() | span.after.origins.keys():
        if span.before.origins.get(at) != span.after.origins.get(at):
            old, new = get(before, split(at)), get(value, split(at))
            if old is not new and not _same(old, new):
                _refuse("the leaf was changed again since", "undo that first")


def _text_back(record: StoredRecord, span: _Span) -> str:
    """Return the text of a record with what stood at places before."""
    if record.text == span.after.text:
        return span.before.text
    before, after = (read_record(one.text.encode()).value for one in (span.before, span.after))
    tops = sorted(text_edits(before, after, span.places), reverse=True)
    text, value = record.text, record.value
    for top in tops:
        text = _place_back(text, value, (span.before.text, before, after), top, span.places)
        value = read_record(text.encode()).value
    return text


def _place_back(
    text: str, value: JsonObject, was: tuple[str, JsonObject, JsonObject], top: Tokens, places: list[Tokens]
) -> str:
    old_text, before, after = was
    old = get(before, top)
    if _same(get(value, top), get(after, top)):
        return cut(text, top) if old is MISSING else splice(text, {top: raw(spelling(old_text, top).encode())})  # type: ignore[dict-item]  # copied as it is
    # Somebody has added to an object that was made for the value: what was made with it goes, the rest stays.
    for place in (place for place in places if place[: len(top)] == top):
        if old is not MISSING or place == top or not _same(get(value, place), get(after, place)):
            _refuse("the place was changed again since", "undo that first")
        text = cut(text, place)
    return text


def _same(one: JsonValue | Missing, other: JsonValue | Missing) -> bool:
    return one is not MISSING and other is not MISSING and equal(one, other)


def _refuse(what: str, remedy: str) -> NoReturn:
    raise DecisionError(what, remedy=remedy, code="cannot_undo")
