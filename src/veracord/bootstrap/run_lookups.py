"""What a store knows of runs, for commands that look and tidy up; none of them asks a model."""

import asyncio
from collections.abc import Callable
from typing import Any, Self, TypeVar

from veracord.bootstrap.stores import open_store, store_files
from veracord.errors import ConfigurationError, StorageError
from veracord.storage import copies, removal
from veracord.storage.manifests import list_runs, manifest_of
from veracord.storage.owners import Owner
from veracord.storage.run_rows import find_run
from veracord.storage.sessions import Session
from veracord.storage.sql_store import SqlStore
from veracord.storage.unit_histories import end_times, unit_history

T = TypeVar("T")


class RunLookup:
    """A store in which is looked; use it as a context.

    Attributes:
        where: What errors call it.
    """

    def __init__(self, url: str, *, is_new: bool = False) -> None:
        """Open nothing yet.

        Args:
            url: The address of the store.
            is_new: Whether it may be made; else it must be there.

        Raises:
            ConfigurationError: There is no such store (``no_store``), or no such kind.
        """
        if not is_new:
            refuse_missing(url)
        self._store = open_store(url)
        self.where = self._store.where

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close the store."""
        self._store.close()

    def runs(self) -> list[dict[str, Any]]:
        """Return the runs, latest first."""
        return self.read(list_runs)

    def manifest(self, run: str) -> dict[str, Any]:
        """Return the manifest of a run that an id, the beginning of one, or a name tells."""
        return self.read(lambda session: manifest_of(session, find_run(session, run)))

    def end_times(self, run_id: str) -> list[float]:
        """Return when the units of a run came to their end, in seconds since 1970, in the order of units."""
        return self.read(lambda session: end_times(session, run_id)).tolist()

    def explain(self, run: str) -> dict[str, Any]:
        """Return what a run was made of: policy, parts, model, versions."""
        manifest = self.manifest(run)
        names = ("run_id", "name", "input", "spec_digest", "parts", "policy", "model", "versions", "notes")
        return {name: manifest[name] for name in names}

    def explain_unit(self, run: str, key: str) -> dict[str, Any]:
        """Return why a unit stands where it stands; see `unit_history`."""
        return self.read(lambda session: unit_history(session, find_run(session, run), key))

    def remove(self, keep: int | None, before_s: float | None, *, is_dry: bool) -> list[dict[str, Any]]:
        """Remove runs, and return them with what they held; see `removal.choose`."""
        chosen = self.read(lambda session: removal.choose(session, keep, before_s))
        if is_dry:
            return chosen
        owner = Owner.of_this_process()
        return [run for run in chosen if self._remove(run["run_id"], owner)]

    def _remove(self, run_id: str, owner: Owner) -> bool:
        if not self.read(lambda session: removal.begin(session, run_id, owner)):
            return False
        for first in self.read(lambda session: removal.steps(session, run_id)):
            if not self.read(lambda session, first=first: removal.remove_step(session, run_id, first, owner)):  # type: ignore[misc]  # bound now
                return False
        return self.read(lambda session: removal.finish(session, run_id, owner))

    def read(self, work: Callable[[Session], T]) -> T:
        """Do something in one transaction.

        Raises:
            ConfigurationError: The store cannot be used.
        """
        return asyncio.run(in_use(self._store, work))


async def in_use(store: SqlStore, work: Callable[[Session], T]) -> T:
    """Do something in one transaction, before anything was promised: a store that fails is one that cannot be used.

    Raises:
        ConfigurationError: The store cannot be used.
    """
    try:
        return await store.read(work)
    except StorageError as error:
        raise ConfigurationError(error.what, where=error.where, remedy=error.remedy, code=error.code) from None


def refuse_missing(url: str, remedy: str = "name it with --store, or run a pipeline first") -> None:
    """Make sure that there is a store where a file should be one.

    Args:
        url: The address.
        remedy: What to do where there is none.

    Raises:
        ConfigurationError: There is none (``no_store``).
    """
    path = next(iter(store_files(url)), None)
    # An empty file is none yet, and looking must not make one of it.
    if path is not None and not (path.is_file() and path.stat().st_size):
        raise ConfigurationError(
            "there is no store",
            where=str(path),
            remedy=remedy,
            code="no_store",
        )


def copy_store(source: str, target: str) -> dict[str, Any]:
    """Copy a store into an empty one, and compare them; return counts of rows and digests of receipts.

    Raises:
        ConfigurationError: One cannot be used, a process works in the first, or the second is not empty.
        StorageError: What was copied is not what was there (``copy_differs``).
    """
    with RunLookup(source) as old, RunLookup(target, is_new=True) as new:
        old.read(copies.check_source)
        new.read(lambda session: copies.check_target(session, new.where))
        for table in copies.TABLES:
            after: list[Any] | None = None
            while rows := old.read(lambda session, after=after, table=table: copies.read_page(session, table, after)):  # type: ignore[misc]  # bound now
                new.read(lambda session, rows=rows, table=table: copies.write_page(session, table, rows))  # type: ignore[misc]  # bound now
                after = copies.key_of(table, rows[-1])
        counts, digests = old.read(copies.count_rows), old.read(copies.digests)
        if (counts, digests) != (new.read(copies.count_rows), new.read(copies.digests)):
            raise StorageError(
                "the copy is not what was copied",
                where=target,
                remedy="remove it, and copy again while nobody works in the first",
                code="copy_differs",
            )
    return {"rows": counts, "receipts_digests": digests}
