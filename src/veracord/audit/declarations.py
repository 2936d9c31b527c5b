"""What stands behind declared values, as events tell it: document, page and quote."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from veracord.audit.events import Event, EventType
from veracord.records.pointers import is_under, split
from veracord.records.values import JsonObject

_DECLARED: Final = "declared"
#: Members of a declaration that its event tells.
_NAMES: Final = ("document_digest", "page", "quote", "quote_found")


def declaration_of(event: Event) -> JsonObject:
    """Return what an event ``value.declared`` tells of its source, with the id of the event."""
    return {**{name: event.data.get(name) for name in _NAMES}, "event_id": event.id}


def standing_declarations(
    events: Iterable[Event], origins: Mapping[str, str], undone: Collection[str] = ()
) -> dict[str, JsonObject]:
    """Return what stands behind each declared leaf of a record: the latest declaration there that nobody took back.

    Args:
        events: Events about the record in their order; only declarations and what was taken back matters.
        origins: The origins of the record as it is now.
        undone: Ids of events that are taken back besides those that the events tell of.
    """
    known = [one for one in events if one.type in (EventType.VALUE_DECLARED, EventType.DECISION_UNDONE)]
    gone = {*undone, *(str(one.data.get("undone")) for one in known if one.type is EventType.DECISION_UNDONE)}
    declared = [one for one in reversed(known) if one.type is EventType.VALUE_DECLARED and one.id not in gone]
    found: dict[str, JsonObject] = {}
    for at in (at for at, origin in origins.items() if origin == _DECLARED):
        place = split(at)
        for event in declared:
            top = split(event.pointer or "")
            if is_under(place, top) or is_under(top, place):
                found[at] = declaration_of(event)
                break
    return found
