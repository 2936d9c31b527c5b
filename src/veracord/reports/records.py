"""What programs get to see of records, of the evidence that is kept with them, and of bringing them in and out."""

import re
from typing import Any, Final

from veracord.records.evidence import EvidenceItem
from veracord.records.writing import raw
from veracord.review.exporting import ExportedRecord
from veracord.review.importing import Imported
from veracord.review.records import StoredEvidence, StoredRecord

Row = dict[str, Any]

#: A line break between values, with the blanks around it; in a text none can stand.
_BREAK: Final = re.compile(rb"[ \t]*[\r\n][ \t\r\n]*")


def record_row(one: StoredRecord, *, with_record: bool) -> Row:
    """Return a record as it is now.

    Args:
        one: The record.
        with_record: Whether its text and the origins of its leaves are wanted, too.
    """
    row: Row = {
        "record_id": one.record_id,
        "profile": one.profile,
        "profile_digest": one.profile_digest,
        "schema_digest": one.schema_digest,
        "revision": one.revision,
    }
    if with_record:
        row |= {"origins": dict(one.origins), "declarations": dict(one.declarations)}
        row["record"] = raw(one_line(one.text.encode()))
    return row


def evidence_row(item: EvidenceItem) -> Row:
    """Return an evidence item with its reference."""
    row: Row = {
        "id": item.id,
        "evidence_ref": item.evidence_ref,
        "where": item.where,
        "rank": item.rank,
        "source_ref": item.source_ref,
    }
    return {**row, "content": item.content} if item.text is None else {**row, "text": item.text}


def kept_evidence_row(kept: StoredEvidence) -> Row:
    """Return what is known of evidence that is kept with a record, without what it says."""
    item = kept.item
    return {
        "id": item.id,
        "evidence_ref": item.evidence_ref,
        "rank": item.rank,
        "source_ref": item.source_ref,
        "is_text": item.text is not None,
        "attached": kept.is_attached,
    }


def imported_row(imported: Imported, waiting: int, suggestions_status: str) -> Row:
    """Return what came of bringing a record in.

    Args:
        imported: What the service says.
        waiting: How many suggestions for it wait for a decision.
        suggestions_status: How asking for suggestions went.
    """
    return {
        "record_id": imported.record.record_id,
        "revision": imported.record.revision,
        "fills": imported.fills,
        "suggestions_created": imported.created,
        "suggestions_reopened": imported.reopened,
        "suggestions_waiting": waiting,
        "suggestions_status": suggestions_status,
        "decisions_dropped": list(imported.dropped),
        "event_id": imported.event_id,
    }


def exported_row(one: ExportedRecord, *, with_record: bool) -> Row:
    """Return a record as it is handed out.

    Args:
        one: The record.
        with_record: Whether its text goes along.
    """
    row: Row = {
        "record_id": one.record_id,
        "revision": one.revision,
        "origins": dict(one.origins),
        "declarations": dict(one.declarations),
        "left_out": list(one.left_out),
    }
    return {**row, "record": raw(one_line(one.text))} if with_record else row


def one_line(text: bytes) -> bytes:
    """Return JSON text in one line; nothing else of its spelling changes."""
    return _BREAK.sub(b"", text.strip())
