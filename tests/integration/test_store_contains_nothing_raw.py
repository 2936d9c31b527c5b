"""Whatever a run meets, nothing that was said stays on the disk: neither in its store nor beside it.

The secrets stand in answers, corrections, prompts, inputs, exceptions of validators, bodies and headers of the server,
and in the API key.  After runs with every outcome each byte that was written is searched, also after kills, while the
write-ahead log is still there.
"""

import base64
import json
import secrets
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.contract.model_server import Answer, Hang, ModelServer, Status
from tests.e2e.conftest import environment
from tests.e2e.pipeline_folders import SCHEMA, PipelineFolder, ended, reading, unit_of
from veracord.pipeline import Outcome
from veracord.storage.schema import STEPS
from veracord.storage.sqlite import SqliteSession

#: In every accepted value: what is kept must be found, or the search is worth nothing.
KEPT = "a place that is kept"

CHECKS = """\


def of_the_world(value):
    if value["degrees"] < -90:
        return [f"{SECRET} {value['place']} was never that cold"]


def can_check(value):
    if value["degrees"] == 50:
        raise RuntimeError(f"{SECRET} {value['place']}")


def may_go_on(value):
    if value["degrees"] == 60:
        raise SystemExit(f"{SECRET} {value['place']}")
"""


class Secrets:
    """Secrets by place, and a search for them in every form in which they could have got to a disk."""

    def __init__(self) -> None:
        self._secrets: dict[str, str] = {}

    def __getitem__(self, place: str) -> str:
        return self._secrets.setdefault(place, f"canary{secrets.token_hex(12)}")

    @property
    def planted(self) -> set[str]:
        return set(self._secrets)

    def found_in(self, data: bytes) -> set[str]:
        return {place for place, secret in self._secrets.items() if any(form in data for form in _forms(secret))}


def _forms(secret: str) -> list[bytes]:
    plain = secret.encode()
    # Of base64 what does not depend on the neighbours, for each place within a group of three.
    coded = [base64.b64encode(b"x" * shift + plain)[4:-4] for shift in range(3)]
    return [plain, secret.encode("utf-16-le"), plain.hex().encode(), plain[::-1], *coded]


class Scene:
    """A folder with a pipeline that meets everything, and what is written in it."""

    def __init__(self, path: Path, server: ModelServer, canaries: Secrets) -> None:
        self.canaries = canaries
        self.folder = PipelineFolder.make(path, server.chat_url)
        self.folder.write("reading.md", (path / "reading.md").read_text("utf-8") + canaries["prompt"] + "\n")
        schema = json.loads(json.dumps(SCHEMA))
        schema["properties"]["place"]["description"] = canaries["schema"]
        self.folder.write("reading.json", json.dumps(schema))
        self.folder.write("checks.py", CHECKS.replace("{SECRET}", canaries["validator"]))
        self.folder.producer["validators"] = [
            {"id": name, "use": f"checks:{name}"} for name in ("of_the_world", "can_check", "may_go_on")
        ]
        self.folder.put("model", "api_key_env", value="MODEL_KEY")
        names = ("structural_failure", "rejection", "refusal", "truncation", "transport_failure")
        self.folder.put("producers", 0, "policy", value=dict.fromkeys(names, "warn_continue"))
        self.temporary = path.parent / "temporary"
        self.temporary.mkdir()
        self.own = self.folder.files() | {"weather.toml"}

    def units(self, *keys: str) -> None:
        self.folder.units(*({"id": key, "note": f"{self.canaries['input']} {key}"} for key in keys))

    def start(self, *options: str, fault: str = "") -> subprocess.Popen[bytes]:
        asked = {"VERACORD_FAULT": fault} if fault else {}
        return self.folder.start(
            *("--store", "store.db", *options), MODEL_KEY=self.canaries["key"], TMPDIR=str(self.temporary), **asked
        )

    def run(self, *options: str, fault: str = "") -> int:
        done = ended(self.start(*options, fault=fault))
        assert not self.canaries.found_in((done.out + done.err).encode())
        return done.code

    def show(self, *arguments: str) -> bytes:
        """Return what a command tells of the store."""
        command = [sys.executable, "-m", "veracord", *arguments, "--store", "store.db"]
        done = subprocess.run(
            command, cwd=self.folder.path, env=environment(PYTHONDONTWRITEBYTECODE="1"), capture_output=True, check=True
        )
        return done.stdout

    def written(self) -> dict[str, bytes]:
        """Return every file that is none of the test's own."""
        names = self.folder.files() - self.own
        files = [self.folder.path / name for name in names] + list(self.temporary.rglob("*"))
        return {file.name: file.read_bytes() for file in files if file.is_file()}

    def leaks(self) -> dict[str, set[str]]:
        return {name: found for name, data in self.written().items() if (found := self.canaries.found_in(data))}

    def rows(self, statement: str) -> list[tuple]:
        connection = sqlite3.connect(self.folder.path / "store.db")
        try:
            return connection.execute(statement).fetchall()
        finally:
            connection.close()

    def outcomes(self) -> dict[str, str]:
        return {json.loads(key): outcome for key, outcome in self.rows("SELECT unit_key, outcome FROM units")}


@pytest.fixture
def canaries():
    return Secrets()


@pytest.fixture
def scene(tmp_path, canaries):
    steps = _steps(canaries)

    def answer(request):
        several = steps[unit_of(request)["id"].split("-")[0]]
        # The first answer to the ordinary request, the last one to a correction or a repair.
        return several[0] if len(request.messages) == 2 else several[-1]

    with ModelServer(answer) as server:
        yield Scene(tmp_path / "folder", server, canaries)


def _steps(canaries: Secrets) -> dict[str, list]:
    """Return the answers by the beginning of a unit's key: the first, and the one after a rejection."""

    def said(degrees: int) -> str:
        return reading(canaries["answer"], degrees)

    good = reading(KEPT, 4)
    body = json.dumps({"error": {"message": canaries["body"]}}).encode()
    return {
        "accepted": [good],
        "corrected": [said(-100), good],
        "repaired": [f"no JSON: {canaries['text']}", good],
        "accepted_incomplete": [reading(KEPT, 50)],
        "rejected": [said(-100), said(-101)],
        "structural_failure": [f"no JSON: {canaries['text']}", f"nor this: {canaries['text']}"],
        "truncated": [Answer(said(4)[:-3], finish="length")],
        "refused": [Answer(canaries["refusal"], finish="refusal")],
        "transport_failure": [Status(500, body, {"x-request-id": canaries["header"]})],
        "exit": [said(60)],
        "hang": [Hang()],
    }


def test_no_outcome_leaves_what_was_said(scene, canaries):
    plain = [
        *("accepted", "corrected", "repaired", "accepted_incomplete", "rejected", "structural_failure"),
        *("truncated", "refused", "transport_failure"),
    ]
    scene.units(*plain)
    assert scene.run() == 3
    wanted = {name: name for name in plain} | {"corrected": "accepted", "repaired": "accepted"}
    assert scene.outcomes() == wanted
    assert scene.leaks() == {}
    planted = ("prompt", "schema", "validator", "input", "key", "answer", "text", "refusal", "body", "header")
    assert canaries.planted >= set(planted)
    # What is kept is found by the same search.
    written = scene.written()
    assert all(KEPT.encode() in written[name] for name in ("store.db", "readings.jsonl"))

    # A validator that must be able to check: the policy ends the run.
    scene.folder.put("producers", 0, "policy", "validator_execution_failure", value="fail_run")
    scene.units("accepted_incomplete")
    assert scene.run("--run", "unavailable") == 4
    # One that ends the process.
    scene.units("exit")
    assert scene.run("--run", "exit") == 4
    assert {"validation_unavailable", "cancelled"} <= {row[0] for row in scene.rows("SELECT outcome FROM units")}
    assert scene.leaks() == {}


def test_an_interruption_leaves_nothing(scene):
    scene.units("corrected", "hang")
    process = scene.start()
    _wait_for_rows(scene, "SELECT 1 FROM units WHERE outcome = 'accepted'")
    assert scene.leaks() == {}
    process.send_signal(signal.SIGTERM)
    assert ended(process).code == 4
    assert scene.outcomes() == {"corrected": "accepted", "hang": "cancelled"}
    assert scene.leaks() == {}


@pytest.mark.parametrize("point", ["after_response", "mid_correction", "before_commit", "after_commit_before_ack"])
def test_a_kill_leaves_nothing(scene, point):
    scene.units("corrected-1", "corrected-2", "rejected", "accepted")
    assert scene.run("--concurrency", "2", fault=f"{point}:2:kill9") == -signal.SIGKILL
    # The log of SQLite is still there, with all that was not yet moved to its place.
    assert "store.db-wal" in scene.written()
    assert scene.leaks() == {}
    assert scene.run() == 3
    assert scene.leaks() == {}


def test_a_unit_that_is_set_aside_leaves_nothing(scene):
    scene.units("corrected")
    for _ in range(3):
        assert scene.run(fault="mid_correction:1:kill9") == -signal.SIGKILL
        assert scene.leaks() == {}
    assert scene.run() == 3
    assert scene.outcomes() == {"corrected": Outcome.LOST.value}
    assert scene.leaks() == {}


def test_a_kill_while_exporting_leaves_nothing(scene):
    scene.units("corrected", "rejected", "accepted_incomplete")
    assert scene.run(fault="mid_export:2:kill9") == -signal.SIGKILL
    assert scene.leaks() == {}
    assert scene.run() == 3
    assert scene.leaks() == {}


def test_a_backup_and_what_is_told_of_a_store_hold_nothing_more(scene, canaries):
    scene.units("corrected", "rejected", "accepted_incomplete", "transport_failure")
    assert scene.run() == 3
    session = SqliteSession(scene.folder.path / "store.db")
    session.back_up(len(STEPS))
    session.close()
    backups = [name for name in scene.written() if "backup" in name]
    assert backups
    assert scene.leaks() == {}
    ((run_id,),) = scene.rows("SELECT run_id FROM runs")
    for command in (("list",), ("show", run_id), ("explain", run_id)):
        assert not canaries.found_in(scene.show("runs", *command, "--json"))


def test_no_path_of_this_machine_is_kept(scene, tmp_path):
    scene.units("corrected", "rejected", "accepted_incomplete", "transport_failure")
    scene.folder.save()
    # Named by whole paths from elsewhere.
    done = subprocess.run(
        [sys.executable, "-m", "veracord", "run", scene.folder.path / "weather.toml", "--store", tmp_path / "store.db"],
        cwd=tmp_path,
        env=environment(MODEL_KEY="key", PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    (scene.folder.path / "store.db").write_bytes((tmp_path / "store.db").read_bytes())
    ((run_id,),) = scene.rows("SELECT run_id FROM runs")
    told = {
        "manifest": scene.show("runs", "show", run_id, "--json"),
        "receipts": json.dumps(scene.rows("SELECT * FROM receipts")).encode(),
        "units": json.dumps(scene.rows("SELECT * FROM units")).encode(),
        "export": (scene.folder.path / "readings.jsonl").read_bytes(),
        "store": (tmp_path / "store.db").read_bytes(),
    }
    places = (tmp_path, tmp_path.parent, Path.cwd(), sys.prefix, Path.home())
    found = {(name, place) for name, data in told.items() for place in places if f"{place}/".encode() in data}
    assert not found


def _wait_for_rows(scene: Scene, statement: str) -> None:
    until = time.monotonic() + 20
    while True:
        try:
            if scene.rows(statement):
                return
        except sqlite3.OperationalError:
            pass
        assert time.monotonic() < until
        time.sleep(0.02)
