"""Suggestions in a database: a queue of many is read in its order by indexes, and never counted row by row.

How many there are of each kind, and for each record, is kept in the transaction that changes them.
"""

import heapq
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from veracord.audit.events import utc_text
from veracord.review.damage import damaged, kept_as_written
from veracord.review.facets import FACETS, MOST_VALUES, FacetCount, Facets, without_own
from veracord.review.suggestions import UNDECIDED, Status, StoredSuggestion, SuggestionFilter
from veracord.storage.sessions import Row, Session

#: The columns of a suggestion: what it is filed under, and the suggestion itself.
_COLUMNS: Final = "suggestion_id, record_id, pointer, rule, model, status, created_at, ledger_key, body"
_ORDER: Final = "ORDER BY created_at, suggestion_id"
#: The columns that a filter can ask for one value of, but for places.
_PLAIN: Final = ("record_id", "rule", "model")
#: Places below a place that are each read in order; where there are more, rows are passed over instead.
_MOST_PLACES: Final = 64
#: Rows that one statement asks for by name.
_CHUNK: Final = 500
#: The sums over statuses that are kept for each record, besides those by status.
_UNDECIDED: Final = "undecided"
_ALL: Final = "all"

_Condition = tuple[str, list[Any]]
_Counted = tuple[str, str, str, str, str]


def find_suggestion(session: Session, suggestion_id: str) -> StoredSuggestion | None:
    """Return a suggestion as it is now."""
    rows = session.execute(f"SELECT {_COLUMNS} FROM proposals WHERE suggestion_id = ?", (suggestion_id,))  # noqa: S608 - ours
    return _suggestion(rows[0]) if rows else None


def find_suggestions(session: Session, wanted: SuggestionFilter, limit: int, offset: int) -> list[StoredSuggestion]:
    """Return what a filter means; a limit below 0 is none."""
    condition, values = _joined([*_conditions(wanted), *_place_condition(wanted), *_status_condition(wanted.status)])
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
    conditions = _conditions(wanted, leader)
    if behind is not None:
        conditions.append(("(created_at, suggestion_id) > (?, ?)", list(behind)))
    streams = [
        _stream(session, [*conditions, *place, ("status = ?", [status.value])], limit)
        for status in wanted.status or tuple(Status)
        for place in _places(session, wanted, leader)
    ]
    return [_suggestion(row) for row in islice(heapq.merge(*streams, key=_order), limit)]


def count_suggestions(session: Session, wanted: SuggestionFilter) -> dict[str, int]:
    """Return how many a filter means by status."""
    return dict(_counts(session, without_own(wanted, "status"), "status"))


def facets(session: Session, wanted: SuggestionFilter) -> Facets:
    """Return counts of what a filter could mean besides."""
    return Facets(**{facet: _facet(session, without_own(wanted, facet), facet) for facet in FACETS})


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
    for start in range(0, len(latest), _CHUNK):
        chunk = latest[start : start + _CHUNK]
        rows = [(*_columns(one), one.to_text()) for one in chunk]
        changes: Counter[_Counted] = Counter((row[1], row[2], row[3], row[4], row[5]) for row in rows)
        changes.subtract(_known(session, [one.id for one in chunk]))
        session.change_many(
            f"INSERT INTO proposals ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - ours
            " ON CONFLICT (suggestion_id) DO UPDATE SET rule = excluded.rule, model = excluded.model,"
            " status = excluded.status, created_at = excluded.created_at, body = excluded.body",
            rows,
        )
        _count(session, changes)


def storable(text: str) -> str:
    """Return a text as every database takes it; in a pointer, no other tilde is followed by one."""
    return text.replace("\0", "~~0").encode(errors="replace").decode()


def _known(session: Session, names: Sequence[str]) -> list[_Counted]:
    """Return what suggestions were filed under until now."""
    marks = ", ".join("?" for _ in names)
    rows = session.execute(
        f"SELECT record_id, pointer, rule, model, status FROM proposals WHERE suggestion_id IN ({marks})",  # noqa: S608 - ours
        names,
    )
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


def _count(session: Session, changes: Counter[_Counted]) -> None:
    """Add to the counts what has changed."""
    kinds: Counter[tuple[str, ...]] = Counter()
    records: Counter[tuple[str, ...]] = Counter()
    for (record_id, *kind, status), number in changes.items():
        kinds[(*kind, status)] += number
        for bucket in (status, _ALL, *((_UNDECIDED,) if status in UNDECIDED else ())):
            records[record_id, bucket] += number
    _add(session, "suggestion_counts", ("pointer", "rule", "model", "status"), kinds)
    _add(session, "record_counts", ("record_id", "bucket"), records)


def _add(session: Session, table: str, keys: tuple[str, ...], changes: Counter[tuple[str, ...]]) -> None:
    # In one order, so that of two servers none waits for the other crosswise.
    changed = [(key, number) for key, number in sorted(changes.items()) if number]
    if not changed:
        return
    names, marks = ", ".join(keys), ", ".join("?" for _ in keys)
    session.change_many(
        f"INSERT INTO {table} ({names}, number) VALUES ({marks}, ?)"  # noqa: S608 - ours
        f" ON CONFLICT ({names}) DO UPDATE SET number = {table}.number + excluded.number",
        [(*key, number) for key, number in changed],
    )
    gone = [key for key, number in changed if number < 0]
    if gone:
        condition = " AND ".join(f"{key} = ?" for key in keys)
        session.change_many(f"DELETE FROM {table} WHERE {condition} AND number = 0", gone)  # noqa: S608 - ours


def _facet(session: Session, wanted: SuggestionFilter, facet: str) -> tuple[FacetCount, ...]:
    """Return the counts of one facet, under a filter that says nothing of it."""
    return tuple(FacetCount(value, number) for value, number in _counts(session, wanted, facet, MOST_VALUES))


def _counts(session: Session, wanted: SuggestionFilter, facet: str, limit: int = -1) -> list[tuple[str, int]]:
    """Return how many there are of each value of a column, most frequent first, then by value."""
    column = "record_id" if facet == "record" else facet
    is_timed = wanted.older_than is not None or wanted.newer_than is not None
    conditions = _conditions(wanted)
    bucket = _bucket(wanted.status)
    if facet == "record" and bucket and not conditions and wanted.pointer is None:
        source, number, grouping = "record_counts", "number", ""
        conditions = [("bucket = ?", [bucket])]
    else:
        has_rows = facet == "record" or wanted.record_id is not None or is_timed
        source, number = ("proposals", "COUNT(*)") if has_rows else ("suggestion_counts", "SUM(number)")
        grouping = f" GROUP BY {column}"
        conditions += [*_place_condition(wanted), *_status_condition(wanted.status)]
    condition, values = _joined(conditions)
    ends, more = (" LIMIT ?", [limit]) if limit >= 0 else ("", [])
    rows = session.execute(
        f"SELECT {column}, {number} AS n FROM {source} WHERE {condition}{grouping} ORDER BY n DESC, {column}{ends}",  # noqa: S608 - ours
        [*values, *more],
    )
    return [(row[0], int(row[1])) for row in rows]


def _bucket(status: tuple[Status, ...]) -> str | None:
    """Return under what the sum over statuses is kept for each record; None where it is not."""
    if not status or set(status) == set(Status):
        return _ALL
    if set(status) == set(UNDECIDED):
        return _UNDECIDED
    return status[0].value if len(set(status)) == 1 else None


def _leader(session: Session, wanted: SuggestionFilter) -> str | None:
    """Return the column whose index finds the fewest rows, where a filter asks for several; None where for one."""
    if wanted.record_id is not None:
        return "record_id"
    asked = [
        (column, condition)
        for column, condition in (
            ("pointer", _place_condition(wanted)),
            *((name, _conditions(SuggestionFilter(**{name: getattr(wanted, name)}))) for name in ("rule", "model")),
        )
        if condition
    ]
    if len(asked) < 2:  # noqa: PLR2004 - several
        return None
    return min(asked, key=lambda one: _number(session, one[1]))[0]


def _number(session: Session, conditions: Sequence[_Condition]) -> int:
    condition, values = _joined(conditions)
    ((number,),) = session.execute(f"SELECT SUM(number) FROM suggestion_counts WHERE {condition}", values)  # noqa: S608 - ours
    return int(number or 0)


def _places(session: Session, wanted: SuggestionFilter, leader: str | None) -> list[list[_Condition]]:
    """Return conditions for the places that a filter means, so that each is read in order."""
    below = _place_condition(wanted)
    if not below or leader not in (None, "pointer"):
        return [below]
    condition, values = _joined(below)
    rows = session.execute(
        f"SELECT DISTINCT pointer FROM suggestion_counts WHERE {condition} LIMIT ?",  # noqa: S608 - ours
        [*values, _MOST_PLACES + 1],
    )
    return [[("pointer = ?", [row[0]])] for row in rows] if len(rows) <= _MOST_PLACES else [below]


def _stream(session: Session, conditions: Sequence[_Condition], limit: int) -> list[Row]:
    condition, values = _joined(conditions)
    return session.execute(
        f"SELECT {_COLUMNS} FROM proposals WHERE {condition} {_ORDER} LIMIT ?",  # noqa: S608 - ours
        [*values, limit],
    )


def _order(row: Row) -> tuple[str, str]:
    return row[6], row[0]


def _conditions(wanted: SuggestionFilter, leader: str | None = None) -> list[_Condition]:
    """Return the conditions of a filter but for place and status.

    Args:
        wanted: The filter.
        leader: The column whose index is to be used; None for whichever.
    """
    found: list[_Condition] = []
    for name in _PLAIN:
        asked = getattr(wanted, name)
        if asked is not None:
            # What is put together is no column, so that its index is none to use.
            column = name if leader in (None, name) else f"({name} || '')"
            found.append((f"{column} = ?", [storable(asked)]))
    if wanted.older_than is not None:
        found.append(("created_at < ?", [utc_text(wanted.older_than)]))
    if wanted.newer_than is not None:
        found.append(("created_at >= ?", [utc_text(wanted.newer_than)]))
    return found


def _place_condition(wanted: SuggestionFilter) -> list[_Condition]:
    if wanted.pointer is None:
        return []
    below = f"{storable(wanted.pointer)}/"
    return [("(pointer = ? OR substr(pointer, 1, ?) = ?)", [below[:-1], len(below), below])]


def _status_condition(status: Sequence[Status]) -> list[_Condition]:
    marks = ", ".join("?" for _ in status)
    return [(f"status IN ({marks})", [one.value for one in status])] if status else []


def _joined(conditions: Sequence[_Condition]) -> _Condition:
    return " AND ".join(["1 = 1", *(text for text, _ in conditions)]), [one for _, own in conditions for one in own]


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
        *(suggestion.id, suggestion.record_id, storable(suggestion.pointer), storable(suggestion.rule)),
        *(storable(suggestion.model), suggestion.status.value, suggestion.created_at, suggestion.ledger_key),
    )
