"""Validators that are run in child processes; a child loads this module, so it imports little.

A child tells its process id through a named pipe whose path is the value of the unit, so that a test waits for it
without looking again and again.
"""

import ctypes
import faulthandler
import os
import sys
import threading
from pathlib import Path
from typing import Any

from veracord.pipeline.candidates import Unit


def announce(unit: Unit) -> None:
    """Tell the process id to who reads the pipe."""
    Path(str(unit.value)).write_text(f"{os.getpid()}", encoding="ascii")


def hang(_: Any, unit: Unit) -> None:
    announce(unit)
    threading.Event().wait()


def tell_and_pass(_: Any, unit: Unit) -> None:
    announce(unit)


def exit_at_once(_: Any) -> None:
    os._exit(3)


def exit_with_a_text(_: Any) -> None:
    sys.exit("a text that goes nowhere")


def exit_with_seven(_: Any) -> None:
    sys.exit(7)


def interrupt(_: Any) -> None:
    raise KeyboardInterrupt


def crash_hard(_: Any) -> None:
    faulthandler.disable()
    ctypes.string_at(0)


def print_and_reject(_: Any) -> list[str]:
    print("printed by a child", flush=True)  # noqa: T201 - what a validator prints is no answer
    return ["rejected"]


def return_garbage(_: Any) -> Any:
    return object()


def return_garbage_defects(_: Any) -> Any:
    return [1, 2]


class StubbornError(Exception):
    """Cannot be pickled."""

    def __init__(self) -> None:
        super().__init__("x")
        self.lock = threading.Lock()


def raise_what_cannot_be_pickled(_: Any) -> None:
    raise StubbornError


def recurse(value: Any) -> Any:
    return recurse(value)


def out_of_memory(_: Any) -> None:
    raise MemoryError


def spoil(value: Any) -> None:
    value["age"] = -1
    value.clear()


def pass_everything(_: Any) -> None:
    pass


def never_negative(value: Any) -> list[str]:
    return ["age must not be negative"] if value["age"] < 0 else []


async def be_a_coroutine(_: Any) -> None:
    pass
