"""Runs as rows: which run is meant, who holds it, what it was made of."""

import contextlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from veracord.errors import ConfigurationError
from veracord.pipeline.outcomes import Outcome
from veracord.pipeline.runs import DONE_AGAIN, RunSpec
from veracord.records.reading import read_value
from veracord.records.writing import write_json
from veracord.storage.leases import LEASE_S
from veracord.storage.owners import Owner
from veracord.storage.sessions import Session
from veracord.storage.states import DONE

#: Ids that an error lists where the beginning of an id stands for several.
_MOST_LISTED: Final = 5

#: A unit that has come to its end and is not done again by the same command; an incomplete one is, and counts here.
SETTLED: Final = f"state = {DONE} AND ended_run = 0 AND outcome <> '{Outcome.CANCELLED.value}'"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who took the lease of a run and has not given it back.

    Attributes:
        owner: The process.
        age_s: How long ago its last sign of life was, in seconds.
        is_live: Whether the run is still its own.
    """

    owner: Owner
    age_s: float
    is_live: bool

    @property
    def words(self) -> str:
        """The process and its age, for people."""
        return f"process {self.owner.pid} on {self.owner.host}; its last sign of life was {self.age_s:.0f} s ago"


@dataclass(frozen=True, slots=True)
class KnownRun:
    """A run as a store has it.

    Attributes:
        spec: What was run when it was made.
        parts: What its latest start ran: differs from the spec's where it was gone on with under another file.
        is_complete: Whether every unit has come to its end.
    """

    spec: RunSpec
    parts: dict[str, str]
    is_complete: bool


def find_run(session: Session, text: str) -> str:
    """Return the id of the run that a text names: an id, a name (then its latest run), or the beginning of one id.

    Raises:
        ConfigurationError: There is none, or there are several (``unknown_run``, ``ambiguous_run``).
    """
    for column in ("run_id", "name"):
        rows = session.execute(
            f"SELECT run_id FROM runs WHERE {column} = ? ORDER BY created_at DESC, run_id LIMIT 1",  # noqa: S608 - ours
            (text,),
        )
        if rows:
            return str(rows[0][0])
    rows = session.execute(
        "SELECT run_id FROM runs WHERE substr(run_id, 1, ?) = ? ORDER BY run_id LIMIT ?",
        (len(text), text, _MOST_LISTED),
    )
    if text and len(rows) == 1:
        return str(rows[0][0])
    if text and rows:
        raise ConfigurationError(
            "several runs begin so",
            where=text,
            remedy=f"use more of {', '.join(row[0] for row in rows)}",
            code="ambiguous_run",
        )
    raise ConfigurationError("there is no such run", where=text, remedy="see `veracord runs list`", code="unknown_run")


def find_holder(session: Session, run_id: str) -> Holder | None:
    """Return who has the lease of a run, also when it has run out; None where it was given back."""
    rows = session.execute("SELECT owner, lease_until FROM runs WHERE run_id = ?", (run_id,))
    return holder_of(session, *rows[0]) if rows else None


def holder_of(session: Session, owner: str | None, lease_until: float) -> Holder | None:
    """Return the holder that two columns of a run tell."""
    if owner is None:
        return None
    left_s = lease_until - session.clock_s()
    holder = Owner.read(owner)
    # As where a lease is taken: more than it can last is of another clock.
    return Holder(holder, max(0.0, LEASE_S - left_s), 0 < left_s <= LEASE_S and not holder.is_dead())


def read_run(session: Session, run_id: str) -> KnownRun | None:
    """Return a run; None where there is none."""
    rows = session.execute("SELECT name, input, parts, facts FROM runs WHERE run_id = ?", (run_id,))
    if not rows:
        return None
    name, input_path, parts, facts = rows[0]
    made_of: Any = read_value(parts.encode())
    told: Any = read_value(facts.encode())
    now = [note["parts"] for note in told.get("notes", ()) if "parts" in note]
    return KnownRun(RunSpec(name, input_path, made_of, told), now[-1] if now else made_of, is_complete(session, run_id))


def read_runs_of(session: Session, name: str) -> list[KnownRun]:
    """Return the runs of a name, latest first."""
    rows = session.execute("SELECT run_id FROM runs WHERE name = ? ORDER BY created_at DESC, run_id", (name,))
    return [run for row in rows if (run := read_run(session, row[0])) is not None]


def is_complete(session: Session, run_id: str) -> bool:
    """Whether every unit of a run is known and has come to its end."""
    ((units, settled),) = session.execute(
        f"SELECT r.units, (SELECT COUNT(*) FROM units WHERE run_id = r.run_id AND {SETTLED})"  # noqa: S608 - ours
        " FROM runs r WHERE r.run_id = ?",
        (run_id,),
    )
    return units is not None and units == settled


def count_reusable(session: Session, run_id: str, again: Collection[Outcome]) -> int:
    """Return how many units of a run the next start will not do again."""
    outcomes = sorted({outcome.value for outcome in (*DONE_AGAIN, *again)})
    marks = ", ".join("?" for _ in outcomes)
    rows = session.execute(
        f"SELECT COUNT(*) FROM units WHERE run_id = ? AND {SETTLED} AND outcome NOT IN ({marks})",  # noqa: S608 - ours
        (run_id, *outcomes),
    )
    return int(rows[0][0])


def add_note(session: Session, run_id: str, note: dict[str, Any]) -> None:
    """Keep with a run that a start of it was unlike the first one; the manifest tells it."""
    ((facts,),) = session.read_locked("SELECT facts FROM runs WHERE run_id = ?", (run_id,))
    told: Any = read_value(facts.encode())
    told["notes"] = [*told.get("notes", ()), {"at": now_text(), **note}]
    session.change("UPDATE runs SET facts = ? WHERE run_id = ?", (write_json(told).decode(), run_id))


def export_of(session: Session, run_id: str) -> dict[str, Any]:
    """Return what is known of the output of a run: nothing where something has happened since it was written."""
    ((facts,),) = session.read_locked("SELECT facts FROM runs WHERE run_id = ?", (run_id,))
    told: Any = read_value(facts.encode())
    export: dict[str, Any] = told.get("export", {})
    return export if export.get("receipts") == _count_receipts(session, run_id) else {}


def keep_export(session: Session, run_id: str, export: dict[str, Any]) -> None:
    """Keep what the output of a run is, unless somebody works on the run again."""
    ((facts,),) = session.read_locked("SELECT facts FROM runs WHERE run_id = ?", (run_id,))
    told: Any = read_value(facts.encode())
    told["export"] = {**export, "receipts": _count_receipts(session, run_id)}
    session.change("UPDATE runs SET facts = ? WHERE run_id = ? AND owner IS NULL", (write_json(told).decode(), run_id))


def _count_receipts(session: Session, run_id: str) -> int:
    ((count,),) = session.execute("SELECT COUNT(*) FROM receipts WHERE run_id = ?", (run_id,))
    return int(count)


def differing(one: RunSpec, other: RunSpec, parts: dict[str, str] | None = None) -> list[str]:
    """Return the names of the parts in which two runs differ, the input's path among them."""
    mine = {**one.parts, "input path": one.input}
    theirs = {**(other.parts if parts is None else parts), "input path": other.input}
    return sorted(name for name in {*mine, *theirs} if mine.get(name) != theirs.get(name))


def now_text() -> str:
    """Return the time as it stands in a store."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def read_time(text: str) -> float | None:
    """Return seconds since 1970 of a time in a store."""
    with contextlib.suppress(ValueError):
        return datetime.fromisoformat(text).timestamp()
    return None
