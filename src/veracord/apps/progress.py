"""How far a long run is: one line on standard error that renews itself, on a terminal only."""

import sys
import time
from typing import Final

_FIRST_AFTER_S: Final = 1.0
_EVERY_S: Final = 0.25


class Progress:
    """Counts records and tells the count and the rate."""

    def __init__(self, *, wanted: bool) -> None:
        """Start the clock; without a terminal, or when not wanted, nothing is ever told."""
        self._on = wanted and sys.stderr is not None and sys.stderr.isatty()
        self._began = time.monotonic()
        self._next = self._began + _FIRST_AFTER_S
        self._done = 0
        self._told = False

    def step(self) -> None:
        """Count one record."""
        self._done += 1
        if self._on and time.monotonic() >= self._next:
            self._tell()

    def clear(self) -> None:
        """Remove the line, so that another one can stand there."""
        if self._told:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._told = False

    def _tell(self) -> None:
        now = time.monotonic()
        rate = self._done / (now - self._began)
        sys.stderr.write(f"\r\x1b[K{self._done:,} records, {rate:,.0f} per second")
        sys.stderr.flush()
        self._told = True
        self._next = now + _EVERY_S
