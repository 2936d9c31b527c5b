"""Checks in child processes, which can be killed.

A child is sent the check once and then one value after the other; it answers with JSON, so that nothing it says is
executed here.
"""

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Final

from veracord.errors import ConfigurationError
from veracord.pipeline.candidates import Unit
from veracord.pipeline.checks import check_of, verdict_of
from veracord.pipeline.interruptions import Interrupted, Reason
from veracord.pipeline.texts import clean_name
from veracord.pipeline.verdicts import Defect, Verdict
from veracord.records.reading import read_value
from veracord.records.writing import write_json

_START_LIMIT_S: Final = 60.0
_READY: Final = b"ready"
_LARGEST_ANSWER: Final = 1024 * 1024
_SAFE_PATH: Final = "PYTHONSAFEPATH"


class IsolatedCheck:
    """A check and the children that can run it."""

    def __init__(self, validator_id: str, kind: object) -> None:
        """Make sure that the check can be sent to a child.

        Raises:
            ConfigurationError: It cannot.
        """
        try:
            self._sent = pickle.dumps(kind)
        except Exception:  # noqa: BLE001 - pickling calls foreign code, which may raise anything
            self._sent = b""
        if not self._sent:
            raise ConfigurationError(
                "the validator cannot be sent to a child process",
                where=validator_id,
                remedy="make it a function of a module, or leave isolate out",
                code="invalid_validator",
            )
        self._idle: list[Child] = []

    def lend(self) -> "Child":
        """Return a child that is at nobody's work; it may still have to start."""
        child = self._idle.pop() if self._idle else Child(self._sent)
        # Now, and not when its thread has begun: a wait that is cancelled at once must not take it for idle.
        child.is_idle = False
        return child

    def take_back(self, child: "Child") -> None:
        """Keep a child for the next value, or end it where it is still at work."""
        if child.is_idle:
            self._idle.append(child)
        else:
            child.abort()

    def close(self) -> None:
        """End all children."""
        while self._idle:
            self._idle.pop().end()


class Child:
    """One child process.

    Attributes:
        is_idle: Whether it waits for a value.
    """

    def __init__(self, sent: bytes) -> None:
        """Keep what it is to be sent; it starts with its first value."""
        self._sent = sent
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None
        self._is_aborted = False
        self._starting = threading.Lock()
        self.is_idle = True

    def judge(self, value: object, unit: Unit, timeout_s: float | None) -> Verdict | Interrupted:
        """Run the check in the child and return how it ended; raises nothing.  Blocks, so it is called in a thread."""
        self.is_idle = False
        try:
            ended = self._ask(value, unit, timeout_s)
        except (OSError, EOFError):
            # The child died: a check may end its process in ways that no code there can answer.
            ended = Verdict.execution_failed("process_died")
        except Exception as error:  # noqa: BLE001 - a value of a foreign type may not be picklable, in its own way
            ended = Verdict.execution_failed(clean_name(f"not_sent:{type(error).__name__}"))
        if not self.is_idle:
            self.end()
        return ended

    def _ask(self, value: object, unit: Unit, timeout_s: float | None) -> Verdict | Interrupted:
        pipe = self._started()
        pipe.send((value, unit))
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        if not pipe.poll(None if deadline is None else max(0.0, deadline - time.monotonic())):
            return Verdict.execution_failed("timed_out")
        answer = read_value(pipe.recv_bytes(_LARGEST_ANSWER))
        self.is_idle = True
        return _verdict(answer)

    def _started(self) -> "Connection[Any, Any]":
        if self._pipe is not None:
            return self._pipe
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, self._sent), daemon=True)
        # Who aborts us waits for the start: a child that is left alone in it would tell of that with a traceback.
        with self._starting:
            if self._is_aborted:
                ours.close()
                theirs.close()
                raise EOFError
            with _signals_held_back(), _safe_path():
                process.start()
            theirs.close()
            self._process, self._pipe = process, ours
        if not ours.poll(_START_LIMIT_S) or ours.recv_bytes() != _READY:
            raise EOFError
        return ours

    def abort(self) -> None:
        """Kill the process under the hands of the thread that waits for it, which then cleans up."""
        self._is_aborted = True
        with self._starting:
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """Kill the process and give everything back; nobody waits for it."""
        self.is_idle = False
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


@contextmanager
def _safe_path() -> Iterator[None]:
    """Let a child not look for modules in the current folder before it is told where ours are."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_SAFE_PATH, None)
        else:
            os.environ[_SAFE_PATH] = before


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """Let a child inherit that it does not hear Ctrl-C: it would tell of it with a traceback, and we end it anyway."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Its own start, which is part of the first child's, would let the signals through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """End this child when its parent is gone, whatever the check is doing."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
    os._exit(1)


def _serve(pipe: "Connection[Any, Any]", sent: bytes) -> None:
    """Answer values until nobody asks any more; the body of a child process."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # What a check prints must not get among the results of its parent.
    os.dup2(2, 1)
    try:
        check = check_of(pickle.loads(sent))  # noqa: S301 - made by the parent, from what the user configured
        pipe.send_bytes(_READY)
        while True:
            value, unit = pipe.recv()
            pipe.send_bytes(write_json(_answer(check, value, unit)))
    except BaseException:  # noqa: BLE001 - a traceback on standard error could quote a value; the parent sees the end
        return


def _answer(check: Any, value: object, unit: Unit) -> dict[str, Any]:  # noqa: ANN401 - any check
    try:
        found = check(value, unit)
        if isinstance(found, Coroutine):
            # It is no plain function, which only its call has shown.
            found.close()
        verdict = verdict_of(found)
    except Exception as error:  # noqa: BLE001 - whatever a foreign check raises is told by its type alone
        return {"status": "execution_failed", "code": clean_name(f"raised:{type(error).__name__}")}
    except BaseException as error:  # noqa: BLE001 - the same; the parent decides what an exit means
        ended = Interrupted.by(error)
        return {"status": "interrupted", "reason": ended.reason.value, "exit": ended.status}
    rows = [[item.code, item.path, item.fact, item.guidance] for item in verdict.defects]
    return {"status": verdict.status.value, "code": verdict.code, "defects": rows, "more": verdict.more}


def _verdict(answer: Any) -> Verdict | Interrupted:  # noqa: ANN401 - JSON
    if answer["status"] == "interrupted":
        return Interrupted(Reason(answer["reason"]), answer["exit"])
    if answer["status"] == "execution_failed":
        return Verdict.execution_failed(clean_name(answer["code"]))
    if answer["status"] == "passed":
        return Verdict.passed()
    verdict = Verdict.rejected(Defect(*row) for row in answer["defects"])
    return Verdict(verdict.status, verdict.defects, answer["more"])
