"""A search for secrets in everything that hangs on an exception."""

import types
from collections.abc import Iterable, Iterator
from contextlib import suppress

_DEEPEST = 14


def assert_clean(error: BaseException, canaries: Iterable[str], *, ours: str = "") -> list[str]:
    """Assert that no canary is in an error: texts, arguments, attributes, causes, contexts, locals of frames.

    Frames of the file `ours` are left out: a test knows its own secrets.

    Returns:
        The names of the functions whose frames were searched, as a check that some were.
    """
    walk = _Walk(tuple(canaries), ours)
    walk.visit(error, 0)
    return [name for name in walk.frames if name not in ("run", "run_until_complete", "result")]


def assert_no_canary(canaries: Iterable[str], value: object) -> None:
    """Assert that no canary is in a text, in bytes, or in what ``str`` makes of anything else."""
    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
    found = [canary for canary in canaries if canary in text]
    assert not found, found


class _Walk:
    def __init__(self, canaries: tuple[str, ...], ours: str) -> None:
        self.frames: list[str] = []
        self._canaries = canaries
        self._ours = ours
        self._kept: dict[int, object] = {}

    def visit(self, value: object, depth: int) -> None:
        if id(value) in self._kept or depth > _DEEPEST:
            return
        if isinstance(value, type | types.ModuleType | types.FunctionType):
            return
        self._kept[id(value)] = value
        assert_no_canary(self._canaries, repr(value))
        assert_no_canary(self._canaries, str(value))
        for part in self._parts(value):
            self.visit(part, depth + 1)

    def _parts(self, value: object) -> Iterator[object]:
        if isinstance(value, BaseException):
            yield from (value.args, value.__cause__, value.__context__, getattr(value, "__notes__", None))
            yield from self._locals(value.__traceback__)
        if isinstance(value, dict):
            yield from (*value.keys(), *value.values())
        elif isinstance(value, list | tuple | set | frozenset):
            yield from value
        elif isinstance(value, types.MethodType):
            yield value.__self__
        slots = [slot for cls in type(value).__mro__ for slot in getattr(cls, "__slots__", ())]
        for attribute in (*getattr(value, "__dict__", {}), *slots):
            with suppress(AttributeError):
                yield getattr(value, attribute)

    def _locals(self, trace: types.TracebackType | None) -> Iterator[object]:
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename != self._ours:
                self.frames.append(code.co_name)
                yield dict(trace.tb_frame.f_locals)
            trace = trace.tb_next
