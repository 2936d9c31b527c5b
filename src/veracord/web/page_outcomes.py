"""What was done, as the log tells it: the address of a page names the event, and never what it is said to have done."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from veracord.audit.events import EventType
from veracord.bootstrap.serving import ServedParts
from veracord.review.outcomes import Outcome
from veracord.web.callers import Asking
from veracord.web.page_texts import AWAITS, DONE, SAID, UNDONE_SINCE, UNUSED, number_text, time_text, visible

_REQUEST: Final = "bulk."


async def done_words(parts: ServedParts, asking: Asking, told: str) -> str:
    """Return what an event did, or the rejections of a request; nothing where the log tells of none."""
    if told.startswith(_REQUEST):
        return await _bulk_words(parts, asking, told.removeprefix(_REQUEST))
    found = await parts.service.outcome(told) if told else None
    if found is None:
        return ""
    unused: Mapping[str, str] = {}
    if found.event.type is EventType.EVIDENCE_ATTACHED and not found.fills and found.event.record_id:
        unused = await parts.service.unused_evidence(found.event.record_id)
    return outcome_words(found, asking.caller.id, unused)


def outcome_words(found: Outcome, viewer: str, unused: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return what was done, who it was where that is somebody else, and whether it still holds."""
    event = found.event
    act = SAID.get(event.type.value, "")
    if not act:
        return ""
    if found.is_undone:
        return UNDONE_SINCE
    words = AWAITS if event.data.get("awaits_second") else DONE["edit" if event.data.get("edited") else act]
    if act == "attach":
        why = UNUSED.get(unused.get(str(event.data["evidence_id"]), ""), "")
        words += f" It fills nothing: {why.partition(', so ')[0]}." if why else fills_words(found.fills)
    who = event.actor.id
    return words if who == viewer else f"{words} It was {visible(who)}, {time_text(event.at)}."


def fills_words(number: int) -> str:
    """Return how many places were filled, as words behind others."""
    return f" {number_text(number, 'place')} filled from it." if number else " It fills nothing."


def bulk_address(request_id: str) -> str:
    """Return what an address says of the rejections of a request."""
    return f"{_REQUEST}{request_id}"


async def _bulk_words(parts: ServedParts, asking: Asking, request_id: str) -> str:
    events = await parts.service.events_of_request(request_id, EventType.SUGGESTION_REJECTED)
    if not events:
        return ""
    who = events[0].actor.id
    by = "" if who == asking.caller.id else f" It was {visible(who)}, {time_text(events[0].at)}."
    return f"{number_text(len(events), 'suggestion')} rejected. None is suggested again.{by}"
