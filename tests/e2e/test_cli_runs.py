"""Runs that outlive their process: killed and gone on with, looked at, and tidied up."""

import json
import os
import signal
import sqlite3
import subprocess

import pytest

from tests.contract.model_server import Answer, Delay, Hang, ModelServer
from tests.e2e.conftest import Ended, environment
from tests.e2e.pipeline_folders import ByUnit, PipelineFolder, ended, one_error, reading, unit_of
from tests.loaded_commands import loaded_command

KEYS = [f"k{number}" for number in range(30)]
COLD = reading("Vostok", -128)


@pytest.fixture
def server():
    with ModelServer(default=Answer(reading())) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path, server):
    return PipelineFolder.make(tmp_path / "job", server.chat_url, keys=KEYS)


@pytest.fixture
def veracord(folder):
    """Run any other command in the folder."""

    def run(*arguments):
        done = subprocess.run(
            [*loaded_command(), *map(str, arguments)],
            cwd=folder.path,
            env=environment(),
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert b"Traceback" not in done.stderr, done.stderr
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode(), done.stdout)

    return run


def by_key(request):
    """Answer so that each unit has a value of its own."""
    return Answer(reading(unit_of(request)["id"]))


def asked(server):
    return [unit_of(request)["id"] for request in server.requests]


def kill(process):
    """End a process as a power cut would."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def killed_in_the_middle(folder, server, answer=by_key, requests=15):
    """Start a run, kill it when so many requests have come, and return the units that were asked for."""
    server.script(lambda request: Delay(0.02, answer(request)))
    process = folder.start("--concurrency", 4)
    server.wait_for_requests(requests, 30)
    kill(process)
    server.wait_until_left()
    return asked(server)


def store_rows(folder, statement):
    connection = sqlite3.connect(folder.path / ".veracord" / "store.db")
    try:
        return connection.execute(statement).fetchall()
    finally:
        connection.close()


# --- killed and gone on with


def test_a_killed_run_is_gone_on_with_by_the_same_command(folder, server, veracord):
    before = killed_in_the_middle(folder, server)
    assert not (folder.path / "readings.jsonl").exists()
    listed = veracord("runs", "list", "--json").json["runs"][0]
    assert (listed["complete"], listed["running"]) == (False, False)
    server.script(by_key)
    done = folder.run("--concurrency", 4)
    assert (done.code, done.err) == (0, "")
    after = asked(server)
    # What was in flight may have been paid for; nothing else is asked for twice.
    assert len(set(before) & set(after)) <= 4
    assert set(before) | set(after) == set(KEYS)
    assert (
        f"weather: {len(KEYS)} units, complete\n{len(KEYS) - len(after)} units reused, {len(after)} new\n" in done.out
    )
    resumed = (folder.path / "readings.jsonl").read_bytes()
    assert list(folder.outcomes()) == KEYS
    commits = store_rows(folder, "SELECT COUNT(*), COUNT(DISTINCT position) FROM receipts WHERE kind = 'commit'")
    assert commits == [(len(KEYS), len(KEYS))]
    manifest = veracord("runs", "show", "weather", "--json").json
    assert manifest["complete"] is True
    assert [row["ended_by"] for row in manifest["starts"]] == ["lost", ""]
    assert manifest["attempts"]["ok"] == len(KEYS)
    assert folder.run("--store", "undisturbed.db").code == 0
    assert (folder.path / "readings.jsonl").read_bytes() == resumed


def test_a_lost_attempt_stands_in_the_history_of_its_unit(folder, server, veracord):
    server.script(lambda request: Hang() if unit_of(request)["id"] == "k3" else by_key(request))
    process = folder.start()
    server.wait_for_requests(len(KEYS), 30)
    kill(process)
    server.script(by_key)
    assert folder.run().code == 0
    told = veracord("runs", "explain", "weather", "k3", "--json").json
    assert [row["kind"] for row in told["receipts"]] == ["intent", "lost", "intent", "attempt", "commit"]
    assert (told["claims"], told["lost_claims"], told["outcome"]) == (2, 1, "accepted")
    assert "given up" in veracord("runs", "explain", "weather", "k3").out


def test_a_finished_run_asks_nothing_and_writes_the_same(folder, server):
    server.script(by_key)
    first = folder.run("--json")
    output = (folder.path / "readings.jsonl").read_bytes()
    (folder.path / "readings.jsonl").unlink()
    connections = server.connections
    second = folder.run("--json")
    # What stands is not written again.
    written = (folder.path / "readings.jsonl").stat()
    assert folder.run().code == 0
    assert (folder.path / "readings.jsonl").stat().st_ino == written.st_ino
    assert (first.code, second.code) == (0, 0)
    assert server.connections == connections
    assert (folder.path / "readings.jsonl").read_bytes() == output
    assert second.json["run_id"] == first.json["run_id"]
    assert second.json["this_start"]["reused"] == len(KEYS)
    assert second.json["this_start"]["units"] == 0
    assert second.json["usage"] == first.json["usage"]
    assert second.json["complete"] is True


def test_an_interrupted_run_says_4_and_is_gone_on_with(folder, server):
    server.script(ByUnit({"k20": [Hang()]}, Answer(reading())))
    process = folder.start("--json")
    server.wait_for_requests(len(KEYS), 30)
    process.send_signal(signal.SIGINT)
    stopped = ended(process)
    assert stopped.code == 4
    assert stopped.json["complete"] is False
    assert folder.outcomes()["k20"] == "cancelled"
    server.script()
    done = folder.run("--json")
    assert (done.code, done.json["complete"]) == (0, True)
    assert "k20" in asked(server)


def test_units_of_named_outcomes_are_done_again(folder, server):
    folder.producer["policy"] = {"rejection": "warn_continue"}
    folder.producer["retries"] = 0
    server.script(ByUnit({"k1": [COLD]}, Answer(reading())))
    assert folder.run().code == 3
    server.script()
    assert folder.run().code == 3
    assert asked(server) == []
    assert folder.run("--retry", "rejected").code == 0
    assert asked(server) == ["k1"]
    one_error(folder.run("--retry", "accepted"), "usage", "--retry")


# --- what is taken again


def test_only_validators_changed(folder, server):
    """A stored value that still passes is taken; for one that does not, the model is asked anew."""
    degrees = {key: number for number, key in enumerate(KEYS)}
    server.script(lambda request: Answer(reading("Oslo", degrees[unit_of(request)["id"]])))
    assert folder.run().code == 0
    checks = (folder.path / "checks.py").read_text("utf-8")
    folder.write("checks.py", checks.replace("< -90", "< 2"))
    server.script(lambda _: Answer(reading("Oslo", 40)))
    done = folder.run("--json")
    assert done.code == 0
    assert sorted(asked(server)) == ["k0", "k1"]
    assert done.json["attempts"]["cached"] == len(KEYS) - 2
    assert [row["value"]["degrees"] for row in folder.results()] == [40, 40, *range(2, len(KEYS))]


def two_steps(folder, server):
    """A second step that is given the value of the first; both answer the same whenever they are asked."""
    folder.units({"id": "a"})
    schema = {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]}
    folder.write("words.json", json.dumps(schema))
    folder.write(
        "words.md",
        "---\nid: words\nversion: 1\npurpose: Words\nvariables: [input, previous]\n---\n{{ input }}\n{{ previous }}\n",
    )
    folder.tables["producers"].append({"id": "words", "prompt": "words.md", "schema": "words.json"})

    def answers(request):
        name = request.json["response_format"]["json_schema"]["name"]
        return Answer(reading("CANARY") if name == "reading" else '{"words": "CANARY"}')

    server.script(answers)


def test_a_unit_accepted_as_incomplete_is_done_again_with_its_later_steps(folder, server, veracord):
    """Its value is in the output of its own run, marked, and in nothing else."""
    two_steps(folder, server)
    folder.use("def check(value):\n    raise RuntimeError\n", execution_retries=0)
    for start in (1, 2):
        assert folder.run().code == 3
        assert len(server.requests) == 2 * start
        (row,) = folder.results()
        assert row["outcome"] == "accepted_incomplete"
        assert row["incomplete"] == ["reading/own"]
        assert row["value"] == {"words": "CANARY"}
    assert store_rows(folder, "SELECT COUNT(*) FROM records") == [(0,)]
    assert store_rows(folder, "SELECT value FROM provisional") == [('{"words":"CANARY"}',)]
    manifest = veracord("runs", "show", "weather", "--json")
    assert manifest.json["outcomes"] == {"accepted_incomplete": 1}
    # Another run of the same, with a check that works, takes nothing from it; and then nothing is provisional.
    folder.use("def check(value):\n    return None\n", execution_retries=0)
    assert folder.run().code == 0
    assert len(server.requests) == 6
    for told in (manifest.out, veracord("runs", "explain", "weather", "a", "--json").out):
        assert "CANARY" not in told


def test_a_step_made_from_an_incomplete_value_is_taken_from_no_other_run(folder, server):
    two_steps(folder, server)
    folder.use("def check(value):\n    return None\n", execution_retries=0)
    assert folder.run("--run", "first").code == 0
    assert len(server.requests) == 2
    # The same values, but nobody could check the first one this time: what was made from it is made again, too.
    folder.use("def check(value):\n    raise RuntimeError\n", execution_retries=0)
    assert folder.run("--run", "second").code == 3
    assert len(server.requests) == 4


# --- beside a run


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
@pytest.mark.parametrize("is_there", [False, True])
def test_an_output_that_is_a_file_of_the_store_is_refused(folder, server, ending, is_there):
    if is_there:
        assert folder.run("--store", "runs.db", "--run", "before").code == 0
        server.script(by_key)
    folder.tables["run"]["output"] = f"runs.db{ending}"
    for store in ("runs.db", f"sqlite:///{folder.path}/runs.db"):
        one_error(folder.run("--store", store), "output_is_store", f"runs.db{ending}")
    assert not server.requests if is_there else not (folder.path / "runs.db").exists()
    if is_there:
        folder.tables["run"]["output"] = "readings.jsonl"
        assert folder.run("--store", "runs.db", "--run", "before").code == 0


@pytest.mark.parametrize("address", ["", ":memory:", "file:x.db?mode=memory", "sqlite:", "sqlite:///", "sqlite:x.db"])
def test_a_store_that_would_be_no_file_is_refused(folder, server, address):
    before = sorted(folder.path.iterdir())
    one_error(folder.run("--store", address), "unknown_store")
    assert not server.requests
    assert [path for path in sorted(folder.path.iterdir()) if path not in before and path.suffix != ".toml"] == []


def test_looking_into_an_empty_file_makes_no_store_of_it(folder, veracord):
    folder.write("empty.db", "")
    one_error(veracord("runs", "list", "--store", "empty.db"), "no_store", "empty.db")
    assert (folder.path / "empty.db").stat().st_size == 0


@pytest.mark.parametrize("version", ["0", "abc", "-3", "²"])
def test_a_store_whose_version_is_none_is_damaged(folder, veracord, version):
    assert folder.run().code == 0
    connection = sqlite3.connect(folder.path / ".veracord" / "store.db")
    with connection:
        connection.execute("UPDATE store SET value = ? WHERE name = 'version'", (version,))
    connection.close()
    one_error(veracord("runs", "list"), "store_unusable", "store.db")


def test_what_a_killed_process_left_beside_the_output_is_removed_by_the_next_start(folder, server):
    killed_in_the_middle(folder, server)
    (left,) = folder.path.glob(".readings.jsonl.*.tmp")
    other = folder.write(".readings.jsonl.mine.tmp", "kept")
    server.script(by_key)
    # A young one may be of a process that is just about to hold it.
    assert folder.run("--dry-run").code == 0
    assert left.exists()
    os.utime(left, (0, 0))
    assert folder.run().code == 0
    assert list(folder.path.glob(".readings.jsonl.*.tmp")) == [other]


def test_the_temporary_file_of_a_living_process_is_left_alone(folder, server):
    server.script(lambda _: Hang())
    process = folder.start("--concurrency", 2)
    server.wait_for_requests(2, 20)
    (held,) = folder.path.glob(".readings.jsonl.*.tmp")
    os.utime(held, (0, 0))
    assert folder.run("--dry-run").code == 0
    assert held.exists()
    kill(process)


def test_a_store_that_is_taken_away_ends_the_run(folder, server):
    server.script(lambda request: Delay(0.1, by_key(request)))
    process = folder.start("--concurrency", 2)
    server.wait_for_requests(4, 20)
    (folder.path / ".veracord" / "store.db").rename(folder.path / "gone.db")
    done = ended(process)
    assert done.code == 4
    assert "store_gone" in done.err


def test_attempts_that_were_paid_for_are_counted_whenever_the_process_dies(folder, server, veracord):
    folder.tables["producers"][0]["retries"] = 20
    server.script(lambda _: Delay(0.02, Answer(COLD)))
    process = folder.start("--concurrency", 2)
    server.wait_for_requests(13, 20)
    kill(process)
    server.wait_until_left()
    counted = veracord("runs", "show", "weather", "--json").json["usage"]["requests"]
    # At most the calls in flight are not known to the store.
    assert len(server.requests) - 2 <= counted <= len(server.requests)


def test_a_limit_on_cost_holds_over_all_starts_of_a_run(folder, server, veracord):
    # An answer costs 0.03 USD, and 0.10 at worst.
    folder.tables["model"] |= {"max_cost_usd": 0.5, "price_per_mtok_in": 0, "price_per_mtok_out": 10_000}
    folder.tables["model"] |= {"max_tokens": 10}
    for _ in range(3):
        assert folder.run("--concurrency", 1).code == 4
    spent = veracord("runs", "show", "weather", "--json").json["usage"]["cost_usd"]
    assert 0.4 < spent <= 0.5
    assert len(server.requests) == round(spent / 0.03)


@pytest.mark.parametrize("name", ["", "n" * 201])
def test_a_name_of_a_run_is_neither_empty_nor_endless(folder, server, name):
    one_error(folder.run("--run", name), "usage", "--run")
    assert not server.requests


def test_a_run_that_was_gone_on_with_under_other_parts_says_so_when_the_first_are_back(folder, server, veracord):
    killed_in_the_middle(folder, server)
    server.script(by_key)
    first = (folder.path / "reading.md").read_text("utf-8")
    folder.write("reading.md", first.replace("how warm", "how cold"))
    assert folder.run("--same-run").code == 0
    folder.write("reading.md", first)
    (folder.path / "readings.jsonl").unlink()
    again = folder.run()
    assert again.code == 0
    assert "was last gone on with under other parts (prompt of reading differs)" in again.err
    assert again.err.count("\n") == 1
    told = [line for line in veracord("runs", "show", "weather").out.splitlines() if "under other parts" in line]
    assert len(told) == 2


# --- changed under a run


def test_an_input_that_changed_is_refused_with_its_line(folder, server):
    killed_in_the_middle(folder, server)
    server.script(by_key)
    folder.units(*({"id": key, "note": "changed" if key == "k7" else f"note {key}"} for key in KEYS))
    one_error(folder.run(), "input_changed", "notes.jsonl:8")
    folder.units(*({"id": key, "note": f"note {key}"} for key in KEYS))
    assert folder.run().code == 0


def test_a_changed_file_makes_a_new_run_and_says_what_differs(folder, server, veracord):
    killed_in_the_middle(folder, server)
    first = veracord("runs", "list", "--json").json["runs"][0]["run_id"]
    server.script(by_key)
    folder.write("reading.md", (folder.path / "reading.md").read_text("utf-8").replace("how warm", "how cold"))
    done = folder.run("--json")
    assert done.code == 0
    assert done.err == (
        f"warning: run weather ({first[:8]}) is unfinished and another one: prompt of reading differs;"
        " --same-run would go on with it\n"
    )
    assert done.json["run_id"] != first
    assert len(server.requests) == len(KEYS)
    assert veracord("runs", "show", done.json["run_id"], "--json").json["parent_run_id"] == first


def test_a_changed_file_under_the_same_run(folder, server, veracord):
    before = killed_in_the_middle(folder, server)
    first = veracord("runs", "list", "--json").json["runs"][0]["run_id"]
    server.script(by_key)
    folder.write("reading.md", (folder.path / "reading.md").read_text("utf-8").replace("how warm", "how cold"))
    done = folder.run("--json", "--same-run")
    assert done.code == 0
    assert done.err.startswith(f"warning: run weather ({first[:8]}) goes on though it is not what it was: prompt of")
    assert done.json["run_id"] == first
    assert len(set(before) & set(asked(server))) <= 4
    (note,) = veracord("runs", "show", first, "--json").json["notes"]
    assert (note["what"], note["differs"]) == ("same_run", ["prompt of reading"])
    # The same command once more has nothing to do.
    server.script(by_key)
    again = folder.run("--json", "--same-run")
    assert (again.code, again.json["run_id"], asked(server)) == (0, first, [])


# --- two runners


def test_two_runners_at_once(folder, server):
    server.script(ByUnit({"k5": [Hang()]}, Answer(reading())))
    process = folder.start()
    try:
        server.wait_for_requests(len(KEYS), 30)
        for flags in ((), ("--takeover",)):
            refused = folder.run(*flags)
            one_error(refused, "run_held", f"process {process.pid} on ", "last sign of life was", " s ago")
        assert len(server.requests) == len(KEYS)
    finally:
        kill(process)
    server.script()
    done = folder.run("--takeover")
    assert done.code == 0
    assert done.err.startswith("warning: run weather (")
    assert f"is taken over from process {process.pid} on " in done.err


def test_a_run_that_somebody_works_on_is_shown_and_never_removed(folder, server, veracord):
    server.script(ByUnit({"k5": [Hang()]}, Answer(reading())))
    process = folder.start()
    try:
        server.wait_for_requests(len(KEYS), 30)
        assert veracord("runs", "list", "--json").json["runs"][0]["running"] is True
        assert veracord("runs", "gc", "--keep", 0, "--json").json["removed"] == []
        # Also when it gave no sign of life for long: it may be stopped, and go on.
        connection = sqlite3.connect(folder.path / ".veracord" / "store.db", timeout=20)
        with connection:
            connection.execute("UPDATE runs SET lease_until = 0")
        connection.close()
        assert veracord("runs", "gc", "--keep", 0, "--json").json["removed"] == []
        one_error(veracord("store", "copy", ".veracord/store.db", "new.db"), "run_held", "weather")
    finally:
        kill(process)


# --- looked at


def test_what_is_shown_of_a_run(folder, server, veracord):
    folder.producer["policy"] = {"rejection": "warn_continue"}
    server.script(ByUnit({"k2": [COLD]}, Delay(0.01, Answer(reading()))))
    run_id = folder.run("--json").json["run_id"]
    listed = veracord("runs", "list")
    assert run_id in listed.out
    assert "30 of 30" in listed.out
    for name in (run_id, run_id[:6], "weather"):
        shown = veracord("runs", "show", name)
        assert shown.code == 0
        assert f"weather ({run_id}): 30 of 30 units, complete" in shown.out
        assert "Requests: 31\n" in shown.out
        assert "Units per second" in shown.out
    explained = veracord("runs", "explain", run_id)
    assert "prompt of reading" in explained.out
    assert "rejection                    warn_continue  producer" in explained.out
    assert "chat_completions" in explained.out
    unit = veracord("runs", "explain", run_id, "k2")
    assert f"unit k2 of run {run_id}: rejected; cold rejected it (rejected); the policy says warn_continue" in unit.out
    assert "attempt 2, a correction: rejected; cold rejected (rejected)" in unit.out
    for text in (shown.out, explained.out, unit.out):
        assert str(folder.path) not in text
        assert "Vostok" not in text


def test_why_a_value_was_not_taken_again(folder, veracord):
    first = folder.run("--json").json["run_id"]
    folder.put("model", "temperature", value=0.5)
    folder.run()
    told = veracord("runs", "explain", "weather", "k1", "--json").json["not_reused"]
    assert told == {
        "run_id": first,
        "producer": "reading",
        "differs": ["pipeline file", "model temperature"],
        "kind": "what was asked",
    }
    assert "because these differ: pipeline file, model temperature." in veracord("runs", "explain", "weather", "k1").out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("show", "winter"), "unknown_run"),
        (("show", ""), "unknown_run"),
        (("explain", "weather", "k99"), "unknown_unit"),
        (("list", "--store", "none.db"), "no_store"),
        (("list", "--store", "mysql://x"), "unknown_store"),
        (("gc", "--before", "yesterday"), "usage"),
    ],
)
def test_what_cannot_be_shown(folder, veracord, arguments, code):
    folder.run()
    one_error(veracord("runs", *arguments), code)
    assert not (folder.path / "none.db").exists()


# --- tidied up


def test_old_runs_are_removed(folder, server, veracord):
    runs = []
    for degrees in range(4):
        folder.put("model", "max_tokens", value=100 + degrees)
        runs.append(folder.run("--json").json["run_id"])
    would = veracord("runs", "gc", "--dry-run", "--json").json
    assert [row["run_id"] for row in would["removed"]] == runs[:1]
    assert len(veracord("runs", "list", "--json").json["runs"]) == 4
    assert veracord("runs", "gc", "--before", "2020-01-01", "--json").json["removed"] == []
    done = veracord("runs", "gc", "--keep", 2)
    assert "2 runs, " in done.out
    assert " rows freed." in done.out
    left = veracord("runs", "list", "--json").json["runs"]
    assert [row["run_id"] for row in left] == runs[:1:-1]
    for table in ("receipts", "records", "units", "starts"):
        assert store_rows(folder, f"SELECT COUNT(DISTINCT run_id) FROM {table}") == [(2,)]  # noqa: S608 - ours
    assert store_rows(folder, "PRAGMA foreign_key_check") == []
    assert "Nothing to remove" in veracord("runs", "gc").out
    requests = len(server.requests)
    assert folder.run().code == 0
    assert len(server.requests) == requests


def test_a_store_is_copied_whole(folder, server, veracord):
    first = folder.run("--json").json
    done = veracord("store", "copy", ".veracord/store.db", "sqlite:///new.db", "--json")
    assert done.code == 0
    manifest = veracord("runs", "show", "weather", "--json").json
    assert done.json["receipts_digests"] == {first["run_id"]: manifest["receipts_digest"]}
    assert done.json["rows"]["units"] == len(KEYS)
    requests = len(server.requests)
    again = folder.run("--json", "--store", "new.db")
    assert again.json["this_start"]["reused"] == len(KEYS)
    # The key of digests came along: a run of another name takes every value.
    other = folder.run("--json", "--store", "new.db", "--run", "other")
    assert other.json["attempts"]["cached"] == len(KEYS)
    assert len(server.requests) == requests
    one_error(veracord("store", "copy", ".veracord/store.db", "new.db"), "store_not_empty")


# --- a store that cannot be used


def damage(path):
    path.write_bytes(b"this is no database, whatever it is called" * 100)


def make_newer(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE store (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    connection.execute("INSERT INTO store VALUES ('version', '99')")
    connection.commit()
    connection.close()


def make_folder(path):
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "code", "word"),
    [(damage, "store_unusable", "damaged"), (make_newer, "store_newer", "99"), (make_folder, "store_unusable", "")],
)
def test_a_store_that_cannot_be_used_is_one_line(folder, server, veracord, spoil, code, word):
    spoil(folder.path / "bad.db")
    one_error(folder.run("--store", "bad.db"), code, word, "bad.db")
    one_error(veracord("runs", "list", "--store", "bad.db"), code if spoil is not make_folder else "no_store", word)
    assert not server.connections
    assert not (folder.path / "readings.jsonl").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_store_that_may_not_be_written_is_one_line(folder, server):
    store = folder.path / "locked"
    store.mkdir()
    store.chmod(0o500)
    try:
        one_error(folder.run("--store", "locked/store.db"), "store_unusable", "locked/store.db")
    finally:
        store.chmod(0o700)
    assert not server.connections
