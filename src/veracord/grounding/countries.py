"""Countries, the other names that they go by, their continents, and the adjectives for what comes from them.

A closed list, after ISO 3166 (codes), UN M49 (continents; a country that lies in two has none here, and North America
holds Central America and the Caribbean) and the treaties of the European Union (its 27 member states as of February
2020, with the year of accession).  A part of a country that has an adjective of its own (England) stands with the
adjective of the whole.  A former country is not the one of today: what is from one is not said to be from the other.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from veracord.grounding.names import squash

#: Codes, the letter of the continent, the year of accession (or that of the Union itself), "|", names, "|", adjectives.
#: A "+" behind the letter: the country has land on another continent or outside of the Union, too.
_ROWS: Final = """
US USA n+ | United States;USA;U.S.;US;U.S.A.;United States of America | American;US;U.S.
GB GBR e+ | United Kingdom;UK;U.K.;Great Britain;Britain | British;UK
GB GBR e | England | English;British
GB GBR e | Scotland | Scottish;British
GB GBR e | Wales | Welsh;British
- - e | Northern Ireland | Northern Irish;British
IE IRL e 1993 | Ireland;Republic of Ireland | Irish
CA CAN n | Canada | Canadian
AU AUS o+ | Australia | Australian
NZ NZL o | New Zealand | New Zealand
DE DEU e 1993 | Germany | German
- - e | West Germany | West German
- - e | East Germany | East German
AT AUT e 1995 | Austria | Austrian
CH CHE e | Switzerland | Swiss
FR FRA e+ 1993 | France | French
BE BEL e 1993 | Belgium | Belgian
NL NLD e+ 1993 | Netherlands;The Netherlands | Dutch
LU LUX e 1993 | Luxembourg | Luxembourgish
IT ITA e+ 1993 | Italy | Italian
ES ESP e+ 1993 | Spain | Spanish
PT PRT e+ 1993 | Portugal | Portuguese
DK DNK e+ 1993 | Denmark | Danish
SE SWE e 1995 | Sweden | Swedish
NO NOR e+ | Norway | Norwegian
FI FIN e 1995 | Finland | Finnish
IS ISL e | Iceland | Icelandic
PL POL e 2004 | Poland | Polish
CZ CZE e 2004 | Czech Republic;Czechia | Czech
SK SVK e 2004 | Slovakia | Slovak;Slovakian
SI SVN e 2004 | Slovenia | Slovenian;Slovene
HU HUN e 2004 | Hungary | Hungarian
RO ROU e 2007 | Romania | Romanian
BG BGR e 2007 | Bulgaria | Bulgarian
GR GRC e+ 1993 | Greece | Greek
TR TUR - | Turkey;Türkiye | Turkish
RU RUS - | Russia;Russian Federation | Russian
UA UKR e | Ukraine | Ukrainian
EE EST e 2004 | Estonia | Estonian
LV LVA e 2004 | Latvia | Latvian
LT LTU e 2004 | Lithuania | Lithuanian
HR HRV e 2013 | Croatia | Croatian
RS SRB e | Serbia | Serbian
MT MLT e+ 2004 | Malta | Maltese
CY CYP - 2004 | Cyprus | Cypriot
AL ALB e | Albania | Albanian
AD AND e | Andorra | Andorran
BY BLR e | Belarus | Belarusian
BA BIH e | Bosnia and Herzegovina | Bosnian
LI LIE e | Liechtenstein | Liechtenstein
MD MDA e | Moldova | Moldovan
MC MCO e | Monaco | Monegasque
ME MNE e | Montenegro | Montenegrin
MK MKD e | North Macedonia | Macedonian
SM SMR e | San Marino | Sammarinese
IL ISR a | Israel | Israeli
EG EGY - | Egypt | Egyptian
MA MAR f | Morocco | Moroccan
ZA ZAF f+ | South Africa | South African
NG NGA f | Nigeria | Nigerian
KE KEN f | Kenya | Kenyan
ZM ZMB f | Zambia | Zambian
DZ DZA f | Algeria | Algerian
AO AGO f | Angola | Angolan
BJ BEN f | Benin | Beninese
BW BWA f | Botswana | Botswanan
BF BFA f | Burkina Faso | Burkinabe
BI BDI f | Burundi | Burundian
CM CMR f | Cameroon | Cameroonian
CV CPV f | Cape Verde;Cabo Verde | Cape Verdean
CF CAF f | Central African Republic | Central African
TD TCD f | Chad | Chadian
KM COM f | Comoros | Comorian
CD COD f | Democratic Republic of the Congo | Congolese
CG COG f | Republic of the Congo | Congolese
CI CIV f | Ivory Coast;Côte d'Ivoire | Ivorian
DJ DJI f | Djibouti | Djiboutian
GQ GNQ f | Equatorial Guinea | Equatorial Guinean
ER ERI f | Eritrea | Eritrean
SZ SWZ f | Eswatini;Swaziland | Swazi
ET ETH f | Ethiopia | Ethiopian
GA GAB f | Gabon | Gabonese
GM GMB f | Gambia;The Gambia | Gambian
GH GHA f | Ghana | Ghanaian
GN GIN f | Guinea | Guinean
GW GNB f | Guinea-Bissau | Bissau-Guinean
LS LSO f | Lesotho | Basotho
LR LBR f | Liberia | Liberian
LY LBY f | Libya | Libyan
MG MDG f | Madagascar | Malagasy
MW MWI f | Malawi | Malawian
ML MLI f | Mali | Malian
MR MRT f | Mauritania | Mauritanian
MU MUS f | Mauritius | Mauritian
MZ MOZ f | Mozambique | Mozambican
NA NAM f | Namibia | Namibian
NE NER f | Niger | Nigerien
RW RWA f | Rwanda | Rwandan
ST STP f | São Tomé and Príncipe | São Toméan
SN SEN f | Senegal | Senegalese
SC SYC f | Seychelles | Seychellois
SL SLE f | Sierra Leone | Sierra Leonean
SO SOM f | Somalia | Somali
SS SSD f | South Sudan | South Sudanese
SD SDN f | Sudan | Sudanese
TZ TZA f | Tanzania | Tanzanian
TG TGO f | Togo | Togolese
TN TUN f | Tunisia | Tunisian
UG UGA f | Uganda | Ugandan
ZW ZWE f | Zimbabwe | Zimbabwean
IN IND a | India | Indian
PK PAK a | Pakistan | Pakistani
CN CHN a | China;People's Republic of China | Chinese
TW TWN a | Taiwan | Taiwanese
JP JPN a+ | Japan | Japanese
KR KOR a | South Korea;Republic of Korea | South Korean;Korean
KP PRK a | North Korea | North Korean
VN VNM a | Vietnam | Vietnamese
TH THA a | Thailand | Thai
MY MYS a | Malaysia | Malaysian
ID IDN - | Indonesia | Indonesian
PH PHL a | Philippines | Filipino;Philippine
AF AFG a | Afghanistan | Afghan
BH BHR a | Bahrain | Bahraini
BD BGD a | Bangladesh | Bangladeshi
BT BTN a | Bhutan | Bhutanese
BN BRN a | Brunei | Bruneian
KH KHM a | Cambodia | Cambodian
IR IRN a | Iran | Iranian
IQ IRQ a | Iraq | Iraqi
JO JOR a | Jordan | Jordanian
KW KWT a | Kuwait | Kuwaiti
KG KGZ a | Kyrgyzstan | Kyrgyz
LA LAO a | Laos | Laotian
LB LBN a | Lebanon | Lebanese
MV MDV a | Maldives | Maldivian
MN MNG a | Mongolia | Mongolian
MM MMR a | Myanmar;Burma | Burmese
NP NPL a | Nepal | Nepalese;Nepali
OM OMN a | Oman | Omani
QA QAT a | Qatar | Qatari
SA SAU a | Saudi Arabia | Saudi;Saudi Arabian
SG SGP a | Singapore | Singaporean
LK LKA a | Sri Lanka | Sri Lankan
SY SYR a | Syria | Syrian
TJ TJK a | Tajikistan | Tajik
TM TKM a | Turkmenistan | Turkmen
AE ARE a | United Arab Emirates;UAE | Emirati
UZ UZB a | Uzbekistan | Uzbek
YE YEM - | Yemen | Yemeni
KZ KAZ - | Kazakhstan | Kazakh
AZ AZE - | Azerbaijan | Azerbaijani
AM ARM - | Armenia | Armenian
MX MEX n | Mexico | Mexican
BR BRA s | Brazil | Brazilian
AR ARG s | Argentina | Argentine;Argentinian
CL CHL s+ | Chile | Chilean
CO COL s+ | Colombia | Colombian
PE PER s | Peru | Peruvian
VE VEN s+ | Venezuela | Venezuelan
BO BOL s | Bolivia | Bolivian
EC ECU s+ | Ecuador | Ecuadorian
GY GUY s | Guyana | Guyanese
PY PRY s | Paraguay | Paraguayan
SR SUR s | Suriname | Surinamese
UY URY s | Uruguay | Uruguayan
CU CUB n | Cuba | Cuban
JM JAM n | Jamaica | Jamaican
BS BHS n | Bahamas;The Bahamas | Bahamian
BB BRB n | Barbados | Barbadian
BZ BLZ n | Belize | Belizean
CR CRI n | Costa Rica | Costa Rican
DO DOM n | Dominican Republic | Dominican
SV SLV n | El Salvador | Salvadoran
GT GTM n | Guatemala | Guatemalan
HT HTI n | Haiti | Haitian
HN HND n | Honduras | Honduran
NI NIC n | Nicaragua | Nicaraguan
PA PAN - | Panama | Panamanian
TT TTO - | Trinidad and Tobago | Trinidadian
FJ FJI o | Fiji | Fijian
PG PNG o | Papua New Guinea | Papua New Guinean
WS WSM o | Samoa | Samoan
TO TON o | Tonga | Tongan
VU VUT o | Vanuatu | Vanuatuan
""".strip().split("\n")
#: What two countries share, and neither of them is.
_SHARED: Final = {"korea": frozenset({"korean"})}
#: Says "not available" in many records.
_NO_CODE: Final = frozenset({"-", "NA"})
_LETTERS: Final = {
    "e": "europe", "a": "asia", "f": "africa", "n": "northamerica", "s": "southamerica", "o": "oceania",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Country:
    """A country, or a part of one that goes by its own name.

    Attributes:
        name: Its first name, squashed.
        code: Its two letters in ISO 3166; a part of a country has those of the whole, or none.
        continent: The continent, squashed; None where it lies in two.
        has_far_land: Whether it has land on another continent, or outside of the Union that it is a member of.
        union_since: The year since which it is a member of the European Union.
        adjectives: The adjectives for what comes from it, squashed.
    """

    name: str
    code: str | None
    continent: str | None
    has_far_land: bool
    union_since: int | None
    adjectives: frozenset[str]


#: All names of countries as they are written, the longest first.
NAMES: Final = tuple(
    sorted((name.strip() for row in _ROWS for name in row.split("|")[1].split(";")), key=len, reverse=True)
)


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, Country], dict[str, Country]]:
    """Return the countries by their names, squashed, and by their codes."""
    by_name: dict[str, Country] = {}
    by_code: dict[str, Country] = {}
    for row in _ROWS:
        codes, names, adjectives = (part.strip() for part in row.split("|"))
        two, three, letter, *since = codes.split()
        country = Country(
            squash(names.split(";")[0]),
            None if two == "-" else two,
            _LETTERS.get(letter[0]),
            letter.endswith("+"),
            int(since[0]) if since else None,
            frozenset(map(squash, adjectives.split(";"))),
        )
        by_name.update(dict.fromkeys(map(squash, names.split(";")), country))
        by_code.setdefault(two, country)
        by_code.setdefault(three, country)
    return by_name, by_code


def found_country(place: str) -> Country | None:
    """Return the country that a place ends with: of "Ulm, Germany"; None where the list has none."""
    return _table()[0].get(squash(place.rpartition(",")[2]))


def country_by_code(code: str) -> Country | None:
    """Return the country of a code of ISO 3166 in capital letters, "DE" or "DEU", or None."""
    return _table()[1].get(code) if code not in _NO_CODE else None


def adjectives_of(place: str) -> frozenset[str]:
    """Return the adjectives for what comes from a place that ends with a country, squashed."""
    country = found_country(place)
    return country.adjectives if country is not None else _SHARED.get(squash(place), frozenset())
