"""Which suggestions a filter means, as conditions of statements."""

from collections.abc import Sequence
from typing import Any, Final

from veracord.audit.events import utc_text
from veracord.review.facets import filed
from veracord.review.suggestions import Status, SuggestionFilter

#: A condition with its values.
Condition = tuple[str, list[Any]]

#: The columns that a filter can ask for one value of, but for places.
_PLAIN: Final = ("record_id", "rule", "model")


def plain_conditions(wanted: SuggestionFilter, leader: str | None = None) -> list[Condition]:
    """Return the conditions of a filter but for place and status.

    Args:
        wanted: The filter.
        leader: The column whose index is to be used; None for whichever.
    """
    found: list[Condition] = []
    for name in _PLAIN:
        asked = getattr(wanted, name)
        if asked is not None:
            found.append((f"{column(name, leader)} = ?", [filed(asked)]))
    if wanted.older_than is not None:
        found.append(("created_at < ?", [utc_text(wanted.older_than)]))
    if wanted.newer_than is not None:
        found.append(("created_at >= ?", [utc_text(wanted.newer_than)]))
    return found


def column(name: str, leader: str | None) -> str:
    """Return how a column is named where the index of another one is to be used: what is put together has none."""
    return name if leader in (None, name) else f"({name} || '')"


def place_condition(wanted: SuggestionFilter) -> list[Condition]:
    """Return the condition of the place of a filter, if it has one."""
    if wanted.pointer is None:
        return []
    below = f"{filed(wanted.pointer)}/"
    return [("(pointer = ? OR substr(pointer, 1, ?) = ?)", [below[:-1], len(below), below])]


def status_condition(status: Sequence[Status]) -> list[Condition]:
    """Return the condition of the statuses of a filter, if it has any."""
    marks = ", ".join("?" for _ in status)
    return [(f"status IN ({marks})", [one.value for one in status])] if status else []


def joined(conditions: Sequence[Condition]) -> Condition:
    """Return conditions as one."""
    return " AND ".join(["1 = 1", *(text for text, _ in conditions)]), [one for _, own in conditions for one in own]
