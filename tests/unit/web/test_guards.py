"""What stands before every route, without a socket."""

import asyncio
from types import SimpleNamespace

import pytest

from veracord.web.guards import SLASH, Guard


def asked(app, path="/v1/x", *, method="GET", headers=(), query=b"", hosts=frozenset(), raw=None, is_secure=False):
    """Send one request through a guard; return status, headers, body and what the application saw."""
    told, faults = [], []

    async def send(message):
        told.append(message)

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def note_refusal(code, *, key_prefix, request_id):
        noted.append((code, key_prefix, request_id))

    noted = []
    parts = SimpleNamespace(
        access=SimpleNamespace(note_refusal=note_refusal),
        hosts=hosts,
        is_secure=is_secure,
        report_fault=lambda error, request_id: faults.append((error, request_id)),
    )
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": raw or path.encode(),
        "query_string": query,
        "headers": [(name.encode(), value.encode()) for name, value in headers],
        "scheme": "http",
        "server": ("127.0.0.1", 80),
    }
    asyncio.run(Guard(app, parts)(scope, receive, send))
    return SimpleNamespace(told=told, faults=faults, scope=scope, noted=noted)


async def fine(_scope, _receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


def test_a_fault_is_told_without_its_text():
    async def broken(_scope, _receive, _send):
        message = "secret of a record"
        raise ValueError(message)

    done = asked(broken)
    assert done.told[0]["status"] == 500
    assert b"secret" not in done.told[1]["body"]
    assert [type(error) for error, _ in done.faults] == [ValueError]


def test_an_answer_that_has_begun_is_only_broken_off():
    async def half(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise KeyError

    done = asked(half)
    assert [message["type"] for message in done.told] == ["http.response.start"]
    assert len(done.faults) == 1


def test_too_many_at_once_are_told_to_come_again(monkeypatch):
    monkeypatch.setattr("veracord.web.guards._MOST_AT_ONCE", 0)
    done = asked(fine)
    assert done.told[0]["status"] == 503
    assert (b"retry-after", b"1") in done.told[0]["headers"]


def test_an_answer_keeps_the_headers_that_it_sets_itself():
    async def cached(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"max-age=9")]})
        await send({"type": "http.response.body", "body": b""})

    headers = asked(cached).told[0]["headers"]
    assert [value for name, value in headers if name == b"cache-control"] == [b"max-age=9"]


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"/v1/records/a%2Fb", f"/v1/records/a{SLASH}b"),
        (b"/v1/records/a%2fb/explain", f"/v1/records/a{SLASH}b/explain"),
        (b"/v1/records/a%1F%2f", f"/v1/records/a\x00{SLASH}"),
    ],
)
def test_a_slash_that_came_encoded_parts_no_segments(raw, path):
    async def nothing(_scope, _receive, _send):
        pass

    done = asked(nothing, "/v1/records/whatever", raw=raw)
    assert done.scope["path"] == path


@pytest.mark.parametrize(("site", "status"), [("same-origin", 200), ("none", 200), ("cross-site", 403), ("", 403)])
def test_what_changes_something_comes_from_this_site(site, status):
    assert asked(fine, method="POST", headers=[("sec-fetch-site", site)]).told[0]["status"] == status


@pytest.mark.parametrize(
    ("origin", "is_secure", "status"),
    [
        ("http://a", False, 200),
        ("http://a", True, 403),
        ("https://a", True, 200),
        ("null", False, 403),
        ("http://[", False, 403),
    ],
)
def test_behind_tls_a_page_that_came_without_it_is_another_site(origin, is_secure, status):
    headers = [("origin", origin), ("host", "a")]
    assert asked(fine, method="POST", headers=headers, is_secure=is_secure).told[0]["status"] == status


def test_a_key_is_exempt_since_no_browser_sends_it_by_itself():
    headers = [("sec-fetch-site", "cross-site"), ("authorization", "Bearer x")]
    assert asked(fine, method="POST", headers=headers).told[0]["status"] == 200


@pytest.mark.parametrize("query", [b"k=vrc_01234567_abc", b"k=VRC%5F01234567%5Fabc", b"vrc_01234567_"])
def test_a_key_in_an_address_is_seen(query):
    done = asked(fine, query=query)
    assert done.told[0]["status"] == 400
    assert [told[:2] for told in done.noted] == [("key_in_url", "01234567")]
    assert asked(fine, query=b"k=vrc_0123456_").told[0]["status"] == 200
