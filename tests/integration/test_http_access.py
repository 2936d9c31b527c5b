"""Who gets in over HTTP, and by which ways nobody does."""

import asyncio
import http.client
from datetime import UTC, datetime

import pytest

from tests.contract.http_servers import HOST, PASSWORD, Served, lamp_import, lamp_profile
from veracord.access.service import AccessService
from veracord.ports import SystemClock
from veracord.web.redirects import local_path


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("access")
    with Served(folder / "s.db", [lamp_profile(folder)]) as server:
        server.add_users()
        assert server.client().post("/v1/records", lamp_import("r1")).status == 201
        yield server


@pytest.fixture(scope="module")
def rob(served):
    return served.person("rob")


def waiting(client):
    return client.get("/v1/suggestions").json["suggestions"][0]["id"]


def defer(client, **headers):
    return client.post("/v1/decisions", {"act": "defer", "suggestion_id": waiting(client)}, headers=headers)


def test_every_answer_has_the_headers_that_protect(served):
    for path in ("/healthz", "/v1/records", "/openapi.json", "/login", "/none", "/v1/none"):
        headers = served.nobody().get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';"), path
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] in ("no-referrer", "same-origin")
        assert headers["cache-control"] == "no-store"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "server" not in headers
        assert len(headers["x-request-id"]) == 32


def test_the_cookie_is_for_this_site_alone(served):
    client = served.nobody()
    answer = client.sign_in("rob")
    told = answer.headers["set-cookie"].lower()
    assert all(word in told for word in ("httponly", "samesite=strict", "path=/", "max-age="))
    assert "domain" not in told
    assert answer.json == {"user": "rob", "role": "reviewer", "how": "password", "csrf_token": client.csrf}
    assert client.get("/v1/session").json == answer.json
    assert client.csrf not in client.cookie


def test_behind_tls_the_cookie_is_secure_and_cannot_be_set_by_another_host(tmp_path):
    with Served(tmp_path / "s.db", is_secure=True) as server:
        server.add_users()
        told = server.nobody().sign_in("rob").headers
        assert told["set-cookie"].startswith("__Host-veracord=")
        assert "secure" in told["set-cookie"].lower()
        assert "strict-transport-security" in told


@pytest.mark.parametrize(
    "headers",
    [{"X-CSRF-Token": None}, {"X-CSRF-Token": ""}, {"X-CSRF-Token": "0" * 43}, {"X-CSRF-Token": "\xff"}],
    ids=["none", "empty", "another", "odd"],
)
def test_what_changes_something_by_a_cookie_needs_the_token_of_its_session(served, rob, headers):
    before = len(served.events("suggestion.deferred"))
    refused = defer(rob, **headers)
    assert (refused.status, refused.code) == (403, "csrf")
    assert len(served.events("suggestion.deferred")) == before


def test_the_token_of_another_session_does_not_fit(served, rob):
    other = served.person("roy")
    assert defer(rob, **{"X-CSRF-Token": other.csrf}).code == "csrf"


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://[broken"},
    ],
)
def test_another_site_changes_nothing(rob, headers):
    refused = defer(rob, **headers)
    assert (refused.status, refused.code) == (403, "other_site")


def test_our_own_origin_does(served, rob):
    assert defer(rob, Origin=served.address).status == 200
    # It is deferred already: the request came as far as the decision.
    assert defer(rob, **{"Sec-Fetch-Site": "same-origin"}).code == "already_decided"


def test_a_key_needs_no_token_and_does_not_lend_itself_to_a_cookie(served, rob):
    key = served.key("read")
    # The key counts, and not the cookie beside it.
    refused = defer(rob, Authorization=f"Bearer {key}")
    assert refused.code == "not_a_person"


def test_a_session_that_somebody_planted_is_not_taken_over(served):
    client = served.nobody()
    client.cookie = "veracord=planted-by-somebody-else-1234567890123456"
    answer = client.sign_in("rob")
    assert answer.status == 200
    assert client.cookie != "veracord=planted-by-somebody-else-1234567890123456"
    planted = served.nobody()
    planted.cookie = "veracord=planted-by-somebody-else-1234567890123456"
    assert planted.get("/v1/records").code == "not_signed_in"


def test_signing_in_again_ends_the_session_before(served):
    client = served.person("rob")
    before = client.cookie
    client.sign_in("rob")
    old = served.nobody()
    old.cookie = before
    assert old.get("/v1/records").code == "not_signed_in"
    assert client.get("/v1/records").status == 200


def test_after_signing_out_the_session_is_over(served):
    client = served.person("rob")
    assert client.ask("DELETE", "/v1/session").status == 204
    assert client.get("/v1/records").code == "not_signed_in"


def test_a_key_in_the_address_is_refused(served):
    key = served.key("read")
    for path in (
        f"/v1/records?key={key}",
        f"/v1/{key}",
        f"/queue?token={key.replace('_', '%5F')}",
        f"/login?next={key}",
        f"/v1/records?key={''.join(f'%{ord(letter):02x}' for letter in key)}",
    ):
        refused = served.nobody().get(path)
        assert refused.status == 400, path
        assert key.rpartition("_")[2].encode() not in refused.data
    assert served.nobody().get(f"/v1/records?key={key}").code == "key_in_url"
    # It is in the log, once a minute, with the part of the key that may be shown: that one is to be revoked.
    told = [event for event in served.events("access.denied") if event.data["code"] == "key_in_url"]
    assert [one.data for one in told] == [{"action": "request", "code": "key_in_url", "key_id": key[:12]}]
    assert key[13:] not in str(told[0].content())
    # What nobody has is told without a name, and hides no other.
    others = [f"vrc_{number:08x}_{'a' * 43}" for number in range(5)] + [served.key("read")]
    for other in others:
        assert served.nobody().get(f"/v1/records?key={other}").code == "key_in_url"
    told = [event.data for event in served.events("access.denied") if event.data["code"] == "key_in_url"]
    assert [one.get("key_id") for one in told[1:]] == [None, others[-1][:12]]


def test_a_person_changes_their_own_password(served):
    served.do(served.parts.access.add_user(HOST, "pat", "viewer", PASSWORD))
    pat, other, new = served.person("pat"), served.person("pat"), "a password of my own"
    path = "/v1/session/password"
    assert pat.post(path, {"old": "wrong horse battery", "new": new}).code == "password_refused"
    assert pat.post(path, {"old": PASSWORD, "new": "short"}).code == "password"
    assert pat.post(path, {"old": PASSWORD, "new": new}, headers={"X-CSRF-Token": ""}).code == "csrf"
    done = pat.post(path, {"old": PASSWORD, "new": new})
    assert (done.status, done.json["user"]) == (200, "pat")
    assert PASSWORD.encode() not in done.data
    assert other.get("/v1/session").code == "not_signed_in"
    assert pat.get("/v1/session").code == "not_signed_in"
    pat.cookie, pat.csrf = done.headers["set-cookie"].partition(";")[0], done.json["csrf_token"]
    assert pat.get("/v1/session").json["csrf_token"] == pat.csrf
    assert served.nobody().sign_in("pat", new).status == 200
    assert served.client().post(path, {"old": PASSWORD, "new": new}).code == "not_a_person"
    assert served.nobody().post(path, {"old": PASSWORD, "new": new}).code == "not_signed_in"


def test_a_key_that_sends_a_form_is_refused_and_told_in_the_log(served):
    client = served.client("read", "propose", "export")
    for act in ("accept", "reject", "undo", "attach", "bulk-reject"):
        refused = client.post(f"/decide/{act}", b"reason=x", kind="application/x-www-form-urlencoded")
        assert refused.status == 403
    told = [one for one in served.events("access.denied") if one.actor.id == client.key[:12]]
    assert [(one.data["action"], one.data["code"]) for one in told] == [("request", "not_a_person")]


def test_a_revoked_key_is_refused_at_once(served):
    client = served.client("read")
    assert client.get("/v1/records").status == 200
    key_id = "_".join(client.key.split("_")[:2])
    served.do(served.parts.access.revoke_key(HOST, key_id))
    refused = client.get("/v1/records")
    assert (refused.status, refused.code) == (401, "key_refused")


@pytest.mark.parametrize("told", ["Bearer vrc_00000000_x", "Basic cm9iOng=", "Bearer", "", "bearer  ", "vrc_"])
def test_what_is_no_key_is_refused(served, told):
    assert served.nobody().get("/v1/records", headers={"Authorization": told}).code == "key_refused"


def test_a_key_is_good_for_its_scopes_alone(served):
    reads, proposes, exports = served.client("read"), served.client("propose"), served.client("export")
    body = lamp_import("scoped")
    assert reads.post("/v1/records", body).code == "scope_missing"
    assert proposes.get("/v1/records").code == "scope_missing"
    assert reads.post("/v1/exports", {}).code == "scope_missing"
    assert proposes.post("/v1/records", body).status == 201
    assert exports.post("/v1/exports", {"record_ids": ["scoped"]}).status == 200
    assert reads.post("/v1/audit/export", None).code == "scope_missing"


def test_a_viewer_reads_and_brings_nothing_in(served):
    vera = served.person("vera")
    assert vera.get("/v1/suggestions").status == 200
    assert vera.post("/v1/records", lamp_import("by-vera")).code == "not_allowed"
    assert vera.post("/v1/repair", {"record": {}, "profile": "lamp"}).code == "not_allowed"


def test_taking_everything_out_is_more_than_looking(served):
    """A viewer, as a key without the scope, takes out neither records nor the log; the log tells that they tried."""
    vera, before = served.person("vera"), len(served.events())
    for path, body in (("/v1/exports", {}), ("/v1/audit/export", None)):
        refused = vera.post(path, body)
        assert (refused.status, refused.code) == (403, "not_allowed")
    told = served.events()[before:]
    assert [(one.type, one.data["action"], one.data["code"]) for one in told] == [
        ("access.denied", "export", "not_allowed")
    ] * 2
    assert served.person("rob").post("/v1/exports", {"record_ids": []}).status == 200


def test_looking_writes_nothing_into_the_log(served):
    client, before = served.client("read", "export"), len(served.events())
    for path in ("/v1/records", "/v1/audit", "/v1/audit/verification", "/v1/suggestions", "/v1/settings", "/v1/runs"):
        assert client.get(path).status == 200
    assert client.get("/v1/audit/export").status == 405
    assert [one.type for one in served.events()[before:]] == []


def test_a_page_is_not_for_keys(served):
    assert served.client("read").get("/v1/session").code == "not_a_person"


def test_a_wrong_name_is_told_as_a_wrong_password_is_and_costs_the_same(served, monkeypatch):
    from veracord.access import passwords

    work = []
    hasher = passwords.Hashing
    for name in ("fits", "make"):
        if hasattr(hasher, name):
            before = getattr(hasher, name)

            def counted(self, *more, _before=before, _name=name):
                work.append(_name)
                return _before(self, *more)

            monkeypatch.setattr(hasher, name, counted)
    answers, costs = [], []
    for user, password in (("roy", "wrong password here"), ("nobody-has-it", "wrong password here")):
        work.clear()
        answers.append(served.nobody().sign_in(user, password))
        costs.append(list(work))
    assert {answer.status for answer in answers} == {401}
    assert len({answer.json["detail"] for answer in answers}) == 1
    assert {answer.code for answer in answers} == {"sign_in_refused"}
    assert costs[0] == costs[1]
    assert costs[0]


def test_failed_sign_ins_slow_down(tmp_path):
    with Served(tmp_path / "s.db") as server:
        server.add_users()
        answers = [server.nobody().sign_in("rob", "wrong password here") for _ in range(5)]
        assert answers[0].code == "sign_in_refused"
        slowed = answers[-1]
        assert (slowed.status, slowed.code) == (429, "slowed_down")
        assert int(slowed.headers["retry-after"]) >= 1
        assert slowed.json["retry_after_s"] == int(slowed.headers["retry-after"])
        # The right password has to wait, too.
        assert server.nobody().sign_in("rob", PASSWORD).status == 429


def test_a_link_works_once_and_its_second_use_is_logged(tmp_path):
    with Served(tmp_path / "s.db", mode="local") as server:
        token = server.do(server.parts.access.new_link("ann"))
        thief, owner = server.nobody(), server.nobody()
        first = thief.post(f"/login/{token}", b"", kind="application/x-www-form-urlencoded")
        assert first.status == 303
        second = owner.post(f"/login/{token}", b"", kind="application/x-www-form-urlencoded")
        assert second.status == 401
        assert "set-cookie" not in second.headers
        assert [event.data["code"] for event in server.events("access.denied")] == ["link_refused"]
        # Looking at it, as a preview of a message does, uses nothing up.
        other = server.do(server.parts.access.new_link("ann"))
        assert server.nobody().get(f"/login/{other}").status == 200
        assert server.nobody().post(f"/login/{other}", b"", kind="application/x-www-form-urlencoded").status == 303


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/queue?a=b", "/queue?a=b"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/%09/evil.example", "/%09/evil.example"),
        ("/\t/evil.example", "/"),
        ("https://evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
        ("queue", "/"),
        ("/a\r\nSet-Cookie: x=y", "/"),
        ("/ä", "/"),
    ],
)
def test_a_browser_is_sent_to_paths_of_this_server_alone(text, path):
    assert local_path(text) == path


@pytest.mark.parametrize("target", ["//evil.example/x", "https://evil.example", "/\\evil.example"])
def test_signing_in_leads_to_no_other_host(served, target):
    from urllib.parse import quote, urlencode

    form = urlencode({"user": "rob", "password": PASSWORD, "next": target}).encode()
    answer = served.nobody().post(f"/login?next={quote(target)}", form, kind="application/x-www-form-urlencoded")
    assert answer.status == 303, answer.data[:500]
    assert answer.headers["location"].startswith("/")
    assert not answer.headers["location"].startswith(("//", "/\\"))


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil:80"])
def test_another_name_for_this_machine_is_refused(served, host):
    refused = served.nobody().get("/healthz", headers={"Host": host})
    assert (refused.status, refused.code) == (400, "wrong_host")


def test_hosts_that_are_ours(served):
    port = served.address.rpartition(":")[2]
    for host in (f"127.0.0.1:{port}", "localhost", f"LOCALHOST:{port}", "[::1]:80"):
        assert served.nobody().get("/healthz", headers={"Host": host}).status == 200, host


def test_links_run_out(tmp_path):
    class Later(SystemClock):
        def now(self):
            return datetime(2100, 1, 1, tzinfo=UTC)

    with Served(tmp_path / "s.db", mode="local") as server:
        token = server.do(server.parts.access.new_link("ann"))
        late = AccessService(server.parts.store.access, Later())
        with pytest.raises(Exception, match="link_refused"):
            asyncio.run(late.redeem_link(token))


def test_no_method_but_those_that_are_told(served):
    refused = served.client().ask("PUT", "/v1/records", {})
    assert (refused.status, refused.code) == (405, "method_not_allowed")
    assert set(refused.headers["allow"].split(", ")) <= {"GET", "POST", "HEAD"}
    for method in ("TRACE", "PROPFIND", "OPTIONS"):
        assert served.client().ask(method, "/v1/records").status == 405


def test_other_origins_get_no_permission(served):
    answer = served.client().get("/v1/records", headers={"Origin": "http://evil.example"})
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_two_requests_on_one_connection_are_told_apart(served):
    client = served.client("read")
    connection = http.client.HTTPConnection(client.host, int(client.port), timeout=10)
    connection.request("GET", "/v1/records", headers={"Authorization": f"Bearer {client.key}"})
    first = connection.getresponse()
    first.read()
    connection.request("GET", "/v1/records")
    second = connection.getresponse()
    second.read()
    connection.close()
    assert (first.status, second.status) == (200, 401)
    assert first.headers["x-request-id"] != second.headers["x-request-id"]
