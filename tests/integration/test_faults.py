"""Every fault point, through the real command and a real server: nothing is lost, doubled or wrong afterwards.

What must hold is judged by `Trial.faults`, which counts by itself.
"""

import contextlib
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from tests.integration.answering_server import calls_needed
from tests.integration.durable_runs import Trial, ended
from veracord.bootstrap.faults import Point

UNITS = 60
#: Complete, and some units are rejected by design.
COMPLETE = 3
REJECTED = "rejected"

#: Each point where it is met first, and later, where it is met again.
HITS = [
    *((point, 1) for point in Point),
    (Point.AFTER_CLAIM_COMMIT, 40),
    (Point.AFTER_RESPONSE, 30),
    (Point.MID_CORRECTION, 9),
    (Point.BEFORE_COMMIT, 4),
    (Point.AFTER_COMMIT_BEFORE_ACK, 4),
    (Point.MID_EXPORT, UNITS),
]


@contextlib.contextmanager
def trial(folder: Path, concurrency: int = 8):
    with Trial(folder / "trial", UNITS, concurrency).open() as made:
        yield made


def wait_for(is_so, timeout_s: float = 20.0) -> None:
    until = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < until, "what was waited for did not happen"
        time.sleep(0.005)


def is_held(run: Trial) -> bool:
    return bool(run.ask("SELECT 1 FROM runs WHERE owner IS NOT NULL"))


def is_stopped(process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, ended(process)
    return Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] == "T"


def settled(run: Trial) -> list[list[tuple]]:
    """Return what a process that lost its lease must not change; that it was stale is told, and nothing else."""
    return [
        run.ask("SELECT * FROM runs"),
        run.ask("SELECT * FROM units ORDER BY position"),
        run.ask("SELECT * FROM records ORDER BY position"),
        run.ask("SELECT * FROM starts WHERE epoch > 1"),
        run.ask("SELECT * FROM receipts WHERE kind != 'stale' ORDER BY position, fence, number"),
    ]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The export of a run without faults, which itself is as it must be."""
    with trial(tmp_path_factory.mktemp("undisturbed")) as run:
        assert run.run()[0] == COMPLETE
        assert run.faults() == []
        assert run.calls().total() == sum(map(calls_needed, range(UNITS)))
        return run.output.read_bytes()


@pytest.mark.parametrize(("point", "nth"), HITS)
def test_the_same_command_goes_on_after_a_kill(tmp_path, undisturbed, point, nth):
    with trial(tmp_path) as run:
        code, told = run.run(fault=f"{point}:{nth}:kill9")
        assert code == -signal.SIGKILL, told
        assert told.count("warning: a fault happens on purpose") == 1
        lost = run.ask("SELECT COUNT(*) FROM units WHERE state = 1")
        assert not lost or lost[0][0] <= run.concurrency
        assert run.run()[0] == COMPLETE
        assert run.faults() == []
        assert run.output.read_bytes() == undisturbed


@pytest.mark.parametrize(("point", "nth"), HITS)
def test_another_runner_takes_over_after_a_kill(tmp_path, undisturbed, point, nth):
    with trial(tmp_path) as run:
        first = run.start(fault=f"{point}:{nth}:kill9")
        wait_for(lambda: is_held(run) or first.poll() is not None)
        code, told = run.run_when_free(cwd=tmp_path)
        assert code == COMPLETE, told
        assert ended(first)[0] == -signal.SIGKILL
        assert run.faults() == []
        assert run.output.read_bytes() == undisturbed


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("mid_plan:1:raise", 70),
        ("after_claim_commit:20:raise", 70),
        # As of any producer that raises, another attempt follows: the first response is no last attempt.
        ("after_response:1:raise", COMPLETE),
        ("mid_correction:1:raise", COMPLETE),
        ("before_commit:3:raise", 4),
        ("before_commit:3:enospc", 4),
        ("after_commit_before_ack:3:raise", 4),
        ("after_commit_before_ack:3:enospc", 4),
        ("mid_export:9:raise", 70),
        ("mid_migration:1:raise", 2),
        ("mid_migration:1:enospc", 2),
        ("before_commit:2:delay", COMPLETE),
        ("after_response:2:delay", COMPLETE),
    ],
)
def test_the_same_command_goes_on_after_an_error(tmp_path, undisturbed, fault, code):
    with trial(tmp_path) as run:
        found, told = run.run(fault=fault)
        assert found == code, told
        if fault.endswith(("raise", "enospc")) and code != COMPLETE:
            assert told.count("error: ") == 1, told
            assert not run.output.exists() or "commit" in fault
        assert run.run()[0] == COMPLETE
        # What was in flight may have been settled as cancelled, to be done again.
        assert run.faults(frozenset({"cancelled"})) == []
        assert run.output.read_bytes() == undisturbed


@pytest.mark.parametrize(
    ("point", "nth", "concurrency"),
    [
        (Point.MID_PLAN, 1, 8),
        (Point.AFTER_CLAIM_COMMIT, 20, 8),
        (Point.AFTER_CLAIM_COMMIT, UNITS, 2 * UNITS),  # nothing is left that it could claim
        (Point.AFTER_RESPONSE, 20, 8),
        (Point.MID_CORRECTION, 3, 8),
        (Point.AFTER_COMMIT_BEFORE_ACK, 3, 8),
    ],
)
def test_a_runner_that_wakes_without_its_lease_changes_nothing(tmp_path, undisturbed, point, nth, concurrency):
    with trial(tmp_path, concurrency) as run:
        first = run.start(fault=f"{point}:{nth}:stop")
        try:
            wait_for(lambda: is_stopped(first))
            held, told = run.run(cwd=tmp_path)
            assert held == 2, told
            assert f"run_held: process {first.pid} on " in told
            run.expire_lease()
            assert run.run(cwd=tmp_path)[0] == COMPLETE
            before = settled(run)
            os.kill(first.pid, signal.SIGCONT)
            code, told = ended(first)
        finally:
            first.kill()
        assert code == 4, told
        assert "lease_lost" in told
        assert settled(run) == before
        assert run.faults() == []
        assert run.output.read_bytes() == undisturbed


def test_a_runner_that_stops_within_a_transaction_is_waited_for(tmp_path, undisturbed):
    with trial(tmp_path) as run:
        first = run.start(fault="before_commit:3:stop")
        try:
            wait_for(lambda: is_stopped(first))
            code, told = run.run(cwd=tmp_path)
            assert code == 2, told
            assert told.startswith("error: store_failed: the store failed (SQLITE_BUSY)"), told
            os.kill(first.pid, signal.SIGCONT)
            assert ended(first)[0] == COMPLETE
        finally:
            first.kill()
        assert run.faults() == []
        assert run.output.read_bytes() == undisturbed


def test_a_fault_that_is_never_reached_does_nothing(tmp_path, undisturbed):
    with trial(tmp_path) as run:
        assert run.run(fault=f"mid_export:{UNITS + 1}:kill9")[0] == COMPLETE
        assert run.faults() == []
        assert run.output.read_bytes() == undisturbed


@pytest.mark.parametrize(
    "fault",
    ["mid_plan", "mid_plan:1", "mid_plan:0:kill9", "mid_plan:x:kill9", "nowhere:1:kill9", "mid_plan:1:hop", ":::"],
)
def test_a_fault_that_is_none_is_refused(tmp_path, fault):
    with trial(tmp_path) as run:
        code, told = run.run(fault=fault)
        assert code == 2
        assert told.startswith("error: invalid_fault: ")
        assert not (run.folder / run.store).exists()
        assert not run.calls()


def test_the_judge_sees_what_it_is_to_see(tmp_path):
    damages = {
        "UPDATE records SET value = replace(value, 'place', 'Place') WHERE position = 7": "the records of 1 units",
        "UPDATE units SET outcome = 'rejected' WHERE position = 7": "unit 7 is rejected",
        "DELETE FROM receipts WHERE kind = 'commit' AND position = 7": "unit 7 has the commit receipts None",
        "DELETE FROM receipts WHERE kind = 'intent' AND position = 7": "unit 7 was claimed 1 times, with 0 intents",
        "DELETE FROM units WHERE position = 7": "the plan has 59 units",
    }
    with trial(tmp_path) as run:
        assert run.run()[0] == COMPLETE
        whole = (run.folder / run.store).read_bytes()
        for damage, seen in damages.items():
            with sqlite3.connect(run.folder / run.store) as connection:
                connection.execute(damage)
            connection.close()
            assert any(fault.startswith(seen) for fault in run.faults()), (damage, run.faults())
            (run.folder / run.store).write_bytes(whole)
        with run.log.open("ab") as log:
            log.write(b"7 0\n")
        assert run.faults() == ["unit 7 was asked about 2 times, with 0 claims lost"]
