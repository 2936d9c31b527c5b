"""Kills a durable run again and again, and holds what is left to what must hold.

Two runners work on one run: one has its lease, the other tries to get it.  At random moments the one that has it is
killed with signal 9, or stopped for longer than its lease lasts.  In the end the rows of the store, the log of the
model's server and a witness of everything that was told must fit together: nothing lost, doubled or wrong.

Then questions are put to a real small model: see `tools/question_campaign.py`.

Run with ``make campaign``, or with options from the root of the repository: ``python -m tools.campaign --help``.
Exit code 0: all holds; 1: something does not.
"""

import argparse
import contextlib
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.integration.answering_server import calls_needed
from tests.integration.durable_runs import Query, Trial
from tools.question_campaign import ask_questions

#: How often the parent looks at its runners, and how long a runner that found the run taken waits.
_LOOK_S = 0.01
_WAIT_S = 0.3

#: Kills that come at a moment of their own, early after the one before, also while a runner plans; the others come
#: when a random number of units is done.
_EARLY = 0.2
_MOST_EARLY_S = 1.5

_COMPLETE = (0, 3)
_HELD = 2
_LOST_LEASE = 4


@dataclass
class Runner:
    """A place that always has a process that wants to work, until the run is done."""

    trial: Trial
    name: str
    cwd: Path
    options: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    not_before: float = 0.0
    is_stopped: bool = False
    codes: Counter[int] = field(default_factory=Counter)

    def look(self) -> int | None:
        """Start a process where there is none; return the exit code of one that ended."""
        if self.process is None:
            if time.monotonic() >= self.not_before:
                self.process = self.trial.start(*self.options, cwd=self.cwd)
            return None
        code = self.process.poll()
        if code is not None:
            self.process = None
            self.codes[code] += 1
            self.not_before = time.monotonic() + (_WAIT_S if code == _HELD else 0.0)
        return code

    def send(self, number: signal.Signals) -> None:
        """Send a signal to its process."""
        if self.process is not None:
            self.process.send_signal(number)

    def end(self) -> None:
        """Leave no process behind."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


class Campaign:
    """One run, its two runners and what befalls them.

    Attributes:
        faults: What is wrong.
        figures: What is told at the end.
    """

    def __init__(self, trial: Trial, *, kills: int, stops: int, seed: int) -> None:
        """Draw the moments."""
        self.faults: list[str] = []
        self.figures: dict[str, Any] = {}
        self._trial = trial
        self._random = random.Random(seed)
        last = int(trial.units * 0.9)
        moments = [(self._random.randrange(1, last), signal.SIGKILL) for _ in range(kills)]
        moments += [(self._random.randrange(last // 4, last // 2), signal.SIGSTOP) for _ in range(stops)]
        self._moments = sorted(moments, key=lambda moment: moment[0])
        folders = [trial.folder, trial.folder.parent]
        self._runners = [Runner(trial, name, folder) for name, folder in zip("AB", folders, strict=True)]
        self._counts: Counter[str] = Counter()
        self._holder: Runner | None = None
        self._read = 0
        self._told_settled = 0
        self._deadline = time.monotonic()

    def run(self, timeout_s: float) -> None:
        """Do it."""
        began = time.monotonic()
        self._deadline = began + timeout_s
        try:
            self._disturb()
            self._finish()
        finally:
            for runner in self._runners:
                runner.end()
        self._conclude(time.monotonic() - began)

    def _disturb(self) -> None:
        early_at = self._early()
        is_done = False
        while not is_done:
            is_done = self._look()
            if not self._moments:
                continue
            threshold, number = self._moments[0]
            is_early = number == signal.SIGKILL and time.monotonic() >= early_at
            if not is_early and self._done() < threshold:
                continue
            # Not at once, or every kill would meet a runner that has just told of a unit.
            time.sleep(self._random.uniform(0, 0.03))
            if self._strike(number):
                self._moments.pop(0)
                early_at = self._early()
        if self._moments:
            self.faults.append(f"the run ended with {len(self._moments)} kills and stops left")

    def _early(self) -> float:
        """Return the moment at which the next kill comes, however far the run is."""
        is_early = self._random.random() < _EARLY
        return time.monotonic() + self._random.uniform(0.1, _MOST_EARLY_S) if is_early else float("inf")

    def _look(self) -> bool:
        """Let the runners go on; return whether one said that the run is done."""
        time.sleep(_LOOK_S)
        if time.monotonic() > self._deadline:
            raise TimeoutError("the run did not come to its end")
        is_done = False
        for runner in self._runners:
            code = runner.look()
            is_done = is_done or code in _COMPLETE
            if code is not None and code not in (*_COMPLETE, _HELD, -signal.SIGKILL):
                self.faults.append(f"runner {runner.name} ended with {code}: {self._told()}")
        return is_done

    def _told(self) -> str:
        texts = [path.read_text("utf-8") for path in self._trial.folder.glob("*.err")]
        return next(
            (
                line
                for text in texts
                for line in text.splitlines()
                if line.startswith("error") and "run_held" not in line
            ),
            "",
        )

    def _done(self) -> int:
        """Return how many units were told to be settled."""
        if self._trial.witness.exists():
            with self._trial.witness.open("rb") as witness:
                witness.seek(self._read)
                new = witness.read()
            self._read += len(new)
            self._told_settled += new.count(b"\n")
        return self._told_settled

    def _strike(self, number: signal.Signals) -> bool:
        """Kill or stop the runner that has the lease; return whether there was one."""
        runner = self._find_holder()
        if runner is None:
            return False
        if runner is not self._holder:
            self._counts["taken over by the other runner"] += self._holder is not None
            self._holder = runner
        if number == signal.SIGSTOP:
            self._stop(runner)
        else:
            runner.send(number)
            self._counts["kills"] += 1
        return True

    def _find_holder(self) -> Runner | None:
        rows = self._trial.ask("SELECT owner FROM runs WHERE owner IS NOT NULL")
        pid = json.loads(rows[0][0])["pid"] if rows else None
        live = [runner for runner in self._runners if runner.process is not None and runner.process.poll() is None]
        return next((runner for runner in live if runner.process is not None and runner.process.pid == pid), None)

    def _stop(self, runner: Runner) -> None:
        """Stop a runner until the other one has worked in its place; then it must end and change nothing."""
        runner.send(signal.SIGSTOP)
        while self._is_locked():
            # Whoever sleeps within a transaction of SQLite holds up everybody: not what is tried here.
            runner.send(signal.SIGCONT)
            time.sleep(_LOOK_S)
            runner.send(signal.SIGSTOP)
        stopped, (other,) = runner.process, [item for item in self._runners if item is not runner]
        if stopped is None:
            return
        done = self._done()
        while self._find_holder() is not other or self._done() < done + self._trial.concurrency:
            self._look()
            if stopped.poll() is not None:
                self.faults.append("a stopped runner ended")
                return
        self._counts["stops past the lease"] += 1
        runner.send(signal.SIGCONT)
        code = stopped.wait(60)
        runner.codes[code] += 1
        runner.process = None
        if code != _LOST_LEASE:
            self.faults.append(f"a runner that woke without its lease ended with {code} and not with 4")

    def _is_locked(self) -> bool:
        time.sleep(0.05)
        if self._trial.connect is not None:
            return False
        connection = sqlite3.connect(self._trial.folder / self._trial.store, timeout=0.2, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except sqlite3.OperationalError:
            return True
        finally:
            connection.close()
        return False

    def _finish(self) -> None:
        """Do again what was set aside because it met three kills, and run once more when all is done: no call."""
        for runner in self._runners:
            if runner.process is not None:
                runner.process.wait(120)
        ((aside,),) = self._trial.ask("SELECT COUNT(*) FROM units WHERE outcome = 'lost'")
        self._counts["units set aside after three kills"] = aside
        options = ("--retry", "lost") if aside else ()
        code, told = self._trial.run_when_free(*options)
        if code not in _COMPLETE:
            self.faults.append(f"the last run ended with {code}: {told}")
        calls = self._trial.calls().total()
        self._trial.run_when_free()
        if self._trial.calls().total() != calls:
            self.faults.append("a run that was complete asked the model again")

    def _conclude(self, seconds: float) -> None:
        trial = self._trial
        self.faults += trial.faults(frozenset({"lost"}))
        calls = trial.calls()
        least = sum(map(calls_needed, range(trial.units)))
        corrections = sum(line.endswith(b" 1") for line in trial.log.read_bytes().splitlines())
        kinds: dict[str, int] = dict(trial.ask("SELECT kind, COUNT(*) FROM receipts GROUP BY kind"))
        ((starts,),) = trial.ask("SELECT COUNT(*) FROM starts")
        told = len(trial.witness.read_bytes().splitlines())
        in_flight = trial.concurrency * (self._counts["kills"] + self._counts["stops past the lease"])
        if kinds.get("lost", 0) > in_flight:
            self.faults.append(f"{kinds['lost']} claims were lost, at most {in_flight} were in flight")
        self.figures = {
            "units": trial.units,
            **self._counts,
            "starts with the lease": starts,
            "starts that found it taken": sum(runner.codes[_HELD] for runner in self._runners),
            "claims lost": kinds.get("lost", 0),
            "claims stale": kinds.get("stale", 0),
            "units told to be settled": told,
            "calls": calls.total(),
            "calls without any kill": least,
            "calls lost": calls.total() - least,
            "of them corrections": corrections - sum(calls_needed(n) - 1 for n in range(trial.units)),
            "seconds": round(seconds, 1),
            "units/s, starts included": round(trial.units / seconds),
            "faults": len(self.faults),
        }


@contextlib.contextmanager
def on_postgres(trial: Trial) -> Iterator[None]:
    """Start a PostgreSQL server and let a trial have its store there."""
    import psycopg  # noqa: PLC0415 - only who has it can

    from tests.contract.postgres_server import running_postgres  # noqa: PLC0415 - the same

    with running_postgres(()) as server:
        address = server.address()

        @contextlib.contextmanager
        def connect() -> Iterator[Query]:
            with psycopg.connect(address) as connection:
                yield lambda statement: connection.execute(statement).fetchall()

        trial.store, trial.connect, trial.errors = address, connect, (psycopg.Error,)
        yield


def main(arguments: list[str]) -> int:
    """Run the campaigns that were asked for; return the exit code."""
    options = _options(arguments)
    chosen = ["sqlite", "postgres"] if options.store == "both" else [options.store] if options.store != "none" else []
    is_good = True
    with contextlib.ExitStack() as stack:
        for kind in chosen:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="veracord-campaign-")))
            trial = Trial(folder / "run", options.units, options.concurrency, latency_s=options.latency)
            kills, stops = options.kills, options.stops
            if kind == "postgres":
                stack.enter_context(on_postgres(trial))
                trial.units, kills = options.postgres_units, options.postgres_kills
            campaign = Campaign(trial, kills=kills, stops=stops, seed=options.seed)
            with trial.open():
                campaign.run(options.timeout)
            _tell(kind, campaign)
            is_good = is_good and not campaign.faults
    if options.questions:
        is_good = ask_questions(options.questions, options.seed) and is_good
    return 0 if is_good else 1


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="campaign", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--store", choices=("sqlite", "postgres", "both", "none"), default="both")
    parser.add_argument("--units", type=int, default=40_000, help="on SQLite")
    parser.add_argument("--kills", type=int, default=30, help="on SQLite")
    parser.add_argument("--postgres-units", type=int, default=10_000)
    parser.add_argument("--postgres-kills", type=int, default=10)
    parser.add_argument("--stops", type=int, default=1, help="stops for longer than the lease, on each store")
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.01, help="of the model, in seconds")
    parser.add_argument("--questions", type=int, default=200, help="to a small model; 0: none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=900.0, help="of one campaign, in seconds")
    return parser.parse_args(arguments)


def _tell(kind: str, campaign: Campaign) -> None:
    print(f"{kind}:")
    for name, figure in campaign.figures.items():
        print(f"  {name:<36}{figure:>12,}")
    for fault in campaign.faults[:20]:
        print(f"  FAULT: {fault}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
