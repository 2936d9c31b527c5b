"""`veracord demo --serve`: the page on the store of the demonstration, by the command that the demonstration names."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from tests.contract.http_servers import Client, ServeProcess
from tests.e2e.conftest import environment

FORM = "application/x-www-form-urlencoded"


def sign_in(server):
    client = Client(server.address)
    first = client.post(server.link(), b"", kind=FORM)
    assert first.status == 303
    client.cookie = first.headers["set-cookie"].partition(";")[0]
    client.csrf = client.get("/v1/session").json["csrf_token"]
    return client


def folder_of(server):
    (line,) = (line for line in server.said if line.startswith("The store is "))
    return Path(line.removeprefix("The store is ").partition(",")[0]).parent


def test_the_page_is_on_the_store_of_the_demonstration(tmp_path):
    with ServeProcess(cwd=tmp_path, command=("demo", "--serve"), TMPDIR=str(tmp_path)) as server:
        client = sign_in(server)
        (guess,) = client.get("/v1/suggestions").json["suggestions"]
        assert guess["pointer"] == "/circularity/spare_parts_availability_years"
        evidence = client.get(f"/v1/records/{guess['record_id']}/evidence").json["evidence"]
        assert len(evidence) > 3
        page = client.get("/queue")
        assert page.status == 200
        assert "spare_parts_availability_years" in page.data.decode()
        folder = folder_of(server)
        assert folder.parent == tmp_path
        assert folder.is_dir()
        assert server.stop() == 0
        assert not folder.exists()
        assert list(tmp_path.iterdir()) == []


def test_a_store_that_is_named_is_kept_with_what_was_decided(tmp_path):
    arguments = {"cwd": tmp_path, "command": ("demo", "--serve", "--json", "--store", "kept.db")}
    with ServeProcess(**arguments) as server:
        client = sign_in(server)
        (guess,) = client.get("/v1/suggestions").json["suggestions"]
        body = {"act": "reject", "suggestion_id": guess["id"], "code": "not_plausible"}
        assert client.post("/v1/decisions", body).status == 200
        assert server.stop() == 0
    with ServeProcess(**arguments) as server:
        client = sign_in(server)
        assert client.get("/v1/suggestions").json["suggestions"] == []
        assert client.get(f"/v1/suggestions/{guess['id']}").json["suggestion"]["status"] == "rejected"
        assert server.stop() == 0


def test_the_command_is_told_as_the_shell_finds_it(tmp_path):
    """By its name where that is on the path, else by where it lies; what is told opens the page."""
    program = tmp_path / "own folder" / "veracord"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom veracord.apps.cli import main\nmain()\n", "utf-8")
    program.chmod(0o755)

    def told(command, **extra):
        done = subprocess.run(
            [command, "demo"], cwd=tmp_path, env=environment(**extra), capture_output=True, text=True, check=True
        )
        return shlex.split(done.stdout.splitlines()[-1])

    path = os.pathsep.join((str(program.parent), os.environ["PATH"]))
    assert told(str(program), PATH=path) == ["veracord", "demo", "--serve"]
    opens = told("./own folder/veracord")
    assert opens[1:] == ["demo", "--serve"]
    refused = subprocess.run(
        [*opens, "--store", "mysql://x", "--port", "0"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 2
    assert refused.stderr.startswith("error: unknown_store: ")


def test_without_its_libraries_it_says_what_to_install(tmp_path):
    code = (
        "import importlib.util as util, sys\n"
        "real = util.find_spec\n"
        "util.find_spec = lambda name, package=None: None if name == 'uvicorn' else real(name, package)\n"
        "from veracord.apps.cli import run\n"
        "raise SystemExit(run(sys.argv[1:]))\n"
    )

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    told = run("demo")
    assert told.returncode == 0
    assert told.stdout.splitlines()[-2] == "  pip install 'veracord[serve]'"
    refused = run("demo", "--serve")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("error: missing_extra: ")
    assert "veracord[serve]" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_store_without_a_page_is_a_mistake(cli, tmp_path):
    ended = cli("demo", "--store", "s.db", cwd=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert "--serve" in ended.err


def test_make_demo_installs_what_its_last_command_needs():
    makefile = (Path(__file__).resolve().parents[2] / "Makefile").read_text("utf-8")
    _, recipe = makefile.split("$(VENV)/.installed: ")
    assert "\t$(PIP_INSTALL) -e '.[serve]'\n" in recipe.partition("\n\n")[0]
