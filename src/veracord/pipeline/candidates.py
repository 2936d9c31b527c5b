"""What a producer is given, and what it returns: transport-neutral, and gone when the attempt ends.

A correction-capable producer declares the protocol `SINGLE_RESPONSE_V1`: with each candidate it hands over the exact
text of the one response that controlled it, and it accepts a `Correction`.

Source: ADR-0014.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite
from typing import Final, Generic, Protocol, TypeVar

from veracord.errors import InputError
from veracord.pipeline.meters import Meter
from veracord.pipeline.transcripts import Transcript
from veracord.pipeline.verdicts import Defect
from veracord.records.values import JsonValue

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: Keys stand in messages and results.
LONGEST_KEY: Final = 500

#: The one correction protocol that there is.
SINGLE_RESPONSE_V1: Final = "single_response_v1"


@dataclass(frozen=True, slots=True)
class Unit:
    """One input of a run.

    Attributes:
        key: What names it, stable from run to run.
        value: The input itself; nobody changes it.
        position: Its place among the inputs, from 0; a run numbers those that have none.
        where: Where it stands, for messages, such as a file and line.
    """

    key: str
    value: JsonValue = field(repr=False)
    position: int | None = None
    where: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no unit.

        Raises:
            InputError: The key is no text of 1 to 500 characters, or the value is no JSON.
        """
        key: object = self.key
        if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY:
            raise InputError(
                f"the key of a unit is no text of 1 to {LONGEST_KEY} characters",
                remedy="name each unit by a short text",
                code="invalid_unit",
            )
        if not _is_json(self.value):
            raise InputError(
                "the value of a unit is no JSON",
                remedy="use dicts with text keys, lists, texts, finite numbers, booleans and None",
                code="invalid_unit",
            )


def _is_json(value: object) -> bool:
    """Whether a value is JSON as it stands, without any conversion."""
    if value is None or type(value) in (str, bool, int):
        return True
    if type(value) is dict:
        return all(type(name) is str and _is_json(item) for name, item in value.items())
    if type(value) is list:
        return all(map(_is_json, value))
    # A Decimal may be finite and too large for a float.
    return value.is_finite() if isinstance(value, Decimal) else type(value) is float and isfinite(value)


@dataclass(frozen=True, slots=True)
class Candidate(Generic[T_co]):
    """A typed value that a producer made, well-formed by its own structure, not yet accepted.

    Attributes:
        value: The value.
        controlling_response: The exact text of the last response that controlled it; None where it was assembled,
            merged, or made without a model.
        producer_id: Who made it.
        attempt: In which attempt, from 1.
    """

    value: T_co = field(repr=False)
    controlling_response: str | None = field(default=None, repr=False)
    producer_id: str = ""
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Correction:
    """What a producer is told about its candidate; how it is worded for a model is not decided here.

    Attributes:
        response: The exact text of the response that controlled the rejected candidate.
        defects: Why it was rejected: by validator, path and code, each once.
        more: How many defects are not among them.
        unchecked: How many checks could not be run.
    """

    response: str = field(repr=False)
    defects: tuple[Defect, ...] = field(repr=False)
    more: int = 0
    unchecked: int = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a producer is given for one attempt.

    Attributes:
        unit: The input.
        producer_id: The id of the binding that asks.
        number: The number of the attempt, from 1.
        previous: The value that the producer before this one made; None for the first.
        correction: What was wrong with the candidate of the attempt before, or None for an ordinary attempt.
        meter: Counts what the attempt spends; a producer that asks a model tells it.
        transcript: Where texts are written down that a person asked to see, or None.
    """

    unit: Unit
    producer_id: str
    number: int = 1
    previous: object = field(default=None, repr=False)
    correction: Correction | None = field(default=None, repr=False)
    meter: Meter = field(default_factory=Meter)
    transcript: Transcript | None = None

    def candidate(self, value: T, *, controlling_response: str | None = None) -> Candidate[T]:
        """Return a candidate of this attempt."""
        return Candidate(value, controlling_response, self.producer_id, self.number)


class Producer(Protocol[T_co]):
    """Makes a typed candidate from a unit.

    A class that can be corrected declares ``correction_protocol = SINGLE_RESPONSE_V1``; one that cannot says None.  One
    whose values depend on more than its `fingerprint` tells may have ``async still_stands(attempt) -> bool``: False
    keeps a value that was accepted before from being taken over.
    """

    @property
    def correction_protocol(self) -> str | None:
        """The correction protocol that it follows, or None."""

    async def produce(self, attempt: Attempt) -> Candidate[T_co]:
        """Make one candidate.

        Raises:
            ModelOutputError: No answer had the form that was asked for: a structural failure.
            ModelTruncatedError: The answer was cut off at the token limit.
            ModelRefusedError: The model refused.
            ModelUnavailableError: No answer came: a transport failure.
            ModelCeilingError: The limit on cost was reached: the run ends.
        """
