"""How many suggestions there are of each kind: sums that are kept in the transaction that changes them.

Beside the sums stands what has changed lately, so that who has counted something else keeps up with it.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from veracord.review.facets import CountChange
from veracord.review.suggestions import SuggestionFilter
from veracord.storage.audit_rows import read_end
from veracord.storage.sessions import Session
from veracord.storage.suggestion_filters import Condition, joined, place_condition, plain_conditions, status_condition

#: What a suggestion is counted under: record, pointer, rule, model, status, and when it came.
Kind = tuple[str, str, str, str, str, str]

#: For so many events what has changed is kept.
_KEPT: Final = 2_000
#: Where more has changed than this, counting again is quicker.
_MOST_CHANGES: Final = 1_000

_SUMS: Final = "pointer, rule, model, status"


def count_by(session: Session, wanted: SuggestionFilter, facet: str) -> dict[str, int]:
    """Return how many suggestions a filter means by the value of a facet."""
    name = "record_id" if facet == "record" else facet
    is_timed = wanted.older_than is not None or wanted.newer_than is not None
    has_rows = facet == "record" or wanted.record_id is not None or is_timed
    source, number = ("proposals", "COUNT(*)") if has_rows else ("suggestion_counts", "SUM(number)")
    condition, values = joined([*plain_conditions(wanted), *place_condition(wanted), *status_condition(wanted.status)])
    rows = session.execute(
        f"SELECT {name}, {number} FROM {source} WHERE {condition} GROUP BY {name}",  # noqa: S608 - ours
        values,
    )
    return {row[0]: int(row[1]) for row in rows}


def count_kinds(session: Session, conditions: list[Condition]) -> int:
    """Return how many suggestions there are of the kinds that conditions about place, rule, model and status mean."""
    condition, values = joined(conditions)
    ((number,),) = session.execute(f"SELECT SUM(number) FROM suggestion_counts WHERE {condition}", values)  # noqa: S608 - ours
    return int(number or 0)


def count_changes(session: Session, after: int) -> list[CountChange] | None:
    """Return what has changed since the log ended at a number; None where that is not known any more."""
    if after < read_end(session) - _KEPT:
        return None
    rows = session.execute(
        "SELECT record_id, pointer, rule, model, status, created_at, number FROM suggestion_changes WHERE at > ?"
        " LIMIT ?",
        (after, _MOST_CHANGES + 1),
    )
    # Of a transaction that changed too much, a row without a number is kept.
    if len(rows) > _MOST_CHANGES or not all(row[6] for row in rows):
        return None
    return [CountChange(row[0], row[1], row[2], row[3], row[4], row[5], int(row[6])) for row in rows]


def add_changes(session: Session, changes: Mapping[Kind, int]) -> None:
    """Add to the sums what has changed, and keep it for a while.

    It is told by events that follow the end of the log as it is now.
    """
    changed = {kind: number for kind, number in changes.items() if number}
    if not changed:
        return
    sums: Counter[tuple[str, ...]] = Counter()
    for (_, *kind, _), number in changed.items():
        sums[*kind,] += number
    _add(session, sums)
    end = read_end(session)
    session.change("DELETE FROM suggestion_changes WHERE at < ?", (end - _KEPT,))
    rows = [(end + 1, *kind, number) for kind, number in changed.items()]
    session.change_many(
        "INSERT INTO suggestion_changes (at, record_id, pointer, rule, model, status, created_at, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        rows if len(rows) <= _MOST_CHANGES else [(end + 1, "", "", "", "", "", "", 0)],
    )


def _add(session: Session, sums: Counter[tuple[str, ...]]) -> None:
    # In one order, so that of two servers none waits for the other crosswise.
    changed = [(kind, number) for kind, number in sorted(sums.items()) if number]
    session.change_many(
        f"INSERT INTO suggestion_counts ({_SUMS}, number) VALUES (?, ?, ?, ?, ?)"  # noqa: S608 - ours
        f" ON CONFLICT ({_SUMS}) DO UPDATE SET number = suggestion_counts.number + excluded.number",
        [(*kind, number) for kind, number in changed],
    )
    gone = [kind for kind, number in changed if number < 0]
    if gone:
        session.change_many(
            "DELETE FROM suggestion_counts WHERE pointer = ? AND rule = ? AND model = ? AND status = ? AND number = 0",
            gone,
        )
