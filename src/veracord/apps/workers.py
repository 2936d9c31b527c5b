"""Work on batches in several processes, with the results in the order of the batches.

Each worker has one batch at a time and a pipe of its own, so neither side can block the other.  How
far the work runs ahead of the slowest batch is bounded, and with it the memory.
"""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import chain
from multiprocessing.connection import Connection, wait
from typing import Final, Generic, TypeVar

from veracord.apps.failures import InternalError, failure_of
from veracord.errors import VeracordError

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Batches that may be under way or waiting for an earlier one, for each worker.
_AHEAD: Final = 4

_PATIENCE_S: Final = 5


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
    crew = _Crew(build, jobs)
    try:
        # The first batch is empty: it shows whether the work can be set up at all.
        yield from crew.run(chain([[]], batches))
    finally:
        crew.dismiss()


class _Crew(Generic[Item, Result]):
    """The workers of one run."""

    def __init__(self, build: Callable[[], Callable[[Item], Result]], jobs: int) -> None:
        self._idle: list[Connection] = []
        self._busy: dict[Connection, int] = {}
        self._processes: list[multiprocessing.Process] = []
        self._ahead = jobs * _AHEAD
        # Ctrl-C reaches every process of the terminal; only this one answers it.
        answer = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            for _ in range(jobs):
                self._hire(build)
        finally:
            signal.signal(signal.SIGINT, answer)

    def _hire(self, build: Callable[[], Callable[[Item], Result]]) -> None:
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.Process(target=_work, args=(build, theirs), daemon=True)
        process.start()
        # Only the worker holds its end now, so its death ends the stream.
        theirs.close()
        self._processes.append(process)
        self._idle.append(ours)

    def run(self, batches: Iterator[Sequence[Item]]) -> Iterator[list[Result]]:
        done: dict[int, list[Result]] = {}
        handed_out = handed_back = 0
        more = True
        while more or self._busy:
            while more and self._idle and handed_out - handed_back < self._ahead:
                batch = next(batches, None)
                more = batch is not None
                if batch is not None:
                    self._hand_out(handed_out, batch)
                    handed_out += 1
            done.update(self._collect())
            while handed_back in done:
                yield done.pop(handed_back)
                handed_back += 1

    def _hand_out(self, number: int, batch: Sequence[Item]) -> None:
        worker = self._idle.pop()
        try:
            worker.send(batch)
        except OSError:
            raise _died() from None
        self._busy[worker] = number

    def _collect(self) -> Iterator[tuple[int, list[Result]]]:
        for worker in wait(list(self._busy)) if self._busy else ():
            assert isinstance(worker, Connection)  # noqa: S101 - narrows for mypy
            try:
                answer = worker.recv()
            except (EOFError, OSError):
                raise _died() from None
            if isinstance(answer, VeracordError):
                raise answer
            yield self._busy.pop(worker), answer
            self._idle.append(worker)

    def dismiss(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(_PATIENCE_S)
            if process.is_alive():
                process.kill()
                process.join()
        for worker in [*self._idle, *self._busy]:
            worker.close()


def _died() -> InternalError:
    return InternalError(
        "a worker process ended before its work was done",
        remedy="it may have run out of memory: try fewer --jobs; no file was written",
        code="worker_died",
    )


def _work(build: Callable[[], Callable[[Item], Result]], pipe: Connection) -> None:
    """Answer batches until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    do: Callable[[Item], Result] | None = None
    try:
        while True:
            batch = pipe.recv()
            try:
                do = do or build()
                answer: object = [do(item) for item in batch]
            except VeracordError as error:
                answer = error
            except Exception as error:  # noqa: BLE001 - whatever it is, the other side must hear of it
                answer = failure_of(error)
            pipe.send(answer)
    except (EOFError, OSError):
        # The other side is gone, and so is the reason to work.
        return
