"""Rule `predicates`: two things said of one subject are supported if each is.

Supported: "Ada Berg was born in Ulm and died at the age of 59" where both hold.  Not: the same where one does not, or
where it is negated, as nobody can tell how far a negation reaches.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.packs import PackView
from veracord.grounding.rule_kinds import Support
from veracord.grounding.substitution import supported_by
from veracord.grounding.support import Judgement

#: A verb of its own begins what is said second.
_JOINT: Final = re.compile(
    r",? (?:and|but) (?=(?:is|was|are|were|has|had|died|stars|starred|runs|ran|weighs|contains|costs?|earned|made|won"
    r"|lived|passed|came|passed) )"
)
_THE: Final = re.compile(r"(?:the|this) [^\W\d_]+(?= )", re.IGNORECASE)
_MOST: Final = 4


def supported_by_predicates(claim: Reading, pack: PackView, support: Support) -> Judgement | None:
    """Return that all that a claim says of its subject is supported, or None.

    Args:
        support: Judges a claim with the same citations; gives a judgement only where it is supported.
    """
    text = claim.text.strip(" .")
    if any(key == "not" for key, _ in claim.shape.cues):
        return None
    for cut in list(_JOINT.finditer(text))[:_MOST]:
        for subject in _subjects(text, claim, pack):
            if len(subject) >= cut.start():
                continue
            first = support(text[: cut.start()])
            second = support(f"{subject} {text[cut.end() :]}") if first is not None else None
            if first is not None and second is not None:
                return supported_by(first, second)
    return None


def _subjects(text: str, claim: Reading, pack: PackView) -> Iterator[str]:
    """Yield what a claim begins with: the title of a record cited, or "The pack"."""
    for evidence_id in claim.claim.evidence_ids:
        item = pack.items.get(evidence_id)
        for title in item.fields[0].products[:1] if item is not None and item.fields else ():
            if text.casefold().startswith(f"{title.casefold()} "):
                yield text[: len(title)]
    match = _THE.match(text)
    if match is not None:
        yield match[0]
