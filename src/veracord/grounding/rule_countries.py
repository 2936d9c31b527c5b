"""Rule `countries`: a country goes by several names, and two places lie in one country or in two.

Supported: "Orvo was founded in the United States" of "Austin, Texas, U.S.", "Ada Berg died in a different country
than she was born in" of Ulm, Germany and Paris, France.  Not: the same of a place whose country the list lacks.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.countries import NAMES, country_of
from veracord.grounding.packs import PackView
from veracord.grounding.part_values import parts_of_value
from veracord.grounding.substitution import Stated, fields_asked, stating, supported_by
from veracord.grounding.support import Judgement

_NAMED: Final = re.compile(
    r"(?<![\w.])(?:the )?(?P<name>" + "|".join(re.escape(name) for name in NAMES) + r")(?![\w]|\.\w)"
)
_SAME: Final = re.compile(
    r"(?P<who>[^,;:]{2,120}?) (?:died|passed away) in (?:(?P<same>the same)|a different) country"
    r" (?:that |where |as |than |from |which |in which |from where )*(?:(?:he|she|they) (?:was|were) )?born(?: in)?"
    r"|(?P<whose>[^,;:]{2,120}?) was born and died in (?:(?P<one>the same country)|(?:two )?different countries)",
    re.IGNORECASE,
)
_MOST: Final = 3


def supported_by_countries(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that a record names the country of a claim by another name, or that two places lie as it says."""
    match = _SAME.fullmatch(claim.text.strip(" ."))
    if match is not None:
        return _same_or_not(match, claim, pack)
    for named in list(_NAMED.finditer(claim.text))[:_MOST]:
        before, after = claim.text[: named.start()], claim.text[named.end() :]
        for field in fields_asked(claim, before + after, pack):
            other = _last_part(field)
            if other is None or other == named["name"] or country_of(other) != country_of(named["name"]):
                continue
            stated = stating(claim, [before + other + after], field, pack)
            if stated is not None:
                return supported_by(stated.judgement)
    return None


def _last_part(field: Field) -> str | None:
    """Return the country that a text ends with, in its own spelling."""
    if field.kind != "text":
        return None
    parts = (field.value.strip(), *parts_of_value(field.value))
    return next((part for part in reversed(parts) if "," not in part and country_of(part) is not None), None)


def _same_or_not(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    who = match["who"] or match["whose"]
    born, died = (list(_placed(f"{who} {event}", claim, pack)) for event in ("was born", "died"))
    if len(born) != 1 or len(died) != 1 or born[0][0].field is died[0][0].field:
        return None
    is_same = born[0][1] == died[0][1]
    if is_same != bool(match["same"] or match["one"]):
        return None
    return supported_by(born[0][0].judgement, died[0][0].judgement)


def _placed(clause: str, claim: Reading, pack: PackView) -> Iterator[tuple[Stated, str | None]]:
    """Yield the fields whose country completes a clause, "Ada Berg died", and that country."""
    for field in fields_asked(claim, clause, pack):
        country = _last_part(field)
        stated = stating(claim, [f"{clause} in {country}"], field, pack) if country is not None else None
        if stated is not None and country is not None:
            yield stated, country_of(country)
