"""What programs get to see of where a value comes from, and of what happened to its place."""

from typing import Any

from veracord.records.values import MISSING
from veracord.reports.audit import event_row
from veracord.reports.places import beside_row
from veracord.reports.suggestions import suggestion_row
from veracord.review.explaining import Account, Leaf

Row = dict[str, Any]


def account_report(account: Account) -> Row:
    """Return what is known of a place for programs."""
    stands = account.value is not MISSING
    return {
        "schema_version": 1,
        "record_id": account.record.record_id,
        "profile": account.record.profile,
        "revision": account.record.revision,
        "pointer": account.pointer,
        "origin": account.origin,
        "stands": stands,
        "value": account.value if stands else None,
        "leaves": [_leaf_row(leaf) for leaf in account.leaves],
        "violations": None if account.violations is None else list(account.violations),
        "evidence": [beside_row(one) for one in account.evidence],
        "suggestions": [suggestion_row(one) for one in account.suggestions],
        "history": [{**event_row(one), "undone": one.id in account.undone} for one in account.history],
    }


def _leaf_row(leaf: Leaf) -> Row:
    row: Row = {"pointer": leaf.pointer, "value": leaf.value, "origin": leaf.origin}
    row["event"] = None if leaf.event is None else event_row(leaf.event)
    if leaf.fill is not None:
        row |= {"fill": leaf.fill, "evidence_kept": leaf.is_kept}
    if leaf.event is not None and leaf.suggestion is not None:
        data = leaf.event.data
        row |= {"suggestion": suggestion_row(leaf.suggestion), "edited": bool(data.get("edited", False))}
        row["first_person"] = data.get("first_person")
    if leaf.declaration is not None:
        row["declaration"] = leaf.declaration
    return row
