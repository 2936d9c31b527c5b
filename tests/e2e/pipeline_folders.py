"""A folder with a pipeline that works, to be changed by each test, and a server that answers by unit."""

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.contract.model_server import Answer, ModelServer, Received, Step
from tests.e2e.conftest import Ended, environment
from tests.loaded_commands import loaded_command

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"place": {"type": "string"}, "degrees": {"type": "integer"}},
    "required": ["place", "degrees"],
    "additionalProperties": False,
}
PROMPT = """\
---
id: reading
version: 1
purpose: Reads a weather note
variables: [input]
---
Where was it measured, and how warm was it?

{{ input }}
"""
CHECKS = """\
def not_too_cold(value):
    if value["degrees"] < -90:
        return [f"{value['degrees']} degrees were never measured on this planet"]


def cannot_say(value):
    raise RuntimeError("no thermometer at hand")
"""
_INPUT = re.compile(r"<input>\n(.*)\n</input>")


def reading(place: str = "Oslo", degrees: int = 4) -> str:
    """Return an answer of the form that is asked for."""
    return json.dumps({"place": place, "degrees": degrees})


def prompt_of(request: Received) -> str:
    """Return the prompt as it was sent: the first message of the user, after the rules."""
    content = next(message["content"] for message in request.messages if message["role"] == "user")
    assert isinstance(content, str)
    return content


def unit_of(request: Received) -> Any:
    """Return the unit that a request is about."""
    found = _INPUT.search(prompt_of(request))
    assert found is not None
    return json.loads(found[1])


class ByUnit:
    """Answers the requests about each unit with steps of its own; the last one is repeated."""

    def __init__(self, steps: dict[str, Iterable[Step]], default: Step | None = None) -> None:
        self._steps = {key: list(several) for key, several in steps.items()}
        self._default = Answer(reading()) if default is None else default

    def __call__(self, request: Received) -> Step:
        steps = self._steps.get(unit_of(request)["id"], [self._default])
        return steps.pop(0) if len(steps) > 1 else steps[0]


def toml(table: dict[str, Any], name: str = "") -> str:
    """Return a table as TOML."""
    plain = [(key, value) for key, value in table.items() if not _is_table(value)]
    lines = [f"{key} = {_plain(value)}" for key, value in plain]
    for key, value in table.items():
        path = f"{name}.{key}".lstrip(".")
        if isinstance(value, dict):
            lines += ["", f"[{path}]", toml(value, path)]
        elif _is_table(value):
            for item in value:
                lines += ["", f"[[{path}]]", toml(item, path)]
    return "\n".join(lines)


def _plain(value: object) -> str:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else json.dumps(value)


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


@dataclass(frozen=True)
class PipelineFolder:
    """The folder; `tables` is what its pipeline file says.

    Attributes:
        path: The folder.
        tables: The pipeline file; written by `save`, and before every command.
    """

    path: Path
    tables: dict[str, Any]

    @classmethod
    def make(cls, path: Path, base_url: str, *, keys: Iterable[str] = ("a", "b", "c")) -> "PipelineFolder":
        """Fill a folder; requests that fail on the way are not sent again."""
        path.mkdir(parents=True, exist_ok=True)
        (path / "reading.md").write_text(PROMPT, "utf-8")
        (path / "reading.json").write_text(json.dumps(SCHEMA), "utf-8")
        (path / "checks.py").write_text(CHECKS, "utf-8")
        made = cls(
            path,
            {
                "run": {"name": "weather", "input": "notes.jsonl", "key": "/id", "output": "readings.jsonl"},
                "model": {
                    "adapter": "chat_completions",
                    "base_url": base_url,
                    "name": "small",
                    "transport_retries": 0,
                },
                "producers": [
                    {
                        "id": "reading",
                        "prompt": "reading.md",
                        "schema": "reading.json",
                        "validators": [{"id": "cold", "use": "checks:not_too_cold"}],
                    }
                ],
            },
        )
        made.units(*({"id": key, "note": f"note {key}"} for key in keys))
        return made

    @property
    def producer(self) -> dict[str, Any]:
        """The table of the first producer."""
        return self.tables["producers"][0]

    @property
    def validator(self) -> dict[str, Any]:
        """The table of the first validator."""
        return self.producer["validators"][0]

    def put(self, *path: str | int, value: Any) -> None:
        """Set a field of the pipeline file, and make the tables above it; None takes the field out."""
        table: Any = self.tables
        for part in path[:-1]:
            table = table.setdefault(part, {}) if isinstance(part, str) else table[part]
        if value is None:
            del table[path[-1]]
        else:
            table[path[-1]] = value

    def units(self, *values: Any) -> None:
        """Write the input."""
        self.write("notes.jsonl", "".join(f"{json.dumps(value)}\n" for value in values))

    def write(self, name: str, text: str) -> Path:
        """Write a file."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def save(self) -> Path:
        """Write the pipeline file."""
        return self.write("weather.toml", toml(self.tables))

    def use(self, code: str, **binding: Any) -> None:
        """Make a callable `check` of this code the only validator."""
        self.write("own.py", code)
        self.producer["validators"] = [{"id": "own", "use": "own:check", **binding}]

    def results(self) -> list[dict[str, Any]]:
        """Return the lines of the output."""
        name = self.tables["run"]["output"]
        return [json.loads(line) for line in (self.path / name).read_text("utf-8").splitlines()]

    def outcomes(self) -> dict[str, str]:
        """Return the outcome of each unit, in the order of the output."""
        return {row["key"]: row["outcome"] for row in self.results()}

    def files(self) -> set[str]:
        """Return the names of all files, but for what Python keeps."""
        found = (path for path in self.path.rglob("*") if "__pycache__" not in path.parts)
        return {str(path.relative_to(self.path)) for path in found}

    def start(self, *arguments: object, cwd: Path | None = None, **streams_and_variables: Any) -> subprocess.Popen[Any]:
        """Start a run in a process that loads the command, so that it can be stopped by signals."""
        command = (sys.executable, "-m", "veracord")
        return self._start(command, arguments, cwd, streams_and_variables)

    def _start(
        self, command: Sequence[str], arguments: Sequence[object], cwd: Path | None, more: dict[str, Any]
    ) -> subprocess.Popen[Any]:
        self.save()
        where = self.path if cwd is None else cwd
        streams = {name: more.pop(name, subprocess.PIPE) for name in ("stdin", "stdout", "stderr")}
        return subprocess.Popen(
            [*command, "run", os.path.relpath(self.path / "weather.toml", where), *map(str, arguments)],
            cwd=where,
            env=environment(**{"PYTHONDONTWRITEBYTECODE": "1", **more}),
            start_new_session=True,
            **streams,
        )

    def run(self, *arguments: object, cwd: Path | None = None, **variables: str) -> Ended:
        """Run it to its end."""
        if variables:
            return ended(self.start(*arguments, cwd=cwd, **variables))
        return ended(self._start(loaded_command(), arguments, cwd, {}))


def ended(process: subprocess.Popen[bytes]) -> Ended:
    """Wait for the end of a run; no run prints a traceback, whatever happens."""
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    found = Ended(process.returncode, out.decode(), (err or b"").decode(), out)
    assert "Traceback" not in found.err, found.err
    assert "Traceback" not in found.out, found.out
    return found


def one_error(found: Ended, code: str, *words: str, exit_code: int = 2) -> None:
    """Check that a command ended with one line of error and nothing else."""
    assert found.code == exit_code, found
    assert found.err.startswith(f"error: {code}: "), found.err
    assert found.err.endswith("\n"), found.err
    assert found.err.count("\n") == 1, found.err
    assert not found.out, found.out
    for word in words:
        assert word in found.err, (word, found.err)


def package(folder: Path, name: str, code: str, entries: dict[str, dict[str, str]]) -> dict[str, str]:
    """Install a package into a folder, and return the variables with which a command finds it."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(code, "utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    groups = (
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in offered.items())
        for group, offered in entries.items()
    )
    (about / "entry_points.txt").write_text("\n".join(groups), "utf-8")
    return {"PYTHONPATH": os.pathsep.join([str(folder), environment()["PYTHONPATH"]])}


__all__ = ["ByUnit", "ModelServer", "PipelineFolder", "ended", "one_error", "package", "reading", "unit_of"]
