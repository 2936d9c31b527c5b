"""Gate `unit`: the unit of each number is the same, or an exact conversion; functional unit and basis count.

Passes: "1.5 kg" of "1500 g", "36 MJ" of "36 MJ".  Fails: "80 Wh" of "80 Ah", "36 mJ" of "36 MJ", "61.5 kg CO2e" of
"61.5 kg CO2e per kWh", "5 vol%" of "5 wt%", "USD 5" of "EUR 5".
"""

from veracord.gates.claims import Reading
from veracord.gates.comparisons import quantity_outcomes
from veracord.gates.outcomes import GateResult, failed, not_applicable, passed, undecided
from veracord.gates.statements import BoundEvidence

GATE = "unit"


def check(claim: Reading, bound: BoundEvidence) -> GateResult:
    """Check the units of a claim."""
    outcomes = quantity_outcomes(bound)
    if not outcomes:
        if not claim.shape.of_kind("quantity"):
            return not_applicable(GATE)
        return undecided(GATE, "nothing_bound") if bound.binding is None else passed(GATE)
    if "unit_differs" in outcomes:
        return failed(GATE, "unit_differs")
    return passed(GATE, "converted" if "converted" in outcomes else "")
