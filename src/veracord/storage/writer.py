"""One thread that writes, and commits the work of many callers at once.

A caller learns of success only after the commit.  A commit that fails ends the writer: what was not promised is not
there, and nothing more is promised.
"""

import asyncio
import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic, TypeVar

from veracord.errors import StorageError, VeracordError
from veracord.storage.sessions import Session

T = TypeVar("T")

#: Operations that are committed together at most; a commit takes longer than all of them.
_MOST: Final = 512


@dataclass(slots=True)
class _Operation(Generic[T]):
    """Something to be done inside a transaction, and who waits for it."""

    work: Callable[[Session], T]
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[T]"
    changes: bool
    result: Any = None
    error: VeracordError | None = None


class GroupWriter:
    """A thread with a connection of its own."""

    def __init__(self, open_session: Callable[[], Session], *, pulse_s: float = 5.0) -> None:
        """Start nothing yet.

        Args:
            open_session: Opens the connection, in the thread.
            pulse_s: After how many seconds `pulse` is called again, also while nobody writes.
        """
        #: Called inside a transaction again and again, such as a heartbeat; it raises nothing on purpose.
        self.pulse: Callable[[Session], None] | None = None
        self._open_session = open_session
        self._pulse_s = pulse_s
        self._queue: SimpleQueue[_Operation[Any] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._failure: StorageError | None = None
        self._pid = os.getpid()
        # Nothing may be put into the queue of a writer that has ended: nobody would answer.
        self._gate = threading.Lock()

    async def do(self, work: Callable[[Session], T], *, changes: bool = True) -> T:
        """Do something inside a transaction, and return when it is durable.

        Args:
            work: Is given the connection.  What it raises is raised here; then nothing that it did is kept.
            changes: Whether it may change anything; what only reads has nothing that could be undone.

        Raises:
            StorageError: The writer has ended: a commit failed, or the store could not be opened.
        """
        if self._pid != os.getpid():
            raise StorageError(
                "the store was opened by another process", remedy="open it in each process", code="store_carried"
            )
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        with self._gate:
            if self._failure is not None:
                raise _again(self._failure)
            self._queue.put(_Operation(work, loop, future, changes))
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="veracord-store", daemon=True)
                self._thread.start()
        return await future

    def close(self) -> None:
        """Do what was asked for, close the connection and end the thread."""
        thread, self._thread = self._thread, None
        if thread is not None and self._pid == os.getpid():
            self._queue.put(None)
            thread.join()

    def _serve(self) -> None:
        session: Session | None = None
        try:
            session = self._open_session()
            self._write_until_closed(session)
        except VeracordError as error:
            self._end(error if isinstance(error, StorageError) else StorageError(error.what, code=error.code))
        except Exception as error:  # noqa: BLE001 - of a driver: its text may quote what was written
            self._end(_failure_of(session, error))
        finally:
            if session is not None:
                with suppress(Exception):
                    session.close()

    def _write_until_closed(self, session: Session) -> None:
        due = time.monotonic() + self._pulse_s
        while True:
            batch, is_last = self._take(due)
            pulses = self.pulse if time.monotonic() >= due else None
            if pulses is not None or time.monotonic() >= due:
                due = time.monotonic() + self._pulse_s
            if batch or pulses is not None:
                self._write(session, batch, pulses)
            if is_last:
                return

    def _take(self, due: float) -> "tuple[list[_Operation[Any]], bool]":
        """Return what waits, after waiting for the first of it, and whether it is the last."""
        batch: list[_Operation[Any]] = []
        wait_s = max(0.0, due - time.monotonic())
        with suppress(Empty):
            while len(batch) < _MOST:
                operation = self._queue.get_nowait() if batch else self._queue.get(timeout=wait_s)
                if operation is None:
                    return batch, True
                batch.append(operation)
        return batch, False

    def _write(self, session: Session, batch: "list[_Operation[Any]]", pulse: Callable[[Session], None] | None) -> None:
        try:
            session.begin()
            if pulse is not None:
                pulse(session)
            for operation in batch:
                _attempt(session, operation)
            session.commit()
        except BaseException as error:
            failure = _failure_of(session, error)
            for operation in batch:
                operation.error = failure
            _tell(batch)
            raise
        _tell(batch)

    def _end(self, failure: StorageError) -> None:
        """Refuse what waits and whatever comes."""
        with self._gate:
            self._failure = failure
        with suppress(Empty):
            while True:
                operation = self._queue.get_nowait()
                if operation is not None:
                    operation.error = failure
                    _tell([operation])


def _attempt(session: Session, operation: "_Operation[Any]") -> None:
    """Do one operation; what it raises on purpose undoes it alone."""
    if operation.changes:
        session.change("SAVEPOINT operation")
    try:
        operation.result = operation.work(session)
    except VeracordError as error:
        operation.error = error
        if operation.changes:
            session.change("ROLLBACK TO SAVEPOINT operation")
    if operation.changes:
        session.change("RELEASE SAVEPOINT operation")


def _tell(batch: "list[_Operation[Any]]") -> None:
    """Tell those who wait how their operations ended; a loop is woken once for all of them."""
    by_loop: defaultdict[asyncio.AbstractEventLoop, list[_Operation[Any]]] = defaultdict(list)
    for operation in batch:
        by_loop[operation.loop].append(operation)
    for loop, operations in by_loop.items():
        # Who waited may have gone away, and the loop with it.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_answer, operations)


def _answer(operations: "list[_Operation[Any]]") -> None:
    for operation in operations:
        if operation.future.done():
            continue
        if operation.error is not None:
            operation.future.set_exception(_again(operation.error))
        else:
            operation.future.set_result(operation.result)


def _again(error: VeracordError) -> VeracordError:
    """Return a fresh error for one more caller."""
    return type(error)(error.what, where=error.where, remedy=error.remedy, code=error.code, details=error.details)


def _failure_of(session: Session | None, error: BaseException) -> StorageError:
    """Return what may be told of what ended the writer: of an error of a driver, never its text."""
    if isinstance(error, StorageError):
        return error
    if session is not None and isinstance(error, Exception):
        return session.failure(error)
    return StorageError(f"the store failed ({type(error).__name__})", remedy="please report it", code="store_failed")
