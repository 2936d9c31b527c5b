"""Threads for checks that may hang: one is left behind when its time is up, and none keeps the process alive.

The pools of the standard library are no use here: they wait for all their threads when the process ends.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any, Final

#: Checks that run at the same time; the others wait, and their time does not run.
_MOST: Final = 32

Job = Callable[[], None]


class Threads:
    """The threads of one run.

    Attributes:
        places: Who wants a thread takes a place first.
    """

    def __init__(self) -> None:
        """Start none yet."""
        self.places = asyncio.Semaphore(_MOST)
        self._idle: list[SimpleQueue[Job | None]] = []

    async def call(self, function: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401 - what the function returns
        """Call a function that raises nothing in a thread; a wait that is cancelled leaves the thread behind."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        context = copy_context()

        def tell(result: object) -> None:
            if not future.done():
                future.set_result(result)

        def work() -> None:
            result = context.run(function, *arguments)
            # Who asked may have gone away long ago, and the loop with it.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(tell, result)

        jobs = self._idle.pop() if self._idle else _start()
        jobs.put(work)
        try:
            result = await future
        except asyncio.CancelledError:
            # It ends when its work does.
            jobs.put(None)
            raise
        self._idle.append(jobs)
        return result

    def close(self) -> None:
        """End the threads that wait for work."""
        while self._idle:
            self._idle.pop().put(None)


def _start() -> "SimpleQueue[Job | None]":
    jobs: SimpleQueue[Job | None] = SimpleQueue()
    threading.Thread(target=_serve, args=(jobs,), name="veracord-validator", daemon=True).start()
    return jobs


def _serve(jobs: "SimpleQueue[Job | None]") -> None:
    while (job := jobs.get()) is not None:
        job()
        # An idle thread must not hold on to the value that it checked last.
        del job
