"""What programs get to see of the log, beside its lines."""

from typing import Any

from veracord.audit.events import Event
from veracord.audit.findings import AuditReport

Row = dict[str, Any]


def event_row(event: Event) -> Row:
    """Return an event without the values that it holds."""
    data = event.data
    return {
        "seq": event.seq,
        "event_id": event.id,
        "at": event.at,
        "type": event.type.value,
        "actor": event.actor.to_object(),
        "pointer": event.pointer,
        "revision_before": event.revision_before,
        "revision_after": event.revision_after,
        "reason": data.get("reason") or data.get("note") or None,
        "code": data.get("reason_code") or data.get("code"),
        "suggestion_id": data.get("suggestion_id"),
        "takes_back": data.get("undone"),
        "cause": data.get("cause"),
    }


def verification_report(report: AuditReport) -> Row:
    """Return what was found in a log, and what that shows, in sentences."""
    return {**report.to_dict(), "statements": list(report.statements())}
