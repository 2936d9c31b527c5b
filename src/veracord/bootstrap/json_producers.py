"""Producers of other packages, held to values that the output of a run can hold."""

import math
from decimal import Decimal
from typing import Any

import msgspec

from veracord.errors import ModelOutputError
from veracord.pipeline import Attempt, Candidate, Producer
from veracord.records.writing import write_json


class JsonProducer:
    """A producer whose candidates are JSON, or instances of a pydantic model."""

    def __init__(self, producer: Producer[Any]) -> None:
        """Wrap a producer."""
        self._producer = producer
        self.correction_protocol: str | None = getattr(producer, "correction_protocol", None)

    async def produce(self, attempt: Attempt) -> Candidate[Any]:
        """Make one candidate; see `veracord.pipeline.Producer`.

        Raises:
            ModelOutputError: Its value is no JSON: a structural failure.
        """
        made: object = await self._producer.produce(attempt)
        if isinstance(made, Candidate) and not _is_json(made.value):
            del made
            raise ModelOutputError("the value is no JSON", remedy="make the producer return JSON", code="not_json")
        return made  # type: ignore[return-value]  # the pipeline looks at what it is

    async def aclose(self) -> None:
        """Close the producer, if it can be."""
        close = getattr(self._producer, "aclose", None)
        if close is not None:
            await close()


def _is_json(value: object) -> bool:
    dump = getattr(value, "model_dump", None)
    try:
        plain = value if dump is None else dump(mode="json")
        write_json(plain)
        return _is_finite(plain)
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        return False


def _is_finite(value: object) -> bool:
    """Whether every number is one; what is none would be written as null."""
    if isinstance(value, dict):
        return all(map(_is_finite, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_is_finite, value))
    if isinstance(value, Decimal):
        return value.is_finite()
    return not isinstance(value, float) or math.isfinite(value)
