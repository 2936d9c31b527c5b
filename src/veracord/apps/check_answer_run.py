"""One run of `veracord check-answer`: answers to judge, a line each, to standard output as each is decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from veracord.apps.failures import print_error
from veracord.apps.inputs import Line, RecordSource, at_line
from veracord.apps.outputs import StandardOutput
from veracord.errors import InputError, VeracordError
from veracord.grounding.verdicts import SUPPORTED
from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidencePack
from veracord.records.reading import MAX_DEPTH, read_value
from veracord.records.values import JsonValue
from veracord.records.writing import write_json

_BLANKS: Final = b" \t\r\n"
#: A line holds evidence, which holds records: three levels above each.
_LEVELS: Final = MAX_DEPTH + 3


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
        bad = negative = 0
        for line in self.source.lines(keep_rests=False):
            if not line.data.strip(_BLANKS):
                continue
            line_id: JsonValue = None
            try:
                question = self._question(line)
                line_id = question.get("id")
                result = {"id": line_id, **judge_line(verifier, question)}
            except VeracordError as error:
                bad += 1
                shown = at_line(error, self.source.where, line.number)
                print_error(shown)
                result = {"id": line_id, "error": _told(shown)}
            else:
                negative += result["verdict"] != SUPPORTED
            stdout.show(write_json(result) + b"\n")
            stdout.finish()
        return 2 if bad else 1 if negative else 0

    def _question(self, line: Line) -> Mapping[str, JsonValue]:
        value = read_value(line.data, where=self.source.where, max_bytes=self.source.max_bytes, max_levels=_LEVELS)
        if not isinstance(value, dict):
            raise _bad("the line is not a JSON object", "write {id, evidence, answer} in each line")
        return value


def judge_line(verifier: Verifier, question: Mapping[str, JsonValue]) -> dict[str, Any]:
    """Judge the answer of one line.

    Raises:
        InputError: The line is not what it must be.
    """
    if not isinstance(question.get("id"), (str, int)) or isinstance(question.get("id"), bool):
        raise _bad("the line has no id", "give it a text as id")
    answer, evidence, claims = question.get("answer"), question.get("evidence"), question.get("claims")
    if not isinstance(answer, str):
        raise _bad("the line has no answer that is a text", "give the answer with its citation markers")
    if not isinstance(evidence, list) or not all(isinstance(item, dict) for item in evidence):
        raise _bad("evidence is not a list of items", "give items {id, text} or {id, content}")
    texts = _texts(claims) if "claims" in question else None
    items = EvidencePack.from_items(item for item in evidence if isinstance(item, dict)).items
    return verifier.check(answer, verifier.view(items), claims=texts).to_dict()


def _texts(claims: JsonValue) -> list[str]:
    if not isinstance(claims, list):
        raise _bad("claims is not a list of texts", "give texts, or leave claims out")
    texts = [claim for claim in claims if isinstance(claim, str)]
    if len(texts) < len(claims):
        raise _bad("claims is not a list of texts", "give texts, or leave claims out")
    return texts


def _bad(what: str, remedy: str) -> InputError:
    return InputError(what, remedy=remedy, code="invalid_line")


def _told(error: VeracordError) -> dict[str, str]:
    return {"code": error.code, "message": str(error).removeprefix(f"{error.code}: ")}
