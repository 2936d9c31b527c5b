"""Measure speed and memory, and print one table: each figure beside its target.

The exit code is 0 also where a target is missed: a busy machine is no fault of the code.  It is another one
only when something fails, or when what was timed did not give the result that was built in.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
# The scripts of this folder are no installed package.
sys.path.insert(0, str(ROOT))

from bench import (  # noqa: E402
    answer_checks,
    audit_log,
    bytes_to_bytes,
    durable_runs,
    in_memory,
    load,
    many_records,
    model_calls,
    record_runs,
    review_queue,
    row_scaling,
    start_up,
)
from bench.figures import Figure, surroundings, table, write_json  # noqa: E402
from bench.timing import own_environment  # noqa: E402


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done for each figure."""

    byte_rounds: int
    memory_rounds: int
    cases_per_pair: int
    row_rounds: int
    most_rows: int
    lines: many_records.Sizes
    starts: int
    calls: model_calls.Sizes
    runs: durable_runs.Sizes
    records: record_runs.Sizes
    events: int
    answers: answer_checks.Sizes
    queue: review_queue.Sizes
    load: load.Sizes


FULL: Final = Effort(
    500,
    3,
    10,
    7,
    4000,
    many_records.Sizes(100_000, 20_000, 5),
    10,
    model_calls.Sizes(40, 100, 1_000, 1_000),
    durable_runs.Sizes(5_000, 3, 6_000, 100_000),
    record_runs.Sizes(20_000, 5_000, 3),
    100_000,
    answer_checks.Sizes(200, 5),
    review_queue.Sizes(50_000, 20),
    load.Sizes(50_000, 60),
)
QUICK: Final = Effort(
    30,
    1,
    1,
    2,
    800,
    many_records.Sizes(4_000, 1_000, 1),
    3,
    model_calls.Sizes(3, 50, 200, 200),
    durable_runs.Sizes(400, 1, 500, 2_000),
    record_runs.Sizes(1_000, 200, 1),
    5_000,
    answer_checks.Sizes(20, 1),
    review_queue.Sizes(2_000, 2),
    load.Sizes(5_000, 10),
)


def main() -> None:
    """Measure what was asked for, tell it, and write it to a file if one was named."""
    options = _options()
    effort = QUICK if options.quick else FULL
    if options.scripted:
        effort = replace(effort, runs=replace(effort.runs, scripted=options.scripted))
    parts = _parts(effort, options.shared if options.shared.is_dir() else None)
    around = surroundings()
    print(", ".join(f"{name} {value}" for name, value in around.items()))
    figures: list[Figure] = []
    try:
        for name, measure in parts.items():
            if not options.only or name in options.only:
                print(f"measuring {name} ...", file=sys.stderr)
                figures.extend(measure())
    finally:
        # What was measured before a failure took long enough.
        print(table(figures))
    if options.json:
        write_json(options.json, figures, around)


def _parts(effort: Effort, shared: Path | None) -> dict[str, Callable[[], Iterator[Figure]]]:
    """Return the parts of the benchmark by name."""
    environment = own_environment()
    return {
        "start": lambda: start_up.measure(effort.starts, environment),
        "bytes": lambda: bytes_to_bytes.measure(effort.byte_rounds, shared),
        "rows": lambda: row_scaling.measure(effort.row_rounds, effort.most_rows),
        "memory": lambda: in_memory.measure(effort.memory_rounds, effort.cases_per_pair, shared, environment),
        "lines": lambda: many_records.measure(effort.lines, environment),
        "model": lambda: model_calls.measure(effort.calls, shared, environment),
        "runs": lambda: durable_runs.measure(effort.runs, shared),
        "records": lambda: record_runs.measure(effort.records, environment),
        "audit": lambda: audit_log.measure(effort.events),
        "queue": lambda: review_queue.measure(effort.queue),
        "load": lambda: load.measure(effort.load),
        "answers": lambda: answer_checks.measure(effort.answers),
    }


def _options() -> argparse.Namespace:
    names = list(_parts(QUICK, None))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes: shows that it runs")
    parser.add_argument("--only", action="append", choices=names, help="a part; repeatable")
    parser.add_argument("--scripted", type=int, metavar="UNITS", help="units of the scripted producer of runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument(
        "--shared",
        type=Path,
        metavar="FOLDER",
        default=ROOT.parent / "shared",
        help="where published examples and the round-trip bench lie",
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
