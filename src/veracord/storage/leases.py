"""The lease of a run: one process works on a run, and one that lost its lease changes nothing any more."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from veracord.errors import ConfigurationError
from veracord.pipeline.outcomes import Outcome
from veracord.pipeline.runs import DONE_AGAIN, Lease, RunSpec, lease_lost
from veracord.records.writing import write_json
from veracord.storage.owners import Owner
from veracord.storage.sessions import Session
from veracord.storage.states import DONE, READY

#: How long a lease lasts without a heartbeat, in seconds, and how often there is one.
LEASE_S: Final = 20.0
HEARTBEAT_S: Final = 5.0


def take_lease(session: Session, spec: RunSpec, owner: Owner, salt: bytes, again: Collection[Outcome]) -> Lease:
    """Take the lease of a run; see `Store.open_run`."""
    now = _now()
    # Another process may make the same run at this moment: one of them makes the row, and both lock it then.
    is_new = session.change(
        "INSERT INTO runs (run_id, name, input, spec, parts, facts, created_at, epoch, lease_until)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING",
        (spec.run_id, spec.name, spec.input, spec.spec_digest, _json(dict(spec.parts)), _json(spec.facts), now),
    )
    ((epoch, held_by, until, units),) = session.read_locked(
        "SELECT epoch, owner, lease_until, units FROM runs WHERE run_id = ?", (spec.run_id,)
    )
    if held_by is not None:
        _refuse_live(session, Owner.read(held_by), until, spec)
        # The one before ended without a word.
        session.change(
            "UPDATE starts SET ended_by = 'lost' WHERE run_id = ? AND epoch = ? AND ended_by IS NULL",
            (spec.run_id, epoch),
        )
    epoch += 1
    session.change(
        "UPDATE runs SET epoch = ?, owner = ?, lease_until = ? WHERE run_id = ?",
        (epoch, owner.write(), session.clock_s() + LEASE_S, spec.run_id),
    )
    session.change("INSERT INTO starts (run_id, epoch, started_at) VALUES (?, ?, ?)", (spec.run_id, epoch, now))
    if not is_new:
        if units is None:
            _forget_plan(session, spec.run_id)
        _reopen(session, spec.run_id, again)
    return Lease(spec.run_id, epoch, salt, is_resumed=not is_new, is_planned=units is not None)


def _refuse_live(session: Session, holder: Owner, until: float, spec: RunSpec) -> None:
    left_s = until - session.clock_s()
    # More is left than any lease lasts: it is of another machine, or another start of this one, or a clock was set.
    if not 0 < left_s <= LEASE_S or holder.is_dead():
        return
    age_s = max(0.0, LEASE_S - left_s)
    raise ConfigurationError(
        f"process {holder.pid} on {holder.host} works on this run; its last sign of life was {age_s:.0f} s ago",
        where=spec.name,
        remedy="wait for its end, or end it",
        code="run_held",
    )


def _forget_plan(session: Session, run_id: str) -> None:
    """Forget units that are not all known, unless one was claimed: an input that was refused may be corrected."""
    session.change(
        "DELETE FROM units WHERE run_id = ?"
        " AND NOT EXISTS (SELECT 1 FROM units WHERE run_id = ? AND (fence > 0 OR lost > 0))",
        (run_id, run_id),
    )


def _reopen(session: Session, run_id: str, again: Collection[Outcome]) -> None:
    """Make units ready that are to be done again: what did not end well by itself, and what was asked for."""
    outcomes = sorted({outcome.value for outcome in (*DONE_AGAIN, *again)})
    marks = ", ".join("?" for _ in outcomes)
    session.change(
        f"UPDATE units SET state = {READY}, lost = 0"  # noqa: S608 - numbers and marks of our own
        f" WHERE run_id = ? AND state = {DONE} AND (outcome IN ({marks}) OR ended_run = 1)",
        (run_id, *outcomes),
    )


def extend_lease(session: Session, lease: Lease) -> bool:
    """Give a sign of life; return whether the lease is still ours."""
    return (
        session.change(
            "UPDATE runs SET lease_until = ? WHERE run_id = ? AND epoch = ? AND owner IS NOT NULL",
            (session.clock_s() + LEASE_S, lease.run_id, lease.epoch),
        )
        == 1
    )


def give_back_lease(session: Session, lease: Lease, ended_by: str) -> None:
    """Give a lease back, if it is still ours."""
    session.change(
        "UPDATE runs SET owner = NULL, lease_until = 0 WHERE run_id = ? AND epoch = ?", (lease.run_id, lease.epoch)
    )
    session.change(
        "UPDATE starts SET ended_at = ?, ended_by = ? WHERE run_id = ? AND epoch = ? AND ended_by IS NULL",
        (_now(), ended_by, lease.run_id, lease.epoch),
    )


def check_lease(session: Session, lease: Lease) -> None:
    """Make sure that a lease is still ours, and stays so until the transaction ends.

    Raises:
        PipelineError: It is not.
    """
    if not holds_lease(session, lease):
        raise lease_lost()


def holds_lease(session: Session, lease: Lease) -> bool:
    """Whether a lease is still ours; whatever it is, it stays so until the transaction ends."""
    rows = session.read_locked("SELECT epoch FROM runs WHERE run_id = ?", (lease.run_id,))
    return bool(rows) and rows[0][0] == lease.epoch


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _json(value: object) -> str:
    return write_json(value).decode()
