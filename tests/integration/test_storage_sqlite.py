"""The store in a file: what is promised is there, whatever happens to the process, the disk and the file."""

import asyncio
import multiprocessing
import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from veracord.errors import PipelineError, StorageError
from veracord.pipeline import Outcome, Unit, UnitResult
from veracord.pipeline.runs import Lease, RunSpec, Settlement, StepRecord
from veracord.records.writing import write_json
from veracord.storage.schema import STEPS
from veracord.storage.sql_store import SqlStore
from veracord.storage.sqlite import SqliteSession
from veracord.storage.writer import GroupWriter

SPEC = RunSpec("nightly", "in.jsonl")
CANARY = "CANARY-4711"


def store_at(path: Path, wrap: Callable[[SqliteSession], Any] = lambda session: session) -> SqlStore:
    return SqlStore(lambda: wrap(SqliteSession(path)), str(path))


def units(count: int) -> list[Unit]:
    return [Unit(f"k{position}", {"n": position}, position) for position in range(count)]


def accepted(position: int, value: Any = CANARY) -> Settlement:
    result = UnitResult(f"k{position}", position, Outcome.ACCEPTED, value=value, producer_id="p")
    return Settlement(result, records=[StepRecord("p", f"q{position}", "", value)])


async def settle(store: SqlStore, lease: Lease, position: int, value: Any = CANARY) -> None:
    claim = await store.claim(lease, position)
    assert await store.settle(lease, claim, accepted(position, value))


async def planned(store: SqlStore, count: int) -> Lease:
    lease = await store.open_run(SPEC)
    await store.plan(lease, units(count))
    return lease


async def done_in(store: SqlStore) -> list[int]:
    return [result.position async for result in store.results(SPEC.run_id)]


def reopened(path: Path) -> list[int]:
    """The positions that a fresh process would see as done."""
    store = store_at(path)
    try:
        return asyncio.run(done_in(store))
    finally:
        store.close()


class Wrapped:
    """A session that can fail, and tells what it was asked."""

    def __init__(self, session: SqliteSession) -> None:
        self.session = session
        self.error: Exception | None = None
        self.fails_at = "commit"
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        real = getattr(self.session, name)
        if not callable(real):
            return real

        def call(*arguments: Any) -> Any:
            self.calls.append(name)
            if self.error is not None and name == self.fails_at:
                raise self.error
            return real(*arguments)

        return call


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def wrapped(path: Path) -> Iterator[tuple[SqlStore, list[Wrapped]]]:
    """A store whose session can be made to fail."""
    sessions: list[Wrapped] = []

    def wrap(session: SqliteSession) -> Wrapped:
        sessions.append(Wrapped(session))
        return sessions[-1]

    store = store_at(path, wrap)
    yield store, sessions
    store.close()


def full_disk() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(f"database or disk is full: {CANARY}")
    error.sqlite_errorname = "SQLITE_FULL"
    return error


# The writer


def test_nobody_learns_of_success_when_a_commit_fails(wrapped, path):
    store, sessions = wrapped

    async def check() -> None:
        lease = await planned(store, 40)
        claims = [await store.claim(lease, position) for position in range(40)]
        sessions[0].error = full_disk()
        ends = await asyncio.gather(
            *(store.settle(lease, claim, accepted(claim.position)) for claim in claims), return_exceptions=True
        )
        assert {type(end) for end in ends} == {StorageError}
        assert {end.code for end in ends} == {"store_failed"}
        assert {end.remedy for end in ends} == {"the disk is full"}
        # It promises nothing any more, also when the disk has room again.
        sessions[0].error = None
        with pytest.raises(StorageError, match="SQLITE_FULL") as refused:
            await store.settle(lease, claims[0], accepted(0))
        assert CANARY not in str(refused.value)
        with pytest.raises(StorageError):
            await store.close_run(lease, "store_failed")

    asyncio.run(check())
    assert reopened(path) == []


@pytest.mark.parametrize("fails_at", ["begin", "change", "execute"])
def test_an_error_of_the_driver_ends_the_writer_and_tells_nothing_of_the_content(wrapped, path, fails_at):
    store, sessions = wrapped

    async def check() -> None:
        lease = await planned(store, 2)
        await settle(store, lease, 0)
        sessions[0].fails_at, sessions[0].error = fails_at, full_disk()
        for _ in range(2):
            with pytest.raises(StorageError) as failed:
                await settle(store, lease, 1)
            assert CANARY not in repr(failed.value.__dict__) + str(failed.value)
            assert failed.value.__cause__ is None

    asyncio.run(check())
    assert reopened(path) == [0]


def test_a_commit_comes_before_the_word_to_the_caller(wrapped):
    store, sessions = wrapped

    async def check() -> None:
        lease = await planned(store, 1)
        seen: list[str] = []
        claim = await store.claim(lease, 0)
        sessions[0].calls.clear()
        task = asyncio.ensure_future(store.settle(lease, claim, accepted(0)))
        task.add_done_callback(lambda _: seen.extend(sessions[0].calls))
        await task
        assert seen[0] == "begin"
        assert seen[-1] == "commit"

    asyncio.run(check())


def test_many_callers_share_a_commit_and_each_gets_its_own_answer(wrapped):
    store, sessions = wrapped

    async def check() -> None:
        await planned(store, 1)
        before = sessions[0].calls.count("commit")

        def numbered(number: int) -> Callable[[Any], int]:
            def work(session: Any) -> int:
                session.change("INSERT INTO store VALUES (?, '')", (f"n{number:04}",))
                return number

            return work

        answers = await asyncio.gather(*(store.read(numbered(number)) for number in range(2000)))
        assert answers == list(range(2000))
        assert sessions[0].calls.count("commit") - before <= 20
        rows = await store.read(
            lambda session: session.execute("SELECT name FROM store WHERE name LIKE 'n%' ORDER BY rowid")
        )
        assert [row[0] for row in rows] == [f"n{number:04}" for number in range(2000)]

    asyncio.run(check())


def test_what_is_refused_undoes_itself_alone(wrapped):
    store, _ = wrapped

    def refuse(session: Any) -> None:
        session.change("INSERT INTO store VALUES ('refused', '')")
        raise PipelineError("no", code="refused", where="here", details={"a": 1})

    def keep(session: Any) -> None:
        session.change("INSERT INTO store VALUES ('kept', '')")

    async def check() -> None:
        await planned(store, 1)
        refused, kept, again = await asyncio.gather(
            store.read(refuse), store.read(keep), store.read(refuse), return_exceptions=True
        )
        assert (refused.code, refused.where, refused.details) == ("refused", "here", {"a": 1})
        assert kept is None
        assert again is not refused
        rows = await store.read(lambda s: s.execute("SELECT name FROM store WHERE name IN ('refused', 'kept')"))
        assert rows == [("kept",)]

    asyncio.run(check())


def test_who_went_away_does_not_keep_others_from_their_answer(wrapped):
    store, _ = wrapped

    async def check() -> None:
        lease = await planned(store, 50)
        claims = [await store.claim(lease, position) for position in range(50)]
        tasks = [asyncio.ensure_future(store.settle(lease, claim, accepted(claim.position))) for claim in claims]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert ends[1::2] == [True] * 25
        assert set(await done_in(store)) >= set(range(1, 50, 2))

    asyncio.run(check())


def test_a_loop_that_is_gone_does_not_keep_the_writer(path):
    store = store_at(path)
    lease = asyncio.run(planned(store, 2))

    async def leave() -> None:
        claim = await store.claim(lease, 0)
        task = asyncio.ensure_future(store.settle(lease, claim, accepted(0)))
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(leave())
    asyncio.run(settle(store, lease, 1))
    store.close()
    assert 1 in reopened(path)


def test_a_writer_that_has_ended_answers_everyone(path):
    writer = GroupWriter(lambda: Wrapped(SqliteSession(path)), pulse_s=60)

    def fail(_: Any) -> None:
        raise full_disk()

    async def check() -> None:
        calls = [writer.do(fail if number == 30 else lambda _: None) for number in range(300)]
        ends = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 10)
        assert {type(end) for end in ends[30:]} == {StorageError}

    for _ in range(10):
        asyncio.run(check())
    writer.close()


def test_a_look_that_is_refused_undoes_nothing_of_the_others(path):
    writer = GroupWriter(lambda: SqliteSession(path), pulse_s=60)

    def refuse(_: Any) -> None:
        raise StorageError("no", code="refused")

    async def check() -> None:
        await writer.do(lambda session: session.change("CREATE TABLE told (number INTEGER)"))
        adds = [writer.do(lambda session, n=n: session.change("INSERT INTO told VALUES (?)", (n,))) for n in range(3)]
        looks = [
            writer.do(refuse, changes=False),
            writer.do(lambda session: session.execute("SELECT 1"), changes=False),
        ]
        ends = await asyncio.gather(adds[0], looks[0], adds[1], looks[1], adds[2], return_exceptions=True)
        assert [getattr(end, "code", end) for end in ends] == [1, "refused", 1, [(1,)], 1]
        assert await writer.do(lambda session: session.execute("SELECT number FROM told"), changes=False) == [
            (0,),
            (1,),
            (2,),
        ]

    asyncio.run(check())
    writer.close()


def test_closing_writes_what_waits(path):
    async def check() -> None:
        store = store_at(path)
        lease = await planned(store, 100)
        claims = [await store.claim(lease, position) for position in range(100)]
        tasks = [asyncio.ensure_future(store.settle(lease, claim, accepted(claim.position))) for claim in claims]
        await asyncio.sleep(0)
        store.close()
        assert await asyncio.gather(*tasks) == [True] * 100

    asyncio.run(check())
    assert reopened(path) == list(range(100))


def test_a_store_that_was_closed_is_opened_anew(path):
    store = store_at(path)
    lease = asyncio.run(planned(store, 1))
    store.close()
    store.close()
    asyncio.run(settle(store, lease, 0))
    store.close()
    assert reopened(path) == [0]


def test_a_heartbeat_keeps_a_lease_while_nobody_writes(path):
    store, other = store_at(path), store_at(path)
    store._writer._pulse_s = 0.05  # noqa: SLF001 - a heartbeat every five seconds is too slow for a test

    async def until() -> float:
        rows = await other.read(lambda session: session.execute("SELECT lease_until FROM runs"))
        return float(rows[0][0])

    async def check() -> None:
        await planned(store, 1)
        first = await until()
        for _ in range(200):
            await asyncio.sleep(0.02)
            if await until() > first:
                return
        pytest.fail("no heartbeat")

    asyncio.run(check())
    store.close()
    other.close()


def test_a_heartbeat_that_finds_the_lease_lost_ends_the_run(path):
    store, other = store_at(path), store_at(path)
    store._writer._pulse_s = 0.05  # noqa: SLF001 - as above

    async def check() -> None:
        lease = await planned(store, 1)
        await other.read(lambda session: session.change("UPDATE runs SET epoch = epoch + 1"))
        for _ in range(200):
            await asyncio.sleep(0.02)
            if (lease.run_id, lease.epoch) in store._lost:  # noqa: SLF001 - told by the next call alone
                break
        with pytest.raises(PipelineError, match="lease_lost"):
            await store.claim(lease, 0)

    asyncio.run(check())
    store.close()
    other.close()


# The file


def test_files_are_for_their_owner_alone(path):
    async def check() -> None:
        store = store_at(path)
        await planned(store, 10)
        other = SqliteSession(path)
        other.back_up(len(STEPS))
        other.close()
        backup = f"store.db.v{len(STEPS)}.backup"
        found = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        assert found == dict.fromkeys(("store.db", "store.db-wal", "store.db-shm", backup), 0o600)
        store.close()

    mask = os.umask(0)
    try:
        asyncio.run(check())
    finally:
        os.umask(mask)


def test_it_is_durable_and_lets_others_read(path):
    session = SqliteSession(path)
    pragmas = {
        name: session.execute(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous", "foreign_keys")
    }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert session.execute("PRAGMA busy_timeout") == [(5000,)]
    session.close()


def test_a_second_connection_of_a_process_leaves_the_locks_of_the_first(path):
    look = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM told').fetchall()"
    first = SqliteSession(path)
    first.run_script("CREATE TABLE told (what TEXT)")
    second = SqliteSession(path)
    first.begin()
    first.change("INSERT INTO told VALUES ('a')")
    first.commit()
    # Without locks, who closes the file last by its own lights takes the log of the others away.
    subprocess.run([sys.executable, "-c", look, str(path)], check=True)
    assert path.with_name(f"{path.name}-wal").exists()
    first.begin()
    first.change("INSERT INTO told VALUES ('b')")
    first.commit()
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT COUNT(*) FROM told").fetchone() == (2,)
    second.close()
    first.close()


def test_a_transaction_holds_the_file_from_its_beginning(path):
    first, second = SqliteSession(path), SqliteSession(path)
    second.execute("PRAGMA busy_timeout = 0")
    first.begin()
    # Nothing was written yet.
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        second.begin()
    first.roll_back()
    second.begin()
    second.commit()
    first.close()
    second.close()


def test_a_backup_is_the_store_as_it_was(path):
    store = store_at(path)

    async def check() -> None:
        lease = await planned(store, 3)
        await settle(store, lease, 2)

    asyncio.run(check())
    store.close()
    session = SqliteSession(path)
    session.back_up(len(STEPS))
    session.back_up(len(STEPS))
    session.close()
    assert reopened(path.with_name(f"store.db.v{len(STEPS)}.backup")) == [2]


def opening(path: Path) -> StorageError:
    """The error of opening a store, which is the same for whoever comes next."""
    store = store_at(path)

    async def check() -> list[BaseException]:
        calls = [store.open_run(SPEC) for _ in range(3)]
        first = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 30)
        return [*first, *(await asyncio.gather(store.open_run(SPEC), return_exceptions=True))]

    errors = asyncio.run(check())
    store.close()
    assert {type(error) for error in errors} == {StorageError}
    assert len({str(error) for error in errors}) == 1
    return errors[0]


def test_a_newer_store_is_refused_with_both_versions_and_left_alone(path):
    asyncio.run(planned(store := store_at(path), 1))
    store.close()
    with sqlite3.connect(path, isolation_level=None) as connection:
        connection.execute("UPDATE store SET value = '99' WHERE name = 'version'")
    connection.close()
    before = path.read_bytes()
    error = opening(path)
    assert (error.code, error.what, error.where, error.remedy) == (
        "store_newer",
        f"the store has version 99, and this program knows {len(STEPS)}",
        str(path),
        "use a newer veracord",
    )
    assert path.read_bytes() == before


def test_a_file_that_is_no_store_is_refused_and_left_alone(path):
    path.write_bytes(b"name,age\nAda,36\n" * 100)
    error = opening(path)
    assert (error.code, error.where) == ("store_unusable", str(path))
    assert error.remedy == "it is damaged or no store; restore a copy, or name another file"
    assert path.read_bytes() == b"name,age\nAda,36\n" * 100


def _filled(path: Path, count: int) -> None:
    store = store_at(path)

    async def fill() -> None:
        lease = await planned(store, count)
        await asyncio.gather(*(settle(store, lease, position) for position in range(count)))
        await store.close_run(lease, "")

    asyncio.run(fill())
    store.close()


@pytest.mark.parametrize("at", [0, 20, 100, 4096, 0.5, 0.9])
def test_a_damaged_store_is_refused_or_right_and_says_what_to_do(path, at):
    _filled(path, 400)
    data = bytearray(path.read_bytes())
    start = at if isinstance(at, int) else int(len(data) * at)
    data[start : start + 8192] = random.Random(1).randbytes(len(data[start : start + 8192]))
    path.write_bytes(data)
    store = store_at(path)

    async def look() -> list[Any]:
        calls = (done_in(store), store.read(lambda session: session.check()))
        return [(await asyncio.gather(call, return_exceptions=True))[0] for call in calls]

    done, faults = asyncio.run(look())
    store.close()
    for error in (done, faults):
        if isinstance(error, StorageError):
            assert error.code in ("store_failed", "store_unusable")
            assert (error.where, error.remedy) == (
                str(path),
                "it is damaged or no store; restore a copy, or name another file",
            )
            assert CANARY not in str(error)
    # Not every page is read by every question; the check reads all.
    assert isinstance(done, StorageError) or set(done) <= set(range(400))
    assert faults


def test_a_store_that_is_whole_has_nothing_to_tell(path):
    _filled(path, 10)
    session = SqliteSession(path)
    assert session.check() == []
    session.close()


AS_ANOTHER = """
import asyncio, os, sys
from pathlib import Path
from veracord.errors import StorageError
from veracord.pipeline.runs import RunSpec
from veracord.storage.sql_store import SqlStore
from veracord.storage.sqlite import SqliteSession
def use(path):
    store = SqlStore(lambda: SqliteSession(path), str(path))
    try:
        asyncio.run(store.open_run(RunSpec("nightly")))
    except StorageError as error:
        print(error)
    store.close()
# Whatever is loaded late is loaded now: others may not come to where the program lies.
use(Path(sys.argv[2]))
# Root may write everywhere.
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
use(Path(sys.argv[1]))
"""


@pytest.mark.parametrize(
    ("of_file", "of_folder", "says"),
    [
        (0o444, 0o755, "permission denied; check its permissions"),
        (0o666, 0o555, "it may not be written; check its permissions and those of its folder"),
        (None, 0o555, "permission denied; check its permissions"),
    ],
    ids=["the file", "its folder", "a folder without it"],
)
def test_what_may_not_be_written_is_told(tmp_path, of_file, of_folder, says):
    # Not a folder of pytest's, which others may not enter.
    folder = Path(tempfile.mkdtemp(prefix="veracord-"))
    path = folder / "store.db"
    try:
        if of_file is not None:
            _filled(path, 1)
            path.chmod(of_file)
        folder.chmod(of_folder)
        command = [sys.executable, "-c", AS_ANOTHER, path, tmp_path / "other.db"]
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
        assert told.stderr == ""
        assert told.stdout == f"store_unusable: the store cannot be used, {path}, {says}\n"
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_folder_in_the_place_of_the_file_is_told(path):
    path.mkdir()
    assert opening(path).remedy == "is a directory; name a file"


ON_A_FULL_DISK = """
import asyncio, resource, signal, sys
from pathlib import Path
from veracord.errors import StorageError
from veracord.pipeline import Outcome, Unit, UnitResult
from veracord.pipeline.runs import RunSpec, Settlement, StepRecord
from veracord.storage.sql_store import SqlStore
from veracord.storage.sqlite import SqliteSession
path = Path(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
store = SqlStore(lambda: SqliteSession(path), str(path))
async def fill():
    lease = await store.open_run(RunSpec("nightly", "in.jsonl"))
    await store.plan(lease, [Unit(f"k{n}", n, n) for n in range(500)])
    for n in range(500):
        value = "x" * 2000
        claim = await store.claim(lease, n)
        await store.settle(lease, claim, Settlement(
            UnitResult(f"k{n}", n, Outcome.ACCEPTED, value=value, producer_id="p"),
            records=[StepRecord("p", f"q{n}", "", value)]))
        print(n, flush=True)
try:
    asyncio.run(fill())
except StorageError as error:
    print(error.code)
"""


def test_a_disk_without_room_loses_nothing_that_was_promised(path):
    command = [sys.executable, "-c", ON_A_FULL_DISK, path]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split()
    assert told[-1] == "store_failed"
    promised = [int(number) for number in told[:-1]]
    assert promised
    assert reopened(path) == promised
    session = SqliteSession(path)
    assert session.check() == []
    session.close()


@pytest.mark.parametrize(
    ("kind", "point", "is_refused"),
    [
        ("nfs4", "{folder}", True),
        ("cifs", "{parent}", True),
        ("fuse.sshfs", "/", True),
        ("ext4", "{folder}", False),
        ("nfs", "{folder}-other", False),
        ("nfs", "{folder}/below", False),
    ],
)
def test_a_network_file_system_is_refused(tmp_path, kind, point, is_refused):
    folder = tmp_path / "with space"
    folder.mkdir()
    mounted = point.format(folder=folder, parent=folder.parent).replace(" ", "\\040")
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda1 / ext4 rw 0 0\nserver:/a {mounted} {kind} rw 0 0\n", encoding="utf-8")
    path = folder / "store.db"
    if not is_refused:
        SqliteSession(path, mounts=mounts).close()
        return
    with pytest.raises(StorageError) as refused:
        SqliteSession(path, mounts=mounts)
    assert (refused.value.code, refused.value.where) == ("store_on_network", str(path))
    assert kind in refused.value.what
    assert not path.exists()


def test_a_system_that_tells_no_file_systems_is_trusted(tmp_path):
    SqliteSession(tmp_path / "store.db", mounts=tmp_path / "absent").close()


# Crashes


def test_a_log_that_was_cut_anywhere_opens_to_a_prefix_of_what_was_promised(path, tmp_path):
    count = 100
    _filled(path, 0)
    store = store_at(path)
    copied = tmp_path / "copied.db"

    async def fill() -> None:
        lease = await planned(store, count)
        for position in range(count):
            await settle(store, lease, position, {"n": position})
        # In the thread that writes: nothing else changes the files meanwhile.
        await store.read(lambda _: [shutil.copy(f"{path}{end}", f"{copied}{end}") for end in ("", "-wal")])

    asyncio.run(fill())
    store.close()
    log = Path(f"{copied}-wal").read_bytes()
    # No part of it has gone into the file yet, or cutting it would undo what had been made durable before.
    assert len(log) < 1000 * 4096
    random_ = random.Random(20_261_130)
    cuts = [0, 31, 32, len(log) - 1, len(log), *(random_.randrange(len(log)) for _ in range(200))]
    seen = [_after_cut(copied, log[:cut], tmp_path / "cut.db") for cut in sorted(cuts)]
    # A longer log never holds less, and the whole one holds all.
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, count)
    assert len(set(seen)) > 80


def _after_cut(copied: Path, log: bytes, path: Path) -> int:
    """Return how many units are done in a store with this log, after looking whether it is right."""
    for end in ("", "-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)
    shutil.copy(copied, path)
    Path(f"{path}-wal").write_bytes(log)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        done = connection.execute("SELECT position FROM units WHERE state = 2 ORDER BY position").fetchall()
        values = connection.execute("SELECT position, value FROM records ORDER BY position").fetchall()
        commits = connection.execute("SELECT position FROM receipts WHERE kind = 'commit' ORDER BY position").fetchall()
        running = connection.execute("SELECT position FROM units WHERE state = 1").fetchall()
    connection.close()
    count = len(done)
    assert done == commits == [(position,) for position in range(count)]
    assert values == [(position, f'{{"n":{position}}}') for position in range(count)]
    assert running in ([], [(count,)])
    return count


WORKER = """
import asyncio, sys
from pathlib import Path
from veracord.pipeline import Outcome, Unit, UnitResult
from veracord.pipeline.runs import RunSpec, Settlement, StepRecord
from veracord.storage.sql_store import SqlStore
from veracord.storage.sqlite import SqliteSession
path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
store = SqlStore(lambda: SqliteSession(path), str(path))
async def one(lease, n):
    claim = await store.claim(lease, n)
    assert await store.settle(lease, claim, Settlement(
        UnitResult(f"k{n}", n, Outcome.ACCEPTED, value=n, producer_id="p"), records=[StepRecord("p", f"q{n}", "", n)]))
    print(n, flush=True)
async def work():
    lease = await store.open_run(RunSpec(name, "in.jsonl"))
    todo = await store.plan(lease, [Unit(f"k{n}", n, n) for n in range(count)])
    for first in range(0, len(todo), 32):
        await asyncio.gather(*(one(lease, n) for n in todo[first:first + 32]))
    await store.close_run(lease, "")
asyncio.run(work())
store.close()
"""


def _worker(path: Path, name: str, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WORKER, path, name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_that_write_to_one_file_do_not_get_in_each_others_way(path):
    workers = [_worker(path, name, 1500) for name in ("nightly", "b", "c")]
    for worker in workers:
        out, err = worker.communicate(timeout=60)
        assert (err, len(out.split()), worker.returncode) == ("", 1500, 0)
    assert reopened(path) == list(range(1500))


def test_a_process_that_is_killed_loses_nothing_that_it_was_promised(path):
    promised: set[int] = set()
    for after in (0, 150, 400, 1):
        worker = _worker(path, "nightly", 3000)
        assert worker.stdout is not None
        lines = [worker.stdout.readline() for _ in range(after)]
        worker.kill()
        rest, _ = worker.communicate(timeout=30)
        # The last line may be half written.
        told = "".join((*lines, rest)).rpartition("\n")[0].split()
        assert promised.isdisjoint(map(int, told))
        promised |= set(map(int, told))
        assert set(reopened(path)) >= promised
    assert len(promised) >= 551
    # Its lease is free at once: its process is gone.
    worker = _worker(path, "nightly", 3000)
    _, err = worker.communicate(timeout=60)
    assert err == ""
    assert reopened(path) == list(range(3000))


def test_a_new_file_that_somebody_else_prepares_is_waited_for(path):
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("CREATE TABLE other (x)")
        other.execute("BEGIN IMMEDIATE")
        done = threading.Timer(0.2, other.execute, ["ROLLBACK"])
        done.start()
        SqliteSession(path).close()
        assert done.finished.is_set()
        done.join()


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # the point of the test
def test_a_store_is_not_carried_into_another_process(path):
    store = store_at(path)
    lease = asyncio.run(planned(store, 2))

    def use_it(answers: Any) -> None:
        async def call() -> str:
            try:
                await asyncio.wait_for(store.claim(lease, 0), 5)
            except StorageError as error:
                return error.code
            return "no error"

        answers.put(asyncio.run(call()))
        store.close()

    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=use_it, args=(answers,))
    child.start()
    child.join(20)
    assert child.exitcode == 0
    assert answers.get() == "store_carried"
    # The one who opened it goes on.
    asyncio.run(settle(store, lease, 1))
    store.close()
    assert reopened(path) == [1]


VALUES = [
    {"n": Decimal("1.50"), "at": "2026-01-05", "text": "caf\u00e9 \u2028 <b>", "list": [1, None, True, {}, []]},
    {"n": Decimal("1E+22"), "small": Decimal("1E-7"), "zero": Decimal("0.0")},
    "text",
    None,
    [10, -10, Decimal("-0.5")],
]


def test_results_as_text_are_written_as_those_that_were_read(tmp_path):
    async def lines(*, as_text: bool) -> list[bytes]:
        found = store.results(SPEC.run_id, as_text=as_text)
        return [write_json({"key": result.key, "value": result.value}) async for result in found]

    async def kept() -> None:
        lease = await planned(store, len(VALUES))
        for position, value in enumerate(VALUES):
            await settle(store, lease, position, value)

    store = store_at(tmp_path / "s.db")
    try:
        asyncio.run(kept())
        texts, values = asyncio.run(lines(as_text=True)), asyncio.run(lines(as_text=False))
    finally:
        store.close()
    assert texts == values
    assert texts[0] == write_json({"key": "k0", "value": VALUES[0]})


def test_a_loop_is_woken_once_for_all_operations_of_a_commit(tmp_path):
    async def count() -> tuple[int, list[int]]:
        loop = asyncio.get_running_loop()
        woken = 0
        wake = loop.call_soon_threadsafe

        def counted(*arguments: Any) -> Any:
            nonlocal woken
            woken += 1
            return wake(*arguments)

        await store.read(lambda _session: None)
        loop.call_soon_threadsafe = counted  # type: ignore[method-assign]
        held = threading.Event()
        first = asyncio.create_task(store.read(lambda _session: held.wait(10)))
        others = [asyncio.create_task(store.read(lambda _session, n=n: n)) for n in range(20)]
        await asyncio.sleep(0)
        held.set()
        await first
        answers = await asyncio.gather(*others)
        return woken, answers

    store = store_at(tmp_path / "s.db")
    try:
        woken, answers = asyncio.run(count())
    finally:
        store.close()
    assert answers == list(range(20))
    assert woken <= 3
