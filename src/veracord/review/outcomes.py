"""What came of an act, as the log tells it, and which evidence cannot count: for whoever looks afterwards."""

from dataclasses import dataclass
from typing import Any, Final

from veracord.audit.events import Event, EventType
from veracord.errors import VeracordError
from veracord.review.acting import Act
from veracord.review.attaching import repair_anew
from veracord.review.stores import ReviewReader

#: Lines that are looked through for the events of a request; what lies further back is no news.
_NEWS: Final = 2_000
_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an event tells of an act.

    Attributes:
        event: The event.
        is_undone: Whether it was taken back since.
        fills: How many places were filled because of it.
    """

    event: Event
    is_undone: bool = False
    fills: int = 0


def outcome_of(reader: ReviewReader, event_id: str) -> Outcome | None:
    """Return what came of an act; None where there is no such event."""
    event = reader.event(event_id)
    if event is None or event.record_id is None:
        return None
    others = reader.events_of(event.record_id)
    is_undone = any(one.type is EventType.DECISION_UNDONE and one.data["undone"] == event.id for one in others)
    fills: list[Any] = [
        one.data["fills"] for one in others if one.type is EventType.FILL_APPLIED and one.data.get("cause") == event.id
    ]
    return Outcome(event, is_undone, sum(map(len, fills)))


def events_of_request(reader: ReviewReader, request_id: str, kind: EventType) -> list[Event]:
    """Return the events of a kind that a request left not long ago; they stand in the log one behind the other."""
    found: list[Event] = []
    before: int | None = None
    passed = 0
    sought = request_id.encode()
    while sought and passed < _NEWS and (lines := reader.last_lines(before, _PAGE, None)):
        fitting = [line for _, line in lines if sought in line]
        told = [Event.from_json(line) for line in fitting]
        found += [one for one in told if one.request_id == request_id and one.type is kind]
        # As long as there are some, more may lie behind them.
        passed = 0 if fitting else passed + len(lines)
        before = lines[-1][0]
    return found


def unused_evidence(act: Act, record_id: str) -> dict[str, str]:
    """Return which evidence of a record is not about its product or cannot be used, by id, with the code of the reason.

    Nothing is returned where nobody can say.
    """
    record = act.find_record(record_id)
    kept = [one for one in act.reader.evidence_of(record_id) if one.is_active]
    try:
        result = repair_anew(act, act.profile_of(record), record, kept)
    except VeracordError:
        return {}
    told = {row.evidence_id: row.reason for row in result.sources if not row.used and row.reason}
    return {name: str(reason) for name, reason in told.items() if name is not None}
