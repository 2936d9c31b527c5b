"""The resident memory of a process and its children over time, on systems with /proc."""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

_PROC: Final = Path("/proc")
_EVERY_S: Final = 0.05
_MEGABYTE: Final = 1e6


@dataclass(slots=True)
class MemoryCurve:
    """Resident memory against the share of an input that was read.

    Attributes:
        points: (share of the input, megabytes), in the order of time.
    """

    points: list[tuple[float, float]] = field(default_factory=list)

    def around(self, share: float) -> float:
        """Return the median while about so much of the input was read."""
        near = [size for at, size in self.points if abs(at - share) <= 0.02]  # noqa: PLR2004
        nearest = min(self.points, key=lambda point: abs(point[0] - share))
        return median(near) if near else nearest[1]

    def at_the_end(self) -> float:
        """Return the most while the last tenth was read, and after it."""
        return max(size for at, size in self.points if at >= 0.9)  # noqa: PLR2004

    def thinned(self, count: int = 50) -> list[tuple[float, float]]:
        """Return about so many of the points."""
        step = max(1, len(self.points) // count)
        return [(round(at, 3), round(size, 1)) for at, size in self.points[::step]]


def is_measurable() -> bool:
    """Whether this system tells the memory and the open files of a process."""
    return (_PROC / "self" / "statm").is_file() and (_PROC / "self" / "fdinfo").is_dir()


def resident_mb(process: int) -> float:
    """Return the resident memory of a process in megabytes; 0 where it has ended."""
    try:
        pages = int((_PROC / str(process) / "statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE


def watch(
    command: Sequence[str], environment: Mapping[str, str], read: Path, allowed: Sequence[int] = (0,)
) -> MemoryCurve:
    """Run a command and sample the memory of it and its children.

    Args:
        command: What is run.
        environment: Its environment.
        read: The file that it reads from beginning to end; how far it is tells the share.
        allowed: Exit codes of success.

    Raises:
        RuntimeError: Another exit code.
    """
    size = read.stat().st_size
    curve = MemoryCurve()
    share = 0.0
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            position = _position(process.pid, read)
            share = share if position is None else max(share, position / size)
            resident = sum(map(resident_mb, _family(process.pid)))
            if resident:
                curve.points.append((share, resident))
            time.sleep(_EVERY_S)
    if process.returncode not in allowed:
        message = f"exit code {process.returncode}"
        raise RuntimeError(message)
    return curve


def _family(parent: int) -> Iterator[int]:
    """Yield a process and all below it."""
    yield parent
    try:
        for task in (_PROC / str(parent) / "task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))
    except OSError:
        return


def _position(process: int, file: Path) -> int | None:
    """Return how far a process has read a file, or None where it does not have it open."""
    folder = _PROC / str(process)
    try:
        for link in (folder / "fd").iterdir():
            if link.resolve() == file:
                return int((folder / "fdinfo" / link.name).read_text().split()[1])
    except OSError:
        return None
    return None
