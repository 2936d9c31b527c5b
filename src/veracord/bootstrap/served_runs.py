"""What a server tells of runs, and the runs that callers ask it for.

Such a run is a durable one in this process, on the store of the server.  All that it is made of is kept before it is
acknowledged, so one that was not finished goes on when the server is started again.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final

from veracord.audit.events import utc_text
from veracord.bootstrap.composing import Composing
from veracord.bootstrap.job_bodies import JobBody
from veracord.errors import ConfigurationError, InputError, VeracordError
from veracord.pipeline.stores import StoredRun
from veracord.ports import Clock
from veracord.records.values import digest
from veracord.records.writing import write_json
from veracord.reports.runs import result_line
from veracord.review.people import Caller, Person, Service, actor_of
from veracord.review.requests import Once
from veracord.storage.job_rows import (
    CANCELLED,
    ENDED,
    FAILED,
    WAITING,
    Job,
    add_job,
    find_job,
    job_body,
    settle_job,
    waiting_jobs,
)
from veracord.storage.manifests import list_run_page, manifest_of
from veracord.storage.run_rows import find_run
from veracord.storage.sql_store import SqlStore
from veracord.storage.unit_histories import end_times, unit_history

#: Units in flight; what is asked of a model is limited by its own settings.
_CONCURRENCY: Final = 8
#: Runs that are worked on at once.
_MOST_AT_ONCE: Final = 2
_HELD: Final = "run_held"
_AGAIN_S: Final = 5.0
#: How the store names the end of a run by whoever ends the process.
_GOES_ON: Final = frozenset({"cancelled", "keyboard_interrupt", "system_exit"})


class ServedRuns:
    """Runs that a store has."""

    def __init__(self, store: SqlStore) -> None:
        """Remember the store."""
        self._store = store

    async def page(self, limit: int = 100, after: str | None = None) -> tuple[list[dict[str, Any]], str | None]:
        """Return some runs, latest first, and where the next page begins."""
        return await self._store.look(lambda session: list_run_page(session, limit, after))

    async def manifest(self, run: str) -> dict[str, Any]:
        """Return the manifest of a run that an id, the beginning of one, or a name tells.

        Raises:
            ConfigurationError: ``unknown_run``, ``ambiguous_run``.
        """
        return await self._store.look(lambda session: manifest_of(session, find_run(session, run)))

    async def end_times(self, run_id: str) -> list[float]:
        """Return when the units of a run came to their end, in seconds since 1970, in the order of units."""
        return await self._store.look(lambda session: end_times(session, run_id).tolist())

    async def unit(self, run: str, key: str) -> dict[str, Any]:
        """Return why a unit stands where it stands.

        Raises:
            ConfigurationError: ``unknown_run``, ``unknown_unit``.
        """
        return await self._store.look(lambda session: unit_history(session, find_run(session, run), key))

    async def results(self, run_id: str) -> AsyncIterator[bytes]:
        """Yield the results of a run as lines, in the order of its units."""
        async for result in self._store.results(run_id, as_text=True):
            yield write_json(result_line(result))


@dataclass(slots=True)
class _Work:
    """What a run's work is, while it is under way."""

    future: "Future[None]"
    is_cancelled: bool = field(default=False)


class RunJobs:
    """Runs that callers ask for."""

    def __init__(
        self,
        store: SqlStore,
        composing: Composing,
        clock: Clock,
        report_fault: Callable[[Exception, str], None],
    ) -> None:
        """Begin nothing yet; see `go_on`."""
        self._store = store
        self._composing = composing
        self._clock = clock
        self._report_fault = report_fault
        self._turns = asyncio.Semaphore(_MOST_AT_ONCE)
        self._work: dict[str, _Work] = {}

    async def ask(self, caller: Person | Service, wanted: dict[str, Any], once: Once | None) -> Job:
        """Keep a run and begin it; the same request again gives the same run.

        Args:
            caller: Who asks.
            wanted: What: kind, profile, evidence, suggest, key, records, name.
            once: What makes it the same request.

        Raises:
            InputError: It cannot be run; ``idempotency_key_reused``: the key was used for something else.
        """
        body = JobBody.of(wanted, self._composing, secrets.token_hex(8))
        text = body.to_text()
        job = Job(
            run_id=body.spec.run_id,
            created_at=utc_text(self._clock.now()),
            asked_by=asker_name(caller),
            once_key=None if once is None else once.key,
            request_digest=digest(text.encode()) if once is None else once.request_digest,
        )
        kept = await self._store.read(lambda session: add_job(session, job, text))
        if once is not None and kept.request_digest != once.request_digest:
            raise InputError(
                "this idempotency key was used for another request",
                remedy="make up another one",
                code="idempotency_key_reused",
            )
        if kept.run_id == job.run_id:
            self._begin(job.run_id)
        return kept

    async def go_on(self) -> None:
        """Begin what was not finished when the server was stopped."""
        for run_id in await self._store.look(waiting_jobs):
            self._begin(run_id)

    async def find(self, run_id: str) -> dict[str, Any] | None:
        """Return how a run that was asked for stands; None where it was started otherwise."""
        job = await self._store.look(lambda session: find_job(session, run_id))
        if job is None:
            return None
        is_running = job.state == WAITING and run_id in self._work
        return {
            "state": "running" if is_running else job.state,
            "code": job.code,
            "created_at": job.created_at,
            "asked_by": job.asked_by,
        }

    async def cancel(self, run_id: str) -> None:
        """End a run that was asked for; what it settled is kept.

        Raises:
            InputError: ``unknown_run``: nobody asked for it; ``run_ended``: it has ended.
        """
        if await self._store.look(lambda session: find_job(session, run_id)) is None:
            raise InputError("nobody asked for such a run here", remedy="see GET /v1/runs", code="unknown_run")
        if not await self._store.read(lambda session: settle_job(session, run_id, CANCELLED, "")):
            raise InputError("the run has ended", remedy="there is nothing to cancel", code="run_ended")
        work = self._work.get(run_id)
        if work is not None:
            work.future.cancel()

    def _begin(self, run_id: str) -> None:
        work = self._composing.begin(self._carry(run_id))
        self._work[run_id] = _Work(work)
        work.add_done_callback(lambda _done: self._work.pop(run_id, None))

    async def _carry(self, run_id: str) -> None:
        """Bring a run to its end, and note how it ended."""
        async with self._turns:
            try:
                state, code = await self._run(run_id)
            except VeracordError as error:
                if error.code in _GOES_ON:
                    return
                state, code = FAILED, error.code
            except Exception as error:  # noqa: BLE001 - it is told by its place alone, and the run has an end
                self._report_fault(error, run_id)
                state, code = FAILED, "internal"
            await self._store.read(lambda session: settle_job(session, run_id, state, code))

    async def _run(self, run_id: str) -> tuple[str, str]:
        text = await self._store.look(lambda session: job_body(session, run_id))
        if not text:
            # It was cancelled before its turn came.
            return CANCELLED, ""
        body = await asyncio.to_thread(JobBody.read, text)
        if body.spec.run_id != run_id or not body.stands(self._composing):
            return FAILED, "profile_changed"
        pipeline, units = body.wired(self._composing)
        while True:
            try:
                await pipeline.aio.run(units, store=StoredRun(self._store, body.spec), concurrency=_CONCURRENCY)
            except ConfigurationError as error:
                if error.code != _HELD:
                    raise
                # Another server on this store works on it, or died with it a moment ago.
                await asyncio.sleep(_AGAIN_S)
                if await self._is_over(run_id):
                    return ENDED, ""
            else:
                return ENDED, ""

    async def _is_over(self, run_id: str) -> bool:
        job = await self._store.look(lambda session: find_job(session, run_id))
        return job is None or job.state != WAITING


def asker_name(caller: Caller) -> str:
    """Return how it is kept who asked for a run."""
    actor = actor_of(caller)
    return f"{actor.kind} {actor.id}"
