"""`veracord repair` on JSON Lines: in order, streamed, in several processes, and when it is cut short."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

BASE = ["repair", "many.jsonl", "-p", "widget.toml", "-e", "evidence"]
FROM_INPUT = ["repair", "-", "--jsonl", "-p", "widget.toml", "-e", "evidence", "--json"]
BAD_LINE = "error: invalid_json: the text is not strict JSON, many.jsonl line 4 column 14, correct it there\n"
LINUX = Path("/proc/self/task").is_dir()


def write_many(shop, count, *, bad_every=0):
    with (shop / "many.jsonl").open("wb") as stream:
        for number in range(count):
            if bad_every and number % bad_every == 7:
                stream.write(b'{"id": "W-1", "id": "W-2"}\n')
            else:
                record = {"id": "W-1" if number % 3 else "W-9", "name": f"n{number}", "price": number}
                stream.write(json.dumps(record).encode() + b"\n")


@pytest.mark.usefixtures("lines")
def test_one_result_line_for_each_record_in_order(cli):
    ended = cli(*BASE, "--json")
    assert ended.code == 2
    assert ended.err == BAD_LINE
    rows = ended.lines
    assert [[fill["path"] for fill in row.get("fills", [])] for row in rows] == [
        ["/mass_kg"],
        [],
        [],
        ["/mass_kg"],
    ]
    assert rows[2] == {
        "line": 4,
        "error": {
            "code": "invalid_json",
            "message": "the text is not strict JSON, many.jsonl line 4 column 14, correct it there",
        },
    }


@pytest.mark.usefixtures("lines")
def test_results_to_read(cli):
    ended = cli(*BASE)
    assert ended.code == 2
    out = ended.out.splitlines()
    assert out[0].startswith("line 1: 1 filled, 0 open;")
    assert out[1] == "  filled /mass_kg = 1.250 from maker at /mass_kg"
    assert "line 4: not done: invalid_json" in out
    assert out[-1] == "4 records: 3 conform, 0 do not, 1 could not be done; 2 filled, 0 open."


def test_what_stays_open_to_read(cli, shop):
    (shop / "many.jsonl").write_text('{"id": "W-9", "name": "x"}\n', "utf-8")
    ended = cli(*BASE)
    assert ended.code == 1
    assert "  open /mass_kg: no source states it\n" in ended.out
    assert "  not used, about another product: maker, sister\n" in ended.out


def test_all_conform(cli, shop):
    (shop / "many.jsonl").write_text('{"id": "W-1", "name": "x"}\n' * 3, "utf-8")
    assert cli(*BASE, "--json").code == 0


def test_an_empty_file(cli, shop):
    (shop / "many.jsonl").write_bytes(b"")
    for jobs in ("1", "2"):
        ended = cli(*BASE, "--json", "--jobs", jobs)
        assert (ended.code, ended.out, ended.err) == (0, "", "")


def test_records_keep_everything_but_the_fills(cli, shop, lines):
    before = lines.read_bytes()
    cli(*BASE, "--json", "--record-out", "fixed.jsonl")
    after = (shop / "fixed.jsonl").read_bytes()
    assert after == before.replace(
        b'{"id": "W-1", "name": "Widget"}\n', b'{"id": "W-1", "name": "Widget", "mass_kg": 1.250}\n'
    ).replace(b"-1", b"1.250", 0).replace(b'"mass_kg": -1', b'"mass_kg": 1.250')


@pytest.mark.usefixtures("lines")
def test_origins_of_many(cli, shop):
    cli(*BASE, "--json", "--record-out", "fixed.jsonl")
    origins = json.loads((shop / "fixed.origins.json").read_text("utf-8"))
    assert origins == {"1": {"/mass_kg": "evidence"}, "5": {"/mass_kg": "evidence"}}


@pytest.mark.usefixtures("lines")
def test_origins_are_carried_on(cli, shop):
    cli(*BASE, "--record-out", "fixed.jsonl")
    ended = cli("repair", "fixed.jsonl", "-p", "widget.toml", "--record-out", "again.jsonl", "--json")
    assert [row.get("origins") for row in ended.lines] == [
        {"/mass_kg": "evidence"},
        {},
        None,
        {"/mass_kg": "evidence"},
    ]
    assert (shop / "again.jsonl").read_bytes() == (shop / "fixed.jsonl").read_bytes()
    assert (shop / "again.origins.json").read_bytes() == (shop / "fixed.origins.json").read_bytes()


def test_origins_of_one_record_are_carried_on(cli, shop):
    (shop / "good.origins.json").write_text('{"/mass_kg": "declared"}', "utf-8")
    ended = cli("repair", "good.json", "-p", "widget.toml", "--json", "--record-out", "next.json")
    assert ended.json["origins"] == {"/mass_kg": "declared"}
    assert json.loads((shop / "next.origins.json").read_text("utf-8")) == {"/mass_kg": "declared"}


@pytest.mark.parametrize("text", ["[]", '{"1": 2}', '{\n"1": {}}', '{"2":{},\n"1":{}}', "{"])
def test_malformed_origins_are_an_error(cli, shop, one_error, text):
    (shop / "many.jsonl").write_text('{"id": "W-1", "name": "x"}\n' * 9, "utf-8")
    (shop / "many.origins.json").write_text(text, "utf-8")
    one_error(cli(*BASE, "--out", "r.jsonl"), "invalid_origins", words=["many.origins.json"])


@pytest.mark.parametrize(
    ("origins", "place"), [('{"/name": "acepted_suggestion"}', "/name"), ('{"/name": "seed", "name": "seed"}', "name")]
)
def test_unknown_origins_are_refused_with_their_place(cli, shop, one_error, origins, place):
    (shop / "good.origins.json").write_text(origins, "utf-8")
    for command in ("repair", "synthesize"):
        ended = cli(command, "good.json", "-p", "widget.toml")
        one_error(ended, "invalid_origins", words=[f"good.origins.json {place}"])
    (shop / "many.jsonl").write_text('{"id": "W-1", "name": "x"}\n', "utf-8")
    (shop / "many.origins.json").write_text(f'{{"1":{origins}}}', "utf-8")
    ended = cli("repair", "many.jsonl", "-p", "widget.toml", "--json")
    assert ended.code == 2
    assert "error: invalid_origins: " in ended.err
    assert f"many.jsonl line 1 {place}" in ended.err


@pytest.mark.usefixtures("lines")
def test_diff_of_many(cli):
    ended = cli(*BASE, "--diff")
    assert ended.raw == (
        b"--- many.jsonl\n"
        b"+++ many.jsonl (repaired)\n"
        b"@@ -1 +1 @@\n"
        b'-{"id": "W-1", "name": "Widget"}\n'
        b'+{"id": "W-1", "name": "Widget", "mass_kg": 1.250}\n'
        b"@@ -5 +5 @@\n"
        b'-{"name": "Widget", "mass_kg": -1, "id": "W-1"}\n'
        b"\\ No newline at end of file\n"
        b'+{"name": "Widget", "mass_kg": 1.250, "id": "W-1"}\n'
        b"\\ No newline at end of file\n"
    )


@pytest.mark.parametrize(
    "form", [["--json"], [], ["--diff"], ["--json", "--out", "r.jsonl", "--record-out", "f.jsonl"]]
)
def test_jobs_give_the_same_bytes(cli, shop, form):
    write_many(shop, 700, bad_every=50)

    def everything(jobs):
        ended = cli(*BASE, *form, "--jobs", jobs)
        files = {}
        for name in ("r.jsonl", "f.jsonl", "f.origins.json"):
            if (shop / name).exists():
                files[name] = (shop / name).read_bytes()
                (shop / name).unlink()
        return ended, files

    assert everything("1") == everything("3")


def test_a_line_beyond_the_limit(cli, shop):
    (shop / "veracord.toml").write_text("[limits]\nmax_record_bytes = 100\n", "utf-8")
    long = b'{"id": "W-1", "name": "' + b"x" * 3_000_000 + b'"}'
    good = b'{"id": "W-1", "name": "x"}\n'
    exact = b'{"id": "W-1", "name": "' + b"y" * 75 + b'"}\r\n'
    assert len(exact) == 102
    (shop / "many.jsonl").write_bytes(long + b"\r\n" + good + exact + long)
    (shop / "evidence" / "leaflet.txt").unlink()
    for jobs in ("1", "2"):
        ended = cli(*BASE, "--json", "--record-out", "fixed.jsonl", "--jobs", jobs)
        assert ended.code == 2
        assert ended.err.count("\n") == 2
        assert "many.jsonl line 1" in ended.err
        assert "many.jsonl line 4" in ended.err
        codes = [row.get("error", {}).get("code") for row in ended.lines]
        assert codes == ["too_large", None, None, "too_large"]
        fixed = (shop / "fixed.jsonl").read_bytes()
        assert fixed.startswith(long + b"\r\n")
        assert fixed.endswith(b"\r\n" + long)


def test_other_encodings_are_refused_as_a_whole(cli, shop, one_error):
    text = '{"id": "W-1", "name": "x"}\n'
    for encoding in ("utf-16", "utf-32"):
        (shop / "many.jsonl").write_bytes(text.encode(encoding))
        one_error(cli(*BASE, "--out", "r.jsonl"), "wrong_encoding", words=["many.jsonl"])
    (shop / "many.jsonl").write_bytes(text.encode("utf-8-sig"))
    assert cli(*BASE, "--json").code == 0


def test_a_reader_that_leaves_early_is_no_error(shop, command, env):
    write_many(shop, 3_000)
    for arguments in ([*BASE, "--json"], [*BASE, "--json", "--jobs", "2"], BASE, [*BASE, "--diff"]):
        done = subprocess.run(
            ["bash", "-c", '"$@" | head -n 1; exit ${PIPESTATUS[0]}', "bash", *command, *arguments],
            env=env(),
            cwd=shop,
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0
        assert done.stdout.count(b"\n") == 1
        assert not done.stderr


def test_files_are_finished_when_the_reader_leaves(shop, command, env):
    write_many(shop, 3_000)
    arguments = [*BASE, "--json", "--record-out", "fixed.jsonl"]
    done = subprocess.run(
        ["bash", "-c", '"$@" | head -n 1; exit ${PIPESTATUS[0]}', "bash", *command, *arguments],
        env=env(),
        cwd=shop,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert (shop / "fixed.jsonl").read_bytes().count(b"\n") == 3_000


def test_results_come_while_the_input_still_flows(shop, command, env):
    process = subprocess.Popen([*command, *FROM_INPUT, "--out", "r.jsonl"], env=env(), cwd=shop, stdin=subprocess.PIPE)
    temporary = _wait_for(lambda: list(shop.glob(".r.jsonl.*")))
    process.stdin.write(b'{"id": "W-1", "name": "x"}\n' * 2_000)
    process.stdin.flush()
    _wait_for(lambda: temporary[0].stat().st_size)
    assert not (shop / "r.jsonl").exists()
    process.stdin.close()
    assert process.wait(60) == 0
    assert (shop / "r.jsonl").read_bytes().count(b"\n") == 2_000


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_fault_of_ours(cli, shop, one_error, broken_repair, jobs):
    write_many(shop, 10)
    (shop / "r.jsonl").write_bytes(b"as it was")
    fault = broken_repair("raise KeyError('secret of the record')")
    ended = cli(*BASE, "--out", "r.jsonl", "--jobs", jobs, **fault)
    one_error(ended, "internal", exit_code=70, words=["KeyError", "many.jsonl line 1"])
    assert "secret" not in ended.err
    assert (shop / "r.jsonl").read_bytes() == b"as it was"
    assert not list(shop.glob(".*"))


def test_a_fault_with_a_lone_record(cli, one_error, broken_repair):
    fault = broken_repair("return record.secret")
    ended = cli("repair", "record.json", "-p", "widget.toml", **fault)
    one_error(ended, "internal", exit_code=70, words=["AttributeError"])
    assert "secret" not in ended.err


def test_a_worker_that_dies(cli, shop, one_error, broken_repair):
    write_many(shop, 500)
    (shop / "r.jsonl").write_bytes(b"as it was")
    fault = broken_repair("os.kill(os.getpid(), signal.SIGKILL)")
    ended = cli(*BASE, "--out", "r.jsonl", "--record-out", "f.jsonl", "--jobs", "2", **fault)
    one_error(ended, "worker_died", exit_code=70)
    assert (shop / "r.jsonl").read_bytes() == b"as it was"
    assert not (shop / "f.jsonl").exists()
    assert not list(shop.glob(".*"))


@pytest.mark.skipif(not LINUX, reason="reads the children of a process from /proc")
def test_a_worker_that_is_killed_from_outside(shop, command, env):
    process = _start(shop, [*command, *FROM_INPUT, "--jobs", "2", "--out", "r.jsonl"], env)
    process.stdin.write(b'{"id": "W-1", "name": "x"}\n' * 64)
    process.stdin.flush()
    for worker in _wait_for(lambda: _children(process.pid)):
        os.kill(worker, signal.SIGKILL)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 70
    assert err.startswith(b"error: worker_died: ")
    assert err.count(b"\n") == 1
    assert not (shop / "r.jsonl").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_nothing(shop, command, env, jobs, number, code):
    (shop / "r.jsonl").write_bytes(b"as it was")
    process = _start(shop, [*command, *FROM_INPUT, "--jobs", jobs, "--out", "r.jsonl"], env)
    process.stdin.write(b'{"id": "W-1", "name": "x"}\n' * 640)
    process.stdin.flush()
    # With workers, when the first bytes arrive is the matter of batches and buffers: that they run is enough.
    _wait_for(lambda: [path for path in shop.glob(".r.jsonl.*") if path.stat().st_size or jobs == "2"])
    workers = _wait_for(lambda: _children(process.pid)) if LINUX and jobs == "2" else []
    # A signal in the first moments of an interpreter is Python's own to answer: let all of them have started.
    time.sleep(1.5)
    if number == signal.SIGINT:
        # As from a terminal: to every process of the group.
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert (out, err) == (b"", b"")
    assert (shop / "r.jsonl").read_bytes() == b"as it was"
    assert not list(shop.glob(".*"))
    assert not [worker for worker in workers if _is_running(worker)]


@pytest.mark.skipif(not LINUX, reason="reads the children of a process from /proc")
def test_workers_do_not_outlive_a_run_that_is_killed(shop, command, env):
    process = _start(shop, [*command, *FROM_INPUT, "--jobs", "2", "--out", "r.jsonl"], env)
    process.stdin.write(b'{"id": "W-1", "name": "x"}\n' * 64)
    process.stdin.flush()
    workers = _wait_for(lambda: _children(process.pid))
    process.kill()
    process.communicate(timeout=60)
    _wait_for(lambda: not [worker for worker in workers if _is_running(worker)])


def _is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _start(shop, arguments, env):
    return subprocess.Popen(
        arguments,
        env=env(),
        cwd=shop,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _children(pid):
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
    except OSError:
        return []
    found = [int(child) for child in text.split()]
    return found if len(found) == 2 else []


def _wait_for(look, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    pytest.fail("what was waited for did not come")
