"""What changed underneath a decision, for programs: what stood there, and what stands there now."""

from typing import Any

from veracord.records.values import MISSING, JsonValue, Missing
from veracord.review.seeing import Change

Row = dict[str, Any]


def change_row(change: Change) -> Row:
    """Return a change for programs; a revision that never was is told as a null."""
    return {
        "then": _standing(change.then),
        "now": _standing(change.now),
        "revision": change.revision,
    }


def _standing(value: JsonValue | Missing) -> Row:
    """Return what stands at a place, told apart from nothing."""
    return {"stands": False} if value is MISSING else {"stands": True, "value": value}
