"""Runs that were asked for over HTTP, with all that they are made of, so that they go on after a restart."""

from dataclasses import dataclass
from typing import Final

from veracord.storage.sessions import Session

WAITING: Final = "waiting"
ENDED: Final = "ended"
CANCELLED: Final = "cancelled"
FAILED: Final = "failed"

_COLUMNS: Final = "run_id, created_at, asked_by, once_key, request_digest, state, code"


@dataclass(frozen=True, slots=True)
class Job:
    """A run that was asked for.

    Attributes:
        run_id: Its id, also that of the run.
        created_at: When it was asked for.
        asked_by: Who asked, as the log names them.
        once_key: The caller's key of idempotency, or None.
        request_digest: Of what was asked for.
        state: How it stands.
        code: Why it failed; "" where it did not.
    """

    run_id: str
    created_at: str
    asked_by: str
    once_key: str | None
    request_digest: str
    state: str = WAITING
    code: str = ""


def add_job(session: Session, job: Job, body: str) -> Job:
    """Keep a job, or return the one that was asked for under the same key before."""
    session.change(
        f"INSERT INTO jobs ({_COLUMNS}, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",  # noqa: S608 - ours
        (job.run_id, job.created_at, job.asked_by, job.once_key, job.request_digest, job.state, job.code, body),
    )
    found = find_job(session, job.run_id)
    if found is not None:
        return found
    rows = session.execute(
        f"SELECT {_COLUMNS} FROM jobs WHERE asked_by = ? AND once_key = ?",  # noqa: S608 - ours
        (job.asked_by, job.once_key),
    )
    return Job(*rows[0])


def find_job(session: Session, run_id: str) -> Job | None:
    """Return a job; None where a run was started otherwise."""
    rows = session.execute(f"SELECT {_COLUMNS} FROM jobs WHERE run_id = ?", (run_id,))  # noqa: S608 - ours
    return Job(*rows[0]) if rows else None


def job_body(session: Session, run_id: str) -> str:
    """Return what a job is made of."""
    ((body,),) = session.execute("SELECT body FROM jobs WHERE run_id = ?", (run_id,))
    return str(body)


def waiting_jobs(session: Session) -> list[str]:
    """Return the ids of jobs that have not ended, in the order in which they came."""
    rows = session.execute("SELECT run_id FROM jobs WHERE state = ? ORDER BY created_at, run_id", (WAITING,))
    return [str(run_id) for (run_id,) in rows]


def settle_job(session: Session, run_id: str, state: str, code: str) -> bool:
    """Note how a job ended; return whether it had not before.  What it is made of is no longer needed."""
    return bool(
        session.change(
            "UPDATE jobs SET state = ?, code = ?, body = '' WHERE run_id = ? AND state = ?",
            (state, code, run_id, WAITING),
        )
    )
