"""Charts as numbers for drawings that the server makes: no script draws, and no style stands in a page."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

_COLUMNS: Final = 60
_WIDTH: Final = 640
_HEIGHT: Final = 160
_LEFT: Final = 44
_TOP: Final = 14
_BOTTOM: Final = 22
_FEWEST: Final = 2
_TONES: Final = {"accepted": "good", "accepted_incomplete": "guess", "cancelled": ""}


def outcome_bars(outcomes: Mapping[str, int], meanings: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a bar for each outcome, the longest of width 100."""
    top = max(outcomes.values(), default=0)
    return [
        {
            "name": name.replace("_", " "),
            "count": f"{number:,}",
            "width": round(number / top * 100, 2) if top else 0,
            "tone": _TONES.get(name, "bad"),
            "meaning": meanings.get(name, ""),
        }
        for name, number in outcomes.items()
    ]


def rate_chart(times: Sequence[float]) -> dict[str, Any] | None:
    """Return a chart of how many things happened in a second, over time; None where there is too little to be drawn.

    Args:
        times: When each happened, in seconds since 1970, in any order.
    """
    if len(times) < _FEWEST or max(times) <= min(times):
        return None
    first, last = min(times), max(times)
    columns = max(min(_COLUMNS, len(times)), _FEWEST)
    counts = [0] * columns
    for time in times:
        counts[min(int((time - first) / (last - first) * columns), columns - 1)] += 1
    top, seconds = max(counts), (last - first) / columns
    plot, step = _HEIGHT - _TOP - _BOTTOM, (_WIDTH - _LEFT) / columns
    return {
        "bars": [_bar(at, count / top * plot, step) for at, count in enumerate(counts) if count],
        "width": _WIDTH,
        "height": _HEIGHT,
        "left": _LEFT,
        "top": _TOP,
        "base": _TOP + plot,
        "highest": _number(top / seconds),
        "middle": _TOP + plot / 2,
        "half": _number(top / seconds / 2),
        "start": _clock(first),
        "end": _clock(last),
        "words": (
            f"{len(times):,} units from {_clock(first)} to {_clock(last)} UTC, "
            f"at most {_number(top / seconds)} a second, {_number(len(times) / (last - first))} on average"
        ),
    }


def _bar(at: int, height: float, step: float) -> dict[str, float]:
    return {
        "x": round(_LEFT + at * step, 2),
        "y": round(_HEIGHT - _BOTTOM - height, 2),
        "width": round(max(step - 1, 0.5), 2),
        "height": round(height, 2),
    }


def _number(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"  # noqa: PLR2004 - below, a digit more tells something


def _clock(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%H:%M:%S")
