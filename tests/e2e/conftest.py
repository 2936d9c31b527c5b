"""The command line as a user meets it: another process, real files, an exit code."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.contract.model_server import Answer, ModelServer
from tests.loaded_commands import loaded_command

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["id", "name", "mass_kg"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string", "minLength": 1},
        "name": {"type": "string", "minLength": 1},
        "mass_kg": {"type": "number", "minimum": 0},
        "price": {"type": "number"},
        "colour": {"enum": ["red", "blue"]},
        "maker": {"type": "string"},
    },
}
PROFILE = """\
name = "widget"
version = "1"
schema = "widget.schema.json"
description = "Invented widgets."

[identity]
keys = [["/id"]]
"""
RECORD = """\
{
  "id": "W-1",
  "price": 1.50,
  "name": "Widget",
  "mass_kg": "heavy",
  "colour": "green"
}
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
    raw: bytes

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


def environment(**extra):
    """Return an environment in which the command finds the package and no terminal settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("_VERACORD")}
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    return {**kept, "PYTHONPATH": path, "PYTHONWARNINGS": "error", **extra}


@pytest.fixture
def env():
    return environment


@pytest.fixture
def command():
    return [sys.executable, "-m", "veracord"]


@pytest.fixture
def cli(shop, command):
    """Run a command in the shop folder and return how it ended."""

    def run(*arguments, stdin=b"", cwd=shop, timeout=120, **extra):
        # Other variables may mean something to the interpreter, or to libraries while they are loaded.
        may_be_loaded = all(name.startswith("VERACORD_") for name in extra)
        done = subprocess.run(
            [*(loaded_command() if may_be_loaded else command), *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=cwd,
            env=environment(**extra),
            timeout=timeout,
            check=False,
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode(), done.stdout)

    return run


@pytest.fixture
def shop(tmp_path):
    """A folder with a profile, a record with two faults, and evidence that cures one of them."""
    folder = tmp_path / "shop"
    (folder / "evidence").mkdir(parents=True)
    (folder / "widget.schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    (folder / "widget.toml").write_text(PROFILE, "utf-8")
    (folder / "record.json").write_text(RECORD, "utf-8")
    (folder / "good.json").write_text('{"id": "W-1", "name": "Widget", "mass_kg": 2}\n', "utf-8")
    evidence = folder / "evidence"
    (evidence / "maker.json").write_text(
        '{"id": "W-1", "name": "Widget", "mass_kg": 1.250, "maker": "Acme"}\n', "utf-8"
    )
    (evidence / "sister.json").write_text(
        '{"id": "W-2", "name": "Widget II", "mass_kg": 9, "colour": "red"}\n', "utf-8"
    )
    (evidence / "leaflet.txt").write_text("The widget W-1 is red.\n", "utf-8")
    return folder


@pytest.fixture
def lines(shop):
    """A JSON Lines file: to be filled, conforming, blank, broken, to be filled, without an end."""
    path = shop / "many.jsonl"
    path.write_bytes(
        b'{"id": "W-1", "name": "Widget"}\n'
        b'{"id": "W-1", "name": "Widget",  "mass_kg": 2.0}\r\n'
        b"\n"
        b'{"id": "W-1" "name": "Widget"}\n'
        b'{"name": "Widget", "mass_kg": -1, "id": "W-1"}'
    )
    return path


@pytest.fixture
def broken_repair(tmp_path):
    """An environment in which repair meets a fault of ours, or takes its process down."""

    def make(statement):
        folder = tmp_path / "fault"
        folder.mkdir(exist_ok=True)
        (folder / "sitecustomize.py").write_text(
            "import veracord.composer.record_composer as module\n"
            "def repair(self, record, pack, **options):\n"
            "    import os, signal\n"
            f"    {statement}\n"
            "module.RecordComposer.repair = repair\n",
            "utf-8",
        )
        path = os.pathsep.join([str(folder), environment()["PYTHONPATH"]])
        return {"PYTHONPATH": path}

    return make


@pytest.fixture
def one_error():
    """Check that a command ended with one line of error and nothing else."""

    def check(ended, code, *, exit_code=2, words=()):
        assert ended.code == exit_code, ended
        assert ended.err.startswith(f"error: {code}: "), ended.err
        assert ended.err.count("\n") == 1, ended.err
        assert ended.err.endswith("\n")
        assert not ended.out, ended.out
        for word in words:
            assert word in ended.err

    return check


IMPORT = ["import", "record.json", "-p", "widget.toml", "-e", "evidence"]


def guess(value="red", path="/colour"):
    """Return a suggestion as a model makes it, with words that would steer a terminal."""
    return {"path": path, "value": value, "rationale": "Most \x1b[31mwidgets\u202e are.", "confidence": 0.9}


def guesses(*suggestions):
    return Answer(json.dumps({"suggestions": list(suggestions)}))


@pytest.fixture
def guesser(shop):
    """A model that guesses the colour, in the settings of the shop."""
    with ModelServer(default=guesses(guess())) as opened:
        (shop / "veracord.toml").write_text(
            f'[model]\nadapter = "chat_completions"\nbase_url = "{opened.chat_url}"\nname = "small"\n'
            "transport_retries = 0\n",
            "utf-8",
        )
        yield opened


@pytest.fixture(scope="session")
def imported_once(tmp_path_factory):
    """Return what the first import of the record made: the folder of its store, and the id of the suggestion."""
    return {"folder": tmp_path_factory.mktemp("imported"), "id": None}


@pytest.fixture
def imported(cli, shop, guesser, imported_once):  # noqa: ARG001 - the model is asked
    """Import the record, or take the store of a test that did; the id of the one suggestion."""
    kept = imported_once["folder"] / ".veracord"
    if imported_once["id"] is None:
        ended = cli(*IMPORT, "--json")
        assert (ended.code, ended.err) == (0, ""), ended
        (row,) = cli("review", "list", "--json").json["suggestions"]
        shutil.copytree(shop / ".veracord", kept)
        imported_once["id"] = row["id"]
    else:
        shutil.copytree(kept, shop / ".veracord")
    return imported_once["id"]


@pytest.fixture
def events(cli):
    """Read the events of the log, without the export that this is."""

    def read():
        return cli("audit", "export").lines[:-1]

    return read
