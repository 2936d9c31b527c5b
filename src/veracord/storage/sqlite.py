"""SQLite: a store in one file, for one machine.

Write-ahead log, synchronous FULL, and every transaction that may write begins at once, so that none is refused later.

Source: https://www.sqlite.org/wal.html, https://www.sqlite.org/pragma.html.
"""

import errno
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from veracord.errors import StorageError, system_remedy
from veracord.storage.sessions import Row

_OLDEST: Final = (3, 35, 0)
_DAMAGED: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
_BUSY_MS: Final = 5_000
#: Between two tries where SQLite does not wait by itself.
_PAUSE_S: Final = 0.01

#: File systems on which the locks of SQLite do not hold.
_NETWORK: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "afs", "ceph", "glusterfs"})

#: Where the system tells which file systems there are.
_MOUNTS: Final = Path("/proc/mounts")


class SqliteSession:
    """One connection to a file."""

    def __init__(self, path: Path, *, mounts: Path = _MOUNTS) -> None:
        """Open the file, making it where there is none.

        Args:
            path: The file.
            mounts: Where the system tells which file systems there are.

        Raises:
            StorageError: It cannot be opened, is no store, is damaged, or lies on a network file system.
        """
        if sqlite3.sqlite_version_info < _OLDEST:
            raise StorageError("SQLite is older than 3.35", remedy="use a newer Python", code="sqlite_too_old")
        self._path = path
        _refuse_network(path, mounts)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _make(path)
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._file = _identity(path)
            self._prepare()
        except OSError as error:
            raise _unusable(system_remedy(error), path) from None
        except sqlite3.Error as error:
            raise _unusable(_words(error), path) from None

    def _prepare(self) -> None:
        for pragma, wanted in (("busy_timeout", _BUSY_MS), ("journal_mode", "wal"), ("foreign_keys", 1)):
            self._set(f"PRAGMA {pragma} = {wanted}")
            (found,) = self._connection.execute(f"PRAGMA {pragma}").fetchone()
            if found != wanted:
                raise _unusable(f"its file system does not allow {pragma} {wanted}", self._path)
        self._connection.execute("PRAGMA synchronous = FULL")

    def _set(self, pragma: str) -> None:
        """Set what a connection needs, waiting for others that open the same file.

        SQLite does not wait by itself here: of two that make a new file a write-ahead one, it refuses one at once.
        """
        give_up = time.monotonic() + _BUSY_MS / 1000
        while True:
            try:
                self._connection.execute(pragma)
            except sqlite3.OperationalError as error:
                if not _is_busy(error) or time.monotonic() >= give_up:
                    raise
                time.sleep(_PAUSE_S)
            else:
                return

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a statement and return its rows."""
        return self._connection.execute(statement, values).fetchall()

    def read_locked(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a SELECT; nobody else writes while a transaction is open."""
        return self.execute(statement, values)

    def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run a statement and return how many rows it changed."""
        return self._connection.execute(statement, values).rowcount

    def change_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row of values."""
        self._connection.executemany(statement, rows)

    def run_script(self, script: str) -> None:
        """Run several statements without values."""
        for statement in script.split(";\n"):
            if statement.strip():
                self._connection.execute(statement)

    def begin(self) -> None:
        """Begin a transaction that may write; one that found that out later could be refused.

        Raises:
            StorageError: The file is not the one that was opened: what is written would be lost.
        """
        self._require_file()
        self._connection.execute("BEGIN IMMEDIATE")

    def begin_reading(self) -> None:
        """Begin a transaction that sees the file as its first statement finds it.

        Raises:
            StorageError: The file is not the one that was opened.
        """
        self._require_file()
        self._connection.execute("PRAGMA query_only = 1")
        self._connection.execute("BEGIN DEFERRED")

    def _require_file(self) -> None:
        if _identity(self._path) != self._file:
            raise StorageError(
                "the store was removed or replaced while it was used",
                where=str(self._path),
                remedy="leave it alone while a process uses it; run it again",
                code="store_gone",
            )

    def hold_store(self) -> None:
        """Do nothing: a transaction that has begun holds the whole file."""

    def commit(self) -> None:
        """Make the transaction durable."""
        self._connection.execute("COMMIT")

    def roll_back(self) -> None:
        """Undo the transaction, if one is open."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def clock_s(self) -> float:
        """Return seconds since the machine started: the same for every process, and deaf to changes of the clock."""
        return time.monotonic()

    def back_up(self, version: int) -> None:
        """Write a copy beside the file; of several that do so at once, none spoils the other's."""
        copy = self._path.with_name(f"{self._path.name}.v{version}.backup")
        # An empty file is taken, and made by us: one that SQLite makes could be read by others.
        number, name = tempfile.mkstemp(prefix=f"{copy.name}.", dir=copy.parent)
        os.close(number)
        try:
            self._connection.execute("VACUUM INTO ?", (name,))
            if _version_of(name) == version:
                Path(name).replace(copy)
        finally:
            # Somebody else was faster, and what was copied is of the next version already.
            Path(name).unlink(missing_ok=True)

    def check(self) -> list[str]:
        """Return what is damaged."""
        return [row[0] for row in self._connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]

    def failure(self, error: Exception) -> StorageError:
        """Return what may be told of an error of the driver."""
        kind = getattr(error, "sqlite_errorname", "") or type(error).__name__
        remedy = _words(error) if isinstance(error, sqlite3.Error) else "please report it"
        if kind in _DAMAGED:
            return _unusable(remedy, self._path)
        return StorageError(f"the store failed ({kind})", where=str(self._path), remedy=remedy, code="store_failed")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _make(path: Path) -> None:
    """Make the file where it is missing, so that nobody else can read it.

    A file that is there is not touched: who closes any descriptor of a file drops all locks that the process has on it,
    also those of a connection that is in use.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        number = errno.EISDIR if path.is_dir() else errno.EACCES
        if number == errno.EISDIR or not os.access(path, os.R_OK | os.W_OK):
            raise OSError(number, os.strerror(number)) from None


def _version_of(name: str) -> int:
    """Return the version of a copy of a store."""
    with closing(sqlite3.connect(name)) as connection:
        rows = connection.execute("SELECT value FROM store WHERE name = 'version'").fetchall()
    return int(rows[0][0]) if rows else 0


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells one file from another of the same name."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _refuse_network(path: Path, mounts: Path) -> None:
    kind = _file_system(path, mounts)
    if kind in _NETWORK:
        raise StorageError(
            f"the store lies on a network file system ({kind}), where locks do not hold",
            where=str(path),
            remedy="put it on a local disk, or use PostgreSQL",
            code="store_on_network",
        )


def _file_system(path: Path, mounts: Path) -> str:
    """Return the kind of the file system that a path lies on, where the system tells."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    place = os.path.realpath(path)
    best, kind = "", ""
    for line in lines:
        _, point, found, *_ = line.split(" ")
        point = point.encode().decode("unicode_escape")
        inside = place == point or place.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, found
    return kind


def _unusable(reason: str, path: Path) -> StorageError:
    return StorageError("the store cannot be used", where=str(path), remedy=reason, code="store_unusable")


def _is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def _words(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name in _DAMAGED:
        return "it is damaged or no store; restore a copy, or name another file"
    if name.startswith("SQLITE_READONLY") or name == "SQLITE_CANTOPEN":
        return "it may not be written; check its permissions and those of its folder"
    if name == "SQLITE_FULL":
        return "the disk is full"
    if _is_busy(error):
        return "another process holds it; try again when that has ended or goes on"
    if name.startswith("SQLITE_IOERR"):
        return "the disk failed or is full; check it"
    return "check the path, and who else uses the file"
