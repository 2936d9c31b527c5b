"""One run of `veracord run`: the units of a pipeline file, then its results in the order of the input."""

import asyncio
import signal
import sys
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from veracord.apps.failures import print_error, print_text, print_warning
from veracord.apps.interruptions import Interruptions
from veracord.apps.open_files import allow_connections
from veracord.apps.outputs import StandardOutput
from veracord.apps.rendering import Look
from veracord.apps.run_progress import RunProgress
from veracord.apps.run_reports import plan_report, plan_text, result_line, run_report, run_text, warning_text
from veracord.apps.staging import OutputFiles, StagedFile
from veracord.bootstrap.pipelines import WiredPipeline, about, load_pipeline
from veracord.config import Settings
from veracord.errors import InputError, PipelineError, RunInterruptedError, VeracordError
from veracord.pipeline import Outcome, RunReport, UnitResult
from veracord.pipeline.policies import Disposition
from veracord.pipeline.transcripts import Transcript
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
    """

    path: Path
    settings: Settings
    concurrency: int | None = None
    transcripts: Path | None = None
    as_json: bool = False

    def start(self, *, dry_run: bool) -> int:
        """Do it, or tell what would be done, and return the exit code.

        Raises:
            VeracordError: Something cannot be used; no model was asked.
        """
        transcripts = None if self.transcripts is None else _Transcripts(self.transcripts)
        wired = load_pipeline(self.path, self.settings, transcripts)
        units = wired.check_units()
        if dry_run:
            with _output(wired) as files:
                _add_output(wired, files)
            plan = plan_report(wired, units)
            StandardOutput().show(write_json(plan) + b"\n" if self.as_json else plan_text(plan, Look.of_output()))
            return _COMPLETE
        allow_connections(self._concurrency(wired))
        with Interruptions() as interruptions, _output(wired) as files:
            file = _add_output(wired, files)
            if transcripts is not None:
                transcripts.open()
            ended = _Ended(total=units)
            self._work(wired, ended, interruptions)
            interruptions.may_break = False
            asyncio.run(self._write(wired, ended, file))
            if files is not None:
                files.commit()
            return self._conclude(wired, ended)

    def _concurrency(self, wired: WiredPipeline) -> int:
        return self.concurrency or wired.table.run.concurrency

    def _work(self, wired: WiredPipeline, ended: "_Ended", interruptions: Interruptions) -> None:
        if self.transcripts is not None:
            print_warning(f"texts of the model are written to {self.transcripts}")
        progress = RunProgress(ended.total)

        def settled(result: UnitResult[Any]) -> None:
            ended.add(result)
            progress.add(result)

        async def work() -> None:
            interruptions.end(asyncio.current_task())
            try:
                await _settle_all(wired, self._concurrency(wired), settled, progress)
            finally:
                interruptions.end(None)

        try:
            # What a validator prints must not get among the results.
            with redirect_stdout(sys.stderr):
                asyncio.run(work())
        except (PipelineError, InputError) as error:
            # Also an input that was changed under the run: what was done is kept.
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

    async def _write(self, wired: WiredPipeline, ended: "_Ended", file: StagedFile | None) -> None:
        stdout = StandardOutput()
        async for result in wired.store.results():
            try:
                line = write_json(result_line(result)) + b"\n"
            except Exception:  # noqa: BLE001 - a value of a foreign producer can fail in its own ways
                line = b""
            if not line:
                raise InputError(
                    "a producer made a value that is no JSON",
                    where=result.producer_id,
                    remedy="make it return JSON",
                    code="unwritable_value",
                )
            if file is not None:
                file.write(line)
            elif self.as_json:
                ended.lines.append(result_line(result))
            else:
                stdout.show(line)

    def _conclude(self, wired: WiredPipeline, ended: "_Ended") -> int:
        for text in ended.warnings:
            print_warning(text)
        if ended.warned > len(ended.warnings):
            print_warning(f"and {ended.warned - len(ended.warnings)} more units after which the run went on")
        report = run_report(wired, ended.report, ended.total, ended.error)
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
        accepted = ended.report.outcomes[Outcome.ACCEPTED]
        return _COMPLETE if accepted == ended.report.units else _NOT_ALL_ACCEPTED


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

    def add(self, result: UnitResult[Any]) -> None:
        self.report.outcomes[result.outcome] += 1
        self.report.usage += result.usage
        if result.disposition is Disposition.WARN_CONTINUE:
            self.warned += 1
            if len(self.warnings) < _MOST_WARNINGS:
                self.warnings.append(warning_text(result))


async def _settle_all(wired: WiredPipeline, concurrency: int, settled: Any, progress: RunProgress) -> None:  # noqa: ANN401 - a callback
    ticking = asyncio.create_task(progress.tick())
    try:
        await wired.open()
        await wired.pipeline.aio.run(
            wired.units.units(), store=wired.store, concurrency=concurrency, on_settled=settled
        )
    finally:
        ticking.cancel()
        if wired.model is not None:
            await wired.model.aclose()


def _output(wired: WiredPipeline) -> AbstractContextManager[OutputFiles | None]:
    return nullcontext() if wired.output is None else OutputFiles(wired.files_read)


def _add_output(wired: WiredPipeline, files: OutputFiles | None) -> StagedFile | None:
    if files is None:
        return None
    with about(f"{wired.path} run.output"):
        return files.add(str(wired.output))


def _interrupted(what: str, code: str) -> RunInterruptedError:
    return RunInterruptedError(what, remedy="run it again", code=code)
