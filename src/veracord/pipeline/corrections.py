"""What a producer is told after a rejection: the defects of all validators, each once, in a fixed order.

Source: ADR-0014 (one deterministic aggregate correction; validator failures are never part of it).
"""

from collections.abc import Sequence

from veracord.pipeline.candidates import Correction
from veracord.pipeline.verdicts import Defect, Status, Verdict


def correction_of(response: str, verdicts: Sequence[Verdict]) -> Correction:
    """Return the correction of a rejected candidate.

    Args:
        response: The text that controlled it.
        verdicts: What all validators said, in their order; within one, defects are sorted already.
    """
    defects: dict[Defect, None] = {}
    for verdict in verdicts:
        defects.update(dict.fromkeys(verdict.defects))
    return Correction(
        response=response,
        defects=tuple(defects),
        more=sum(verdict.more for verdict in verdicts),
        unchecked=sum(verdict.status is Status.EXECUTION_FAILED for verdict in verdicts),
    )
