"""Rule `lists`: several values said at once are supported if each is, said alone.

Supported: "Low Tide was written by Ada Berg and Bo Ek" where the record lists both.  Not: the same where it lists one
of them, or "between 3 and 5".
"""

import re
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.rule_kinds import Support
from veracord.grounding.substitution import supported_by
from veracord.grounding.support import Judgement

_HEAD: Final = re.compile(
    r" (?:by|with|from|of|to|in|for|are|is|was|were|stars|starring|starred|has|have|include|includes|contains|plays"
    r"|played|speaks?|uses?|makes?) (?:both )?(?=\S)"
)
_JOINT: Final = re.compile(r",? (?:and|und|as well as) |, ")
_LAST: Final = re.compile(r",? (?:and|und|as well as) [^,]+$")
_LIMITING: Final = re.compile(r"\b(?:between|together|respectively|total|combined|each|or)\b", re.IGNORECASE)
_MOST: Final = 8


def supported_by_lists(claim: Reading, support: Support) -> Judgement | None:
    """Return that each value of a claim that ends with several is supported, or None.

    Args:
        support: Judges a claim with the same citations; gives a judgement only where it is supported.
    """
    text = claim.text.strip(" .")
    if _LAST.search(text) is None or _LIMITING.search(text) or any(key == "not" for key, _ in claim.shape.cues):
        return None
    for head in list(_HEAD.finditer(text))[-2:]:
        values = _JOINT.split(text[head.end() :])
        if not 1 < len(values) <= _MOST or not all(values):
            continue
        start = text[: head.end()].removesuffix("both ")
        found = []
        for value in values:
            one = support(start + value)
            if one is None:
                break
            found.append(one)
        if len(found) == len(values):
            return supported_by(*found)
    return None
