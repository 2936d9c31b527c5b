"""Gate `polarity`: what turns or limits a statement is neither dropped nor added nor moved.

Negation, exception, modality ("may", "planned"), condition, quantifier ("some", "all"), exclusivity, cause,
comparison and attribution.  Passes: "is free of mercury" of "does not contain mercury".  Fails: "contains mercury"
of the same, "all" of "some", "certified" of "certification is planned".
"""

from veracord.gates.claims import Reading
from veracord.gates.lexicon import CUE_CLASSES
from veracord.gates.outcomes import GateResult, failed, not_applicable, passed
from veracord.gates.statements import Binding, BoundEvidence
from veracord.language.quantities import Quantity

GATE = "polarity"


def check(claim: Reading, bound: BoundEvidence) -> GateResult:
    """Check what turns or limits a claim."""
    binding = bound.binding
    if binding is None:
        return not_applicable(GATE)
    said, held = _without_precision(binding), binding.held_cues
    for difference, reason in (("tense", "tense_differs"), ("voice", "role_differs")):
        if difference in binding.differences:
            return failed(GATE, reason)
    if said == held:
        return passed(GATE) if said or claim.shape.cues else not_applicable(GATE)
    return failed(GATE, _reason(said, held))


def _reason(said: tuple[tuple[str, int], ...], held: tuple[tuple[str, int], ...]) -> str:
    added = [cue for cue, _ in said if cue not in {key for key, _ in held}]
    dropped = [cue for cue, _ in held if cue not in {key for key, _ in said}]
    if added:
        return f"{CUE_CLASSES.get(added[0], 'qualifier')}_added"
    if dropped:
        return f"{CUE_CLASSES.get(dropped[0], 'qualifier')}_dropped"
    return "qualifier_moved"


def _without_precision(binding: Binding) -> tuple[tuple[str, int], ...]:
    """Leave out "exactly" where the value is exact."""
    quantities = [mention.value for mention, _ in binding.held if mention.kind == "quantity"]
    is_exact = bool(quantities) and all(
        isinstance(value, Quantity) and value.low == value.high and not value.approximate and value.tolerance is None
        for value in quantities
    )
    return tuple(pair for pair in binding.said_cues if not (is_exact and pair[0] == "exactly"))
