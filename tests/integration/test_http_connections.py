"""What HTTP itself does not allow is a problem as any other, and nobody holds a connection for nothing."""

import contextlib
import http.client
import json
import socket
import time

import pytest

from tests.contract.http_servers import Served, lamp_profile

HEAD = "POST /v1/repair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
LENGTHS = f"{HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}"
CHUNK = f"{HEAD}Transfer-Encoding: chunked\r\n\r\nno number\r\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("connections")
    with Served(folder / "s.db", [lamp_profile(folder)]) as server:
        server.add_users()
        yield server


def opened(served):
    host, port = served.address.removeprefix("http://").rsplit(":", 1)
    return socket.create_connection((host, int(port)), timeout=30)


def all_of(connection):
    """Everything that comes until the server closes."""
    found = b""
    while part := connection.recv(65_536):
        found += part
    return found


def problem(data):
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    assert headers["content-type"] == "application/problem+json"
    assert headers["connection"] == "close"
    assert headers["x-content-type-options"] == "nosniff"
    assert len(headers["x-request-id"]) == 32
    told = json.loads(body)
    assert lines[0] == f"HTTP/1.1 {told['status']} {told['title']}"
    return told


def test_two_headers_that_say_where_a_body_ends_are_refused_and_the_connection_is_closed(served):
    with opened(served) as connection:
        smuggled = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        body = f"{HEAD}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n{smuggled}"
        connection.sendall(body.encode())
        answer = all_of(connection)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert (problem(answer)["status"], problem(answer)["code"]) == (400, "two_lengths")


@pytest.mark.parametrize(
    "sent",
    ["no request\r\n\r\n", LENGTHS, "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nno number\r\n\r\n"],
    ids=["no head", "two lengths", "no host", "no header"],
)
def test_what_is_no_http_is_a_problem_too(served, sent):
    with opened(served) as connection:
        connection.sendall(sent.encode())
        told = problem(all_of(connection))
    assert (told["status"], told["code"]) == (400, "bad_request")
    assert "no number" not in str(told)


def test_a_chunk_that_is_none_is_a_problem_and_no_fault(served):
    key = served.key("propose")
    with opened(served) as connection:
        connection.sendall(CHUNK.replace("Host", f"Authorization: Bearer {key}\r\nHost").encode())
        assert problem(all_of(connection))["code"] == "bad_request"
    assert served.client().get("/healthz").status == 200
    assert served.faults == []


def test_a_head_that_does_not_end_is_given_up(served, monkeypatch):
    monkeypatch.setattr("veracord.web.connections._MOST_SECONDS", 0.5)
    began = time.monotonic()
    with opened(served) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: loc")
        for _ in range(3):
            # Bytes now and then keep nothing open.
            time.sleep(0.1)
            connection.sendall(b"a")
        told = problem(all_of(connection))
    assert (told["status"], told["code"]) == (408, "too_slow")
    assert time.monotonic() - began < 10


def test_a_connection_on_which_nothing_comes_is_closed(served, monkeypatch):
    monkeypatch.setattr("veracord.web.connections._MOST_SECONDS", 0.3)
    with opened(served) as connection:
        assert all_of(connection) == b""


def test_what_trickles_in_behind_an_answer_keeps_nothing_open(served, monkeypatch):
    monkeypatch.setattr("veracord.web.connections._MOST_SECONDS", 0.5)
    with opened(served) as connection:
        connection.sendall(f"{HEAD}Content-Length: 1000\r\n\r\n".encode())
        assert connection.recv(65_536).startswith(b"HTTP/1.1 401 ")
        began = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - began < 10:
                connection.sendall(b" ")
                time.sleep(0.1)
        assert time.monotonic() - began < 5
    assert served.faults == []


def test_a_request_that_takes_long_is_not_given_up(served, monkeypatch):
    monkeypatch.setattr("veracord.web.connections._MOST_SECONDS", 0.2)
    connection = http.client.HTTPConnection(served.address.removeprefix("http://"), timeout=30)
    connection.connect()
    first = connection.sock
    for _ in range(2):
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        assert (answer.status, answer.read()[:1]) == (200, b"{")
        # Kept open behind an answer for longer.
        time.sleep(0.4)
    assert connection.sock is first
    connection.close()


def test_who_goes_away_in_the_middle_of_a_body_is_no_fault_of_ours(served):
    key = served.key("propose")
    with opened(served) as connection:
        connection.sendall(f"{HEAD}Authorization: Bearer {key}\r\nContent-Length: 1000\r\n\r\n{{".encode())
        time.sleep(0.3)
    time.sleep(0.3)
    assert served.faults == []


def test_bodies_have_a_size_that_all_together_do_not_pass(served, monkeypatch):
    monkeypatch.setattr("veracord.web.held_bodies.MOST_HELD_BYTES", 3_000)
    client = served.client()
    body = b'{"record": {"a": "%s"}, "profile": "lamp"}' % (b"a" * 2_000)
    assert client.post("/v1/validate", body).status == 200
    head = f"{HEAD}Authorization: Bearer {client.key}\r\nContent-Length: 3000\r\n\r\n"
    with opened(served) as connection:
        connection.sendall(head.encode() + b" " * 2_000)
        time.sleep(0.3)
        refused = client.post("/v1/validate", body)
        assert (refused.status, refused.code, refused.headers["retry-after"]) == (503, "busy", "5")
    time.sleep(0.3)
    # Of what was refused or broken off, nothing is held any more.
    assert [client.post("/v1/validate", body).status for _ in range(3)] == [200] * 3


def test_who_is_nobody_sends_less(served):
    body = b'{"user": "rob", "password": "%s"}' % (b"a" * (9 * 1024 * 1024))
    assert served.nobody().post("/v1/session", body).code == "too_large"


def test_connections_have_a_number_that_they_do_not_pass(served, monkeypatch):
    monkeypatch.setattr("veracord.web.connections._MOST_OPEN", 3)
    held = [opened(served) for _ in range(3)]
    try:
        time.sleep(0.2)
        with opened(served) as one_more, contextlib.suppress(ConnectionError):
            assert one_more.recv(1) == b""
    finally:
        for connection in held:
            connection.close()
    time.sleep(0.2)
    assert served.client().get("/healthz").status == 200
