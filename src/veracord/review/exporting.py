"""Handing records out: what was accepted but is not verified is left out, or marked where somebody asks for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from veracord.audit.events import EventType
from veracord.records.evidence import UNSUPPORTING_ORIGINS
from veracord.records.pointers import is_under, split
from veracord.records.values import JsonObject, JsonValue
from veracord.review.acting import Act, Changes
from veracord.review.records import StoredRecord
from veracord.review.texts import without
from veracord.review.vouching import check_record

_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class ExportedRecord:
    """A record as it is handed out.

    Attributes:
        record_id: Its id.
        revision: Its revision.
        text: Its text in UTF-8.
        origins: Where leaves of it come from, by pointer.
        declarations: Document, page and quote of each declared value, by pointer.
        left_out: Places that are not in it because nothing verifies them.
    """

    record_id: str
    revision: int
    text: bytes = field(repr=False)
    origins: Mapping[str, str]
    declarations: Mapping[str, JsonObject] = field(repr=False)
    left_out: tuple[str, ...] = ()


def export(act: Act, record_ids: Sequence[str] | None, *, include_unverified: bool) -> Changes:
    """Hand records out, all of them where none is named.

    Raises:
        DecisionError: ``unknown_record``; ``not_signed_in``: nobody is known to ask.
        StorageError: ``store_damaged``: a record is not what its events left.
    """
    act.permit()
    records = _all(act) if record_ids is None else [act.find_record(record_id) for record_id in record_ids]
    act.about.clear()
    for record in records:
        check_record(act.reader, record)
    exported = [handed_out(record, include_unverified=include_unverified) for record in records]
    told: list[JsonValue] = [{"record_id": one.record_id, "revision": one.revision} for one in exported]
    data: JsonObject = {"what": "records", "include_unverified": include_unverified, "records": told}
    return Changes([act.draft(EventType.EXPORT_MADE, data)], result=exported)


def handed_out(record: StoredRecord, *, include_unverified: bool) -> ExportedRecord:
    """Return a record as it is handed out."""
    text, left_out = record.text, tuple[str, ...]()
    if not include_unverified:
        unverified = [at for at, origin in record.origins.items() if origin in UNSUPPORTING_ORIGINS]
        text, _, left_out = without(text, record.value, unverified)
    gone = [split(at) for at in left_out]
    origins = {at: told for at, told in record.origins.items() if not any(is_under(split(at), top) for top in gone)}
    return ExportedRecord(
        record.record_id, record.revision, text.encode(), origins, dict(record.declarations), left_out
    )


def log_export(act: Act, what: str) -> Changes:
    """Note that the log itself was handed out.

    Raises:
        AccessError: ``not_signed_in``: nobody is known to ask.
    """
    act.permit()
    event = act.draft(EventType.EXPORT_MADE, {"what": what})
    return Changes([event], result=event.id)


def _all(act: Act) -> list[StoredRecord]:
    found: list[StoredRecord] = []
    while page := act.reader.records(found[-1].record_id if found else "", _PAGE):
        found += page
    return found
