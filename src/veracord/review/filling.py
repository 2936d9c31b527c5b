"""Fills of a repair as revisions of a record: one event for each place, with the evidence behind it."""

from veracord.audit.events import EventType
from veracord.composer.repair import repair_record
from veracord.composer.results import Fill, RepairResult
from veracord.records.matching import EvidenceIndex
from veracord.records.pointers import Tokens, get, is_under, join, split
from veracord.records.profiles import Profile
from veracord.records.reading import Document
from veracord.records.values import MISSING, JsonObject, JsonValue, digest
from veracord.review.acting import Act, Changes, changed_record
from veracord.review.records import StoredRecord
from veracord.review.texts import origins_with, set_in_text

#: The origin of what was filled.
EVIDENCE = "evidence"


def document_of_text(text: str, value: JsonObject) -> Document:
    """Return the text of a record as repair takes it."""
    data = text.encode()
    return Document(value, data, digest(data))


def repaired(
    profile: Profile, text: str, value: JsonObject, index: EvidenceIndex, origins: dict[str, str]
) -> RepairResult:
    """Return what a repair makes of a text."""
    return repair_record(profile, document_of_text(text, value), index, origins)


def apply_fills(act: Act, changes: Changes, record: StoredRecord, result: RepairResult, cause: str) -> StoredRecord:
    """Add the fills of a repair to what an act changes, and return the record after them.

    Args:
        act: What is done.
        changes: Gets an event for each place that was filled.
        record: The record; it may hold more than what was repaired.
        result: The repair.
        cause: The id of the event that the repair belongs to.
    """
    left = list(result.fills)
    for place in sorted(result.filled):
        fills = [fill for fill in left if is_under(split(fill.path), place)]
        if not fills:
            continue
        left = [fill for fill in left if fill not in fills]
        record = _apply(act, changes, record, (place, _value_at(result.record, place)), fills, cause)
    changes.record = record
    return record


def _apply(
    act: Act, changes: Changes, record: StoredRecord, target: tuple[Tokens, JsonValue], fills: list[Fill], cause: str
) -> StoredRecord:
    place, value = target
    text, after = set_in_text(record.text, record.value, place, value)
    origins = origins_with(record.origins, after, place, None)
    kept = {at: told for at, told in record.declarations.items() if origins.get(at) == "declared"}
    origins |= dict.fromkeys((fill.path for fill in fills), EVIDENCE)
    new, change = changed_record(record, text, origins, kept)
    told: list[JsonValue] = [fill.to_dict() for fill in fills]
    data: JsonObject = {"fills": told, "cause": cause, **change}
    changes.drafts.append(act.draft(EventType.FILL_APPLIED, data, before=record, after=new, pointer=join(place)))
    return new


def _value_at(record: JsonObject, place: Tokens) -> JsonValue:
    value = get(record, place)
    assert value is not MISSING  # noqa: S101 - repair says that it was set
    return value
