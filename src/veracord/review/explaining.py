"""Where a value of a record under review comes from, or why its place is open, and what happened there.

Nothing is concluded: who and why is told by the event that did it, and by no other.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from veracord.audit.events import Event, EventType
from veracord.errors import InputError, VeracordError
from veracord.records.pointers import Tokens, get, is_pointer, is_under, split
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, equal
from veracord.review.accepting import ACCEPTED
from veracord.review.acting import Act
from veracord.review.attaching import repair_anew
from veracord.review.declaring import DECLARED
from veracord.review.filling import EVIDENCE
from veracord.review.looking import Beside, beside
from veracord.review.records import StoredRecord
from veracord.review.suggestions import StoredSuggestion
from veracord.review.texts import is_related, leaf_of, leaves_at

#: The origin of what came with the record.
INPUT: Final = "input"
#: Of a place where something is wrong, of one where nothing stands, and of one whose leaves have different origins.
OPEN: Final = "open"
ABSENT: Final = "absent"
SEVERAL: Final = "several"

#: What happens to a record without a word about one of its places.
_ELSEWHERE: Final = frozenset({EventType.EXPORT_MADE, EventType.CHECKPOINT_SIGNED, EventType.KEY_ROTATED})


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf and what stands behind it.

    Attributes:
        pointer: Its place.
        value: Its value.
        origin: Where it comes from.
        event: The event that brought it; the latest import where none did so here.
        fill: Of a fill: the row that the event tells.
        is_kept: Of a fill: whether its evidence is kept with the record and counts.
        suggestion: Of what was accepted here: the suggestion.
        declaration: Of what was declared: document digest, page, quote, and whether that was found.
    """

    pointer: str
    value: JsonValue | Missing = field(repr=False)
    origin: str
    event: Event | None
    fill: JsonObject | None = field(default=None, repr=False)
    is_kept: bool = False
    suggestion: StoredSuggestion | None = None
    declaration: JsonObject | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Account:
    """What is known of one place of a record.

    Attributes:
        record: The record.
        pointer: The place.
        value: What stands there.
        origin: That of its leaves; `OPEN`, `ABSENT` or `SEVERAL` where that is not one.
        leaves: Those of its leaves that did not simply come with the record; always the one that it is or is in.
        violations: What is wrong there, as rows of what a repair leaves open, the outcome None where it tells none.
            None where the profile is not what it was, so that nobody can say.
        evidence: What the evidence says there.
        suggestions: What was suggested there, oldest first, however it stands now.
        history: The events about the place, in their order.
        undone: Ids of events that were taken back, and of those that they had caused.
    """

    record: StoredRecord
    pointer: str
    value: JsonValue | Missing = field(repr=False)
    origin: str
    leaves: tuple[Leaf, ...]
    violations: tuple[JsonObject, ...] | None
    evidence: tuple[Beside, ...]
    suggestions: tuple[StoredSuggestion, ...]
    history: tuple[Event, ...]
    undone: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Place:
    """What is asked about: the place, and the leaf that it is in, to which all happens that happens to it."""

    record: StoredRecord
    tokens: Tokens
    value: JsonValue | Missing
    around: Tokens


def explain(act: Act, record_id: str, pointer: str) -> Account:
    """Return what is known of a place of a record.

    Raises:
        DecisionError: ``unknown_record``.
        InputError: ``invalid_pointer``; ``no_such_place``: nothing is known of it.
        StorageError: ``evidence_damaged``.
    """
    if not is_pointer(pointer):
        raise InputError("this is no pointer", where=pointer, remedy="write it like /a/b/0", code="invalid_pointer")
    record = act.find_record(record_id)
    place = split(pointer)
    value = get(record.value, place)
    at = _Place(record, place, value, leaf_of(record.value, place) if value is not MISSING else place)
    kept = [one.item for one in act.reader.evidence_of(record_id) if one.is_active]
    told = [found for item in kept if (found := beside(item, place)) is not None]
    suggestions = [one for one in act.reader.suggestions_of(record_id) if is_related(one.place, at.around)]
    events = act.reader.events_of(record_id)
    history = list(_history(events, at.around, {one.id for one in suggestions}))
    undone = _undone(events)
    rows = _violations(act, at)
    is_told = rows or any(one.value is not MISSING for one in told) or _was_there(place, history, suggestions)
    if value is MISSING and not is_told:
        raise InputError("nothing is known of this place", where=pointer, remedy="check it", code="no_such_place")
    standing = [one for one in history if one.id not in undone]
    return Account(
        record=record,
        pointer=pointer,
        value=value,
        origin=_origin(at, rows),
        leaves=tuple(_leaves(act, at, standing, {item.evidence_ref for item in kept})),
        violations=rows,
        evidence=tuple(sorted(told, key=lambda one: one.evidence_id)),
        suggestions=tuple(suggestions),
        history=tuple(history),
        undone=undone,
    )


def _undone(events: list[Event]) -> frozenset[str]:
    """Return ids of what was taken back: a fill goes with the attachment that it came from."""
    told = {str(one.data["undone"]) for one in events if one.type is EventType.DECISION_UNDONE}
    return frozenset({*told, *(one.id for one in events if one.data.get("cause") in told)})


def _history(events: list[Event], place: Tokens, suggested: Collection[str]) -> Iterator[Event]:
    """Yield the events about a place: those at, above or below it, and what caused, ended or took back one of them."""
    at_place = {one.id for one in events if one.pointer is not None and is_related(split(one.pointer), place)}
    causes = {one.data.get("cause") for one in events if one.id in at_place}
    told: set[str] = set()
    for event in events:
        moves: Any = event.data.get("statuses", [])
        is_about = (
            event.id in at_place
            or event.id in causes
            or event.type is EventType.RECORD_IMPORTED
            or not place
            or event.data.get("undone") in told
            or any(move["id"] in suggested for move in moves)
        )
        if is_about and event.type not in _ELSEWHERE:
            told.add(event.id)
            yield event


def _was_there(place: Tokens, history: list[Event], suggestions: list[StoredSuggestion]) -> bool:
    """Whether something happened just there or below, and not only above."""
    pointers = [*(one.pointer for one in history if one.pointer is not None), *(one.pointer for one in suggestions)]
    return any(is_under(split(pointer), place) for pointer in pointers)


def _violations(act: Act, at: _Place) -> tuple[JsonObject, ...] | None:
    """Return what is wrong at a place or below it; where nothing stands and nothing else is wrong, above it."""
    try:
        profile = act.profile_of(at.record)
    except VeracordError:
        # Where a value comes from is told all the same; a person who decides is told what to do about it.
        return None
    findings = profile.findings(at.record.value)
    found = [one for one in findings if is_under(one.tokens, at.tokens)]
    if not found and at.value is MISSING:
        # Such as an object that is required and would hold it; below a value that stands there, nothing can be.
        above = [one for one in findings if is_under(at.tokens, one.tokens)]
        found = [one for one in above if get(at.record.value, one.tokens) is MISSING]
    if not found:
        return ()
    outcomes = _outcomes(act, at.record, profile)
    return tuple(outcomes.get(one.key) or _row(*one.violation) for one in found)


def _outcomes(act: Act, record: StoredRecord, profile: Profile) -> dict[tuple[str, str], JsonObject]:
    """Return why a repair from the evidence of a record leaves places open."""
    kept = [one for one in act.reader.evidence_of(record.record_id) if one.is_active]
    result = repair_anew(act, profile, record, kept)
    return {(row.path, row.rule): row.to_dict() for row in result.unresolved}


def _row(path: str, rule: str, message: str) -> JsonObject:
    told: JsonObject = {"path": path, "rule": rule, "message": message}
    return {**told, "outcome": None, "detail": None, "uncovered_by": None, "candidates": []}


def _origin(at: _Place, rows: tuple[JsonObject, ...] | None) -> str:
    if any(split(str(row["path"])) == at.tokens for row in rows or ()) or (at.value is MISSING and rows):
        return OPEN
    if at.value is MISSING:
        return ABSENT
    found = {at.record.origins.get(leaf, INPUT) for leaf in leaves_at(at.record.value, at.tokens)}
    return found.pop() if len(found) == 1 else SEVERAL


def _leaves(act: Act, at: _Place, standing: list[Event], refs: Collection[str]) -> Iterator[Leaf]:
    """Yield the leaves at a place, each with what stands behind it."""
    imported = next((one for one in reversed(standing) if one.type is EventType.RECORD_IMPORTED), None)
    for pointer in leaves_at(at.record.value, at.tokens):
        origin = at.record.origins.get(pointer, INPUT)
        place = split(pointer)
        if origin == INPUT and place != at.around:
            continue
        leaf = Leaf(pointer, get(at.record.value, place), origin, imported)
        if origin == EVIDENCE:
            leaf = _of_fill(leaf, standing, refs)
        elif origin == ACCEPTED:
            leaf = _of_decision(act, leaf, standing)
        elif origin == DECLARED and pointer in at.record.declarations:
            told = at.record.declarations[pointer]
            leaf = replace(leaf, event=act.reader.event(str(told["event_id"])), declaration=told)
        yield leaf


def _of_fill(leaf: Leaf, standing: list[Event], refs: Collection[str]) -> Leaf:
    """Return a leaf with the latest fill of it."""
    for event in reversed(standing):
        rows: Any = event.data["fills"] if event.type is EventType.FILL_APPLIED else []
        for row in rows:
            if row["path"] == leaf.pointer:
                return replace(leaf, event=event, fill=row, is_kept=row["evidence_ref"] in refs)
    return leaf


def _of_decision(act: Act, leaf: Leaf, standing: list[Event]) -> Leaf:
    """Return a leaf with the latest acceptance that gave it; there is none where the origin came with the record."""
    for event in reversed(standing):
        if event.type is EventType.SUGGESTION_ACCEPTED and _gave(event, split(leaf.pointer), leaf.value):
            return replace(leaf, event=event, suggestion=act.reader.suggestion(str(event.data["suggestion_id"])))
    return leaf


def _gave(event: Event, place: Tokens, value: JsonValue | Missing) -> bool:
    """Whether what an event set is what stands at a leaf now: origins also come with records."""
    top = split(event.pointer or "")
    given = event.data.get("value", MISSING)
    if is_under(place, top):
        one, other = get(given, place[len(top) :]), value
    else:
        one, other = given, get(value, top[len(place) :])
    return one is not MISSING and other is not MISSING and equal(one, other)
