"""Words that only say where something is written: "According to the record, ...", "The source says ...".

They assert nothing beyond the citation, and are taken out before a claim is bound.
"""

import re
from typing import Final

from veracord.gates.lexicon import SOURCES

_SOURCE: Final = (
    rf"(?:(?:the|this|that|its|one|another|a|an|both|each) )?(?:(?:supplied|given|cited|provided|same|other)"
    rf" )?(?:{SOURCES})"
)
_SAYS: Final = (
    "gives|give|states|state|says|say|lists|list|shows|show|reports|report|records|record|names|specifies"
    "|specify|indicates|indicate|reads"
)
_FRAMES: Final = re.compile(
    rf"^according to {_SOURCE},? |,? according to {_SOURCE}(?=[.\s]*$)|(?:^|(?<=, )|(?<=and )){_SOURCE}"
    rf" (?:{_SAYS})(?: that)?:? "
    rf"|^(?:as )?(?:stated|given|listed|shown|recorded) (?:in|by) {_SOURCE},? |^(?:in|per|from) {_SOURCE}, "
    r"|(?<=[^\W\d_]) (?:listed|stated|given|named|recorded)(?= (?:is|are|includes?)\b)"
    r"|^(?:im|in der|in dem) (?:handbuch|datenblatt|datensatz|dokument|bericht|pass|tabelle) steht:? (?:dass )?"
    r"|^(?:laut|gemäß|nach) (?:dem |der |den )?(?:datensatz|datenblatt|quelle|dokument|unterlagen|beleg|pass),? "
    r"|^(?:der|das|die) (?:datensatz|datenblatt|quelle|dokument) (?:nennt|gibt an|sagt|enthält):? ",
    re.IGNORECASE,
)


def without_frames(text: str) -> str:
    """Return a claim with the words that name its source replaced by blanks."""
    return _FRAMES.sub(lambda match: " " * len(match[0]), text)
