"""A store from its address."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from veracord.bootstrap.faults import Fault, FaultyStore
from veracord.errors import ConfigurationError
from veracord.storage.sessions import Session
from veracord.storage.sql_store import SqlStore

DEFAULT_STORE: Final = ".veracord/store.db"

_SQLITE: Final = "sqlite:///"
_POSTGRES: Final = ("postgresql", "postgres")
#: With what every SQLite file begins.
_HEAD: Final = b"SQLite format 3\x00"
#: What SQLite keeps beside its file.
_BESIDE: Final = ("-wal", "-shm", "-journal")


def open_store(url: str, fault: Fault | None = None) -> SqlStore:
    """Return a store; it is opened when it is first used.

    Args:
        url: ``sqlite:///FILE``, or the path of a file, or ``postgresql://USER@HOST:PORT/DATABASE``.
        fault: For tests: what happens to it.

    Raises:
        ConfigurationError: The address is of no known kind, cannot be read, or needs an extra that is not installed.
    """
    path = _path(url)
    if path is not None:
        return _sqlite(path, fault)
    if url.partition("://")[0] in _POSTGRES:
        return _postgres(url, fault)
    # What stands before :// may be anything, also a password.
    raise ConfigurationError(
        "there is no store of this kind", remedy="use sqlite:///FILE, postgresql://... or a path", code="unknown_store"
    )


def store_files(url: str) -> list[Path]:
    """Return the files that a store at an address has, or may have; none for a server."""
    path = _path(url)
    return [] if path is None else [path, *(path.with_name(f"{path.name}{ending}") for ending in _BESIDE)]


def is_store(path: Path) -> bool:
    """Whether a file is a database, which nobody means to replace by something else."""
    try:
        with path.open("rb") as file:
            return file.read(len(_HEAD)) == _HEAD
    except OSError:
        return False


def _path(url: str) -> Path | None:
    """Return the file of an address; None where it is no file's."""
    if not url.startswith(_SQLITE) and "://" in url:
        return None
    name = url.removeprefix(_SQLITE)
    # Such names mean a store that is gone when the process ends, or a typing error.
    if not name or name == ":memory:" or name.startswith(("file:", "sqlite:")):
        raise ConfigurationError(
            "the store has no file", where=name, remedy="use sqlite:///FILE or a path", code="unknown_store"
        )
    return Path(name)


def _sqlite(path: Path, fault: Fault | None) -> SqlStore:
    from veracord.storage.sqlite import SqliteSession

    return _store(lambda: SqliteSession(path), str(path), fault)


def _postgres(url: str, fault: Fault | None) -> SqlStore:
    from veracord.storage.postgres import PostgresSession, name_of

    return _store(lambda: PostgresSession(url), name_of(url), fault)


def _store(open_session: Callable[[], Session], where: str, fault: Fault | None) -> SqlStore:
    return SqlStore(open_session, where) if fault is None else FaultyStore(open_session, where, fault)
