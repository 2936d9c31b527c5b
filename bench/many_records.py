"""Many records as JSON Lines through the command line: memory that stays flat, and two processes for one."""

import filecmp
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bench.figures import Figure, expect
from bench.passport_schema import Json
from bench.passports import compact
from bench.process_memory import is_measurable, watch
from bench.timing import Command, ratio, take_turns

_SPEED_UP_AT_LEAST: Final = 1.5
_GROWTH_SHARE: Final = 0.1
_GROWTH_MB: Final = 20.0
_EARLY: Final = 0.2
_PRODUCTS: Final = 500
#: Records that conform, and records with violations that stay, are both results; 2 would be an error.
_DONE: Final = (0, 1)

_CATEGORIES: Final = ("smartphone", "laptop", "display", "printer", "appliance")
_MATERIALS: Final = ("Aluminium", "Glass", "Copper", "Polycarbonate", "Steel", "Nickel", "Cobalt", "Silicon")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done.

    Attributes:
        watched: Records of the runs whose memory is watched.
        timed: Records of the runs that are timed.
        rounds: How many turns one process and two processes get.
    """

    watched: int
    timed: int
    rounds: int


@dataclass(frozen=True, slots=True)
class _Run:
    """One way to call the command line."""

    records: Path
    evidence: Path
    out: Path
    jobs: int

    def command(self) -> list[str]:
        """Return the command."""
        options = ["-p", "eu-dpp-demo", "-e", str(self.evidence), "--out", str(self.out)]
        call = [sys.executable, "-m", "veracord", "repair", str(self.records)]
        return [*call, *options, "--jobs", str(self.jobs)]


def measure(sizes: Sizes, environment: Mapping[str, str]) -> Iterator[Figure]:
    """Yield the speed-up of two processes, then the growth of memory with one and with two.

    Args:
        sizes: How much is done.
        environment: For the processes that are started.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        evidence = folder / "evidence.jsonl"
        evidence.write_bytes(b"".join(compact(source) + b"\n" for source in products(disagree=True)))
        yield from _measure_speed(sizes, folder, evidence, environment)
        yield from _measure_memory(sizes, folder, evidence, environment)


def _measure_speed(sizes: Sizes, folder: Path, evidence: Path, environment: Mapping[str, str]) -> Iterator[Figure]:
    records = write_records(folder / "timed.jsonl", sizes.timed)
    one, two = (_Run(records, evidence, folder / f"out-{jobs}.jsonl", jobs) for jobs in (1, 2))
    commands = [Command(run.command(), environment, _DONE) for run in (one, two)]
    turns = take_turns({"one": commands[0].run, "two": commands[1].run}, sizes.rounds, time.perf_counter, warm_ups=0)
    _check(one.out, sizes.timed)
    expect(holds=filecmp.cmp(one.out, two.out, shallow=False), what="two jobs gave other bytes than one")
    seconds = {name: median(took) for name, took in turns.items()}
    processor = [median(command.processor_s) for command in commands]
    yield Figure(
        "--jobs 2 against --jobs 1",
        ratio(turns, "one", "two"),
        "x",
        at_least=_SPEED_UP_AT_LEAST,
        detail=(
            f"{seconds['one']:.2f} s and {seconds['two']:.2f} s for {sizes.timed:,} records, median "
            f"of {sizes.rounds}; processor {processor[0]:.2f} s and {processor[1]:.2f} s; same bytes"
        ),
        data={"turns": turns, "processor_s": processor},
    )
    yield Figure(
        "records/s, --jobs 1",
        sizes.timed / seconds["one"],
        "records/s",
        detail=f"{records.stat().st_size // sizes.timed:,} B a record, {2 * _PRODUCTS:,} sources",
    )


def _measure_memory(sizes: Sizes, folder: Path, evidence: Path, environment: Mapping[str, str]) -> Iterator[Figure]:
    name = f"growth of memory, {sizes.watched:,} records"
    if not is_measurable():
        yield Figure(name, None, "MB", detail="this system has no /proc")
        return
    records = write_records(folder / "watched.jsonl", sizes.watched)
    for jobs in (1, 2):
        run = _Run(records, evidence, folder / "out.jsonl", jobs)
        curve = watch(run.command(), environment, records, _DONE)
        early, late = curve.around(_EARLY), curve.at_the_end()
        yield Figure(
            f"{name}, --jobs {jobs}",
            late - early,
            "MB",
            at_most=early * _GROWTH_SHARE + _GROWTH_MB,
            detail=f"{early:.1f} MB at 20 %, at most {late:.1f} MB at the end, children included",
            data={"curve": curve.thinned()},
        )


def _check(out: Path, count: int) -> None:
    """Check that the results hold fills, conflicts and gaps, as they were built in."""
    outcomes: set[str] = set()
    lines = fills = 0
    with out.open("rb") as stream:
        for line in stream:
            result = json.loads(line)
            lines += 1
            fills += len(result["fills"])
            outcomes |= {row["outcome"] for row in result["unresolved"]}
    expect(
        holds=lines == count and fills >= count and {"conflict", "no_source"} <= outcomes,
        what=f"not the outcomes that were built in: {lines} lines, {fills} fills, {outcomes}",
    )


def write_records(path: Path, count: int, *, step: int = 1) -> Path:
    """Write so many records a line each, and return the file; of every third one something stays open."""
    with path.open("wb") as stream:
        stream.writelines(compact(_record(number)) + b"\n" for number in range(0, count * step, step))
    return path


def _record(number: int) -> Json:
    """Return a record of a product, with two violations that a source cures and sometimes one that none does."""
    record = _product(number % _PRODUCTS)
    record["dpp_id"] = f"DPP-{number:07d}"
    row = record["materials"][number % len(record["materials"])]
    del row["share_pct"]
    record["circularity"]["repairability_index"] = 70 + number % 7
    if number % 3 == 0:
        del record["compliance"]["standards"]
    if number % 5 == 0:
        record["carbon"]["uncertainty_pct"] = "about ten"
    return record


def products(*, disagree: bool) -> Iterator[Json]:
    """Yield two sources for each product; where they are to disagree, then on one value, and neither states another."""
    for number in range(_PRODUCTS):
        for hand in range(2):
            source = _product(number)
            source["dpp_id"] = f"SRC-{hand}-{number:05d}"
            source["materials"].reverse()
            if disagree:
                source["compliance"]["standards"] = [f"EN {50_000 + hand}"]
                del source["carbon"]["uncertainty_pct"]
            yield source


def _product(number: int) -> Json:
    """Return a passport that conforms."""
    make = random.Random(number)
    names = make.sample(_MATERIALS, 5)
    return {
        "schema_version": "1",
        "dpp_id": "",
        "issued_at_utc": "2025-02-03T08:00:00Z",
        "product": {
            "id": f"P-{number:05d}",
            "brand": "Fernhollow",
            "model": f"Model {number}",
            "category": make.choice(_CATEGORIES),
            "display_name": f"Fernhollow Model {number}, made up for a benchmark",
            "image_url": f"https://fernhollow.example/images/{number}.png",
        },
        "materials": [
            {
                "name": name,
                "share_pct": 20,
                "mass_kg": round(make.uniform(0.01, 3), 3),
                "recycled_pct": make.randint(0, 60),
                "substance_of_concern": False,
            }
            for name in names
        ],
        "compliance": {
            "standards": ["EN 50000"],
            "ce_marking": True,
            "evidence_urls": [f"https://fernhollow.example/reports/{number}"],
        },
        "lifecycle": {
            "manufacture_country": "PL",
            "use_phase": {"lifetime_years": 7, "annual_energy_kwh": 31.5, "use_country": "SE"},
            "transport_legs": [{"mode": "rail", "distance_km": 620}, {"mode": "ship", "distance_km": 480}],
        },
        "carbon": {
            "functional_unit": "one device over its life",
            "methodology": "cradle to grave",
            "total_kg_co2e": round(make.uniform(10, 300), 2),
            "uncertainty_pct": 12,
        },
        "circularity": {"recyclability_pct": 81, "repairability_index": 7.5},
        "end_of_life": {"take_back_url": "https://fernhollow.example/take-back"},
    }
