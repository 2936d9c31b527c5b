"""The repair of one record, from its bytes to everything that is to be written about it.

It runs in the command's own process or in a worker; both give the same bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from veracord.apps.failures import failure_of
from veracord.apps.inputs import Line, at_line
from veracord.apps.origins import parse_origins
from veracord.bootstrap.choices import Choices, load_evidence
from veracord.bootstrap.composers import WiredComposer
from veracord.errors import PipelineError, StorageError, VeracordError
from veracord.records.reading import Document, read_record
from veracord.records.writing import write_json

if TYPE_CHECKING:
    from veracord.apps.rendering import Look
    from veracord.composer.results import RepairResult

_BLANKS: Final = b" \t\r\n"


class Shown(Enum):
    """What a repair puts on standard output."""

    NOTHING = "nothing"
    JSON = "json"
    REPORT = "report"
    DIFF = "diff"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be made of each repair.

    Attributes:
        source: What errors call the input.
        shown: What goes to standard output.
        look: The look of a report; None for one of many records.
        result: Whether the result goes to a file.
        record: Whether the record goes to a file.
        suggest: Whether a model may be asked for suggestions.
    """

    source: str
    shown: Shown
    look: "Look | None" = None
    result: bool = False
    record: bool = False
    suggest: bool = True


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one record.

    Attributes:
        number: Its line; 0 for a lone record.
        conforms: Whether it conforms now; None for a blank line.
        result: The result as JSON, where it is wanted.
        shown: What goes to standard output.
        record: The record, with the line break it had.
        origins: Where its leaves come from; empty when all were in the input.
        filled: How many leaves were filled.
        still_open: How many violations stay.
        error: Why it could not be done; then `record` is the line as it was.
    """

    number: int
    conforms: bool | None = None
    result: bytes = b""
    shown: str | bytes = b""
    record: bytes = b""
    origins: Mapping[str, str] | None = None
    filled: int = 0
    still_open: int = 0
    error: VeracordError | None = None


class RecordRepairer:
    """Repairs records against one profile and one pack of evidence."""

    def __init__(self, choices: Choices, wanted: Wanted) -> None:
        """Load profile and evidence, and open what was chosen beside them.

        Raises:
            VeracordError: One of them cannot be used.
        """
        self._wired = WiredComposer(choices)
        self._composer = self._wired.composer
        self._pack = load_evidence(choices)
        self._wanted = wanted
        self._max_bytes = choices.settings.max_record_bytes

    def __call__(self, line: Line) -> Done:
        """Repair the record of one line; what is wrong with the line is part of what is returned.

        Raises:
            PipelineError: A limit on cost was reached.
            StorageError: The store failed.
            InternalError: Something unforeseen happened.
        """
        original = line.data + line.ending
        if not line.data.strip(_BLANKS):
            return Done(line.number, record=original)
        try:
            document = read_record(line.data, where=self._wanted.source, max_bytes=self._max_bytes)
            origins = parse_origins(line.origins, self._wanted.source) if line.origins else {}
            return self._repaired(document, origins, line)
        except (PipelineError, StorageError) as error:
            # It would meet the other lines, too.
            raise at_line(error, self._wanted.source, line.number) from None
        except VeracordError as error:
            return self._refused(at_line(error, self._wanted.source, line.number), line)
        except Exception as error:  # noqa: BLE001 - told with the line it happened at, then raised
            raise at_line(failure_of(error), self._wanted.source, line.number) from None

    def close(self) -> None:
        """Give back what was opened."""
        self._wired.close()

    def repair_alone(self, data: bytes, origins: Mapping[str, str]) -> Done:
        """Repair the only record of a run.

        Args:
            data: Its text.
            origins: Origins of its leaves that came with it.

        Raises:
            InputError: The record cannot be read.
        """
        document = read_record(data, where=self._wanted.source, max_bytes=self._max_bytes)
        return self._repaired(document, origins, None)

    def _repaired(self, document: Document, known: Mapping[str, str], line: Line | None) -> Done:
        result = self._composer.repair(
            document,
            self._pack,
            suggest_from_training=self._wanted.suggest,
            origins=dict(known),
        )
        wanted = self._wanted
        encoded = result.encode() if wanted.result or wanted.shown is Shown.JSON else b""
        origins = result.origins if wanted.record else {}
        return Done(
            number=line.number if line else 0,
            conforms=result.conforms,
            result=encoded,
            shown=self._shown(result, encoded, document, line),
            record=result.record_text() + (line.ending if line else b"") if wanted.record else b"",
            origins=origins if any(origin != "input" for origin in origins.values()) else None,
            filled=len(result.fills),
            still_open=len(result.unresolved),
        )

    def _shown(self, result: "RepairResult", encoded: bytes, document: Document, line: Line | None) -> str | bytes:
        match self._wanted.shown:
            case Shown.NOTHING:
                return b""
            case Shown.JSON:
                return encoded + b"\n"
            case Shown.DIFF:
                return _diff(self._wanted.source, document.data, result.record_text(), line)
            case Shown.REPORT:
                return self._report(result.to_dict(), line)

    def _report(self, result: dict[str, Any], line: Line | None) -> str:
        # Loading the tables takes longer than a small repair.
        from veracord.apps.rendering import Look
        from veracord.apps.reports import repair_listing, repair_report

        if line is not None:
            return repair_listing(result, line.number)
        return repair_report(result, self._wanted.look or Look())

    def _refused(self, error: VeracordError, line: Line) -> Done:
        entry = error_entry(error, line.number)
        shown: str | bytes = b""
        if self._wanted.shown is Shown.JSON:
            shown = entry + b"\n"
        elif self._wanted.shown is Shown.REPORT:
            shown = f"line {line.number}: not done: {error.code}\n"
        return Done(
            number=line.number,
            result=entry,
            shown=shown,
            record=line.data + line.ending,
            error=error,
        )


def error_entry(error: VeracordError, number: int) -> bytes:
    """Return the JSON line that stands in the place of a result that could not be made."""
    message = str(error).removeprefix(f"{error.code}: ")
    return write_json({"line": number, "error": {"code": error.code, "message": message}})


def _diff(source: str, before: bytes, after: bytes, line: Line | None) -> bytes:
    from veracord.apps.diffs import line_diff, unified_diff

    old, new = before.decode(), after.decode()
    if line is None:
        return unified_diff(old, new, source).encode()
    ending = line.ending.decode()
    return line_diff(old + ending, new + ending, line.number).encode()
