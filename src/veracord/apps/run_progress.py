"""How far a pipeline run is: a line that renews itself on a terminal, elsewhere one JSON line every 10 seconds."""

import asyncio
import sys
import time
from typing import Any, Final

from veracord.apps.escaping import visible
from veracord.pipeline import UnitResult
from veracord.ports import Usage
from veracord.records.writing import write_json

_EVERY_S: Final = 10.0
_ON_TERMINAL_EVERY_S: Final = 0.25


class RunProgress:
    """Counts units and tells how far the run is."""

    def __init__(self, total: int, *, reused: int = 0, every_s: float | None = None) -> None:
        """Start the clock.

        Args:
            total: How many units there are.
            reused: How many of them had come to their end before.
            every_s: The time between two lines; None takes what fits standard error.
        """
        self._total = total
        self._reused = reused
        self._done = 0
        self._failed = 0
        self._usage = Usage()
        self._began = time.monotonic()
        self._on_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._every_s = every_s or (_ON_TERMINAL_EVERY_S if self._on_terminal else _EVERY_S)
        self._told = False

    @property
    def is_work_left(self) -> bool:
        """Whether there are units that have not come to their end."""
        return self._reused + self._done < self._total

    def add(self, result: UnitResult[Any]) -> None:
        """Count a unit that ended."""
        self._done += 1
        self._failed += not result.outcome.advances
        self._usage += result.usage

    async def tick(self) -> None:
        """Tell the state again and again, until cancelled."""
        while True:
            await asyncio.sleep(self._every_s)
            self._tell()

    def close(self) -> None:
        """Remove the line of a terminal."""
        if self._told and self._on_terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def state(self) -> dict[str, Any]:
        """Return the numbers of this moment; the rate is that of this start."""
        seconds = max(time.monotonic() - self._began, 1e-9)
        rate = self._done / seconds
        return {
            "done": self._reused + self._done,
            "total": self._total,
            "reused": self._reused,
            "failed": self._failed,
            "rate_per_s": round(rate, 2),
            "eta_s": round((self._total - self._reused - self._done) / rate) if rate else None,
            "input_tokens": self._usage.input_tokens,
            "output_tokens": self._usage.output_tokens,
            "cost_usd": self._usage.cost_usd,
        }

    def _tell(self) -> None:
        if sys.stderr is None:
            return
        state = self.state()
        try:
            if self._on_terminal:
                sys.stderr.write(f"\r\x1b[K{visible(_line(state))}")
            else:
                sys.stderr.write(write_json({"progress": state}).decode() + "\n")
            sys.stderr.flush()
        except OSError:
            # Nobody is left who could be told; the run goes on.
            self._on_terminal = False
        self._told = True


def _line(state: dict[str, Any]) -> str:
    parts = [f"{state['done']:,}/{state['total']:,}"]
    if state["reused"]:
        parts.append(f"{state['reused']:,} reused")
    parts += [f"{state['failed']:,} failed", f"{state['rate_per_s']:,}/s"]
    if state["eta_s"] is not None:
        parts.append(f"ETA {state['eta_s']:,} s")
    if state["input_tokens"] is not None:
        parts.append(f"tokens {state['input_tokens']:,} in, {state['output_tokens'] or 0:,} out")
    if state["cost_usd"] is not None:
        parts.append(f"{state['cost_usd']:.4f} USD")
    return "  ".join(parts)
