"""Gate `identifier`: names of products, models, batches and standards are whole and exact, character by character.

Passes: "EN 50604-1:2016" of the same.  Fails: another edition, a leading zero dropped, a Cyrillic letter that looks
Latin, the identifier of another field or at another place in the sentence.
"""

from veracord.gates.claims import Reading
from veracord.gates.outcomes import GateResult, failed, not_applicable, passed, undecided
from veracord.gates.statements import BoundEvidence

GATE = "identifier"


def check(claim: Reading, bound: BoundEvidence) -> GateResult:
    """Check the identifiers and the literal values of a claim."""
    binding = bound.binding
    if binding is None:
        return undecided(GATE, "nothing_bound") if claim.shape.of_kind("identifier") else not_applicable(GATE)
    pairs = binding.pairs("identifier") + binding.pairs("text")
    if not pairs:
        return not_applicable(GATE)
    for said, held in pairs:
        if held is None:
            return failed(GATE, "identifier_added")
        if said is None:
            return undecided(GATE, "identifier_left_out")
        if said.text != held.text:
            return failed(GATE, "identifier_differs")
    said_places = [place for mention, place in binding.said if mention.kind == "identifier"]
    held_places = [place for mention, place in binding.held if mention.kind == "identifier"]
    return passed(GATE) if said_places == held_places else failed(GATE, "place_differs")
