"""Rule `subjects`: "the film" is the thing that the record cited is about, where its fields tell that it is one.

Supported: "The film has two producers" of the one record cited, which has the fields of a film.  Not: "The album has
two producers" of it, or where two records are cited, or where another record of the pack is about a film, too.
"""

import re
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.claims import Reading
from veracord.grounding.packs import EvidenceView, PackView
from veracord.grounding.rule_kinds import Support
from veracord.grounding.support import Judgement
from veracord.language.tokens import fold

_THE: Final = re.compile(
    r"(?:the|this) (?P<kind>[a-z]{3,12}) (?=(?:is|was|has|had|were|are|[a-z]{3,14}ed) )", re.IGNORECASE
)


def supported_by_subjects(claim: Reading, pack: PackView, support: Support) -> Judgement | None:
    """Return that a claim about "the film" is supported of the record cited, or None.

    Args:
        support: Judges a claim with the same citations; gives a judgement only where it is supported.
    """
    match = _THE.match(claim.text)
    if match is None or len(claim.claim.evidence_ids) != 1:
        return None
    kind = classify_word(fold(match["kind"]))[1]
    about = [evidence_id for evidence_id, item in pack.items.items() if _is_about(item, kind)]
    if about != list(claim.claim.evidence_ids):
        return None
    return support(f"The product {claim.text[match.end() :]}")


def _is_about(item: EvidenceView, kind: str) -> bool:
    about = item.fields[0].about if item.fields else None
    return about is not None and kind in about.kinds
