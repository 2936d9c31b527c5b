"""Bringing records into a store: from files and lines to rows of what came of each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from veracord.apps.desks import signing_desk
from veracord.apps.failures import print_error, usage_error
from veracord.apps.inputs import Line, RecordSource, at_line
from veracord.apps.origins import LineOrigins, parse_origins, read_origins
from veracord.apps.outputs import StandardOutput
from veracord.apps.rendering import Look, Sheet
from veracord.apps.repair_run import warn_of_unread_files
from veracord.apps.wording import count
from veracord.bootstrap.importers import BroughtIn, Importer
from veracord.errors import InputError, VeracordError
from veracord.records.pointers import get, is_pointer, split
from veracord.records.reading import Document, read_record
from veracord.records.writing import write_json
from veracord.reports.records import imported_row

Row = dict[str, Any]
BringIn = Callable[[str, Document, Mapping[str, str]], BroughtIn]

_FAILED: Final = 2


@dataclass(frozen=True, slots=True)
class Naming:
    """How records get their ids.

    Attributes:
        given: The id of the one record.
        key: Pointer to the id in each record.
    """

    given: str | None = None
    key: str | None = None

    def check(self, sources: Sequence[RecordSource]) -> None:
        """Make sure that every record gets an id.

        Raises:
            ConfigurationError: ``usage``: it would not, or several would get the same.
        """
        if self.given is not None and self.key is not None:
            raise usage_error("--id and --key were given", remedy="give one of them")
        if self.given is not None and (len(sources) > 1 or sources[0].is_lines):
            raise usage_error("--id names one record", remedy="use --key for many")
        if self.key is not None and not is_pointer(self.key):
            raise usage_error("--key is no pointer", remedy="write it like --key /product/id")
        if self.given is None and self.key is None and any(source.path is None for source in sources):
            raise usage_error("records from standard input have no name", remedy="give --id ID or --key POINTER")

    def name(self, document: Document, path: Path | None, line: int | None) -> str:
        """Return the id of a record.

        Raises:
            InputError: ``record_id``: there is no text or whole number where it should be.
        """
        if self.given is not None:
            return self.given
        if self.key is None:
            stem = "" if path is None else path.stem
            return stem if line is None else f"{stem}#{line}"
        found = get(document.value, split(self.key))
        if type(found) is str or type(found) is int:
            return str(found)
        raise InputError(
            f"there is no text or whole number at {self.key} that could be the record's id",
            where=document.where,
            remedy="name another place with --key",
            code="record_id",
        )


class ImportRun:
    """One command `import`."""

    def __init__(self, sources: Sequence[RecordSource], naming: Naming, *, as_json: bool) -> None:
        """Remember what is wanted.

        Raises:
            ConfigurationError: ``usage``: the ids do not fit the sources.
        """
        if not sources:
            raise usage_error("no record was given", remedy="name a file")
        naming.check(sources)
        self._sources = sources
        self._naming = naming
        self._as_json = as_json
        self._is_one = len(sources) == 1 and not sources[0].is_lines
        self._rows: list[Row] = []
        self._failed = 0
        self._names: set[str] = set()

    def into(self, store: str, importer: Importer, signing_key: Path | None) -> int:
        """Bring all records into a store; return the exit code.

        Raises:
            VeracordError: See `run`; or the store or its key cannot be used.
        """
        warn_of_unread_files(importer.unread_files)
        with signing_desk(store, signing_key, is_new=True) as desk:
            try:
                return self.run(partial(importer.bring_in, desk))
            finally:
                importer.close(desk)

    def run(self, bring_in: BringIn) -> int:
        """Bring all records in; return the exit code.

        Args:
            bring_in: Brings one in, by its id, with the origins that came with it.

        Raises:
            VeracordError: The only record cannot be brought in, or a file cannot be read.
        """
        for source in self._sources:
            if source.is_lines:
                self._bring_lines(bring_in, source)
            else:
                self._try(partial(self._bring_file, bring_in, source))
        report = {"records": self._rows, "failed": self._failed}
        shown = write_json(report) + b"\n" if self._as_json else _text(report, Look.of_output())
        StandardOutput().show(shown)
        return _FAILED if self._failed else 0

    def _try(self, work: Callable[[], None]) -> None:
        """Do one record; where there are many, an error is told and the others go on."""
        try:
            work()
        except VeracordError as error:
            if self._is_one:
                raise
            self._failed += 1
            print_error(error)

    def _bring_file(self, bring_in: BringIn, source: RecordSource) -> None:
        document = read_record(source.read(), where=source.where, max_bytes=source.max_bytes)
        self._bring(bring_in, document, read_origins(source.path), source, None)

    def _bring_lines(self, bring_in: BringIn, source: RecordSource) -> None:
        for line in _with_origins(source):
            self._try(partial(self._bring_line, bring_in, source, *line))

    def _bring_line(self, bring_in: BringIn, source: RecordSource, line: Line, known: bytes) -> None:
        try:
            document = read_record(line.data, where=source.where, max_bytes=source.max_bytes)
            origins = parse_origins(known, source.where) if known else {}
            self._bring(bring_in, document, origins, source, line.number)
        except VeracordError as error:
            raise at_line(error, source.where, line.number) from None

    def _bring(
        self,
        bring_in: BringIn,
        document: Document,
        origins: Mapping[str, str],
        source: RecordSource,
        line: int | None,
    ) -> None:
        name = self._naming.name(document, source.path, line)
        if name in self._names:
            raise InputError(
                "two records of this command would have the same id",
                where=source.where,
                remedy="import them one by one with --id, or name a place with --key",
                code="record_id",
            )
        done = bring_in(name, document, origins)
        self._names.add(name)
        self._rows.append(imported_row(done.imported, done.waiting, done.suggestions_status))


def _with_origins(source: RecordSource) -> Iterator[tuple[Line, bytes]]:
    origins = LineOrigins(source.path)
    for line in source.lines(keep_rests=False):
        if line.data.strip():
            yield line, origins.of(line.number)


def _text(report: Row, look: Look) -> str:
    sheet = Sheet(look)
    rows = [
        (row["record_id"], str(row["revision"]), str(row["fills"]), str(row["suggestions_waiting"]))
        for row in report["records"]
    ]
    sheet.table("Records", ("id", "revision", "filled", "suggestions to decide"), rows)
    failed = [row["suggestions_status"] for row in report["records"] if row["suggestions_status"].startswith("failed:")]
    if failed:
        sheet.line(f"Of {count(len(failed), 'record')} no suggestions: {failed[0].removeprefix('failed:')}.")
    for row in report["records"]:
        if row["decisions_dropped"]:
            sheet.line(f"Of {row['record_id']} no longer stand: {', '.join(row['decisions_dropped'])}.")
    line = f"{count(len(report['records']), 'record')} imported"
    sheet.line(f"{line}, {report['failed']} refused." if report["failed"] else f"{line}.")
    return sheet.text()
