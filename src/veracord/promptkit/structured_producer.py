"""The producer that asks a model for one structured value, and can be corrected.

A correction is the ordinary request, built anew and byte for byte the same, plus exactly two messages: the latest
response and one aggregate correction.  Earlier turns are not carried.

A prompt is sent after the rules that its form stands under (`veracord.promptkit.system_prompts`); who makes the
messages by a function of their own has the say over all of them.

Source: ADR-0014 (`single_response_v1`).
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import ClassVar, Final, Generic, TypeVar, cast

from veracord.errors import ConfigurationError
from veracord.pipeline.candidates import SINGLE_RESPONSE_V1, Attempt, Candidate
from veracord.ports import Message, Model
from veracord.promptkit.prompts import Prompt
from veracord.promptkit.structured_output import Exchange, StructuredOutput
from veracord.promptkit.system_prompts import system_message
from veracord.promptkit.wording import correction_text
from veracord.records.reading import read_value
from veracord.records.values import JsonObject, JsonValue

T = TypeVar("T")

#: What a prompt of this producer may use.
VARIABLES: Final = ("input", "previous")

#: Makes the ordinary request of an attempt.
Messages = Callable[[Attempt], Sequence[Message]]


class StructuredProducer(Generic[T]):
    """Asks a model for a value of one form."""

    correction_protocol: ClassVar[str | None] = SINGLE_RESPONSE_V1

    def __init__(self, model: Model, prompt: Prompt | Messages, output: StructuredOutput[T]) -> None:
        """Check that the prompt can be rendered.

        Args:
            model: Who is asked.
            prompt: A prompt over `input`, the unit's value, and `previous`, the value of the producer before, sent
                after our rules as a system message; or a function that makes all messages of an attempt, always the
                same for the same unit.
            output: The form of the answer.

        Raises:
            ConfigurationError: The prompt uses another variable.
        """
        if isinstance(prompt, Prompt):
            unknown = sorted(set(prompt.variables) - set(VARIABLES))
            if unknown:
                raise ConfigurationError(
                    f"nothing gives a value to the variable {unknown[0]}",
                    where=prompt.where,
                    remedy=f"use {' or '.join(VARIABLES)}",
                    code="invalid_prompt",
                )
        self._model = model
        self._prompt = prompt
        self._output = output

    async def produce(self, attempt: Attempt) -> Candidate[T]:
        """Ask for one candidate; see `veracord.pipeline.Producer`."""
        exchange = Exchange(attempt.meter, attempt.transcript)
        answer = await self._output.ask(self._model, self._ordinary(attempt), exchange, added=_added(attempt))
        return attempt.candidate(answer.value, controlling_response=answer.response)

    def fingerprint(self, attempt: Attempt) -> JsonObject:
        """Return what decides the value: the ordinary request, field by field, and the settings of the model."""
        request = self._output.request(self._ordinary(attempt))
        return {"request": asdict(request), "model": dict(self._model.settings)}

    async def aclose(self) -> None:
        """Close the model; it opens itself again when it is asked again."""
        # One of somebody's own may hold nothing that could be closed.
        close = getattr(self._model, "aclose", None)
        if close is not None:
            await close()

    def _ordinary(self, attempt: Attempt) -> tuple[Message, ...]:
        if not isinstance(self._prompt, Prompt):
            return tuple(self._prompt(attempt))
        values = {"input": attempt.unit.value, "previous": _as_json(attempt.previous)}
        return (system_message(self._output.form), Message("user", self._prompt.render(values)))


def _as_json(value: object) -> JsonValue:
    """Return the value of a producer before as JSON; an instance of a pydantic model tells its own."""
    dump = getattr(value, "model_dump_json", None)
    return read_value(dump().encode()) if dump is not None else cast("JsonValue", value)


def _added(attempt: Attempt) -> tuple[Message, ...]:
    correction = attempt.correction
    if correction is None:
        return ()
    return (Message("assistant", correction.response), Message("user", correction_text(correction)))
