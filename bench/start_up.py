"""How long a user waits before anything happens."""

import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Final

from bench.figures import Figure
from bench.timing import run_command, take_turns

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
        "nothing": [python, "-c", "pass"],
        "help": [*_command_line(), "--help"],
        "import": [python, "-c", "import veracord"],
        "names": [python, "-c", "from veracord import *"],
    }
    turns = take_turns(
        {
            name: lambda command=command: run_command(command, environment)  # type: ignore[misc]
            for name, command in commands.items()
        },
        rounds,
        time.perf_counter,
    )
    took = {name: median(turns[name]) for name in commands}
    bare = f"the interpreter alone takes {took['nothing']:.3f} s; median of {rounds} processes"
    yield Figure("veracord --help", took["help"], "s", at_most=_HELP_AT_MOST_S, detail=bare)
    yield Figure("import veracord", took["import"], "s", at_most=_IMPORT_AT_MOST_S, detail=bare)
    yield Figure("import of every public name", took["names"], "s", detail="for information")


def _command_line() -> list[str]:
    """Return the installed command, or the module where none is installed beside the interpreter."""
    script = Path(sys.executable).with_name("veracord")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "veracord"]
