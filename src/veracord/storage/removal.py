"""The removal of runs, in transactions of bounded size.

Who removes a run holds its lease meanwhile, so that nobody works on what is going away; a removal that broke off leaves
a run that is not complete, and the next one ends it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from veracord.storage.leases import LEASE_S
from veracord.storage.owners import Owner
from veracord.storage.run_rows import find_holder, read_time
from veracord.storage.sessions import Session

#: Units whose rows are removed in one transaction.
STEP: Final = 500

_OF_UNITS: Final = ("receipts", "records", "provisional", "units")


def choose(session: Session, keep: int | None, before_s: float | None) -> list[dict[str, Any]]:
    """Return the runs to be removed, oldest first, each with what it holds; never one that a process has.

    Args:
        session: The connection.
        keep: How many runs of each name stay, counted from the latest; None keeps by time alone.
        before_s: Only runs that were made before, in seconds since 1970.
    """
    rows = session.execute("SELECT run_id, name, created_at FROM runs ORDER BY created_at DESC, run_id")
    seen: Counter[str] = Counter()
    chosen = []
    for run_id, name, created_at in rows:
        seen[name] += 1
        made = read_time(created_at) or 0.0
        is_kept = keep is not None and seen[name] <= keep
        is_young = before_s is not None and made >= before_s
        if is_kept or is_young or is_held(session, run_id):
            continue
        held = {table: _count(session, table, run_id) for table in _OF_UNITS}
        chosen.append({"run_id": run_id, "name": name, "created_at": created_at, **held})
    return chosen[::-1]


def is_held(session: Session, run_id: str) -> bool:
    """Whether a process works on a run, or would if it were not stopped."""
    holder = find_holder(session, run_id)
    return holder is not None and (holder.is_live or holder.owner.lives_here())


def begin(session: Session, run_id: str, owner: Owner) -> bool:
    """Take the lease of a run that is to go; return whether it could be had."""
    if not session.read_locked("SELECT 1 FROM runs WHERE run_id = ?", (run_id,)) or is_held(session, run_id):
        return False
    changed = session.change(
        "UPDATE runs SET epoch = epoch + 1, owner = ?, lease_until = ?, units = NULL WHERE run_id = ?",
        (owner.write(), session.clock_s() + LEASE_S, run_id),
    )
    return changed == 1


def steps(session: Session, run_id: str) -> Iterator[int]:
    """Return the first positions of the steps in which a run is removed."""
    ((last,),) = session.execute("SELECT MAX(position) FROM units WHERE run_id = ?", (run_id,))
    return iter(range(0, (-1 if last is None else last) + 1, STEP))


def remove_step(session: Session, run_id: str, first: int, owner: Owner) -> bool:
    """Remove the rows of the units from a position on; return whether the run was still ours to remove."""
    if not _extend(session, run_id, owner):
        return False
    for table in _OF_UNITS:
        session.change(
            f"DELETE FROM {table} WHERE run_id = ? AND position >= ? AND position < ?",  # noqa: S608 - a name of ours
            (run_id, first, first + STEP),
        )
    return True


def finish(session: Session, run_id: str, owner: Owner) -> bool:
    """Remove what is left of a run; return whether it was still ours to remove."""
    if not _extend(session, run_id, owner):
        return False
    for table in (*_OF_UNITS, "starts", "runs"):
        session.change(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))  # noqa: S608 - a name of ours
    return True


def _extend(session: Session, run_id: str, owner: Owner) -> bool:
    changed = session.change(
        "UPDATE runs SET lease_until = ? WHERE run_id = ? AND owner = ?",
        (session.clock_s() + LEASE_S, run_id, owner.write()),
    )
    return changed == 1


def _count(session: Session, table: str, run_id: str) -> int:
    ((count,),) = session.execute(f"SELECT COUNT(*) FROM {table} WHERE run_id = ?", (run_id,))  # noqa: S608 - ours
    return int(count)
