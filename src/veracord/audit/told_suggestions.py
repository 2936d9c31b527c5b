"""How suggestions stand, as the events tell it: the log alone says what waits, and what was decided."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from veracord.audit.events import Event, EventType
from veracord.records.values import JsonObject

#: With these a suggestion begins, or begins again.
_OPENING: Final = frozenset({EventType.SUGGESTION_CREATED, EventType.SUGGESTION_REOPENED})
_OPEN: Final = "open"
#: What the event of a suggestion tells of it; the words of the model are not in the log.
_CONTENT: Final = ("value", "rule", "model", "confidence", "rank")


@dataclass(frozen=True, slots=True)
class ToldSuggestion:
    """A suggestion, or a declaration that waits for its second person, as the log gives it.

    Attributes:
        record_id: The record that it is for.
        status: How it stands.
        pointer: Its place.
        content: Value, rule, model, confidence and rank; None for a declaration, of which the log tells what was
            entered and no suggestion.
        first: Who is the first of two persons; None where nobody waits for a second one.
    """

    record_id: str | None
    status: str
    pointer: str | None
    content: JsonObject | None = field(default=None, repr=False)
    first: str | None = None


def told_suggestions(events: Iterable[Event]) -> dict[str, ToldSuggestion]:
    """Return every suggestion of a log by its id, as it is after all events.

    What an event holds besides is passed over: whether it is sound is for others to say.
    """
    found: dict[str, ToldSuggestion] = {}
    for event in events:
        add_told(found, event)
    return found


def add_told(found: dict[str, ToldSuggestion], event: Event) -> None:
    """Enter what one more event tells of suggestions."""
    name = str(event.data.get("suggestion_id"))
    if event.type in _OPENING:
        content: JsonObject = {one: event.data.get(one) for one in _CONTENT}
        found[name] = ToldSuggestion(event.record_id, _OPEN, event.pointer, content)
        return
    moves: Any = event.data.get("statuses")
    for move in moves if type(moves) is list else ():
        if type(move) is not dict:
            continue
        one = str(move.get("id"))
        # Nothing tells of a declaration before it waits, so its first event is about its place.
        known = found.get(one) or ToldSuggestion(event.record_id, "", event.pointer)
        found[one] = replace(known, status=str(move.get("to")), first=_first(event))


def _first(event: Event) -> str | None:
    """Return who waits for a second person since an event; every move of a suggestion ends such waiting."""
    return event.actor.id if event.data.get("awaits_second") is True else None
