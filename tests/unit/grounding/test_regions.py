"""Where countries lie: what follows from the country that a record states, and what does not."""

import pytest

from tests.unit.gates.gate_cases import check, records
from veracord.grounding.countries import country_by_code, found_country
from veracord.grounding.told_countries import are_apart


def product(**members):
    return {"productId": "P-1", **members}


def verdict(record, claim):
    return check(records(record), f"{claim} [e1].").verdict


FILM = {
    "title": ["Low Tide"], "Country": ["Sweden"], "Directed by": ["Ada Berg"], "Running time": ["90 minutes"],
    "Starring": ["Di Fenn"], "Language": ["Swedish"],
}  # fmt: skip

CASES = {
    "country by code": (
        product(manufacturingCountry="DE"),
        ["The product was made in Germany", "It was manufactured in Germany", "The manufacturing country is Germany"],
        ["The product was made in France", "It was not made in Germany", "The product comes from Germany",
         "It may be made in Germany", "The lid was made in Germany", "Product P-2 was made in Germany"],
    ),
    "union": (
        product(manufacturingCountry="DE"),
        ["It was made in the EU", "The product was manufactured in an EU member state",
         "It was made in a member state of the European Union", "It was made outside of the United States",
         "The manufacturing country is an EU member state"],
        ["It was not made in the EU", "It was made outside of the EU", "It was made only in the EU",
         "It was made outside Germany", "It will be made in the EU", "It was packed in the EU",
         "It was mostly made in the EU", "It was made in the EU and Asia", "It was made in Eastern Europe",
         "Product P-2 was made in the EU", "The product is an EU member state"],
    ),
    "continent of a place": (
        product(manufacturingPlace="Osaka Works, Seoul, South Korea"),
        ["It was made in Asia", "It was made in an Asian country", "It was made outside of the EU",
         "It was made outside Europe", "It was made in Seoul in South Korea"],
        ["It was made in Europe", "It was made in an African country", "It was made outside of Asia",
         "It was made in South Asia", "It was made in Osaka in Japan", "It was made in the EU"],
    ),
    "countries with codes that are words": (
        product(manufacturingCountry="NO"),
        ["It was made in Norway", "It was made in Europe", "It was made outside of the EU"],
        ["It was not made in Norway", "It was made in the EU", "It was made in no European country"],
    ),
    "land elsewhere": (
        product(manufacturingPlace="Cayenne, France"),
        ["It was made in France", "It was made in a European country"],
        ["It was made in Europe", "It was made in the EU", "It was made outside of Asia"],
    ),
    "land that a record names": (
        product(manufacturingPlace="Nuuk, Greenland, Denmark"),
        [],
        ["It was made in the EU", "It was made in an EU member state", "It was made in Europe"],
    ),
    "country in two continents": (
        product(manufacturingCountry="Turkey"),
        ["It was made outside of the EU", "It was made outside of the United States"],
        ["It was made in Europe", "It was made in Asia", "It was made outside of Europe"],
    ),
    "a state is no country": (
        product(manufacturingPlace="Savannah, Georgia", originPlace="CA"),
        [],
        ["It was made in Asia", "It was made outside of the United States", "It was made in Canada"],
    ),
    "not available is not Namibia": (product(manufacturingCountry="NA"), [], ["It was made in Africa"]),
    "before the accession": (
        product(manufacturingCountry="HR", productionDate="2010-05-01"),
        ["It was made in Europe"],
        ["It was made in the EU", "It was made in an EU member state", "It was made outside of the EU"],
    ),
    "after the accession": (
        product(manufacturingCountry="HR", productionDate="2024-05-01"), ["It was made in the EU"],
        ["It was made outside of the EU"],
    ),
    "a former member": (
        product(manufacturingCountry="GB", productionDate="2024-05-01"), ["It was made in Europe"],
        ["It was made in the EU", "It was made outside of the EU"],
    ),
    "all of a list": (
        product(manufacturingCountry=["DE", "FR"]),
        ["It was made in the EU"],
        ["It was made in Germany", "It was made in the EU and Asia"],
    ),
    "not all of a list": (
        product(manufacturingCountry=["DE", "CN"]),
        ["It was made outside of the United States"],
        ["It was made in the EU", "It was made in Asia", "It was made outside of the EU", "It was made in Germany"],
    ),
    "two countries in a text": (
        product(manufacturingCountry="Germany / China"),
        [],
        ["It was made in the EU", "It was made in Asia", "It was made in Germany", "It was made outside the EU"],
    ),
    "two countries and a comma": (
        product(manufacturingCountry="Germany, China"), [],
        ["It was made in Asia", "It was made outside the EU", "It was made in China"],
    ),
    "a country and another place": (
        product(manufacturingCountry="DE", manufacturingPlace="Shenzhen, China"), [],
        ["It was made in the EU", "It was made in Asia", "It was made in Germany", "It was made in China"],
    ),
    "a country and a place in it": (
        product(manufacturingCountry="DE", manufacturingPlace="Ulm, Germany"),
        ["It was made in the EU", "It was made in Europe"], ["It was made in Asia"],
    ),
    "a doubted country": (
        product(manufacturingCountry="Germany?", manufacturingPlace="near Basel, Switzerland"), [],
        ["It was made in Germany", "It was made in the EU", "It was made in Europe"],
    ),
    "a limited country": (
        product(manufacturingCountry="Germany (until 2020), China"), [],
        ["It was made in Asia", "It was made in the EU"],
    ),
    "of a part": (
        product(manufacturingCountry="DE", charger={"manufacturingCountry": "CN"}),
        ["The product was made in the EU", "The charger was made in Asia"],
        ["The product was made in Asia", "The charger was made in the EU"],
    ),
    "of the maker": (
        product(manufacturer={"name": "Acme", "country": "DE"}, supplierCountry="CN"), [],
        ["The product was made in the EU", "It was made in Asia"],
    ),
    "unverified": (
        product(manufacturingCountry="DE", manufacturingCountryStatus="unverified"), [], ["It was made in the EU"],
    ),
    "origin": (
        product(countryOfOrigin="DE"),
        ["The product comes from the EU", "The product comes from a European country", "It comes from outside the US"],
        ["The product comes from outside the EU", "The product was made in the EU", "It comes from an Asian country"],
    ),
    "birth": (
        {"title": ["Ada Berg"], "Born": ["6 October 1952 (age 66) , Ulm, Germany"]},
        ["Ada Berg was born in Europe", "Ada Berg was born outside of the United States"],
        ["Ada Berg is European", "Ada Berg comes from Europe", "Ada Berg is a European painter",
         "Ada Berg was born in the EU", "Ada Berg died in Europe"],
    ),
    "kinds": (
        FILM,
        ["Low Tide is a Swedish-language film", "Low Tide is a European film"],
        ["Low Tide is a Danish-language film", "Low Tide is an Asian film", "Low Tide is a Nordic film",
         "Low Tide is not a European film"],
    ),
    "kinds of several countries": (
        {**FILM, "Country": ["Sweden", "India"], "Language": ["Swedish", "Hindi"]}, ["Low Tide is a Swedish film"],
        ["Low Tide is a European film", "Low Tide is an Asian film", "Low Tide is a Hindi-language film"],
    ),
    "kinds by code and spelling": (
        {"title": "Fizz", "Type": "Lime-flavoured cola", "Country of origin": "BE"},
        ["Fizz is a Belgian lime flavored cola", "Fizz is a European lime-flavored cola"],
        ["Fizz is a Belgian cola", "Fizz is an Asian lime-flavoured cola", "Fizz is a Belgian lime cola"],
    ),
    "kinds of animals": (
        {"title": "Dart", "Species": "Pony", "Sex": "Male", "Country": "Ireland"},
        ["Dart is an Irish pony", "Dart is a male pony", "Dart was a male Irish pony"],
        ["Dart is a British pony", "Dart is a female pony", "Dart is an Irish horse"],
    ),
    "a kind that is not evidence": (
        {"title": "Fizz", "type": "Soft drink", "typeStatus": "unverified", "Country of origin": "Belgium"}, [],
        ["Fizz is a Belgian soft drink"],
    ),
}  # fmt: skip
HOLDS = [(name, claim) for name, case in CASES.items() for claim in case[1]]
HOLDS_NOT = [(name, claim) for name, case in CASES.items() for claim in case[2]]


@pytest.mark.parametrize(("name", "claim"), HOLDS)
def test_what_lies_there_is_supported(name, claim):
    assert verdict(CASES[name][0], claim) == "supported"


@pytest.mark.parametrize(("name", "claim"), HOLDS_NOT)
def test_what_may_lie_elsewhere_is_not_supported(name, claim):
    assert verdict(CASES[name][0], claim) in ("unsupported", "undecided")


def test_another_source_that_names_another_country_keeps_a_region_from_passing():
    evidence = records(product(manufacturingCountry="DE"), product(manufacturingCountry="CN"))
    assert check(evidence, "The product was made in the EU [e1].").verdict != "supported"


def test_a_code_is_a_country_and_a_word_for_nothing_is_none():
    assert country_by_code("DE") is country_by_code("DEU") is found_country("Ulm, Germany")
    assert country_by_code("NA") is None
    assert country_by_code("-") is None


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("Germany", "Germany", False), ("Germany", "West Germany", None), ("Germany", "France", True),
        ("England", "Scotland", True), ("England", "United Kingdom", None), ("China", "Taiwan", None),
        ("Ireland", "Northern Ireland", None),
    ],
)  # fmt: skip
def test_what_may_be_one_country_is_not_said_to_be_two(one, two, expected):
    assert are_apart(found_country(one), found_country(two)) is expected
