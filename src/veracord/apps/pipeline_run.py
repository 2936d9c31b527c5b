"""One run of `veracord run`: the units of a pipeline file, then its results in the order of the input."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from veracord.apps.collecting import collecting_seldom
from veracord.apps.failures import print_error, print_text, print_warning, usage_error
from veracord.apps.interruptions import Interruptions
from veracord.apps.open_files import allow_connections
from veracord.apps.outputs import StandardOutput
from veracord.apps.rendering import Look
from veracord.apps.repair_run import warn_of_unread_files
from veracord.apps.run_exports import RunExport
from veracord.apps.run_progress import RunProgress
from veracord.apps.run_reports import plan_report, plan_text, run_report, run_text, warning_text
from veracord.apps.staging import OutputFiles, StagedFile
from veracord.bootstrap.faults import Fault, read_fault
from veracord.bootstrap.pipeline_tables import about
from veracord.bootstrap.pipelines import WiredPipeline, load_pipeline
from veracord.bootstrap.run_choices import RunStore, RunWish
from veracord.bootstrap.stores import is_store, store_files
from veracord.config import Settings
from veracord.errors import (
    ConfigurationError,
    InputError,
    PipelineError,
    RunInterruptedError,
    StorageError,
    VeracordError,
    system_remedy,
)
from veracord.pipeline import Outcome, RunReport, UnitResult
from veracord.pipeline.policies import Disposition
from veracord.pipeline.stores import StoredRun
from veracord.pipeline.transcripts import Transcript
from veracord.pipeline.workers import OnSettled
from veracord.promptkit.transcript_files import TranscriptFolder
from veracord.records.writing import write_json

_COMPLETE: Final = 0
_NOT_ALL_ACCEPTED: Final = 3
_INCOMPLETE: Final = 4

#: Warnings about single units that are printed; the others are counted.
_MOST_WARNINGS: Final = 20


@dataclass(frozen=True, slots=True)
class PipelineRun:
    """A run as it was asked for.

    Attributes:
        path: The pipeline file.
        settings: The settings of the process.
        concurrency: Units in flight, or None for what the file says.
        transcripts: The folder for texts, or None.
        as_json: Whether the output is for programs.
        store: The address of the store.
        name: A name for the run, instead of the one in the file.
        wish: What else was asked for.
    """

    path: Path
    settings: Settings
    store: str
    name: str | None = None
    wish: RunWish = field(default_factory=RunWish)
    concurrency: int | None = None
    transcripts: Path | None = None
    as_json: bool = False

    def start(self, *, dry_run: bool) -> int:
        """Do it, or tell what would be done, and return the exit code.

        Raises:
            VeracordError: Something cannot be used; no model was asked.
        """
        transcripts = None if self.transcripts is None else _Transcripts(self.transcripts)
        fault = _fault()
        wired = load_pipeline(self.path, self.settings, transcripts, fault)
        warn_of_unread_files(wired.skipped)
        units = wired.check_units()
        if dry_run:
            with _output(wired) as files:
                _add_output(wired, files, self.store)
            plan = plan_report(wired, units)
            StandardOutput().show(write_json(plan) + b"\n" if self.as_json else plan_text(plan, Look.of_output()))
            return _COMPLETE
        allow_connections(self._concurrency(wired))
        with Interruptions() as interruptions, _output(wired) as files:
            file = _add_output(wired, files, self.store)
            if transcripts is not None:
                transcripts.open()
            ended = _Ended(total=units)
            export = RunExport(file, as_json=self.as_json)
            with RunStore(self.store, fault) as store:
                kept = self._choose(store, wired, ended)
                wired.remember_in(store.ledger)
                self._work(wired, kept, ended, interruptions)
                interruptions.may_break = False
                if not ended.is_taken_over:
                    asyncio.run(_export(store, kept.spec.run_id, export, wired, files))
                manifest = asyncio.run(store.summary(kept.spec.run_id))
            ended.lines = export.lines
            return self._conclude(wired, ended, manifest)

    def _choose(self, store: RunStore, wired: WiredPipeline, ended: "_Ended") -> StoredRun:
        """Find the run that is gone on with; a store that cannot be used is told here."""
        chosen = asyncio.run(store.choose(wired.spec(self.name), self.wish))
        for text in chosen.warnings:
            print_warning(text)
        ended.report.reused = chosen.reused
        if wired.counts_cost and not chosen.is_new:
            spent = asyncio.run(store.summary(chosen.spec.run_id))["usage"]["cost_usd"]
            wired.count_spent(spent or Decimal(0))
        return StoredRun(store.store, chosen.spec, self.wish.again)

    def _concurrency(self, wired: WiredPipeline) -> int:
        return self.concurrency or wired.table.run.concurrency

    def _work(self, wired: WiredPipeline, kept: StoredRun, ended: "_Ended", interruptions: Interruptions) -> None:
        if self.transcripts is not None:
            print_warning(f"texts of the model are written to {self.transcripts}")
        progress = RunProgress(ended.total, reused=ended.report.reused)

        def settled(result: UnitResult[Any]) -> None:
            ended.add(result)
            progress.add(result)

        async def work() -> None:
            interruptions.end(asyncio.current_task())
            try:
                await _settle_all(wired, kept, self._concurrency(wired), settled, progress)
            finally:
                interruptions.end(None)

        try:
            # What a validator prints must not get among the results.
            with redirect_stdout(sys.stderr), collecting_seldom():
                asyncio.run(work())
        except (PipelineError, InputError) as error:
            if isinstance(error, InputError) and not ended.report.units:
                # Refused before anything was done.
                raise
            # An input that was changed under the run: what was done is kept.
            ended.error = error
        except KeyboardInterrupt:
            ended.error = _interrupted("the run was interrupted", "keyboard_interrupt")
        except asyncio.CancelledError:
            is_typed = interruptions.first == signal.SIGINT
            ended.error = _interrupted("the run was interrupted", "keyboard_interrupt" if is_typed else "cancelled")
        except SystemExit:
            ended.error = _interrupted("the process was asked to end", "system_exit")
        finally:
            progress.close()

    def _conclude(self, wired: WiredPipeline, ended: "_Ended", manifest: Mapping[str, Any]) -> int:
        for text in ended.warnings:
            print_warning(text)
        if ended.warned > len(ended.warnings):
            print_warning(f"and {ended.warned - len(ended.warnings)} more units after which the run went on")
        report = run_report(wired, manifest, ended.report, ended.total, ended.error)
        report["debug_transcripts"] = self.transcripts is not None
        if self.as_json:
            results = {"results": ended.lines} if wired.output is None else {}
            StandardOutput().show(write_json({**report, **results}) + b"\n")
        elif wired.output is not None:
            StandardOutput().show(run_text(report, Look.of_output()))
        else:
            # Standard output holds the results.
            print_text(run_text(report, Look()))
        if ended.error is not None:
            print_error(ended.error)
            return _INCOMPLETE
        return _COMPLETE if set(manifest["outcomes"]) <= {Outcome.ACCEPTED.value} else _NOT_ALL_ACCEPTED


class _Transcripts:
    """The folder for texts, made when nothing is left that could be refused."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder: TranscriptFolder | None = None

    def open(self) -> None:
        self._folder = TranscriptFolder(self._path)

    def __call__(self, unit_key: str, producer_id: str, number: int) -> Transcript:
        assert self._folder is not None  # noqa: S101 - it is opened before the run begins
        return self._folder(unit_key, producer_id, number)


@dataclass(slots=True)
class _Ended:
    """What the run has come to."""

    total: int = 0
    report: RunReport = field(default_factory=RunReport)
    error: VeracordError | None = None
    warnings: list[str] = field(default_factory=list)
    warned: int = 0
    lines: list[dict[str, Any]] = field(default_factory=list)

    @property
    def is_taken_over(self) -> bool:
        """Whether the run is somebody else's now: then nothing of it is ours to write."""
        return self.error is not None and self.error.code == "lease_lost"

    def add(self, result: UnitResult[Any]) -> None:
        self.report.outcomes[result.outcome] += 1
        self.report.usage += result.usage
        if result.disposition is Disposition.WARN_CONTINUE:
            self.warned += 1
            if len(self.warnings) < _MOST_WARNINGS:
                self.warnings.append(warning_text(result))


async def _settle_all(
    wired: WiredPipeline, kept: StoredRun, concurrency: int, settled: OnSettled, progress: RunProgress
) -> None:
    ticking = asyncio.create_task(progress.tick())
    try:
        if progress.is_work_left:
            await wired.open()
        await wired.pipeline.aio.run(wired.units, store=kept, concurrency=concurrency, on_settled=settled)
    finally:
        ticking.cancel()
        if wired.model is not None:
            await wired.model.aclose()


async def _export(
    store: RunStore, run_id: str, export: RunExport, wired: WiredPipeline, files: OutputFiles | None
) -> None:
    """Write the output anew where it does not stand.

    Raises:
        StorageError: The system does not let us; the run itself is kept.
    """
    path, results = wired.output, store.results(run_id, as_text=wired.writes_as_read)
    if path is None or files is None:
        await export.write(results)
    elif not await store.export_stands(run_id, path):
        failure = None
        try:
            await export.write(results)
            files.commit()
        except OSError as error:
            failure = system_remedy(error)
        except InputError as error:
            if error.code != "unwritable_output":
                raise
            failure = error.remedy
        if failure is not None:
            raise StorageError(
                "the output cannot be written", where=str(path), remedy=failure, code="unwritable_output"
            )
        await store.keep_export(run_id, export.digest)


def _output(wired: WiredPipeline) -> AbstractContextManager[OutputFiles | None]:
    return nullcontext() if wired.output is None else OutputFiles(wired.files_read)


def _fault() -> Fault | None:
    """Return the fault that a test asks for; a run with one says so."""
    fault = read_fault(os.environ)
    if fault is not None:
        print_warning(f"a fault happens on purpose: {fault}")
    return fault


def _add_output(wired: WiredPipeline, files: OutputFiles | None, store: str) -> StagedFile | None:
    if files is None:
        return None
    with about(f"{wired.path} run.output"):
        target = os.path.realpath(str(wired.output))
        # The store that is in use is not opened: see `veracord.storage.sqlite`.
        if any(os.path.realpath(file) == target for file in store_files(store)) or is_store(Path(target)):
            raise ConfigurationError(
                "the output is a store, or a file of one",
                where=str(wired.output),
                remedy="name another file",
                code="output_is_store",
            )
        return files.add(str(wired.output))


def _interrupted(what: str, code: str) -> RunInterruptedError:
    return RunInterruptedError(what, remedy="run it again", code=code)


def outcomes_of(text: str | None) -> tuple[Outcome, ...]:
    """Return the outcomes that an option names, parted by commas.

    Raises:
        ConfigurationError: One of them is none.
    """
    names = [] if text is None else [name.strip() for name in text.split(",")]
    known = [outcome.value for outcome in Outcome if outcome is not Outcome.ACCEPTED]
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise usage_error(
            f"there is no outcome {unknown} to do again", where="--retry", remedy=f"use {', '.join(known)}"
        )
    return tuple(Outcome(name) for name in names)
