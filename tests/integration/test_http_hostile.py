"""Uploads that nobody sends who means well end in a problem, harm nothing, and are shown as the text that they are."""

import socket
import threading
from urllib.parse import quote

import pytest

from tests.contract.http_servers import Served, lamp_import, lamp_profile
from tests.integration.hostile_uploads import SCRIPT, all_uploads, as_bytes, hostile_import

UPLOADS = all_uploads()
_MOST_BYTES = 2_000_000


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    with Served(folder / "s.db", [lamp_profile(folder)]) as server:
        object.__setattr__(server.parts, "most_body_bytes", _MOST_BYTES)
        server.add_users()
        yield server


@pytest.fixture(scope="module")
def client(served):
    return served.client()


def test_there_are_two_hundred_of_them():
    assert len({upload.name for upload in UPLOADS}) == len(UPLOADS) >= 200


@pytest.mark.parametrize("upload", UPLOADS, ids=[upload.name for upload in UPLOADS])
def test_it_ends_in_a_problem(served, client, upload):
    answer = client.ask(
        upload.method, upload.path, as_bytes(upload.body), headers=upload.headers, kind=upload.kind or None
    )
    assert answer.status in upload.statuses, (answer.status, answer.data[:300])
    if answer.status != 200:
        assert answer.code
        assert b"Traceback" not in answer.data
        assert b"root:" not in answer.data
    assert served.faults == []


def test_the_server_is_as_well_as_before(client):
    assert client.get("/healthz").status == 200
    assert client.post("/v1/records", lamp_import("after")).status == 201


def test_scripts_in_every_text_are_shown_as_texts(served, client):
    body = hostile_import()
    assert client.post("/v1/records", body).status == 201
    name = quote(body["record_id"], safe="")
    record = client.get(f"/v1/records/{name}")
    # The evidence fills one place.
    assert record.json["record"] == {**body["record"], "finish": SCRIPT}
    rob = served.person("rob")
    shown = 0
    for path in ("/queue", f"/records/{name}", f"/records/{name}/place?pointer=/mass_kg", "/audit", "/records"):
        page = rob.get(path)
        if page.status != 200:
            continue
        shown += 1
        assert page.headers["content-type"].startswith("text/html")
        assert b"<script>alert" not in page.data, path
        assert b"<img src=x" not in page.data, path
        assert b"{{7*7}}" in page.data or SCRIPT.encode() not in page.data
        assert b"49" not in page.data or b"{{7*7}}" in page.data
    assert shown >= 3


class Listener:
    """Counts who comes."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.came = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        try:
            while True:
                connection, _ = self.socket.accept()
                self.came += 1
                connection.close()
        except OSError:
            pass

    def close(self):
        # A thread that waits in accept() is not woken by close() alone.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self._thread.join(5)


def test_nothing_is_fetched_from_an_address_that_a_caller_names(client):
    listener = Listener()
    url = f"http://127.0.0.1:{listener.port}/x"
    content = {"id": "L-1", "finish": url, "$ref": url, "@context": url}
    try:
        bodies = [
            ("/v1/validate", {"record": {}, "schemas": [{"name": url, "content": {"$ref": url}}]}),
            ("/v1/validate", {"record": {}, "schemas": [{"name": "s", "content": {"$schema": url}}]}),
            ("/v1/validate", {"record": {}, "schemas": [{"name": "s", "content": {"$id": url, "$ref": "y"}}]}),
            ("/v1/validate", {"record": {"$ref": url}, "profile": url}),
            ("/v1/repair", {"record": {"id": "L-1"}, "profile": "lamp", "evidence": [{"id": url, "content": content}]}),
            ("/v1/repair", {"record": {}, "profile": "lamp", "evidence": [{"id": "e", "text": url}]}),
            ("/v1/answer", {"question": f"What is at {url}?", "evidence": [{"id": "e", "text": url}]}),
            ("/v1/records", {**lamp_import("fetch"), "evidence": [{"id": "e", "content": content, "source_ref": url}]}),
            ("/v1/runs", {"kind": "repair", "profile": url, "records": []}),
        ]
        for path, body in bodies:
            assert client.post(path, body).status in (200, 201, 422), (path, body)
        client.get("/v1/evidence/" + quote(url, safe=""))
        client.get("/v1/records/fetch/explain?pointer=/finish")
        assert listener.came == 0
        # The listener does count.
        socket.create_connection(("127.0.0.1", listener.port)).close()
        for _ in range(500):
            if listener.came:
                break
            threading.Event().wait(0.01)
        assert listener.came == 1
    finally:
        listener.close()


def test_a_body_that_does_not_end_is_given_up(served, client, monkeypatch):
    monkeypatch.setattr("veracord.web.bodies._MOST_SECONDS", 0.2)
    connection = socket.create_connection((client.host, int(client.port)), timeout=20)
    head = (
        f"POST /v1/repair HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {client.key}\r\n"
        "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    )
    connection.sendall(head.encode())
    reply = connection.recv(65_536)
    connection.close()
    assert reply.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"too_slow"' in reply or b"application/problem+json" in reply
    assert served.faults == []


def test_a_head_that_is_no_http_harms_nothing(client):
    for head in (
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET " + b"x" * 200_000 + b" HTTP/1.1\r\n\r\n",
    ):
        with socket.create_connection((client.host, int(client.port)), timeout=20) as connection:
            connection.settimeout(20)
            try:
                connection.sendall(head)
                reply = connection.recv(65_536)
            except ConnectionError:
                continue
            assert not reply or b" 400 " in reply.split(b"\r\n")[0] or b" 431 " in reply.split(b"\r\n")[0]
    assert client.get("/healthz").status == 200
