"""Decisions over HTTP: people decide, nobody else does, and what they saw must still be there."""

import base64
import threading

import pytest

from tests.contract.http_servers import Client, Served, lamp_import, lamp_profile
from veracord.records.values import digest


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decisions")
    with Served(folder / "s.db", [lamp_profile(folder)]) as server:
        server.add_users()
        yield server


@pytest.fixture(scope="module")
def key(served):
    return served.client()


@pytest.fixture(scope="module")
def rob(served):
    return served.person("rob")


@pytest.fixture
def waiting(key, request):
    """A record with its two suggestions, by pointer."""
    name = f"r {request.node.name}/ä"
    assert key.post("/v1/records", lamp_import(name)).status == 201
    from urllib.parse import quote

    found = key.get(f"/v1/suggestions?record={quote(name)}").json
    assert found["total"] == 2
    return {one["pointer"]: one for one in found["suggestions"]}


def seen(client, suggestion):
    return client.get(f"/v1/suggestions/{suggestion['id']}").json["seen"]


def accept(client, suggestion, reason="it is so", **more):
    body = {"act": "accept", "suggestion_id": suggestion["id"], "reason": reason, "seen": seen(client, suggestion)}
    headers = more.pop("headers", None)
    return client.post("/v1/decisions", {**body, **more}, headers=headers)


def test_a_person_accepts_and_undoes(rob, waiting):
    done = accept(rob, waiting["/finish"])
    assert (done.status, done.json["act"], done.json["revision"]) == (200, "accept", 2)
    name = done.json["record_id"]
    from urllib.parse import quote

    told = rob.get(f"/v1/records/{quote(name, safe='')}/explain?pointer=/finish").json
    assert told["origin"] == "accepted_suggestion"
    undone = rob.post("/v1/decisions", {"act": "undo", "event_id": done.json["event_id"], "reason": "no"})
    assert undone.status == 200
    assert rob.get(f"/v1/suggestions/{waiting['/finish']['id']}").json["suggestion"]["status"] == "open"


def test_without_a_reason_it_is_refused(rob, waiting):
    assert accept(rob, waiting["/finish"], reason="").code == "reason_missing"
    assert accept(rob, waiting["/finish"], reason="").status == 422


def test_every_other_act(rob, key, waiting):
    finish, mass = waiting["/finish"], waiting["/mass_kg"]
    deferred = rob.post("/v1/decisions", {"act": "defer", "suggestion_id": finish["id"], "note": "later"})
    assert deferred.json["act"] == "defer"
    body = {"act": "edit", "suggestion_id": mass["id"], "value": 5.50, "reason": "so", "seen": seen(rob, mass)}
    assert rob.post("/v1/decisions", body).status == 200
    assert rob.post("/v1/decisions", {"act": "reject", "suggestion_id": finish["id"]}).code == "reason_missing"
    rejected = {"act": "reject", "suggestion_id": finish["id"], "code": "wrong_value"}
    assert rob.post("/v1/decisions", rejected).status == 200
    assert rob.post("/v1/decisions", rejected).status == 409
    document = b"The finish is matt."
    place = f"/v1/records/{path_of(finish)}/place?pointer=/finish"
    declare = {
        "act": "declare",
        "record_id": finish["record_id"],
        "pointer": "/finish",
        "value": "matt",
        "document_digest": digest(document),
        "page": "1",
        "quote": "finish is  matt",
        "reason": "the sheet says so",
        "seen": rob.get(place).json["seen"],
        "document_base64": base64.b64encode(document).decode(),
    }
    assert rob.post("/v1/decisions", {**declare, "quote": "gloss"}).code == "quote_not_found"
    assert rob.post("/v1/decisions", {**declare, "document_base64": "*"}).code == "invalid_body"
    assert rob.post("/v1/decisions", declare).status == 200
    product = key.get(f"/v1/records/{path_of(finish)}").json["record"]["id"]
    item = {"id": "maker", "content": {"id": product, "parts": {"head": "h", "foot": "f"}}}
    attached = rob.post(
        "/v1/decisions", {"act": "attach", "record_id": finish["record_id"], "evidence": item, "reason": "came late"}
    )
    assert attached.json["fills"] == ["/parts/foot", "/parts/head"]


def path_of(suggestion):
    from urllib.parse import quote

    return quote(suggestion["record_id"], safe="")


def test_reject_all_needs_a_filter_and_the_number_that_was_seen(rob, waiting):
    body = {"act": "reject_all", "filter": {}, "code": "not_needed"}
    assert rob.post("/v1/decisions", {**body, "expected": 2}).code == "no_filter"
    assert rob.post("/v1/decisions", {**body, "filter": {"model": "m"}}).code == "invalid_body"
    meant = {**body, "filter": {"record_id": waiting["/finish"]["record_id"]}}
    assert rob.post("/v1/decisions", {**meant, "expected": 3}).status == 409
    assert rob.post("/v1/decisions", {**meant, "expected": 2}).json == {"act": "reject_all", "rejected": 2}


def test_a_change_underneath_is_told_with_what_was_and_what_is(rob, served, waiting):
    finish = waiting["/finish"]
    before = seen(rob, finish)
    other = served.person("roy")
    declared = {
        "act": "declare",
        "record_id": finish["record_id"],
        "pointer": "/finish",
        "value": "gloss",
        "document_digest": digest(b"x"),
        "page": "1",
        "quote": "gloss",
        "reason": "so",
        "seen": before,
    }
    # A declaration withdraws what waits there, so the second one is about the place itself.
    assert other.post("/v1/decisions", declared).status == 200
    refused = rob.post("/v1/decisions", {**declared, "value": "matt", "quote": "matt"})
    assert (refused.status, refused.code) == (409, "changed_underneath")
    assert refused.json["change"] == {
        "then": {"stands": False},
        "now": {"stands": True, "value": "gloss"},
        "revision": 2,
    }


def test_a_place_that_was_not_looked_at_is_not_decided(rob, waiting):
    body = {"act": "accept", "suggestion_id": waiting["/finish"]["id"], "reason": "so"}
    assert rob.post("/v1/decisions", body).code == "invalid_body"
    assert rob.post("/v1/decisions", {**body, "seen": "7:sha256:0"}).code == "changed_underneath"


@pytest.mark.parametrize("who", ["viewer", "key"])
def test_a_viewer_and_a_key_that_decide_are_refused_and_logged(served, key, waiting, who):
    client = served.person("vera") if who == "viewer" else key
    refused = accept(client, waiting["/finish"])
    assert (refused.status, refused.code) == (403, "not_allowed" if who == "viewer" else "not_a_person")
    event = served.events("access.denied")[-1]
    assert event.data["action"] == "accept"
    assert event.actor.kind == ("person" if who == "viewer" else "service")
    assert event.request_id == refused.headers["x-request-id"]
    assert served.person("rob").get(f"/v1/suggestions/{waiting['/finish']['id']}").json["suggestion"]["status"] == (
        "open"
    )
    for body in (
        {"act": "reject", "suggestion_id": waiting["/finish"]["id"], "code": "wrong_value"},
        {
            "act": "reject_all",
            "filter": {"record_id": waiting["/finish"]["record_id"]},
            "code": "wrong_value",
            "expected": 2,
        },
        {"act": "undo", "event_id": "0", "reason": "so"},
        {"act": "attach", "record_id": waiting["/finish"]["record_id"], "evidence": {"id": "e", "text": "t"}},
    ):
        assert client.post("/v1/decisions", body).status == 403, body
    assert client.ask("PATCH", "/v1/settings", {"own_proposals": False}).status == 403


def test_nobody_is_told_to_sign_in(served, waiting):
    refused = served.nobody().post(
        "/v1/decisions", {"act": "reject", "suggestion_id": waiting["/finish"]["id"], "code": "other"}
    )
    assert (refused.status, refused.code) == (401, "not_signed_in")
    assert refused.headers["www-authenticate"].startswith("Bearer")


def test_a_maintainer_changes_settings(served):
    mia = served.person("mia")
    changed = mia.ask("PATCH", "/v1/settings", {"reject_reasons": ["wrong_value", "other", "not_needed"]})
    assert changed.json["reject_reasons"] == ["wrong_value", "other", "not_needed"]
    assert changed.json["own_proposals"] is True
    assert served.person("rob").ask("PATCH", "/v1/settings", {"own_proposals": False}).code == "not_allowed"


def test_the_same_request_under_the_same_key_is_done_once(rob, served, waiting):
    headers = {"Idempotency-Key": "k-1"}
    body = {
        "act": "accept",
        "suggestion_id": waiting["/finish"]["id"],
        "reason": "so",
        "seen": seen(rob, waiting["/finish"]),
    }
    first = rob.post("/v1/decisions", body, headers=headers)
    again = rob.post("/v1/decisions", body, headers=headers)
    assert first.status == again.status == 200
    assert first.json == again.json
    other = rob.post("/v1/decisions", {**body, "reason": "another"}, headers=headers)
    assert (other.status, other.code) == (422, "idempotency_key_reused")
    # Another person's key of the same name is another key.
    assert served.person("roy").post("/v1/decisions", body, headers=headers).code == "already_decided"
    assert (
        len([one for one in served.events("suggestion.accepted") if one.data["suggestion_id"] == body["suggestion_id"]])
        == 1
    )
    assert rob.post("/v1/decisions", body, headers={"Idempotency-Key": ""}).code == "idempotency_key"


def test_the_same_request_many_times_at_once_is_done_once(rob, served, waiting):
    body = {"act": "defer", "suggestion_id": waiting["/finish"]["id"], "note": "later"}
    answers = []

    def ask():
        client = Client(served.address)
        client.cookie, client.csrf = rob.cookie, rob.csrf
        answers.append(client.post("/v1/decisions", body, headers={"Idempotency-Key": "at-once"}))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status for answer in answers} == {200}
    assert len({answer.data for answer in answers}) == 1
    deferred = [
        one for one in served.events("suggestion.deferred") if one.data["suggestion_id"] == body["suggestion_id"]
    ]
    assert len(deferred) == 1


def test_an_import_is_done_once(key, served):
    body = lamp_import("once")
    first = key.post("/v1/records", body, headers={"Idempotency-Key": "i-1"})
    again = key.post("/v1/records", body, headers={"Idempotency-Key": "i-1"})
    assert first.status == again.status == 201
    assert first.json == again.json
    assert len(served.events("record.imported")) == len({one.id for one in served.events("record.imported")})
    assert key.get("/v1/records/once").json["revision"] == 1


def test_a_key_takes_nothing_away_that_a_person_decided(rob, key, served):
    name = "kept"
    asked = lamp_import(name)
    assert key.post("/v1/records", asked).status == 201
    one = next(
        one for one in rob.get(f"/v1/suggestions?record={name}").json["suggestions"] if one["pointer"] == "/finish"
    )
    assert accept(rob, one).status == 200
    kept = rob.get(f"/v1/records/{name}").json
    refused = key.post("/v1/records", asked)
    assert (refused.status, refused.code, refused.json["pointers"]) == (409, "drops_decisions", ["/finish"])
    refused = key.post("/v1/records", {**asked, "drop_decisions": True})
    assert (refused.status, refused.code) == (403, "not_a_person")
    assert rob.get(f"/v1/records/{name}").json == kept
    told = served.events("access.denied")[-1]
    assert (told.actor.kind, told.data["action"], told.data["code"]) == ("service", "drop_decisions", "not_a_person")
    allowed = rob.post("/v1/records", {**asked, "drop_decisions": True})
    assert (allowed.status, allowed.json["decisions_dropped"]) == (201, ["/finish"])


def test_a_key_brings_nothing_in_for_evidence_that_a_person_attached(rob, key):
    name = "attached"
    asked = lamp_import(name)
    assert key.post("/v1/records", asked).status == 201
    content = {"id": f"P-{name}", "finish": "gloss"}
    body = {"act": "attach", "record_id": name, "evidence": {"id": "sheet", "content": content}, "reason": "it came"}
    assert rob.post("/v1/decisions", body).status == 200
    other = {**asked, "evidence": [{"id": "sheet", "content": {**content, "finish": "matt"}}]}
    refused = key.post("/v1/records", other)
    assert (refused.status, refused.code) == (403, "not_a_person")
    assert key.post("/v1/records", {**asked, "evidence": [{"id": "sheet", "content": content}]}).status == 201
    (kept,) = rob.get(f"/v1/records/{name}/evidence").json["evidence"]
    assert kept["attached"] is True
    assert rob.post("/v1/records", other).status == 201


def nested(levels):
    """A record of so many levels."""
    value = 1
    for _ in range(levels - 1):
        value = {"a": value}
    return {"id": "P-deep", "x": value}


@pytest.mark.parametrize("levels", [129, 130, 134, 150, 190, 250])
def test_a_record_that_is_too_deep_is_refused_before_anything_is_kept(key, served, levels):
    body = {"record_id": f"deep{levels}", "profile": "lamp", "record": nested(levels), "suggest": False}
    before = len(served.events())
    refused = key.post("/v1/records", body)
    assert (refused.status, refused.code) == (422, "too_deep")
    assert key.get(f"/v1/records/deep{levels}").code == "unknown_record"
    assert key.post("/v1/validate", {"profile": "lamp", "record": nested(levels)}).code == "too_deep"
    assert len(served.events()) == before


def test_a_record_as_deep_as_it_may_be_is_kept_and_read(key):
    body = {"record_id": "deep", "profile": "lamp", "record": nested(128), "suggest": False}
    assert key.post("/v1/records", body).status == 201
    assert key.get("/v1/records/deep").json["record"] == body["record"]


def test_a_pattern_that_tries_too_many_ways_is_told(key):
    schema = {"properties": {"a": {"pattern": "^(a|a)*b\\1?$"}}}
    body = {"record": {"a": "a" * 40 + "!"}, "schemas": [{"name": "s.json", "content": schema}]}
    refused = key.post("/v1/validate", body)
    assert (refused.status, refused.code, refused.json["where"]) == (422, "pattern_undecided", "/a")
    assert "aaaa" not in refused.data.decode()
