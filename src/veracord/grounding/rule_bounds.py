"""Rule `bounds`: an exact value of a record lies inside the bound or the range that a claim says.

Supported: "The mass is more than 4 kg" and "between 4 and 6 kg" of 5 kg.  Not: "more than 5 kg" of 5 kg, "more than
4 kg" of "about 5 kg" or of "at most 5 kg", "more than 4" of 5 kg.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.mentions import Mention
from veracord.gates.statements import Field
from veracord.grounding.list_counts import count_of
from veracord.grounding.packs import PackView
from veracord.grounding.part_values import leading_quantity
from veracord.grounding.record_values import number_mention
from veracord.grounding.substitution import fields_asked, stating, supported_by, values_beside
from veracord.grounding.support import Judgement
from veracord.language.bounding import is_bound, lies_inside
from veracord.language.quantities import Quantity

#: How a clause says "is" of a bound and not of a value: "exceeds 4 kg" is "is 5 kg".
_VERBS: Final = re.compile(r"(?:exceeds?|exceeded|tops?|topped|übersteigt)\b", re.IGNORECASE)
_SORTED: Final = re.compile(r" (?:different|separate|distinct|various)(?= )")


def supported_by_bounds(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that the one bound of a claim holds of the value that a record states, or None."""
    said = [mention for mention, _ in claim.shape.mentions if _bounds(mention)]
    if len(said) != 1:
        return None
    start, end = said[0].span
    before, after = claim.text[:start], _SORTED.sub("", claim.text[end:], count=1)
    if _VERBS.match(said[0].text):
        before = f"{before}is "
    for field in fields_asked(claim, before + after, pack):
        for value in _values_inside(said[0], field, pack):
            found = stating(claim, [before + value + after], field, pack)
            if found is not None:
                return supported_by(found.judgement)
    return None


def _bounds(mention: Mention) -> bool:
    return isinstance(mention.value, Quantity) and is_bound(mention.value)


def _values_inside(mention: Mention, field: Field, pack: PackView) -> Iterator[str]:
    """Yield how the record writes what lies inside a bound: its value, or of how many values its list is."""
    said = mention.value
    if not isinstance(said, Quantity):
        return
    if said.unit is None and (count := count_of(field, pack, needs_all=said.high is not None)):
        is_least = mention.text.lower().startswith("at least ") and said.low == count[1].value
        if is_least or lies_inside(said, count[1]):
            yield count[0]
        return
    held = [_exact_quantity(one) for one in values_beside(field, pack)]
    if held and all(one is not None and lies_inside(said, one[1]) for one in held):
        own = _exact_quantity(field)
        if own is not None:
            yield own[0]


def _exact_quantity(field: Field) -> tuple[str, Quantity] | None:
    """Return the one exact quantity of a field, as written and as read."""
    if field.kind == "number" and not field.bound:
        mention = number_mention(field.value, field.unit)
    elif field.kind == "text":
        found = leading_quantity(field.value)
        if not found:
            return None
        mention = found[0]
    else:
        return None
    return (mention.text, mention.value) if isinstance(mention.value, Quantity) else None
