"""The JSON Schemas of manifest and receipt hold for what a run leaves behind, and their closed sets are the code's."""

import asyncio
import json
from copy import deepcopy
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from veracord.bootstrap.run_lookups import RunLookup
from veracord.errors import ModelUnavailableError
from veracord.pipeline import Candidate, Disposition, Outcome, Pipeline, Policy, ProducerBinding, Unit, ValidatorBinding
from veracord.pipeline.runs import RunSpec
from veracord.pipeline.stores import StoredRun
from veracord.pipeline.verdicts import Status
from veracord.records.writing import write_json
from veracord.storage.sql_store import SqlStore
from veracord.storage.sqlite import SqliteSession


def schema(name):
    return json.loads((files("veracord") / f"bundled/schemas/{name}.schema.json").read_text("utf-8"))


MANIFEST, RECEIPT = schema("manifest"), schema("receipt")


def problems(content, value):
    validator = Draft202012Validator(content, format_checker=FormatChecker())
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


class Producer:
    """Makes what the unit says; fails for one."""

    correction_protocol = None

    async def produce(self, attempt):
        if attempt.unit.value == "gone":
            raise ModelUnavailableError("x")
        return Candidate(attempt.unit.value)

    def fingerprint(self, attempt):
        return {"unit": attempt.unit.value}


def check(value):
    if value == "odd":
        raise ValueError
    return ["bad"] if value == "bad" else None


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The manifest and all receipts of a run with many endings, a lost claim and a late end among them."""
    path = tmp_path_factory.mktemp("store") / "store.db"
    policy = Policy(rejection=Disposition.WARN_CONTINUE, transport_failure=Disposition.WARN_CONTINUE)
    units = [Unit(value, value, number) for number, value in enumerate(("good", "bad", "odd", "gone"))]
    binding = ProducerBinding("p", Producer(), [ValidatorBinding("v", check)], policy=policy)
    facts = {
        "policy": {name: row.to_dict() for name, row in Pipeline([binding]).policies.items()},
        "model": {"adapter": "none"},
        "versions": {"veracord": "1"},
    }

    async def go():
        store = SqlStore(lambda: SqliteSession(path), "store")
        first = RunSpec("one", "in.jsonl", {"a": "1"}, facts)
        await Pipeline([binding]).aio.run(units, store=StoredRun(store, first))
        again = RunSpec("one", "in.jsonl", {"a": "2"})
        lease = await store.open_run(again)
        await store.plan(lease, units)
        await store.finish_plan(lease, len(units))
        for _ in range(3):
            await store.claim(lease, 0)
        await store.claim(lease, 0)
        await store.close_run(lease, "test")
        await Pipeline([binding]).aio.run(units, store=StoredRun(store, again))
        store.close()
        return first.run_id, again.run_id

    runs = asyncio.run(go())
    with RunLookup(str(path)) as lookup:
        manifests = [plain(lookup.manifest(run)) for run in runs]
        histories = [plain(lookup.explain_unit(run, unit.key)) for run in runs for unit in units]
    return manifests, [receipt for history in histories for receipt in history["receipts"]]


def plain(value):
    return json.loads(write_json(value))


def test_they_are_schemas():
    for content in (MANIFEST, RECEIPT):
        Draft202012Validator.check_schema(content)


def test_manifests(told):
    for manifest in told[0]:
        assert problems(MANIFEST, manifest) == []
        assert manifest["complete"] is True
    assert told[0][0]["outcomes"] == {
        "accepted": 1,
        "accepted_incomplete": 1,
        "rejected": 1,
        "transport_failure": 1,
    }
    assert told[0][0]["dispositions"] == {"fail_run": 0, "warn_continue": 3}


def test_receipts(told):
    assert {receipt["kind"] for receipt in told[1]} == {"intent", "attempt", "lost", "set_aside", "commit"}
    for receipt in told[1]:
        assert problems(RECEIPT, receipt) == [], receipt


def test_the_closed_sets_are_those_of_the_code():
    outcomes = {outcome.value for outcome in Outcome}
    assert set(MANIFEST["properties"]["outcomes"]["propertyNames"]["enum"]) == outcomes
    assert set(MANIFEST["properties"]["dispositions"]["properties"]) == {item.value for item in Disposition}
    assert set(RECEIPT["$defs"]["check"]["properties"]["status"]["enum"]) == {status.value for status in Status}
    for kind in RECEIPT["oneOf"]:
        if "outcome" in kind["properties"]:
            assert set(kind["properties"]["outcome"]["enum"]) == outcomes


@pytest.mark.parametrize("name", MANIFEST["required"])
def test_a_manifest_without_a_member_is_refused(told, name):
    manifest = deepcopy(told[0][0])
    del manifest[name]
    assert problems(MANIFEST, manifest)


@pytest.mark.parametrize("name", ["response", "prompt", "text"])
def test_nothing_else_may_stand_in_a_receipt(told, name):
    for receipt in told[1]:
        assert problems(RECEIPT, {**receipt, name: "x"})
