"""The folder `shared` beside the repository, and the tests that read from it.

A test marked ``shared("some/file", ...)`` needs those files.  Where they are absent it is skipped, with one
line in the summary for all such tests; where ``CI=true`` it fails.  A test that also takes `shared_case` runs
once for each line of the first file named.
"""

import json
import os
import signal
from decimal import Decimal
from pathlib import Path

import pytest

# A shell that starts the tests in the background lets them ignore Ctrl-C, and so do all processes that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[1]
#: Names another place for the folder.
VARIABLE = "VERACORD_SHARED"
ABSENT = f"the folder ../shared (or {VARIABLE}) is absent or incomplete: its cases and data are left out"


def _folder() -> Path:
    return Path(os.environ.get(VARIABLE) or ROOT.parent / "shared")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder; ask for it only in tests that are marked."""
    return _folder()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip or fail a marked test whose files are absent."""
    for marker in item.iter_markers("shared"):
        if not all((_folder() / name).exists() for name in marker.args or ("",)):
            # Always from this line, so that the summary folds all of them into one.
            (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(ABSENT)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each line of the first file that its marker names."""
    if "shared_case" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("shared")
    assert marker is not None, "a test that takes shared_case is marked shared(file)"
    cases = _lines(_folder() / marker.args[0])
    # One placeholder stands for the cases of a file that is absent: it is skipped, or fails.
    metafunc.parametrize("shared_case", cases or [None], ids=[c["id"] for c in cases] or ["absent"])


def _lines(path: Path) -> list[dict]:
    if not path.exists():
        return []
    # Not splitlines: a case may hold other characters that end a line.
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line, parse_float=Decimal) for line in lines if line.strip()]
