"""A run that is killed, stopped and gone on with, and what must hold in the end.

`Trial` is a folder with a pipeline, a model's server in a process of its own, and a store.  `Trial.faults` judges what
a finished run left behind, from the rows of the store, the log of the server and the witness alone: it counts by
itself, and uses nothing of what it judges but for the manifest, which it compares with its own count.
"""

import contextlib
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tests.integration.answering_server import RETRIES, answer_of, calls_needed, is_hopeless
from veracord.storage.manifests import manifest_of
from veracord.storage.sessions import Session

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

SCHEMA = {
    "type": "object",
    "properties": {"place": {"type": "string"}, "degrees": {"type": "integer"}},
    "required": ["place", "degrees"],
    "additionalProperties": False,
}
PROMPT = "---\nid: reading\nversion: 1\npurpose: Reads\nvariables: [input]\n---\nHow warm was it?\n\n{{ input }}\n"
CHECKS = """\
def not_too_cold(value):
    if value["degrees"] < -90:
        return ["too cold"]
"""
PIPELINE = """\
[run]
name = "weather"
input = "notes.jsonl"
key = "/id"
output = "readings.jsonl"
concurrency = {concurrency}

[model]
adapter = "chat_completions"
base_url = "http://127.0.0.1:{port}/v1"
name = "small"
transport_retries = 0
price_per_mtok_in = 1
price_per_mtok_out = 2

[[producers]]
id = "reading"
prompt = "reading.md"
schema = "reading.json"
retries = {retries}
policy = {{ rejection = "warn_continue" }}

[[producers.validators]]
id = "cold"
use = "checks:not_too_cold"
"""

Rows = list[tuple[Any, ...]]
Query = Callable[[str], Rows]


@dataclass
class Trial:
    """A run over `units` units.

    Attributes:
        folder: Where everything is.
        units: How many units.
        concurrency: How many at once.
        store: The address of the store.
        connect: Opens a connection for the judge, where it is no SQLite; it turns a statement into rows.
        errors: What is raised where the tables are not there yet.
        latency_s: How long the server waits before it answers.
        starts: How many runners were started.
    """

    folder: Path
    units: int
    concurrency: int = 8
    store: str = "store.db"
    connect: Callable[[], contextlib.AbstractContextManager[Query]] | None = None
    errors: tuple[type[Exception], ...] = (sqlite3.OperationalError,)
    latency_s: float = 0.002
    starts: int = field(default=0, init=False)

    @contextlib.contextmanager
    def open(self) -> Iterator["Trial"]:
        """Make the folder and start the server."""
        self.folder.mkdir(parents=True, exist_ok=True)
        server = subprocess.Popen(
            [sys.executable, HERE / "answering_server.py", self.log, str(self.latency_s)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
        )
        assert server.stdout is not None
        try:
            self._fill(int(server.stdout.readline()))
            yield self
        finally:
            server.communicate()

    def _fill(self, port: int) -> None:
        lines = (json.dumps({"id": f"k{n}", "note": f"unit-{n}"}) + "\n" for n in range(self.units))
        (self.folder / "notes.jsonl").write_text("".join(lines), "utf-8")
        (self.folder / "reading.md").write_text(PROMPT, "utf-8")
        (self.folder / "reading.json").write_text(json.dumps(SCHEMA), "utf-8")
        (self.folder / "checks.py").write_text(CHECKS, "utf-8")
        (self.folder / "weather.toml").write_text(
            PIPELINE.format(port=port, retries=RETRIES, concurrency=self.concurrency), "utf-8"
        )

    @property
    def log(self) -> Path:
        return self.folder / "calls.log"

    @property
    def witness(self) -> Path:
        return self.folder / "witness.log"

    @property
    def output(self) -> Path:
        return self.folder / "readings.jsonl"

    def start(self, *options: str, fault: str = "", cwd: Path | None = None) -> subprocess.Popen[bytes]:
        """Start a runner."""
        self.starts += 1
        cwd = cwd or self.folder
        store = self.store if "://" in self.store else os.path.relpath(self.folder / self.store, cwd)
        pipeline = os.path.relpath(self.folder / "weather.toml", cwd)
        command = [sys.executable, str(HERE / "witnessed.py"), str(self.witness), "run", pipeline, "--store", store]
        out, err = (self.folder / f"{self.starts}.{kind}" for kind in ("out", "err"))
        with out.open("wb") as out_file, err.open("wb") as err_file:
            process = subprocess.Popen(
                [*command, *options],
                cwd=cwd,
                env=environment(fault),
                stdin=subprocess.DEVNULL,
                stdout=out_file,
                stderr=err_file,
            )
        setattr(process, "told", err)  # noqa: B010 - read by `told`
        return process

    def run(self, *options: str, fault: str = "", cwd: Path | None = None, timeout_s: float = 60) -> tuple[int, str]:
        """Run to the end and return the exit code and what was told."""
        return ended(self.start(*options, fault=fault, cwd=cwd), timeout_s)

    def run_when_free(self, *options: str, cwd: Path | None = None, timeout_s: float = 120) -> tuple[int, str]:
        """Run as a second runner does: again and again, until nobody holds the run."""
        until = time.monotonic() + timeout_s
        while True:
            code, told = self.run(*options, cwd=cwd, timeout_s=timeout_s)
            if code != 2 or "run_held" not in told:
                return code, told
            assert time.monotonic() < until, told

    @contextlib.contextmanager
    def query(self) -> Iterator[Query]:
        """Give a way to ask the store, past all code of its own."""
        if self.connect is not None:
            with self.connect() as query:
                yield query
            return
        connection = sqlite3.connect(self.folder / self.store, timeout=20)
        try:
            yield lambda statement: connection.execute(statement).fetchall()
        finally:
            connection.close()

    def ask(self, statement: str) -> Rows:
        """Return the rows of one statement; none where the tables are not there yet."""
        try:
            with self.query() as query:
                return query(statement)
        except self.errors:
            return []

    def expire_lease(self) -> None:
        """Do as if 20 seconds had passed without a sign of life."""
        connection = sqlite3.connect(self.folder / self.store, timeout=20, isolation_level=None)
        connection.execute("UPDATE runs SET lease_until = 0")
        connection.close()

    def calls(self) -> Counter[int]:
        """Return how often the server was asked about each unit."""
        lines = self.log.read_bytes().splitlines() if self.log.exists() else []
        return Counter(int(line.split()[0]) for line in lines)

    def faults(self, again: frozenset[str] = frozenset()) -> list[str]:
        """Return what is wrong with a run that is done.

        Args:
            again: Outcomes that units may have had in between, because they were done again.
        """
        with self.query() as query:
            return [*self._judge(query, again), *_integrity(query, is_sqlite=self.connect is None)]

    def _judge(self, query: Query, again: frozenset[str]) -> Iterator[str]:
        units = query("SELECT position, unit_key, state, outcome, fence FROM units ORDER BY position")
        if [json.loads(row[1]) for row in units] != [f"k{n}" for n in range(self.units)]:
            yield f"the plan has {len(units)} units and not the {self.units} of the input"
        for position, _, state, outcome, _ in units:
            wanted = "rejected" if is_hopeless(position) else "accepted"
            if (state, outcome) != (2, wanted):
                yield f"unit {position} is {outcome} (state {state}) and not {wanted}"
        yield from _commit_faults(query, units, again)
        yield from self._record_faults(query)
        yield from self._call_faults(query)
        yield from self._witness_faults(units, again)
        yield from _manifest_faults(query)

    def _record_faults(self, query: Query) -> Iterator[str]:
        found = {row[0]: json.loads(row[1]) for row in query("SELECT position, value FROM records")}
        wanted = {n: answer_of(n, is_correction=True) for n in range(self.units) if not is_hopeless(n)}
        if found != wanted:
            differing = sorted(n for n in found.keys() | wanted.keys() if found.get(n) != wanted.get(n))
            yield f"the records of {len(differing)} units differ from those of a run without faults: {differing[:10]}"
        expected = "".join(f"{json.dumps(_line(n, wanted.get(n)))}\n" for n in range(self.units))
        rows = [json.loads(line) for line in self.output.read_text("utf-8").splitlines()]
        if rows != [json.loads(line) for line in expected.splitlines()]:
            yield "the export differs from that of a run without faults"

    def _call_faults(self, query: Query) -> Iterator[str]:
        calls = self.calls()
        # A claim may be lost with all its calls, and an attempt of its budget be spent without one.
        lost = _counted(query, "kind IN ('lost', 'stale') OR outcome IN ('structural_failure', 'cancelled')")
        failed = _counted(query, "outcome = 'structural_failure'")
        for n in range(self.units):
            needed = calls_needed(n)
            if not needed - failed[n] <= calls[n] <= needed * (1 + lost[n]):
                yield f"unit {n} was asked about {calls[n]} times, with {lost[n]} claims lost"
        ((told,),) = query("SELECT SUM(requests) FROM receipts")
        if told > calls.total():
            yield f"receipts tell of {told} requests and the server of {calls.total()}"

    def _witness_faults(self, units: Rows, again: frozenset[str]) -> Iterator[str]:
        settled = {json.loads(row[1]): row[3] for row in units if row[2] == 2}
        for line in self.witness.read_text("utf-8").splitlines():
            key, outcome = line.split()
            if outcome not in again and settled.get(key) != outcome:
                yield f"unit {key} was told to be {outcome} and is {settled.get(key)}"


def _counted(query: Query, condition: str) -> Counter[int]:
    """Return how many receipts of a kind each unit has."""
    return Counter(row[0] for row in query(f"SELECT position FROM receipts WHERE {condition}"))  # noqa: S608 - our own


def _line(number: int, value: object) -> dict[str, object]:
    outcome = "accepted" if value is not None else "rejected"
    return {"key": f"k{number}", "outcome": outcome, "incomplete": [], "value": value}


def _commit_faults(query: Query, units: Rows, again: frozenset[str]) -> Iterator[str]:
    commits: dict[int, list[tuple[int, str]]] = {}
    for position, fence, body in query("SELECT position, fence, body FROM receipts WHERE kind = 'commit'"):
        commits.setdefault(position, []).append((fence, json.loads(body)["outcome"]))
    for position, _, _, outcome, fence in units:
        last = [told for told in commits.get(position, []) if told[1] not in again]
        if last != [(fence, outcome)]:
            yield f"unit {position} has the commit receipts {commits.get(position)}, and ended under claim {fence}"
    intents = Counter(row[0] for row in query("SELECT position FROM receipts WHERE kind = 'intent'"))
    for position, _, _, _, fence in units:
        if intents[position] != fence:
            yield f"unit {position} was claimed {fence} times, with {intents[position]} intents"


def _manifest_faults(query: Query) -> Iterator[str]:
    ((run_id, units),) = query("SELECT run_id, units FROM runs")
    receipts = query("SELECT position, fence, number, kind, body FROM receipts ORDER BY position, fence, number")
    digest = hashlib.sha256("".join(f"{' '.join(map(str, row))}\n" for row in receipts).encode())
    attempts = {"ok": 0, "rejected": 0, "structural": 0, "lost": 0, "stale": 0, "cached": 0, "other": 0}
    names = {"accepted": "ok", "accepted_incomplete": "ok", "rejected": "rejected", "structural_failure": "structural"}
    requests = tokens = 0
    for *_, kind, text in receipts:
        body = json.loads(text)
        if kind == "attempt":
            attempts[names.get(body["outcome"], "other")] += 1
        elif kind in attempts:
            attempts[kind] += 1
        requests += body.get("usage", {}).get("requests", 0)
        tokens += body.get("usage", {}).get("input_tokens") or 0
    outcomes = Counter(row[0] for row in query("SELECT outcome FROM units WHERE state = 2"))
    counted = {
        "complete": outcomes.total() == units,
        "units": units,
        "outcomes": dict(sorted(outcomes.items())),
        "attempts": attempts,
        "receipts_digest": f"sha256:{digest.hexdigest()}",
    }
    manifest = manifest_of(cast("Session", _Asked(query)), run_id)
    told = {name: manifest[name] for name in counted}
    if told != counted:
        yield f"the manifest says {told}, counted were {counted}"
    if (manifest["usage"]["requests"], manifest["usage"]["input_tokens"]) != (requests, tokens):
        yield f"the manifest says {manifest['usage']}, counted were {requests} requests and {tokens} tokens"
    epochs = [row[0] for row in query("SELECT epoch FROM starts ORDER BY epoch")]
    if epochs != list(range(1, len(epochs) + 1)) or [start["epoch"] for start in manifest["starts"]] != epochs:
        yield f"starts are not told one by one: {epochs}"


class _Asked:
    """Just enough of a session for a manifest to be read."""

    def __init__(self, query: Query) -> None:
        self._query = query

    def execute(self, statement: str, values: Any = ()) -> Rows:
        for value in values:
            text = str(value) if isinstance(value, int) else f"'{value}'"
            statement = statement.replace("?", text, 1)
        return self._query(statement)


def _integrity(query: Query, *, is_sqlite: bool) -> list[str]:
    if not is_sqlite:
        return []
    return [f"integrity check: {row[0]}" for row in query("PRAGMA integrity_check") if row[0] != "ok"]


def ended(process: subprocess.Popen[bytes], timeout_s: float = 60) -> tuple[int, str]:
    """Wait for the end of a runner; none prints a traceback, whatever happens."""
    try:
        code = process.wait(timeout_s)
    finally:
        process.kill()
        process.wait()
    told: Path = getattr(process, "told")  # noqa: B009 - set by `start`
    text = told.read_text("utf-8")
    assert "Traceback" not in text, text
    return code, text


def environment(fault: str = "") -> dict[str, str]:
    """Return the environment of a process of a trial."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    kept = {name: value for name, value in os.environ.items() if name != "VERACORD_FAULT"}
    asked = {"VERACORD_FAULT": fault} if fault else {}
    return {**kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **asked}
