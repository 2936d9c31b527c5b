"""The HTTP application on a real socket: in this process, so that a test can look behind it, or in one of its own."""

import asyncio
import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from tests.contract.review_worlds import PROFILE, SCHEMA
from veracord.bootstrap.choices import Choices
from veracord.bootstrap.serving import LOCAL_HOSTS, ServeWish, close_server, wire_server
from veracord.config import Settings
from veracord.records.reading import read_value
from veracord.review.people import Person
from veracord.web.application import make_app
from veracord.web.server import address_of, bind, server_config

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery"
USERS = {"mia": "maintainer", "rob": "reviewer", "roy": "reviewer", "vera": "viewer"}
HOST = Person("host", "terminal", "maintainer")
RECORD = {"id": "L-1", "note": "typed", "mass_kg": -1}
GUESSES = [
    {"path": "/finish", "value": "matt", "rationale": "So I recall.", "confidence": 0.3},
    {"path": "/mass_kg", "value": 5, "rationale": "So I recall.", "confidence": 0.2},
]
_START_S = 120
_ADDRESS = re.compile(r"Serving on (http://\S+)")


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict
    data: bytes

    @property
    def json(self):
        """The body by our strict reader: no number is rounded."""
        return read_value(self.data, max_levels=200)

    @property
    def lines(self):
        return [read_value(line) for line in self.data.splitlines()]

    @property
    def code(self):
        assert self.headers["content-type"] == "application/problem+json", (self.status, self.data[:300])
        told = self.json
        assert told["status"] == self.status
        return told["code"]


class Client:
    """Speaks to one address: with a key, with a session, or as nobody."""

    def __init__(self, address, *, key=None):
        self.host, self.port = address.removeprefix("http://").rsplit(":", 1)
        self.key = key
        self.cookie = None
        self.csrf = None

    def ask(self, method, path, body=None, *, headers=None, kind="application/json", timeout=60):
        sent = {"Host": f"{self.host}:{self.port}"}
        if self.key is not None:
            sent["Authorization"] = f"Bearer {self.key}"
        if self.cookie is not None:
            sent["Cookie"] = self.cookie
            sent["X-CSRF-Token"] = self.csrf or ""
        if body is not None:
            sent["Content-Type"] = kind
        sent |= headers or {}
        data = body if body is None or isinstance(body, bytes) or hasattr(body, "__next__") else dumped(body)
        connection = http.client.HTTPConnection(self.host, int(self.port), timeout=timeout)
        try:
            connection.request(
                method,
                path,
                data,
                {name: value for name, value in sent.items() if value is not None},
                encode_chunked=hasattr(data, "__next__"),
            )
            reply = connection.getresponse()
            answer = Answer(reply.status, {n.lower(): v for n, v in reply.getheaders()}, reply.read())
        finally:
            connection.close()
        return answer

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body, **more):
        return self.ask("POST", path, body, **more)

    def go_on_as(self, other):
        """Take over the session of a browser that knew the server at another port."""
        name = other.cookie.replace(str(other.port), str(self.port), 1)
        self.cookie, self.csrf = name, other.csrf

    def sign_in(self, user, password=PASSWORD):
        answer = self.post("/v1/session", {"user": user, "password": password})
        if answer.status == 200:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
            self.csrf = answer.json["csrf_token"]
        return answer


def dumped(body):
    return json.dumps(body).encode()


def lamp_profile(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lamp.schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    (folder / "lamp.toml").write_text(PROFILE, "utf-8")
    return folder / "lamp.toml"


def lamp_import(name="r1", **more):
    record = {**RECORD, "id": more.pop("product", f"P-{name}")}
    return {"record_id": name, "record": record, "profile": "lamp", "suggestions": GUESSES, "model": "m", **more}


class Served:
    """The application over a store, on a socket, in a thread of this process."""

    def __init__(self, url, profiles=(), *, mode="server", **more):
        choices = more.pop("choices", None) or Choices(store=str(url), settings=Settings())
        wish = ServeWish(choices=choices, mode=mode, hosts=LOCAL_HOSTS, profiles=tuple(map(str, profiles)), **more)
        self.faults = []
        self.parts = wire_server(wish, lambda error, request_id: self.faults.append((error, request_id)))
        self.app = make_app(self.parts)
        self._socket = bind("127.0.0.1", 0)
        self.address = address_of(self._socket)
        self._server = uvicorn.Server(server_config(self.app))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)
        self._thread.start()
        until = time.monotonic() + _START_S
        while not self._server.started:
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.005)

    def do(self, work):
        """Do something with the services, from this thread."""
        return asyncio.run(work)

    def add_users(self):
        for user, role in USERS.items():
            self.do(self.parts.access.add_user(HOST, user, role, PASSWORD))

    def key(self, *scopes):
        return self.do(self.parts.access.add_key(HOST, scopes or ("read", "propose", "export"), 30)).text

    def client(self, *scopes):
        return Client(self.address, key=self.key(*scopes))

    def person(self, user):
        client = Client(self.address)
        assert client.sign_in(user).status == 200
        return client

    def nobody(self):
        return Client(self.address)

    def events(self, kind=None):
        async def read():
            return [one async for one in self.parts.service.events()]

        found = self.do(read())
        return found if kind is None else [one for one in found if one.type.value == kind]

    def close(self):
        self._server.should_exit = True
        self._thread.join(20)
        close_server(self.parts)
        self._socket.close()
        assert [type(error).__name__ for error, _ in self.faults] == []

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


class ServeProcess:
    """`veracord serve` in a process of its own, which can be killed; or another command that serves."""

    def __init__(self, *arguments, cwd, command=("serve",), **extra):
        path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "veracord", *command, "--port", "0", *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "error", **extra},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        until = time.monotonic() + _START_S
        while not any(_ADDRESS.search(line) for line in self.said):
            if self.process.poll() is not None or time.monotonic() > until:
                self.process.kill()
                self.process.wait()
                message = f"the server did not start: {''.join(self.said)}"
                raise AssertionError(message)
            time.sleep(0.01)
        self.address = next(found[1] for line in self.said if (found := _ADDRESS.search(line)))

    def _read(self):
        self.said.extend(iter(self.process.stderr.readline, ""))

    def link(self):
        """The path of the link that works once."""
        until = time.monotonic() + _START_S
        while not any("/login/" in line for line in self.said):
            assert time.monotonic() < until
            time.sleep(0.01)
        return next(line for line in self.said if "/login/" in line).split(self.address)[1].strip()

    def kill(self):
        self.process.kill()
        return self._ended()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self._ended()

    def _ended(self):
        code = self.process.wait(30)
        self._reader.join(10)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            self._ended()
