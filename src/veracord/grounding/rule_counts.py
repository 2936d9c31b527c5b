"""Rule `counts`: how many there are, said with another verb than "has", or of a field that counts them.

Supported: "The product has 18 cells" of ``{"numberOfCells": 18}``, "There are 18 cells in it", "Orvo was released on
more than one record label" where the record lists two labels.  Not: "19 cells", "18 different cells", as cells may be
alike, or "18 cells in the lid".
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field, Statement
from veracord.grounding.packs import PackView
from veracord.grounding.rule_kinds import Support
from veracord.grounding.substitution import values_beside
from veracord.grounding.support import Judgement

_BOUND: Final = r"(?:(?:more|less|fewer) than |at least |over |under )?"
_COUNT: Final = rf"(?P<count>{_BOUND}(?:\d{{1,6}}|[a-z]{{3,9}}))"
#: Said of labels and genres, which a list tells apart.
_LISTED: Final = r"(?: (?:different|separate|distinct))?"
#: Each of these is one of a kind, so that to call them different says no more.
_EACH_ITS_OWN: Final = re.compile(
    r"(?:[a-z]+ )?(?:events|languages|colou?rs|countries|versions|models|suppliers|sites|materials|substances|modes"
    r"|variants|brands|editions|genres|formats|categories)",
    re.IGNORECASE,
)
_ON_LABELS: Final = re.compile(
    r"(?P<who>[^;:]{2,120}?) (?:is|was|are|were|has|have|had|has been|have been|had been) (?:on|released"
    rf" (?:on|by|through|under|with)|signed (?:to|with|by)) {_COUNT}{_LISTED} (?:(?:record|music) )?labels?",
    re.IGNORECASE,
)
_MUSIC_FOR: Final = re.compile(
    rf"(?P<who>[^;:]{{2,120}}?) (?:(?:has|have|had) )?(?:made|recorded|released) music (?:for|on|with) {_COUNT}"
    rf"{_LISTED} (?:(?:record|music) )?labels?",
    re.IGNORECASE,
)
_OF_GENRES: Final = re.compile(
    r"(?P<who>[^;:]{2,120}?)(?:['’]s? music)? (?:belongs? to|(?:has|have) been"
    rf" (?:characteri[sz]ed|described|classified) as belonging to) {_COUNT}{_LISTED} (?:music(?:al)? )?genres?",
    re.IGNORECASE,
)
_THERE: Final = re.compile(
    rf"there (?:is|are|(?P<past>were)) {_COUNT} (?P<things>[a-z][a-z ]{{2,40}}?) (?:in|on|of|for)"
    r" (?P<who>[^,;:]{1,120})",
    re.IGNORECASE,
)
_HAS: Final = re.compile(
    r"(?P<who>[^;:]{2,120}?) (?:has|have|(?P<past>had)|contains|consists of|comprises|includes) "
    rf"{_COUNT} (?P<things>[a-z][a-z ]{{2,40}})",
    re.IGNORECASE,
)
#: A number, and that what it counts is not all alike.
_DIFFERENT: Final = re.compile(
    r"(?P<what>[^;:]{2,120}? (?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)) (?:different|separate|distinct)"
    r" (?P<things>[a-z][^;:]{2,60})",
    re.IGNORECASE,
)


def supported_by_counts(claim: Reading, pack: PackView, support: Support) -> Judgement | None:
    """Return that a record counts or lists as many as a claim says, or None.

    Args:
        support: Judges a claim with the same citations; gives a judgement only where it is supported.
    """
    text = claim.text.strip(" .")
    if any(key == "not" for key, _ in claim.shape.cues):
        return None
    match = _DIFFERENT.fullmatch(text)
    if match is None:
        return next(filter(None, map(support, _plain(text))), None)
    found = support(f"{match['what']} {match['things']}")
    is_sure = _EACH_ITS_OWN.fullmatch(match["things"]) is not None
    return found if found is not None and (is_sure or all(_differ(one, pack) for one in found.statements)) else None


def _plain(text: str) -> Iterator[str]:
    """Yield how the count is said plainly: "Orvo has two labels", "the number of cells of P is 18"."""
    for form, listed in ((_ON_LABELS, "label"), (_MUSIC_FOR, "label"), (_OF_GENRES, "genre")):
        match = form.fullmatch(text)
        if match is not None:
            yield f"{match['who']} has {match['count']} {listed}{'' if match['count'].endswith(' one') else 's'}"
            return
    match = _THERE.fullmatch(text)
    if match is not None:
        yield f"{match['who']} {'had' if match['past'] else 'has'} {match['count']} {match['things']}"
    match = match or _HAS.fullmatch(text)
    if match is not None:
        is_form = "was" if match["past"] else "is"
        yield f"the number of {match['things']} of {match['who']} {is_form} {match['count']}"
        yield f"the no. of {match['things']} of {match['who']} {is_form} {match['count']}"


def _differ(statement: Statement, pack: PackView) -> bool:
    """Whether a statement is of a list, and no two of its values are alike."""
    if not isinstance(statement, Field) or not statement.is_list_item:
        return False
    values = [one.value.strip().casefold() for one in values_beside(statement, pack)]
    return len(set(values)) == len(values)
