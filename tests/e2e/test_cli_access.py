"""`veracord users` and `veracord keys`: who may sign in, said at the terminal."""

import pytest

PASSWORD = b"correct horse battery\n"


@pytest.fixture
def told(events):
    """What the log tells of users and keys."""
    return lambda: [
        (one["type"], one["data"]) for one in events() if one["type"] in ("user.changed", "api_key.changed")
    ]


def test_a_user_is_added_changed_and_disabled(cli, told):
    added = cli("users", "add", "ann", "--role", "reviewer", "--password", "-", "--json", stdin=PASSWORD)
    assert (added.code, added.err) == (0, "")
    assert (added.json["id"], added.json["role"], added.json["disabled"]) == ("ann", "reviewer", False)
    changed = cli("users", "role", "ann", "maintainer")
    assert (changed.out, changed.err) == ("ann: maintainer\n", "")
    password = cli("users", "password", "ann", "--password", "-", stdin=b"another horse battery\n")
    assert (password.code, password.err) == (0, "")
    disabled = cli("users", "disable", "ann")
    assert disabled.out == "ann: maintainer, disabled\n"
    assert "no maintainer is left" in disabled.err
    assert cli("users", "disable", "ann", "--enable").out == "ann: maintainer\n"
    (row,) = cli("users", "list", "--json").json["users"]
    assert row.keys() == {"id", "role", "created_at", "disabled"}
    assert "ann" in cli("users", "list").out
    assert told() == [
        ("user.changed", {"user_id": "ann", "change": "added", "role": "reviewer"}),
        ("user.changed", {"user_id": "ann", "change": "role", "before": "reviewer", "role": "maintainer"}),
        ("user.changed", {"user_id": "ann", "change": "password"}),
        ("user.changed", {"user_id": "ann", "change": "disabled"}),
        ("user.changed", {"user_id": "ann", "change": "enabled"}),
    ]


def test_a_password_is_never_an_argument_and_never_repeated(cli):
    ended = cli("users", "add", "ann", "--role", "viewer", "--password", "hunter2hunter2")
    assert ended.code == 2
    assert ended.err == "error: usage: a password is never an argument, --password, use --password -\n"
    ended = cli("users", "add", "ann", "--role", "viewer", stdin=PASSWORD)
    assert (ended.code, "use --password -" in ended.err) == (2, True)
    for given in (b"short\n", b"", b"\xff" * 20 + b"\n", b"x" * 2_000 + b"\n"):
        ended = cli("users", "add", "ann", "--role", "viewer", "--password", "-", stdin=given)
        assert (ended.code, ended.err.startswith("error: password: ")) == (2, True)
        assert "short" not in ended.out + ended.err.replace("too short", "")


def test_a_key_is_shown_once(cli, told):
    made = cli("keys", "add", "--scope", "read", "--scope", "export", "--expires", "30", "--json")
    assert (made.code, made.err) == (0, "")
    text, name = made.json["key"], made.json["id"]
    assert made.json["scopes"] == ["read", "export"]
    assert text.startswith(f"{name}_")
    listed = cli("keys", "list", "--json")
    assert [row["id"] for row in listed.json["keys"]] == [name]
    assert listed.json["keys"][0]["last_used_at"] is None
    assert cli("keys", "revoke", name).out.startswith(f"{name}: revoked 20")
    secret = text.removeprefix(f"{name}_")
    seen = [listed.out, cli("keys", "list").out, repr(told())]
    assert not any(secret in one for one in seen)
    assert [(kind, data["change"]) for kind, data in told()] == [
        ("api_key.changed", "added"),
        ("api_key.changed", "revoked"),
    ]
    assert cli("keys", "add", "--scope", "read").out.splitlines()[0].startswith("vrc_")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["users", "role", "nobody", "viewer"], "unknown_user"),
        (["users", "role", "ann", "king"], "role"),
        (["users", "disable", "No One"], "user_id"),
        (["keys", "add", "--scope", "decide"], "scopes"),
        (["keys", "add", "--scope", "read", "--expires", "0"], "expiry"),
        (["keys", "revoke", "vrc_00000000_" + "s" * 43], "unknown_key"),
    ],
)
def test_what_cannot_be_done_is_one_line(cli, arguments, code):
    cli("users", "add", "ann", "--role", "reviewer", "--password", "-", stdin=PASSWORD)
    ended = cli(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"error: {code}: ")
    assert ended.err.count("\n") == 1
    assert "s" * 43 not in ended.err


def test_the_log_with_users_and_keys_is_verified_replayed_and_exported(cli, shop):
    cli("users", "add", "ann", "--role", "reviewer", "--password", "-", stdin=PASSWORD)
    cli("keys", "add", "--scope", "read")
    assert cli("audit", "verify").code == 0
    assert cli("audit", "replay", "--json").json["ok"]
    assert cli("audit", "export", "--out", "log.jsonl").code == 0
    assert cli("audit", "verify", "log.jsonl").code == 0
    lines = (shop / "log.jsonl").read_text().splitlines()
    assert [kind for kind in ("user.changed", "api_key.changed") if f'"type":"{kind}"' not in "".join(lines)] == []
    prov = cli("export", "--format", "prov")
    assert (prov.code, "user.changed" in prov.out, "api_key.changed" in prov.out) == (0, True, True)
    table = cli("export", "--format", "csv")
    # No decision, so no row of the table of decisions.
    assert (table.code, len(table.out.splitlines())) == (0, 1)


def test_looking_makes_no_store(cli, shop):
    for command in ("users", "keys"):
        ended = cli(command, "list")
        assert (ended.code, ended.err.startswith("error: no_store: ")) == (2, True)
    assert not (shop / ".veracord").exists()
