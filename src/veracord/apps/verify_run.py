"""One run of `veracord verify`: a result or many, each checked against the evidence."""

from dataclasses import dataclass
from typing import Any

from veracord.apps.escaping import visible
from veracord.apps.failures import print_error
from veracord.apps.inputs import RecordSource, at_line
from veracord.apps.line_repair import error_entry
from veracord.apps.outputs import StandardOutput
from veracord.apps.rendering import Look
from veracord.apps.verification_reports import not_checked_text, verification_report, verification_summary
from veracord.apps.wording import count
from veracord.composer.results import RESULT_LEVELS
from veracord.composer.verification import verify_result
from veracord.composer.verified_rows import NotChecked
from veracord.composer.verified_seed import GivenSeed
from veracord.errors import InputError, VeracordError
from veracord.records.evidence import EvidencePack
from veracord.records.profiles import Profile
from veracord.records.reading import read_record
from veracord.records.writing import write_json


@dataclass(frozen=True, slots=True)
class VerifyRun:
    """A run as it was asked for.

    Attributes:
        source: The results.
        pack: The evidence.
        as_json: Whether the output is for programs.
        profile: By which it is decided anew what counts where; None: that is told as not checked.
        seed: What a synthesis was made from; None: that is told as not checked.
    """

    source: RecordSource
    pack: EvidencePack
    as_json: bool
    profile: Profile | None = None
    seed: GivenSeed | None = None

    def run(self) -> int:
        """Do it and return the exit code.

        Raises:
            VeracordError: The run failed as a whole.
        """
        if self.source.is_lines:
            return self._do_lines()
        result = self._verified(self.source.read())
        if self.as_json:
            StandardOutput().show(write_json(result) + b"\n")
        else:
            StandardOutput().show(verification_report(result, Look.of_output()))
        return 0 if result["ok"] else 1

    def _do_lines(self) -> int:
        stdout = StandardOutput()
        good = failed = bad = 0
        unchecked: set[str] = set()
        for line in self.source.lines(keep_rests=False):
            if not line.data.strip():
                continue
            try:
                result = self._verified(line.data)
            except VeracordError as error:
                bad += 1
                told = at_line(error, self.source.where, line.number)
                print_error(told)
                if self.as_json:
                    stdout.show(error_entry(told, line.number) + b"\n")
                continue
            unchecked |= set(result["not_checked"])
            good, failed = good + result["ok"], failed + (not result["ok"])
            stdout.show(self._line(result, line.number))
        if not self.as_json:
            unread = f", {bad:,} could not be checked" if bad else ""
            total = count(good + failed + bad, "result")
            open_parts = not_checked_text(part.value for part in NotChecked if part.value in unchecked)
            stdout.show(f"{total}: {good:,} verified, {failed:,} not{unread}.{open_parts}\n")
        return 2 if bad else 1 if failed else 0

    def _verified(self, data: bytes) -> dict[str, Any]:
        result = read_record(
            data, where=self.source.where, max_bytes=self.source.max_bytes, max_levels=RESULT_LEVELS
        ).value
        if "error" in result and "line" in result:
            # A record that could not be read: there is no result, hence nothing that was verified.
            raise InputError(
                "an error stands in the place of a result",
                where=self.source.where,
                remedy="repair that record first",
                code="no_result",
            )
        verification: dict[str, Any] = verify_result(result, self.pack, profile=self.profile, seed=self.seed).to_dict()
        return verification

    def _line(self, result: dict[str, Any], number: int) -> str | bytes:
        if self.as_json:
            return write_json(result) + b"\n"
        lines = [f"line {number}: {verification_summary(result)}"]
        lines += [f"  not verified {row['path']}: {row['reason']}" for row in result["rows"] if row["ok"] is False]
        return "".join(f"{visible(text)}\n" for text in lines)
