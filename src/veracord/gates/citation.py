"""Gate `citation`: every id that is cited exists, and at least one stands at the claim's own text.

Passes: "The mass is 10 kg [e1]." with an item e1.  Fails: the same with [e9], or with no marker at all.
A surplus citation is tolerated.
"""

from veracord.gates.claims import Reading
from veracord.gates.outcomes import GateResult, failed, passed
from veracord.gates.statements import BoundEvidence

GATE = "citation"


def check(claim: Reading, bound: BoundEvidence) -> GateResult:
    """Check the citations of a claim."""
    if not claim.claim.evidence_ids:
        return failed(GATE, "no_citation")
    if bound.missing:
        return failed(GATE, "citation_of_nothing")
    return passed(GATE)
