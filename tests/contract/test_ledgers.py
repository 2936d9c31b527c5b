"""What every ledger keeps: one suite over memory, SQLite and PostgreSQL; and how an older store gets one."""

import asyncio
import sqlite3

import pytest

from veracord.bootstrap.run_lookups import RunLookup, copy_store
from veracord.bootstrap.stores import open_store
from veracord.composer.ledgers import LedgerEntry
from veracord.errors import ConfigurationError
from veracord.storage import schema
from veracord.testing import MemoryLedger

A = LedgerEntry("p1", "/mass_kg", "sha256:1")
B = LedgerEntry("p1", "/materials/@0a/share_pct", "sha256:2")
C = LedgerEntry("p2", "/mass_kg", "sha256:1")


@pytest.fixture
def ledger(place):
    """The ledger of any store; memory has one of its own."""
    store = place.open()
    return getattr(store, "ledger", None) or MemoryLedger()


def test_what_was_issued_is_found_by_its_product(ledger):
    async def check():
        assert await ledger.issued(["p1"]) == frozenset()
        await ledger.issue([A, B, C])
        assert await ledger.issued(["p1"]) == {A, B}
        assert await ledger.issued({"p1", "p2", "p3"}) == {A, B, C}
        assert await ledger.issued([]) == frozenset()
        assert await ledger.rejected(["p1", "p2"]) == frozenset()

    asyncio.run(check())


def test_to_issue_twice_changes_nothing(ledger):
    async def check():
        await ledger.issue([A, A])
        await ledger.issue([A, B])
        await ledger.issue([])
        assert await ledger.issued(["p1"]) == {A, B}

    asyncio.run(check())


def test_what_was_rejected_stands_apart(ledger):
    async def check():
        await ledger.issue([A])
        await ledger.reject([B, B])
        await ledger.reject([B])
        assert await ledger.issued(["p1"]) == {A}
        assert await ledger.rejected(["p1"]) == {B}

    asyncio.run(check())


def test_many_products_are_asked_for_at_once(ledger):
    async def check():
        await ledger.issue([A, C])
        assert await ledger.issued([f"p{number}" for number in range(1_500)]) == {A, C}

    asyncio.run(check())


def test_it_is_there_for_another_process_and_issued_by_several_at_once(sql_place):
    first, second = sql_place.open(), sql_place.open()
    entries = [LedgerEntry("p", f"/{number}", "v") for number in range(50)]

    async def check():
        await asyncio.gather(first.ledger.issue(entries), second.ledger.issue(entries[::-1]))
        return await second.ledger.issued(["p"])

    assert asyncio.run(check()) == set(entries)
    assert asyncio.run(sql_place.open().ledger.issued(["p"])) == set(entries)


def test_it_is_kept_when_runs_are_removed_and_goes_along_when_a_store_is_copied(sql_place, tmp_path):
    async def fill():
        ledger = sql_place.open().ledger
        await ledger.issue([A])
        await ledger.reject([B])

    asyncio.run(fill())
    with RunLookup(sql_place.url) as lookup:
        assert lookup.remove(0, None, is_dry=False) == []
    assert [sql_place.count(table) for table in ("issued_suggestions", "rejected_suggestions")] == [1, 1]
    copy = tmp_path / "copy.db"
    told = copy_store(sql_place.url, str(copy))
    assert (told["rows"]["issued_suggestions"], told["rows"]["rejected_suggestions"]) == (1, 1)
    store = open_store(str(copy))
    assert asyncio.run(store.ledger.issued(["p1"])) == {A}
    assert asyncio.run(store.ledger.rejected(["p1"])) == {B}
    store.close()


def test_a_store_with_nothing_but_suggestions_is_not_empty(sql_place, tmp_path):
    asyncio.run(sql_place.open().ledger.issue([A]))
    other = open_store(str(tmp_path / "other.db"))
    asyncio.run(other.ledger.issue([C]))
    other.close()
    with pytest.raises(ConfigurationError) as caught:
        copy_store(str(tmp_path / "other.db"), sql_place.url)
    assert caught.value.code == "store_not_empty"


def at_version_1(sql_place, monkeypatch):
    """Make a store as the version before made it, with one run in it."""
    with monkeypatch.context() as patched:
        patched.setattr(schema, "STEPS", schema.STEPS[:1])
        store = open_store(sql_place.url)
        asyncio.run(store.read(lambda _session: None))
        store.close()
    sql_place.change(
        "INSERT INTO runs (run_id, name, input, spec, parts, facts, created_at, units, epoch, lease_until)"
        " VALUES ('r', 'nightly', 'in.jsonl', 's', '{}', '{}', '2026-01-01T00:00:00+00:00', 0, 1, 0)"
    )
    assert sql_place.ask("SELECT value FROM store WHERE name = 'version'") == [("1",)]


def test_a_store_of_version_1_gets_a_ledger_and_keeps_its_runs(sql_place, monkeypatch):
    at_version_1(sql_place, monkeypatch)
    store = sql_place.open()

    async def check():
        await store.ledger.issue([A])
        return await store.ledger.issued(["p1"])

    assert asyncio.run(check()) == {A}
    assert sql_place.ask("SELECT value FROM store WHERE name = 'version'") == [(str(len(schema.STEPS)),)]
    assert sql_place.ask("SELECT name FROM runs") == [("nightly",)]


def test_two_that_open_an_old_store_at_once_migrate_it_once(sql_place, monkeypatch):
    at_version_1(sql_place, monkeypatch)
    stores = [sql_place.open() for _ in range(4)]

    async def check():
        await asyncio.gather(*(store.ledger.issue([A]) for store in stores))

    asyncio.run(check())
    assert sql_place.count("issued_suggestions") == 1


def test_a_file_is_backed_up_before_it_is_migrated(tmp_path, monkeypatch):
    path = tmp_path / "store.db"
    with monkeypatch.context() as patched:
        patched.setattr(schema, "STEPS", schema.STEPS[:1])
        store = open_store(str(path))
        asyncio.run(store.read(lambda _session: None))
        store.close()
    assert not list(tmp_path.glob("*.backup"))
    store = open_store(str(path))
    asyncio.run(store.ledger.issue([A]))
    store.close()
    (backup,) = tmp_path.glob("*.backup")
    assert backup.name == "store.db.v1.backup"
    connection = sqlite3.connect(backup)
    assert connection.execute("SELECT value FROM store WHERE name = 'version'").fetchall() == [("1",)]
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert "runs" in tables
    assert "issued_suggestions" not in tables
    connection.close()
