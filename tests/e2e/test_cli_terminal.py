"""On a terminal: colours, its width, progress, and nothing that hostile text could do to it."""

import json
import os
import re
import subprocess
import threading

import pytest

pty = pytest.importorskip("pty")

#: What we send ourselves: colours, and the renewal of the progress line.
OURS = re.compile(r"\x1b\[[0-9;]*m|\r\x1b\[K")
HOSTILE = "a\u009b31m\u202eb\u2028\u200b"


@pytest.fixture
def on_terminal(shop, command, env):
    """Run a command with standard output, standard error or both on a terminal."""

    def run(*arguments, streams=("stdout", "stderr"), columns=80, stdin=None):
        ours, theirs = pty.openpty()
        others = {name: subprocess.PIPE for name in ("stdout", "stderr") if name not in streams}
        process = subprocess.Popen(
            [*command, *arguments],
            cwd=shop,
            env=env(TERM="xterm-256color", COLUMNS=str(columns), LINES="40", NO_COLOR=""),
            stdin=subprocess.PIPE,
            **others,
            **dict.fromkeys(streams, theirs),
        )
        os.close(theirs)
        chunks = []
        reader = threading.Thread(target=_drain, args=(ours, chunks))
        reader.start()
        out, _ = process.communicate(stdin, timeout=60)
        reader.join()
        os.close(ours)
        text = b"".join(chunks).decode().replace("\r\n", "\n")
        return process.returncode, text, out

    return run


def _drain(number, chunks):
    while True:
        try:
            chunk = os.read(number, 65536)
        except OSError:
            return
        if not chunk:
            return
        chunks.append(chunk)


def test_tables_have_colours_and_keep_the_width(on_terminal):
    code, text, _ = on_terminal("repair", "record.json", "-p", "widget.toml", "-e", "evidence")
    assert code == 1
    assert "\x1b[" in text
    plain = OURS.sub("", text)
    assert max(map(len, plain.splitlines())) <= 80
    assert "Filled (1)" in plain


def test_a_narrow_terminal_still_shows_everything(on_terminal, shop):
    path = "/" + "x" * 90
    schema = {"required": [path[1:]], "properties": {path[1:]: {"type": "number"}}}
    (shop / "s.json").write_text(json.dumps(schema), "utf-8")
    _, text, _ = on_terminal("validate", "good.json", "--schema", "s.json", columns=62)
    plain = OURS.sub("", text)
    assert max(map(len, plain.splitlines())) <= 62
    assert plain.count("x") >= 90


@pytest.mark.parametrize("form", [[], ["--json"], ["--diff"]])
@pytest.mark.parametrize("name", ["hostile.json", "hostile.jsonl"])
def test_hostile_text_cannot_steer_the_terminal(on_terminal, cli, shop, form, name):
    (shop / "evidence" / "items.json").write_text(
        json.dumps(
            {
                "evidence": [
                    {"id": f"\x1b]0;x\x07{HOSTILE}", "content": {"id": "W-7", "name": HOSTILE}},
                    {"id": f"\x1b[2J{HOSTILE}", "content": {"id": "W-8"}},
                    {"id": f"1{HOSTILE}", "content": {"id": "W-7", "mass_kg": 1}, "rank": 1},
                    {"id": f"2{HOSTILE}", "content": {"id": "W-7", "mass_kg": 2}, "rank": 1},
                ]
            },
            ensure_ascii=False,
        ),
        "utf-8",
    )
    record = json.dumps({"id": "W-7", "colour": HOSTILE}, ensure_ascii=False)
    (shop / name).write_text(record, "utf-8")
    arguments = ["repair", name, "-p", "widget.toml", "-e", "evidence", *form]
    code, text, _ = on_terminal(*arguments, streams=["stdout"])
    assert code == 1
    left = OURS.sub("", text)
    assert all(char.isprintable() or char == "\n" for char in left), repr(left)
    if form == ["--json"]:
        assert json.loads(left) == cli(*arguments).json
    code, text, _ = on_terminal("validate", name, "-p", "widget.toml", "--show-values", *form[:1])
    if form != ["--diff"]:
        left = OURS.sub("", text)
        assert all(char.isprintable() or char == "\n" for char in left), repr(left)


def test_hostile_evidence_is_shown_safely(on_terminal, shop):
    import hashlib

    data = f"\x1b[31mred\x07 {HOSTILE}\r\nnext\n".encode()
    (shop / "evidence" / "leaflet.txt").write_bytes(data)
    ref = f"sha256:{hashlib.sha256(data).hexdigest()}"
    for form in ([], ["--json"]):
        code, text, _ = on_terminal("evidence", "show", ref, "-e", "evidence", *form)
        assert code == 0
        assert all(char.isprintable() or char == "\n" for char in text), repr(text)


def test_long_values_are_shortened(cli, shop):
    (shop / "evidence" / "maker.json").write_text(json.dumps({"id": "W-1", "name": "N" * 5_000, "mass_kg": 1}), "utf-8")
    (shop / "r.json").write_text('{"id": "W-1", "mass_kg": 2}', "utf-8")
    ended = cli("repair", "r.json", "-p", "widget.toml", "-e", "evidence")
    assert "(5002 characters)" in ended.out
    assert max(map(len, ended.out.splitlines())) < 200


def test_progress_of_long_work(on_terminal):
    line = b'{"id": "W-1", "name": "x", "colour": "green"}\n'
    arguments = ["repair", "-", "--jsonl", "-p", "widget.toml", "-e", "evidence", "--json"]
    code, text, out = on_terminal(*arguments, streams=["stderr"], stdin=line * 15_000)
    assert code == 1
    assert out.count(b"\n") == 15_000
    assert re.search(r"[0-9,]+ records, [0-9,]+ per second", text)
    assert re.search(r"\r\x1b\[K15,000 records: 0 conform, 15,000 do not;[^\n]*\n$", text)
    code, text, _ = on_terminal(*arguments, streams=["stderr"], stdin=line)
    assert text == "1 record: 0 conform, 1 do not; 1 filled, 1 open.\n"


def test_a_summary_ends_a_run_whose_results_go_to_a_file(on_terminal, lines):
    code, text, _ = on_terminal("repair", lines.name, "-p", "widget.toml", "-e", "evidence", "--out", "r.jsonl")
    assert code == 2
    assert "4 records: 3 conform, 0 do not, 1 could not be done; 2 filled, 0 open.\n" in text
