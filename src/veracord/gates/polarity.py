"""Gate `polarity`: what turns or limits a statement is neither dropped nor added nor moved.

Negation, exception, modality ("may", "planned"), condition, quantifier ("some", "all"), exclusivity, cause,
comparison and attribution.  Passes: "is free of mercury" of "does not contain mercury".  Fails: "contains mercury"
of the same, "all" of "some", "certified" of "certification is planned".
"""

from veracord.gates.claims import Reading
from veracord.gates.lexicon import CUE_CLASSES
from veracord.gates.outcomes import GateResult, failed, not_applicable, passed
from veracord.gates.statements import BoundEvidence

GATE = "polarity"


def check(claim: Reading, bound: BoundEvidence) -> GateResult:
    """Check what turns or limits a claim."""
    binding = bound.binding
    if binding is None:
        return not_applicable(GATE)
    said, held = binding.said_cues, binding.held_cues
    for difference, reason in (
        ("tense", "tense_differs"),
        ("voice", "role_differs"),
        ("plural", "quantifier_added"),
    ):
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
