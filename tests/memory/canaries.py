"""Secrets that a test plants, and a search for them wherever they could have got to.

What is a leak: a text, in one of the places searched, that holds a secret and was not there before the run.  A test
says with `Canaries.keep` which texts are its own (the secrets, the prompt of the pipeline, the key, the values of the
units) before it begins; these are told by identity, not by content.  So an object that rightly holds a text may be met
on the way (a frame holds the pipeline, the pipeline its prompt, a model its key), while a copy of the same text, or
anything that was made of it, is a leak.  For this the test's own models, validators and producers make each text anew
(`fresh`) and keep nothing.

The search goes through attributes, slots, containers, closures, bound methods, suspended coroutines and the frames of
tracebacks.  It stops at modules, classes and the globals of functions: no object of one run is found there that the
search through all live objects does not find, too.  Not seen is what only the memory of an extension module holds, and
what only the running frames of the thread that searches hold: those are the test's.
"""

import contextlib
import copy
import functools
import gc
import io
import logging
import pickle
import secrets
import sys
import threading
import traceback
import types
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, Self

Text = str | bytes | bytearray

_TEXTS = (str, bytes, bytearray)
_STOPS = (types.ModuleType, type, types.CodeType, types.BuiltinFunctionType, threading.Thread)

_UNTOLD = (dict, io.BytesIO, io.StringIO)


def fresh(text: str) -> str:
    """Return a text of the same characters that is another object."""
    return "".join(list(text))


class Canaries:
    """Secrets by name, all with one mark, so that also a part of one is found."""

    def __init__(self) -> None:
        self._mark = f"canary{secrets.token_hex(6)}"
        self._mark_bytes = self._mark.encode()
        self._case = ""
        self._secrets: dict[str, str] = {}
        self._own: dict[int, Text] = {id(mark): mark for mark in (self._mark, self._mark_bytes)}

    def within(self, case: str) -> "Canaries":
        """Return the same canaries, whose secrets are called after a case from now on."""
        other = copy.copy(self)
        vars(other)["_case"] = case
        return other

    @property
    def planted(self) -> set[str]:
        """The names of the secrets that were asked for."""
        return set(self._secrets)

    def __getitem__(self, name: str) -> str:
        """Return the secret of a name, a new object each time."""
        name = f"{self._case}{name}"
        if name not in self._secrets:
            secret = f"{self._mark}{secrets.token_hex(4)}"
            self._secrets[name] = secret
            self._own[id(secret)] = secret
        return fresh(self._secrets[name])

    def keep(self, *roots: object) -> None:
        """Take every text that hangs on the roots now for the test's own."""
        for value, _ in self._walk(roots):
            if isinstance(value, _TEXTS):
                self._own[id(value)] = value

    def in_text(self, text: Text) -> list[str]:
        """Return the names of the secrets in a text; "?" is a part of one."""
        if not isinstance(text, str):
            text = bytes(text).decode("latin-1")
        if self._mark not in text:
            return []
        return [name for name, secret in self._secrets.items() if secret in text] or ["?"]

    def in_object(self, *roots: object) -> list[str]:
        """Return what was found in values: in their texts, and in everything that hangs on them."""
        found = [
            f"{name} in {how.__name__}" for root in roots for how in (str, repr) for name in self.in_text(how(root))
        ]
        for value, path in self._walk(roots):
            if isinstance(value, _TEXTS) and id(value) not in self._own:
                found += (f"{name} at {path}" for name in self.in_text(value))
        return found

    def in_exception(self, *errors: BaseException) -> list[str]:
        """Return what was found in exceptions: also in their tracebacks as printed, and in their pickles."""
        found = self.in_object(*errors)
        for error in errors:
            printed = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
            found += (f"{name} in the traceback" for name in self.in_text(printed))
            # What a test raises may be of a kind that cannot be pickled.
            with contextlib.suppress(Exception):
                found += [f"{name} in the pickle" for name in self.in_text(pickle.dumps(error))]
        return found

    def in_live_objects(self) -> list[str]:
        """Return what was found in the objects that are alive, and in the frames of the other threads."""
        gc.collect()
        running = [dict(frame.f_locals) for frame in _frames_of_other_threads()]
        roots = [*gc.get_objects(), *running]
        seen = set(map(id, roots))
        texts: dict[int, Text] = {}
        layer: list[Any] = roots
        while layer:
            parts = gc.get_referents(*layer)
            for kind in _UNTOLD:
                parts += (part for item in _of_kind(layer, kind) for part in _untold(item))
            unique = dict(zip(map(id, parts), parts, strict=True))
            for kind in _TEXTS:
                texts |= {id(text): text for text in _of_kind(unique.values(), kind) if self._holds_mark(text)}
            # What the collector does not track (a dict of texts, say) is looked into, too.
            inner = (*_of_kind(unique.values(), dict), *_of_kind(unique.values(), tuple))
            layer = [part for part in inner if id(part) not in seen]
            seen.update(map(id, layer))
            del parts, unique, inner
        told = {name: text for text in texts.values() if id(text) not in self._own for name in self.in_text(text)}
        del texts, layer
        return [f"{name} is alive{_held_by(text, roots)}" for name, text in told.items()]

    def _holds_mark(self, text: Text) -> bool:
        return self._mark in text if isinstance(text, str) else self._mark_bytes in text

    def _walk(self, roots: Iterable[object]) -> Iterator[tuple[object, str]]:
        """Yield everything that hangs on the roots, each once, and how it was reached."""
        seen: dict[int, object] = {id(self): self, id(self._own): self._own, id(self._secrets): self._secrets}
        stack = [(root, type(root).__name__) for root in roots]
        while stack:
            value, path = stack.pop()
            if id(value) in seen or isinstance(value, _STOPS):
                continue
            seen[id(value)] = value
            yield value, path
            stack += ((part, f"{path[-300:]} > {type(part).__name__}{name}") for name, part in _parts(value))


def _parts(value: object) -> Iterable[tuple[str, object]]:
    if isinstance(value, _TEXTS):
        return ()
    if isinstance(value, types.TracebackType):
        return [("", value.tb_frame), ("", value.tb_next)]
    if isinstance(value, types.FrameType):
        return [(f" {value.f_code.co_name}:{name}", part) for name, part in dict(value.f_locals).items()]
    if isinstance(value, types.FunctionType):
        parts: list[object] = [value.__defaults__, value.__kwdefaults__, value.__dict__, *(value.__closure__ or ())]
        return [("", part) for part in parts]
    untold = _untold(value) if isinstance(value, _UNTOLD) else []
    return [("", part) for part in (*gc.get_referents(value), *untold)]


def _frames_of_other_threads() -> Iterator[types.FrameType]:
    for ident, frame in sys._current_frames().items():  # noqa: SLF001 - there is no other way to see them
        if ident != threading.get_ident():
            yield from (step for step, _ in traceback.walk_stack(frame))


def _of_kind(values: Iterable[Any], kind: type) -> list[Any]:
    """Return the values of a type and of those that come from it; there are too many for `isinstance`."""
    kinds = {found for found in set(map(type, values)) if issubclass(found, kind)}
    return [value for value in values if type(value) in kinds]


def _untold(value: Any) -> list[Any]:
    """Return what a value holds and does not tell the garbage collector: keys that are texts, and buffers."""
    if isinstance(value, dict):
        return list(value)
    return [] if value.closed else [value.getvalue()]


def _held_by(text: Text, roots: list[object]) -> str:
    """Say what kinds of objects hold a text, and what holds them."""
    first = [item for item in gc.get_referrers(text) if item is not roots and not isinstance(item, types.FrameType)]
    second = gc.get_referrers(*first) if first else []
    kinds = [sorted({type(item).__name__ for item in items if item is not first}) for items in (first, second)]
    return f" in {kinds[0]} in {kinds[1]}"


class Watch:
    """Reads along what is written while it is open: logs of every logger, warnings, standard output and error.

    Of a log record are read its text, the ``repr`` of everything it holds, and whatever hangs on its exception.

    Attributes:
        found: What was found.
        records: How many log records were read.
    """

    def __init__(self, canaries: Canaries, capfd: Any) -> None:
        self.found: list[str] = []
        self.records = 0
        self._canaries = canaries
        self._capfd = capfd

    def __enter__(self) -> Self:
        self._capfd.readouterr()
        self._handler = _Handler(self)
        loggers = [item for item in logging.Logger.manager.loggerDict.values() if isinstance(item, logging.Logger)]
        root = logging.getLogger()
        self._levels = [(item, item.level, item.propagate, item.disabled) for item in (root, *loggers)]
        for logger, *_ in self._levels:
            logger.setLevel(logging.DEBUG)
            logger.propagate, logger.disabled = True, False
        # No other handler meanwhile: pytest's keeps every record, with the objects that it was made of.
        self._handlers, root.handlers = root.handlers, [self._handler]
        self._warnings = warnings.catch_warnings(record=True)
        self._warned = self._warnings.__enter__()
        warnings.simplefilter("always")
        return self

    def __exit__(self, *exception: object) -> None:
        # What is warned of when something is collected belongs to the run, too.
        gc.collect()
        self._warnings.__exit__(*exception)
        logging.getLogger().handlers = self._handlers
        for logger, level, propagate, disabled in self._levels:
            logger.setLevel(level)
            logger.propagate, logger.disabled = propagate, disabled
        for warned in self._warned or ():
            self.found += (f"{hit} of a warning" for hit in self._canaries.in_exception(warned.message))
        self.warned = [str(warned.message) for warned in self._warned or ()]
        for name, text in zip(("standard output", "standard error"), self._capfd.readouterr(), strict=True):
            self.found += (f"{hit} in {name}" for hit in self._canaries.in_text(text))

    def read(self, record: logging.LogRecord) -> None:
        """Read a log record."""
        self.records += 1
        texts = [record.getMessage(), logging.Formatter().format(record), *map(repr, record.__dict__.values())]
        hits = [hit for text in texts for hit in self._canaries.in_text(text)]
        if record.exc_info and record.exc_info[1] is not None:
            hits += self._canaries.in_exception(record.exc_info[1])
        self.found += (f"{hit} in a log record of {record.name}" for hit in hits)


class _Handler(logging.Handler):
    def __init__(self, watch: Watch) -> None:
        super().__init__(logging.DEBUG)
        self._read = functools.partial(Watch.read, watch)

    def emit(self, record: logging.LogRecord) -> None:
        self._read(record)


@contextlib.contextmanager
def caught_records() -> Iterator[None]:
    """Let no log record reach pytest, which would keep it, with the objects that it was made of."""
    root = logging.getLogger()
    handlers, root.handlers = root.handlers, [logging.NullHandler()]
    try:
        yield
    finally:
        root.handlers = handlers
