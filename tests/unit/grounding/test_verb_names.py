"""Fields whose names are verbs, tails of the noun before them, what is told as past, and former countries."""

import pytest

from tests.unit.gates.gate_cases import check, records


def is_supported(content, answer):
    return check(records({"productId": "K-2", **content}), f"{answer} [e1].").verdict == "supported"


@pytest.mark.parametrize(
    ("content", "told", "turned"),
    [
        (
            {"replaces": "K-1"},
            ["K-2 replaces K-1", "It replaces K-1", "The product replaces K-1"],
            [
                "K-1 replaces K-2", "K-1 replaced K-2", "K-1 has replaced K-2", "K-1 is replacing K-2",
                "K-1 replaces it", "K-1 replaces the product", "K-2 is replaced by K-1", "K-2 was replaced with K-1",
                "K-2 is what K-1 replaces", "K-1 is the product that replaces K-2", "It replaces K-2 with K-1",
            ],
        ),
        ({"contains": "zinc"}, ["K-2 contains zinc"], ["Zinc contains K-2", "K-2 is contained in zinc"]),
        ({"supplies": "Orin"}, ["K-2 supplies Orin"], ["Orin supplies K-2", "K-2 is supplied by Orin"]),
        ({"powers": "T-4"}, ["K-2 powers T-4"], ["T-4 powers K-2", "K-2 is powered by T-4", "K-2 is T-4 powered"]),
        ({"hosts": "T-4"}, ["K-2 hosts T-4"], ["T-4 hosts K-2", "K-2 is hosted by T-4", "T-4 is the hosts K-2"]),
        ({"hasPart": "T-4"}, ["K-2 has part T-4"], ["T-4 has part K-2", "K-2 is part of T-4"]),
        (
            {"isPartOf": "K-9"},
            ["K-2 is part of K-9"],
            ["K-9 is part of K-2", "K-9 is a part of K-2", "A part of K-2 is K-9"],
        ),
        ({"basedOn": "K-1"}, ["K-2 is based on K-1"], ["K-1 is based on K-2"]),
        (
            {"suppliedTo": "Orin"},
            ["K-2 is supplied to Orin", "K-2 was supplied to Orin"],
            ["Orin is supplied to K-2", "K-2 supplies to Orin", "K-2 is supplied by Orin", "K-2 supplied to Orin"],
        ),
        ({"replacedBy": "K-3"}, ["K-2 was replaced by K-3"], ["K-3 was replaced by K-2", "K-2 replaced K-3"]),
        (
            {"ersetzt": "K-1"},
            ["K-2 ersetzt K-1"],
            ["K-1 ersetzt K-2", "K-2 ist durch K-1 ersetzt", "K-1 ist das Produkt, das K-2 ersetzt"],
        ),
        (
            {"charger": {"replaces": "C-1"}},
            ["The charger of K-2 replaces C-1"],
            ["C-1 replaces the charger of K-2", "The charger of K-2 was replaced by C-1"],
        ),
        ({"replaces": {"model": "Old"}}, [], ["The model Old replaces K-2"]),
    ],
)  # fmt: skip
def test_a_verb_has_the_product_in_front_and_the_value_behind(content, told, turned):
    assert [answer for answer in told if not is_supported(content, answer)] == []
    assert [answer for answer in turned if is_supported(content, answer)] == []


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ({"cells": "LFP"}, "K-2 has LFP cells"),
        ({"cellsChemistry": "LFP"}, "LFP is the chemistry of the cells of K-2"),
        ({"charger": "black"}, "K-2 has a black charger"),
        ({"batteries": "T-4"}, "T-4 are the batteries of K-2"),
        ({"hersteller": "Acme"}, "Acme ist der Hersteller des Produkts K-2"),
        ({"manufacturer": "Acme"}, "Acme is the manufacturer of the product"),
        ({"test": "2025-01-03"}, "K-2 was tested on 3 January 2025"),
    ],
)
def test_a_noun_may_have_its_value_in_front(content, answer):
    assert is_supported(content, answer)


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ({"material": "felt"}, "K-2 is made of felt from Sweden"),
        ({"supplier": "Orin AB"}, "K-2 is supplied by Orin AB from the EU"),
        ({"supplier": "Orin AB"}, "K-2 is supplied by Orin AB, which is from the EU"),
        ({"importer": "Orin AB"}, "K-2 is imported by Orin AB that is from Sweden"),
        ({"length": "12 cm"}, "K-2 is 12 cm long from Sweden"),
        ({"testDate": "2025-01-03"}, "K-2 was tested in 2025 from Sweden"),
        ({"title": "Low Tide", "Starring": "Gil Hart"}, "Low Tide is a film starring Gil Hart from Sweden"),
        ({"colour": "red"}, "K-2 is red from Europe"),
        ({"type": "hat", "material": "felt"}, "K-2 is a hat made of felt from Sweden"),
    ],
)
def test_a_tail_is_of_the_noun_before_it(content, answer):
    assert not is_supported({**content, "countryOfOrigin": "Sweden"}, answer)


def test_a_tail_behind_what_the_product_is_is_of_the_product():
    content = {"type": "hat", "countryOfOrigin": "Sweden", "material": "felt"}
    for answer in ("K-2 is a hat from Sweden", "K-2 is a hat from the EU", "K-2 is a hat that is made of felt"):
        assert is_supported(content, answer), answer
    assert not is_supported(content, "K-2 is a hat from Norway")


@pytest.mark.parametrize(
    ("content", "told", "past"),
    [
        (
            {"expiryDate": "2031-04-30"},
            ["K-2 expires in 2031", "The expiry date of K-2 is 30 April 2031"],
            ["K-2 expired in 2031", "K-2 has expired in 2031", "The expiry date of K-2 was 30 April 2031"],
        ),
        ({"endDate": "2031-04-30"}, ["The end date of K-2 is 30 April 2031"], ["K-2 ended on 30 April 2031"]),
        ({"retiredAt": "2031-04-30"}, [], ["K-2 was retired in 2031"]),
        ({"validUntil": "2031-04-30"}, ["K-2 is valid until 30 April 2031"], ["K-2 was valid until 30 April 2031"]),
        ({"testDate": "2031-04-30"}, ["K-2 was tested in 2031"], []),
        ({"mass_kg": 5}, ["K-2 weighs 5 kg"], ["K-2 weighed 5 kg", "The mass of K-2 was 5 kg", "K-2 wog 5 kg"]),
        ({"masse": "5 kg"}, ["Die Masse von K-2 beträgt 5 kg"], ["Die Masse von K-2 betrug 5 kg"]),
        ({"cells": 18}, ["K-2 has 18 cells"], ["K-2 had 18 cells", "There were 18 cells in K-2"]),
        ({"length": "9 cm"}, ["K-2 is 9 cm long", "K-2 is longer than 8 cm"], ["K-2 was 9 cm long"]),
    ],
)
def test_what_the_record_does_not_tell_as_past_is_not_past(content, told, past):
    assert [answer for answer in told if not is_supported(content, answer)] == []
    assert [answer for answer in past if is_supported(content, answer)] == []


@pytest.mark.parametrize(
    ("country", "answer", "is_told"),
    [
        ("West Germany", "K-2 is from West Germany", True),
        ("West Germany", "K-2 is from Germany", False),
        ("West Germany", "K-2 is from the EU", False),
        ("West Germany", "K-2 is from outside Germany", False),
        ("Germany", "K-2 is from West Germany", False),
        ("Berlin, Germany", "K-2 is from East Germany", False),
        ("North Korea", "K-2 is a North Korean pump", True),
        ("North Korea", "K-2 is a Korean pump", False),
        ("South Korea", "K-2 is a Korean pump", True),
        ("Germany", "K-2 is a German pump", True),
        ("France, Germany", "K-2 is a German pump", False),
        ("West Germany", "K-2 is a German pump", False),
    ],
)
def test_a_country_is_the_one_that_is_told(country, answer, is_told):
    assert is_supported({"type": "pump", "countryOfOrigin": country}, answer) is is_told


def test_a_participle_in_front_of_a_noun_puts_nothing_into_the_past():
    record = {"productId": "K-2", "estimatedTimeOfCompletion": "2031-04-29", "expectedResponseBy": "2031-06-19"}
    assert is_supported(record, "The estimated time of completion is 29 April 2031")
    assert is_supported(record, "Expected response by: 19 June 2031")
