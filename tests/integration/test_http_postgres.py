"""The same over PostgreSQL, with two servers on one store; and texts that it cannot keep harm nothing."""

import pytest

from tests.contract.http_servers import Served, lamp_import, lamp_profile
from tests.contract.postgres_server import running_postgres
from tests.integration.hostile_uploads import all_uploads, as_bytes
from tests.integration.test_http_runs import RUN, ended

ODD = [one for one in all_uploads() if one.method == "GET" or "\x00" in one.name]


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pg")
    profile = lamp_profile(folder)
    with running_postgres() as server:
        url = server.address()
        with Served(url, [profile]) as one, Served(url, [profile]) as two:
            one.add_users()
            yield one, two


def test_two_servers_decide_on_one_store(servers):
    one, two = servers
    key = one.client()
    assert key.post("/v1/records", lamp_import("r1")).status == 201
    rob = one.person("rob")
    there = two.nobody()
    there.cookie, there.csrf = rob.cookie, rob.csrf
    waiting = {row["pointer"]: row["id"] for row in there.get("/v1/suggestions?record=r1").json["suggestions"]}
    seen = there.get(f"/v1/suggestions/{waiting['/finish']}").json["seen"]
    body = {"act": "accept", "suggestion_id": waiting["/finish"], "reason": "so", "seen": seen}
    headers = {"Idempotency-Key": "k"}
    first = rob.post("/v1/decisions", body, headers=headers)
    assert first.status == 200
    # The other server gives the answer that was given.
    assert there.post("/v1/decisions", body, headers=headers).json == first.json
    assert there.post("/v1/decisions", {**body, "seen": "1:x"}).code == "already_decided"
    assert there.get("/v1/audit/verification").json["ok"] is True
    denied = key.post("/v1/decisions", body)
    assert (denied.status, denied.code) == (403, "not_a_person")


def test_a_run(servers):
    one, two = servers
    run_id = one.client().post("/v1/runs", RUN).json["run_id"]
    assert ended(two.client(), run_id)["manifest"]["outcomes"] == {"accepted": 30}


@pytest.mark.parametrize("upload", ODD, ids=[upload.name for upload in ODD])
def test_texts_that_no_database_keeps_harm_nothing(servers, upload):
    one, _ = servers
    client = one.client()
    body = as_bytes(upload.body)
    answer = client.ask(upload.method, upload.path, body, headers=upload.headers, kind=upload.kind)
    assert answer.status in upload.statuses, answer.data[:300]
    assert client.get("/healthz").status == 200


def test_a_nul_in_texts_of_a_record_is_kept(servers):
    one, _ = servers
    client = one.client()
    body = lamp_import("nul", evidence=[{"id": "e\x00", "text": "a\x00b"}])
    body["record"]["note"] = "a\x00b"
    body["record"]["x\x00y"] = 1
    body["suggestions"] = [{"path": "/finish", "value": "a\x00b", "rationale": "r\x00"}]
    answer = client.post("/v1/records", body)
    assert answer.status in (201, 422), answer.data
    if answer.status == 201:
        assert client.get("/v1/records/nul").json["record"]["note"] == "a\x00b"
    assert client.get("/healthz").status == 200
