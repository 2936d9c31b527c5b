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


def open_store(url: str, fault: Fault | None = None) -> SqlStore:
    """Return a store; it is opened when it is first used.

    Args:
        url: ``sqlite:///FILE``, or the path of a file, or ``postgresql://USER@HOST:PORT/DATABASE``.
        fault: For tests: what happens to it.

    Raises:
        ConfigurationError: The address is of no known kind, cannot be read, or needs an extra that is not installed.
    """
    scheme, separator, _ = url.partition("://")
    if url.startswith(_SQLITE) or not separator:
        return _sqlite(Path(url.removeprefix(_SQLITE)), fault)
    if scheme in _POSTGRES:
        return _postgres(url, fault)
    # What stands before :// may be anything, also a password.
    raise ConfigurationError(
        "there is no store of this kind", remedy="use sqlite:///FILE, postgresql://... or a path", code="unknown_store"
    )


def _sqlite(path: Path, fault: Fault | None) -> SqlStore:
    from veracord.storage.sqlite import SqliteSession

    return _store(lambda: SqliteSession(path), str(path), fault)


def _postgres(url: str, fault: Fault | None) -> SqlStore:
    from veracord.storage.postgres import PostgresSession, name_of

    return _store(lambda: PostgresSession(url), name_of(url), fault)


def _store(open_session: Callable[[], Session], where: str, fault: Fault | None) -> SqlStore:
    return SqlStore(open_session, where) if fault is None else FaultyStore(open_session, where, fault)
