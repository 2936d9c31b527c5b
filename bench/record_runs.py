"""Durable runs that repair and synthesise records, beside a plain repair of the same ones; and their memory."""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Final

from bench.durable_runs import ask_bare
from bench.figures import Figure, expect
from bench.many_records import products, write_records
from bench.passport_schema import Json
from bench.passports import compact
from bench.process_memory import is_measurable, watch
from bench.server_process import OURS, serve
from bench.timing import run_command

_SHARE_AT_LEAST: Final = 1 / 3
_GROWTH_AT_MOST: Final = 1.1
_OF_BARE_AT_LEAST: Final = 0.30
_LATENCY_MS: Final = 20
#: Repair leaves violations (1), a run has units that were not accepted (3): both are results.
_DONE: Final = (0, 1, 3)
_PRODUCTS: Final = 500

_PIPELINE: Final = """
[run]
name = "records"
input = "{input}"
key = "/dpp_id"
output = "out.jsonl"
concurrency = 64

[[producers]]
id = "{kind}"
kind = "{kind}"
profile = "eu-dpp-demo"
evidence = "{evidence}"
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done: records of each run, records a model is asked about, and turns."""

    records: int
    asked: int
    rounds: int


def measure(sizes: Sizes, environment: Mapping[str, str]) -> Iterator[Figure]:
    """Yield the rate of each kind of run, of that of a plain repair, and the growth of memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        records = write_records(folder / "records.jsonl", sizes.records)
        seeds = folder / "seeds.jsonl"
        with seeds.open("wb") as stream:
            stream.writelines(compact(_seed(number)) + b"\n" for number in range(sizes.records))
        evidence = {kind: folder / f"{kind}-evidence.jsonl" for kind in ("repair", "synthesis")}
        for kind, file in evidence.items():
            file.write_bytes(b"".join(compact(source) + b"\n" for source in products(disagree=kind == "repair")))
        plain = [sys.executable, "-m", "veracord", "repair", str(records), "-p", "eu-dpp-demo"]
        plain += ["-e", str(evidence["repair"]), "--out", str(folder / "plain.jsonl"), "--jobs", "1", "--no-suggest"]
        for kind, units in (("repair", records), ("synthesis", seeds)):
            file = folder / f"{kind}.toml"
            file.write_text(_PIPELINE.format(kind=kind, input=units.name, evidence=evidence[kind].name), "utf-8")
            yield from _measure_kind(kind, file, plain, sizes, environment)
        yield from _measure_model(folder, evidence["repair"], sizes, environment)


def _measure_model(folder: Path, evidence: Path, sizes: Sizes, environment: Mapping[str, str]) -> Iterator[Figure]:
    """Yield the rate at which records get suggestions, of that of a bare client that asks as often."""
    write_records(folder / "open.jsonl", sizes.asked, step=3)
    shares, rates = [], []
    with serve(OURS) as server:
        server.script(latency_ms=_LATENCY_MS)
        file = folder / "model.toml"
        text = _PIPELINE.format(kind="repair", input="open.jsonl", evidence=evidence.name)
        model = f'[model]\nadapter = "chat_completions"\nbase_url = "{server.url}/v1"\nname = "scripted"\n'
        file.write_text(text.replace("concurrency = 64", "concurrency = 100") + "\n" + model, "utf-8")
        for turn in range(sizes.rounds):
            began = time.perf_counter()
            asyncio.run(ask_bare(server.url, sizes.asked))
            bare_s = time.perf_counter() - began
            run_s = _seconds(_command(file, f"model-{turn}.db"), environment)
            shares.append(bare_s / run_s)
            rates.append(sizes.asked / run_s)
    with file.with_name("out.jsonl").open("rb") as stream:
        told = [json.loads(line)["value"] for line in stream]
    expect(
        holds=len(told) == sizes.asked and all(value["suggestions_status"] == "ok" for value in told),
        what="a model was asked about every record",
    )
    yield Figure(
        f"durable repair with suggestions, of a bare client at {_LATENCY_MS} ms and 100 in flight",
        median(shares),
        "x",
        at_least=_OF_BARE_AT_LEAST,
        detail=f"{median(rates):,.0f} records a second, start of the process included",
    )


def _measure_kind(
    kind: str, file: Path, plain: list[str], sizes: Sizes, environment: Mapping[str, str]
) -> Iterator[Figure]:
    shares, rates = [], []
    for turn in range(sizes.rounds):
        plain_s = _seconds(plain, environment)
        run_s = _seconds(_command(file, f"{kind}-{turn}.db"), environment)
        shares.append(plain_s / run_s)
        rates.append(sizes.records / run_s)
    _check(file.with_name("out.jsonl"), sizes.records)
    yield Figure(
        f"durable {kind} of {sizes.records:,} records, of the rate of plain repair",
        median(shares),
        "x",
        at_least=_SHARE_AT_LEAST,
        detail=f"{median(rates):,.0f} records a second, synchronous FULL",
    )
    if is_measurable():
        few, many = (_most_mb(kind, file, count, environment) for count in (sizes.records // 4, sizes.records))
        yield Figure(
            f"memory of a durable {kind}, of that of a fourth of the records",
            many / few,
            "x",
            at_most=_GROWTH_AT_MOST,
            detail=f"{few:.0f} MB and {many:.0f} MB",
        )


def _most_mb(kind: str, file: Path, count: int, environment: Mapping[str, str]) -> float:
    """Return the most memory of a run over the first records."""
    units = file.with_name(_input_of(file))
    part = file.with_name(f"part-{units.name}")
    with units.open("rb") as stream, part.open("wb") as copy:
        copy.writelines(islice(stream, count))
    parted = file.with_name(f"{kind}-part.toml")
    parted.write_text(file.read_text("utf-8").replace(units.name, part.name), "utf-8")
    curve = watch(_command(parted, f"{kind}-{count}.db"), environment, part, _DONE)
    return max(size for _, size in curve.points)


def _command(file: Path, store: str) -> list[str]:
    return [sys.executable, "-m", "veracord", "run", str(file), "--store", str(file.with_name(store))]


def _seconds(command: list[str], environment: Mapping[str, str]) -> float:
    began = time.perf_counter()
    run_command(command, environment, _DONE)
    return time.perf_counter() - began


def _input_of(file: Path) -> str:
    return "records.jsonl" if file.stem == "repair" else "seeds.jsonl"


def _seed(number: int) -> Json:
    """Return what is known of a product before anything is looked up: who it is, and whose record this is."""
    return {
        "schema_version": "1",
        "dpp_id": f"DPP-{number:07d}",
        "product": {"id": f"P-{number % _PRODUCTS:05d}", "brand": "Fernhollow", "model": f"Model {number % _PRODUCTS}"},
    }


def _check(out: Path, count: int) -> None:
    with out.open("rb") as stream:
        lines = [json.loads(line)["outcome"] for line in stream]
    expect(holds=len(lines) == count and set(lines) == {"accepted"}, what=f"all units are accepted: {set(lines)}")
