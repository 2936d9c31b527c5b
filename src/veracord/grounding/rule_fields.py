"""Rule `fields`: two exact values of one record compare as a claim says.

Supported: "The gross mass is higher than the net mass" of 6 kg and 5 kg, "The box office was more than twice the
budget" of $9 million and $4 million.  Not: the same the other way round, or where one of them is a bound.
"""

import re
from dataclasses import replace
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.mentions import mentions_of
from veracord.gates.statements import Field
from veracord.grounding.packs import PackView
from veracord.grounding.part_values import leading_quantity
from veracord.grounding.record_values import number_mention
from veracord.grounding.substitution import Stated, fields_asked, stating, supported_by
from veracord.grounding.support import Judgement
from veracord.language.bounding import factor_between, is_bound, lies_inside
from veracord.language.quantities import Quantity

#: A field with the judgement of the claim that states its value, and that value.
Held = tuple[Stated, Quantity]

_GREATER: Final = "greater|higher|larger|bigger|more|longer|heavier|wider|taller"
_LESS: Final = "lower|smaller|less|shorter|lighter|narrower"
_TIMES: Final = {"twice": 2, "two times": 2, "three times": 3, "four times": 4, "five times": 5, "ten times": 10}
_THAN: Final = re.compile(
    rf"(?P<one>[^,;:]{{2,120}}?) (?P<is>is|was) (?:(?P<more>{_GREATER})|(?P<less>{_LESS})) than"
    rf"(?: (?P<times>{'|'.join(_TIMES)}))? (?:its|the|their|his|her) (?P<two>[^,;:]{{2,80}})",
    re.IGNORECASE,
)
_OF: Final = re.compile(r"(?:the )?(?P<what>[^,;:]{2,60}?) of (?P<whose>[^,;:]{2,80})", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"(?P<whose>[^,;:]{2,80}?)['’]s? (?P<what>[^,;:]{2,60})")
#: What a film earns and costs, as people say it.
_EARNED: Final = re.compile(
    r"(?P<whose>[^,;:]{2,120}?) (?:made|earned|grossed|took in) (?P<how>more|less)(?: money)?(?: at the box office)?"
    r" than (?:it (?:cost|spent)(?: to (?:make|produce))?|(?P<times>[a-z]+(?: times)? )?its budget)",
    re.IGNORECASE,
)
_MORE_BY: Final = re.compile(
    r"(?P<whose>[^,;:]{2,120}?) (?:made|earned|grossed|took in) (?P<by>[^;:]{2,60}?) (?P<how>more|less)(?: money)?"
    r"(?: at the box office)? than (?:it (?:cost|spent)(?: to (?:make|produce))?|its budget)",
    re.IGNORECASE,
)


def supported_by_fields(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that two values of a record compare as a claim says, or None."""
    text = claim.text.strip(" .")
    apart = _MORE_BY.fullmatch(text)
    if apart is not None:
        return _apart(apart, claim, pack)
    earned = _EARNED.fullmatch(text)
    if earned is not None:
        way = "higher" if earned["how"].lower().startswith("more") else "lower"
        text = f"the box office of {earned['whose']} is {way} than {earned['times'] or ''}its budget"
    match = _THAN.fullmatch(text)
    if match is None:
        return None
    pair = values_of_one_record(match["one"], match["two"], claim, pack)
    if pair is None:
        return None
    factor = factor_between(pair[0][1], pair[1][1])
    wanted = _TIMES[match["times"].lower()] if match["times"] else 1
    if wanted > 1 and not has_true_zero(pair[0][1]):
        return None
    if factor is None or not (factor > wanted if match["more"] else factor < wanted):
        return None
    return supported_by(pair[0][0].judgement, pair[1][0].judgement)


def values_of_one_record(one: str, two: str, claim: Reading, pack: PackView) -> tuple[Held, Held] | None:
    """Return the exact values of two fields of one record, named as "the mass of A" and "net mass", or None."""
    owner = _OF.fullmatch(one) or _POSSESSIVE.fullmatch(one)
    other = f"{two} of {owner['whose']}" if owner is not None else two
    first = exact_value(f"{one} is", claim, pack)
    second = exact_value(f"the {other} is", claim, pack)
    return (first, second) if first is not None and second is not None and are_beside(first, second) else None


def are_beside(one: Held, two: Held) -> bool:
    """Whether two values are of two fields of one object of one item."""
    first, second = one[0].field, two[0].field
    is_apart = first is not second and first.evidence_id == second.evidence_id
    return is_apart and first.path[:-2] == second.path[:-2]


def has_true_zero(quantity: Quantity) -> bool:
    """Whether a value can be a number of times another: 20 °C is not twice 10 °C."""
    return quantity.unit is None or quantity.unit.dimension != "temperature"


def _apart(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    """Return that a film earned so much more, or less, than it cost as a claim says, or None."""
    said = mentions_of(match["by"], claim.locale)
    first = exact_value(f"the box office of {match['whose']} is", claim, pack)
    second = exact_value(f"the budget of {match['whose']} is", claim, pack)
    if first is None or second is None or len(said) != 1 or said[0].text != match["by"]:
        return None
    amount = said[0].value
    if first[1].unit != second[1].unit or first[1].value is None or second[1].value is None:
        return None
    more = first[1].value - second[1].value
    held = replace(first[1], low=abs(more), high=abs(more))
    is_so = isinstance(amount, Quantity) and not amount.approximate and is_bound(amount) and lies_inside(amount, held)
    if not is_so or (more > 0) != (match["how"].lower() == "more"):
        return None
    return supported_by(first[0].judgement, second[0].judgement)


def exact_value(clause: str, claim: Reading, pack: PackView) -> Held | None:
    """Return the one exact value that completes a clause, "The mass is"; None where several fields do."""
    found = []
    for field in fields_asked(claim, clause, pack):
        value = _quantity(field)
        stated = stating(claim, [f"{clause} {value[0]}"], field, pack) if value is not None else None
        if value is not None and stated is not None:
            found.append((stated, value[1]))
    return found[0] if len(found) == 1 else None


def _quantity(field: Field) -> tuple[str, Quantity] | None:
    if field.is_list_item or field.bound or field.kind not in ("number", "text"):
        return None
    mentions = (number_mention(field.value, field.unit),) if field.kind == "number" else leading_quantity(field.value)
    value = mentions[0].value if mentions else None
    is_exact = isinstance(value, Quantity) and value.value is not None and not value.approximate
    return (mentions[0].text, value) if is_exact and isinstance(value, Quantity) else None
