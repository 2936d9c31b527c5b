"""Run every test: all but those of tests/memory, and then these in processes that hold little else.

A test of tests/memory looks at every live object of its process.  Beside many thousands of collected tests and what
they import, one search takes about six times as long.

    python tools/run_tests.py [ARGUMENTS OF PYTEST]

Where the arguments name files or folders, these are run at once, and nothing else.  The exit code is pytest's: of the
first part that fails; 5 if no part has a test that is meant.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
MEMORY: Final = "tests/memory"

_OK: Final = 0
_NO_TESTS: Final = 5


def parts_of(arguments: Sequence[str]) -> list[list[str]]:
    """Return the arguments of each run of pytest."""
    given = [argument for argument in arguments if not argument.startswith("-")]
    if any((ROOT / argument.partition("::")[0]).exists() for argument in given):
        return [list(arguments)]
    return [[*arguments, f"--ignore={MEMORY}"], [*arguments, MEMORY]]


def ends_as(codes: Sequence[int]) -> int:
    """Return the exit code of several runs."""
    failed = [code for code in codes if code not in (_OK, _NO_TESTS)]
    return failed[0] if failed else min(codes)


def main() -> int:
    """Run the parts one after the other; a failure of one does not keep the next from telling its own."""
    command = [sys.executable, "-m", "pytest", "-n", "2"]
    parts = parts_of(sys.argv[1:])
    return ends_as([subprocess.run([*command, *part], cwd=ROOT, check=False).returncode for part in parts])


if __name__ == "__main__":
    sys.exit(main())
