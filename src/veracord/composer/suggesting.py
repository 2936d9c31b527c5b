"""Asking a model for suggestions: one question for each record, and whatever comes back stays apart from the repair.

The question is sent once: an answer that cannot be read, that is cut off, refused or does not come is told by the
status of the result and costs the repair nothing.

Source: ADR 0011; records.md section 5.
"""

from dataclasses import dataclass, replace
from typing import Final

from veracord.composer.results import RepairResult
from veracord.composer.suppression import IsRejected, sift
from veracord.pipeline.bindings import ProducerBinding
from veracord.pipeline.candidates import Unit
from veracord.pipeline.outcomes import Outcome, UnitResult
from veracord.pipeline.runner import AsyncPipeline
from veracord.ports import Model, Usage
from veracord.promptkit.prompts import bundled_prompt
from veracord.promptkit.structured_output import StructuredOutput
from veracord.promptkit.structured_producer import StructuredProducer
from veracord.promptkit.suggestion_forms import SUGGESTIONS_FORM
from veracord.records.profiles import Profile
from veracord.records.values import JsonObject, JsonValue

#: The bundled prompt that asks, and the name of the producer and of the form.
PROMPT: Final = "suggest"
_NAME: Final = "suggestions"

#: Outcomes whose name says all; of others the code says more.
_TELLING: Final = (Outcome.REFUSED, Outcome.TRUNCATED)


@dataclass(frozen=True, slots=True)
class Asked:
    """A repair after a model was asked.

    Attributes:
        result: It, with suggestions or with why there are none; all else as it was.
        usage: What the question has cost.
    """

    result: RepairResult
    usage: Usage


class Suggester:
    """Asks one model about records of one profile."""

    def __init__(self, profile: Profile, model: Model) -> None:
        """Prepare the question."""
        output = StructuredOutput.of_schema(SUGGESTIONS_FORM, name=_NAME, structure_repairs=0)
        producer = StructuredProducer(model, bundled_prompt(PROMPT), output)
        self._profile = profile
        self._pipeline = AsyncPipeline([ProducerBinding(_NAME, producer, retries=0, correction="off")])

    async def suggest(self, result: RepairResult, is_rejected: IsRejected | None = None) -> Asked:
        """Ask once for candidates for everything that a repair left open.

        Args:
            result: The repair; something in it is unresolved.
            is_rejected: Tells what a reviewer rejected before.

        Raises:
            RunInterruptedError: A limit on cost was reached, so nothing was asked.
        """
        ended = await self._pipeline.run_unit(Unit(_NAME, _question(result)))
        if ended.outcome is not Outcome.ACCEPTED:
            return Asked(replace(result, suggestions=(), suggestions_status=f"failed:{_why(ended)}"), ended.usage)
        sifted = sift(ended.value, self._profile, result.record, is_rejected, result.findings)
        told = replace(
            result,
            suggestions=sifted.suggestions,
            suggestions_status="ok",
            suppressed=dict(sorted({**result.suppressed, **sifted.suppressed}.items())),
        )
        return Asked(told, ended.usage)


def _question(result: RepairResult) -> JsonObject:
    """Return what the model is told: the repaired record and what is still wrong with it, and no evidence."""
    violations: list[JsonValue] = [
        {"path": row.path, "rule": row.rule, "message": row.message} for row in result.unresolved
    ]
    return {"record": result.record, "violations": violations}


def _why(ended: UnitResult[JsonValue]) -> str:
    """Return why there is no answer, as a short name."""
    return ended.outcome.value if ended.outcome in _TELLING else ended.code or ended.outcome.value
