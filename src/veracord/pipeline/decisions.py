"""The one decision about a candidate, made when every validator has spoken.

Source: ADR-0014 (rejections and execution failures are aggregated before a disposition is selected).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from veracord.pipeline.outcomes import Outcome
from veracord.pipeline.policies import Disposition, ResolvedPolicy
from veracord.pipeline.verdicts import Status, Verdict


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens to a candidate.

    Attributes:
        outcome: How the attempt ends.
        corrects: Whether another attempt follows, with a correction; then nothing else is decided yet.
        disposition: What the policy says about the outcome; None where there is nothing to decide.
    """

    outcome: Outcome
    corrects: bool = False
    disposition: Disposition | None = None


def decide(verdicts: Sequence[Verdict], policy: ResolvedPolicy, *, can_correct: bool) -> Decision:
    """Decide about a candidate.

    Args:
        verdicts: What all validators said.
        policy: What is to be done about a terminal outcome.
        can_correct: Whether a correction may follow: an attempt is left, the producer follows the protocol, and it
            named the response that controlled this candidate.
    """
    statuses = {verdict.status for verdict in verdicts}
    if Status.REJECTED in statuses:
        if can_correct:
            return Decision(Outcome.REJECTED, corrects=True)
        return Decision(Outcome.REJECTED, disposition=policy.rejection)
    if Status.EXECUTION_FAILED in statuses:
        disposition = policy.validator_execution_failure
        if disposition is Disposition.WARN_CONTINUE:
            return Decision(Outcome.ACCEPTED_INCOMPLETE, disposition=disposition)
        return Decision(Outcome.VALIDATION_UNAVAILABLE, disposition=disposition)
    return Decision(Outcome.ACCEPTED)
