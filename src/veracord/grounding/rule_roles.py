"""Rule `roles`: one person, or two, in two roles of the same record.

Supported: "Low Tide was written and directed by the same person" where both fields hold the one name "Ada Berg", "by
different people" where they hold two, and "Ada Berg both wrote and directed Low Tide".  Not: "by the same person" where
one of them holds a list.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.list_counts import may_be_called
from veracord.grounding.packs import PackView
from veracord.grounding.placeholders import names_nobody
from veracord.grounding.substitution import Stated, fields_asked, reworded, stating, supported_by
from veracord.grounding.support import SUPPORTED, Judgement, judge

_BY: Final = re.compile(
    r"(?P<subject>[^,;:]{1,120}?) (?P<is>is|was|are|were) (?:both )?(?P<one>[a-z]{4,14}) and (?P<two>[a-z]{4,14}) by"
    r" (?:the (?P<same>same) (?:exact )?(?P<sort>person|people|individual|company|organi[sz]ation)"
    r"|(?:two )?(?P<other>different) (?P<sorts>people|persons|individuals|companies|organi[sz]ations))",
    re.IGNORECASE,
)
_BOTH: Final = re.compile(
    r"(?P<who>[^,;:]{1,120}?) (?:both )?(?P<one>[a-z]{4,14}) and (?P<two>[a-z]{4,14}(?: in| for)?)"
    r" (?P<what>[^,;:]{1,120})"
)
_NAME: Final = re.compile(r"[^\W\d_]+")
#: Letters that may stand for words, and those that say what kind of company one is.
_SHORT: Final = re.compile(r"\b[A-Z]{2,6}\b")
_LEGAL_FORM: Final = re.compile(r"\b(?:AG|KG|SE|SA|BV|NV|LLC|PLC)\b")
_SEVERAL: Final = re.compile(r"[,;/&\n]|\s{2,}(?=\S)|\band\b")


def supported_by_roles(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that two roles are held by whom a claim says, or None."""
    text = claim.text.strip(" .")
    match = _BY.fullmatch(text)
    if match is not None:
        return _same_or_not(match, claim, pack)
    match = _BOTH.fullmatch(text)
    if match is None or any(key == "not" for key, _ in claim.shape.cues):
        return None
    found = [judge(reworded(claim, f"{match['who']} {match[role]} {match['what']}"), pack) for role in ("one", "two")]
    return supported_by(*found) if all(one.verdict == SUPPORTED for one in found) else None


def _same_or_not(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    one, two = (
        list(_holders(f"{match['subject']} {match['is']} {match[role]} by", claim, pack)) for role in ("one", "two")
    )
    if len(one) != 1 or len(two) != 1 or one[0].field is two[0].field:
        return None
    sort = match["sort"] or match["sorts"]
    if not all(may_be_called(found.field.value, sort) for found in (one[0], two[0])):
        return None
    first, second = (found.field.value.strip().casefold() for found in (one[0], two[0]))
    is_same = first == second
    if is_same if match["same"] else are_apart(one[0].field, two[0].field):
        return supported_by(one[0].judgement, two[0].judgement)
    return None


def _holders(clause: str, claim: Reading, pack: PackView) -> Iterator[Stated]:
    """Yield the fields whose one name completes a clause: "Low Tide was directed by"."""
    for field in fields_asked(claim, clause, pack):
        if is_one_name(field):
            found = stating(claim, [f"{clause} {field.value.strip()}"], field, pack)
            if found is not None:
                yield found


def are_apart(one: Field, two: Field) -> bool:
    """Whether two names have no word in common, and none is short for others, so that they are not two forms of one."""
    if any(_SHORT.search(_LEGAL_FORM.sub(" ", field.value)) for field in (one, two)):
        return False
    first, second = (set(_NAME.findall(field.value.casefold())) for field in (one, two))
    return bool(first and second) and not first & second


def is_one_name(field: Field) -> bool:
    """Whether a field holds one name, and neither several nor a number."""
    return not field.is_list_item and holds_one_name(field)


def holds_one_name(field: Field) -> bool:
    """Whether a text, which may be one of a list, is one name."""
    value = field.value.strip()
    is_name = field.kind == "text" and not names_nobody(value)
    return is_name and _SEVERAL.search(value) is None and not any(c.isdigit() for c in value)
