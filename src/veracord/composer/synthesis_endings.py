"""How a synthesis ends without a record because of a model: the error, with what a user can do about it."""

from collections.abc import Mapping, Sequence
from typing import Any

from veracord.errors import (
    ModelError,
    ModelOutputError,
    ModelRefusedError,
    ModelTruncatedError,
    ModelUnavailableError,
    PipelineError,
    RecordGenerationError,
    VeracordError,
)
from veracord.pipeline.outcomes import Outcome, UnitResult
from veracord.pipeline.verdicts import Defect
from veracord.ports import Model, Request, Response
from veracord.records.values import JsonValue


class AttentiveModel:
    """A model that remembers how it failed last: a pipeline keeps the code alone, and a user needs the remedy."""

    def __init__(self, model: Model) -> None:
        """Remember the model; it stays somebody else's."""
        self._model = model
        self.failure: ModelError | None = None

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """What decides an answer."""
        return self._model.settings

    async def complete(self, request: Request) -> Response:
        """Ask the model.

        Raises:
            ModelError: It gave no answer.
        """
        try:
            return await self._model.complete(request)
        except ModelError as error:
            # A new one, without the frames that hold what was asked.
            self.failure = type(error)(error.what, where=error.where, remedy=error.remedy, code=error.code)
            raise

    async def aclose(self) -> None:
        """Do nothing: the model is somebody else's."""


def failure_of(result: UnitResult[Any], known: ModelError | None) -> VeracordError:
    """Return the error that stands for a unit without a record.

    Args:
        result: How the unit ended; its code may say more than that of the error.
        known: How the model failed last, if it did.
    """
    code = result.code or None
    match result.outcome:
        case Outcome.REFUSED:
            return ModelRefusedError("the model refused to answer", remedy="use another model", code=code)
        case Outcome.TRUNCATED:
            return ModelTruncatedError("the answer was cut off", remedy="raise max_tokens", code=code)
        case Outcome.TRANSPORT_FAILURE if known is not None:
            return type(known)(known.what, where=known.where, remedy=known.remedy, code=code)
        case Outcome.TRANSPORT_FAILURE:
            return ModelUnavailableError("the model could not be reached", remedy="run it again later", code=code)
        case Outcome.STRUCTURAL_FAILURE:
            return ModelOutputError("the model gave no answer that can be used", remedy="use another", code=code)
    return PipelineError("a record could not be checked", remedy="please report it", code=result.outcome.value)


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
