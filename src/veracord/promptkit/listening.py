"""Models that are listened to: the latest response for a moment, and how a model failed last."""

from collections.abc import Mapping
from typing import Any, cast

from veracord.errors import (
    ModelError,
    ModelOutputError,
    ModelRefusedError,
    ModelTruncatedError,
    ModelUnavailableError,
    PipelineError,
    VeracordError,
)
from veracord.pipeline.outcomes import Outcome, UnitResult
from veracord.ports import Model, Request, Response
from veracord.records.values import JsonValue


class Listener:
    """A model that remembers its latest response, for a moment."""

    def __init__(self, model: Model) -> None:
        """Remember the model; it stays somebody else's."""
        self._model = model
        self.heard: Response | None = None

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """What decides an answer."""
        return self._model.settings

    async def complete(self, request: Request) -> Response:
        """Ask the model."""
        response: object = await self._model.complete(request)
        self.heard = response if isinstance(response, Response) else None
        return cast("Response", response)

    async def aclose(self) -> None:
        """Do nothing: the model is somebody else's."""


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
    """Return the error that stands for a unit without a value.

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
    return PipelineError("a value could not be checked", remedy="please report it", code=result.outcome.value)
