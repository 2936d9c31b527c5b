"""What a gate says of a claim.

The detail is a word of ours, or an id, never a text of the evidence.
"""

from dataclasses import dataclass
from enum import StrEnum


class GateOutcome(StrEnum):
    """How a claim fares at one gate."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True, slots=True)
class GateResult:
    """The outcome of one gate, with the reason in one word.

    Attributes:
        gate: The gate's name.
        outcome: What it says.
        detail: Why, as a code of ours.
    """

    gate: str
    outcome: GateOutcome
    detail: str = ""

    def to_dict(self) -> dict[str, str]:
        """Return it as the result of a check shows it."""
        return {"gate": self.gate, "outcome": self.outcome.value, "detail": self.detail}


def passed(gate: str, detail: str = "") -> GateResult:
    """Return that the claim passes."""
    return GateResult(gate, GateOutcome.PASSED, detail)


def failed(gate: str, detail: str) -> GateResult:
    """Return that the claim fails; no model may raise it again."""
    return GateResult(gate, GateOutcome.FAILED, detail)


def undecided(gate: str, detail: str) -> GateResult:
    """Return that the gate cannot tell."""
    return GateResult(gate, GateOutcome.UNDECIDED, detail)


def not_applicable(gate: str) -> GateResult:
    """Return that the claim has nothing that this gate looks at."""
    return GateResult(gate, GateOutcome.NOT_APPLICABLE)
