"""Whether what a person saw is still there: the value at the place, and what is wrong with it.

Another place may have changed; then the decision goes through.
"""

from dataclasses import dataclass, field
from typing import Final

from veracord.audit.replay import Replayed, replay
from veracord.errors import DecisionError
from veracord.records.pointers import Tokens, get, is_under
from veracord.records.profiles import Profile
from veracord.records.reading import read_record
from veracord.records.values import JsonObject, JsonValue, Missing
from veracord.records.violations import Finding
from veracord.review.acting import Act
from veracord.review.decisions import Seen
from veracord.review.records import StoredRecord, value_hash

_REMEDY: Final = "look at it again and decide anew"


@dataclass(frozen=True, slots=True)
class Change:
    """What is not as it was seen.

    Attributes:
        then: What stood there at the revision that was seen; `MISSING` where nothing did; None for no such revision.
        now: What stands there.
        revision: The revision now.
    """

    then: JsonValue | Missing = field(repr=False)
    now: JsonValue | Missing = field(repr=False)
    revision: int


def seen_of(record: StoredRecord, place: Tokens) -> Seen:
    """Return what somebody sees who looks at a place now."""
    return Seen(record.revision, value_hash(get(record.value, place)))


def findings_at(profile: Profile, record: JsonObject, place: Tokens) -> list[Finding]:
    """Return what is wrong at a place or below it."""
    return [finding for finding in profile.findings(record) if is_under(finding.tokens, place)]


def check_seen(act: Act, record: StoredRecord, profile: Profile, place: Tokens, seen: Seen) -> None:
    """Make sure that the value at a place, and what is wrong there, is what a person saw.

    Raises:
        DecisionError: ``changed_underneath``; its `change` holds what was and what is.
    """
    now = get(record.value, place)
    if seen.revision == record.revision and seen.value_hash == value_hash(now):
        return
    old = record_at(act, record, seen.revision)
    then = get(read_record(old.text.encode()).value, place) if old else None
    if old is None or seen.value_hash != value_hash(now) or value_hash(then) != seen.value_hash:
        raise _changed(Change(then, now, record.revision))
    before = {finding.key for finding in findings_at(profile, read_record(old.text.encode()).value, place)}
    if before != {finding.key for finding in findings_at(profile, record.value, place)}:
        raise _changed(Change(then, now, record.revision))


def record_at(act: Act, record: StoredRecord, revision: int) -> Replayed | None:
    """Return a record at an earlier revision, from the log; None where there was none."""
    if not 1 <= revision <= record.revision:
        return None
    events = [
        event
        for event in act.reader.events_of(record.record_id)
        if event.revision_after is not None and event.revision_after <= revision
    ]
    return replay(events).get(record.record_id)


def _changed(change: Change) -> DecisionError:
    error = DecisionError(
        "what stands there, or what is wrong with it, has changed since it was seen",
        remedy=_REMEDY,
        code="changed_underneath",
        details={"revision": change.revision},
    )
    error.change = change
    return error
