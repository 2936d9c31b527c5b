"""Claims that no single statement says: two values compared, two statements joined by a name, two sources side by side.

Each rule is closed: it takes a claim apart into statements that must be supported one by one from what is cited.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.lexicon import COMPARATIVES, DEGREES
from veracord.gates.mentions import Mention, mentions_of
from veracord.gates.statements import Binding, Sentence
from veracord.grounding.binding import bindings_of, reading_of
from veracord.grounding.packs import PackView
from veracord.grounding.support import SUPPORTED, Judgement, judge
from veracord.language.quantities import Quantity
from veracord.language.units import base_value, comparable

_THAN: Final = re.compile(
    r"(?P<one>[^,;:]{1,120}?) (?:is|are|ist|sind) (?P<how>[^\W\d_]{3,20}) (?:than|als) (?P<two>[^,;:]{1,120})",
    re.IGNORECASE,
)
_HAS_MORE: Final = re.compile(
    r"(?P<one>[^,;:]{1,120}?) (?:has|have|hat|haben) (?:a |an |eine |einen |ein )?(?P<how>[^\W\d_]{3,20})"
    r" (?P<what>[^,;:]{2,60}?)"
    r" (?:than|als) (?P<two>[^,;:]{1,120})",
    re.IGNORECASE,
)
_OF_IS_MORE: Final = re.compile(
    r"(?:the |die |der |das )?(?P<what>[^,;:]{2,60}?) (?:of|von) (?P<one>[^,;:]{1,120}?) (?:is|ist)"
    r" (?P<how>[^\W\d_]{3,20}) (?:than|als)"
    r" (?:that|the one|die|der|das) (?:of|von) (?P<two>[^,;:]{1,120})",
    re.IGNORECASE,
)
_THAT: Final = re.compile(
    r"(?P<left>[^,;:]{1,200}?) (?:a|an) (?P<noun>[^,;:]{2,80}?) (?:that|which) (?P<right>[^,;:]{2,200})", re.IGNORECASE
)
_ONE_ANOTHER: Final = re.compile(
    r"(?:one|the first|the one)(?: source| document| record)? (?:gives|states|says|lists|reports)"
    r" (?P<what>[^,;]{1,120}?)"
    r"(?P<joint> as | to be | of | at )(?P<one>[^,;]{1,80}?),? (?:and |while |whereas |but )?(?:another|the"
    r" other|a second)(?: source| document| record)?"
    r"(?: (?:gives|states|says|lists|reports))?(?: it)?(?P=joint)(?P<two>[^,;]{1,80})",
    re.IGNORECASE,
)
_BOTH_SAY: Final = re.compile(
    r"(?:one|the first)(?: source| document| record| text)? (?:gives|states|says|lists|reports) (?:that )?"
    r"(?P<one>[^,;]{1,160}?),? (?:and |while |whereas |but )?(?:another|the other|a second|the second)"
    r"(?: source| document| record| text)? (?:gives |states |says |lists |reports )?(?P<two>[^,;]{1,80})",
    re.IGNORECASE,
)
_LONGEST: Final = 400


def supported_by_comparison(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that two cited values compare as the claim says, or None."""
    found = _comparison_in(claim.text.strip(" ."))
    if found is None:
        return None
    one, two, attribute, direction = found
    first, second = (_value_of(f"{name} {attribute}", claim, pack) for name in (one, two))
    if first is None or second is None:
        return None
    difference = _difference(first[0], second[0])
    if difference is None or difference * direction <= 0:
        return None
    return Judgement(SUPPORTED, (), (first[1].statement, second[1].statement))


def _comparison_in(text: str) -> tuple[str, str, str, int] | None:
    """Return the two things, the attribute and the direction of a comparison."""
    if len(text) > _LONGEST:
        return None
    match = _OF_IS_MORE.fullmatch(text) or _HAS_MORE.fullmatch(text)
    if match is not None:
        direction = DEGREES.get(match["how"].casefold())
        return (match["one"], match["two"], match["what"], direction) if direction else None
    match = _THAN.fullmatch(text)
    known = COMPARATIVES.get(match["how"].casefold()) if match is not None else None
    return (match["one"], match["two"], *known) if match is not None and known is not None else None


def _value_of(text: str, claim: Reading, pack: PackView) -> tuple[Quantity, Binding] | None:
    """Return the one exact quantity that cited evidence gives for a thing, where no evidence gives another."""
    asked = reading_of(text)
    found: list[tuple[Quantity, Binding]] = []
    for binding in bindings_of(asked, pack):
        held = [mention for mention, _ in binding.held if mention.kind == "quantity"]
        names = [(mention.text, place) for mention, place in binding.said if mention.kind == "identifier"]
        known = [(mention.text, place) for mention, place in binding.held if mention.kind == "identifier"]
        is_clean = not (binding.unexplained or binding.said_cues or binding.held_cues or binding.differences)
        is_clean = is_clean and not binding.foreign_product and not getattr(binding.statement, "is_limited", False)
        if len(held) == 1 and isinstance(held[0].value, Quantity) and is_clean and names == known:
            found.append((held[0].value, binding))
    cited = [pair for pair in found if pair[1].statement.evidence_id in claim.claim.evidence_ids]
    if not cited or not all(quantity.is_exact for quantity, _ in found):
        return None
    if any(_difference(quantity, cited[0][0]) != 0 for quantity, _ in found):
        return None
    return cited[0]


def _difference(one: Quantity, two: Quantity) -> int | None:
    """Return the sign of the difference of two exact values, or None where they cannot be compared."""
    if one.value is None or two.value is None:
        return None
    if one.unit is None or two.unit is None or one.unit == two.unit:
        if one.unit != two.unit:
            return None
        return (one.value > two.value) - (one.value < two.value)
    if not comparable(one.unit, two.unit):
        return None
    first, second = base_value(Fraction(one.value), one.unit), base_value(Fraction(two.value), two.unit)
    return (first > second) - (first < second)


def supported_by_two_hops(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that one cited statement names a thing, and another says of it what the claim says, or None."""
    text = claim.text.strip(" .")
    match = _THAT.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    for name, first in _named_things(reading_of(f"{match['left']} {match['noun']}"), claim, pack):
        second = judge(reading_of(f"{match['noun']} {name.text} {match['right']}", claim.claim.evidence_ids), pack)
        if second.verdict == SUPPORTED:
            return replace(second, statements=(first.statement, *second.statements))
    return None


def _named_things(asked: Reading, claim: Reading, pack: PackView) -> Iterator[tuple[Mention, Binding]]:
    """Yield the identifiers with which cited sentences end that are about a thing."""
    for binding in bindings_of(asked, pack):
        if not isinstance(binding.statement, Sentence) or binding.differences or binding.said_cues or binding.held_cues:
            continue
        if binding.statement.evidence_id not in claim.claim.evidence_ids:
            continue
        said = [(mention.text, place) for mention, place in binding.said]
        held = [(mention.text, place) for mention, place in binding.held]
        last = binding.held[-1] if binding.held else None
        ends = last is not None and last[0].kind == "identifier" and last[1] == len(asked.shape.words)
        if ends and last is not None and held[:-1] == said:
            yield last[0], binding


def sides_of(text: str) -> tuple[str, str] | None:
    """Return the two claims of "One source gives the mass as 10 kg, another as 11 kg", or None."""
    match = _ONE_ANOTHER.fullmatch(text.strip(" .")) if len(text) <= _LONGEST else None
    if match is not None:
        return f"{match['what']} is {match['one']}", f"{match['what']} is {match['two']}"
    match = _BOTH_SAY.fullmatch(text.strip(" .")) if len(text) <= _LONGEST else None
    return _with_other_value(match["one"], match["two"]) if match is not None else None


def _with_other_value(one: str, two: str) -> tuple[str, str] | None:
    """Return what two sources say where of the second only the value is told: "... 70 minutes, another 85 minutes"."""
    said, other = (
        [mention for mention in mentions_of(text) if mention.kind == "quantity"] for text in (one, two)
    )  # fmt: skip
    if len(said) != 1 or len(other) != 1 or two[: other[0].span[0]].strip():
        return None
    if not one[: said[0].span[0]].strip():
        return one, two
    start, end = said[0].span
    return (one, one[:start] + two + one[end:]) if not two[other[0].span[1] :].strip() else None
