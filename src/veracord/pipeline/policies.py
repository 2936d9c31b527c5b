"""Who decides what happens after an outcome: the pipeline, field by field, each field with its origin.

Source: ADR-0014.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Final

from veracord.errors import ConfigurationError


class Disposition(Enum):
    """What the pipeline does about an outcome."""

    FAIL_RUN = "fail_run"
    WARN_CONTINUE = "warn_continue"


class Unset(Enum):
    """The type of `UNSET`: a field about which nothing is said."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


@dataclass(frozen=True, slots=True)
class Policy:
    """What is to be done about each kind of outcome; a field that is not set leaves it to the next policy.

    Attributes:
        structural_failure: No answer had the form that was asked for.
        rejection: A validator rejected the candidate and nothing more can be tried.
        validator_execution_failure: No validator rejected, and at least one could not check.
        refusal: The model refused.
        truncation: The answer was cut off at the token limit.
        transport_failure: No answer came.
    """

    structural_failure: Disposition | Unset = UNSET
    rejection: Disposition | Unset = UNSET
    validator_execution_failure: Disposition | Unset = UNSET
    refusal: Disposition | Unset = UNSET
    truncation: Disposition | Unset = UNSET
    transport_failure: Disposition | Unset = UNSET

    def __post_init__(self) -> None:
        """Refuse what is no disposition; None is not the same as unset.

        Raises:
            ConfigurationError: A field is set to something else.
        """
        for item in fields(self):
            if not isinstance(getattr(self, item.name), Disposition | Unset):
                raise ConfigurationError(
                    f"policy.{item.name} is no disposition",
                    remedy="use Disposition.FAIL_RUN or Disposition.WARN_CONTINUE, or leave it out",
                    code="invalid_policy",
                )


#: What holds where nothing is set.
DEFAULTS: Final = Policy(
    structural_failure=Disposition.FAIL_RUN,
    rejection=Disposition.FAIL_RUN,
    validator_execution_failure=Disposition.WARN_CONTINUE,
    refusal=Disposition.FAIL_RUN,
    truncation=Disposition.FAIL_RUN,
    transport_failure=Disposition.FAIL_RUN,
)


@dataclass(frozen=True, slots=True)
class ResolvedPolicy:
    """A policy with every field set.

    Attributes:
        structural_failure: As in `Policy`, and so are the others.
        origins: For each field where it was set: ``default``, ``pipeline`` or ``producer``.
    """

    structural_failure: Disposition
    rejection: Disposition
    validator_execution_failure: Disposition
    refusal: Disposition
    truncation: Disposition
    transport_failure: Disposition
    origins: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, dict[str, str]]:
        """Return for each field its disposition and its origin."""
        return {
            name: {"disposition": getattr(self, name).value, "origin": origin} for name, origin in self.origins.items()
        }


def resolve_policy(pipeline: Policy, producer: Policy) -> ResolvedPolicy:
    """Return the policy of a producer: its own fields over those of the pipeline over the defaults."""
    chosen: dict[str, Disposition] = {}
    origins: dict[str, str] = {}
    for origin, policy in (("default", DEFAULTS), ("pipeline", pipeline), ("producer", producer)):
        for item in fields(policy):
            value = getattr(policy, item.name)
            if isinstance(value, Disposition):
                chosen[item.name] = value
                origins[item.name] = origin
    return ResolvedPolicy(**chosen, origins=origins)
