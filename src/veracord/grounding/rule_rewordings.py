"""Rule `rewordings`: a claim in another order of words, or in a noun where the plain claim has a verb.

Supported: "The fall of 1952 is when Ada Berg was born", "The pack is 120 mm in length" of a length of 120 mm, "Ada Berg
painted Low Tide in 1999" where one field has the painter and one the year.  Not: the same with another time, length or
painter.  Each form stands here with the plain claims that together say the same.
"""

import re
from collections.abc import Callable
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.rule_kinds import Support
from veracord.grounding.substitution import supported_by
from veracord.grounding.support import Judgement

_SEASON: Final = r"(?P<season>spring|summer|fall|autumn|winter)"
_DID: Final = {
    "painted": "painted", "directed": "directed", "wrote": "written", "produced": "produced", "created": "created",
    "founded": "founded", "designed": "designed", "built": "built", "manufactured": "manufactured",
    "established": "established",
}  # fmt: skip
_SIZES: Final = "length|height|width|depth|diameter|thickness|weight|mass|volume|area|elevation|duration"
_OF_SIZE: Final = {
    "long": "length", "wide": "width", "tall": "height", "thick": "thickness", "deep": "depth", "longer": "length",
    "shorter": "length", "wider": "width", "taller": "height", "thicker": "thickness", "deeper": "depth",
    "heavier": "mass", "lighter": "mass",
}  # fmt: skip
_LESS: Final = frozenset({"shorter", "lighter"})
_EVENTS: Final = {"death": "died", "birth": "was born"}
#: What is counted, with the verb that says no more than that the thing has it.
_COUNTED: Final = (
    r"(?:recorded (?:in|at|under|for)|signed (?:to|with)|associated with|won|received|speaks?|plays?|made of)"
)
_THINGS: Final = "studios?|(?:record )?labels?|awards?|languages?|instruments?|materials?"
_HAS_SO_MANY: Final = (
    r"(?P<who>[^;:]{2,120}?) (?P<has>has|have|had|contains|comprises)"
    r" (?P<count>(?:(?:more|fewer|less) than |at least |at most )?\d[\d,]{0,12}) (?P<what>[a-z][a-z -]{2,40})"
)


def _is(match: re.Match[str]) -> str:
    """Return "to be" in the tense of what is had."""
    return "was" if match["has"].lower() == "had" else "is"


def _has(match: re.Match[str]) -> str:
    """Return "to have" in the tense of what is."""
    return "had" if match["is"].lower() in ("was", "were") else "has"


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[str, ...]]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        (
            _HAS_SO_MANY,
            lambda match: (f"the number of {match['what']} of {match['who']} {_is(match)} {match['count']}",),
        ),
        (_HAS_SO_MANY, lambda match: (f"the no. of {match['what']} of {match['who']} {_is(match)} {match['count']}",)),
        (
            r"(?P<when>[^;:]{3,60}?) (?:is|was) (?:when|where) (?P<what>[^;:]{3,200})",
            lambda match: (f"{match['what']} in {match['when']}",),
        ),
        (
            r"(?P<who>[^;:]{2,120}?)['’]s? birthday (?:is|was|falls) (?P<when>(?:in|on) [^;:]{3,60})",
            lambda match: (f"{match['who']} was born {match['when']}",),
        ),
        (
            r"(?:the )?birthday of (?P<who>[^;:]{2,120}?) (?:is|was|falls) (?P<when>(?:in|on) [^;:]{3,60})",
            lambda match: (f"{match['who']} was born {match['when']}",),
        ),
        (
            rf"(?P<who>[^;:]{{2,120}}?) (?:has|had) a {_SEASON}(?: ?time)? birthday",
            lambda match: (f"{match['who']} was born in the {match['season']}",),
        ),
        (
            rf"(?P<what>[^;:]{{3,200}}?) (?:in|during) the {_SEASON} (?:season|time)",
            lambda match: (f"{match['what']} in the {match['season']}",),
        ),
        (
            (
                r"(?:the )?(?P<event>death|birth) of (?P<who>[^;:]{2,120}?) (?:took place|occurred|happened|was)"
                r" (?P<when>(?:in|on|at) [^;:]{3,60})"
            ),
            lambda match: (f"{match['who']} {_EVENTS[match['event'].lower()]} {match['when']}",),
        ),
        (
            (
                r"(?P<who>[^;:]{2,120}?) (?:started|began) (?:his|her|its|their) career"
                r" (?P<when>(?:in|at|when) [^;:]{2,60})"
            ),
            lambda match: (f"{match['who']} became active {match['when']}",),
        ),
        (
            (
                r"(?P<who>[^;:]{2,120}?) (?:has|had) (?P<more>over|under|more than|less than) an?"
                r" (?P<number>\d{1,3}|one|two|three|four)[ -](?P<unit>hour|minute) (?:run|running)[ -]?time"
            ),
            lambda match: (f"{match['who']} has a run time of {match['more']} {match['number']} {match['unit']}s",),
        ),
        (
            r"(?P<who>[^;:]{2,120}?) runs (?P<value>(?:over|under|more|less) [^;:]{3,40})",
            lambda match: (f"{match['who']} runs for {match['value']}",),
        ),
        (
            (
                r"(?P<what>[^;:]{2,120}? (?:run time|running time|runtime|length)[^;:]{0,80}? (?:is|was)"
                r" [^;:]{2,60}?) long"
            ),
            lambda match: (match["what"],),
        ),
        (
            r"(?P<what>[^;:]{3,200}?) (?P<part>early|late) in (?:the year )?(?P<year>\d{4})",
            lambda match: (f"{match['what']} in {match['part']} {match['year']}",),
        ),
        (
            rf"(?P<who>[^;:]{{2,120}}?) (?P<is>is|are|was) (?P<value>[^;:]{{2,80}}?) in (?P<what>{_SIZES})",
            lambda match: (f"the {match['what']} of {match['who']} {match['is']} {match['value']}",),
        ),
        (
            (
                r"(?P<who>[^;:]{2,120}?) (?P<is>is|was) (?P<value>(?:[a-z]+ ){0,2}(?:\d|one|two|three|four|five|six"
                r"|ten)[^;:]{1,30}?) (?P<how>long|wide|tall|thick|deep)"
            ),
            lambda match: (f"{match['who']} {_has(match)} a {_OF_SIZE[match['how'].lower()]} of {match['value']}",),
        ),
        (
            (
                r"(?P<who>[^;:]{2,120}?) (?P<is>is|was) (?P<how>longer|shorter|wider|taller|thicker|deeper|heavier"
                r"|lighter) than (?P<value>(?:\d|one|two|three|four|five|six|ten)[^;:]{0,60})"
            ),
            lambda match: (
                (
                    f"{match['who']} {_has(match)} a {_OF_SIZE[match['how'].lower()]} of"
                    f" {'less' if match['how'].lower() in _LESS else 'more'} than {match['value']}"
                ),
            ),
        ),
        (
            r"(?P<who>[^;:]{2,120}?) (?:cost|took) (?P<value>[^;:]{2,60}?) to (?:make|produce)",
            lambda match: (f"the budget of {match['who']} is {match['value']}",),
        ),
        (
            r"(?P<who>[^;:]{2,120}?) (?:made|earned|grossed|took in) (?P<value>[^;:]{2,60}?) (?:at|in) the box office",
            lambda match: (f"the box office of {match['who']} is {match['value']}",),
        ),
        (
            r"there (?P<is>is|are|were) (?P<count>[^;:]{2,80}?) (?:working on|on|for|in) (?P<who>[^;:]{2,120})",
            lambda match: (f"{match['who']} {_has(match)} {match['count']}",),
        ),
        (
            (
                rf"(?P<who>[^;:]{{2,120}}?) (?:(?:is|was|has|have)(?: been)? )?{_COUNTED} (?P<count>(?:more|less|fewer"
                rf"|at|over|under|[a-z]+|\d+)[^;:]{{0,40}}? )(?P<thing>{_THINGS})"
            ),
            lambda match: (f"{match['who']} has {match['count']}{match['thing'].removeprefix('record ')}",),
        ),
        (
            (r"(?P<who>[^;:]{2,120}?) (?:is|are|was) known for (?:his|her|their) work as (?P<what>an? [^;:]{2,60})"),
            lambda match: (f"{match['who']} is known as {match['what']}",),
        ),
        (
            (
                r"(?P<who>[^;:]{2,120}?)(?:['’]s?)? (?P<which>first|last) award (?:was|were)"
                r" (?:handed out|given|awarded) (?P<when>(?:in|on) [^;:]{3,40})"
            ),
            lambda match: (f"{match['who']} was {match['which']} awarded {match['when']}",),
        ),
        (
            (
                r"(?P<who>[^;:]{2,120}?) (?:was|were) (?P<which>first|last) (?:handed out|given)"
                r" (?P<when>(?:in|on) [^;:]{3,40})"
            ),
            lambda match: (f"{match['who']} was {match['which']} awarded {match['when']}",),
        ),
        (
            r"(?P<value>[^;:]{2,120}?) is (?:the|an) (?P<what>origin|place of origin) of (?P<who>[^;:]{2,120})",
            lambda match: (f"the {match['what']} of {match['who']} is {match['value']}",),
        ),
        (
            r"(?P<value>[^;:]{2,120}?) is (?P<who>[^;:]{2,120}?)['’]s? (?:official )?(?P<what>website|web site)",
            lambda match: (f"the {match['what']} of {match['who']} is {match['value']}",),
        ),
        (
            (
                r"(?P<who>[^;:]{2,120}?) (?:is|are|was|were) (?:signed )?(?:under|on|with|to) the"
                r" (?P<what>[^;:]{2,60}?) (?:record )?label"
            ),
            lambda match: (f"{match['who']} is signed to {match['what']}",),
        ),
        (
            (
                rf"(?P<who>[^;:]{{2,120}}?) (?P<did>{'|'.join(_DID)}) (?P<what>[^;:]{{2,120}}?)"
                r" (?P<when>(?:in|on) [^;:]{4,40})"
            ),
            lambda match: (
                f"{match['who']} {match['did']} {match['what']}",
                f"{match['what']} was {_DID[match['did'].lower()]} {match['when']}",
            ),
        ),
        (
            (
                r"(?P<what>[^;:]{2,120}? (?:is|was|were) [a-z]+(?:ed|en|rn|lt|de))"
                r" (?P<one>(?:in|on|by|at) [^;:]{2,100}?)"
                r" (?P<two>(?:in|on|by|at) [^;:]{2,100})"
            ),
            lambda match: (f"{match['what']} {match['one']}", f"{match['what']} {match['two']}"),
        ),
    )
)


def supported_by_rewordings(claim: Reading, support: Support) -> Judgement | None:
    """Return that the plain form of a claim is supported, or None.

    Args:
        support: Judges a claim with the same citations; gives a judgement only where it is supported.
    """
    text = claim.text.strip(" .")
    for form, plain in _FORMS:
        match = form.fullmatch(text)
        if match is None:
            continue
        found = [support(one) for one in plain(match)]
        judged = [one for one in found if one is not None]
        if "distinct" in form.pattern and _is_count(judged):
            # So many there are; that they differ nobody says.
            continue
        if len(judged) == len(found) and (len(found) == 1 or not _may_be_apart(judged)):
            return supported_by(*judged)
    return None


def _is_count(found: list[Judgement]) -> bool:
    """Whether what supports a claim is a number of things, and no list of them."""
    fields = [one for judgement in found for one in judgement.statements if isinstance(one, Field)]
    return any(one.names[-1].squashed.startswith(("numberof", "noof")) for one in fields if one.names)


def _may_be_apart(found: list[Judgement]) -> bool:
    """Whether two things said of one event may be of two: a date of one release, and the place of another."""
    fields = [one for judgement in found for one in judgement.statements]
    return any(not isinstance(one, Field) or one.is_list_item for one in fields)
