"""Faults on purpose, at the moments at which a run could lose something: for tests alone.

``VERACORD_FAULT=name:nth:action`` says at which point, at which of its hits, and what happens there.  Where the
variable is not set, none of this is in the way: what a run uses is wrapped only when a fault was asked for.

Source: runs.md of the project's design, section 6.
"""

import errno
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from veracord.errors import ConfigurationError
from veracord.pipeline import Attempt, Candidate, Producer, Unit, UnitResult
from veracord.pipeline.runs import Claim, Lease
from veracord.storage.sessions import Row, Session
from veracord.storage.sql_store import SqlStore

VARIABLE: Final = "VERACORD_FAULT"

_DELAY_S: Final = 1.0
_PARTS: Final = 3


class Point(StrEnum):
    """Where something can happen."""

    MID_PLAN = "mid_plan"
    AFTER_CLAIM_COMMIT = "after_claim_commit"
    AFTER_RESPONSE = "after_response"
    MID_CORRECTION = "mid_correction"
    BEFORE_COMMIT = "before_commit"
    AFTER_COMMIT_BEFORE_ACK = "after_commit_before_ack"
    MID_EXPORT = "mid_export"
    MID_MIGRATION = "mid_migration"


class InjectedFaultError(RuntimeError):
    """What the action ``raise`` raises: an error that nobody foresaw."""


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _stop() -> None:
    # To this thread, so that it does not go on for a moment.
    signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)


def _raise() -> None:
    raise InjectedFaultError


def _fill_disk() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _delay() -> None:
    time.sleep(_DELAY_S)


_ACTIONS: Final[Mapping[str, Callable[[], None]]] = {
    "kill9": _kill,
    "stop": _stop,
    "raise": _raise,
    "enospc": _fill_disk,
    "delay": _delay,
}


@dataclass(slots=True)
class Fault:
    """One fault: it happens once, also where several threads come by.

    Attributes:
        point: Where.
        nth: At which hit, from 1.
        action: What.
        transaction: Held while a transaction is open.  Who stops within one holds up whoever is to take over, so it
            happens there only where the point is.
    """

    point: Point
    nth: int
    action: str
    transaction: threading.RLock = field(default_factory=threading.RLock)
    _hits: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __str__(self) -> str:
        return f"{self.point}:{self.nth}:{self.action}"

    def __call__(self, point: Point) -> None:
        """Come by a point."""
        if point is not self.point:
            return
        with self._lock:
            self._hits += 1
            is_now = self._hits == self.nth
        if is_now:
            with self.transaction:
                _ACTIONS[self.action]()


def read_fault(environment: Mapping[str, str]) -> Fault | None:
    """Return the fault that the environment asks for.

    Raises:
        ConfigurationError: The variable does not say what, or names an unknown point or action.
    """
    text = environment.get(VARIABLE, "")
    if not text:
        return None
    parts = text.split(":")
    if len(parts) != _PARTS or not (parts[1].isascii() and parts[1].isdigit() and int(parts[1])):
        raise _refused("it is not made of a point, a number from 1 and an action", "write it like mid_plan:1:kill9")
    name, nth, action = parts
    if name not in set(Point):
        raise _refused("there is no such point", f"use {', '.join(Point)}")
    if action not in _ACTIONS:
        raise _refused("there is no such action", f"use {', '.join(_ACTIONS)}")
    return Fault(Point(name), int(nth), action)


def _refused(what: str, remedy: str) -> ConfigurationError:
    return ConfigurationError(what, where=VARIABLE, remedy=remedy, code="invalid_fault")


class FaultyProducer:
    """A producer with the points around an answer."""

    def __init__(self, producer: Producer[Any], fault: Fault) -> None:
        """Wrap a producer."""
        self.correction_protocol: str | None = getattr(producer, "correction_protocol", None)
        self._producer = producer
        self._fault = fault

    async def produce(self, attempt: Attempt) -> Candidate[Any]:
        """Make one candidate; see `veracord.pipeline.Producer`."""
        if attempt.correction is not None:
            self._fault(Point.MID_CORRECTION)
        made = await self._producer.produce(attempt)
        self._fault(Point.AFTER_RESPONSE)
        return made

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever else the producer has
        return getattr(self._producer, name)


class FaultyStore(SqlStore):
    """A store with the points of a run; it happens at them when the store has done its part."""

    def __init__(self, open_session: Callable[[], Session], where: str, fault: Fault) -> None:
        """Open nothing yet; see `SqlStore`."""
        super().__init__(lambda: _FaultySession(open_session(), fault), where)
        self._fault = fault

    async def plan(self, lease: Lease, units: Sequence[Unit]) -> list[int]:
        """Make units known; see `Store`."""
        todo = await super().plan(lease, units)
        self._fault(Point.MID_PLAN)
        return todo

    async def claim(self, lease: Lease, position: int) -> Claim | None:
        """Take a unit before it is worked on; see `Store`."""
        claim = await super().claim(lease, position)
        self._fault(Point.AFTER_CLAIM_COMMIT)
        return claim

    async def results(self, run_id: str, *, as_text: bool = False) -> AsyncIterator[UnitResult[Any]]:
        """Yield the results of a run; see `SqlStore.results`."""
        async for result in super().results(run_id, as_text=as_text):
            yield result
            self._fault(Point.MID_EXPORT)


class _FaultySession:
    """A connection with the points around the commit of a transaction that settles units."""

    def __init__(self, session: Session, fault: Fault) -> None:
        self._session = session
        self._fault = fault
        self._settles = False
        self._is_open = False

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._session.execute(statement, values)

    def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        # The receipt that stands for a unit's end.
        self._settles = self._settles or (statement.startswith("INSERT INTO receipts") and "commit" in values)
        return self._session.change(statement, values)

    def change_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        self._session.change_many(statement, rows)

    def run_script(self, script: str) -> None:
        self._session.run_script(script)
        self._fault(Point.MID_MIGRATION)

    def begin(self) -> None:
        self._settles = False
        self._fault.transaction.acquire()
        self._is_open = True
        try:
            self._session.begin()
        except BaseException:
            self._end()
            raise

    def commit(self) -> None:
        if self._settles:
            self._fault(Point.BEFORE_COMMIT)
        self._session.commit()
        self._end()
        if self._settles:
            self._fault(Point.AFTER_COMMIT_BEFORE_ACK)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the rest is handed on
        return getattr(self._session, name)

    def _end(self) -> None:
        if self._is_open:
            self._is_open = False
            self._fault.transaction.release()

    def roll_back(self) -> None:
        self._session.roll_back()
        self._end()

    def clock_s(self) -> float:
        return self._session.clock_s()

    def back_up(self, version: int) -> None:
        self._session.back_up(version)

    def close(self) -> None:
        self._session.close()
        self._end()
