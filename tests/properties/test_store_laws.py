"""Whatever a run goes through, a store in a file and one in memory say the same."""

import asyncio
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from veracord.bootstrap.stores import open_store
from veracord.errors import VeracordError
from veracord.pipeline import Disposition, Outcome, Unit, UnitResult
from veracord.pipeline.runs import Claim, Lease, RunSpec, Settlement, StepRecord
from veracord.testing import MemoryStore

SPEC = RunSpec("nightly", "in.jsonl")
COUNT = 4

#: Which of the leases or claims that there were, counted from the latest.
BACK = st.sampled_from([0, 0, 0, 1, 2])
POSITIONS = st.integers(0, COUNT)
STEPS = st.one_of(
    st.tuples(st.just("open"), st.sets(st.sampled_from(Outcome), max_size=2)),
    st.tuples(st.just("plan"), BACK, st.integers(0, COUNT + 1), st.sampled_from(["", "", "", "changed"])),
    st.tuples(st.just("finish"), BACK, st.integers(COUNT - 1, COUNT + 1)),
    st.tuples(st.just("claim"), BACK, POSITIONS),
    st.tuples(st.just("settle"), BACK, BACK, st.sampled_from(Outcome), st.sampled_from([None, *Disposition])),
    st.tuples(st.just("settle"), BACK, BACK, st.just(Outcome.ACCEPTED), st.none()),
    st.tuples(st.just("results")),
)


class Walk:
    """One store on a walk; what it says at each step can be compared."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.leases: list[Lease] = []
        self.claims: list[Claim] = []
        self.number = 0

    async def step(self, name: str, *arguments: Any) -> Any:
        self.number += 1
        try:
            return await getattr(self, f"_{name}")(*arguments)
        except VeracordError as error:
            return error.code, error.where

    async def _open(self, again: set[Outcome]) -> Any:
        self.leases.append(await self.store.open_run(SPEC, again=sorted(again, key=lambda outcome: outcome.value)))
        lease = self.leases[-1]
        return lease.epoch, lease.is_resumed, lease.is_planned

    async def _plan(self, back: int, count: int, value: str) -> Any:
        units = [Unit(f"k{n}", value if n == 1 else n, n, f"line {n}") for n in range(count)]
        return await self.store.plan(self._lease(back), units)

    async def _finish(self, back: int, count: int) -> None:
        await self.store.finish_plan(self._lease(back), count)

    async def _claim(self, back: int, position: int) -> Any:
        claim = await self.store.claim(self._lease(back), position)
        if claim is not None:
            self.claims.append(claim)
        return claim

    async def _settle(self, back: int, claim_back: int, outcome: Outcome, disposition: Disposition | None) -> Any:
        if not self.claims:
            return None
        claim = self.claims[-1 - claim_back % len(self.claims)]
        value = self.number if outcome.advances else None
        result = UnitResult(
            f"k{claim.position}", claim.position, outcome, value=value, producer_id="p", disposition=disposition
        )
        records = [StepRecord("p", f"q{self.number}", "", value)] if outcome is Outcome.ACCEPTED else []
        is_kept = await self.store.settle(self._lease(back), claim, Settlement(result, records=records))
        return is_kept, await self.store.find_record(f"q{self.number}", "")

    async def _results(self) -> Any:
        return [(r.key, r.position, r.outcome, r.value, r.disposition) async for r in self.store.results(SPEC.run_id)]

    def _lease(self, back: int) -> Lease:
        return self.leases[-1 - back % len(self.leases)]


@given(st.lists(STEPS, max_size=40))
def test_a_store_in_a_file_says_what_one_in_memory_says(steps):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        store = open_store(str(path))
        connection = sqlite3.connect(path, isolation_level=None, timeout=10)
        walks = (Walk(MemoryStore()), Walk(store))

        async def go() -> None:
            for step in (("open", set()), *steps, ("results",)):
                if step[0] == "open" and walks[0].leases:
                    # Who opens a run in memory takes it over; here its time must be over.
                    connection.execute("UPDATE runs SET lease_until = 0")
                first, second = [await walk.step(*step) for walk in walks]
                assert first == second, step

        try:
            asyncio.run(go())
        finally:
            store.close()
            connection.close()
