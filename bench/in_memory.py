"""Records a second in memory, against the plain reference of the round-trip bench beside the repository.

The reference validates with another library and is written to be read, not to be fast; both repair the
same cases, and both are timed by the same harness.
"""

import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench.figures import Figure
from bench.timing import run_command

_AT_LEAST: Final = 12
_AIM: Final = 25
_SEED: Final = "1"
_MODES: Final = ("reference", "api")


def measure(rounds: int, per_pair: int, shared: Path | None, environment: Mapping[str, str]) -> Iterator[Figure]:
    """Yield how many times as fast as the reference the package is.

    Args:
        rounds: How many turns each side gets.
        per_pair: How many cases are made of each published example.
        shared: The folder with the harness and the examples, or None.
        environment: For the processes that are started.
    """
    name = "records/s in memory against the reference"
    harness = shared / "bench" / "passports" if shared is not None else None
    if shared is None or harness is None or not (harness / "score.py").is_file():
        yield Figure(name, None, "x", at_least=_AT_LEAST, detail="the harness is not at hand")
        return
    cases = _cases(harness, shared / "data" / "passports", per_pair, environment)
    reports: dict[str, list[dict[str, Any]]] = {mode: [] for mode in _MODES}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for mode in _MODES:
                reports[mode].append(_score(harness, cases, mode, Path(folder), environment))
    speeds = {mode: [report["records_per_s"] for report in reports[mode]] for mode in _MODES}
    last = reports["api"][-1]
    faults = sum(last[kind] for kind in ("crashes", "fills_wrong", "valid_leaves_changed"))
    yield Figure(
        name,
        median(a / b for a, b in zip(speeds["api"], speeds["reference"], strict=True)),
        "x",
        at_least=_AT_LEAST,
        detail=(
            f"{median(speeds['api']):,.0f} against {median(speeds['reference']):,.0f}; aim {_AIM}; "
            f"{last['cases']:,} cases, {faults} faults"
        ),
        data={"records_per_s": speeds, "aim": _AIM},
    )


def _cases(harness: Path, examples: Path, per_pair: int, environment: Mapping[str, str]) -> Path:
    """Return the folder of the cases, made once for each version of what makes them."""
    state = hashlib.sha256()
    for script in sorted(harness.glob("*.py")):
        state.update(script.read_bytes())
    name = f"veracord-bench-cases-{state.hexdigest()[:12]}-{_SEED}-{per_pair}"
    kept = Path(tempfile.gettempdir()) / name
    if not kept.is_dir():
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "cases"
            options = ["--seed", _SEED, "--per-pair", str(per_pair)]
            script = harness / "make_cases.py"
            run_command([sys.executable, str(script), str(examples), str(made), *options], environment)
            made.rename(kept)
    return kept


def _score(harness: Path, cases: Path, mode: str, folder: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    report = folder / f"{mode}.json"
    command = [sys.executable, str(harness / "score.py"), str(cases), "--mode", mode]
    # Exit code 1 tells of wrong fills; they are in the report.
    run_command([*command, "--report", str(report)], environment, allowed=(0, 1))
    found: dict[str, Any] = json.loads(report.read_bytes())
    return found
