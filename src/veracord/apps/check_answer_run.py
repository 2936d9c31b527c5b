"""One run of `veracord check-answer`: answers to judge, a line each, to standard output as each is decided."""

from dataclasses import dataclass
from typing import Final

from veracord.apps.failures import failure_of, print_error
from veracord.apps.inputs import RecordSource, at_line
from veracord.apps.outputs import StandardOutput
from veracord.bootstrap.answer_lines import judge_line, read_line
from veracord.errors import VeracordError
from veracord.grounding.verdicts import SUPPORTED
from veracord.grounding.verifier import Verifier
from veracord.records.values import JsonValue
from veracord.records.writing import write_json

_BLANKS: Final = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class CheckAnswerRun:
    """A run as it was asked for.

    Attributes:
        source: The lines.
    """

    source: RecordSource

    def run(self) -> int:
        """Do it and return the exit code: 0 all supported, 1 some are not, 2 a line could not be read.

        Raises:
            VeracordError: The run failed as a whole.
        """
        verifier = Verifier()
        stdout = StandardOutput()
        worst = negative = 0
        for line in self.source.lines(keep_rests=False):
            if not line.data.strip(_BLANKS):
                continue
            line_id: JsonValue = None
            try:
                question = read_line(line.data, self.source.where, self.source.max_bytes)
                line_id = question.get("id")
                result = {"id": line_id, **judge_line(verifier, question)}
            except Exception as error:  # noqa: BLE001 - a fault of ours in one line loses no other line
                known = error if isinstance(error, VeracordError) else failure_of(error)
                shown = at_line(known, self.source.where, line.number)
                worst = max(worst, print_error(shown))
                result = {"id": line_id, "error": _told(shown)}
            else:
                negative += result["verdict"] != SUPPORTED
            stdout.show(write_json(result) + b"\n")
            stdout.finish()
        return worst or (1 if negative else 0)


def _told(error: VeracordError) -> dict[str, str]:
    return {"code": error.code, "message": str(error).removeprefix(f"{error.code}: ")}
