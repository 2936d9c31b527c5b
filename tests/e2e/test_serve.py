"""`veracord serve` as a user meets it: a process, a link, a signal, one line where something is wrong."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from tests.contract.http_servers import HOST, PASSWORD, USERS, Client, ServeProcess, lamp_import, lamp_profile
from tests.e2e.conftest import environment
from veracord.access.service import AccessService
from veracord.bootstrap.stores import open_store
from veracord.ports import SystemClock

#: Commands in one process of their own: most of the time of a command is its start.
MANY = """
import json, sys
from veracord.apps.cli import run
print(json.dumps([run(["serve", *arguments]) for arguments in json.loads(sys.argv[1])]))
"""


def add_users(store):
    async def add(access):
        for user, role in USERS.items():
            await access.add_user(HOST, user, role, PASSWORD)

    opened = open_store(str(store))
    try:
        asyncio.run(add(AccessService(opened.access, SystemClock())))
    finally:
        opened.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_and_ends_when_it_is_asked_to(tmp_path, number):
    with ServeProcess("--store", "s.db", cwd=tmp_path) as server:
        assert server.address.startswith("http://127.0.0.1:")
        assert Client(server.address).get("/healthz").json["status"] == "ok"
        path = server.link()
        assert path.startswith("/login/")
        assert server.stop(number) == 0
        assert [line for line in server.said if "Traceback" in line or line.startswith("error")] == []


def test_the_link_signs_in_once(tmp_path):
    with ServeProcess("--store", "s.db", cwd=tmp_path) as server:
        path = server.link()
        client = Client(server.address)
        assert client.get(path).status == 200
        first = client.post(path, b"", kind="application/x-www-form-urlencoded")
        assert first.status == 303
        client.cookie = first.headers["set-cookie"].partition(";")[0]
        told = client.get("/v1/session").json
        assert (told["role"], told["how"]) == ("maintainer", "login_link")
        assert Client(server.address).post(path, b"", kind="application/x-www-form-urlencoded").status == 401


def test_what_is_wrong_is_one_line(tmp_path):
    (tmp_path / "broken.toml").write_text("name = ", "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        cases = [
            (("--port", port), "error: address: "),
            (("--host", "192.0.2.1"), "error: usage: "),
            (("--users", "--port", 0), "error: no_users: "),
            (("--users", "--store", "none/s.db"), "error: no_users: "),
            (("--allowed-host", ""), "error: usage: "),
            (("--allowed-host", "http://x/"), "error: usage: "),
            (("--behind-tls",), "error: usage: "),
            (("--profile", "none.toml", "--port", 0), "error: unreadable_file: "),
            (("--profile", "broken.toml", "--port", 0), "error: invalid_toml: "),
            (("--store", "", "--port", 0), "error: unknown_store: "),
            (("--store", "mysql://x", "--port", 0), "error: unknown_store: "),
            (("--model", "m", "--port", 0), "error: usage: "),
            # The store is there by now.
            (("--host", "host.invalid.", "--users"), "error: address: "),
        ]
        asked = [["--store", "s.db", *map(str, arguments)] for arguments, _ in cases]
        done = subprocess.run(
            [sys.executable, "-c", MANY, json.dumps(asked)],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    assert json.loads(done.stdout) == [2] * len(cases)
    told = done.stderr.splitlines()
    assert len(told) == len(cases), told
    for (arguments, line), found in zip(cases, told, strict=True):
        assert found.startswith(line), arguments
    # A store that would know nobody is not even made.
    assert not (tmp_path / "none").exists()


def test_named_users_sign_in(tmp_path):
    add_users(tmp_path / "s.db")
    with ServeProcess("--store", "s.db", "--users", cwd=tmp_path) as server:
        client = Client(server.address)
        assert client.sign_in("rob").json["role"] == "reviewer"
        assert Client(server.address).sign_in("rob", "another password").code == "sign_in_refused"
        assert not [line for line in server.said if "/login/" in line]
        assert server.stop() == 0


def test_a_session_goes_on_after_a_restart(tmp_path):
    add_users(tmp_path / "s.db")
    with ServeProcess("--store", "s.db", "--users", cwd=tmp_path) as server:
        client = Client(server.address)
        client.sign_in("rob")
        server.stop()
    with ServeProcess("--store", "s.db", "--users", cwd=tmp_path) as server:
        again = Client(server.address)
        again.go_on_as(client)
        assert again.get("/v1/session").json["user"] == "rob"


def test_no_acknowledged_decision_is_lost_when_it_is_killed(tmp_path):
    profile = lamp_profile(tmp_path)
    add_users(tmp_path / "s.db")
    arguments = ("--store", "s.db", "--users", "--profile", profile)
    with ServeProcess(*arguments, cwd=tmp_path) as server:
        rob = Client(server.address)
        rob.sign_in("rob")
        for number in range(40):
            assert rob.post("/v1/records", lamp_import(f"r{number:02}")).status == 201
        listed = rob.get("/v1/suggestions?limit=1000").json["suggestions"]
        done, is_over = [], threading.Event()

        def decide(share):
            client = Client(server.address)
            client.cookie, client.csrf = rob.cookie, rob.csrf
            for one in share:
                body = {"act": "reject", "suggestion_id": one["id"], "code": "wrong_value"}
                try:
                    answer = client.post("/v1/decisions", body, headers={"Idempotency-Key": one["id"]})
                except OSError:
                    break
                if answer.status == 200:
                    done.append((one, answer.json))
            is_over.set()

        threads = [threading.Thread(target=decide, args=(listed[number::4],)) for number in range(4)]
        for thread in threads:
            thread.start()
        until = time.monotonic() + 30
        while len(done) < 20 and not is_over.is_set() and time.monotonic() < until:
            time.sleep(0.002)
        assert server.kill() == -signal.SIGKILL
        for thread in threads:
            thread.join()
    assert 20 <= len(done) < len(listed)
    with ServeProcess(*arguments, cwd=tmp_path) as server:
        again = Client(server.address)
        again.go_on_as(rob)
        for one, told in done:
            assert again.get(f"/v1/suggestions/{one['id']}").json["suggestion"]["status"] == "rejected"
            # The same request again, by who never saw the answer, gives the answer that was given.
            body = {"act": "reject", "suggestion_id": one["id"], "code": "wrong_value"}
            repeated = again.post("/v1/decisions", body, headers={"Idempotency-Key": one["id"]})
            assert repeated.json == told
        verified = again.get("/v1/audit/verification").json
        assert verified["ok"] is True
        assert server.stop() == 0


def test_other_commands_do_not_load_what_serves(tmp_path):
    code = (
        "import sys\n"
        "from veracord.apps.cli import run\n"
        "run(['--version'])\n"
        "run(['profiles', 'list', '--json'])\n"
        "print([name for name in ('fastapi', 'starlette', 'uvicorn', 'jinja2', 'argon2') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_without_its_libraries_it_says_what_to_install(tmp_path):
    code = (
        "import importlib.util as util\n"
        "real = util.find_spec\n"
        "util.find_spec = lambda name, package=None: None if name == 'fastapi' else real(name, package)\n"
        "from veracord.apps.cli import run\n"
        "raise SystemExit(run(['serve']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: missing_extra: ")
    assert "veracord[serve]" in done.stderr


def test_a_name_that_is_allowed(tmp_path):
    with ServeProcess("--store", "s.db", "--allowed-host", "Review.Example", cwd=tmp_path) as server:
        client = Client(server.address)
        assert client.get("/healthz", headers={"Host": "review.example"}).status == 200
        assert client.get("/healthz", headers={"Host": "other.example"}).code == "wrong_host"


def command(folder, *arguments):
    """Another command, beside the server."""
    done = subprocess.run(
        [sys.executable, "-m", "veracord", *arguments, "--store", "s.db"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_commands_beside_a_server_and_the_server_lose_nothing_to_each_other(tmp_path):
    profile = lamp_profile(tmp_path)
    add_users(tmp_path / "s.db")
    arguments = ("--store", "s.db", "--users", "--profile", profile)
    with ServeProcess(*arguments, cwd=tmp_path) as server:
        rob = Client(server.address)
        rob.sign_in("rob")
        for number in range(3):
            assert rob.post("/v1/records", lamp_import(f"r{number}")).status == 201
        command(tmp_path, "users", "list")
        key = json.loads(command(tmp_path, "keys", "add", "--scope", "read", "--json"))
        program = Client(server.address, key=key["key"])
        first, second, third, *_ = (one["id"] for one in program.get("/v1/suggestions").json["suggestions"])
        for name in (first, second):
            body = {"act": "reject", "suggestion_id": name, "code": "wrong_value"}
            assert rob.post("/v1/decisions", body).status == 200
        command(tmp_path, "review", "reject", third, "--code", "wrong_value")
        assert program.get("/v1/suggestions?status=rejected").json["counts"]["rejected"] == 3
        command(tmp_path, "keys", "revoke", key["id"])
        refused = program.get("/v1/suggestions")
        assert (refused.status, refused.code) == (401, "key_refused")
        assert server.kill() == -signal.SIGKILL
    with ServeProcess(*arguments, cwd=tmp_path) as server:
        again = Client(server.address)
        again.go_on_as(rob)
        for name in (first, second, third):
            assert again.get(f"/v1/suggestions/{name}").json["suggestion"]["status"] == "rejected"
        assert Client(server.address, key=key["key"]).get("/v1/suggestions").code == "key_refused"
        assert again.get("/v1/audit/verification").json["ok"] is True
    assert command(tmp_path, "audit", "replay").rstrip().endswith("the same as in the store.")


def test_two_servers_on_one_machine_do_not_sign_each_other_out(tmp_path):
    names = set()
    for store in ("a.db", "b.db"):
        with ServeProcess("--store", store, cwd=tmp_path) as server:
            client = Client(server.address)
            signed = client.post(server.link(), b"", kind="application/x-www-form-urlencoded")
            name = signed.headers["set-cookie"].partition("=")[0]
            assert name == f"veracord-{client.port}"
            told = client.get("/openapi.json").json["components"]["securitySchemes"]["session"]["name"]
            assert told == name
            names.add(name)
    assert len(names) == 2


def test_a_new_link_beside_a_running_server(tmp_path):
    with ServeProcess("--store", "s.db", cwd=tmp_path) as server:
        client = Client(server.address)
        link = command(tmp_path, "users", "link", "--address", server.address).strip()
        assert link.startswith(f"{server.address}/login/")
        path = link.removeprefix(server.address)
        signed = client.post(path, b"", kind="application/x-www-form-urlencoded")
        client.cookie = signed.headers["set-cookie"].partition(";")[0]
        told = client.get("/v1/session").json
        assert (told["role"], told["how"]) == ("maintainer", "login_link")


def test_an_address_that_others_reach_is_told_as_it_is(tmp_path):
    add_users(tmp_path / "s.db")
    with ServeProcess("--store", "s.db", "--users", "--host", "0.0.0.0", cwd=tmp_path) as server:  # noqa: S104 - what is tested
        assert server.address.startswith("http://0.0.0.0:")
        assert [line for line in server.said if line.startswith("warning: passwords")]
        server.stop()
    more = ("--host", "0.0.0.0", "--behind-tls")  # noqa: S104 - the same
    with ServeProcess("--store", "s.db", "--users", *more, cwd=tmp_path) as server:
        assert not [line for line in server.said if line.startswith("warning")]


def test_a_request_that_does_not_end_is_told_that_the_server_does(tmp_path):
    with ServeProcess("--store", "s.db", cwd=tmp_path) as server:
        client = Client(server.address)
        with socket.create_connection((client.host, int(client.port)), timeout=30) as slow:
            slow.sendall(
                b"POST /v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )
            time.sleep(0.2)
            assert server.stop() == 0
            reply = b"".join(iter(lambda: slow.recv(65536), b""))
        assert reply.startswith(b"HTTP/1.1 503 ")
        assert b"application/problem+json" in reply
        assert b'"code":"ending"' in reply
        assert len([line for line in server.said if "Serving" not in line and "/login/" not in line]) <= 1, server.said
