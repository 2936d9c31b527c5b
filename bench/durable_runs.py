"""Durable runs: units a second beside a bare client, commits together and one by one, resuming, size of a store."""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import aiohttp

from bench.figures import Figure, expect
from bench.model_stack import NAME, build_model, build_pipeline
from bench.process_memory import resident_mb
from bench.server_process import ServerProcess, choose_server, serve
from veracord.pipeline import Outcome, Pipeline, ProducerBinding, RunSpec, StoredRun, Unit
from veracord.pipeline.candidates import Attempt, Candidate
from veracord.records.values import JsonValue
from veracord.records.writing import write_json
from veracord.storage.sql_store import SqlStore
from veracord.storage.sqlite import SqliteSession

_LATENCY_MS: Final = 20
_CONCURRENCY: Final = 100
_CALLERS: Final = 64


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done for each figure: units over HTTP, rounds, commits, units of a scripted producer."""

    units: int
    rounds: int
    commits: int
    scripted: int


def measure(sizes: Sizes, shared: Path | None) -> Iterator[Figure]:
    """Yield the figures of durable runs."""
    with tempfile.TemporaryDirectory() as folder, serve(choose_server(shared)) as server:
        server.script(latency_ms=_LATENCY_MS)
        shares = [_share(server, sizes.units, Path(folder) / f"{number}.db") for number in range(sizes.rounds)]
    yield Figure(
        f"durable units a second, of a bare client at {_LATENCY_MS} ms and {_CONCURRENCY} in flight",
        median(share for share, _ in shares),
        "x",
        at_least=0.30,
        detail=f"{median(rate for _, rate in shares):,.0f} units a second, synchronous FULL",
    )
    with tempfile.TemporaryDirectory() as folder:
        yield _commits(sizes.commits, Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        yield from _scripted(sizes.scripted, Path(folder) / "store.db")


def _share(server: ServerProcess, count: int, path: Path) -> tuple[float, float]:
    began = time.perf_counter()
    asyncio.run(ask_bare(server.url, count))
    bare_s = time.perf_counter() - began
    began = time.perf_counter()
    asyncio.run(_run_durably(server.url, count, path))
    ours_s = time.perf_counter() - began
    return bare_s / ours_s, count / ours_s


async def ask_bare(url: str, count: int) -> None:
    """Send as many requests as a run does, and read the envelopes; check nothing."""
    body = {"model": NAME, "messages": [{"role": "user", "content": "Who rang, and how old are they?"}]}
    left = iter(range(count))

    async def ask(session: aiohttp.ClientSession) -> None:
        for _ in left:
            async with session.post(f"{url}/v1/chat/completions", data=write_json(body)) as response:
                expect(holds="choices" in await response.json(content_type=None), what="the server answers")

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await asyncio.gather(*(ask(session) for _ in range(_CONCURRENCY)))


async def _run_durably(url: str, count: int, path: Path) -> None:
    store = _store(path)
    units = _Units(count)
    async with build_pipeline(build_model(url)).aio as pipeline:
        report = await pipeline.run(units, store=store, concurrency=_CONCURRENCY)
    store.close()
    expect(holds=report.outcomes[Outcome.ACCEPTED] == count, what="all units are accepted")


def _commits(count: int, folder: Path) -> Figure:
    """Compare commits of many callers with commits one after the other."""

    async def commit(path: Path, callers: int) -> float:
        store = _store(path)
        await store.read(lambda session: session.change("CREATE TABLE IF NOT EXISTS marks (number INTEGER)"))
        left = iter(range(count))

        async def write() -> None:
            for _ in left:
                await store.read(lambda session: session.change("INSERT INTO marks (number) VALUES (1)"))

        began = time.perf_counter()
        await asyncio.gather(*(write() for _ in range(callers)))
        seconds = time.perf_counter() - began
        store.close()
        return count / seconds

    single = asyncio.run(commit(folder / "single.db", 1))
    grouped = asyncio.run(commit(folder / "grouped.db", _CALLERS))
    return Figure(
        f"commits a second of {_CALLERS} callers, of one caller's",
        grouped / single,
        "x",
        at_least=10,
        detail=f"{grouped:,.0f} against {single:,.0f}",
    )


class _Scripted:
    """A producer that needs no model."""

    correction_protocol = None

    def fingerprint(self, attempt: Attempt) -> JsonValue:
        return {"input": attempt.unit.value}

    async def produce(self, attempt: Attempt) -> Candidate[JsonValue]:
        return attempt.candidate({"value": attempt.unit.value})


class _Units:
    """Units that can be read again, as those of a file."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __iter__(self) -> Iterator[Unit]:
        return (Unit(f"u{number}", f"note {number}") for number in range(self._count))


class _Memory:
    """The resident memory of this process when a fifth of a run is done, and at its end."""

    def __init__(self, count: int) -> None:
        self._early_at = count // 5
        self._settled = 0
        self.early_mb = self.late_mb = 0.0

    def settled(self, _result: object) -> None:
        self._settled += 1
        if self._settled == self._early_at:
            self.early_mb = resident_mb(os.getpid())

    def ended(self) -> None:
        self.late_mb = resident_mb(os.getpid())


def _scripted(count: int, path: Path) -> Iterator[Figure]:
    pipeline = Pipeline([ProducerBinding("scripted", _Scripted())])
    memory = _Memory(count)

    async def run() -> tuple[int, int]:
        store = _store(path)
        report = await pipeline.aio.run(
            _Units(count),
            store=StoredRun(store, RunSpec("scripted")),
            concurrency=_CALLERS,
            on_settled=memory.settled,
        )
        memory.ended()
        store.close()
        return report.units, report.reused

    began = time.perf_counter()
    done = asyncio.run(run())
    first_s = time.perf_counter() - began
    expect(holds=done == (count, 0), what="all units are done")
    size = sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
    record = len(write_json({"value": f"note {count}"}))
    if memory.early_mb:
        yield Figure(
            "memory at the end of a run, of that at a fifth of it",
            memory.late_mb / memory.early_mb,
            "x",
            at_most=1.1,
            detail=f"{memory.early_mb:.0f} MB and {memory.late_mb:.0f} MB, {count:,} units",
        )
    yield Figure(
        "store beyond the record, a unit",
        (size / count - record) / 1e3,
        "kB",
        at_most=1.5,
        detail=f"{count:,} units of a scripted producer, {count / first_s:,.0f} a second",
    )
    began = time.perf_counter()
    again = asyncio.run(run())
    resumed_s = time.perf_counter() - began
    expect(holds=again == (0, count), what="nothing is done again")
    yield Figure(
        "resuming a finished run, 100,000 units",
        resumed_s * 100_000 / count,
        "s",
        at_most=2,
        detail="without reading the input from a file",
    )


def _store(path: Path) -> SqlStore:
    return SqlStore(lambda: SqliteSession(path), str(path))
