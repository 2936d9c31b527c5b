"""The country that a field of a record tells: by its name at the end of a place, or by its code."""

import re
from typing import Final

from veracord.gates.statements import Field
from veracord.grounding.countries import NAMES, Country, country_by_code, found_country
from veracord.grounding.part_values import parts_of_value

_BRACKETED: Final = re.compile(r"\([^()]*\)")
_SEPARATORS: Final = re.compile(r"[,;/&|()\n]| (?:and|or|und|oder) |\s[-–]\s|\s\s")
_SEVERAL: Final = re.compile(
    r"[;/&|()\n]|\b(?:and|or|und|oder|then|now|formerly|via|plus|partly|near|close|off|around|border|bei|nahe)\b",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(r"[,;\n]")
#: How the name of a place is written.
PLACE_NAME: Final = re.compile(
    r"(?:[A-Z][\w.'’]*|\d{4,5})(?:[ -](?:[A-Z][\w.'’]*|\d{1,5}|am|an|der|upon|on|of|de|la|le|sur|im|in|the))*"
)
_DOUBTED: Final = re.compile(r"[?~≈<>*\[\]]")
#: A code is a country's only where the field says that it is: "CA" of a place is California.
_OF_COUNTRIES: Final = frozenset({"country", "nation", "herkunftsland", "herstellungsland", "ursprungsland"})
#: Of each of these pairs some say that one is a part of the other, that a place of one is the other's, or was.
_CLOSE: Final = (
    frozenset({"china", "taiwan"}),
    frozenset({"ireland", "northernireland"}),
    frozenset({"unitedkingdom", "northernireland"}),
    frozenset({"germany", "westgermany"}),
    frozenset({"germany", "eastgermany"}),
)
#: The only one here with parts that are countries, too.
_WHOLE: Final = "unitedkingdom"


def told_country(field: Field) -> tuple[str, Country] | None:
    """Return the country that a field tells, with the words of the record for it, or None."""
    value = field.value.strip()
    if field.kind != "text" or not field.names or _DOUBTED.search(value) is not None:
        return None
    stems = field.names[-1].stems
    if value.isupper() and not _OF_COUNTRIES.isdisjoint((*stems, field.names[-1].squashed)):
        coded = country_by_code(value)
        if coded is not None:
            return value, coded
    is_unclear = _is_list(value) or ("," in value and field.about is None and not ends_in_country(value))
    for part in (*reversed(parts_of_value(field.value)), value) if not is_unclear else ():
        country = found_country(part) if "," not in part else None
        if country is not None:
            return part, country
    return None


def ends_in_country(value: str) -> bool:
    """Whether a text is places from the small to the large, up to a country: "Ulm, Germany"."""
    pieces = [piece.strip(" .") for piece in value.split(",")]
    if len(pieces) < 2 or _is_list(value) or found_country(pieces[-1]) is None:  # noqa: PLR2004 - a town, its country
        return False
    # "Assembled Italy, Germany" are two.
    inside = [piece for piece in pieces[:-1] if found_country(piece) is None]
    return all(PLACE_NAME.fullmatch(piece) and not any(name in piece for name in NAMES) for piece in inside)


def _is_list(value: str) -> bool:
    """Whether the countries of a text stand side by side: "France, Germany", and not "Athens, Georgia, U.S."."""
    found = [found_country(piece.strip(" .")) for piece in _LISTED.split(value)]
    first = next((at for at, one in enumerate(found) if one is not None), len(found))
    countries = [one for one in found[first:] if one is not None]
    is_one = first > 0 and len(countries) == len(found) - first
    return not is_one and any(are_apart(one, two) for one in countries for two in countries)


def only_country(field: Field) -> tuple[str, Country] | None:
    """Return the country that a field ends with, if it is one place in that country and names no other, or None."""
    told = told_country(field)
    plain = _BRACKETED.sub(_without_date, field.value).strip()
    if told is None or not plain.endswith(told[0]):
        return None
    rest = plain.removesuffix(told[0])
    is_one = _SEVERAL.search(rest) is None and all(
        are_apart(other, told[1]) is False or other.code == told[1].code for other in countries_in(field.value)
    )
    return told if is_one else None


def _without_date(match: re.Match[str]) -> str:
    """Return nothing for what dates a place, "(in 1950)", and else what stands there."""
    return " " if any(c.isdigit() for c in match[0]) else match[0]


def countries_in(value: str) -> list[Country]:
    """Return the countries that the parts of a text are, each as often as it stands there."""
    found = (found_country(part) for part in (value, *_SEPARATORS.split(value)))
    return [country for country in dict.fromkeys(found) if country is not None]


def are_apart(one: Country, two: Country) -> bool | None:
    """Whether two countries are two; None where they may be one: England and the United Kingdom."""
    if one is two:
        return False
    if {one.name, two.name} in _CLOSE:
        return None
    is_whole_beside_part = one.code == two.code and _WHOLE in (one.name, two.name)
    return None if is_whole_beside_part else True
