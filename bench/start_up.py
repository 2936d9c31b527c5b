"""How long a user waits before anything happens."""

import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Final

from bench.figures import Figure
from bench.timing import Command, take_turns

_HELP_AT_MOST_S: Final = 0.3
_IMPORT_AT_MOST_S: Final = 0.15


def measure(rounds: int, environment: Mapping[str, str]) -> Iterator[Figure]:
    """Yield the seconds of whole processes, the start of the interpreter included.

    Args:
        rounds: How many processes of each kind are started.
        environment: For these processes.
    """
    python = sys.executable
    commands = {
        "nothing": Command([python, "-c", "pass"], environment),
        "help": Command([*_command_line(), "--help"], environment),
        "import": Command([python, "-c", "import veracord"], environment),
        "names": Command([python, "-c", "from veracord import *"], environment),
    }
    work = {name: command.run for name, command in commands.items()}
    turns = take_turns(work, rounds, time.perf_counter)

    def figure(label: str, name: str, at_most: float | None) -> Figure:
        processor = median(commands[name].processor_s)
        detail = (
            f"processor {processor:.3f} s; the interpreter alone {median(turns['nothing']):.3f} s; "
            f"median of {rounds} processes"
        )
        return Figure(label, median(turns[name]), "s", at_most=at_most, detail=detail)

    yield figure("veracord --help", "help", _HELP_AT_MOST_S)
    yield figure("import veracord", "import", _IMPORT_AT_MOST_S)
    yield figure("import of every public name", "names", None)


def _command_line() -> list[str]:
    """Return the installed command, or the module where none is installed beside the interpreter."""
    script = Path(sys.executable).with_name("veracord")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "veracord"]
