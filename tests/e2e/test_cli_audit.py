"""`veracord audit`: from an import to an export that is verified and replayed without us, and what shows a change."""

import json
import sqlite3
import stat
import subprocess
import sys

import pytest

from tests.e2e.conftest import IMPORT, ROOT

KEY = ".veracord/store.db.audit.pem"


@pytest.fixture
def kept(cli, shop, tmp_path, imported):
    """Another place, with an export of the log, a checkpoint and the public key, and no store."""
    assert cli("review", "accept", imported, "--reason", "as I know it").code == 0
    assert cli("audit", "export", "--out", "log.jsonl").code == 0
    assert cli("audit", "checkpoint", "--out", "checkpoint.json").code == 0
    folder = tmp_path / "kept"
    folder.mkdir()
    for name in ("log.jsonl", "checkpoint.json"):
        (shop / name).rename(folder / name)
    (folder / "key.pub").write_bytes((shop / f"{KEY}.pub").read_bytes())
    return folder


def replay(folder, *arguments):
    command = [sys.executable, ROOT / "tools/replay_log.py", "log.jsonl", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_whole_way_to_an_export_that_is_verified_elsewhere(cli, kept):
    ended = cli("audit", "verify", "log.jsonl", "--checkpoint", "checkpoint.json", "--key", "key.pub", cwd=kept)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("sound: ")
    told = cli(
        "audit", "verify", "log.jsonl", "--checkpoint", "checkpoint.json", "--key", "key.pub", "--json", cwd=kept
    ).json
    assert (told["ok"], told["truncation_excluded"], told["keys_trusted"]) == (True, True, True)
    assert told["vouched_to"] == told["events"]
    assert not (kept / ".veracord").exists()


def test_the_replay_without_us_gives_what_the_store_has(cli, kept):
    done = replay(kept, "--out", "texts")
    assert done.returncode == 0, done.stderr
    (row,) = [json.loads(line) for line in done.stdout.splitlines()]
    report = cli("audit", "replay", "--json")
    assert report.code == 0
    (ours,) = report.json["records"]
    same = {"declarations": {}, "same": True, "differs": []}
    assert ours == {name: row[name] for name in ("record_id", "revision", "digest", "origins")} | same
    assert report.json["suggestions"] == []
    assert cli("audit", "replay", "log.jsonl", "--json", cwd=kept).json["records"][0]["digest"] == row["digest"]
    exported = cli("export", "--include-unverified", "--json").json["records"][0]["record"]
    assert json.loads((kept / "texts/1.json").read_text()) == exported


def test_a_change_is_found_and_placed(cli, kept):
    lines = (kept / "log.jsonl").read_bytes().splitlines(keepends=True)
    (kept / "log.jsonl").write_bytes(b"".join(lines).replace(b"as I know it", b"as I knew it"))
    ended = cli("audit", "verify", "log.jsonl", "--json", cwd=kept)
    assert (ended.code, ended.err) == (1, "")
    place = next(number for number, line in enumerate(lines, 1) if b"as I know it" in line)
    assert (ended.json["ok"], ended.json["first_bad_seq"], ended.json["reason"]) == (False, place, "edited")
    assert f"broken at seq {place}" in cli("audit", "verify", "log.jsonl", cwd=kept).out
    replayed = cli("audit", "replay", "log.jsonl", cwd=kept)
    assert replayed.code == 1
    assert "knew" not in replayed.out
    assert replay(kept).returncode == 1


def test_a_cut_tail_shows_only_beside_a_checkpoint(cli, kept, one_error):
    lines = (kept / "log.jsonl").read_bytes().splitlines(keepends=True)
    (kept / "log.jsonl").write_bytes(b"".join(lines[:-2]))
    alone = cli("audit", "verify", "log.jsonl", cwd=kept)
    assert alone.code == 0
    assert "cannot be excluded" in alone.out
    beside = cli("audit", "verify", "log.jsonl", "--checkpoint", "checkpoint.json", "--json", cwd=kept)
    assert (beside.code, beside.json["reason"]) == (1, "truncated")
    (kept / "log.jsonl").write_bytes(b"".join(lines[:3])[:-40])
    assert "broken at seq 3: " in cli("audit", "replay", "log.jsonl", cwd=kept).out
    (kept / "log.jsonl").write_bytes(b"")
    one_error(cli("audit", "verify", "log.jsonl", cwd=kept), "no_events")
    assert replay(kept).returncode == 2


@pytest.mark.usefixtures("kept")
def test_a_store_that_lost_the_end_of_its_log_shows_it_without_a_checkpoint(cli, shop, one_error):
    connection = sqlite3.connect(shop / ".veracord" / "store.db")
    with connection:
        connection.execute("DELETE FROM audit_events WHERE seq >= 4")
    connection.close()
    ended = cli("audit", "verify", "--json")
    assert (ended.code, ended.json["first_bad_seq"], ended.json["reason"]) == (1, 4, "truncated")
    one_error(cli("export"), "store_damaged", exit_code=4, words=["store.db", "restore a copy"])


@pytest.mark.usefixtures("kept")
def test_a_record_that_was_changed_behind_the_log_is_found(cli, shop):
    connection = sqlite3.connect(shop / ".veracord" / "store.db")
    with connection:
        connection.execute("UPDATE passports SET text = replace(text, 'Widget', 'Gadget')")
    connection.close()
    ended = cli("audit", "replay", "--json")
    assert (ended.code, ended.json["ok"], ended.json["records"][0]["same"]) == (1, False, False)
    assert "another text" in cli("audit", "replay").out
    assert cli("audit", "verify").code == 0


def test_the_key_is_its_owners_and_a_lost_one_is_never_replaced(cli, shop, imported, one_error):
    key = shop / KEY
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert cli("audit", "checkpoint", "--json").json["checkpoint"]["seq"] > 0
    key.rename(shop / "moved.pem")
    one_error(cli("audit", "checkpoint"), "no_key", words=["store.db.audit.pem"])
    ended = cli("review", "reject", imported, "--code", "other")
    assert (ended.code, ended.err.count("\n")) == (0, 1)
    assert ended.err.startswith("warning: the log was signed before")
    assert not key.exists()
    assert cli("audit", "checkpoint", "--signing-key", "moved.pem").code == 0
    ended = cli("audit", "verify", "--json")
    assert (ended.code, ended.json["signed_to"]) == (0, ended.json["events"] - 1)
    (shop / "moved.pem").chmod(0o644)
    one_error(cli("export", "--signing-key", "moved.pem"), "key_file")


@pytest.mark.usefixtures("imported")
def test_each_export_is_in_the_log_and_signed(cli):
    assert cli("export").code == 0
    assert cli("export", "--format", "csv").code == 0
    told = [one for one in cli("audit", "export").lines if one["type"] == "export.made"]
    assert [one["data"]["what"] for one in told] == ["records", "log as csv", "log as jsonl"]
    assert cli("audit", "verify", "--json").json["checkpoints"] >= 3


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["verify", "gone.jsonl"], "unreadable_file"),
        (["verify", "."], "unreadable_file"),
        (["verify", "--checkpoint", "gone.json"], "unreadable_file"),
        (["verify", "--key", "gone.pub"], "unreadable_file"),
        (["verify", "--key", "record.json"], "audit_key"),
        (["verify", "--store", "gone.db"], "no_store"),
        (["replay", "gone.jsonl"], "unreadable_file"),
        (["export", "--out", ".veracord/store.db-wal"], "output_is_input"),
        (["export", "--out", "gone/log.jsonl"], "unwritable_output"),
        (["checkpoint", "--out", KEY], "output_is_input"),
    ],
)
@pytest.mark.usefixtures("imported")
def test_what_cannot_be_checked_is_told(cli, one_error, arguments, code):
    one_error(cli("audit", *arguments), code)


def test_what_is_no_log_is_broken_at_its_first_line(cli, shop):
    for data in (b"\x00\xff\n", b"{}\n", b"\n", b'{"seq": 1}'):
        (shop / "odd.jsonl").write_bytes(data)
        ended = cli("audit", "verify", "odd.jsonl", "--json")
        assert (ended.code, ended.json["first_bad_seq"]) == (1, 1), data
        assert cli("audit", "replay", "odd.jsonl").code == 1, data


@pytest.mark.usefixtures("imported")
def test_an_import_after_an_import_goes_on_with_the_same_log(cli):
    first = cli("audit", "verify", "--json").json
    assert cli(*IMPORT).code == 0
    second = cli("audit", "verify", "--json").json
    assert second["events"] > first["events"]
    assert cli("audit", "replay").code == 0
