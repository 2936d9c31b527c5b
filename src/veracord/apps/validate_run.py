"""One run of `veracord validate`: a record or many, in order, to standard output."""

from dataclasses import dataclass
from typing import Any, Final

from veracord.apps.failures import print_error
from veracord.apps.inputs import Line, RecordSource, at_line
from veracord.apps.line_repair import error_entry
from veracord.apps.outputs import StandardOutput, is_terminal
from veracord.apps.progress import Progress
from veracord.apps.rendering import Look
from veracord.apps.reports import violations_listing, violations_report
from veracord.apps.wording import count
from veracord.bootstrap.choices import Choices, load_profile
from veracord.errors import VeracordError
from veracord.records.reading import Document, read_record
from veracord.records.writing import write_json
from veracord.reports.validations import validation_report

_BLANKS: Final = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class ValidateRun:
    """A run as it was asked for.

    Attributes:
        source: The records.
        choices: The profile.
        as_json: Whether the output is for programs.
        show_values: Whether the violating values are shown, to the owner of the record.
    """

    source: RecordSource
    choices: Choices
    as_json: bool
    show_values: bool

    def run(self) -> int:
        """Do it and return the exit code.

        Raises:
            VeracordError: The run failed as a whole.
        """
        validator = _Validator(self)
        if self.source.is_lines:
            return self._do_lines(validator)
        document = read_record(self.source.read(), where=self.source.where, max_bytes=self.source.max_bytes)
        result = validator.result(document)
        StandardOutput().show(validator.shown(result, None))
        return 0 if result["conforms"] else 1

    def _do_lines(self, validator: "_Validator") -> int:
        stdout = StandardOutput()
        progress = Progress(wanted=not is_terminal())
        good = negative = bad = 0
        for line in self.source.lines(keep_rests=False):
            if not line.data.strip(_BLANKS):
                continue
            try:
                result = validator.result(self._document(line))
            except VeracordError as error:
                bad += 1
                progress.clear()
                stdout.show(self._refused(at_line(error, self.source.where, line.number), line))
            else:
                good, negative = good + result["conforms"], negative + (not result["conforms"])
                stdout.show(validator.shown(result, line.number))
            progress.step()
        progress.clear()
        if not self.as_json:
            stdout.show(
                f"{count(good + negative + bad, 'record')}: {good:,} conform,"
                f" {negative:,} do not{f', {bad:,} could not be read' if bad else ''}.\n"
            )
        return 2 if bad else 1 if negative else 0

    def _document(self, line: Line) -> Document:
        return read_record(line.data, where=self.source.where, max_bytes=self.source.max_bytes)

    def _refused(self, error: VeracordError, line: Line) -> str | bytes:
        print_error(error)
        if self.as_json:
            return error_entry(error, line.number) + b"\n"
        return f"line {line.number}: not done: {error.code}\n"


class _Validator:
    """Validates records and says it in the form that was asked for."""

    def __init__(self, run: ValidateRun) -> None:
        self._profile = load_profile(run.choices)
        self._as_json = run.as_json
        self._show_values = run.show_values
        self._look = Look.of_output()

    def result(self, document: Document) -> dict[str, Any]:
        return validation_report(self._profile, document, with_values=self._show_values)

    def shown(self, result: dict[str, Any], number: int | None) -> str | bytes:
        if self._as_json:
            return write_json(result) + b"\n"
        if number is not None:
            return violations_listing(result, number, with_values=self._show_values)
        return violations_report(result, self._look, with_values=self._show_values)
