"""The store in PostgreSQL when things go wrong: the server, the way to it, its rights, and other runners."""

import asyncio
import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.contract.postgres_server import USER, PostgresServer, running_postgres
from veracord.bootstrap.stores import open_store
from veracord.errors import ConfigurationError, StorageError, VeracordError
from veracord.pipeline import Outcome, Unit, UnitResult
from veracord.pipeline.runs import Lease, RunSpec, Settlement, StepRecord
from veracord.storage.leases import check_lease
from veracord.storage.sql_store import SqlStore

SPEC = RunSpec("nightly", "in.jsonl")
CANARY = "CANARY4711"


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with running_postgres() as server:
        yield server


@pytest.fixture
def admin(server) -> Iterator[Any]:
    import psycopg

    with psycopg.connect(server.address(), autocommit=True) as connection:
        yield connection


_NUMBERS = itertools.count()


@pytest.fixture
def address(server, admin) -> str:
    """The address of an empty schema."""
    name = f"s{next(_NUMBERS)}"
    admin.execute(f"CREATE SCHEMA {name}")
    return server.address(name)


@pytest.fixture
def opened() -> Iterator[Callable[[str], SqlStore]]:
    """Open stores that are closed again."""
    stores: list[SqlStore] = []

    def make(address: str) -> SqlStore:
        stores.append(open_store(address))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


def refused_by(store: SqlStore) -> StorageError:
    with pytest.raises(StorageError) as refused:
        asyncio.run(store.open_run(SPEC))
    assert refused.value.__cause__ is None
    return refused.value


async def settle(store: SqlStore, lease: Lease, position: int) -> None:
    claim = await store.claim(lease, position)
    if claim is None:
        # Its claims were lost too often: it is set aside.
        return
    result = UnitResult(f"k{position}", position, Outcome.ACCEPTED, value=CANARY, producer_id="p")
    assert await store.settle(lease, claim, Settlement(result, records=[StepRecord("p", f"q{position}", "", CANARY)]))


async def planned(store: SqlStore, count: int) -> Lease:
    lease = await store.open_run(SPEC)
    await store.plan(lease, [Unit(f"k{position}", position, position) for position in range(count)])
    return lease


async def done_in(store: SqlStore) -> set[int]:
    return {result.position async for result in store.results(SPEC.run_id)}


# Addresses


@pytest.mark.parametrize(
    ("url", "code"),
    [
        (f"postgresql://me:{CANARY}@[::1/db", "invalid_store_address"),
        (f"postgresql://me:{CANARY}@db.example/runs?nothing=1", "invalid_store_address"),
        (f"postgresql://me:{CANARY}%zz@db.example/runs", "invalid_store_address"),
        (f"mysql://me:{CANARY}@db.example/runs", "unknown_store"),
        (f"{CANARY}://", "unknown_store"),
    ],
)
def test_an_address_that_is_none_is_refused_without_telling_it(url, code):
    with pytest.raises(ConfigurationError) as refused:
        open_store(url)
    assert refused.value.code == code
    assert CANARY not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_driver_that_is_not_installed_is_told_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigurationError) as refused:
        open_store("postgresql://db.example/runs")
    assert (refused.value.code, refused.value.remedy) == ("missing_extra", "pip install 'veracord[postgres]'")


def test_nothing_is_loaded_or_opened_for_a_store_in_a_file():
    code = "import sys, veracord.bootstrap.stores as s; s.open_store('a.db'); print('psycopg' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    assert told.stdout == "False\n"


def test_a_server_that_is_not_there_is_named_without_who_asked(opened):
    store = opened(f"postgresql://someone:{CANARY}@127.0.0.1:1/runs")
    error = refused_by(store)
    assert str(error) == (
        "store_unusable: the store cannot be used, postgresql://127.0.0.1/runs, "
        "check that the server runs, its address, and who may log in"
    )


@pytest.mark.parametrize("asked", [{"user": CANARY}, {"database": "no_such"}], ids=["user", "database"])
def test_who_is_not_let_in_is_told_nothing_that_the_server_said(server, opened, asked):
    error = refused_by(opened(server.address(**asked)))
    assert error.code == "store_unusable"
    assert CANARY not in str(error)
    assert "does not exist" not in str(error)


# Rights and settings


def test_a_user_without_the_right_to_make_tables_is_told_so(admin, address, opened):
    admin.execute("CREATE ROLE reader LOGIN")
    error = refused_by(opened(address.replace(f"{USER}@", "reader@")))
    assert error.code == "store_failed"
    assert "InsufficientPrivilege" in error.what or "InvalidSchemaName" in error.what
    assert error.remedy == "give the user a schema in which it may create tables and write to them"


def test_a_database_that_does_not_keep_unicode_is_refused(server, admin, opened):
    admin.execute("CREATE DATABASE old ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    error = refused_by(opened(server.address(database="old")))
    assert (error.code, error.what) == ("store_unusable", "the database has the encoding LATIN1")


def test_it_is_durable_and_patient_whatever_the_server_was_told(server, admin, opened):
    admin.execute("CREATE DATABASE lax")
    for setting in (
        "synchronous_commit = off",
        "default_transaction_isolation = 'serializable'",
        "default_transaction_read_only = on",
        "client_encoding = 'LATIN1'",
    ):
        admin.execute(f"ALTER DATABASE lax SET {setting}")
    store = opened(server.address(database="lax"))

    async def shown() -> list[str]:
        names = ("synchronous_commit", "transaction_isolation", "transaction_read_only", "client_encoding")
        return [(await store.read(lambda session, name=name: session.execute(f"SHOW {name}")))[0][0] for name in names]

    assert asyncio.run(shown()) == ["on", "read committed", "off", "UTF8"]
    asyncio.run(planned(store, 1))


# Crashes


def test_a_server_that_crashes_loses_nothing_that_was_promised(address, server, opened):
    promised: set[int] = set()
    store = opened(address)

    async def work() -> StorageError:
        lease = await planned(store, 5000)
        crash = asyncio.get_running_loop().run_in_executor

        async def one(position: int) -> None:
            await settle(store, lease, position)
            promised.add(position)

        for first in range(0, 5000, 50):
            if first == 300:
                crashed = crash(None, server.crash)
            ends = await asyncio.gather(*(one(first + number) for number in range(50)), return_exceptions=True)
            if any(ends):
                await crashed
                assert {type(end) for end in ends if end} == {StorageError}
                with pytest.raises(StorageError):
                    await store.claim(lease, 4999)
                return next(end for end in ends if end)
        pytest.fail("it was not seen")

    error = asyncio.run(work())
    assert (error.code, error.remedy) == ("store_failed", "check the server and the way to it; start the run again")
    assert CANARY not in str(error)
    server.start()
    again = opened(address)
    assert len(promised) >= 300
    assert asyncio.run(done_in(again)) >= promised

    async def go_on() -> None:
        # The one before still lives, and has no connection any more: its time must run out.
        await again.read(lambda session: session.change("UPDATE runs SET lease_until = 0"))
        lease = await again.open_run(SPEC)
        todo = await again.plan(lease, [Unit(f"k{position}", position, position) for position in range(5000)])
        assert promised.isdisjoint(todo)
        await asyncio.gather(*(settle(again, lease, position) for position in todo[:100]))
        commits = await again.read(
            lambda session: session.execute(
                "SELECT position, COUNT(*) FROM receipts WHERE kind = 'commit' GROUP BY position"
            )
        )
        assert {count for _, count in commits} == {1}
        assert len(commits) == 5000 - len(todo) + 100

    asyncio.run(go_on())


def test_a_connection_that_is_cut_ends_the_run_and_a_new_one_goes_on(address, admin, opened):
    store = opened(address)
    lease = asyncio.run(planned(store, 2))
    asyncio.run(settle(store, lease, 0))
    admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'veracord'")
    with pytest.raises(StorageError) as failed:
        asyncio.run(settle(store, lease, 1))
    assert failed.value.code == "store_failed"
    assert asyncio.run(done_in(opened(address))) == {0}


def test_a_transaction_that_was_undone_is_not_told_as_kept(address, opened):
    store = opened(address)

    def fail_quietly(session: Any) -> None:
        session.change("INSERT INTO store (name, value) VALUES ('lost', '')")
        # As a statement that failed, and whose error somebody swallowed.
        session.change("RELEASE SAVEPOINT operation")
        with pytest.raises(Exception, match="no_such"):
            session.change("SELECT * FROM no_such_table")
        session.change("ROLLBACK TO SAVEPOINT none")

    with pytest.raises(StorageError):
        asyncio.run(store.read(fail_quietly))
    names = asyncio.run(opened(address).read(lambda session: session.execute("SELECT name FROM store")))
    assert ("lost",) not in names


def test_a_commit_of_a_failed_transaction_is_an_error(address):
    from veracord.storage.postgres import PostgresSession

    session = PostgresSession(address)
    session.begin()
    with pytest.raises(Exception, match="no_such"):
        session.execute("SELECT * FROM no_such_table")
    with pytest.raises(StorageError, match="undone"):
        session.commit()
    session.roll_back()
    session.begin()
    session.change("CREATE TABLE t (a INTEGER)")
    session.roll_back()
    assert session.execute("SELECT to_regclass('t')") == [(None,)]
    session.close()


# Other runners


def test_a_lease_cannot_be_taken_while_its_holder_is_in_a_transaction(address, opened):
    store, other = opened(address), opened(address)
    entered, leave = threading.Event(), threading.Event()

    async def check() -> None:
        lease = await planned(store, 1)
        await other.read(lambda session: session.change("UPDATE runs SET lease_until = 0"))

        def hold(session: Any) -> int:
            check_lease(session, lease)
            entered.set()
            assert leave.wait(10)
            # Still ours: nobody could take it since.
            check_lease(session, lease)
            return int(session.change("UPDATE units SET fence = 7 WHERE position = 0"))

        holding = asyncio.ensure_future(store.read(hold))
        await asyncio.to_thread(entered.wait)
        taking = asyncio.ensure_future(other.open_run(SPEC))
        _, waits = await asyncio.wait([taking], timeout=0.3)
        assert waits
        leave.set()
        assert await holding == 1
        again = await taking
        assert again.epoch == 2
        assert (await other.claim(again, 0)).fence == 8

    asyncio.run(check())


def test_who_stands_still_in_a_transaction_is_cut_off(address, opened):
    store, other = opened(address), opened(address)

    async def check() -> None:
        lease = await planned(store, 1)
        ((limit,),) = await store.read(lambda session: session.execute("SHOW idle_in_transaction_session_timeout"))
        assert limit == "10s"
        await other.read(lambda session: session.change("UPDATE runs SET lease_until = 0"))

        def stand_still(session: Any) -> None:
            session.execute("SELECT set_config('idle_in_transaction_session_timeout', '200', false)")
            check_lease(session, lease)
            time.sleep(0.8)

        standing = asyncio.ensure_future(store.read(stand_still))
        began = time.monotonic()
        await asyncio.sleep(0.1)
        assert (await other.open_run(SPEC)).epoch == 2
        assert time.monotonic() - began < 0.7
        with pytest.raises(StorageError) as cut:
            await standing
        assert cut.value.remedy == "this process stood still for too long; start the run again"

    asyncio.run(check())


def test_who_waits_for_the_store_without_end_gives_up(address, admin, opened):
    store = opened(address)
    lease = asyncio.run(planned(store, 1))
    ((limit,),) = asyncio.run(store.read(lambda session: session.execute("SHOW lock_timeout")))
    assert limit == "15s"
    asyncio.run(store.read(lambda session: session.execute("SELECT set_config('lock_timeout', '100', false)")))
    schema = address.rpartition("search_path%3D")[2]
    with admin.transaction():
        admin.execute(f"LOCK TABLE {schema}.runs")
        with pytest.raises(StorageError) as failed:
            asyncio.run(store.claim(lease, 0))
    assert failed.value.remedy == "another process holds the store; try again when it has ended"


def test_runs_that_go_on_at_the_same_time_do_not_hold_each_other_up(address, opened):
    store, other = opened(address), opened(address)
    entered, leave = threading.Event(), threading.Event()

    async def check() -> None:
        lease = await planned(store, 1)

        def hold(session: Any) -> None:
            check_lease(session, lease)
            entered.set()
            assert leave.wait(10)

        holding = asyncio.ensure_future(store.read(hold))
        await asyncio.to_thread(entered.wait)
        second = await other.open_run(RunSpec("other"))
        await other.plan(second, [Unit("a", 1, 0)])
        await settle(other, second, 0)
        leave.set()
        await holding

    asyncio.run(asyncio.wait_for(check(), 10))


def test_two_runners_of_one_run_settle_each_unit_once(address, opened):
    """One takes over again and again from the other, in the middle of its work."""
    count = 400

    async def work(store: SqlStore, number: int) -> set[str]:
        ends: set[str] = set()
        for turn in range(8):
            await store.read(lambda session: session.change("UPDATE runs SET lease_until = 0"))
            try:
                lease = await store.open_run(SPEC)
                todo = await store.plan(lease, [Unit(f"k{position}", position, position) for position in range(count)])
            except VeracordError as error:
                ends.add(error.code)
                continue
            await asyncio.sleep(0.01 * number)
            calls = (settle(store, lease, position) for position in todo[: 30 * turn])
            told = await asyncio.gather(*calls, return_exceptions=True)
            ends |= {getattr(end, "code", "stale") for end in told if end is not None}
        return ends

    async def check() -> None:
        stores = [opened(address), opened(address)]
        await planned(stores[0], count)
        ends = await asyncio.gather(*(work(store, number) for number, store in enumerate(stores)))
        assert set.union(*ends) <= {"run_held", "lease_lost", "not_claimable", "stale"}
        assert set.union(*ends) & {"lease_lost", "stale"}
        done = await done_in(stores[0])
        commits = await stores[1].read(
            lambda session: session.execute(
                "SELECT position, COUNT(*) FROM receipts WHERE kind = 'commit' GROUP BY position"
            )
        )
        set_aside = await stores[1].read(
            lambda session: session.execute("SELECT position FROM units WHERE outcome = 'lost'")
        )
        assert {position for position, _ in commits} == done - {position for (position,) in set_aside}
        assert {times for _, times in commits} == {1}

    asyncio.run(check())
