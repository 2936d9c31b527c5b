"""The words in which a model is told what is wrong with its answer.

They are the same for the same defects, in every process and version of Python: no clock, no random id, no address, no
version.  Everything that comes from outside is quoted as JSON, so that it cannot pass for an instruction.
"""

from collections.abc import Sequence
from typing import Final

from veracord.pipeline.candidates import Correction
from veracord.pipeline.verdicts import Defect
from veracord.records.writing import write_json

#: The most defects that are listed, and the longest text in characters; what is left over is counted.
MAX_LISTED: Final = 20
MAX_CHARACTERS: Final = 4_000

_HEADING: Final = "Fix these and return the whole answer:"
#: Room for the lines that count: how many more defects there are, how many checks could not be run.
_RESERVE: Final = 100


def correction_text(correction: Correction) -> str:
    """Return what a model is told about a candidate that was rejected."""
    return _text(correction.defects, correction.more, correction.unchecked)


def repair_text(defects: Sequence[Defect], more: int) -> str:
    """Return what a model is told about an answer that does not have the form asked for."""
    return _text(defects, more, 0)


def _text(defects: Sequence[Defect], more: int, unchecked: int) -> str:
    lines = [_HEADING]
    room = MAX_CHARACTERS - _RESERVE - len(_HEADING)
    listed = 0
    for defect in defects[:MAX_LISTED]:
        line = _line(defect)
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
        listed += 1
    left = len(defects) - listed + more
    if left:
        lines.append(f"and {left} more")
    if unchecked:
        lines.append("1 check could not be run" if unchecked == 1 else f"{unchecked} checks could not be run")
    return "\n".join(lines)


def _line(defect: Defect) -> str:
    place = f"{_quoted(defect.path)}: " if defect.path else ""
    guidance = f"; {_quoted(defect.guidance)}" if defect.guidance else ""
    return f"- {place}{_quoted(defect.fact)}{guidance}"


def _quoted(text: str) -> str:
    return write_json(text).decode()
