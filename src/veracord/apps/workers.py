"""Work on batches in several processes, with the results in the order of the batches.

Each worker has a pipe of its own, on which it listens also while it works: so neither side can block
the other, and the next batch is there when one is done.  How far the work runs ahead of the slowest
batch is bounded, and with it the memory.
"""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Thread
from typing import Final, Generic, TypeVar

from veracord.apps.failures import InternalError, failure_of
from veracord.errors import VeracordError

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Batches that a worker has at once: one that it works on and one that waits.
_AT_ONCE: Final = 2

#: Batches that may be under way, or done and waiting for an earlier one, for each worker.
_AHEAD: Final = 6

_PATIENCE_S: Final = 5

_ENDING: Final = frozenset({signal.SIGINT, signal.SIGTERM})
_CAN_HOLD_BACK: Final = hasattr(signal, "pthread_sigmask")


def run_in_order(
    build: Callable[[], Callable[[Item], Result]], batches: Iterator[Sequence[Item]], jobs: int
) -> Generator[list[Result]]:
    """Yield the results of every batch, in order.

    Args:
        build: Makes the function that does one item; called once in each worker. It is pickled
            where processes are not forked.
        batches: What is to be done; read no further ahead than the bound allows.
        jobs: How many processes work.

    Raises:
        VeracordError: `build` raised it, or an item met something unforeseen, or a worker died.
    """
    crew: _Crew[Item, Result] = _Crew(jobs)
    try:
        crew.hire(build)
        # The first batch is empty: it shows whether the work can be set up at all.
        yield from crew.run(chain([[]], batches))
    finally:
        crew.dismiss()


class _Crew(Generic[Item, Result]):
    """The workers of one run."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        # The numbers of the batches that each worker has, in the order in which it answers.
        self._given: dict[Connection, deque[int]] = {}
        self._processes: list[multiprocessing.Process] = []
        self._ahead = jobs * _AHEAD

    def hire(self, build: Callable[[], Callable[[Item], Result]]) -> None:
        """Start the workers."""
        with _signals_held_back():
            for _ in range(self._jobs):
                ours, theirs = multiprocessing.Pipe()
                process = multiprocessing.Process(target=_work, args=(build, theirs, ours), daemon=True)
                process.start()
                # Only the worker holds its end now, so its death ends the stream.
                theirs.close()
                self._processes.append(process)
                self._given[ours] = deque()

    def run(self, batches: Iterator[Sequence[Item]]) -> Iterator[list[Result]]:
        done: dict[int, list[Result]] = {}
        handed_out = handed_back = 0
        more = True
        while more or handed_back < handed_out:
            while more and handed_out - handed_back < self._ahead and self._has_room():
                batch = next(batches, None)
                more = batch is not None
                if batch is not None:
                    self._hand_out(handed_out, batch)
                    handed_out += 1
            done.update(self._collect())
            while handed_back in done:
                yield done.pop(handed_back)
                handed_back += 1

    def _has_room(self) -> bool:
        return any(len(given) < _AT_ONCE for given in self._given.values())

    def _hand_out(self, number: int, batch: Sequence[Item]) -> None:
        worker = min(self._given, key=lambda each: len(self._given[each]))
        try:
            worker.send(batch)
        except OSError:
            raise _died() from None
        self._given[worker].append(number)

    def _collect(self) -> Iterator[tuple[int, list[Result]]]:
        busy = [worker for worker, given in self._given.items() if given]
        for worker in wait(busy) if busy else ():
            assert isinstance(worker, Connection)  # noqa: S101 - narrows for mypy
            try:
                answer = worker.recv()
            except (EOFError, OSError):
                raise _died() from None
            if isinstance(answer, VeracordError):
                raise answer
            yield self._given[worker].popleft(), answer

    def dismiss(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(_PATIENCE_S)
            if process.is_alive():
                process.kill()
                process.join()
        for worker in self._given:
            worker.close()


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """Keep a process from being interrupted halfway between itself and a copy of itself."""
    if not _CAN_HOLD_BACK:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _answer_signals() -> None:
    """Answer signals as a worker does, which was started with all of them held back.

    Ctrl-C reaches every process of a terminal, and only the one that hired us answers it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if _CAN_HOLD_BACK:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


def _died() -> InternalError:
    return InternalError(
        "a worker process ended before its work was done",
        remedy="it may have run out of memory: try fewer --jobs; no file was written",
        code="worker_died",
    )


def _work(build: Callable[[], Callable[[Item], Result]], pipe: Connection, other_end: Connection) -> None:
    """Answer batches, in the order in which they come, until the pipe closes."""
    _answer_signals()
    # A copy of it came along; while it is open here, the pipe does not close when its owner dies.
    other_end.close()
    waiting: SimpleQueue[Sequence[Item] | None] = SimpleQueue()
    Thread(target=_listen, args=(pipe, waiting), daemon=True).start()
    do: Callable[[Item], Result] | None = None
    while (batch := waiting.get()) is not None:
        try:
            do = do or build()
            answer: object = [do(item) for item in batch]
        except VeracordError as error:
            answer = error
        except Exception as error:  # noqa: BLE001 - whatever it is, the other side must hear of it
            answer = failure_of(error)
        try:
            pipe.send(answer)
        except OSError:
            # The other side is gone, and so is the reason to work.
            return


def _listen(pipe: Connection, waiting: "SimpleQueue[Sequence[Item] | None]") -> None:
    """Take in batches as they come; None stands for the end."""
    try:
        while True:
            waiting.put(pipe.recv())
    except (EOFError, OSError):
        waiting.put(None)
