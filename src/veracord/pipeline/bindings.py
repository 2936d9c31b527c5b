"""A producer in its place in a pipeline: its validators, budgets and policy, checked before the first call.

Source: ADR-0014 (producer capability checks; field-by-field policy overrides).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar, get_args

from veracord.errors import ConfigurationError
from veracord.pipeline.candidates import SINGLE_RESPONSE_V1, Producer
from veracord.pipeline.policies import Policy
from veracord.pipeline.validators import ValidatorBinding

T = TypeVar("T")

#: What is done about a rejection: corrected where the producer can be, required to be so, or never.
CorrectionMode = Literal["auto", "required", "off"]


@dataclass(frozen=True, slots=True)
class ProducerBinding(Generic[T]):
    """A producer and what the pipeline does with its candidates.

    Attributes:
        id: What names it, within its pipeline.
        producer: It.
        validators: What its candidates must pass, in this order.
        retries: How many attempts may follow the first: after a rejection with a correction, after a structural
            failure with the ordinary request.
        correction: ``auto``: a producer that can be corrected is; ``required``: it must be one; ``off``: never.
        stop_when_stuck: Whether the same response with the same defects twice in a row ends the attempts.
        policy: What overrides the policy of the pipeline, field by field.
    """

    id: str
    producer: Producer[T]
    validators: Sequence[ValidatorBinding[T]] = ()
    retries: int = 1
    correction: CorrectionMode = "auto"
    stop_when_stuck: bool = False
    policy: Policy = field(default_factory=Policy)

    def __post_init__(self) -> None:
        """Refuse what cannot be meant.

        Raises:
            ConfigurationError: No id, a negative budget, two validators of one id, an unknown mode or protocol, or a
                correction that is required of a producer that cannot be corrected.
        """
        if not self.id:
            raise _refused("a producer has no id", "", "name it")
        if self.retries < 0:
            raise _refused("retries is negative", self.id, "use 0 or more")
        names = [validator.id for validator in self.validators]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise _refused(f"two validators have the id {twice}", self.id, "give each its own")
        if self.correction not in get_args(CorrectionMode):
            raise _refused("correction is unknown", self.id, f"use {', '.join(get_args(CorrectionMode))}")
        if self._protocol not in (None, SINGLE_RESPONSE_V1):
            raise _refused("the producer follows an unknown correction protocol", self.id, f"use {SINGLE_RESPONSE_V1}")
        if self.correction == "required" and not self.can_be_corrected:
            raise _refused(
                "correction is required, and the producer cannot be corrected",
                self.id,
                f'use correction = "auto", or a producer that declares {SINGLE_RESPONSE_V1}',
                code="incapable_producer",
            )

    @property
    def _protocol(self) -> str | None:
        """What the producer declares; a foreign one that declares nothing cannot be corrected."""
        return getattr(self.producer, "correction_protocol", None)

    @property
    def can_be_corrected(self) -> bool:
        """Whether a rejection may lead to a correction."""
        return self.correction != "off" and self._protocol == SINGLE_RESPONSE_V1


def _refused(what: str, where: str, remedy: str, code: str = "invalid_producer") -> ConfigurationError:
    return ConfigurationError(what, where=where, remedy=remedy, code=code)
