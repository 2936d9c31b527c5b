"""Units on their way to the workers of a run: planned a window at a time, and claimed one by one.

A window is all that is held in memory, however many units there are.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from veracord.pipeline.candidates import Unit
from veracord.pipeline.runs import Claim, Lease
from veracord.pipeline.stores import Store, undisturbed

#: Units that are planned in one transaction.
_WINDOW: Final = 1000


class Feed:
    """The units of one run, each handed out once.

    Attributes:
        taken: How many units were read.
        reused: How many of them had come to their end before.
        set_aside: The units whose claims were lost too often.
    """

    def __init__(self, units: Iterator[Unit], store: Store | None, lease: Lease | None) -> None:
        """Read nothing yet; without a store every unit is handed out as it comes."""
        self.taken = 0
        self.reused = 0
        self.set_aside: list[Unit] = []
        self._units = units
        self._store = store
        self._lease = lease
        self._planned: deque[Unit] = deque()
        self._planning = asyncio.Lock()
        self._is_exhausted = False
        self._is_broken = False

    async def next(self) -> tuple[Unit, Claim | None] | None:
        """Return the next unit with its claim; None when there is none."""
        if self._store is None or self._lease is None:
            unit = self._read()
            return None if unit is None else (unit, None)
        while True:
            async with self._planning:
                if not self._planned and not self._is_exhausted and not self._is_broken:
                    # What could not be read or planned is not the end of the input: nobody goes on behind it.
                    self._is_broken = True
                    await self._plan(self._store, self._lease)
                    self._is_broken = False
                if not self._planned:
                    return None
                unit = self._planned.popleft()
            # A claim that is made must be settled: who cancels the wait has ended the run, and the worker sees that.
            claim, _ = await undisturbed(self._store.claim(self._lease, unit.position or 0))
            if claim is not None:
                return unit, claim
            self.set_aside.append(unit)

    async def _plan(self, store: Store, lease: Lease) -> None:
        """Plan windows until one holds a unit that is to be done."""
        while not self._planned:
            window: list[Unit] = []
            while len(window) < _WINDOW and (unit := self._read()) is not None:
                window.append(unit)
            todo = set(await store.plan(lease, window))
            self.reused += len(window) - len(todo)
            self._planned.extend(unit for unit in window if unit.position in todo)
            if len(window) < _WINDOW:
                self._is_exhausted = True
                await store.finish_plan(lease, self.taken)
                return

    def _read(self) -> Unit | None:
        unit = next(self._units, None)
        if unit is None:
            return None
        self.taken += 1
        return unit if unit.position is not None else replace(unit, position=self.taken - 1)
