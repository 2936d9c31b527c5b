"""docs/cli.md: every command and option is in it, and every example does what it says."""

import re
import shlex
import shutil
import subprocess
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from tests.loaded_commands import loaded_command

TEXT = (Path(__file__).parents[2] / "docs" / "cli.md").read_text("utf-8")
EXAMPLES = [line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]
COMMANDS = [
    "validate",
    "repair",
    "synthesize",
    "verify",
    "answer",
    "check-answer",
    "explain",
    "import",
    "export",
    *(
        f"review {name}"
        for name in ("list", "show", "accept", "edit", "reject", "defer", "declare", "attach", "undo", "settings")
    ),
    *(f"audit {name}" for name in ("verify", "checkpoint", "rotate", "replay", "export")),
    "profiles list",
    "profiles show",
    "profiles check",
    "evidence show",
    "serve",
    "demo",
]


def options_of(help_text):
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", help_text, flags=re.MULTILINE))


@pytest.mark.parametrize("words", ["", *COMMANDS])
def test_every_option_is_told(cli, words):
    for option in options_of(cli(*words.split(), "--help").out):
        assert re.search(rf"`(?:-\w`, `)?(?:veracord )?{option}\b", TEXT), option


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_has_an_example(words):
    assert any(f"veracord {words}" in line for line in EXAMPLES)


def test_every_option_has_an_example(cli):
    shown = "\n".join(EXAMPLES)
    for words in COMMANDS:
        for option in options_of(cli(*words.split(), "--help").out) - {"--help"}:
            short = {"--profile": "-p", "--evidence": "-e"}.get(option, option)
            assert f" {short} " in f"{shown} ".replace("\n", " \n"), option


def test_every_example_ends_as_it_says(tmp_path, env):
    folder = tmp_path / "demo"
    with as_file(files("veracord") / "bundled" / "demo") as source:
        shutil.copytree(source, folder)
    start = f'veracord() {{ {shlex.join(loaded_command())} "$@"; }}\n'
    for line in EXAMPLES:
        told = re.search(r"# exit code (\d+)$", line)
        done = subprocess.run(
            ["bash", "-c", start + line],
            cwd=folder,
            env=env(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == (int(told[1]) if told else 0), (line, done.stderr)
        assert bool(done.stderr) == (done.returncode == 2), (line, done.stderr)
