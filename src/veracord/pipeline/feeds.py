"""Units on their way to the workers of a run: made known to its store first, then claimed one by one.

Units that can be read again are all made known before the first is handed out: two units of one key, or an input that
is not what it was, are told before a model is asked.  Of units that can be read only once a window at a time is made
known.  Either way a window is all that is held in memory, and a byte for each unit.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from veracord.pipeline.candidates import Unit
from veracord.pipeline.runs import Claim, Lease
from veracord.pipeline.stores import Store, undisturbed

#: Units that are planned in one transaction.
_WINDOW: Final = 1000


class Feed:
    """The units of one run, each handed out once.

    Attributes:
        reused: How many of them had come to their end before.
        set_aside: The units whose claims were lost too often.
    """

    def __init__(self, units: Iterable[Unit], store: Store | None, lease: Lease | None) -> None:
        """Read nothing yet; without a store every unit is handed out as it comes."""
        self.reused = 0
        self.set_aside: list[Unit] = []
        self._store = store
        self._lease = lease
        self._turn = asyncio.Lock()
        once = iter(units)
        self._units = _numbered(once)
        self._todo: AsyncGenerator[Unit, None] | None = None
        if store is not None and lease is not None:
            # What is its own iterator cannot be read again.
            self._todo = self._by_window(store, lease) if once is units else self._planned_first(units, store, lease)

    async def next(self) -> tuple[Unit, Claim | None] | None:
        """Return the next unit with its claim; None when there is none."""
        if self._store is None or self._lease is None or self._todo is None:
            unit = next(self._units, None)
            return None if unit is None else (unit, None)
        while True:
            async with self._turn:
                # Where the input or the store failed there is no next one: nobody goes on behind it.
                unit = await anext(self._todo, None)
            if unit is None:
                return None
            # A claim that is made must be settled: who cancels the wait has ended the run, and the worker sees that.
            claim, _ = await undisturbed(self._store.claim(self._lease, unit.position or 0))
            if claim is not None:
                return unit, claim
            self.set_aside.append(unit)

    async def close(self) -> None:
        """Let go of units that nobody asked for."""
        if self._todo is not None:
            await self._todo.aclose()

    async def _planned_first(self, units: Iterable[Unit], store: Store, lease: Lease) -> AsyncGenerator[Unit, None]:
        """Make all units known, then yield those that are to be done."""
        is_todo = bytearray()
        while window := list(islice(self._units, _WINDOW)):
            todo = await self._plan(store, lease, window)
            is_todo += bytes(unit.position in todo for unit in window)
        await store.finish_plan(lease, len(is_todo))
        left = is_todo.count(1)
        skipped = 0
        for is_next, unit in zip(is_todo, _numbered(iter(units)) if left else (), strict=False):
            if is_next:
                yield unit
                left -= 1
                if not left:
                    return
            else:
                skipped += 1
                if skipped % _WINDOW == 0:
                    # Units in flight must not wait until all that is done already has been read.
                    await asyncio.sleep(0)

    async def _by_window(self, store: Store, lease: Lease) -> AsyncGenerator[Unit, None]:
        """Make a window of units known, then yield those of it that are to be done."""
        taken, is_last = 0, False
        while not is_last:
            window = list(islice(self._units, _WINDOW))
            taken += len(window)
            todo = await self._plan(store, lease, window)
            is_last = len(window) < _WINDOW
            if is_last:
                await store.finish_plan(lease, taken)
            for unit in window:
                if unit.position in todo:
                    yield unit

    async def _plan(self, store: Store, lease: Lease, window: list[Unit]) -> set[int]:
        todo = set(await store.plan(lease, window))
        self.reused += len(window) - len(todo)
        return todo


def _numbered(units: Iterator[Unit]) -> Iterator[Unit]:
    for number, unit in enumerate(units):
        yield unit if unit.position is not None else replace(unit, position=number)
