"""`veracord audit rotate`: another key signs, none is lost, and whoever verifies can follow."""

import json
import stat

import pytest

from veracord.audit.key_files import load_key, load_public_key

KEY = ".veracord/store.db.audit.pem"


def verified(cli, log, *keys):
    ended = cli("audit", "verify", log, *(word for key in keys for word in ("--key", key)), "--json")
    return ended.code, ended.json["reason"], ended.json["first_bad_seq"]


@pytest.mark.usefixtures("imported")
def test_the_old_key_is_kept_and_the_new_one_signs(cli, shop):
    key = shop / KEY
    assert cli("audit", "checkpoint", "--out", "before.json").code == 0
    first = load_key(key).public
    (shop / "first.pub").write_bytes((shop / f"{KEY}.pub").read_bytes())
    ended = cli("audit", "rotate", "--json")
    assert (ended.code, ended.err) == (0, "")
    told = ended.json
    assert (told["rotation"]["key_id"], told["key_file"]) == (first.id, KEY)
    new = load_key(key).public
    assert told["rotation"]["new_key_id"] == new.id != first.id
    assert load_key(shop / told["old_key_file"]).public == first
    assert load_public_key(shop / told["public_key_file"]) == new
    for path in (key, shop / told["old_key_file"]):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert cli("audit", "export", "--out", "log.jsonl").code == 0
    told = map(json.loads, (shop / "log.jsonl").read_text().splitlines())
    (rotated,) = [one for one in told if one["type"] == "key.rotated"]
    assert rotated["actor"]["how"] == "terminal"
    assert b"PRIVATE" not in (shop / "log.jsonl").read_bytes()
    # Who trusts the old key follows; who has the new one alone is told where what it says nothing of begins.
    new_key = f"{KEY}.pub"
    assert verified(cli, "log.jsonl", "first.pub") == (0, None, None)
    assert verified(cli, "log.jsonl", "first.pub", new_key) == (0, None, None)
    code, reason, place = verified(cli, "log.jsonl", new_key)
    assert (code, reason) == (1, "wrong_key")
    assert place < rotated["seq"]
    before = cli("audit", "verify", "log.jsonl", "--checkpoint", "before.json", "--key", "first.pub", "--json")
    assert (before.code, before.json["truncation_excluded"]) == (0, True)


def test_what_was_rotated_away_signs_nothing_more(cli, shop, imported, one_error):
    old = cli("audit", "rotate", "--json").json["old_key_file"]
    events = cli("audit", "verify", "--json").json["events"]
    named = ["--signing-key", old]
    one_error(cli("audit", "checkpoint", *named), "wrong_key", words=["--signing-key"])
    one_error(cli("export", *named), "wrong_key")
    one_error(cli("review", "reject", imported, "--code", "other", *named), "wrong_key")
    one_error(cli("audit", "rotate", *named), "wrong_key")
    one_error(cli("export", "--out", old), "output_is_input")
    assert cli("audit", "verify", "--json").json["events"] == events
    (shop / "stranger.pem").write_bytes(load_key(shop / KEY).make().to_pem())
    (shop / "stranger.pem").chmod(0o600)
    one_error(cli("export", "--signing-key", "stranger.pem"), "wrong_key")


@pytest.mark.usefixtures("imported")
def test_a_new_key_in_a_file_of_its_own(cli, shop, one_error):
    before = (shop / KEY).read_bytes()
    ended = cli("audit", "rotate", "--new-key", "next.pem")
    assert (ended.code, ended.err) == (0, "")
    assert "next.pem.pub" in ended.out
    assert (shop / KEY).read_bytes() == before
    assert stat.S_IMODE((shop / "next.pem").stat().st_mode) == 0o600
    one_error(cli("audit", "checkpoint"), "wrong_key")
    assert cli("audit", "checkpoint", "--signing-key", "next.pem").code == 0
    assert cli("audit", "verify", "--key", f"{KEY}.pub").code == 0


@pytest.mark.usefixtures("imported")
def test_a_kill_between_the_log_and_the_files_loses_nothing(cli, shop, tmp_path):
    fault = tmp_path / "fault"
    fault.mkdir()
    (fault / "sitecustomize.py").write_text(
        "import os, veracord.bootstrap.signing as module\nmodule.KeyChange.finish = lambda self: os._exit(9)\n", "utf-8"
    )
    from tests.e2e.conftest import environment

    path = f"{fault}:{environment()['PYTHONPATH']}"
    old = load_key(shop / KEY).public
    assert cli("audit", "rotate", PYTHONPATH=path).code == 9
    assert load_key(shop / KEY).public == old
    assert cli("export").code == 0
    assert load_key(shop / KEY).public != old
    report = cli("audit", "verify", "--key", f"{KEY}.pub", "--json").json
    assert report["reason"] == "wrong_key"
    (kept,) = (one for one in (shop / ".veracord").glob("*.pem.*.pub") if load_public_key(one) == old)
    assert cli("audit", "verify", "--key", kept).code == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--new-key", "record.json"], "key_file"),
        (["--new-key", KEY], "output_is_input"),
        (["--new-key", ".veracord/store.db-wal"], "output_is_input"),
        (["--new-key", "gone/next.pem"], "key_file"),
        (["--signing-key", "gone.pem"], "no_key"),
        (["--signing-key", "record.json"], "key_file"),
        (["--store", "gone.db"], "no_store"),
    ],
)
@pytest.mark.usefixtures("imported")
def test_a_mistake_is_one_line_and_changes_nothing(cli, shop, one_error, arguments, code):
    before = {path: path.read_bytes() for path in shop.rglob("*.pem*")}
    one_error(cli("audit", "rotate", *arguments), code)
    assert {path: path.read_bytes() for path in shop.rglob("*.pem*")} == before
    assert json.loads((shop / "record.json").read_text())["id"] == "W-1"
