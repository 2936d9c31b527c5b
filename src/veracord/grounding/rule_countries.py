"""Rule `countries`: a country goes by several names, and two places lie in one country or in two.

Supported: "Orvo was founded in the United States" of "Austin, Texas, U.S.", "It was made in Ulm in Germany" of
"Ulm, Germany", "Ada Berg died in a different country than she was born in" of Ulm, Germany and Paris, France.  Not: the
same of a place whose country the list lacks, and of two that may be one: England and the United Kingdom.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.countries import NAMES, Country, found_country
from veracord.grounding.field_parts import parts_of_field
from veracord.grounding.packs import PackView
from veracord.grounding.substitution import Stated, fields_asked, stating, supported_by
from veracord.grounding.support import Judgement
from veracord.grounding.told_countries import are_apart, told_country

_NAMED: Final = re.compile(
    r"(?<![\w.])(?:the )?(?P<name>" + "|".join(re.escape(name) for name in NAMES) + r")(?![\w]|\.\w)"
)
_SAME: Final = re.compile(
    r"(?P<who>[^,;:]{2,120}?) (?:died|passed away) in (?:(?P<same>the same)|a different) country"
    r" (?:that |where |as |than |from |which |in which |from where )*(?:(?:he|she|they) (?:was|were) )?born(?: in)?"
    r"|(?P<whose>[^,;:]{2,120}?) was born and died in (?:(?P<one>the same country)|(?:two )?different countries)",
    re.IGNORECASE,
)
#: A place in front of its country: "made in Ulm in Germany", "from Ulm, Germany".
_PLACE: Final = re.compile(r"\b(?:in|from|at) (?P<place>[A-Z][^,;:]{1,60}?)(?: in|,(?: in)?) \Z")
_MOST: Final = 3


def supported_by_countries(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that a record names the country of a claim by another name, or that two places lie as it says."""
    match = _SAME.fullmatch(claim.text.strip(" ."))
    if match is not None:
        return _same_or_not(match, claim, pack)
    for named in list(_NAMED.finditer(claim.text))[:_MOST]:
        before, after = claim.text[: named.start()], claim.text[named.end() :]
        place = _PLACE.search(before)
        for field in fields_asked(claim, before + after, pack):
            told = told_country(field)
            if told is None or told[1] is not found_country(named["name"]):
                continue
            said = [before + told[0] + after] if told[0] != named["name"] else []
            if place is not None and place["place"] in parts_of_field(field):
                said.append(before[: place.end("place")] + after)
            stated = stating(claim, said, field, pack)
            if stated is not None:
                return supported_by(stated.judgement)
    return None


def _same_or_not(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    who = match["who"] or match["whose"]
    born, died = (list(_placed(f"{who} {event}", claim, pack)) for event in ("was born", "died"))
    if len(born) != 1 or len(died) != 1 or born[0][0].field is died[0][0].field:
        return None
    is_apart = are_apart(born[0][1], died[0][1])
    if is_apart is None or is_apart == bool(match["same"] or match["one"]):
        return None
    return supported_by(born[0][0].judgement, died[0][0].judgement)


def _placed(clause: str, claim: Reading, pack: PackView) -> Iterator[tuple[Stated, Country]]:
    """Yield the fields whose country completes a clause, "Ada Berg died", and that country."""
    for field in fields_asked(claim, clause, pack):
        told = told_country(field)
        stated = stating(claim, [f"{clause} in {told[0]}"], field, pack) if told is not None else None
        if stated is not None and told is not None:
            yield stated, told[1]
