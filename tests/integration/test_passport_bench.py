"""Repair of damaged published passports, scored from outside by the bench that lies beside the repository.

The bench knows only the documented names and the command line.  It makes cases whose right answer is known by
construction; here it gets a part of the data, so that the test stays short.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import veracord

BENCH = "bench/passports"
DATA = "data/passports"
#: Of each publisher, one in so many schemas with its instances; of the others, all.
ONE_IN = {"catenax": 8}
PER_PAIR = 1
SEED = 5
#: One process for each schema and identity: so many cases are enough to see that the command does the same.
COMMAND_CASES = 24


def _environment():
    """Return the environment in which a new process imports the package that this one tests, installed or not."""
    source = str(Path(veracord.__file__).parents[1])
    paths = (source, os.environ.get("PYTHONPATH"))
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONDONTWRITEBYTECODE": "1"}


def _run(*arguments):
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=_environment(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def _copy_part(data, target):
    """Copy the data, of some publishers only a spread of their schemas."""
    for publisher in sorted(path for path in data.iterdir() if path.is_dir()):
        step = ONE_IN.get(publisher.name, 1)
        schemas = sorted(publisher.rglob("*-schema.json"))
        left_out = {path.parent for path in schemas} - {path.parent for path in schemas[::step]}

        def skipped(folder, names, left_out=left_out):
            return names if Path(folder) in left_out else []

        shutil.copytree(publisher, target / publisher.name, ignore=skipped, copy_function=shutil.copyfile)


def _make_cases(shared, folder):
    _copy_part(shared / DATA, folder / "data")
    arguments = ("--seed", SEED, "--per-pair", PER_PAIR, "--jobs", 2)
    _run(shared / BENCH / "make_cases.py", folder / "data", folder / "cases", *arguments)
    return folder / "cases"


def _score(shared, cases, report, *arguments):
    told = _run(shared / BENCH / "score.py", cases, "--report", report, *arguments)
    print(told)  # noqa: T201 - figures for the reader, shown with -s or when the test fails
    return json.loads(report.read_text(encoding="utf-8"))


def _assert_sound(report):
    assert report["wrong_fills"] == []
    assert report["changed_leaves"] == []
    assert report["crash_list"] == []
    assert report["provenance"] == []
    assert report["properties"] == []
    assert report["fill_precision"] == 1
    assert report["fill_recall"] >= 0.995, report["missed_fills"]
    assert report["outcome_accuracy"] >= 0.98, report["wrong_outcomes"]


@pytest.mark.slow  # the bench makes its cases with a slow validator, and the command is started for each schema
@pytest.mark.shared(f"{BENCH}/score.py", f"{BENCH}/make_cases.py", DATA)
def test_repair_of_published_passports_in_process_and_by_command(shared, tmp_path):
    cases = _make_cases(shared, tmp_path)
    in_process = _score(shared, cases, tmp_path / "api.json", "--mode", "api")
    _assert_sound(in_process)
    assert in_process["cases"] >= 100
    assert len(in_process["by_kind"]) >= 15, "a spread of kinds"

    command = f"{shlex.quote(sys.executable)} -m veracord"
    arguments = ("--mode", "cli", "--command", command, "--limit", COMMAND_CASES)
    by_command = _score(shared, cases, tmp_path / "cli.json", *arguments)
    _assert_sound(by_command)
    assert by_command["cases"] >= COMMAND_CASES // 2
