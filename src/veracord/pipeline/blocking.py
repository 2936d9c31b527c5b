"""Plain calls of coroutines, also from code that runs inside an event loop: a loop of its own in a thread.

One loop for all calls, so that connections are kept between them.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from typing import Any, Final, TypeVar

from veracord.errors import PipelineError

T = TypeVar("T")

_PATIENCE_S: Final = 5.0


class LoopThread:
    """An event loop in a thread of its own; started with the first call."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        """Whether a call has started it."""
        return self._loop is not None

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end and return its result.

        An interruption of the caller cancels the coroutine, waits for its end and is raised again.

        Raises:
            PipelineError: The call comes from within the loop itself, which would wait for its own end.
        """
        try:
            self._refuse_nesting()
        except PipelineError:
            coroutine.close()
            raise
        loop = self._started()
        ended: Future[T] = Future()
        call = _Call(coroutine, ended)
        try:
            loop.call_soon_threadsafe(call.begin)
            return ended.result()
        except BaseException:
            if not ended.done():
                loop.call_soon_threadsafe(call.cancel)
                wait([ended])
            raise

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                # A daemon: a program that ends does not wait for a loop that has nothing to do.
                self._thread = threading.Thread(target=self._loop.run_forever, name="veracord-loop", daemon=True)
                self._thread.start()
            return self._loop

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """End the loop and its thread; the next call starts them anew.

        Args:
            last: What is done on the loop when nobody uses it any more.

        Raises:
            PipelineError: The call comes from within the loop itself, which would wait for its own end.
        """
        self._refuse_nesting()
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is not None and thread is not None:
            # Whoever is still waiting is told that it was cancelled.
            ending = asyncio.run_coroutine_threadsafe(_cancel_all(last), loop)
            if not wait([ending], _PATIENCE_S).done:
                # Something holds the loop and will not let go; its thread does not keep the process alive.
                return
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def _refuse_nesting(self) -> None:
        if threading.current_thread() is self._thread:
            raise PipelineError(
                "a pipeline was called from within itself", remedy="await its aio instead", code="nested_call"
            )


async def _cancel_all(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others)
    await last()


class _Call:
    """One coroutine on the loop; how it ends is told to the thread that waits, never to the loop."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], ended: "Future[Any]") -> None:
        self._coroutine = coroutine
        self._ended = ended
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        if self._ended.done():
            # Cancelled before it began.
            return
        self._task = asyncio.get_running_loop().create_task(self._carry())

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()
        else:
            self._coroutine.close()
            self._ended.set_exception(asyncio.CancelledError())

    async def _carry(self) -> None:
        try:
            result = await self._coroutine
        except BaseException as error:  # noqa: BLE001 - raised in the thread that waits
            self._ended.set_exception(error)
        else:
            self._ended.set_result(result)
