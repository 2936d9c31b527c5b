"""Gate `number`: each number of the claim is, as a complete value, the value of the very thing it is said of.

Passes: "55 cells" of "55 cells"; "1,200" of "1.2e3".  Fails: "5 cells" of "55 cells", "5 kg" of "1.5 kg", the share
of nickel said of cobalt, 20 of -20.
"""

from veracord.gates.claims import Reading
from veracord.gates.comparisons import quantity_outcomes
from veracord.gates.outcomes import GateResult, failed, not_applicable, passed, undecided
from veracord.gates.statements import BoundEvidence

GATE = "number"


def check(claim: Reading, bound: BoundEvidence) -> GateResult:
    """Check the numbers of a claim."""
    outcomes = quantity_outcomes(bound)
    if not outcomes:
        if not claim.shape.of_kind("quantity"):
            return not_applicable(GATE)
        return undecided(GATE, "nothing_bound") if bound.binding is None else passed(GATE)
    for outcome in ("number_differs", "value_added", "place_differs"):
        if outcome in outcomes:
            return failed(GATE, outcome)
    for outcome in ("value_left_out", "undecided"):
        if outcome in outcomes:
            return undecided(GATE, outcome)
    return passed(GATE)
