"""How the cost of a repair grows with the rows of a record and with its violations."""

import gc
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bench.figures import Figure, expect
from bench.passport_schema import Json
from bench.passports import compact
from bench.timing import exponent, slope, take_turns
from veracord import Document, EvidencePack, Profile, RecordComposer, read_record

_AT_MOST: Final = 1.2
_ROWS: Final = (500, 1000, 2000, 4000)
_VIOLATIONS: Final = (8, 16, 32, 64)

_PROFILE: Final = """\
name = "parts-list"
version = "1"
schema = "parts-list.schema.json"

[identity]
keys = [["/id"]]

[[rows]]
at = "/parts"
key = ["/number"]
"""
_SUM: Final = """
[[rules]]
kind = "sum"
over = "/parts/*/share"
min = 99
max = 101
"""
_SCHEMA: Final[Json] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["id", "parts"],
    "properties": {
        "id": {"type": "string"},
        "parts": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["number", "mass_g", "share"],
                "properties": {
                    "number": {"type": "string"},
                    "name": {"type": "string"},
                    "mass_g": {"type": "number", "minimum": 0},
                    "share": {"type": "number"},
                    "origin": {"type": "object", "properties": {"country": {"type": "string"}}},
                },
            },
        },
    },
}


@dataclass(frozen=True, slots=True)
class Variant:
    """One kind of parts list.

    Attributes:
        name: What is special about it.
        member: The member that violates in some rows.
        sources: How many sources there are.
        has_sum: Whether a sum over all rows must hold.
        disagree: Whether the sources state different values where the record violates.
    """

    name: str
    member: str = "mass_g"
    sources: int = 2
    has_sum: bool = False
    disagree: bool = False


VARIANTS: Final = (
    Variant("all fills good"),
    Variant("a sum over the rows", member="share", has_sum=True),
    Variant("sources disagree", sources=3, disagree=True),
)


@dataclass(frozen=True, slots=True)
class _Task:
    composer: RecordComposer
    document: Document
    pack: EvidencePack

    def repair(self) -> bytes:
        return self.composer.repair(self.document, self.pack).encode()


def measure(rounds: int, largest: int) -> Iterator[Figure]:
    """Yield for each variant how the cost grows with the rows, then with the violations.

    Args:
        rounds: How many turns each size gets.
        largest: The most rows; the sizes are fractions of it.
    """
    sizes = [rows * largest // _ROWS[-1] for rows in _ROWS]
    for variant in VARIANTS:
        yield from _measure_variant(variant, sizes, rounds)


def _measure_variant(variant: Variant, sizes: list[int], rounds: int) -> Iterator[Figure]:
    most = _VIOLATIONS[-1]
    cells = [(rows, most) for rows in sizes] + [(sizes[-1], count) for count in _VIOLATIONS[:-1]]
    with tempfile.TemporaryDirectory() as folder:
        tasks = {cell: _task(variant, *cell, Path(folder)) for cell in cells}
    for (_, violations), task in tasks.items():
        _check(task, variant, violations)
    # What was made for the benchmark is no garbage, and looking through it would be timed.
    gc.collect()
    gc.freeze()
    turns = take_turns({str(cell): task.repair for cell, task in tasks.items()}, rounds)
    gc.unfreeze()
    cost = {cell: median(turns[str(cell)]) * 1e3 for cell in cells}
    yield _figure(f"rows, {variant.name}", sizes, [cost[rows, most] for rows in sizes], f"{most} violations")
    yield _figure(
        f"violations, {variant.name}",
        list(_VIOLATIONS),
        [cost[sizes[-1], count] for count in _VIOLATIONS],
        f"{sizes[-1]:,} rows",
    )


def _figure(name: str, sizes: list[int], costs: list[float], fixed: str) -> Figure:
    curve = ", ".join(f"{size:,}: {cost:.1f}" for size, cost in zip(sizes, costs, strict=True))
    each = slope(sizes, costs) * 1e3
    return Figure(
        f"growth with {name}",
        exponent(sizes, costs),
        "exponent",
        at_most=_AT_MOST,
        detail=f"ms at {fixed}: {curve}; {each:.1f} us for each more",
        data={"sizes": sizes, "ms": costs, "us_each": each},
    )


def _task(variant: Variant, rows: int, violations: int, folder: Path) -> _Task:
    (folder / "parts-list.schema.json").write_bytes(compact(_SCHEMA))
    path = folder / "parts-list.toml"
    path.write_text(_PROFILE + (_SUM if variant.has_sum else ""), encoding="utf-8")
    bad = [number * rows // violations for number in range(violations)]
    items: list[dict[str, object]] = []
    for number in range(variant.sources):
        source = _parts_list(rows)
        for index in bad if variant.disagree else ():
            source["parts"][index][variant.member] += number
        # The rows of a source stand in an order of its own.
        source["parts"] = source["parts"][7 * number :] + source["parts"][: 7 * number]
        items.append({"id": f"source-{number}", "content": source})
    record = _parts_list(rows)
    for number, index in enumerate(bad):
        row = record["parts"][index]
        if number % 2:
            row[variant.member] = "unknown"
        else:
            del row[variant.member]
    return _Task(
        RecordComposer(Profile.load(path)),
        read_record(compact(record)),
        EvidencePack.from_items(items),
    )


def _parts_list(rows: int) -> Json:
    share = round(100 / rows, 6)
    return {
        "id": "list-1",
        "parts": [
            {
                "number": f"N{index}",
                "name": f"part {index}",
                "mass_g": index + 0.5,
                "share": share,
                "origin": {"country": "DE"},
            }
            for index in range(rows)
        ],
    }


def _check(task: _Task, variant: Variant, violations: int) -> None:
    result = json.loads(task.repair())
    outcomes = {row["outcome"] for row in result["unresolved"]}
    if variant.disagree:
        holds = len(result["unresolved"]) == violations and outcomes == {"conflict"}
    else:
        holds = result["conforms"] and len(result["fills"]) == violations
    expect(holds=holds, what=f"{variant.name}: not the outcome that was built in")
