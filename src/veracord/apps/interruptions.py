"""Signals that end a long run: the first one ends it in order, and what follows at once does not spoil that.

Ctrl-C, the end of a terminal and a request to end are heard alike: what is in flight is recorded as cancelled, and what
was done is written.
"""

import asyncio
import signal
import time
from types import FrameType
from typing import Any, Final, Self

#: Signals that end a run; not every system has all of them.
_HEARD: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

#: After this time one who is still waiting may mean it.
_PATIENCE_S: Final = 3.0


class Interruptions:
    """Hears signals as long as it is entered.

    Attributes:
        first: The first signal that was heard, or None.
        may_break: Whether an impatient Ctrl-C may break off what is under way.
    """

    def __init__(self) -> None:
        """Hear nothing yet."""
        self.first: int | None = None
        self.may_break = True
        self._heard_at = 0.0
        self._task: asyncio.Task[Any] | None = None
        self._before: dict[int, Any] = {}

    def end(self, task: "asyncio.Task[Any] | None") -> None:
        """Say what a signal cancels from now on."""
        self._task = task
        if task is not None and self.first is not None:
            task.cancel()

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._hear) for number in _HEARD}
        return self

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._before.items():
            # After a run that was ended nothing is left but to go: one more signal must not turn that into a failure.
            is_heard = self.first is not None and number == signal.SIGINT
            signal.signal(number, signal.SIG_IGN if is_heard else handler)

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first, self._heard_at = number, now
            task = self._task
            if task is not None:
                task.get_loop().call_soon_threadsafe(task.cancel)
        elif self.may_break and number == signal.SIGINT and now - self._heard_at > _PATIENCE_S:
            raise KeyboardInterrupt
