"""Validators of every kind, named in a pipeline file."""

import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.contract.model_server import Answer, ModelServer
from tests.e2e.pipeline_folders import ByUnit, PipelineFolder, ended, reading

ROOT = Path(__file__).resolve().parents[2]
SECRET = "CANARY-8812"
COLD = reading("Vostok", -128)


@pytest.fixture
def server():
    with ModelServer(default=Answer(reading())) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path, server):
    made = PipelineFolder.make(tmp_path / "job", server.chat_url, keys=["a"])
    made.producer.update(retries=1, structure_repairs=0, policy={"rejection": "warn_continue"})
    return made


def corrected(folder, server):
    """Run a unit whose first answer is rejected, and return what the model was told."""
    server.script(ByUnit({"a": [COLD, reading("Vostok", -80)]}))
    done = folder.run()
    assert done.code == 0, done
    assert len(server.requests) == 2
    return server.requests[1].messages[-1]["content"]


MODEL = """\
from pydantic import BaseModel, field_validator, model_validator


class Reading(BaseModel):
    place: str
    degrees: int

    @field_validator("degrees")
    @classmethod
    def measured(cls, value):
        if value < -90:
            raise ValueError("never measured")
        return value


class Outer:
    Inner = Reading
"""


@pytest.mark.parametrize("isolate", [False, True])
def test_a_pydantic_model(folder, server, isolate):
    folder.write("forms.py", MODEL)
    folder.producer["validators"] = [{"id": "form", "use": "forms:Outer.Inner", "isolate": isolate}]
    told = corrected(folder, server)
    assert '"/degrees": "never measured"' in told
    assert "pydantic" not in told
    assert "http" not in told


def test_a_schema(folder, server):
    folder.write("forms/strict.json", json.dumps({"properties": {"degrees": {"minimum": -90}}}))
    folder.producer["validators"] = [{"id": "strict", "use": "jsonschema:forms/strict.json"}]
    assert '"/degrees"' in corrected(folder, server)


def test_a_profile_of_a_file(folder, server):
    folder.write("forms/strict.json", json.dumps({"type": "object", "properties": {"degrees": {"minimum": -90}}}))
    folder.write("forms/strict.toml", 'name = "strict"\nversion = "1"\nschema = "strict.json"\n')
    folder.producer["validators"] = [{"id": "strict", "use": "profile:forms/strict.toml"}]
    assert '"/degrees"' in corrected(folder, server)


def test_a_bundled_profile(folder, server):
    passport = json.loads((ROOT / "src/veracord/bundled/demo/record.json").read_text("utf-8"))
    folder.write("reading.json", '{"type": "object"}')
    folder.producer["validators"] = [{"id": "passport", "use": "profile:eu-dpp-demo"}]
    folder.producer["retries"] = 0
    server.script(json.dumps(passport))
    done = folder.run()
    assert done.code == 3, done
    assert "unit a of reading is rejected: passport (" in done.err


@pytest.mark.parametrize("isolate", [False, True])
def test_a_callable_is_given_the_unit_where_it_asks_for_it(folder, server, isolate):
    folder.units({"id": "a", "note": "by hand"})
    folder.use(
        "from veracord.pipeline import Defect\n\n\n"
        "def check(value, unit):\n"
        "    if value['degrees'] < -90:\n"
        "        return [Defect('cold', '/degrees', f'not in {unit.key} {unit.value[\"note\"]}', 'look again')]\n",
        isolate=isolate,
    )
    told = corrected(folder, server)
    assert '"/degrees": "not in a by hand"; "look again"' in told


def test_a_coroutine(folder, server):
    folder.use(
        "import asyncio\n\n\n"
        "async def check(value):\n"
        "    await asyncio.sleep(0)\n"
        "    return ['too cold'] if value['degrees'] < -90 else True\n"
    )
    assert '"too cold"' in corrected(folder, server)


@pytest.mark.parametrize(
    ("code", "isolate"),
    [
        ("import time\n\ndef check(value):\n    time.sleep(600)\n", False),
        ("import asyncio\n\nasync def check(value):\n    await asyncio.sleep(600)\n", False),
        ("def check(value):\n    while True: pass\n", True),
    ],
    ids=["thread", "coroutine", "process"],
)
def test_a_validator_that_hangs_is_timed_out(folder, code, isolate):
    folder.use(code, timeout_s=0.5, execution_retries=0, isolate=isolate)
    done = folder.run()
    assert done.code == 3, done
    assert done.err == "warning: unit a of reading is accepted_incomplete: reading/own could not check (timed_out)\n"
    assert folder.results()[0]["incomplete"] == ["reading/own"]


@pytest.mark.skipif(os.name != "posix", reason="groups of processes are those of POSIX")
@pytest.mark.parametrize("after_s", [0.0, 0.06, 0.09])
def test_an_interruption_of_the_whole_group_while_a_child_starts(folder, server, after_s):
    folder.use("import time\n\n\ndef check(value):\n    time.sleep(600)\n", isolate=True)
    process = folder.start()
    server.wait_for_requests(1, 20)
    # Not to wait for something: each start of a child is met at another moment.
    time.sleep(after_s)
    os.killpg(process.pid, signal.SIGINT)
    done = ended(process)
    assert done.code == 4, done
    assert done.err == "error: keyboard_interrupt: the run was interrupted, run it again\n"
    assert folder.outcomes() == {"a": "cancelled"}


@pytest.mark.parametrize(
    ("code", "isolate"),
    [
        (f"def check(value):\n    raise ValueError('{SECRET}')\n", True),
        ("from veracord.pipeline import Disposition\n\ndef check(value):\n    return Disposition.FAIL_RUN\n", False),
        ("import os\n\ndef check(value):\n    os._exit(3)\n", True),
        ("def check(value):\n    value['degrees'] = 1\n    raise KeyError\n", False),
    ],
)
def test_a_validator_that_cannot_check_says_nothing(folder, server, code, isolate):
    folder.use(code, isolate=isolate, execution_retries=1)
    done = folder.run()
    assert done.code == 3, done
    assert SECRET not in done.out + done.err
    assert folder.results()[0]["outcome"] == "accepted_incomplete"
    assert folder.results()[0]["value"] == {"place": "Oslo", "degrees": 4}
    assert len(server.requests) == 1


def test_a_validator_is_run_again_within_its_own_budget(folder, server):
    folder.use(
        "from pathlib import Path\n\n\n"
        "def check(value):\n"
        "    seen = Path('seen')\n"
        "    seen.write_text((seen.read_text() if seen.exists() else '') + 'x')\n"
        "    if len(seen.read_text()) < 3:\n"
        "        raise OSError\n",
        execution_retries=2,
    )
    assert folder.run().code == 0
    assert (folder.path / "seen").read_text("utf-8") == "xxx"
    assert len(server.requests) == 1


def test_all_validators_speak_before_anything_is_decided(folder, server):
    folder.write("more.py", "def warm(value):\n    return None if value['degrees'] >= -80 else ['not warm']\n")
    folder.producer["validators"] = [
        {"id": "broken", "use": "checks:cannot_say", "execution_retries": 0},
        {"id": "cold", "use": "checks:not_too_cold"},
        {"id": "warm", "use": "more:warm"},
    ]
    server.script(ByUnit({"a": [COLD, reading("Vostok", -80)]}))
    done = folder.run()
    assert done.code == 3
    told = server.requests[1].messages[-1]["content"]
    assert told.index("never measured") < told.index("not warm") < told.index("1 check could not be run")
    assert folder.results()[0]["incomplete"] == ["reading/broken"]


def test_checks_of_a_package_in_the_folder_and_its_neighbours(folder, server):
    folder.write("rules/__init__.py", "")
    folder.write("limits.py", "COLDEST = -90\n")
    folder.write(
        "rules/cold.py",
        "from limits import COLDEST\n\n\ndef check(value):\n    return value['degrees'] > COLDEST or ['too cold']\n",
    )
    folder.producer["validators"] = [{"id": "cold", "use": "rules.cold:check", "isolate": True}]
    assert '"too cold"' in corrected(folder, server)


def test_an_installed_module(folder):
    folder.producer["validators"] = [{"id": "any", "use": "operator:truth", "execution_retries": 0}]
    assert folder.run().code == 0


def test_relative_paths_start_at_the_pipeline_file(folder, server, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(folder.path / "checks.py", folder.path / "own_checks.py")
    folder.write("forms/strict.json", json.dumps({"properties": {"degrees": {"minimum": -90}}}))
    folder.producer["validators"] = [
        {"id": "cold", "use": "own_checks:not_too_cold", "isolate": True},
        {"id": "strict", "use": "jsonschema:forms/strict.json"},
    ]
    server.script(ByUnit({"a": [COLD, reading("Vostok", -80)]}))
    done = folder.run(cwd=elsewhere)
    assert done.code == 0, done
    assert folder.outcomes() == {"a": "accepted"}
    # The store alone belongs to the folder that the command is given in.
    assert {path.name for path in elsewhere.iterdir()} == {".veracord"}
    assert not (folder.path / ".veracord").exists()
