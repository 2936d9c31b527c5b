"""Plants known faults in a copy of the package, one by one; the tests named for each must fail.

A test that passes with its fault planted is worth nothing.  Run with ``make mutants``, or with words to plant
only the faults of these groups, and those whose names hold one of the words.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The scripts of this folder are no installed package.
sys.path.insert(0, str(ROOT))

from tools import (  # noqa: E402
    faults_access,
    faults_answers,
    faults_http,
    faults_page,
    faults_pipeline,
    faults_repair,
    faults_review,
    faults_runs,
    faults_suggestions,
)
from tools.faults import Mutant  # noqa: E402

GROUPS = {
    "repair": faults_repair.FAULTS,
    "pipeline": faults_pipeline.FAULTS,
    "runs": faults_runs.FAULTS,
    "suggestions": faults_suggestions.FAULTS,
    "review": faults_review.FAULTS,
    "answers": faults_answers.FAULTS,
    "access": faults_access.FAULTS,
    "http": faults_http.FAULTS,
    "page": faults_page.FAULTS,
}


def main(words: list[str]) -> int:
    """Plant the faults of the groups, or whose names hold one of the words (all without any); return the exit code."""
    chosen = [
        mutant
        for group, faults in GROUPS.items()
        for mutant in faults
        if not words or any(word == group or word in mutant.name for word in words)
    ]
    survived: list[str] = []
    for mutant in chosen:
        verdict = _plant(mutant)
        print(f"{verdict:9} {mutant.name}", flush=True)
        if verdict != "seen":
            survived.append(mutant.name)
    print(f"{len(chosen) - len(survived)} of {len(chosen)} faults seen")
    return 1 if survived or not chosen else 0


def stands_once(mutant: Mutant) -> bool:
    """Whether the text that a fault replaces stands in its file, and once."""
    path = ROOT / "src/veracord" / mutant.file
    return path.is_file() and path.read_text(encoding="utf-8").count(mutant.old) == 1


def _plant(mutant: Mutant) -> str:
    """Return ``seen``, ``survived``, or ``misplaced`` where the text to replace does not stand once."""
    if not stands_once(mutant):
        return "misplaced"
    source = (ROOT / "src/veracord" / mutant.file).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        copy.mkdir()
        # With what is compiled already: only the file with the fault is newer than that.
        for name in ("src", "tests", "tools", "docs"):
            shutil.copytree(ROOT / name, copy / name)
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / name, copy / name)
        (copy / "src/veracord" / mutant.file).write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")
        return "survived" if _passes(copy, mutant.tests) else "seen"


def _passes(checkout: Path, tests: tuple[str, ...]) -> bool:
    """Whether the tests pass in a checkout; the data beside the repository is left out, for speed."""
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    environment["PYTHONPATH"] = str(checkout / "src")
    environment["VERACORD_SHARED"] = str(checkout / "none")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, check=False)
    if done.returncode not in (0, 1, 2):
        sys.stderr.write(done.stdout.decode(errors="replace")[-2000:])
        message = f"pytest ended with {done.returncode}"
        raise SystemExit(message)
    return done.returncode == 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
