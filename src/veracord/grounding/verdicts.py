"""What the verifier says of an answer and of each of its claims."""

from dataclasses import dataclass

from veracord.gates.outcomes import GateOutcome, GateResult
from veracord.gates.statements import Statement
from veracord.grounding.coverage import Coverage

SUPPORTED = "supported"
UNSUPPORTED = "unsupported"
UNDECIDED = "undecided"
ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True, eq=False)
class ClaimVerdict:
    """What is said of one claim.

    Attributes:
        text: The claim, without markers.
        verdict: "supported", "unsupported" or "undecided".
        evidence_ids: The ids that are cited for it.
        gates: The outcome of each gate.
        statements: The statements of the evidence that it was bound to.
        spans: The parts of the answer, as given, that it stands for.
    """

    text: str
    verdict: str
    evidence_ids: tuple[str, ...]
    gates: tuple[GateResult, ...]
    statements: tuple[Statement, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def failed(self) -> tuple[GateResult, ...]:
        """The gates that fail."""
        return tuple(gate for gate in self.gates if gate.outcome is GateOutcome.FAILED)

    def to_dict(self) -> dict[str, object]:
        """Return it as `check-answer` writes it."""
        return {
            "text": self.text,
            "verdict": self.verdict,
            "evidence_ids": list(self.evidence_ids),
            "gates": [gate.to_dict() for gate in self.gates],
        }


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What is said of an answer.

    Attributes:
        verdict: "supported", "unsupported", "undecided" or "abstain".
        coverage: Whether the claims own all that the answer asserts.
        claims: The claims in their order.
    """

    verdict: str
    coverage: Coverage
    claims: tuple[ClaimVerdict, ...]

    def to_dict(self) -> dict[str, object]:
        """Return it as `check-answer` writes it, without an id."""
        return {
            "verdict": self.verdict,
            "coverage": self.coverage.state,
            "claims": [claim.to_dict() for claim in self.claims],
        }
