"""Countries, the other names that they go by, and the adjectives for what comes from them.

A closed list.  A part of a country that has an adjective of its own (England) stands with the adjective of the whole.
"""

from functools import lru_cache
from typing import Final

from veracord.grounding.names import squash

_ROWS: Final = """
United States;USA;U.S.;US;U.S.A.;United States of America | American;US;U.S.
United Kingdom;UK;U.K.;Great Britain;Britain | British;UK
England | English;British
Scotland | Scottish;British
Wales | Welsh;British
Northern Ireland | Northern Irish;British
Ireland;Republic of Ireland | Irish
Canada | Canadian
Australia | Australian
New Zealand | New Zealand
Germany;West Germany | German
Austria | Austrian
Switzerland | Swiss
France | French
Belgium | Belgian
Netherlands;The Netherlands | Dutch
Luxembourg | Luxembourgish
Italy | Italian
Spain | Spanish
Portugal | Portuguese
Denmark | Danish
Sweden | Swedish
Norway | Norwegian
Finland | Finnish
Iceland | Icelandic
Poland | Polish
Czech Republic;Czechia | Czech
Slovakia | Slovak;Slovakian
Slovenia | Slovenian;Slovene
Hungary | Hungarian
Romania | Romanian
Bulgaria | Bulgarian
Greece | Greek
Turkey;Türkiye | Turkish
Russia;Russian Federation | Russian
Ukraine | Ukrainian
Estonia | Estonian
Latvia | Latvian
Lithuania | Lithuanian
Croatia | Croatian
Serbia | Serbian
Israel | Israeli
Egypt | Egyptian
Morocco | Moroccan
South Africa | South African
Nigeria | Nigerian
Kenya | Kenyan
Zambia | Zambian
India | Indian
Pakistan | Pakistani
China;People's Republic of China | Chinese
Taiwan | Taiwanese
Japan | Japanese
South Korea;Republic of Korea | South Korean;Korean
Vietnam | Vietnamese
Thailand | Thai
Malaysia | Malaysian
Indonesia | Indonesian
Philippines | Filipino;Philippine
Mexico | Mexican
Brazil | Brazilian
Argentina | Argentine;Argentinian
Chile | Chilean
Colombia | Colombian
Peru | Peruvian
Venezuela | Venezuelan
Cuba | Cuban
Jamaica | Jamaican
""".strip().split("\n")

#: All names of countries as they are written, the longest first.
NAMES: Final = tuple(
    sorted((name.strip() for row in _ROWS for name in row.split("|")[0].split(";")), key=len, reverse=True)
)


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[str, frozenset[str]]]:
    table = {}
    for row in _ROWS:
        names, adjectives = (part.split(";") for part in row.split("|"))
        entry = squash(names[0]), frozenset(squash(adjective) for adjective in adjectives)
        table.update(dict.fromkeys(map(squash, names), entry))
    return table


def country_of(place: str) -> str | None:
    """Return the country that a place ends with, in one spelling: of "Ulm, Germany"; None where the list has none."""
    entry = _table().get(squash(place.rpartition(",")[2]))
    return entry[0] if entry is not None else None


def adjectives_of(place: str) -> frozenset[str]:
    """Return the adjectives for what comes from a place that ends with a country, squashed."""
    entry = _table().get(squash(place.rpartition(",")[2]))
    return entry[1] if entry is not None else frozenset()
