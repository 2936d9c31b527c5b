"""Runs that are asked for over HTTP: progress, results, cancelling, the same request twice."""

import time

import pytest

from tests.contract.http_servers import HOST, Client, Served, ServeProcess, lamp_profile
from tests.contract.model_server import Hang, ModelServer
from veracord.bootstrap.choices import Choices
from veracord.config import Settings

RECORDS = [{"id": f"L-{number}", "mass_kg": -1, "note": "x"} for number in range(30)]
EVIDENCE = [
    {"id": f"e{number}", "content": {"id": f"L-{number}", "mass_kg": number + 1, "finish": "matt"}}
    for number in range(30)
]
RUN = {"kind": "repair", "profile": "lamp", "records": RECORDS, "evidence": EVIDENCE, "key": "/id"}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    with Served(folder / "s.db", [lamp_profile(folder)]) as server:
        yield server


@pytest.fixture(scope="module")
def client(served):
    return served.client("read", "propose")


def ended(client, run_id, *, within_s=60):
    until = time.monotonic() + within_s
    while True:
        state = client.get(f"/v1/runs/{run_id}").json
        if state["job"]["state"] not in ("waiting", "running"):
            return state
        assert time.monotonic() < until, state
        time.sleep(0.02)


def test_a_run_is_asked_for_and_looked_at(client):
    asked = client.post("/v1/runs", RUN)
    assert asked.status == 202
    run_id = asked.json["run_id"]
    assert asked.headers["location"] == f"/v1/runs/{run_id}"
    state = ended(client, run_id)
    assert state["job"]["state"] == "ended"
    assert state["manifest"]["outcomes"] == {"accepted": 30}
    assert state["manifest"]["complete"] is True
    lines = client.get(f"/v1/runs/{run_id}/results").lines
    assert [line["key"] for line in lines] == [record["id"] for record in RECORDS]
    assert lines[4]["value"]["record"]["mass_kg"] == 5
    single = client.post("/v1/repair", {"record": RECORDS[4], "profile": "lamp", "evidence": EVIDENCE}).json
    assert lines[4]["value"]["fills"] == single["fills"]
    assert client.get(f"/v1/runs/{run_id}/units/L-4").json["outcome"] == "accepted"
    assert client.get(f"/v1/runs/{run_id}/units/L-x").code == "unknown_unit"
    listed = client.get("/v1/runs").json["runs"]
    assert run_id in [row["run_id"] for row in listed]


def test_the_same_request_is_one_run(client):
    headers = {"Idempotency-Key": "run-1"}
    first = client.post("/v1/runs", RUN, headers=headers).json["run_id"]
    assert client.post("/v1/runs", RUN, headers=headers).json["run_id"] == first
    assert client.post("/v1/runs", RUN).json["run_id"] != first
    other = client.post("/v1/runs", {**RUN, "name": "another"}, headers=headers)
    assert (other.status, other.code) == (422, "idempotency_key_reused")
    ended(client, first)


def test_a_key_that_proposes_sees_its_own_run_and_no_other(served, client):
    proposing, stranger = served.client("propose"), served.client("propose")
    run_id = proposing.post("/v1/runs", RUN).json["run_id"]
    ended(proposing, run_id)
    assert len(proposing.get(f"/v1/runs/{run_id}/results").lines) == len(RECORDS)
    for path in (f"/v1/runs/{run_id}", f"/v1/runs/{run_id}/results", f"/v1/runs/{run_id}/units/L-1", "/v1/runs/none"):
        assert stranger.get(path).code == "scope_missing"
        assert served.client("export").get(path).code == "scope_missing"
    assert client.get(f"/v1/runs/{run_id}").status == 200
    assert proposing.get("/v1/runs").code == "scope_missing"
    # What it is told to look at where a profile is none.
    assert "lamp" in [one["name"] for one in proposing.get("/v1/profiles").json["profiles"]]


def test_a_body_of_lines(client):
    from veracord.records.writing import write_json

    settings = {name: RUN[name] for name in ("kind", "profile", "evidence", "key")}
    lines = b"\n".join(map(write_json, [settings, *RECORDS])) + b"\n"
    asked = client.post("/v1/runs", lines, kind="application/x-ndjson")
    assert asked.status == 202, asked.data
    assert ended(client, asked.json["run_id"])["manifest"]["outcomes"] == {"accepted": 30}
    for bad in (b"", b"{}\n", write_json(settings) + b"\n[]\n", write_json(settings) + b'\n{"a":1,"a":2}\n'):
        assert client.post("/v1/runs", bad, kind="application/x-ndjson").status == 422


@pytest.mark.parametrize("kind", ["synthesis", "answer"])
def test_the_other_kinds(client, kind):
    records = [{"id": "L-3"}] if kind == "synthesis" else [{"question": "What is the mass of L-3?"}]
    body = {"kind": kind, "profile": "lamp", "records": records, "evidence": EVIDENCE}
    state = ended(client, client.post("/v1/runs", body).json["run_id"])
    assert state["job"]["state"] == "ended"
    assert sum(state["manifest"]["outcomes"].values()) == 1


def test_what_cannot_be_run_is_told_at_once(client):
    assert client.post("/v1/runs", {**RUN, "profile": "none"}).code == "unknown_profile"
    assert client.post("/v1/runs", {**RUN, "profile": "../lamp.toml"}).code == "unknown_profile"
    assert client.post("/v1/runs", {**RUN, "key": "/none"}).code == "no_key"
    assert client.post("/v1/runs", {**RUN, "records": [RECORDS[0], RECORDS[0]]}).code == "duplicate_key"
    assert client.post("/v1/runs", {"kind": "repair", "records": []}).code == "usage"
    assert client.get("/v1/runs/none").code == "unknown_run"
    assert client.post("/v1/runs/none/cancel", {}).code == "unknown_run"


def test_a_run_is_cancelled_and_what_it_settled_is_kept(tmp_path):
    with ModelServer(default=Hang()) as models:
        choices = Choices(store=str(tmp_path / "s.db"), settings=Settings(), model="m", base_url=models.chat_url)
        with Served(tmp_path / "s.db", [lamp_profile(tmp_path)], choices=choices) as server:
            client = server.client("read", "propose")
            # What the evidence fills in whole asks no model.
            whole = {"id": "L-0", "mass_kg": 1, "finish": "f", "tags": ["a", "b"], "parts": {"head": "h", "foot": "f"}}
            asked = client.post("/v1/runs", {**RUN, "evidence": [], "records": [whole, *RECORDS[1:]]})
            run_id = asked.json["run_id"]
            models.wait_for_requests(4, 30)
            assert client.get(f"/v1/runs/{run_id}").json["job"]["state"] == "running"
            cancelled = client.post(f"/v1/runs/{run_id}/cancel", {})
            assert (cancelled.status, cancelled.json["job"]["state"]) == (200, "cancelled")
            again = client.post(f"/v1/runs/{run_id}/cancel", {})
            assert (again.status, again.code) == (409, "run_ended")
            until = time.monotonic() + 30
            while (manifest := client.get(f"/v1/runs/{run_id}").json["manifest"])["running"]:
                assert time.monotonic() < until
                time.sleep(0.02)
            assert manifest["outcomes"]["accepted"] == 1
            assert manifest["complete"] is False
    with Served(tmp_path / "s.db", [lamp_profile(tmp_path)]) as server:
        assert server.client("read").get(f"/v1/runs/{run_id}").json["job"]["state"] == "cancelled"


@pytest.mark.parametrize("ending", ["killed", "stopped"])
def test_a_run_goes_on_after_the_server_was_killed_or_stopped(tmp_path, ending):
    profile = lamp_profile(tmp_path)
    key = made_key(tmp_path / "s.db")
    serve = ("--store", tmp_path / "s.db", "--profile", profile)
    with (
        ModelServer(default=Hang()) as models,
        ServeProcess(*serve, "--model", "m", "--base-url", models.chat_url, cwd=tmp_path) as server,
    ):
        client = Client(server.address, key=key)
        run_id = client.post("/v1/runs", {**RUN, "evidence": []}).json["run_id"]
        models.wait_for_requests(4, 30)
        assert server.kill() != 0 if ending == "killed" else server.stop() == 0
    with ServeProcess(*serve, cwd=tmp_path) as server:
        client = Client(server.address, key=key)
        state = ended(client, run_id, within_s=90)
        assert state["job"]["state"] == "ended"
        assert state["manifest"]["complete"] is True
        assert sum(state["manifest"]["outcomes"].values()) == 30
        assert server.stop() == 0


def test_a_run_whose_profile_was_changed_does_not_go_on(tmp_path):
    profile = lamp_profile(tmp_path)
    with ModelServer(default=Hang()) as models:
        choices = Choices(store=str(tmp_path / "s.db"), settings=Settings(), model="m", base_url=models.chat_url)
        with Served(tmp_path / "s.db", [profile], choices=choices) as server:
            run_id = server.client().post("/v1/runs", {**RUN, "evidence": []}).json["run_id"]
            models.wait_for_requests(1, 30)
    profile.write_text(profile.read_text("utf-8").replace('version = "1"', 'version = "2"'), "utf-8")
    with Served(tmp_path / "s.db", [profile]) as server:
        job = ended(server.client(), run_id)["job"]
        assert (job["state"], job["code"]) == ("failed", "profile_changed")


def made_key(store):
    """A key of a store, made as the command line makes it."""
    import asyncio

    from veracord.access.service import AccessService
    from veracord.bootstrap.stores import open_store
    from veracord.ports import SystemClock

    opened = open_store(str(store))
    try:
        scopes = ("read", "propose", "export")
        return asyncio.run(AccessService(opened.access, SystemClock()).add_key(HOST, scopes, 30)).text
    finally:
        opened.close()
