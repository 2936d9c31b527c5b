"""Replay: the log alone gives every record back, byte for byte.

A record lives as text, in the spelling that it was imported in.  An event that changes it holds one edit of that
text and the digest of the text after, so that each step is checked and none is believed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NoReturn

from veracord.audit.declarations import standing_declarations
from veracord.audit.events import Event, EventType
from veracord.errors import InputError
from veracord.records.pointers import is_pointer
from veracord.records.values import JsonObject, JsonValue, digest

#: The types whose events may change a record.
CHANGING_TYPES: Final = frozenset(
    {
        EventType.FILL_APPLIED,
        EventType.SUGGESTION_ACCEPTED,
        EventType.VALUE_DECLARED,
        EventType.EVIDENCE_ATTACHED,
        EventType.DECISION_UNDONE,
    }
)

#: The types whose events say what stands behind declared values.
_DECLARING: Final = frozenset({EventType.VALUE_DECLARED, EventType.DECISION_UNDONE})

_EDIT: Final = frozenset({"start", "removed", "inserted"})
_ORIGINS: Final = frozenset({"set", "removed"})


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a text, counted in characters (code points) of the text before.

    Attributes:
        start: How many characters before it stay.
        removed: What stood there.
        inserted: What stands there after.
    """

    start: int
    removed: str = field(repr=False)
    inserted: str = field(repr=False)

    def to_object(self) -> JsonObject:
        """Return the members as JSON."""
        return {"start": self.start, "removed": self.removed, "inserted": self.inserted}


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record as the log gives it.

    Attributes:
        revision: How often it was written.
        text: Its text, as it was imported but for the edits.
        origins: Where its leaves come from, by pointer.
        declarations: Document, page and quote behind each declared leaf, by pointer.
    """

    revision: int
    text: str = field(repr=False)
    origins: dict[str, str]
    declarations: dict[str, JsonObject] = field(default_factory=dict, repr=False)

    @property
    def digest(self) -> str:
        """``sha256:<hex>`` of the text in UTF-8."""
        return text_digest(self.text)


def text_digest(text: str) -> str:
    """Return ``sha256:<hex>`` of a text in UTF-8."""
    return digest(text.encode())


def edit_between(before: str, after: str) -> Edit:
    """Return the one edit that leads from a text to another: what both begin and end with is left out."""
    start = _common_prefix(before, after)
    left, right = before[start:], after[start:]
    kept = _common_suffix(left, right)
    return Edit(start, left[: len(left) - kept], right[: len(right) - kept])


def apply_edit(text: str, edit: Edit) -> str:
    """Return a text after an edit.

    Raises:
        InputError: ``replay_mismatch``: what the edit removes does not stand there.
    """
    if edit.start > len(text) or not text.startswith(edit.removed, edit.start):
        _refuse("what the edit removes does not stand in the text", "")
    return f"{text[: edit.start]}{edit.inserted}{text[edit.start + len(edit.removed) :]}"


def import_data(text: str, origins: Mapping[str, str]) -> JsonObject:
    """Return what an event ``record.imported`` holds at least."""
    return {"text": text, "origins": dict(origins), "text_digest": text_digest(text)}


def change_data(before: str, after: str, old: Mapping[str, str], new: Mapping[str, str]) -> JsonObject:
    """Return what an event that changes a record holds at least.

    Args:
        before: The text before.
        after: The text after.
        old: The origins before.
        new: The origins after.
    """
    return {
        "edit": edit_between(before, after).to_object(),
        "origins": {
            "set": {pointer: origin for pointer, origin in new.items() if old.get(pointer) != origin},
            "removed": [pointer for pointer in old if pointer not in new],
        },
        "text_digest": text_digest(after),
    }


def replay(events: Iterable[Event]) -> dict[str, Replayed]:
    """Return every record by its id, in the order of their import, as it is after all events.

    Args:
        events: Those of one log in its order, or all of them about some records.  The chain is not checked here:
            give ``veracord.audit.chain.follow(events)`` where it was not checked before.

    Raises:
        InputError: ``replay_mismatch``: an event starts from another revision, removes what does not stand there, or
            gives another text than it says.
    """
    records: dict[str, Replayed] = {}
    declared: dict[str, list[Event]] = {}
    for event in events:
        if event.record_id is None:
            if event.type is EventType.RECORD_IMPORTED or "edit" in event.data:
                _refuse("the event changes a record and names none", _place(event))
            continue
        known = records.get(event.record_id)
        after = _after(known, event)
        if after is not None and after is not known:
            records[event.record_id] = after
        if event.type in _DECLARING:
            declared.setdefault(event.record_id, []).append(event)
    return {name: _with_declarations(one, declared.get(name, [])) for name, one in records.items()}


def replay_latest(events: Sequence[Event]) -> Replayed | None:
    """Return one record as it is after its events, without going behind its latest import; None where it has none.

    Args:
        events: All events about it in their order.  Those before its latest import matter only where they declare
            values or take something back, and those that change nothing do not matter: both may be left out.

    Raises:
        InputError: ``replay_mismatch``, see `replay`.
    """
    starts = [number for number, event in enumerate(events) if event.type is EventType.RECORD_IMPORTED]
    if not starts:
        return None
    known = _imported(events[starts[-1]])
    for event in events[starts[-1] + 1 :]:
        known = _after(known, event) or known
    return _with_declarations(known, events)


def _with_declarations(record: Replayed, events: Iterable[Event]) -> Replayed:
    return replace(record, declarations=standing_declarations(events, record.origins))


def _after(known: Replayed | None, event: Event) -> Replayed | None:
    """Return a record after an event about it; None where it does not exist yet."""
    before = known.revision if known else None
    is_import = event.type is EventType.RECORD_IMPORTED
    is_change = is_import or "edit" in event.data
    if event.revision_before != before and (is_change or event.revision_before is not None):
        _refuse("the event starts from another revision of its record", _place(event))
    if not is_change:
        if event.revision_after not in (None, before):
            _refuse("the event tells a new revision and no change", _place(event))
        return known
    if event.revision_after != (before or 0) + 1:
        _refuse("the event does not lead to the next revision of its record", _place(event))
    if is_import:
        return _imported(event)
    if known is None or event.type not in CHANGING_TYPES:
        _refuse("an event of this type, or without a record, changes none", _place(event))
    return _changed(known, event)


def _imported(event: Event) -> Replayed:
    text, origins = event.data.get("text"), event.data.get("origins")
    if type(text) is not str or type(origins) is not dict:
        _refuse("the import lacks its text or its origins", _place(event))
    told = event.data.get("text_digest")
    if told is not None and told != text_digest(text):
        _refuse("the text is not what its digest was made of", _place(event))
    return Replayed(event.revision_after or 1, text, _read_origins(origins, event))


def _changed(known: Replayed, event: Event) -> Replayed:
    try:
        text = apply_edit(known.text, _read_edit(event))
    except InputError as error:
        _refuse(error.what, _place(event))
    if event.data.get("text_digest") != text_digest(text):
        _refuse("the text after the edit is not what its digest was made of", _place(event))
    change = event.data.get("origins")
    if type(change) is not dict or change.keys() != _ORIGINS:
        _refuse("the change lacks its origins", _place(event))
    removed = change["removed"]
    if type(removed) is not list:
        _refuse("the origins that are removed are no list", _place(event))
    origins = dict(known.origins)
    for pointer in removed:
        if type(pointer) is not str or origins.pop(pointer, None) is None:
            _refuse("an origin is removed that is not there", _place(event))
    return Replayed(known.revision + 1, text, origins | _read_origins(change["set"], event))


def _read_edit(event: Event) -> Edit:
    edit = event.data["edit"]
    if type(edit) is dict and edit.keys() == _EDIT:
        start, removed, inserted = edit["start"], edit["removed"], edit["inserted"]
        if type(start) is int and start >= 0 and type(removed) is str and type(inserted) is str:
            return Edit(start, removed, inserted)
    return _refuse("the edit is none", _place(event))


def _read_origins(value: JsonValue, event: Event) -> dict[str, str]:
    origins: dict[str, str] = {}
    for pointer, origin in value.items() if type(value) is dict else ():
        if type(origin) is not str or not is_pointer(pointer):
            _refuse("an origin is not text at a pointer", _place(event))
        origins[pointer] = origin
    if type(value) is not dict:
        _refuse("the origins are no object", _place(event))
    return origins


def _common_prefix(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike; slices are compared, not characters one by one."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _place(event: Event) -> str:
    return f"seq {event.seq}"


def _refuse(what: str, where: str) -> NoReturn:
    raise InputError(
        what, where=where, remedy="verify the log, and compare it with another copy", code="replay_mismatch"
    )
