"""Gate `date`: the same day, at the precision that is stated, in the same role.

Passes: "1 March 2026" of "2026-03-01"; "March 2026" of the same; the day of a timestamp.
Fails: "3 January 2026" of "2026-03-01", the day of
the test given as the day of manufacture.  An ambiguous 01/03/2026 can only be repeated as it was written.
"""

from veracord.gates.claims import Reading
from veracord.gates.mentions import Mention
from veracord.gates.outcomes import GateResult, failed, not_applicable, passed, undecided
from veracord.gates.statements import BoundEvidence
from veracord.language.comparing import compare_dates
from veracord.language.dates import DateMention

GATE = "date"


def check(claim: Reading, bound: BoundEvidence) -> GateResult:
    """Check the dates of a claim."""
    if bound.binding is None:
        return undecided(GATE, "nothing_bound") if claim.shape.of_kind("date") else not_applicable(GATE)
    outcomes = [_compare(said, held) for said, held in bound.binding.pairs("date")]
    if not outcomes:
        return not_applicable(GATE)
    wrong = next((outcome for outcome in outcomes if outcome in ("date_differs", "finer", "value_added")), None)
    if wrong:
        return failed(GATE, wrong)
    doubt = next((outcome for outcome in outcomes if outcome not in ("same", "coarser")), None)
    return undecided(GATE, doubt) if doubt else passed(GATE)


def _compare(said: Mention | None, held: Mention | None) -> str:
    if held is None:
        return "value_added"
    if said is None:
        return "value_left_out"
    if isinstance(said.value, DateMention) and isinstance(held.value, DateMention):
        return str(compare_dates(said.value, held.value).outcome)
    return "same" if said.text == held.text else "undecided"
