"""One producer's turn at a unit: attempts, their validation, and what follows from it.

Everything that a model said lives in the frames of this module and ends with them: what comes out are values that
hold codes and counts, and the value of a candidate that advances.

Source: ADR-0014.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from veracord.errors import (
    ModelCeilingError,
    ModelOutputError,
    ModelRefusedError,
    ModelTruncatedError,
    ModelUnavailableError,
    VeracordError,
)
from veracord.pipeline.bindings import ProducerBinding
from veracord.pipeline.candidates import Attempt, Candidate, Correction, Unit
from veracord.pipeline.corrections import correction_of
from veracord.pipeline.decisions import decide
from veracord.pipeline.execution import ValidatorExecution
from veracord.pipeline.interruptions import Interrupted, Reason
from veracord.pipeline.meters import Meter
from veracord.pipeline.outcomes import Check, Outcome
from veracord.pipeline.policies import Disposition, ResolvedPolicy
from veracord.pipeline.texts import clean_name
from veracord.pipeline.threads import Threads
from veracord.pipeline.transcripts import Transcript
from veracord.pipeline.verdicts import Status, Verdict

#: Gives the place where the texts of an attempt are written down: by unit key, producer id and number.
Transcripts = Callable[[str, str, int], Transcript]

_FAILURES: Final = (
    (ModelOutputError, Outcome.STRUCTURAL_FAILURE),
    (ModelTruncatedError, Outcome.TRUNCATED),
    (ModelRefusedError, Outcome.REFUSED),
    (ModelUnavailableError, Outcome.TRANSPORT_FAILURE),
)


@dataclass(frozen=True, slots=True)
class AttemptEnd:
    """How one attempt ended.

    Attributes:
        outcome: How; a rejected candidate that is to be corrected is rejected.
        code: Why, as a short name.
        disposition: What the policy says; None where another attempt follows or there is nothing to decide.
        checks: How each validator ended.
        value: The value of a candidate that advances.
        correction: What the next attempt is told, where one follows with a correction.
        repeats: Whether another attempt follows.
    """

    outcome: Outcome
    code: str = ""
    disposition: Disposition | None = None
    checks: tuple[Check, ...] = ()
    value: Any = field(default=None, repr=False)
    correction: Correction | None = field(default=None, repr=False)
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """A producer's binding, ready to be used for any number of units.

    Attributes:
        binding: The producer with its budgets.
        executions: Its validators, in order.
        policy: Its policy with every field set.
    """

    binding: ProducerBinding[Any]
    executions: tuple[ValidatorExecution, ...]
    policy: ResolvedPolicy

    async def attempt(self, attempt: Attempt, threads: Threads) -> AttemptEnd:
        """Make one attempt and return how it ended.

        Raises:
            Interrupted: The run is to end.
        """
        made = await self._produce(attempt)
        if isinstance(made, AttemptEnd):
            return made
        verdicts: list[Verdict] = []
        checks: list[Check] = []
        for execution in self.executions:
            verdict, retries = await execution.run(made.value, attempt.unit, threads)
            verdicts.append(verdict)
            checks.append(_check(execution.id, verdict, retries))
        return self._decide(attempt, made, verdicts, tuple(checks))

    async def _produce(self, attempt: Attempt) -> Candidate[Any] | AttemptEnd:
        try:
            made: object = await self.binding.producer.produce(attempt)
        except ModelCeilingError:
            stopped: AttemptEnd | None = None
        except VeracordError as error:
            stopped = self._failed(attempt, error)
        except Exception as error:  # noqa: BLE001 - a foreign producer may raise anything; its type alone is told
            stopped = self._structural(attempt, clean_name(f"producer_raised:{type(error).__name__}"))
        else:
            return made if isinstance(made, Candidate) else self._structural(attempt, "not_a_candidate")
        if stopped is None:
            raise Interrupted(Reason.COST_CEILING)
        return stopped

    def _failed(self, attempt: Attempt, error: VeracordError) -> AttemptEnd:
        outcome = next((outcome for kind, outcome in _FAILURES if isinstance(error, kind)), None)
        status = error.details.get("status")
        code = f"{error.code}:{status}" if isinstance(status, int) else error.code
        match outcome:
            case Outcome.TRUNCATED:
                return AttemptEnd(outcome, code, self.policy.truncation)
            case Outcome.REFUSED:
                return AttemptEnd(outcome, code, self.policy.refusal)
            case Outcome.TRANSPORT_FAILURE:
                return AttemptEnd(outcome, code, self.policy.transport_failure)
        return self._structural(attempt, code)

    def _structural(self, attempt: Attempt, code: str) -> AttemptEnd:
        if self._retries_left(attempt):
            return AttemptEnd(Outcome.STRUCTURAL_FAILURE, code, repeats=True)
        return AttemptEnd(Outcome.STRUCTURAL_FAILURE, code, self.policy.structural_failure)

    def _decide(
        self, attempt: Attempt, made: Candidate[Any], verdicts: list[Verdict], checks: tuple[Check, ...]
    ) -> AttemptEnd:
        response = made.controlling_response
        can_correct = self._retries_left(attempt) and self.binding.can_be_corrected and response is not None
        decision = decide(verdicts, self.policy, can_correct=can_correct)
        if decision.corrects:
            assert response is not None  # noqa: S101 - can_correct says so
            correction = correction_of(response, verdicts)
            if self.binding.stop_when_stuck and _says_the_same(correction, attempt.correction):
                return AttemptEnd(Outcome.REJECTED, "no_progress", self.policy.rejection, checks)
            return AttemptEnd(Outcome.REJECTED, checks=checks, correction=correction, repeats=True)
        value = made.value if decision.outcome.advances else None
        return AttemptEnd(decision.outcome, "", decision.disposition, checks, value)

    async def judge(self, value: object, unit: Unit, threads: Threads) -> tuple[Check, ...]:
        """Return how every validator ends on a value that was accepted before.

        Raises:
            Interrupted: The run is to end.
        """
        checks = []
        for execution in self.executions:
            verdict, retries = await execution.run(value, unit, threads)
            checks.append(_check(execution.id, verdict, retries))
        return tuple(checks)

    def _retries_left(self, attempt: Attempt) -> bool:
        return attempt.number <= self.binding.retries

    def first(self, unit: Unit, previous: object, transcripts: Transcripts | None) -> Attempt:
        """Return the first attempt at a unit."""
        return self._attempt(unit, previous, 1, None, transcripts)

    def next(self, attempt: Attempt, end: AttemptEnd, transcripts: Transcripts | None) -> Attempt:
        """Return the attempt that follows one."""
        return self._attempt(attempt.unit, attempt.previous, attempt.number + 1, end.correction, transcripts)

    def _attempt(
        self, unit: Unit, previous: object, number: int, correction: Correction | None, transcripts: Transcripts | None
    ) -> Attempt:
        name = self.binding.id
        transcript = transcripts(unit.key, name, number) if transcripts is not None else None
        return Attempt(unit, name, number, previous, correction, Meter(), transcript)


def _says_the_same(correction: Correction, before: Correction | None) -> bool:
    """Whether the same response had the same defects twice in a row."""
    return before is not None and (correction.response, correction.defects, correction.more) == (
        before.response,
        before.defects,
        before.more,
    )


def _check(validator_id: str, verdict: Verdict, retries: int) -> Check:
    codes = {defect.code for defect in verdict.defects} if verdict.status is Status.REJECTED else {verdict.code}
    return Check(validator_id, verdict.status.value, tuple(sorted(codes - {""})), retries)
