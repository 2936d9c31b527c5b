"""Events that an item of a list dates: what was received in the year in brackets behind it, and weddings.

"Blue Star (1999)" among awards dates "Ada Berg received the Blue Star", and "Bo Ek ( m. 1975)" among spouses her
wedding.  Of several weddings only one whose partner is named is meant.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.packs import PackView
from veracord.grounding.substitution import Stated, fields_asked, stating, values_beside
from veracord.grounding.time_spans import TimeSpan

_ITEM: Final = re.compile(r"(?P<item>[^()]{3,80}?)\s*\(\s*(?P<year>[12]\d{3})\s*\)\s*")
_WEDDING: Final = re.compile(
    r"(?P<who>[^,;:]{2,120}?) (?:(?:got|was) )?married(?:(?: to)? (?P<whom>(?!to )[^,;:]{3,80}))?", re.IGNORECASE
)
_SPOUSE: Final = re.compile(r"(?P<whom>[^()]{3,80}?)[\s,]{0,4}\(\s{0,4}m\.\s{0,4}(?P<year>[12]\d{3})[^()]*\)\s*")
_SPOUSES: Final = ("spouse", "spouses")


def dated_items(event: str, claim: Reading, pack: PackView) -> Iterator[tuple[Stated, TimeSpan]]:
    """Yield the items that an event names with the year behind them, where the plain claim with that year passes."""
    for field in fields_asked(claim, event, pack):
        if field.kind != "text":
            continue
        found = [(value, match) for value in values_beside(field, pack) if (match := _ITEM.fullmatch(value.value))]
        named = [(value, match) for value, match in found if match["item"].strip().casefold() in event.casefold()]
        if len(named) != 1:
            continue
        value, match = named[0]
        stated = stating(claim, [f"{event} in {match['year']}"], value, pack)
        if stated is not None:
            yield stated, _year(match["year"])


def weddings(event: str, claim: Reading, pack: PackView) -> Iterator[tuple[Stated, TimeSpan]]:
    """Yield the wedding that an event is, with its year: "Ada Berg got married", of one spouse or the one named."""
    said = _WEDDING.fullmatch(event)
    if said is None:
        return
    for field in fields_asked(claim, f"{said['who']} has spouses", pack):
        if field.names[-1].squashed not in _SPOUSES:
            continue
        values = list(values_beside(field, pack))
        if not said["whom"] and len(values) != 1:
            continue
        for value in values:
            match = _SPOUSE.fullmatch(value.value)
            if match is not None and _is_whom(said["whom"], match):
                text = f"{said['who']} was married to {match['whom'].strip()}"
                stated = _stated(claim, text, value, pack)
                if stated is not None:
                    yield stated, _year(match["year"])


def _stated(claim: Reading, text: str, value: Field, pack: PackView) -> Stated | None:
    return stating(claim, [text, text.replace(" was married to ", " is married to ")], value, pack)


def _is_whom(whom: str | None, match: re.Match[str]) -> bool:
    return whom is None or whom.strip().casefold() == match["whom"].strip().casefold()


def _year(year: str) -> TimeSpan:
    return TimeSpan((int(year), 1, 1), (int(year), 12, 31))
