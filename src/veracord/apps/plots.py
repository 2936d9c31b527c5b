"""A plot in plain characters."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

_WIDTH: Final = 60
_HEIGHT: Final = 6
_FEWEST: Final = 2

#: Fewer columns tell nothing, and the times below them need this room.
_LEAST: Final = 18
_AXIS: Final = 12


def rate_plot(times: Sequence[float], width: int) -> list[str]:
    """Return the lines of a plot of how many things happened in a second, over time.

    Args:
        times: When each happened, in seconds since 1970, in any order.
        width: The characters that there are on a line.

    Returns:
        The lines from top to bottom; none where there is too little to be drawn.
    """
    columns = min(_WIDTH, width - _AXIS, max(_LEAST, len(times) // 2))
    if len(times) < _FEWEST or columns < _LEAST:
        return []
    first, last = min(times), max(times)
    if last <= first:
        return []
    counts = [0] * columns
    for time in times:
        counts[min(int((time - first) / (last - first) * columns), columns - 1)] += 1
    top = max(counts)
    highest = top * columns / (last - first)
    # Something happened is never drawn as nothing.
    heights = [0 if count == 0 else max(1, round(count / top * _HEIGHT)) for count in counts]
    lines = []
    for level in range(_HEIGHT, 0, -1):
        mark = _number(highest) if level == _HEIGHT else ""
        lines.append(f"{mark:>{_AXIS - 4}} | " + "".join("#" if height >= level else " " for height in heights))
    lines.append(f"{'0':>{_AXIS - 4}} +-" + "-" * columns)
    start, end = _clock(first), _clock(last)
    lines.append(" " * (_AXIS - 1) + start + end.rjust(columns - len(start)))
    return [line.rstrip() for line in lines]


def _number(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"  # noqa: PLR2004 - below, a digit more tells something


def _clock(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%H:%M:%S")
