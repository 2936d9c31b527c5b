"""One run of `veracord synthesize`: a record from a seed, or every reason why there is none."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from veracord.apps.failures import usage_error
from veracord.apps.inputs import RecordSource
from veracord.apps.origins import read_origins, sidecar_of, sidecar_to_write
from veracord.apps.outputs import StandardOutput
from veracord.apps.rendering import Look
from veracord.apps.repair_run import warn_of_unread_files
from veracord.apps.reports import refusal_report, synthesis_report
from veracord.apps.staging import OutputFiles
from veracord.bootstrap.choices import Choices, files_read, load_evidence, unread_files
from veracord.bootstrap.composers import WiredComposer
from veracord.errors import (
    ModelError,
    ModelOutputError,
    ModelRefusedError,
    ModelTruncatedError,
    RecordGenerationError,
)
from veracord.records.reading import read_record
from veracord.records.writing import write_json
from veracord.reports.validations import refusal_row

if TYPE_CHECKING:
    from veracord.composer.synthesis_results import SynthesisResult

_BUILT: Final = 0
_REFUSED: Final = 1


@dataclass(frozen=True, slots=True)
class SynthesizeRun:
    """A run as it was asked for.

    Attributes:
        source: The seed.
        choices: Profile, evidence, and who is asked.
        assemble: Whether the record is first put together without a model.
        out: Where the result goes instead of standard output.
        record_out: Where the record goes.
        as_json: Whether standard output is for programs.
    """

    source: RecordSource
    choices: Choices
    assemble: bool = True
    out: str | None = None
    record_out: str | None = None
    as_json: bool = False

    def run(self) -> int:
        """Do it and return the exit code; where there is no record, no file is touched.

        Raises:
            VeracordError: Something cannot be used, or the model could not be asked.
        """
        if self.source.is_lines:
            raise usage_error(
                "SEED is JSON Lines",
                where=self.source.where,
                remedy='give one record; for many, use veracord run with kind = "synthesis"',
            )
        warn_of_unread_files(unread_files(self.choices))
        read = files_read(self.choices)
        if self.source.path is not None:
            read += [self.source.path, sidecar_of(self.source.path)]
        with OutputFiles(read) as files:
            staged = self._staged(files)
            result = self._built()
            if isinstance(result, RecordGenerationError):
                self._show_refusal(result)
                return _REFUSED
            if isinstance(result, ModelError):
                if self.as_json:
                    self._show_refusal(result)
                raise result
            for file, data in zip(staged, self._written(result), strict=True):
                file.write(data)
            if self.out is None:
                self._show(result)
            files.commit()
        return _BUILT

    def _staged(self, files: OutputFiles) -> list[Any]:
        staged = [] if self.out is None else [files.add(self.out)]
        if self.record_out is not None:
            staged += [files.add(self.record_out), files.add(sidecar_to_write(Path(self.record_out)))]
        return staged

    def _built(self) -> "SynthesisResult | RecordGenerationError | ModelError":
        with WiredComposer(self.choices) as wired:
            pack = load_evidence(self.choices)
            data, where = self.source.read(), self.source.where
            seed = read_record(data, where=where, max_bytes=self.source.max_bytes)
            origins = read_origins(self.source.path)
            try:
                return wired.composer.synthesize(seed, pack, assemble=self.assemble, origins=origins)
            except (RecordGenerationError, ModelRefusedError, ModelTruncatedError, ModelOutputError) as error:
                return error

    def _written(self, result: "SynthesisResult") -> list[bytes]:
        written = [] if self.out is None else [result.encode() + b"\n"]
        if self.record_out is not None:
            written += [result.record_text() + b"\n", write_json(result.origins) + b"\n"]
        return written

    def _show(self, result: "SynthesisResult") -> None:
        if self.as_json:
            StandardOutput().show(result.encode() + b"\n")
        else:
            StandardOutput().show(synthesis_report(result.to_dict(), Look.of_output()))

    def _show_refusal(self, error: RecordGenerationError | ModelError) -> None:
        told = refusal_row(error)
        if self.as_json:
            StandardOutput().show(write_json(told) + b"\n")
        else:
            StandardOutput().show(refusal_report(told, Look.of_output()))
