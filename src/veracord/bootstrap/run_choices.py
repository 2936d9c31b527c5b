"""Which run a command goes on with, and what it should be told before the first unit.

A run is told by its name, its input and everything that its file names.  The same command therefore finds its run
again; a changed file makes a new one, unless ``--same-run`` says that it is the same.
"""

import hashlib
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from veracord import __version__
from veracord.bootstrap.faults import Fault
from veracord.bootstrap.run_lookups import in_use
from veracord.bootstrap.stores import open_store
from veracord.errors import ConfigurationError
from veracord.pipeline.outcomes import Outcome, UnitResult
from veracord.pipeline.runs import RunSpec
from veracord.pipeline.stores import Store
from veracord.storage.ledger_rows import SqlLedger
from veracord.storage.manifests import summary_of
from veracord.storage.run_rows import (
    Holder,
    KnownRun,
    add_note,
    count_reusable,
    differing,
    export_of,
    find_holder,
    keep_export,
    now_text,
    read_run,
    read_runs_of,
)
from veracord.storage.sessions import Session

_ID: Final = 8


@dataclass(frozen=True, slots=True)
class RunWish:
    """What was asked for beside the pipeline file.

    Attributes:
        again: Outcomes whose units are done again.
        is_same: Whether an unfinished run of the same name is gone on with though its parts differ.
        is_takeover: Whether somebody wants to have a run that another process may still hold.
        has_transcripts: Whether texts are written down.
    """

    again: Collection[Outcome] = ()
    is_same: bool = False
    is_takeover: bool = False
    has_transcripts: bool = False


@dataclass(frozen=True, slots=True)
class ChosenRun:
    """The run that is worked on.

    Attributes:
        spec: Under which the store knows it, or will know it.
        reused: How many of its units are not done again.
        is_new: Whether the store did not know it.
        warnings: What should be said before it begins.
    """

    spec: RunSpec
    reused: int = 0
    is_new: bool = True
    warnings: tuple[str, ...] = ()


class RunStore:
    """A store for one run of the command line; use it as a context.

    Attributes:
        store: The port.
    """

    def __init__(self, url: str, fault: Fault | None = None) -> None:
        """Open nothing yet; see `open_store`."""
        self.store: Store
        self.store = self._store = open_store(url, fault)

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Write what waits and close the store."""
        self._store.close()

    @property
    def ledger(self) -> SqlLedger:
        """What was suggested, and what was refused, in this store."""
        return self._store.ledger

    async def choose(self, spec: RunSpec, wish: RunWish) -> ChosenRun:
        """Return the run that a command goes on with; see `choose_run`.

        Raises:
            ConfigurationError: A live process works on it, or the store cannot be used.
        """
        return await in_use(self._store, lambda session: choose_run(session, spec, wish))

    async def summary(self, run_id: str) -> dict[str, Any]:
        """Return the manifest of a run, but for the digests for which every row is read."""
        return await self._store.read(lambda session: summary_of(session, run_id))

    def results(self, run_id: str, *, as_text: bool) -> AsyncIterator[UnitResult[Any]]:
        """Yield the results of a run in order; `as_text` as in `SqlStore.results`."""
        return self._store.results(run_id, as_text=as_text)

    async def export_stands(self, run_id: str, path: Path) -> bool:
        """Whether a file is what was written of the run, and nothing has happened to the run since."""
        export = await self._store.read(lambda session: export_of(session, run_id))
        if export.get("version") != __version__:
            return False
        try:
            with path.open("rb") as file:
                return export.get("digest") == f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
        except OSError:
            return False

    async def keep_export(self, run_id: str, digest: str) -> None:
        """Keep the digest of what was written of the run."""
        export = {"digest": digest, "version": __version__}
        await self._store.read(lambda session: keep_export(session, run_id, export))


def choose_run(session: Session, spec: RunSpec, wish: RunWish) -> ChosenRun:
    """Return the run that a command goes on with, and note with it what is unlike its first start.

    Raises:
        ConfigurationError: A live process works on it (``run_held``).
    """
    known = read_run(session, spec.run_id)
    others = [] if known is not None else read_runs_of(session, spec.name)
    same = next((run for run in others if _is_gone_on_with(run, spec)), None) if wish.is_same else None
    warnings = []
    if same is not None:
        differs = differing(spec, same.spec, same.parts)
        known = same
        warnings.append(f"run {_short(same)} goes on though it is not what it was: {_differ(differs)}")
    elif known is None:
        unfinished = next((run for run in others if not run.is_complete), None)
        if unfinished is not None:
            differs = differing(spec, unfinished.spec, unfinished.parts)
            warnings.append(
                f"run {_short(unfinished)} is unfinished and another one: {_differ(differs)};"
                " --same-run would go on with it"
            )
    if known is None:
        return ChosenRun(_with_transcripts(spec) if wish.has_transcripts else spec, warnings=tuple(warnings))
    return _go_on(session, spec, known, wish, warnings)


def _go_on(session: Session, spec: RunSpec, known: KnownRun, wish: RunWish, warnings: list[str]) -> ChosenRun:
    run_id = known.spec.run_id
    holder = find_holder(session, run_id)
    if holder is not None and holder.is_live:
        raise _held(holder, known.spec, wish)
    if holder is not None and wish.is_takeover:
        warnings.append(f"run {_short(known)} is taken over from {holder.words}")
    if known.parts != dict(spec.parts):
        differs = differing(spec, known.spec, known.parts)
        if not wish.is_same:
            # The file is again what it was when the run was started, but was not all the time.
            warnings.append(
                f"run {_short(known)} was last gone on with under other parts ({_differ(differs)}), and what was made"
                " under them stays; --run NAME would make all of it anew"
            )
        add_note(session, run_id, {"what": "same_run", "differs": differs, "parts": dict(spec.parts)})
    if wish.has_transcripts:
        add_note(session, run_id, {"what": "debug_transcripts"})
    return ChosenRun(known.spec, count_reusable(session, run_id, wish.again), is_new=False, warnings=tuple(warnings))


def _is_gone_on_with(run: KnownRun, spec: RunSpec) -> bool:
    """Whether ``--same-run`` means a run: an unfinished one, or one that was gone on with under these very parts."""
    return not run.is_complete or run.parts == dict(spec.parts)


def _held(holder: Holder, spec: RunSpec, wish: RunWish) -> ConfigurationError:
    remedy = "wait for its end, or end it"
    if wish.is_takeover:
        remedy = "a run is taken over only from a process that is gone; end it first"
    return ConfigurationError(
        f"process {holder.owner.pid} on {holder.owner.host} works on this run; its last sign of life was"
        f" {holder.age_s:.0f} s ago",
        where=spec.name,
        remedy=remedy,
        code="run_held",
    )


def _short(run: KnownRun) -> str:
    return f"{run.spec.name} ({run.spec.run_id[:_ID]})"


def _differ(names: list[str]) -> str:
    if not names:
        return "nothing differs"
    return f"{', '.join(names)} {'differs' if len(names) == 1 else 'differ'}"


def _with_transcripts(spec: RunSpec) -> RunSpec:
    note: Any = {"at": now_text(), "what": "debug_transcripts"}
    return replace(spec, facts={**spec.facts, "notes": [note]})
