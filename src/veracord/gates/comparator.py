"""Gate `comparator`: bounds, ranges, tolerances and hedges keep their direction and strictness.

Passes: "at least 70 %" of "≥ 70 %"; "about 12.7" of 12.678.  Fails: "70 %" or "at most 70 %" of "≥ 70 %", "more than
20 mm" or "at least 20 mm" of exactly 20 mm, "exactly 10 kg" of "ca. 10 kg", an end of a range as the value.
"""

from veracord.gates.claims import Reading
from veracord.gates.comparisons import quantity_outcomes
from veracord.gates.outcomes import GateResult, failed, not_applicable, passed, undecided
from veracord.gates.statements import BoundEvidence

GATE = "comparator"


def check(claim: Reading, bound: BoundEvidence) -> GateResult:
    """Check the bounds, ranges and hedges of a claim."""
    outcomes = quantity_outcomes(bound)
    if not outcomes:
        if not claim.shape.of_kind("quantity"):
            return not_applicable(GATE)
        return undecided(GATE, "nothing_bound") if bound.binding is None else passed(GATE)
    if "comparator_differs" in outcomes:
        return failed(GATE, "comparator_differs")
    return passed(GATE, "rounded_hedged" if "rounded_hedged" in outcomes else "")
