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
from veracord.grounding.relations import relations_of
from veracord.grounding.substitution import fields_asked, stating, supported_by
from veracord.grounding.support import Judgement
from veracord.grounding.told_countries import are_apart, only_country, told_country

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
#: What a record says of a former member may be of the time before it left.
_FORMER: Final = frozenset({"GB"})


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
    """Yield a field and those beside it that tell the same: values, rows, and the country beside the place."""
    relations = set(relations_of(field.names[-1]))
    above, own = _names_above(field), field.names[-1].squashed
    for other in pack.items[field.evidence_id].fields:
        if not other.names or _names_above(other) != above:
            continue
        is_like = bool(relations.intersection(relations_of(other.names[-1]))) and told_country(other) is not None
        if is_like or other.names[-1].squashed == own:
            yield other


def _names_above(field: Field) -> list[str]:
    return [name.squashed for name in field.names[:-1]]


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
    """Whether a country is a member of the Union; None where the record may tell of a time when that was otherwise."""
    if country.code is None or country.code in _FORMER:
        return None
    if country.union_since is None:
        return False
    years = [
        year
        for other in pack.items[field.evidence_id].fields
        if other.unit is None and not other.is_code
        for year in years_of_value(other.value)
    ]
    if not all(year > country.union_since for year in years):
        return None
    return True


def _names_far_land(value: str) -> bool:
    return any(squash(part) in _FAR_LANDS for part in value.split(","))
