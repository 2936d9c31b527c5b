"""Rule `sizes`: a thing has more of one thing than of another, or is longer than it is wide.

Supported: "The plot has more land area than water area" of 5 ha and 2 ha, "The box is longer than it is wide", "is
twice as long as it is wide", "has more screws than nuts" of counts.  Not: the same the other way round; nor of two
numbers without a unit that count nothing.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.packs import PackView
from veracord.grounding.rule_fields import Held, are_beside, exact_value
from veracord.grounding.rule_ratios import SAID, WAY, is_times
from veracord.grounding.substitution import supported_by
from veracord.grounding.support import Judgement
from veracord.language.bounding import factor_between

#: What is more, and the only dimension that it is said of, if there is one.
_MORE: Final = {
    "more": "", "greater": "", "larger": "", "bigger": "", "higher": "", "longer": "length", "heavier": "mass",
    "wider": "length",
}  # fmt: skip
_LESS: Final = {
    "less": "", "fewer": "", "smaller": "", "lower": "", "shorter": "length", "lighter": "mass", "narrower": "length",
}  # fmt: skip
_HAS: Final = re.compile(
    rf"(?P<who>[^;:]{{2,120}}?),? (?:has|have|had) (?:an? )?(?P<how>{'|'.join((*_MORE, *_LESS))})"
    r" (?P<one>[^,;:]{2,60}?) than (?:an? |the )?(?P<two>[^,;:]{2,60})",
    re.IGNORECASE,
)
_NOUNS: Final = {
    "long": "length", "wide": "width", "high": "height", "tall": "height", "deep": "depth", "thick": "thickness",
}  # fmt: skip
_OTHER: Final = rf"than (?:it is|they are) (?P<two>{'|'.join(_NOUNS)})"
_COMPARATIVES: Final = {
    "longer": ("length", 1), "wider": ("width", 1), "higher": ("height", 1), "taller": ("height", 1),
    "deeper": ("depth", 1), "thicker": ("thickness", 1), "narrower": ("width", -1), "thinner": ("thickness", -1),
    "shallower": ("depth", -1),
}  # fmt: skip
_LONGER: Final = re.compile(
    rf"(?P<who>[^,;:]{{2,120}}?) (?:is|are) (?P<how>{'|'.join(_COMPARATIVES)}) {_OTHER}", re.IGNORECASE
)
_AS_LONG: Final = re.compile(
    rf"(?P<who>[^,;:]{{2,120}}?) (?:is|are) (?P<way>{WAY})?(?P<times>{SAID}|just|exactly)"
    rf" as (?P<one>{'|'.join(_NOUNS)}) as (?:it is|they are) (?P<two>{'|'.join(_NOUNS)})",
    re.IGNORECASE,
)
#: Words for what a unit measures, which say no more than the unit does.
_MEASURED: Final = {"area": ("area",), "mass": ("mass", "weight"), "volume": ("volume",), "energy": ("energy",)}
#: How words end that count nothing: "mass", "radius", "axis".
_NO_PLURALS: Final = ("ss", "us", "is", "gas")


def supported_by_sizes(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that two sizes of one thing compare as a claim says, or None."""
    text = claim.text.strip(" .")
    if any(key == "not" for key, _ in claim.shape.cues):
        return None
    match = _LONGER.fullmatch(text)
    if match is not None:
        noun, direction = _COMPARATIVES[match["how"].lower()]
        pair = _beside(
            _size(noun, match["who"], claim, pack), _size(_NOUNS[match["two"].lower()], match["who"], claim, pack)
        )
        return _compared(pair, direction) if pair is not None else None
    match = _AS_LONG.fullmatch(text)
    if match is not None:
        return _as_long(match, claim, pack)
    match = _HAS.fullmatch(text)
    return _has_more(match, claim, pack) if match is not None else None


def _as_long(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    nouns = [_NOUNS[match[side].lower()] for side in ("one", "two")]
    pair = _beside(*(_size(noun, match["who"], claim, pack) for noun in nouns))
    if pair is None or nouns[0] == nouns[1]:
        return None
    is_same = match["times"].lower() in ("just", "exactly")
    if is_same and (match["way"] or factor_between(pair[0][1], pair[1][1]) != 1):
        return None
    is_so = is_same or is_times(match["times"], match["way"] or "", pair)
    return supported_by(pair[0][0].judgement, pair[1][0].judgement) if is_so else None


def _has_more(match: re.Match[str], claim: Reading, pack: PackView) -> Judgement | None:
    how = match["how"].lower()
    dimension = _MORE[how] if how in _MORE else _LESS[how]
    for one, two in _named(match["one"], match["two"]):
        pair = _beside(_size(one, match["who"], claim, pack), _size(two, match["who"], claim, pack))
        if pair is None:
            continue
        unit = pair[0][1].unit
        if unit is None and not all(_counts(held) for held in pair):
            return None
        if dimension and (unit is None or unit.dimension != dimension):
            return None
        return _compared(pair, 1 if how in _MORE else -1)
    return None


def _named(one: str, two: str) -> Iterator[tuple[str, str]]:
    """Yield what two fields are called: "land area than water area", and "land than water area" as well."""
    yield one, two
    head = two.rpartition(" ")[2]
    if head != two and not one.endswith(f" {head}"):
        yield f"{one} {head}", two


def _size(name: str, who: str, claim: Reading, pack: PackView) -> Held | None:
    """Return the value of a field of a thing; "land area" is the field "land" where its unit is one of area."""
    found = exact_value(f"the {name} of {who} is", claim, pack)
    if found is not None:
        return found
    start, _, noun = name.rpartition(" ")
    bare = exact_value(f"the {start} of {who} is", claim, pack) if start else None
    unit = bare[1].unit if bare is not None else None
    return bare if unit is not None and noun in _MEASURED.get(unit.dimension or "", ()) else None


def _beside(one: Held | None, two: Held | None) -> tuple[Held, Held] | None:
    return (one, two) if one is not None and two is not None and are_beside(one, two) else None


def _counts(held: Held) -> bool:
    """Whether a number without a unit counts what its field is called: ``{"screws": 12}``."""
    field, value = held[0].field, held[1].value
    named = field.names[-1].words.casefold()
    is_plural = named.endswith("s") and not named.endswith(_NO_PLURALS)
    is_count = is_plural or named.endswith(" count") or named.startswith("number of ")
    return is_count and value is not None and value == value.to_integral_value()


def _compared(pair: tuple[Held, Held], direction: int) -> Judgement | None:
    factor = factor_between(pair[0][1], pair[1][1])
    is_so = factor is not None and (factor > 1 if direction > 0 else factor < 1)
    return supported_by(pair[0][0].judgement, pair[1][0].judgement) if is_so else None
