"""Threads that only read, each with a connection of its own: they wait for no commit, and no commit waits for them.

What somebody looks at is one moment of the store.  A connection that failed is closed, and the next look opens another.
"""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from veracord.errors import StorageError, VeracordError
from veracord.storage.sessions import Session

T = TypeVar("T")

#: Those who wait for a disk or a server; more of them would only share one processor.
_THREADS: Final = 4


class Readers:
    """A few threads that look things up."""

    def __init__(self, open_session: Callable[[], Session]) -> None:
        """Start nothing yet.

        Args:
            open_session: Opens a connection to a store that is there, in the thread.
        """
        self._open_session = open_session
        self._pool: ThreadPoolExecutor | None = None
        self._own = threading.local()
        self._sessions: list[Session] = []
        self._gate = threading.Lock()
        self._pid = os.getpid()
        self._is_closed = False

    async def do(self, work: Callable[[Session], T]) -> T:
        """Do something that only reads, in one transaction.

        Args:
            work: Is given the connection.  What it raises is raised here.

        Raises:
            StorageError: The store cannot be read.
        """
        return await asyncio.get_running_loop().run_in_executor(self._started(), self._look, work)

    def close(self) -> None:
        """Let all end what they do, and close the connections."""
        with self._gate:
            self._is_closed = True
            pool, self._pool = self._pool, None
        if pool is not None and self._pid == os.getpid():
            pool.shutdown()
        for session in self._sessions:
            with suppress(Exception):
                session.close()
        self._sessions.clear()

    def _started(self) -> ThreadPoolExecutor:
        if self._pid != os.getpid():
            raise StorageError(
                "the store was opened by another process", remedy="open it in each process", code="store_carried"
            )
        with self._gate:
            if self._is_closed:
                raise StorageError("the store was closed", remedy="open it again", code="store_failed")
            if self._pool is None:
                self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="veracord-reader")
            return self._pool

    def _look(self, work: Callable[[Session], T]) -> T:
        session = self._session()
        try:
            session.begin_reading()
            found = work(session)
            session.commit()
        except VeracordError:
            self._finish(session)
            raise
        except Exception as error:  # noqa: BLE001 - of a driver: its text may quote what was written
            failure = session.failure(error)
            self._drop(session)
            raise failure from None
        return found

    def _session(self) -> Session:
        session: Session | None = getattr(self._own, "session", None)
        if session is None:
            session = self._own.session = self._open_session()
            with self._gate:
                self._sessions.append(session)
        return session

    def _finish(self, session: Session) -> None:
        try:
            session.roll_back()
        except Exception:  # noqa: BLE001 - of a driver; the connection is of no use any more
            self._drop(session)

    def _drop(self, session: Session) -> None:
        self._own.session = None
        with self._gate:
            if session in self._sessions:
                self._sessions.remove(session)
        with suppress(Exception):
            session.close()
