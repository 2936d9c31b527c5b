"""Gate `conflict`: evidence that other evidence about the same product contradicts is not used one-sidedly.

Passes: "One source gives 10 kg [e1], another 11 kg [e2]."  Fails: "The mass is 10 kg [e1]" where e2 says 11 kg.
"""

from veracord.gates.claims import Reading
from veracord.gates.outcomes import GateResult, failed, not_applicable, passed
from veracord.gates.statements import BoundEvidence

GATE = "conflict"


def check(claim: Reading, bound: BoundEvidence) -> GateResult:  # noqa: ARG001 - all gates are asked alike
    """Check whether the evidence contradicts itself."""
    if bound.binding is None:
        return not_applicable(GATE)
    silent = [rival for rival in bound.rivals if rival.statement.evidence_id not in bound.told]
    if silent:
        return failed(GATE, f"contradicted_by:{silent[0].statement.evidence_id}")
    return passed(GATE)
