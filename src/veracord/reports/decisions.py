"""What programs get to see of decisions, and of what holds for all of them."""

from typing import Any

from veracord.review.decisions import Done
from veracord.review.settings import ReviewSettings

Row = dict[str, Any]


def done_report(act: str, done: Done) -> Row:
    """Return what came of a decision for programs."""
    return {
        "act": act,
        "event_id": done.event_id,
        "record_id": done.record_id,
        "revision": done.revision,
        "awaits_second": done.awaits_second,
        "fills": list(done.fills),
    }


def settings_report(found: ReviewSettings, *, is_changed: bool) -> Row:
    """Return the settings of a store for programs."""
    return {**found.to_object(), "changed": is_changed}
