"""One run of `veracord repair`: a record or many, in order, to standard output and to files."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from veracord.apps.diffs import file_header
from veracord.apps.failures import ReaderGone, print_error, print_note, print_warning, usage_error
from veracord.apps.inputs import Line, RecordSource
from veracord.apps.line_repair import Done, RecordRepairer, Shown, Wanted
from veracord.apps.origins import LineOrigins, read_origins, sidecar_of, sidecar_to_write
from veracord.apps.outputs import StandardOutput, is_terminal
from veracord.apps.progress import Progress
from veracord.apps.staging import OutputFiles, StagedFile
from veracord.apps.wording import count
from veracord.apps.workers import run_in_order
from veracord.bootstrap.choices import Choices, files_read, unread_files
from veracord.bootstrap.composers import refuse_shared_limits
from veracord.records.writing import write_json

if TYPE_CHECKING:
    from veracord.apps.rendering import Look

_BATCH_LINES: Final = 64
_BATCH_BYTES: Final = 512 * 1024
_CHUNK: Final = 1024 * 1024


@dataclass(slots=True)
class Tally:
    """What became of the records of a run."""

    conforming: int = 0
    not_conforming: int = 0
    not_done: int = 0
    filled: int = 0
    still_open: int = 0

    def add(self, done: Done) -> None:
        """Count one record; a blank line is none."""
        if done.error is not None:
            self.not_done += 1
        elif done.conforms:
            self.conforming += 1
        elif done.conforms is not None:
            self.not_conforming += 1
        self.filled += done.filled
        self.still_open += done.still_open

    @property
    def exit_code(self) -> int:
        """2 when a line could not be done, 1 when a record does not conform, else 0."""
        if self.not_done:
            return 2
        return 1 if self.not_conforming else 0

    def __str__(self) -> str:
        """Return the counts on one line."""
        total = self.conforming + self.not_conforming + self.not_done
        bad = f", {self.not_done:,} could not be done" if self.not_done else ""
        return (
            f"{count(total, 'record')}: {self.conforming:,} conform, {self.not_conforming:,} do not"
            f"{bad}; {self.filled:,} filled, {self.still_open:,} open."
        )


def wanted_of(
    source: RecordSource,
    outputs: tuple[str | None, str | None],
    *,
    as_json: bool,
    diff: bool,
    suggest: bool,
) -> Wanted:
    """Return what is to be made of each record.

    Args:
        source: The records.
        outputs: Files for the results and for the records.
        as_json: Whether standard output is for programs.
        diff: Whether a diff goes to standard output.
        suggest: Whether a model may be asked.

    Raises:
        ConfigurationError: Standard output was asked to be JSON and a diff at once.
    """
    out, record_out = outputs
    if diff and as_json and out is None:
        raise usage_error(
            "--diff and --json both want standard output",
            remedy="give one of them, or --out FILE for the results",
        )
    shown = _shown(has_out=out is not None, as_json=as_json, diff=diff)
    return Wanted(
        source=source.where,
        shown=shown,
        look=_look(source) if shown is Shown.REPORT else None,
        result=out is not None,
        record=record_out is not None,
        suggest=suggest,
    )


@dataclass(frozen=True, slots=True)
class RepairRun:
    """A run as it was asked for.

    Attributes:
        source: The records.
        choices: Profile and evidence.
        wanted: What is made of each record.
        out: Where the results go instead of standard output.
        record_out: Where the records go.
        jobs: How many processes work.
    """

    source: RecordSource
    choices: Choices
    wanted: Wanted
    out: str | None = None
    record_out: str | None = None
    jobs: int = 1

    def run(self) -> int:
        """Do it and return the exit code; the output files are written at the very end.

        Raises:
            VeracordError: The run failed as a whole; then no file was touched.
        """
        warn_of_unread_files(unread_files(self.choices))
        if self.source.is_lines:
            refuse_shared_limits(self.choices, self.jobs)
        read = files_read(self.choices)
        if self.source.path is not None:
            read += [self.source.path, sidecar_of(self.source.path)]
        with OutputFiles(read) as files:
            sinks = _Sinks(self, files)
            tally = self._do_lines(sinks) if self.source.is_lines else self._do_one(sinks)
            files.commit()
        return tally.exit_code

    def _do_one(self, sinks: "_Sinks") -> Tally:
        with closing(RecordRepairer(self.choices, self.wanted)) as repairer:
            done = repairer.repair_alone(self.source.read(), read_origins(self.source.path))
        sinks.take_lone(done)
        tally = Tally()
        tally.add(done)
        return tally

    def _do_lines(self, sinks: "_Sinks") -> Tally:
        tally = Tally()
        progress = Progress(wanted=self.wanted.shown is Shown.NOTHING or not is_terminal())
        with closing(self._done_lines()) as done_lines:
            for done in done_lines:
                tally.add(done)
                if done.error is not None:
                    progress.clear()
                    print_error(done.error)
                sinks.take_line(done, self.source.rests.pop(done.number, None))
                progress.step()
        progress.clear()
        sinks.end_lines(tally)
        return tally

    def _lines(self) -> Iterator[Line]:
        origins = LineOrigins(self.source.path)
        for line in self.source.lines(keep_rests=self.record_out is not None):
            known = origins.of(line.number)
            yield replace(line, origins=known) if known else line

    def _done_lines(self) -> Generator[Done]:
        lines = self._lines()
        build = partial(RecordRepairer, self.choices, self.wanted)
        if self.jobs == 1:
            with closing(build()) as repairer:
                yield from map(repairer, lines)
            return
        # Closed at once when the run ends early, so that no worker outlives it.
        with closing(run_in_order(build, _batches(lines), self.jobs)) as batches:
            for batch in batches:
                yield from batch


def warn_of_unread_files(unread: Sequence[str]) -> None:
    """Say which files of evidence folders are of no kind that is read."""
    if unread:
        more = f" and {len(unread) - 1:,} more" if len(unread) > 1 else ""
        print_warning(
            f"unread_files: not read as evidence: {unread[0]}{more}, see the kinds that are in docs/records.md"
        )


class _Sinks:
    """Everything that a run writes to."""

    def __init__(self, run: RepairRun, files: OutputFiles) -> None:
        self._shown = run.wanted.shown
        self._name = run.wanted.source
        self._stdout = StandardOutput()
        self._results = files.add(run.out) if run.out else None
        self._records = files.add(run.record_out) if run.record_out else None
        self._origins: StagedFile | None = None
        if run.record_out:
            self._origins = files.add(sidecar_to_write(Path(run.record_out)), optional=True)
        self._some_origins = self._header_shown = self._reader_gone = False

    def take_lone(self, done: Done) -> None:
        self._show(done.shown)
        if self._results is not None:
            self._results.write(done.result + b"\n")
        if self._records is not None:
            self._records.write(done.record)
        if self._origins is not None and done.origins:
            self._origins.write(write_json(done.origins) + b"\n")

    def take_line(self, done: Done, rest: IO[bytes] | None) -> None:
        if done.shown and self._shown is Shown.DIFF and not self._header_shown:
            self._show(file_header(self._name).encode())
            self._header_shown = True
        self._show(done.shown)
        if self._results is not None and done.result:
            self._results.write(done.result + b"\n")
        if self._records is not None:
            self._records.write(done.record)
            if rest is not None:
                _copy(rest, self._records)
        if self._origins is not None and done.origins:
            before = b",\n" if self._some_origins else b"{"
            entry = b'"%d":%s' % (done.number, write_json(done.origins))
            self._origins.write(before + entry)
            self._some_origins = True

    def end_lines(self, tally: Tally) -> None:
        if self._origins is not None and self._some_origins:
            self._origins.write(b"}\n")
        if self._shown is Shown.REPORT:
            self._show(f"{tally}\n")
        else:
            print_note(str(tally))

    def _show(self, text: str | bytes) -> None:
        if not text or self._reader_gone:
            return
        try:
            self._stdout.show(text)
        except ReaderGone:
            # Files that were asked for are still to be written.
            if self._results is None and self._records is None:
                raise
            self._reader_gone = True


def _shown(*, has_out: bool, as_json: bool, diff: bool) -> Shown:
    if diff:
        return Shown.DIFF
    if has_out:
        return Shown.NOTHING
    return Shown.JSON if as_json else Shown.REPORT


def _look(source: RecordSource) -> "Look | None":
    if source.is_lines:
        return None
    from veracord.apps.rendering import Look

    return Look.of_output()


def _batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    batch: list[Line] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line.data)
        if len(batch) >= _BATCH_LINES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _copy(rest: IO[bytes], file: StagedFile) -> None:
    with rest:
        while chunk := rest.read(_CHUNK):
            file.write(chunk)
