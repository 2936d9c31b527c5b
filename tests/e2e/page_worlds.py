"""A store to look at: the bundled heat pump, for pictures, and lamps of which each test takes its own."""

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from tests.e2e.conftest import environment
from veracord.access.service import AccessService
from veracord.bootstrap.stores import open_store
from veracord.composer.suggestions import Suggestion
from veracord.ports import SystemClock
from veracord.records.evidence import EvidencePack
from veracord.records.profiles import Profile
from veracord.records.reading import read_record
from veracord.review.importing import Import
from veracord.review.people import Person
from veracord.review.service import DecisionService

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "src/veracord/bundled/demo"
MODEL = "demo-model-8b"
PASSWORD = "correct horse battery"
USERS = {"mia": "maintainer", "rob": "reviewer", "vera": "viewer"}

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["id", "mass_kg", "finish", "colour", "power_w"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string", "minLength": 1},
        "mass_kg": {"type": "number", "exclusiveMinimum": 0},
        "power_w": {"type": "number", "exclusiveMinimum": 0},
        "finish": {"type": "string", "minLength": 1},
        "colour": {"enum": ["red", "blue"]},
        "note": {"type": "string"},
    },
}
PROFILE = """\
name = "lamp"
version = "1"
schema = "lamp.schema.json"

[identity]
keys = [["/id"]]
"""
_PIPELINE = """\
[run]
name = "passports"
input = "passports.jsonl"
key = "/dpp_id"
output = "out.jsonl"
concurrency = 2

[[producers]]
id = "repair"
kind = "repair"
profile = "eu-dpp-demo"
evidence = "{demo}/evidence"
suggest = false

[[producers.validators]]
id = "serial"
use = "checks:check_serial"
execution_retries = 0

[producers.policy]
rejection = "warn_continue"
"""
_CHECKS = """\
import re
import time


def check_serial(value):
    number = int(re.search("DPP-([0-9]+)", str(value))[1])
    time.sleep(0.002 + 0.006 * (number % 40 < 12))
    if number % 9 == 4:
        raise RuntimeError
    return ["the serial number is taken"] if number % 6 == 5 else None
"""
DATASHEET = "Lamp data sheet\nThe mass is\n5 kg, packed 6 kg.\nThe finish is matt.\n"

#: Markup in every text that others write: of it nothing may run, and all of it is shown.
HOSTILE = '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">\'"&{{ 7 * 7 }}\u202e'


@dataclass(frozen=True)
class World:
    """Where the store is, and the profile that the server needs."""

    folder: Path

    @property
    def store(self):
        return self.folder / "store.db"

    @property
    def profile(self):
        return self.folder / "lamp.toml"


def lamp(number, **more):
    record = {"id": f"L-{number}", "mass_kg": -1, "colour": "green", "note": "typed in by hand", **more}
    return json.dumps(record, indent=1)


def lamp_evidence(number, texts=(DATASHEET,)):
    maker = {"id": f"L-{number}", "power_w": Decimal("7.50"), "colour": "red"}
    seller = {"id": f"L-{number}", "colour": "blue"}
    items = [{"id": "maker", "content": maker}, {"id": "seller", "content": seller}]
    return EvidencePack.from_items([*items, *({"id": f"sheet-{at}", "text": text} for at, text in enumerate(texts))])


def make_world(folder: Path, *, lamps: int = 12, users: bool = False, is_plain: bool = False) -> World:
    """Make a store: the heat pump, lamps with three suggestions each and, unless plain, one with hostile texts."""
    folder.mkdir(parents=True, exist_ok=True)
    world = World(folder)
    (folder / "lamp.schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    world.profile.write_text(PROFILE, "utf-8")

    async def work(store) -> None:
        await _fill(world, store, lamps, is_plain)
        if users:
            await _add_users(store)

    _do(world, work)
    return world


def make_runs(world: World) -> None:
    """Work through many passports on the store, so that it has a run with several outcomes."""
    (world.folder / "run.toml").write_text(_PIPELINE.format(demo=DEMO), "utf-8")
    (world.folder / "checks.py").write_text(_CHECKS, "utf-8")
    passport = json.loads((DEMO / "record.json").read_text("utf-8"))
    passports = [json.dumps({**passport, "dpp_id": f"DPP-{number}"}) for number in range(120)]
    (world.folder / "passports.jsonl").write_text("\n".join(passports), "utf-8")
    command = [sys.executable, "-m", "veracord", "run", "run.toml", "--store", str(world.store)]
    done = subprocess.run(command, cwd=world.folder, env=environment(), capture_output=True, check=False)
    assert done.returncode == 3, done.stderr


def _do(world: World, work) -> None:
    """Do something with a store, in a thread of its own: the browser's driver has a loop in this one."""

    def run() -> None:
        store = open_store(str(world.store))
        try:
            asyncio.run(work(store))
        finally:
            store.close()

    with ThreadPoolExecutor(1) as executor:
        executor.submit(run).result()


def import_again(world: World, number: int, **changed) -> None:
    """Import a lamp anew, as another process does while somebody looks at it; the same guesses are made again."""

    async def work(store) -> None:
        service = DecisionService(store.review, lru_cache(Profile.load), SystemClock())
        asked = _lamp_import(world, f"lamp-{number}", number, "So I recall.", "matt", **changed)
        await service.import_record(Person("importer", "terminal", "maintainer"), asked)

    _do(world, work)


async def _fill(world: World, store, lamps: int, is_plain: bool) -> None:
    service = DecisionService(store.review, lru_cache(Profile.load), SystemClock())
    by = Person("importer", "terminal", "maintainer")
    pump = Import(
        "hp-9-loft",
        "eu-dpp-demo",
        read_record((DEMO / "record.json").read_bytes()),
        EvidencePack.from_paths([DEMO / "evidence"]),
        {},
        [
            Suggestion("/carbon/total_kg_co2e", 1830, "Heat pumps of this size lie near it.", 0.3, 1),
            Suggestion(
                "/circularity/repairability_index", Decimal("7.2"), "72 looks like a slip of the point.", 0.3, 2
            ),
            Suggestion("/circularity/spare_parts_availability_years", 15, "The sheet names fifteen years.", 0.2, 3),
        ],
        MODEL,
    )
    await service.import_record(by, pump)
    for number in range(lamps):
        await service.import_record(by, _lamp_import(world, f"lamp-{number}", number, "So I recall.", "matt"))
    if is_plain:
        return
    hostile = lamp_evidence("x", texts=(f"{DATASHEET}{HOSTILE}\n",))
    record = lamp("x", note=HOSTILE)
    asked = Import(
        f"lamp-{HOSTILE.rstrip(chr(0x202E))}",
        str(world.profile),
        read_record(record.encode()),
        hostile,
        {},
        [Suggestion("/finish", HOSTILE, HOSTILE, 0.3, 1), Suggestion("/mass_kg", 5, HOSTILE, 0.3, 2)],
        HOSTILE,
    )
    await service.import_record(by, asked)


def _lamp_import(world: World, name: str, number: int, rationale: str, finish: str, **changed) -> Import:
    guesses = [
        Suggestion("/finish", finish, rationale, 0.3, 1),
        Suggestion("/mass_kg", 5, rationale, 0.25, 2),
        Suggestion("/colour", "red", rationale, 0.2, 3),
    ]
    return Import(
        name,
        str(world.profile),
        read_record(lamp(number, **changed).encode()),
        lamp_evidence(number),
        {},
        guesses,
        "small",
    )


async def _add_users(store) -> None:
    access = AccessService(store.access, SystemClock())
    host = Person("host", "terminal", "maintainer")
    for name, role in USERS.items():
        await access.add_user(host, name, role, PASSWORD)
