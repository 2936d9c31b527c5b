"""Equal input gives equal bytes, also in another process: nothing may hang on the order of a set."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
from tests.golden.runner import own_cases, own_profile, repair
from veracord.records.writing import write_json
for case in own_cases():
    told = repair(case, own_profile(case["profile"])).to_dict()
    print(case["id"], write_json(told).decode())
"""


def results(seed):
    """Return the results of all cases, made by a process whose sets have an order of their own."""
    places = os.pathsep.join((str(ROOT), str(ROOT / "src")))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_results_do_not_hang_on_the_order_of_sets():
    first, *others = (results(seed) for seed in range(4))
    assert len(first) > 300
    for other in others:
        assert [(a, b) for a, b in zip(first, other, strict=True) if a != b] == []
