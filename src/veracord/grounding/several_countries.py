"""What was made in two countries was not made in one of them: "It was made in Germany" of "Germany / China".

Such a record may mean both, or either; a claim is held to say all of them.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.statements import Field
from veracord.grounding.countries import NAMES, Country, found_country
from veracord.grounding.packs import PackView
from veracord.grounding.told_countries import are_apart, countries_in, told_country

_MADE_IN: Final = frozenset(
    "madein countryofmanufacture manufacturingcountry countryofproduction productioncountry placeofmanufacture"
    " countryoforigin origincountry placeofproduction manufacturingplace"
    " productionplace manufacturinglocation productionlocation".split()
)
_NAMED: Final = re.compile(r"(?<![\w.])(?:" + "|".join(re.escape(name) for name in NAMES) + r")(?![\w]|\.\w)")
_WORD: Final = re.compile(r"\w+")


def leaves_out_country(answer: str, field: Field, pack: PackView) -> bool:
    """Whether an answer names some of the countries that a field says the thing was made in, and not all of them."""
    if not field.names or field.names[-1].squashed.removesuffix("s") not in _MADE_IN or field.kind != "text":
        return False
    countries: dict[Country, str] = {}
    for value in _told_beside(field, pack):
        told = told_country(value)
        countries.update({country: country.name for country in countries_in(value.value)})
        if told is not None:
            countries[told[1]] = told[0]
    if not any(are_apart(one, two) for one in countries for two in countries):
        return False
    named = {found_country(match[0]) for match in _NAMED.finditer(answer)}
    told_in = [country in named or _has_code(answer, words) for country, words in countries.items()]
    return any(told_in) and not all(told_in)


def _told_beside(field: Field, pack: PackView) -> Iterator[Field]:
    """Yield all values of a field, and those of the fields beside it that tell where the thing was made, too."""
    above = [name.squashed for name in field.names[:-1]]
    for other in pack.items[field.evidence_id].fields:
        is_beside = other.kind == "text" and [name.squashed for name in other.names[:-1]] == above
        if is_beside and other.names and other.names[-1].squashed.removesuffix("s") in _MADE_IN:
            yield other


def _has_code(answer: str, words: str) -> bool:
    """Whether an answer has the code of a country as the record writes it."""
    return words.isupper() and words in _WORD.findall(answer)
