"""Rule `ratios`: one exact value of a record is a number of times another, or so much more, as a claim says.

Supported: "The gross mass is twice the net mass" of 6 kg and 3 kg, "is 3 kg more than its net mass", "is at least two
times as high as its net mass" of 7 kg and 3 kg.  Not: "is twice" of 7 kg and 3 kg, "almost twice", "at least twice" of
exactly twice (a bound over its own value), or any number of times a temperature.
"""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.mentions import mentions_of
from veracord.grounding.packs import PackView
from veracord.grounding.rule_fields import Held, has_true_zero, values_of_one_record
from veracord.grounding.substitution import supported_by
from veracord.grounding.support import Judgement
from veracord.language.bounding import factor_between
from veracord.language.quantities import Quantity
from veracord.language.units import base_value, comparable

_WORDS: Final = {word: number for number, word in enumerate("two three four five six seven eight nine ten".split(), 2)}
_FACTORS: Final = {
    "half": Fraction(1, 2), "one half": Fraction(1, 2), "a third": Fraction(1, 3), "one third": Fraction(1, 3),
    "a quarter": Fraction(1, 4), "one quarter": Fraction(1, 4), "two thirds": Fraction(2, 3),
    "three quarters": Fraction(3, 4), "twice": Fraction(2), "double": Fraction(2),
}  # fmt: skip
_TIMES: Final = re.compile(rf"(?P<number>\d{{1,4}}(?:\.\d{{1,4}})?|{'|'.join(_WORDS)}) times", re.IGNORECASE)
SAID: Final = rf"{'|'.join(_FACTORS)}|(?:\d{{1,4}}(?:\.\d{{1,4}})?|{'|'.join(_WORDS)}) times"
_WAYS: Final = {
    "": "is", "exactly ": "is", "more than ": "above", "over ": "above", "at least ": "above", "greater than ": "above",
    "higher than ": "above", "less than ": "below", "under ": "below", "at most ": "below", "lower than ": "below",
}  # fmt: skip
WAY: Final = "|".join(way for way in _WAYS if way)
_TIMES_OF: Final = re.compile(
    rf"(?P<one>[^,;:]{{2,120}}?) (?:is|was) (?P<way>{WAY})?(?P<times>{SAID})"
    r"(?: of| as (?:much|high|large|great|big|long|heavy|wide|many) as)? (?:its|the|their|his|her)"
    r" (?P<two>[^,;:]{2,80})",
    re.IGNORECASE,
)
_MORE_BY: Final = re.compile(
    r"(?P<one>[^,;:]{2,120}?) (?:is|was) (?P<by>[^,;:]{2,40}?) (?:(?P<more>more|greater|higher|larger|longer|heavier)"
    r"|less|lower|smaller|shorter|lighter) than (?:its|the|their|his|her) (?P<two>[^,;:]{2,80})",
    re.IGNORECASE,
)
_EARNED: Final = re.compile(
    rf"(?P<whose>[^,;:]{{2,120}}?) (?:made|earned|grossed|took in) (?P<way>{WAY})?(?P<times>{SAID})"
    r"(?: as much(?: money)? as)?(?P<what> its budget| it cost(?: to (?:make|produce))?)",
    re.IGNORECASE,
)


def supported_by_ratios(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that two values of a record are as many times, or as much, apart as a claim says, or None."""
    text = claim.text.strip(" .")
    if any(key == "not" for key, _ in claim.shape.cues):
        return None
    earned = _EARNED.fullmatch(text)
    if earned is not None and ("as much" in text) == earned["what"].startswith(" it "):
        text = f"the box office of {earned['whose']} is {earned['way'] or ''}{earned['times']} the budget"
    match = _TIMES_OF.fullmatch(text)
    if match is not None:
        pair = values_of_one_record(match["one"], match["two"], claim, pack)
        return _if_so(pair, is_times(match["times"], match["way"] or "", pair)) if pair is not None else None
    match = _MORE_BY.fullmatch(text)
    if match is None:
        return None
    said = mentions_of(match["by"], claim.locale)
    if len(said) != 1 or said[0].text != match["by"] or not isinstance(said[0].value, Quantity):
        return None
    pair = values_of_one_record(match["one"], match["two"], claim, pack)
    ordered = pair if match["more"] or pair is None else (pair[1], pair[0])
    return _if_so(pair, _is_apart(said[0].value, ordered)) if pair is not None and ordered is not None else None


def _if_so(pair: tuple[Held, Held], is_so: bool) -> Judgement | None:  # noqa: FBT001 - what is found of the pair
    return supported_by(pair[0][0].judgement, pair[1][0].judgement) if is_so else None


def is_times(times: str, way: str, pair: tuple[Held, Held]) -> bool:
    """Whether the first of two values is so many times the second: "three times", "more than "."""
    factor = factor_between(pair[0][1], pair[1][1])
    number = _TIMES.fullmatch(times)
    said = number["number"].lower() if number is not None else ""
    wanted = _FACTORS.get(times.lower()) or Fraction(_WORDS.get(said) or Decimal(said))
    if factor is None or not has_true_zero(pair[0][1]):
        return False
    order = {"is": factor == wanted, "above": factor > wanted, "below": factor < wanted}
    return order[_WAYS[way.lower()]]


def _is_apart(said: Quantity, pair: tuple[Held, Held]) -> bool:
    """Whether the first of two values is above the second by an amount, or by more or less than it."""
    more, less = pair[0][1], pair[1][1]
    units = (said.unit, more.unit, less.unit)
    is_plain = said.kind in ("cardinal", "money") and not said.approximate and said.tolerance is None
    if not is_plain or more.value is None or less.value is None or not has_true_zero(more):
        return False
    sizes: list[Fraction] = []
    for value, unit in zip((said.low, said.high, more.value, less.value), (said.unit, *units), strict=True):
        if unit is None or more.unit is None:
            if unit is not more.unit:
                return False
            sizes.append(Fraction(value or 0))
        elif unit != more.unit and not comparable(unit, more.unit):
            return False
        else:
            sizes.append(base_value(Fraction(value or 0), unit) if unit.dimension is not None else Fraction(value or 0))
    low, high, apart = sizes[0], sizes[1], sizes[2] - sizes[3]
    if said.low == said.high:
        return apart == low
    return apart > 0 and (said.low is None or apart > low) and (said.high is None or apart < high)
