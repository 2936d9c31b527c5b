"""Timing on a machine that does other things, too: in turns, and by medians.

What is compared takes turns within one run, so that a slow moment of the machine falls on all sides alike.
Work in this process is timed by the processor time that it takes; what other processes do in the
meantime does not count.  Other processes are timed by the clock.
"""

import math
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import veracord

#: Name and seconds of every turn.
Turns = dict[str, list[float]]


def take_turns(
    work: Mapping[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = time.process_time,
    warm_ups: int = 1,
) -> Turns:
    """Run everything once a round and return the seconds of each turn.

    Args:
        work: What is timed, by name, in the order of the turns.
        rounds: How often.
        clock: Processor time by default.
        warm_ups: Rounds before them that are not counted.
    """
    turns: Turns = {name: [] for name in work}
    for number in range(warm_ups + rounds):
        for name, do in work.items():
            began = clock()
            do()
            took = clock() - began
            if number >= warm_ups:
                turns[name].append(took)
    return turns


def ratio(turns: Turns, above: str, below: str) -> float:
    """Return the median over the rounds of one time divided by another of the same round."""
    return median(a / b for a, b in zip(turns[above], turns[below], strict=True))


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the power of the size that the cost grows with: the slope of the log-log fit."""
    x, y = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    return slope(x, y)


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the slope of the line of least squares."""
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    spread = sum((a - middle_x) ** 2 for a in x)
    return sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True)) / spread


def own_environment() -> dict[str, str]:
    """Return an environment in which other processes use the same package as this one."""
    package = Path(veracord.__file__).resolve().parents[1]
    others = os.environ.get("PYTHONPATH")
    paths = [str(package), *([others] if others else [])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def run_command(command: Sequence[str], environment: Mapping[str, str], allowed: Sequence[int] = (0,)) -> None:
    """Run a command to its end.

    Raises:
        RuntimeError: Its exit code is none of those allowed; with its last words.
    """
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    if done.returncode not in allowed:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        message = f"exit code {done.returncode}: {words[-1] if words else 'no message'}"
        raise RuntimeError(message)


@dataclass(frozen=True, slots=True)
class Command:
    """A command that is run again and again.

    Attributes:
        words: The command.
        environment: Its environment.
        allowed: Exit codes of success.
        processor_s: The processor time of each run, its own children included.
    """

    words: Sequence[str]
    environment: Mapping[str, str]
    allowed: Sequence[int] = (0,)
    processor_s: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Run it to its end; see `run_command`."""
        before = os.times()
        run_command(self.words, self.environment, self.allowed)
        after = os.times()
        user = after.children_user - before.children_user
        self.processor_s.append(user + after.children_system - before.children_system)
