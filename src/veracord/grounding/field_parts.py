"""Which pieces of a text may stand for the value of its field: dates, and places from the small to the large.

A text with commas is told whole or not at all; what a comma parts may be a list, a name ("Acme, Inc.") or a head and
its tails ("wool, silk excluded"), and nobody can tell which.  Only where the name of the field says that the text is
where and when something was, a claim may leave the small out in front, or the large behind: "Born: 4 May 1998, Ulm,
Germany".  What says what a town is called has no larger place for its value: of "Paris, Texas" the city is not Texas.
"""

import re
from typing import Final

from veracord.gates.mentions import mentions_of
from veracord.gates.statements import Field
from veracord.grounding.bracketed import tells_when, without_remarks
from veracord.grounding.part_values import parts_of_value
from veracord.grounding.told_countries import PLACE_NAME, ends_in_country
from veracord.language.comparing import compare_dates
from veracord.language.dates import DateMention

#: Names of when and where something was.
_EVENTS: Final = frozenset(
    "born birth birthplace birthdate placeofbirth dateofbirth died death deathplace placeofdeath dateofdeath buried"
    " restingplace baptised released release releasedate recorded founded established formed opened closed"
    " residence premiered premiere foaled introduced founding foundation".split()
)
#: Names of places, and of dates, that a product has, too: there only what ends in a country is read as a place.
_PLACES: Final = frozenset(
    "origin placeoforigin location located venue date madein placeofmanufacture manufacturingplace placeofproduction"
    " headquarters productionplace manufacturinglocation productionlocation".split()
)
_TOWNS: Final = frozenset("capital city town largestcity hometown municipality village".split())
#: Fields of persons whose values have a year behind them: "Copley Medal (1795)", "Bo Ek (m. 1975)".
_DATED: Final = frozenset("award awards spouse spouses".split())
_YEAR: Final = re.compile(r"[12]\d{3}")
_WITH_YEAR: Final = re.compile(r"[^(),;\n]{3,80}\(\s{0,4}(?:m\.)?\s{0,4}[12]\d{3}[^()]*\)\s*")


def parts_of_field(field: Field) -> tuple[str, ...]:
    """Return the pieces of a text that a claim may give for the value of its field."""
    if not field.names or field.kind != "text" or field.is_code:
        return ()
    name, is_known = field.names[-1], field.about is not None
    parts = parts_of_value(field.value, is_dated=tells_when(name))
    if name.squashed in _TOWNS:
        return parts[:1] if field.value.startswith(parts[:1]) else ()
    if is_known and name.squashed in _DATED:
        return parts if _WITH_YEAR.fullmatch(field.value) else ()
    if "country" in name.stems or "country" in name.squashed:
        return parts[-1:] if ends_in_country(field.value) else ()
    is_place = name.squashed in _PLACES and (is_known or ends_in_country(field.value))
    is_event = name.squashed in _EVENTS and (
        is_known or all(mentions_of(one) or PLACE_NAME.fullmatch(one) for one in parts)
    )
    if not is_place and not is_event:
        # Where all that stands behind it says the same again: "World Tide Office (WTO)".
        is_head = field.value.endswith(")") and parts[:1] == (without_remarks(field.value),)
        return parts[:1] if is_head else ()
    is_dated = _tells_one_date(field.value)
    return tuple(part for part in parts if is_dated or not mentions_of(part))


def _tells_one_date(value: str) -> bool:
    """Whether all dates that a text tells are one, however often and in whatever forms it tells it."""
    told = mentions_of(value)
    dates = [mention.value for mention in told if isinstance(mention.value, DateMention)]
    years = {mention.text for mention in told if mention.kind == "quantity" and _YEAR.fullmatch(mention.text)}
    if not dates:
        return len(years) < 2  # noqa: PLR2004 - two years are two dates
    return not years and all(compare_dates(dates[0], one).holds for one in dates)
