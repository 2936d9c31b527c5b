"""Starting the command: help, version, completion, and mistakes on the command line."""

import os
import subprocess
import sys

import pytest

COMMANDS = ["validate", "repair", "verify", "explain", "import", "export", "serve", "demo"]
GROUPS = {
    "profiles": ["list", "show", "check"],
    "evidence": ["show"],
    "review": ["list", "show", "accept", "edit", "reject", "defer", "declare", "attach", "undo"],
    "audit": ["verify", "checkpoint", "replay", "export"],
}


def test_help_lists_every_command(cli):
    ended = cli("--help")
    assert ended.code == 0
    assert not ended.err
    for name in [*COMMANDS, *GROUPS]:
        assert f"\n  {name}" in ended.out
    assert "\x1b" not in ended.out


@pytest.mark.parametrize("arguments", [[], ["profiles"], ["evidence"]])
def test_without_a_command_the_help_is_shown(cli, arguments):
    ended = cli(*arguments)
    assert ended.code == 0
    assert ended.out == cli(*arguments, "--help").out


@pytest.mark.parametrize(
    "arguments",
    [[name] for name in COMMANDS] + [[group, name] for group, names in GROUPS.items() for name in names],
)
def test_every_command_has_help(cli, arguments):
    ended = cli(*arguments, "-h")
    assert ended.code == 0
    assert ended.out.startswith(f"Usage: veracord {' '.join(arguments)} ")


def test_version(cli):
    import veracord

    ended = cli("--version")
    assert (ended.code, ended.out) == (0, f"veracord {veracord.__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["validat"], ["no such command 'validat'"]),
        (["validate"], ["missing argument 'RECORD'", "see veracord validate --help"]),
        (["validate", "record.json", "--nope"], ["no such option: --nope"]),
        (["repair", "record.json", "--jobs", "0"], ["--jobs"]),
        (["repair", "record.json", "--jobs", "many"], ["--jobs"]),
        (["repair", "record.json", "extra.json"], ["extra.json"]),
        (["repair", "record.json", "-p"], ["-p"]),
        (["repair", "record.json"], ["no profile was given", "--schema"]),
        (["validate", "record.json", "-p", "widget.toml", "--schema", "s.json"], ["not both"]),
        (["validate", "record.json", "-p", "widget.toml", "--identity", "id"], ["--identity"]),
        (["repair", "record.json", "-p", "widget.toml", "--diff", "--json"], ["--out"]),
        (["repair", "record.json", "-p", "widget.toml", "--out", "-"], ["standard output"]),
        (["explain", "result.jsonl", "/a"], ["--line N"]),
        (["explain", "result.jsonl", "/a", "--line", "0"], ["--line"]),
        (["profiles", "show"], ["PROFILE"]),
        (["profiles", "check"], ["PROFILE"]),
        (["evidence", "show"], ["REF"]),
        (["bad\x1b[31m"], ["\\x1b"]),
    ],
)
def test_a_mistake_on_the_command_line_is_one_line(cli, one_error, arguments, words):
    if words == ["\\x1b"]:
        words = []
    one_error(cli(*arguments), "usage", words=words)


def test_help_starts_fast(command, env):
    # Processor time, because tests run side by side; the benchmark takes the time on the clock.
    took = []
    for _ in range(5):
        before = os.times()
        subprocess.run([*command, "--help"], env=env(), capture_output=True, check=True)
        after = os.times()
        took.append(sum(after[2:4]) - sum(before[2:4]))
    assert 0 < min(took) < 0.3


@pytest.mark.parametrize("arguments", [["--help"], ["repair", "--help"], ["review", "accept", "--help"], ["--version"]])
def test_help_loads_neither_core_nor_tables(command, env, arguments):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command[1:], *arguments],
        env=env(),
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert not loaded & {"cryptography", "rich", "jsonschema_rs", "jiter", "msgspec", "multiprocessing"}


@pytest.mark.parametrize(
    ("words", "count", "expected"),
    [
        ("veracord rep", 1, ["repair"]),
        ("veracord profiles ", 2, ["list", "show", "check"]),
        ("veracord repair --rec", 2, ["--record-out"]),
        ("veracord validate r.json -p eu", 4, ["eu-dpp-demo"]),
        ("veracord profiles show eu", 3, ["eu-dpp-demo"]),
    ],
)
def test_completion(cli, words, count, expected):
    ended = cli(_VERACORD_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(count))
    assert ended.code == 0
    assert ended.out.split() == expected


def test_completion_scripts(cli):
    ended = cli(_VERACORD_COMPLETE="source_bash")
    assert ended.code == 0
    assert "_VERACORD_COMPLETE=complete_bash" in ended.out
    assert "--show-completion" in cli("--help").out


@pytest.mark.parametrize("stream", ["1", "2"])
def test_a_closed_stream_is_no_fault(command, env, shop, stream):
    line = f'"$@" validate record.json -p widget.toml {stream}>&-'
    done = subprocess.run(["bash", "-c", line, "bash", *command], env=env(), cwd=shop, capture_output=True, check=False)
    assert done.returncode == 1
    assert not done.stderr


def test_a_full_disk_behind_standard_output_is_told(command, env, shop):
    line = '"$@" validate record.json -p widget.toml > /dev/full'
    done = subprocess.run(
        ["bash", "-c", line, "bash", *command],
        env=env(),
        cwd=shop,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: unwritable_output: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["validate", "record.json", "-p", "widget.toml"],
        ["repair", "record.json", "-p", "widget.toml", "-e", "evidence"],
        ["review", "list", "--store", "none.db"],
        ["runs", "list", "--store", "none.db"],
        ["audit", "verify", "none.jsonl"],
    ],
)
def test_who_reads_no_sentences_does_not_wait_for_the_grammar(shop, env, arguments):
    script = (
        "import sys\nfrom veracord.apps.cli import run\nrun(sys.argv[1:])\n"
        "ours = ('veracord.language', 'veracord.grounding')\n"
        "print(*(name for name in sys.modules if name.startswith(ours)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=shop, env=env(), capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1] == "", done.stderr
