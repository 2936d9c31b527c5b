"""A validator with what the pipeline needs to know of it.

Source: ADR-0014 (each validator's binding has an execution-retry budget of its own).
"""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from veracord.errors import ConfigurationError
from veracord.pipeline.candidates import Unit
from veracord.pipeline.verdicts import Defect, Verdict
from veracord.records.profiles import Profile
from veracord.records.schemas import Schema
from veracord.records.values import JsonObject

T_contra = TypeVar("T_contra", contravariant=True)

#: What a validator may return: None, True or no defects say that it passed.
Findings: TypeAlias = Verdict | Sequence[Defect | str] | Sequence[Defect] | Sequence[str] | Literal[True] | None


class Validator(Protocol[T_contra]):
    """Reports facts about a value; raising says that it could not check.

    Returns None, True or an empty list when nothing is wrong, otherwise a list of defects (a text is one, too) or a
    `Verdict`.  It may be ``async``.  It never says what is to be done: there is no way to return a disposition.
    """

    def __call__(self, value: T_contra, /) -> Findings | Awaitable[Findings]:
        """Check a value, which is its own to change."""


class UnitValidator(Protocol[T_contra]):
    """A validator that also looks at the unit from which the value was made."""

    def __call__(self, value: T_contra, unit: Unit, /) -> Findings | Awaitable[Findings]:
        """Check a value; see `Validator`."""


@dataclass(frozen=True, slots=True)
class ValidatorBinding(Generic[T_contra]):
    """A validator in its place in a pipeline.

    Attributes:
        id: What names it, within its producer.
        check: A callable, a pydantic model, a JSON Schema (also as plain JSON) or a profile.
        execution_retries: How often it is run again on one candidate when it could not check.
        timeout_s: After how many seconds it counts as one that could not check.  A check with a time limit runs in a
            thread, which goes on running when the limit is passed; without one it runs on the event loop.
        isolate: Whether it runs in a child process, which is killed when the limit is passed.
        version: Its version, for those who keep results.
    """

    id: str
    check: Validator[T_contra] | UnitValidator[T_contra] | Schema | JsonObject | Profile | type[Any]
    execution_retries: int = 1
    timeout_s: float | None = None
    isolate: bool = False
    version: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant.

        Raises:
            ConfigurationError: No id, a negative budget, or a time limit that is none.
        """
        if not self.id:
            raise _refused("a validator has no id", self.id, "name it")
        if self.execution_retries < 0:
            raise _refused("execution_retries is negative", self.id, "use 0 or more")
        if self.timeout_s is not None and not 0 < self.timeout_s < float("inf"):
            raise _refused("timeout_s is not a positive number of seconds", self.id, "use a number, or leave it out")


def _refused(what: str, where: str, remedy: str) -> ConfigurationError:
    return ConfigurationError(what, where=where, remedy=remedy, code="invalid_validator")
