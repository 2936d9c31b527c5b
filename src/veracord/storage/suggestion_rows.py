"""Suggestions in a database: a queue of many is read in its order by indexes, and never counted row by row."""

import heapq
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Final

from veracord.review.damage import damaged, kept_as_written
from veracord.review.facets import filed
from veracord.review.suggestions import Status, StoredSuggestion, SuggestionFilter
from veracord.storage.sessions import Row, Session
from veracord.storage.suggestion_counts import Kind, add_changes, count_kinds
from veracord.storage.suggestion_filters import (
    Condition,
    column,
    joined,
    place_condition,
    plain_conditions,
    status_condition,
)

#: The columns of a suggestion: what it is filed under, and the suggestion itself.
_COLUMNS: Final = "suggestion_id, record_id, pointer, rule, model, status, created_at, ledger_key, body"
_ORDER: Final = "ORDER BY created_at, suggestion_id"
#: Places below a place that are each read in order; where there are more, rows are passed over instead.
_MOST_PLACES: Final = 64
#: Rows that one statement asks for by name.
_CHUNK: Final = 500


def find_suggestion(session: Session, suggestion_id: str) -> StoredSuggestion | None:
    """Return a suggestion as it is now."""
    rows = session.execute(f"SELECT {_COLUMNS} FROM proposals WHERE suggestion_id = ?", (suggestion_id,))  # noqa: S608 - ours
    return _suggestion(rows[0]) if rows else None


def find_suggestions(session: Session, wanted: SuggestionFilter, limit: int, offset: int) -> list[StoredSuggestion]:
    """Return what a filter means; a limit below 0 is none."""
    condition, values = joined([*plain_conditions(wanted), *place_condition(wanted), *status_condition(wanted.status)])
    ends, more = (" LIMIT ? OFFSET ?", [limit, offset]) if limit >= 0 else ("", [])
    rows = session.execute(
        f"SELECT {_COLUMNS} FROM proposals WHERE {condition} {_ORDER}{ends}",  # noqa: S608 - ours
        [*values, *more],
    )
    return [_suggestion(row) for row in rows]


def suggestions_behind(
    session: Session, wanted: SuggestionFilter, limit: int, behind: tuple[str, str] | None
) -> list[StoredSuggestion]:
    """Return what a filter means behind a moment and an id: one stream for each status and place, which are merged."""
    leader = _leader(session, wanted)
    conditions = plain_conditions(wanted, leader)
    if behind is not None:
        conditions.append(("(created_at, suggestion_id) > (?, ?)", list(behind)))
    status = column("status", leader if leader == "record_id" else None)
    streams = [
        _stream(session, [*conditions, *place, (f"{status} = ?", [one.value])], limit)
        for one in wanted.status or tuple(Status)
        for place in _places(session, wanted, leader)
    ]
    return [_suggestion(row) for row in islice(heapq.merge(*streams, key=_order), limit)]


def is_rejected_elsewhere(session: Session, suggestion: StoredSuggestion) -> bool:
    """Whether another suggestion that the ledger does not tell from this one is rejected."""
    rows = session.execute(
        "SELECT 1 FROM proposals WHERE ledger_key = ? AND status = ? AND suggestion_id <> ? LIMIT 1",
        (suggestion.ledger_key, Status.REJECTED.value, suggestion.id),
    )
    return bool(rows)


def put_suggestions(session: Session, suggestions: Sequence[StoredSuggestion]) -> None:
    """Keep suggestions as they are now, and the counts of them."""
    latest = list({one.id: one for one in suggestions}.values())
    changes: Counter[Kind] = Counter()
    for start in range(0, len(latest), _CHUNK):
        rows = [(*_columns(one), one.to_text()) for one in latest[start : start + _CHUNK]]
        changes.update((row[1], row[2], row[3], row[4], row[5], row[6]) for row in rows)
        changes.subtract(_known_kinds(session, [row[0] for row in rows]))
        session.change_many(
            f"INSERT INTO proposals ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - ours
            " ON CONFLICT (suggestion_id) DO UPDATE SET rule = excluded.rule, model = excluded.model,"
            " status = excluded.status, created_at = excluded.created_at, body = excluded.body",
            rows,
        )
    add_changes(session, changes)


def _known_kinds(session: Session, names: Sequence[str]) -> list[Kind]:
    """Return what suggestions were counted under until now."""
    marks = ", ".join("?" for _ in names)
    rows = session.execute(
        "SELECT record_id, pointer, rule, model, status, created_at FROM proposals"  # noqa: S608 - ours
        f" WHERE suggestion_id IN ({marks})",
        names,
    )
    return [(row[0], row[1], row[2], row[3], row[4], row[5]) for row in rows]


def _leader(session: Session, wanted: SuggestionFilter) -> str | None:
    """Return the column whose index finds the fewest rows, where a filter asks for several; None where for one."""
    if wanted.record_id is not None:
        return "record_id"
    asked = {
        "pointer": place_condition(wanted),
        "rule": plain_conditions(SuggestionFilter(rule=wanted.rule)),
        "model": plain_conditions(SuggestionFilter(model=wanted.model)),
    }
    numbers = {name: count_kinds(session, conditions) for name, conditions in asked.items() if conditions}
    return min(numbers, key=lambda name: numbers[name]) if len(numbers) > 1 else None


def _places(session: Session, wanted: SuggestionFilter, leader: str | None) -> list[list[Condition]]:
    """Return conditions for the places that a filter means, so that each is read in order."""
    below = place_condition(wanted)
    if not below or leader not in (None, "pointer"):
        return [below]
    kinds = SuggestionFilter(rule=wanted.rule, model=wanted.model)
    condition, values = joined([*below, *plain_conditions(kinds), *status_condition(wanted.status)])
    rows = session.execute(
        f"SELECT DISTINCT pointer FROM suggestion_counts WHERE {condition} LIMIT ?",  # noqa: S608 - ours
        [*values, _MOST_PLACES + 1],
    )
    return [[("pointer = ?", [row[0]])] for row in rows] if len(rows) <= _MOST_PLACES else [below]


def _stream(session: Session, conditions: Sequence[Condition], limit: int) -> list[Row]:
    condition, values = joined(conditions)
    return session.execute(
        f"SELECT {_COLUMNS} FROM proposals WHERE {condition} {_ORDER} LIMIT ?",  # noqa: S608 - ours
        [*values, limit],
    )


def _order(row: Row) -> tuple[str, str]:
    return row[6], row[0]


def _suggestion(row: Row) -> StoredSuggestion:
    *columns, body = row
    with kept_as_written(f"suggestion {columns[0]} of record {columns[1]}"):
        found = StoredSuggestion.from_text(body)
    if tuple(columns) != _columns(found):
        raise damaged("the suggestion is filed as another one than it is", f"suggestion {found.id}")
    return found


def _columns(suggestion: StoredSuggestion) -> tuple[str, ...]:
    """Return what a suggestion is filed under."""
    return (
        *(suggestion.id, suggestion.record_id, filed(suggestion.pointer), filed(suggestion.rule)),
        *(filed(suggestion.model), suggestion.status.value, suggestion.created_at, suggestion.ledger_key),
    )
