"""The manifest of a run: counted anew from its rows each time, never kept and never edited."""

import hashlib
from collections import Counter
from decimal import Decimal
from typing import Any, Final

from veracord.pipeline.policies import Disposition
from veracord.records.reading import read_value
from veracord.review.cursors import read_cursor, write_cursor
from veracord.storage.run_rows import SETTLED, holder_of
from veracord.storage.sessions import Session
from veracord.storage.states import DONE

#: The version of the manifest's form, and of the form of receipts; see the JSON Schemas.
SCHEMA_VERSION: Final = 1

_PAGE: Final = 5_000
#: The list that one turns the pages of.
_RUNS: Final = "runs"


def list_runs(session: Session) -> list[dict[str, Any]]:
    """Return the runs, latest first: id, name, when they were made, units and how many of them are done."""
    return _runs(session, "1 = 1", [], "")


def list_run_page(session: Session, limit: int, after: str | None = None) -> tuple[list[dict[str, Any]], str | None]:
    """Return some of the runs in the same way, and where the next page begins; None for the last one.

    Args:
        session: Where.
        limit: How many at most.
        after: What this gave for the page before.

    Raises:
        InputError: ``invalid_cursor``: `after` is none.
    """
    condition, values = "1 = 1", list[Any]()
    if after is not None:
        created_at, run_id = read_cursor(_RUNS, after, (str, str))
        condition, values = (
            "(r.created_at < ? OR (r.created_at = ? AND r.run_id > ?))",
            [created_at, created_at, run_id],
        )
    found = _runs(session, condition, [*values, limit + 1], " LIMIT ?")
    items = found[:limit]
    is_last = len(found) <= limit or not items
    return items, None if is_last else write_cursor(_RUNS, [items[-1]["created_at"], items[-1]["run_id"]])


def _runs(session: Session, condition: str, values: list[Any], ends: str) -> list[dict[str, Any]]:
    rows = session.execute(
        "SELECT r.run_id, r.name, r.created_at, r.units, r.owner, r.lease_until,"  # noqa: S608 - ours
        f" (SELECT COUNT(*) FROM units u WHERE u.run_id = r.run_id AND {SETTLED})"
        f" FROM runs r WHERE {condition} ORDER BY r.created_at DESC, r.run_id{ends}",
        values,
    )
    return [
        {
            "run_id": run_id,
            "name": name,
            "created_at": created_at,
            "units": units,
            "done": done,
            "complete": units is not None and done == units,
            "running": _is_live(session, owner, until),
        }
        for run_id, name, created_at, units, owner, until, done in rows
    ]


def manifest_of(session: Session, run_id: str) -> dict[str, Any]:
    """Return the manifest of a run."""
    return {
        **summary_of(session, run_id),
        "input_digest": _input_digest(session, run_id),
        "receipts_digest": receipts_digest(session, run_id),
    }


def summary_of(session: Session, run_id: str) -> dict[str, Any]:
    """Return the manifest of a run without the digests for which every row is read."""
    ((name, input_path, spec, parts, facts, created_at, units, owner, until),) = session.execute(
        "SELECT name, input, spec, parts, facts, created_at, units, owner, lease_until FROM runs WHERE run_id = ?",
        (run_id,),
    )
    told: Any = read_value(facts.encode())
    ((settled,),) = session.execute(
        f"SELECT COUNT(*) FROM units WHERE run_id = ? AND {SETTLED}",  # noqa: S608 - ours
        (run_id,),
    )
    return {
        "schema_version": SCHEMA_VERSION,
        "run_id": run_id,
        "parent_run_id": _parent(session, run_id, name, input_path, created_at),
        "name": name,
        "input": input_path,
        "spec_digest": spec,
        "parts": read_value(parts.encode()),
        "created_at": created_at,
        "complete": units is not None and settled == units,
        "running": _is_live(session, owner, until),
        "units": units,
        "outcomes": _outcomes(session, run_id),
        "dispositions": _dispositions(session, run_id),
        "attempts": _attempts(session, run_id),
        "usage": _usage(session, run_id),
        "starts": _starts(session, run_id),
        "notes": told.get("notes", []),
        "policy": told.get("policy"),
        "model": told.get("model"),
        "versions": told.get("versions"),
        "durability": "full",
    }


def _is_live(session: Session, owner: str | None, until: float) -> bool:
    holder = holder_of(session, owner, until)
    return holder is not None and holder.is_live


def _parent(session: Session, run_id: str, name: str, input_path: str, created_at: str) -> str | None:
    """Return the run of the same name and input that was made before this one."""
    rows = session.execute(
        "SELECT run_id FROM runs WHERE name = ? AND input = ? AND run_id <> ? AND created_at < ?"
        " ORDER BY created_at DESC, run_id LIMIT 1",
        (name, input_path, run_id, created_at),
    )
    return str(rows[0][0]) if rows else None


def _outcomes(session: Session, run_id: str) -> dict[str, int]:
    rows = session.execute(
        f"SELECT outcome, COUNT(*) FROM units WHERE run_id = ? AND state = {DONE} GROUP BY outcome",  # noqa: S608 - a number
        (run_id,),
    )
    return dict(sorted(rows))


def _dispositions(session: Session, run_id: str) -> dict[str, int]:
    """Return how many units each disposition was applied to; they are part of what is kept of a unit as JSON."""
    counts = {}
    for disposition in Disposition:
        # In a name, the quotes would be escaped.
        pattern = f'%"disposition":"{disposition.value}"%'
        ((count,),) = session.execute(
            f"SELECT COUNT(*) FROM units WHERE run_id = ? AND state = {DONE} AND facts LIKE ?",  # noqa: S608 - a number
            (run_id, pattern),
        )
        counts[disposition.value] = count
    return counts


def _attempts(session: Session, run_id: str) -> dict[str, int]:
    rows = session.execute(
        "SELECT kind, outcome, COUNT(*) FROM receipts WHERE run_id = ? GROUP BY kind, outcome", (run_id,)
    )
    counts = Counter({"ok": 0, "rejected": 0, "structural": 0, "lost": 0, "stale": 0, "cached": 0, "other": 0})
    names = {
        "accepted": "ok",
        "accepted_incomplete": "ok",
        "rejected": "rejected",
        "structural_failure": "structural",
    }
    for kind, outcome, count in rows:
        if kind == "attempt":
            counts[names.get(outcome, "other")] += count
        elif kind in ("lost", "stale", "cached"):
            counts[kind] += count
    return dict(counts)


def _usage(session: Session, run_id: str) -> dict[str, Any]:
    ((requests, read, written, unmetered),) = session.execute(
        "SELECT SUM(requests), SUM(input_tokens), SUM(output_tokens), SUM(unmetered) FROM receipts WHERE run_id = ?",
        (run_id,),
    )
    costs = session.execute("SELECT cost_usd FROM receipts WHERE run_id = ? AND cost_usd IS NOT NULL", (run_id,))
    return {
        "requests": int(requests or 0),
        "input_tokens": None if read is None else int(read),
        "output_tokens": None if written is None else int(written),
        "cost_usd": sum((Decimal(row[0]) for row in costs), Decimal(0)) if costs else None,
        "unmetered": int(unmetered or 0),
    }


def _starts(session: Session, run_id: str) -> list[dict[str, Any]]:
    rows = session.execute(
        "SELECT epoch, started_at, ended_at, ended_by FROM starts WHERE run_id = ? ORDER BY epoch", (run_id,)
    )
    return [
        {"epoch": epoch, "started_at": started, "ended_at": ended, "ended_by": by} for epoch, started, ended, by in rows
    ]


def receipts_digest(session: Session, run_id: str) -> str:
    """Return ``sha256:<hex>`` of all receipts in the order of units, claims and numbers."""
    total = hashlib.sha256()
    after = (-1, -1, -1)
    while rows := session.execute(
        "SELECT position, fence, number, kind, body FROM receipts WHERE run_id = ?"
        " AND (position, fence, number) > (?, ?, ?) ORDER BY position, fence, number LIMIT ?",
        (run_id, *after, _PAGE),
    ):
        for position, fence, number, kind, body in rows:
            total.update(f"{position} {fence} {number} {kind} {body}\n".encode())
        after = rows[-1][:3]
    return f"sha256:{total.hexdigest()}"


def _input_digest(session: Session, run_id: str) -> str:
    """Return ``sha256:<hex>`` of the digests of all units that are known, with their keys, in order."""
    total = hashlib.sha256()
    after = -1
    while rows := session.execute(
        "SELECT position, unit_key, digest FROM units WHERE run_id = ? AND position > ? ORDER BY position LIMIT ?",
        (run_id, after, _PAGE),
    ):
        total.update("".join(f"{position} {key} {digest}\n" for position, key, digest in rows).encode())
        after = rows[-1][0]
    return f"sha256:{total.hexdigest()}"
