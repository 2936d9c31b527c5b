"""The laundering test: a guess that is pasted back supports nothing, however it comes back, and the result says why."""

import asyncio
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.integration.store_rows import rows_of
from tests.loaded_commands import loaded_command
from veracord.bootstrap.stores import open_store
from veracord.composer.record_composer import RecordComposer
from veracord.errors import RecordGenerationError
from veracord.records.evidence import EvidencePack
from veracord.records.profiles import Profile
from veracord.records.reading import read_record
from veracord.testing import ScriptedModel

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["id", "mass_kg", "finish", "materials"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string", "minLength": 1},
        "mass_kg": {"type": "number", "exclusiveMinimum": 0},
        "finish": {"type": "string", "minLength": 1},
        "materials": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "share_pct"],
                "properties": {"name": {"type": "string"}, "share_pct": {"type": "number"}},
            },
        },
    },
}
PROFILE = """\
name = "lamp"
version = "1"
schema = "lamp.schema.json"

[identity]
keys = [["/id"]]

[administrative]
never_suggested = []

[[rows]]
at = "/materials"
key = ["/name"]
"""
RECORD = {"id": "L-1", "materials": [{"name": "steel"}, {"name": "tin", "share_pct": 40}]}
#: What the source says; the rest has to be guessed.
SOURCE = {"id": "L-1", "materials": [{"name": "tin", "share_pct": 40}, {"name": "steel"}]}
GUESSES = {"/mass_kg": 5, "/finish": "r\u00e9sine", "/materials/0/share_pct": 60}


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lamp")
    (folder / "lamp.schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    (folder / "lamp.toml").write_text(PROFILE, "utf-8")
    return Profile.load(folder / "lamp.toml")


@pytest.fixture
def store_path(tmp_path):
    return tmp_path / "store.db"


def answer(guesses):
    rows = [
        {"path": path, "value": value, "rationale": "So I recall.", "confidence": 0.5}
        for path, value in guesses.items()
    ]
    return json.dumps({"suggestions": rows})


@contextmanager
def composer_with(profile, path, *answers) -> Iterator[RecordComposer]:
    """A composer over a store that is opened anew, as another process would open it."""
    store = open_store(str(path))
    model = ScriptedModel(answers) if answers else None
    try:
        with RecordComposer(profile, model, ledger=store.ledger) as composer:
            yield composer
    finally:
        store.close()


def pack(*contents):
    return EvidencePack.from_items([{"id": f"e{number}", "content": one} for number, one in enumerate(contents)])


@pytest.fixture
def suggested(profile, store_path):
    """The guesses were shown, and are in the store."""
    with composer_with(profile, store_path, answer(GUESSES)) as composer:
        result = composer.repair(RECORD, pack(SOURCE))
    assert {found.path: found.value for found in result.suggestions} == GUESSES
    assert not result.fills
    return result


PASTED = {"id": "L-1", "mass_kg": 5, "finish": "r\u00e9sine", "materials": [{"name": "steel", "share_pct": 60}]}
AS_WRITTEN = json.dumps(PASTED)
REFORMATTED = (
    '{"materials": [{"share_pct": 6.0E1, "name": "steel"}], "mass_kg": 5.000, "id": " L-1", "finish": "  re\u0301sine"}'
)


@pytest.mark.usefixtures("suggested")
@pytest.mark.parametrize("text", [AS_WRITTEN, REFORMATTED])
def test_pasted_into_evidence_it_fills_nothing(profile, store_path, text):
    evidence = pack(SOURCE, read_record(text.encode()).value)
    with composer_with(profile, store_path) as composer:
        result = composer.repair(RECORD, evidence)
    assert not result.fills
    assert {(row.path, row.outcome, row.detail) for row in result.unresolved} == {
        ("/finish", "no_source", "suggestion_origin"),
        ("/mass_kg", "no_source", "suggestion_origin"),
        ("/materials/0/share_pct", "no_source", "suggestion_origin"),
    }
    # Without the store there is nothing to know it by: that the test is one.
    assert len(RecordComposer(profile).repair(RECORD, evidence).fills) == 3


@pytest.mark.usefixtures("suggested")
@pytest.mark.parametrize("text", [AS_WRITTEN, REFORMATTED])
@pytest.mark.parametrize("assemble", [True, False])
def test_pasted_into_evidence_it_is_in_no_synthesis(profile, store_path, text, assemble):
    made = json.dumps({**PASTED, "materials": [{"name": "steel", "share_pct": 60}, {"name": "tin", "share_pct": 40}]})
    with composer_with(profile, store_path, made, made) as composer, pytest.raises(RecordGenerationError) as caught:
        composer.synthesize({"id": "L-1"}, pack(SOURCE, read_record(text.encode()).value), assemble=assemble)
    rules = {row["path"]: row["rule"] for row in caught.value.details["violations"]}
    assert rules["/mass_kg"] == rules["/finish"] == "suggestion_origin"


@pytest.mark.usefixtures("suggested")
@pytest.mark.parametrize("text", [AS_WRITTEN, REFORMATTED])
def test_pasted_into_the_seed_it_does_not_stand_for_itself(profile, store_path, text):
    seed = read_record(text.encode())
    with composer_with(profile, store_path) as composer, pytest.raises(RecordGenerationError) as caught:
        composer.synthesize(seed, pack(SOURCE))
    told = {(row["path"], row["rule"]) for row in caught.value.details["violations"]}
    assert {("/finish", "suggestion_origin"), ("/mass_kg", "suggestion_origin")} <= told
    assert ("/materials/0/share_pct", "suggestion_origin") in told
    # The same without the store.
    assert RecordComposer(profile).synthesize(seed, pack()).record


@pytest.mark.usefixtures("suggested")
def test_pasted_into_the_record_its_origin_is_told(profile, store_path):
    record = {**RECORD, "mass_kg": 5, "finish": "r\u00e9sine"}
    record["materials"] = [{"name": "tin", "share_pct": 40}, {"name": "steel", "share_pct": 60}]
    with composer_with(profile, store_path) as composer:
        result = composer.repair(record, pack(SOURCE))
    # Also with what a sidecar said, which is told by the user alone.
    assert result.conforms
    assert result.origins == {
        "/finish": "suggestion_origin",
        "/mass_kg": "suggestion_origin",
        "/materials/1/share_pct": "suggestion_origin",
    }


def test_a_value_that_a_source_stated_before_it_was_suggested_supports(profile, store_path):
    rivals = pack({"id": "L-1", "mass_kg": 5}, {"id": "L-1", "mass_kg": 6})
    with composer_with(profile, store_path, answer({"/mass_kg": 5, "/finish": "matt"})) as composer:
        result = composer.repair(RECORD, rivals)
    assert {found.path for found in result.suggestions} >= {"/mass_kg"}
    with composer_with(profile, store_path) as composer:
        result = composer.repair(RECORD, pack({"id": "L-1", "mass_kg": 5}))
    assert [(fill.path, fill.value) for fill in result.fills] == [("/mass_kg", 5)]


@pytest.mark.usefixtures("suggested")
def test_a_value_that_somebody_declares_elsewhere_supports_nothing_here(profile, store_path):
    declared = [{"id": "sheet", "content": {"id": "L-1", "mass_kg": 5}, "origins": {"/mass_kg": "declared"}}]
    with composer_with(profile, store_path) as composer:
        result = composer.repair(RECORD, EvidencePack.from_items(declared))
    assert result.fills == ()
    assert {row.path: row.detail for row in result.unresolved}["/mass_kg"] == "declared"


@pytest.mark.usefixtures("suggested")
def test_another_product_is_not_concerned(profile, store_path):
    other = {**RECORD, "id": "L-2"}
    with composer_with(profile, store_path) as composer:
        result = composer.repair(other, pack({"id": "L-2", "mass_kg": 5}))
    assert [fill.path for fill in result.fills] == ["/mass_kg"]


@pytest.mark.usefixtures("suggested")
def test_the_store_holds_no_content(store_path):
    asyncio.run(_checkpoint(store_path))
    data = store_path.read_bytes()
    for text in ("r\u00e9sine", "So I recall", "L-1", "steel"):
        assert text.encode() not in data
    assert len(rows_of(store_path, "issued_suggestions")) == 3


async def _checkpoint(path):
    store = open_store(str(path))
    await store.read(lambda _session: None)
    store.close()


# Other processes, through the command line


class Lamps:
    """A folder in which commands are run, each in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "evidence").mkdir()
        (folder / "lamp.schema.json").write_text(json.dumps(SCHEMA), "utf-8")
        (folder / "lamp.toml").write_text(PROFILE, "utf-8")
        self.write("record.json", RECORD)
        self.write("evidence/source.json", SOURCE)

    def write(self, name: str, content: object) -> None:
        (self.folder / name).write_text(json.dumps(content), "utf-8")

    def run(self, command: str, name: str, *more: str):
        arguments = [command, name, "-p", "lamp.toml", "-e", "evidence", "--json", "--store", "store.db", *more]
        done = subprocess.run(
            [*loaded_command(), *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONWARNINGS": "error"},
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert not done.stderr, done.stderr
        return done.returncode, json.loads(done.stdout)


@pytest.fixture
def lamps(tmp_path):
    from tests.contract.model_server import ModelServer

    made = Lamps(tmp_path)
    with ModelServer(answer(GUESSES)) as server:
        _, result = made.run("repair", "record.json", "--model", "m", "--base-url", server.chat_url)
    assert len(result["suggestions"]) == 3
    return made


def test_after_a_restart_of_the_process_it_is_still_known(lamps):
    lamps.write("evidence/pasted.json", PASTED)
    code, result = lamps.run("repair", "record.json")
    assert code == 1
    assert not result["fills"]
    assert {row["detail"] for row in result["unresolved"]} == {"suggestion_origin"}
    code, refused = lamps.run("synthesize", "record.json")
    assert code == 1
    assert {row["path"]: row["rule"] for row in refused["violations"]}["/mass_kg"] == "suggestion_origin"


def test_a_sidecar_that_is_deleted_or_lies_changes_nothing(lamps):
    lamps.write("seed.json", {"id": "L-1", "mass_kg": 5})
    lamps.write("pasted.json", {"id": "L-1", "mass_kg": 5})
    sidecar = lamps.folder / "seed.origins.json"
    for origins in ({"/mass_kg": "suggestion_origin"}, {"/mass_kg": "evidence"}, None):
        if origins is None:
            sidecar.unlink()
        else:
            sidecar.write_text(json.dumps(origins), "utf-8")
        code, refused = lamps.run("synthesize", "seed.json")
        assert code == 1
        assert ("/mass_kg", "suggestion_origin") in {(row["path"], row["rule"]) for row in refused["violations"]}


def test_the_origin_is_written_beside_the_record_and_holds_without_the_store(lamps):
    lamps.write("record.json", {**RECORD, "mass_kg": 5.0})
    lamps.run("repair", "record.json", "--record-out", "evidence/repaired.json")
    origins = json.loads((lamps.folder / "evidence" / "repaired.origins.json").read_text("utf-8"))
    assert origins == {"/mass_kg": "suggestion_origin"}
    (lamps.folder / "store.db").unlink()
    lamps.write("record.json", RECORD)
    _, result = lamps.run("repair", "record.json")
    assert {row["path"]: row["detail"] for row in result["unresolved"]}["/mass_kg"] == "suggestion_origin"
