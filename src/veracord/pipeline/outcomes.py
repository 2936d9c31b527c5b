"""How units and attempts end: closed sets, as values, without any text of a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Generic, TypeVar

from veracord.pipeline.policies import Disposition
from veracord.ports import Usage

T_co = TypeVar("T_co", covariant=True)


class Outcome(Enum):
    """How a unit ended."""

    ACCEPTED = "accepted"
    ACCEPTED_INCOMPLETE = "accepted_incomplete"
    REJECTED = "rejected"
    STRUCTURAL_FAILURE = "structural_failure"
    VALIDATION_UNAVAILABLE = "validation_unavailable"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    TRANSPORT_FAILURE = "transport_failure"
    CANCELLED = "cancelled"
    LOST = "lost"

    @property
    def advances(self) -> bool:
        """Whether the value goes on, to the next producer or to the output."""
        return self in (Outcome.ACCEPTED, Outcome.ACCEPTED_INCOMPLETE)


@dataclass(frozen=True, slots=True)
class Check:
    """How one validator ended in one attempt.

    Attributes:
        validator_id: Which one.
        status: ``passed``, ``rejected`` or ``execution_failed``.
        codes: The codes of its defects, sorted, each once; or the one code of why it could not check.
        execution_retries: How often it was run again.
    """

    validator_id: str
    status: str
    codes: tuple[str, ...] = ()
    execution_retries: int = 0


@dataclass(frozen=True, slots=True)
class Receipt:
    """What happened in one attempt; never what was said.

    Attributes:
        unit_key: Of which unit.
        producer_id: By which producer.
        attempt: Which attempt, from 1.
        outcome: How it ended; a rejected candidate that is corrected next is `REJECTED` here.
        code: Why, as a short name; "" where the outcome says all.
        is_correction: Whether the request bore a correction.
        checks: How each validator ended, in their order; empty where there was no candidate.
        structure_repairs: How often PromptKit asked again for the right form.
        usage: What the attempt cost.
        started_at: When it began.
        duration_s: How long it took.
    """

    unit_key: str
    producer_id: str
    attempt: int
    outcome: Outcome
    code: str
    is_correction: bool
    checks: tuple[Check, ...]
    structure_repairs: int
    usage: Usage
    started_at: datetime
    duration_s: float


@dataclass(frozen=True, slots=True)
class UnitResult(Generic[T_co]):
    """How one unit ended.

    Attributes:
        key: Which unit.
        position: Its place among the inputs, from 0.
        outcome: How it ended.
        value: The value of the last producer; None where it does not advance.
        incomplete: The validators that could not check, as ``producer/validator``, over all steps.
        producer_id: The producer at which it ended.
        code: Why, as a short name; "" where the outcome says all.
        disposition: What the policy does about the outcome; None where there is nothing to decide.
        unchecked: Those of them that the last attempts asked, with the code of why they could not.
        rejected_by: The validators that rejected the last candidate, with the codes of their defects.
        attempts: How many attempts were made, over all producers.
        usage: What they cost.
    """

    key: str
    position: int
    outcome: Outcome
    value: T_co | None = field(default=None, repr=False)
    incomplete: tuple[str, ...] = ()
    producer_id: str = ""
    code: str = ""
    disposition: Disposition | None = None
    unchecked: Mapping[str, str] = field(default_factory=dict)
    rejected_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    attempts: int = 0
    usage: Usage = field(default_factory=Usage)
