"""How a synthesis ends where a model wrote no record at all: the error, with what a user can do about it."""

from collections.abc import Sequence

from veracord.errors import RecordGenerationError
from veracord.pipeline.verdicts import Defect
from veracord.records.values import JsonValue


def unreadable_answer(defects: Sequence[Defect]) -> RecordGenerationError:
    """Return the error for an answer, also after its correction, that is no JSON object.

    Args:
        defects: What is wrong with its text.
    """
    rows: list[JsonValue] = [{"path": d.path, "rule": d.code, "message": d.fact} for d in defects]
    return RecordGenerationError(
        "the model's answer is no JSON object, so there is no record",
        where="the answer",
        remedy="use another model, or set structured to what its server can do",
        details={"violations": rows},
    )
