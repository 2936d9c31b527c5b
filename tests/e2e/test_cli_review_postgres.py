"""The main way of a record under review, on PostgreSQL as on a file: import, decide, export, verify, replay."""

import json

import pytest

from tests.contract.postgres_server import running_postgres
from tests.e2e.conftest import IMPORT


@pytest.fixture(scope="module")
def postgres():
    with running_postgres() as server:
        yield server.address()


@pytest.fixture
def desk(cli, postgres, guesser):  # noqa: ARG001 - the model is asked
    """Run a command on the server, with a key that is named where one signs."""

    def run(*words, code=0, signs=True):
        ended = cli(*words, "--store", postgres, *(["--signing-key", "audit.pem"] if signs else []))
        assert ended.code == code, ended
        assert bool(ended.err) == (code == 2), ended
        return ended

    return run


@pytest.mark.slow  # some twenty commands, one after the other, on one server
def test_from_an_import_to_a_log_that_is_verified_and_replayed(desk, shop):
    row = desk(*IMPORT, "--json").json["records"][0]
    assert (row["fills"], row["suggestions_created"]) == (1, 1)
    (guess,) = desk("review", "list", "--json", signs=False).json["suggestions"]
    shown = desk("review", "show", guess["id"], "--json", signs=False).json
    assert (shown["present"], shown["suggestion"]["value"]) == ("green", "red")
    accepted = desk("review", "accept", guess["id"], "--reason", "I know", "--seen", shown["seen"], "--json").json
    assert "colour" not in desk("export").json
    told = desk("explain", "record", "/colour", "--json", signs=False).json
    assert told["leaves"][0]["event"]["event_id"] == accepted["event_id"]
    desk("review", "undo", accepted["event_id"], "--reason", "a slip")
    (shop / "sheet.txt").write_text("It weighs 2.5 kg.", "utf-8")
    document = ["--document", "sheet.txt", "--page", "1", "--quote", "weighs 2.5 kg"]
    desk("review", "declare", "record", "/mass_kg", "2.50", *document, "--reason", "I hold it")
    (shop / "more.json").write_text('{"id": "W-1", "name": "Widget", "colour": "red"}', "utf-8")
    assert desk("review", "attach", "record", "more.json", "--json").json["fills"] == ["/colour"]
    assert '"mass_kg": 2.50' in desk("export").out
    reference = desk("explain", "record", "/colour", "--json", signs=False).json["leaves"][0]["fill"]["evidence_ref"]
    assert desk("evidence", "show", reference, "--json", signs=False).json["id"] == "more"
    desk("review", "settings", "--reject-reason", "silly")
    assert desk("review", "reject", "--all", "--record", "record", "--code", "silly", "--json").json["rejected"] == 0
    assert "error: no_filter: " in desk("review", "reject", "--all", "--code", "silly", code=2).err
    desk("audit", "rotate", "--new-key", "next.pem")
    assert "error: wrong_key: " in desk("audit", "checkpoint", code=2).err
    assert "error: no_key: " in desk("audit", "rotate", code=2, signs=False).err
    desk("audit", "export", "--out", "log.jsonl", "--signing-key", "next.pem", signs=False)
    report = desk("audit", "verify", "--key", "audit.pem.pub", "--json", signs=False).json
    assert (report["ok"], report["keys_trusted"]) == (True, True)
    assert desk("audit", "replay", "--json", signs=False).json["records"][0]["same"] is True
    events = [json.loads(line) for line in (shop / "log.jsonl").read_text().splitlines()]
    kinds = {one["type"] for one in events}
    assert kinds >= {"suggestion.accepted", "decision.undone", "value.declared", "evidence.attached", "key.rotated"}
