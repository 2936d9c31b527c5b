"""The search for secrets finds one leak in each place; and none where there is none."""

import asyncio
import collections
import contextvars
import functools
import io
import logging
import os
import pickle
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.memory.canaries import Canaries, Watch, fresh
from veracord.errors import ModelOutputError
from veracord.pipeline import Outcome, Receipt, Unit, UnitResult
from veracord.pipeline.runs import RunSpec, Settlement, StepRecord
from veracord.ports import Usage
from veracord.testing import MemoryStore


class Slotted:
    __slots__ = ("inner",)

    def __init__(self, inner: object) -> None:
        self.inner = inner

    def method(self) -> None:
        pass


@dataclass
class Hidden:
    text: str = field(repr=False)


def _raised(error: BaseException, *, local: object = None) -> BaseException:
    try:
        _raise(error, local)
    except BaseException as caught:  # noqa: BLE001 - whatever it is, it is given back
        return caught
    raise AssertionError


def _raise(error: BaseException, kept: object) -> None:  # noqa: ARG001 - the local of a frame in the traceback
    raise error


def _with(error: BaseException, **attributes: object) -> BaseException:
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


def _noted(text: str) -> BaseException:
    error = ValueError("x")
    error.add_note(text)
    return error


def _chained(text: str, *, explicit: bool) -> BaseException:
    try:
        try:
            raise KeyError(text)  # noqa: TRY301 - the chain is what is wanted
        except KeyError as error:
            if explicit:
                raise ValueError("x") from error
            raise ValueError("x") from None
    except ValueError as error:
        return error


class _Suspended:
    """A coroutine that waits, with a text among its locals."""

    def __init__(self, text: str) -> None:
        self.coroutine = self._wait(text)
        self.coroutine.send(None)

    async def _wait(self, text: str) -> None:
        await asyncio.sleep(0)
        assert text

    def __del__(self) -> None:
        self.coroutine.close()


def _closure(text: str) -> Callable[[], str]:
    return lambda: text


EXCEPTIONS: dict[str, Callable[[str], BaseException]] = {
    "args": lambda text: ValueError("x", text),
    "an attribute": lambda text: _with(ValueError("x"), body=text),
    "an attribute of a slot": lambda text: _with(ValueError("x"), body=Slotted(Slotted([text]))),
    "a field hidden from repr": lambda text: _with(ValueError("x"), body=Hidden(text)),
    "details": lambda text: ModelOutputError("x", details={"a": [{"b": text}]}),
    "a key of details": lambda text: ModelOutputError("x", details={text: 1}),
    "where": lambda text: ModelOutputError("x", where=text),
    "bytes": lambda text: _with(ValueError("x"), body=text.encode()),
    "a part of it": lambda text: ValueError(text[:20]),
    "a note": _noted,
    "__cause__": lambda text: _chained(text, explicit=True),
    "__context__": lambda text: _chained(text, explicit=False),
    "a frame": lambda text: _raised(ValueError("x"), local=text),
    "a frame, deep": lambda text: _raised(ValueError("x"), local={"a": [(Slotted({"b": Hidden(text)}),)]}),
    "a frame, a closure": lambda text: _raised(ValueError("x"), local=_closure(text)),
    "a frame, a partial": lambda text: _raised(ValueError("x"), local=functools.partial(print, text)),
    "a frame, a method": lambda text: _raised(ValueError("x"), local=Slotted(text).method),
    "a frame, a coroutine": lambda text: _raised(ValueError("x"), local=_Suspended(text)),
    "a frame, a buffer": lambda text: _raised(ValueError("x"), local=io.BytesIO(text.encode())),
    "a frame, an exception": lambda text: _raised(ValueError("x"), local=KeyError(text)),
    "a group": lambda text: ExceptionGroup("x", [ValueError(text)]),
    "the text": SystemExit,
}


@pytest.mark.parametrize("place", EXCEPTIONS)
def test_a_secret_in_an_exception_is_found(place):
    canaries = Canaries()
    assert canaries.in_exception(EXCEPTIONS[place](canaries["a"]))


def test_a_secret_in_a_pickle_alone_is_found():
    canaries = Canaries()
    error = ValueError("x")
    secret = canaries["a"]
    canaries.keep(secret)
    error.__setstate__({"body": secret})
    # The text is the test's own, so that only the copy of it in the pickle is left to be found.
    assert canaries.in_exception(error) == ["a in the pickle"]
    assert pickle.loads(pickle.dumps(error)).body == secret  # noqa: S301 - made on the line itself


def _logged(**record: Any) -> Callable[[str], None]:
    def log(text: str) -> None:
        parts = {key: value(text) for key, value in record.items()}
        logging.getLogger("some.library").debug(*parts.pop("args"), **parts)

    return log


WRITTEN: dict[str, Callable[[str], None]] = {
    "the message of a log record": _logged(args=lambda text: (text,)),
    "the arguments of a log record": _logged(args=lambda text: ("%s", {"a": [text]})),
    "what is added to a log record": _logged(args=lambda _: ("%d values", 1), extra=lambda text: {"body": [text]}),
    "an exception of a log record": _logged(
        args=lambda _: ("x",), exc_info=lambda text: _with(ValueError("x"), b=text)
    ),
    "a warning": lambda text: warnings.warn(text, stacklevel=1),
    "an attribute of a warning": lambda text: warnings.warn(_with(UserWarning("x"), body=text), stacklevel=1),
    "print": print,
    "standard error": lambda text: print(text, file=sys.stderr),  # noqa: T201 - it is the leak
    "file descriptor 1": lambda text: os.write(1, text.encode()),
    "file descriptor 2": lambda text: os.write(2, text.encode()),
}


@pytest.mark.parametrize("place", WRITTEN)
def test_a_secret_that_is_written_is_found(place, capfd):
    canaries = Canaries()
    logger = logging.getLogger("some.library")
    logger.setLevel(logging.CRITICAL)
    logger.propagate = False
    with Watch(canaries, capfd) as watch:
        WRITTEN[place](canaries["a"])
    assert watch.found
    assert (logger.level, logger.propagate) == (logging.CRITICAL, False)


def _receipt(**parts: Any) -> Receipt:
    empty = dict.fromkeys(("unit_key", "producer_id", "code"), "")
    rest = {"attempt": 1, "outcome": Outcome.REJECTED, "is_correction": False, "checks": (), "structure_repairs": 0}
    return Receipt(**{**empty, **rest, "usage": Usage(), "started_at": datetime.now(UTC), "duration_s": 0.0, **parts})


@pytest.mark.parametrize(
    "leak",
    [
        lambda text: _receipt(code=text),
        lambda text: _receipt(checks=(Hidden(text),)),
        lambda text: UnitResult("a", 0, Outcome.REJECTED, code=text),
        lambda text: UnitResult("a", 0, Outcome.REJECTED, rejected_by={"a": (text,)}),
        lambda text: UnitResult("a", 0, Outcome.REJECTED, value=Hidden(text)),
        lambda text: StepRecord("p", "request", "result", {"a": text}),
    ],
)
def test_a_secret_in_what_is_stored_is_found(leak):
    canaries = Canaries()
    store = MemoryStore()
    item = leak(canaries["a"])

    async def keep() -> None:
        lease = await store.open_run(RunSpec("run"))
        await store.plan(lease, [Unit("a", {}, 0)])
        claim = await store.claim(lease, 0)
        assert claim is not None
        if isinstance(item, StepRecord):
            await store.add_record(lease, claim, item)
        elif isinstance(item, UnitResult):
            await store.settle(lease, claim, Settlement(item))
        else:
            await store.settle(lease, claim, Settlement(UnitResult("a", 0, Outcome.REJECTED), [item]))

    asyncio.run(keep())
    assert canaries.in_object(store)


@functools.lru_cache
def _cached(text: str) -> int:
    return len(text)


class _Owner:
    texts: list[str] = []  # noqa: RUF012 - it is the leak


_VARIABLE: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="")

LIVE: dict[str, Callable[[str], object]] = {
    "a list": lambda text: [text],
    "a dict of texts": lambda text: {"a": text},
    "a key": lambda text: {text: 1},
    "a tuple in a tuple": lambda text: ((text, 1), 2),
    "bytes": lambda text: [text.encode()],
    "a bytearray": lambda text: [bytearray(text.encode())],
    "a memoryview": lambda text: memoryview(text.encode()),
    "a buffer": io.StringIO,
    "a slot": Slotted,
    "an attribute": Hidden,
    "a deque": lambda text: collections.deque([text]),
    "a coroutine": _Suspended,
    "a closure": _closure,
    "an exception": ValueError,
    "a unit": lambda text: Unit("a", {"b": text}),
    "a cache": _cached,
    "a class": _Owner.texts.append,
    "a context": _VARIABLE.set,
}


def test_a_secret_that_is_alive_is_found_wherever_it_is():
    canaries = Canaries()
    kept = [make(canaries[place]) for place, make in LIVE.items()]
    try:
        assert {hit.partition(" is alive")[0] for hit in canaries.in_live_objects()} == set(LIVE)
    finally:
        _cached.cache_clear()
        _Owner.texts.clear()
        _VARIABLE.set("")
    del kept
    assert canaries.in_live_objects() == []


def test_a_secret_among_the_locals_of_another_thread_is_found():
    canaries = Canaries()
    begun, done = threading.Event(), threading.Event()

    def work(text: str) -> None:
        begun.set()
        done.wait()
        assert text

    thread = threading.Thread(target=lambda: work(canaries["a"]), name="worker")
    thread.start()
    try:
        begun.wait()
        assert canaries.in_live_objects()
    finally:
        done.set()
        thread.join()


def test_what_a_test_owns_is_no_leak_but_a_copy_of_it_is():
    canaries = Canaries()
    own = [canaries["a"]]
    canaries.keep(own)
    assert canaries.in_object(Slotted(own)) == []
    assert canaries.in_live_objects() == []
    copy = [fresh(own[0])]
    assert canaries.in_object(Slotted(copy))
    assert canaries.in_live_objects()


def test_nothing_is_found_where_there_is_nothing(capfd):
    canaries = Canaries()
    canaries["a"]
    with Watch(canaries, capfd) as watch:
        WRITTEN["the message of a log record"]("harmless")
        WRITTEN["print"]("harmless")
    assert watch.found == []
    assert watch.records == 1
    assert canaries.in_exception(_raised(ValueError("x"), local={"a": 1})) == []
    assert canaries.in_live_objects() == []
