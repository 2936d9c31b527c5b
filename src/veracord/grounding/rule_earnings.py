"""Rule `earnings`: what the record of a racehorse calls its earnings is what it earned in its career.

Supported: "Bay Star earned less than two million dollars in its career" of a horse with earnings of $1,500,000.  Not:
the same of a company, whose earnings are those of some year, or "in its first year".
"""

import re
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.packs import EvidenceView, PackView
from veracord.grounding.rule_kinds import Support
from veracord.grounding.support import Judgement

_EARNED: Final = re.compile(
    r"(?P<who>[^;:]{2,120}?) (?:earned|won) (?P<value>[^;:]{2,60}?) (?:in|during|over) (?:its|his|her|it's) career",
    re.IGNORECASE,
)
#: What only the record of an animal that is bred has.
_BRED: Final = frozenset({"sire", "dam"})


def supported_by_earnings(claim: Reading, pack: PackView, support: Support) -> Judgement | None:
    """Return that a racehorse earned what a claim says, or None.

    Args:
        support: Judges a claim with the same citations; gives a judgement only where it is supported.
    """
    match = _EARNED.fullmatch(claim.text.strip(" ."))
    items = [pack.items[one] for one in claim.claim.evidence_ids if one in pack.items]
    if match is None or not items or not all(map(_is_of_horse, items)):
        return None
    return support(f"the earnings of {match['who']} are {match['value']}")


def _is_of_horse(item: EvidenceView) -> bool:
    names = {field.names[0].squashed for field in item.fields if len(field.names) == 1}
    return names >= _BRED
