"""Lists over HTTP: every item once, page by page, also while others write; filters and facets."""

import pytest

from tests.contract.http_servers import Served, lamp_import, lamp_profile

NUMBER = 25


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lists")
    with Served(folder / "s.db", [lamp_profile(folder)]) as server:
        client = server.client()
        for number in range(NUMBER):
            body = lamp_import(f"r/{number:02} ä", model="one" if number % 2 else "two")
            assert client.post("/v1/records", body).status == 201
        yield client


def pages(client, path, name, limit):
    found, after = [], None
    for _ in range(200):
        mark = "&" if "?" in path else "?"
        page = client.get(f"{path}{mark}limit={limit}" + (f"&after={after}" if after else "")).json
        assert len(page[name]) <= limit
        found += page[name]
        after = page["next"]
        if after is None:
            return found
    message = "the pages do not end"
    raise AssertionError(message)


@pytest.mark.parametrize("limit", [1, 7, 1000])
@pytest.mark.parametrize(
    ("path", "name", "key"),
    [
        ("/v1/suggestions", "suggestions", "id"),
        ("/v1/records", "records", "record_id"),
        ("/v1/audit", "events", "id"),
    ],
)
def test_every_item_comes_once(client, path, name, key, limit):
    if path == "/v1/audit" and limit == 1:
        limit = 3
    found = [item[key] for item in pages(client, path, name, limit)]
    assert len(set(found)) == len(found)
    whole = client.get(f"{path}?limit=1000").json
    assert found == [item[key] for item in whole[name]]
    assert whole["next"] is None
    assert len(found) >= NUMBER


def test_filters_and_facets_agree(client):
    facets = client.get("/v1/suggestions/facets").json
    assert {one["value"]: one["count"] for one in facets["model"]} == {"one": 24, "two": 26}
    for one in facets["pointer"]:
        listed = client.get(f"/v1/suggestions?pointer={one['value']}").json
        assert listed["total"] == one["count"] == NUMBER
    assert client.get("/v1/suggestions?model=one&status=all").json["total"] == 24
    assert client.get("/v1/suggestions?status=accepted").json["total"] == 0
    assert client.get("/v1/suggestions?newer=2100-01-01").json["total"] == 0
    assert client.get("/v1/suggestions?older=2100-01-01T00:00:00Z").json["total"] == 2 * NUMBER


def test_a_record_whose_id_holds_a_slash(client):
    assert client.get("/v1/records/r%2F03%20%C3%A4").json["record_id"] == "r/03 ä"
    assert client.get("/v1/records/r%2F03%20%C3%A4/place?pointer=/finish").json["stands"] is False
    assert client.get("/v1/records/r/03%20%C3%A4").status == 404
    assert len(client.get("/v1/audit?record=r%2F03%20%C3%A4").json["events"]) >= 3


def test_records_are_found_by_a_part_of_their_id(client):
    found = client.get("/v1/records?contains=R%2F0").json["records"]
    assert [one["record_id"] for one in found] == [f"r/0{number} ä" for number in range(10)]
    first = client.get("/v1/records?contains=ä&limit=3".replace("ä", "%C3%A4")).json
    rest = client.get(f"/v1/records?contains=%C3%A4&limit=1000&after={first['next']}").json
    assert len(first["records"]) == 3
    assert len(rest["records"]) == NUMBER - 3
    assert client.get("/v1/records?contains=none").json == {"records": [], "next": None}


def test_a_record_that_was_brought_in_says_where_it_is(client):
    answer = client.post("/v1/records", lamp_import("r/03 ä", product="P-r/03 ä"))
    assert answer.headers["location"] == "/v1/records/r%2F03%20%C3%A4"
    assert client.get(answer.headers["location"]).json["record_id"] == "r/03 ä"


def test_the_log_is_handed_out_as_lines_that_verify(client):
    from veracord.audit.verification import verify

    answer = client.post("/v1/audit/export", None)
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert verify(answer.data.splitlines()).ok
    assert client.get("/v1/audit/verification").json["ok"] is True


def test_records_are_handed_out_without_guesses(client):
    answer = client.post("/v1/exports", {"record_ids": ["r/03 ä"]}).json["records"]
    assert answer[0]["record"] == {"id": "P-r/03 ä", "note": "typed", "mass_kg": -1}
    assert client.post("/v1/exports", {"record_ids": ["none"]}).code == "unknown_record"
    assert len(client.post("/v1/exports", {}).json["records"]) == NUMBER


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/suggestions?record_id=r1", "unknown_parameter"),
        ("/v1/suggestions?nope", "unknown_parameter"),
        ("/v1/suggestions/facets?older_than=2026-01-01", "unknown_parameter"),
        ("/v1/profiles?limit=1", "unknown_parameter"),
        ("/v1/suggestions?record=a&record=b", "repeated_parameter"),
        ("/v1/records?limit=1&limit=2", "repeated_parameter"),
        ("/v1/records?limit=1_0", "invalid_parameter"),
        ("/v1/records?limit=%2B1", "invalid_parameter"),
        ("/v1/records?limit=", "invalid_parameter"),
    ],
)
def test_what_would_be_passed_over_is_refused(client, path, code):
    refused = client.get(path)
    assert (refused.status, refused.code) == (422, code)
    assert "older_than" not in refused.data.decode()


def test_a_filter_that_may_be_given_more_than_once(client):
    assert client.get("/v1/suggestions?status=open&status=rejected&limit=1").status == 200


def test_a_head_is_answered_as_a_get_without_its_body(client):
    for path in ("/healthz", "/v1/records?limit=1", "/v1/records/none", "/login"):
        got, head = client.get(path), client.ask("HEAD", path)
        assert (head.status, head.data) == (got.status, b""), path
        assert head.headers.get("content-type") == got.headers.get("content-type")


@pytest.mark.parametrize(
    ("kind", "headers"),
    [
        ("application/json", {"Content-Encoding": "gzip"}),
        ("application/json", {"Content-Encoding": "br"}),
        ("application/ld+json", {}),
        ("text/plain", {}),
    ],
)
def test_a_body_of_another_kind_is_refused(client, kind, headers):
    refused = client.post("/v1/validate", {"profile": "lamp", "record": {}}, kind=kind, headers=headers)
    assert (refused.status, refused.code) == (415, "unsupported_media_type")
