"""Two processes write into one store, one is killed and started again: nothing promised is lost, and there is one log.

They write for 6 s; VERACORD_REVIEW_SECONDS names another time, such as 30.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.contract.postgres_server import running_postgres
from tests.contract.review_worlds import World, load_profile
from veracord.audit.verification import verify
from veracord.bootstrap.stores import open_store

SECONDS = float(os.environ.get("VERACORD_REVIEW_SECONDS", "6"))
#: What a decision in this test may be refused for: the other process was faster.
RACES = {"already_decided", "changed_underneath", "cannot_undo"}


def start(url: str, name: str, folder: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.integration.review_writer", url, name, str(folder)]
    with out.open("ab") as stream:
        return subprocess.Popen(command, stdout=stream, stderr=subprocess.PIPE, cwd=ROOT)


def kill(process: subprocess.Popen[bytes]) -> None:
    assert process.poll() is None, process.stderr.read().decode()
    process.kill()
    process.wait()
    process.stderr.close()


def write_and_count(url: str, folder: Path) -> None:
    profile = load_profile(folder)
    first, second = folder / "a.out", folder / "b.out"
    processes = [start(url, "a", folder, first), start(url, "b", folder, second)]
    try:
        time.sleep(SECONDS / 2)
        kill(processes[1])
        processes[1] = start(url, "b", folder, second)
        time.sleep(SECONDS / 2)
    finally:
        for process in processes:
            kill(process)
    store = open_store(url)
    world = World(store.review, profile)
    lines = world.lines()
    assert verify(lines).ok
    world.check()
    # A process that is killed may have cut its last line; what it was promised before is there.
    told = [line.split() for out in (first, second) for line in out.read_text().splitlines() if len(line.split()) == 2]
    kept = {event.id for event in world.events()}
    promised = {word for kind, word in told if kind == "done" and len(word) == 32}
    assert promised <= kept
    assert {word for kind, word in told if kind == "refused"} <= RACES
    assert len(promised) > 20
    assert {event.actor.id for event in world.events()} == {"ann", "ben"}
    sys.stderr.write(f"{len(lines)} events, {len(promised)} promised, {SECONDS:.0f} s\n")
    store.close()


@pytest.mark.slow
def test_on_sqlite(tmp_path):
    write_and_count(str(tmp_path / "store.db"), tmp_path)


@pytest.mark.slow
def test_on_postgres(tmp_path):
    with running_postgres() as server:
        write_and_count(server.address(), tmp_path)
