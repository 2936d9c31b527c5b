"""Rule `marriages`: how often somebody was married, counted in the list of those that it was with.

Supported: "Ada Berg was married twice", "has been married more than once" where two are listed, each with the year.
Not: "three times" of the same; nor any where one text holds two marriages, or a year is missing.
"""

import re
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.packs import PackView
from veracord.grounding.substitution import fields_asked, stating, supported_by, values_beside
from veracord.grounding.support import Judgement

_MARRIED: Final = re.compile(
    r"(?P<who>[^,;:]{2,120}?) (?:was|were|got|has been|have been) (?P<what>married|divorced)"
    r" (?P<bound>more than |less than |at least )?"
    r"(?:(?P<word>once|twice)|(?P<number>two|three|four|five|six|[2-9]) times)",
    re.IGNORECASE,
)
_NUMBERS: Final = {"once": 1, "twice": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_ONE_MARRIAGE: Final = re.compile(r"[^()]*\(\s*m\.\s+\d{4}[^()]*\)[^()]*")
_DIVORCED: Final = re.compile(r";\s+div\.\s+\d{4}")
_AGAIN: Final = re.compile(r"\bm\.\s")


def supported_by_marriages(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that a record lists as many marriages as a claim says, or None."""
    match = _MARRIED.fullmatch(claim.text.strip(" ."))
    if match is None:
        return None
    said = (match["word"] or match["number"]).lower()
    number = _NUMBERS.get(said) or int(said)
    for field in fields_asked(claim, f"{match['who']} has spouses", pack):
        if field.names[-1].squashed not in ("spouse", "spouses"):
            continue
        values = list(values_beside(field, pack))
        ended = [value for value in values if _DIVORCED.search(value.value)]
        held = len(ended) if match["what"].lower() == "divorced" else len(values)
        if not all(_is_one_marriage(value) for value in values) or not _fits(held, number, match["bound"]):
            continue
        texts = [f"{match['who']} has {len(values)} spouses", f"the spouse of {match['who']} is {field.value.strip()}"]
        stated = stating(claim, texts[:1] if len(values) > 1 else texts[1:], field, pack)
        if stated is not None:
            return supported_by(stated.judgement)
    return None


def _is_one_marriage(value: Field) -> bool:
    return _ONE_MARRIAGE.fullmatch(value.value) is not None and len(_AGAIN.findall(value.value)) == 1


def _fits(held: int, said: int, bound: str | None) -> bool:
    way = (bound or "").strip().lower()
    return {"": held == said, "more than": held > said, "less than": held < said, "at least": held > said}[way]
