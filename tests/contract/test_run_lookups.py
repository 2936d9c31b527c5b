"""What is looked up, removed and copied holds for every database."""

import asyncio

import pytest

from veracord.bootstrap.run_choices import RunStore, RunWish
from veracord.bootstrap.run_lookups import RunLookup, copy_store
from veracord.errors import ConfigurationError
from veracord.pipeline import Candidate, Disposition, Outcome, Pipeline, Policy, ProducerBinding, Unit, ValidatorBinding
from veracord.pipeline.runs import RunSpec
from veracord.pipeline.stores import StoredRun
from veracord.storage.copies import TABLES
from veracord.storage.removal import STEP

UNITS = [Unit(key, key, position) for position, key in enumerate(("good", "bad", "odd", "é\x00"))]


class Echo:
    correction_protocol = None

    async def produce(self, attempt):
        return Candidate(attempt.unit.value)

    def fingerprint(self, attempt):
        return {"unit": attempt.unit.value}


def check(value):
    if value == "odd":
        raise ValueError
    return ["bad"] if value == "bad" else None


def fill(place, name="one", part="1", units=UNITS):
    """Bring a run to its end, and return its id."""
    spec = RunSpec(name, "in.jsonl", {"a": part}, {"policy": {}, "model": {"part": part}})
    policy = Policy(rejection=Disposition.WARN_CONTINUE)
    pipeline = Pipeline([ProducerBinding("p", Echo(), [ValidatorBinding("v", check)], policy=policy)])
    asyncio.run(pipeline.aio.run(units, store=StoredRun(place.open(), spec)))
    return spec.run_id


def test_runs_are_found(sql_place):
    first, second = fill(sql_place), fill(sql_place, part="2")
    with RunLookup(sql_place.url) as lookup:
        assert [row["run_id"] for row in lookup.runs()] == [second, first]
        assert lookup.manifest("one")["run_id"] == second
        manifest = lookup.manifest(first[:9])
        assert manifest["outcomes"] == {"accepted": 2, "accepted_incomplete": 1, "rejected": 1}
        assert manifest["dispositions"] == {"fail_run": 0, "warn_continue": 2}
        assert (manifest["complete"], manifest["running"], manifest["units"]) == (True, False, 4)
        assert lookup.manifest(second)["parent_run_id"] == first
        assert lookup.manifest(second)["attempts"]["cached"] == 2
        assert len(lookup.end_times(first)) == 4
        told = lookup.explain_unit(second, "bad")
        assert [row["kind"] for row in told["receipts"]] == ["intent", "attempt", "commit"]
        assert lookup.explain_unit(first, "é\x00")["outcome"] == "accepted"
        with pytest.raises(ConfigurationError) as caught:
            lookup.manifest("two")
        assert caught.value.code == "unknown_run"


def test_runs_are_removed(sql_place):
    many = [Unit(f"k{number}", number, number) for number in range(STEP + 1)]
    first, second = fill(sql_place, units=many), fill(sql_place, part="2")
    with RunLookup(sql_place.url) as lookup:
        (row,) = lookup.remove(1, None, is_dry=True)
        assert (row["run_id"], row["units"], row["records"]) == (first, STEP + 1, STEP + 1)
        assert len(lookup.runs()) == 2
        before = lookup.manifest(second)
        lookup.remove(1, None, is_dry=False)
        assert [row["run_id"] for row in lookup.runs()] == [second]
        assert lookup.manifest(second) == {**before, "parent_run_id": None}
    for table in TABLES:
        if "run_id" not in table.columns:
            continue
        assert sql_place.ask(f"SELECT COUNT(*) FROM {table.name} WHERE run_id = ?", first) == [(0,)]  # noqa: S608 - ours


def test_a_run_that_is_held_stays(sql_place):
    run_id = fill(sql_place)
    spec = RunSpec("one", "in.jsonl", {"a": "1"}, {"policy": {}, "model": {"part": "1"}})

    async def hold():
        holder = sql_place.open()
        lease = await holder.open_run(spec)
        with RunStore(sql_place.url) as store, pytest.raises(ConfigurationError) as caught:
            await store.choose(spec, RunWish(is_takeover=True))
        assert caught.value.code == "run_held"
        return lease

    asyncio.run(hold())
    with RunLookup(sql_place.url) as lookup:
        assert lookup.manifest(run_id)["running"] is True
        assert lookup.remove(0, None, is_dry=False) == []


def test_how_many_units_are_taken_as_they_are(sql_place):
    fill(sql_place)
    spec = RunSpec("one", "in.jsonl", {"a": "1"}, {"policy": {}, "model": {"part": "1"}})

    async def choose(again):
        with RunStore(sql_place.url) as store:
            return (await store.choose(spec, RunWish(again))).reused

    assert asyncio.run(choose(())) == 3
    assert asyncio.run(choose((Outcome.REJECTED,))) == 2


def test_a_store_is_copied_there_and_back(sql_place, tmp_path):
    run_id = fill(sql_place)
    copy = str(tmp_path / "copy.db")
    told = copy_store(sql_place.url, copy)
    assert told["rows"]["units"] == 4
    with RunLookup(sql_place.url) as old, RunLookup(copy) as new:
        assert new.manifest(run_id) == old.manifest(run_id)
    for table in reversed(TABLES[1:]):
        sql_place.change(f"DELETE FROM {table.name}")  # noqa: S608 - ours
    sql_place.change("DELETE FROM store WHERE name = 'salt'")
    assert copy_store(copy, sql_place.url) == told
    with pytest.raises(ConfigurationError) as caught:
        copy_store(copy, sql_place.url)
    assert caught.value.code == "store_not_empty"


def test_every_column_is_copied(sql_place):
    fill(sql_place)
    for table in TABLES:
        if sql_place.url.startswith("postgres"):
            rows = sql_place.ask(
                "SELECT column_name FROM information_schema.columns WHERE table_name = ?"
                " AND table_schema = current_schema()",
                table.name,
            )
        else:
            rows = sql_place.ask("SELECT name FROM pragma_table_info(?)", table.name)
        assert {row[0] for row in rows} == set(table.columns)
