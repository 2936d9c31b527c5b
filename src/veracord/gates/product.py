"""Gate `product`: the evidence is about the product that the claim is about.

Passes: "The mass of product P1 is 10 kg" of a record whose productId is P1.  Fails: the same of the record of P2,
and any evidence about another product than the one that was asked about; "The mass is 10 kg" where another product
has 11 kg; "The mass of product P1 is 2 kg" of the mass of its charger.
"""

from veracord.gates.claims import Reading
from veracord.gates.outcomes import GateResult, failed, not_applicable, passed
from veracord.gates.statements import BoundEvidence, Field

GATE = "product"
#: It passes only if what stands before it in the answer is about the same product.
LEANING = "by_pronoun"


def check(claim: Reading, bound: BoundEvidence) -> GateResult:  # noqa: ARG001 - all gates are asked alike
    """Check the product of a claim."""
    if bound.foreign:
        return failed(GATE, "other_product_asked")
    binding = bound.binding
    if binding is None:
        return not_applicable(GATE)
    if binding.foreign_product:
        return failed(GATE, "other_product")
    if any(other.statement.evidence_id not in bound.told for other in bound.others):
        return passed(GATE, LEANING) if bound.leans_back else failed(GATE, "ambiguous_product")
    statement = binding.statement
    return passed(GATE) if isinstance(statement, Field) and statement.products else not_applicable(GATE)
