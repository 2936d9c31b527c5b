"""Why a unit stands where it stands: its receipts in order, and what keeps an earlier value from being taken again."""

from array import array
from collections.abc import Mapping
from typing import Any, Final

from veracord.errors import ConfigurationError
from veracord.records.reading import read_value
from veracord.storage.run_rows import KnownRun, read_run, read_time
from veracord.storage.sessions import Row, Session
from veracord.storage.states import DONE, RUNNING
from veracord.storage.unit_rows import write_key

_PAGE: Final = 5_000
_WHAT_WAS_ASKED: Final = "what was asked"
_CHECKS_OR_POLICY: Final = "validators or policy"


def unit_history(session: Session, run_id: str, key: str) -> dict[str, Any]:
    """Return how a unit stands, every receipt of it, and what differs from an earlier run that accepted it.

    Raises:
        ConfigurationError: The run has no such unit (``unknown_unit``).
    """
    rows = session.execute(
        "SELECT position, digest, state, fence, lost, outcome, producer_id, facts FROM units"
        " WHERE run_id = ? AND unit_key = ?",
        (run_id, write_key(key)),
    )
    if not rows:
        raise ConfigurationError(
            "the run has no such unit", where=key, remedy="see the input, or the output of the run", code="unknown_unit"
        )
    position, digest, state, fence, lost, outcome, producer_id, facts = rows[0]
    told: Any = {} if facts is None or state != DONE else read_value(facts.encode())
    receipts = unit_receipts(session, run_id, position)
    return {
        "run_id": run_id,
        "key": key,
        "position": position,
        "digest": digest,
        "state": {DONE: "done", RUNNING: "running"}.get(state, "ready"),
        "outcome": outcome if state == DONE else None,
        "producer": producer_id if state == DONE else None,
        "code": told.get("code", ""),
        "disposition": told.get("disposition"),
        "incomplete": told.get("incomplete", []),
        "rejected_by": told.get("rejected_by", {}),
        "claims": fence,
        "lost_claims": lost,
        "receipts": receipts,
        "not_reused": _not_reused(session, run_id, (position, digest), key, receipts),
    }


def unit_receipts(session: Session, run_id: str, position: int) -> list[dict[str, Any]]:
    """Return the receipts of a unit in the order of its claims."""
    rows = session.execute(
        "SELECT fence, number, kind, body FROM receipts WHERE run_id = ? AND position = ? ORDER BY fence, number",
        (run_id, position),
    )
    return [{"fence": fence, "number": number, "kind": kind, **_object(body)} for fence, number, kind, body in rows]


def _object(body: str) -> dict[str, Any]:
    found: Any = read_value(body.encode())
    return dict(found)


def _not_reused(
    session: Session, run_id: str, place: tuple[int, str], key: str, receipts: list[dict[str, Any]]
) -> dict[str, Any] | None:
    """Return the latest earlier run that accepted the unit, and in what the two differ; None where nothing is to tell.

    Keys of requests are digests, so the parts of the runs are compared; where both keys are kept, they narrow it down.
    """
    if not any(row["kind"] == "attempt" for row in receipts):
        return None
    reused = {row["producer"] for row in receipts if row["kind"] == "cached"}
    rows = session.execute(
        "SELECT r.run_id, r.producer_id, r.request_key, r.result_key, u.digest FROM records r"
        " JOIN units u ON u.run_id = r.run_id AND u.position = r.position"
        " JOIN runs o ON o.run_id = r.run_id"
        " WHERE u.unit_key = ? AND r.run_id <> ? AND o.created_at <"
        " (SELECT created_at FROM runs WHERE run_id = ?) ORDER BY o.created_at DESC, r.run_id, r.producer_id",
        (write_key(key), run_id, run_id),
    )
    earlier = next((row for row in rows if row[1] not in reused), None)
    if earlier is None:
        return None
    own = session.execute(
        "SELECT request_key, result_key FROM records WHERE run_id = ? AND position = ? AND producer_id = ?",
        (run_id, place[0], earlier[1]),
    )
    now, then = read_run(session, run_id), read_run(session, earlier[0])
    assert now is not None  # noqa: S101 - its unit was found
    assert then is not None  # noqa: S101 - the same
    return {
        "run_id": earlier[0],
        "producer": earlier[1],
        "differs": _differences(now, then, earlier, own, is_same_unit=earlier[4] == place[1]),
        "kind": _kind(earlier, own),
    }


def _kind(earlier: Row, own: list[Row]) -> str | None:
    """Return which of the two keys differs, where both runs kept them."""
    if not own or not earlier[2] or not own[0][0]:
        return None
    if own[0][0] != earlier[2]:
        return _WHAT_WAS_ASKED
    return _CHECKS_OR_POLICY if own[0][1] != earlier[3] else None


def _differences(now: KnownRun, then: KnownRun, earlier: Row, own: list[Row], *, is_same_unit: bool) -> list[str]:
    found = [] if is_same_unit else ["unit"]
    names = sorted({*now.parts, *then.parts})
    found += [name for name in names if now.parts.get(name) != then.parts.get(name)]
    for fact in ("model", "policy"):
        found += [f"{fact} {name}" for name in _differing_members(now.spec.facts.get(fact), then.spec.facts.get(fact))]
    if _kind(earlier, own) == _CHECKS_OR_POLICY:
        found = [name for name in found if name.startswith(("validator ", "policy ", "pipeline file"))]
    return found


def _differing_members(one: object, other: object) -> list[str]:
    """Return the members in which two values differ; for values that are no objects, nothing but that they do."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))
    return [] if one == other else ["setting"]


def end_times(session: Session, run_id: str) -> "array[float]":
    """Return when units came to their end, in seconds since 1970: the end of the last attempt before each commit."""
    times = array("d")
    last: tuple[int, float] | None = None
    after = (-1, -1, -1)
    while rows := session.execute(
        "SELECT position, fence, number, kind, body FROM receipts WHERE run_id = ?"
        " AND kind IN ('attempt', 'cached', 'commit')"
        " AND (position, fence, number) > (?, ?, ?) ORDER BY position, fence, number LIMIT ?",
        (run_id, *after, _PAGE),
    ):
        for position, _, _, kind, body in rows:
            if kind == "commit":
                if last is not None and last[0] == position:
                    times.append(last[1])
                last = None
                continue
            row = _object(body)
            began = read_time(row["started_at"])
            last = None if began is None else (position, began + row["duration_ms"] / 1000)
        after = rows[-1][:3]
    return times
