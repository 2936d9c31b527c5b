"""Rule `regions`: a country lies in a continent, is a member of the European Union, or lies outside of either.

Supported: "The battery was made in the EU" of the country of manufacture DE, "It comes from an Asian country" of the
origin "Seoul, South Korea", "It was made outside of the United States" of Germany.  Not: the same of a country that
lies in two continents, of one with land elsewhere where the record names a place in it ("Honolulu, U.S."), of a list
of countries that are not all there, and of the Union where the record tells of a time before the country joined it.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.countries import NAMES, Country, found_country
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.part_values import years_of_value
from veracord.grounding.substitution import fields_asked, stating, supported_by
from veracord.grounding.support import Judgement
from veracord.grounding.told_countries import are_apart, only_country

_CONTINENTS: Final = r"Europe|Asia|Africa|North America|South America|Oceania"
_UNION: Final = r"EU|European Union"
_OF_CONTINENTS: Final = {
    "european": "europe", "asian": "asia", "african": "africa", "northamerican": "northamerica",
    "southamerican": "southamerica",
}  # fmt: skip
_MEMBER: Final = r"(?:member state|member country|member|country|state)"
#: The place of a claim, with the word that puts the thing there.
_PLACED: Final = re.compile(
    r"\b(?P<how>in|within|inside|inside of|from|is|from outside|from outside of|outside|outside of) "
    r"(?:(?P<land>an? (?:(?P<adjective>European|Asian|African|North American|South American) (?:country|nation)"
    rf"|(?P<member>EU|European Union) {_MEMBER}|{_MEMBER} of the (?P<union>{_UNION})"
    rf"|(?:country|nation) in (?P<within>{_CONTINENTS})))"
    rf"|(?P<place>{_CONTINENTS}|the (?:{_UNION}))|(?:the )?(?P<country>"
    + "|".join(re.escape(name) for name in NAMES)
    + r"))(?![\w-]|\.\w| (?:and|or) )"
)
#: Lands of a country that are on other continents, or that the Union does not hold.
_FAR_LANDS: Final = frozenset(
    "greenland faroeislands faeroeislands aruba curacao curaçao sintmaarten bonaire saba sinteustatius newcaledonia"
    " frenchpolynesia martinique guadeloupe reunion réunion mayotte frenchguiana saintpierreandmiquelon wallisandfutuna"
    " saintbarthelemy saintmartin canaryislands ceuta melilla madeira azores svalbard janmayen hawaii guam puertorico"
    " americansamoa northernmarianaislands easterisland galapagos galapagosislands bermuda gibraltar falklandislands"
    " cocosislands christmasisland lampedusa".split()
)
_COUNTRY: Final = re.compile(r"\b(?:country|nation)\b", re.IGNORECASE)
_MOST: Final = 3
#: Since the end of that year the United Kingdom is no member of the Union, and in no transition.
_LEFT: Final = 2020


def supported_by_regions(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that a record names a country that lies where a claim says, or None."""
    for placed in list(_PLACED.finditer(claim.text))[:_MOST]:
        how = placed["how"]
        if placed["country"] is not None and "outside" not in how:
            # That is rule `countries`.
            continue
        before, after = claim.text[: placed.start()], claim.text[placed.end() :]
        joint = "from" if how.startswith("from") else "is" if how == "is" else "in"
        if how == "is" and (placed["land"] is None or _COUNTRY.search(before) is None):
            continue
        for field in fields_asked(claim, f"{before} {joint} {after}", pack):
            told = only_country(field)
            if told is None or not all(_lies_so(placed, one, pack) for one in _of_that_name(field, pack)):
                continue
            stated = stating(claim, [f"{before}{joint} {told[0]}{after}"], field, pack)
            if stated is not None:
                return supported_by(stated.judgement)
    return None


def _of_that_name(field: Field, pack: PackView) -> Iterator[Field]:
    """Yield a field, and all of its record that have the same names: other values, and those of other rows."""
    names = [name.squashed for name in field.names]
    for other in pack.items[field.evidence_id].fields:
        if other is field or [name.squashed for name in other.names] == names:
            yield other


def _lies_so(placed: re.Match[str], field: Field, pack: PackView) -> bool:
    """Whether the country of a field lies where a claim says, or outside of it, if the claim says so."""
    told = only_country(field)
    if told is None or _names_far_land(field.value):
        return False
    words, country = told
    is_outside = "outside" in placed["how"]
    if placed["country"] is not None:
        named = found_country(placed["country"])
        return named is not None and are_apart(named, country) is True
    is_country = placed["land"] is not None
    if country.has_far_land and not is_country and words != field.value.strip():
        return False
    if placed["member"] or placed["union"] or squash(placed["place"] or "") in ("theeu", "theeuropeanunion"):
        is_inside = _is_member(country, field, pack)
    else:
        continent = placed["adjective"] and _OF_CONTINENTS[squash(placed["adjective"])]
        is_inside = _is_on(country, continent or squash(placed["within"] or placed["place"]))
    return is_inside is not None and is_inside != is_outside


def _is_on(country: Country, continent: str) -> bool | None:
    return country.continent == continent if country.continent is not None else None


def _is_member(country: Country, field: Field, pack: PackView) -> bool | None:
    """Whether a country is a member of the Union; None where the record may tell of a time when it was not, or was."""
    since = _LEFT if country.code == "GB" else country.union_since
    if country.code is None or since is None:
        return False if country.code is not None else None
    years = [
        year
        for other in pack.items[field.evidence_id].fields
        if other.unit is None and not other.is_code
        for year in years_of_value(other.value)
    ]
    if not all(year > since for year in years):
        return None
    return country.code != "GB" if years or country.code != "GB" else None


def _names_far_land(value: str) -> bool:
    return any(squash(part) in _FAR_LANDS for part in value.split(","))
