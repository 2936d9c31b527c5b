"""A piece of a text is not its value, but for dates and places from the small to the large; nor is one end of it."""

import pytest

from tests.unit.gates.gate_cases import check, records
from veracord.grounding.open_ends import has_open_end
from veracord.grounding.part_values import parts_of_value

PRODUCT = {"productId": "K-9"}
TOLD = [
    ("weight", "7,25 kg", "The weight of K-9 is 7.25 kg"),
    ("weight", "7,25 kg", "Die Masse von K-9 ist 7,25 kg"),
    ("weight", "6 - 8 kg", "The weight of K-9 is 6 - 8 kg"),
    ("weight", "6 - 8 kg", "The weight of K-9 is 6 to 8 kg"),
    ("finish", "matt, glossy", "The finish of K-9 is matt, glossy"),
    ("supplier", "Orvo, Ltd.", "The supplier of K-9 is Orvo, Ltd"),
    ("supplier", "Orvo, Ltd.", "K-9 is supplied by Orvo, Ltd"),
    ("city", "Ulm, Donau", "The city of K-9 is Ulm"),
    ("weight", "from 40 kg", "The weight of K-9 is from 40 kg"),
    ("range", "from 4 to 6 km", "The range of K-9 is 4 to 6 km"),
    ("price", "90 EUR - 5%", "The price of K-9 is 90 EUR - 5%"),
    ("testDate", "from 2021", "The test date of K-9 is from 2021"),
    ("countryOfOrigin", "Ulm, Germany", "K-9 is from Germany"),
    ("testDate", "on Friday 7 May 2021", "K-9 was tested on 7 May 2021"),
    ("testDate", "7 May 2021 (2021-05-07)", "K-9 was tested in May 2021"),
    ("origin", "Austin, Texas, U.S.", "The origin of K-9 is Austin"),
]
NOT_TOLD = [
    # A comma between digits is one of a number.
    ("weight", "7,25 kg", "The weight of K-9 is 25 kg"),
    ("weight", "7,25 kg", "Die Masse von K-9 ist 25 kg"),
    ("price", "2.150,75 EUR", "K-9 costs 75 EUR"),
    ("weight", {"value": "7,25", "unit": "kg"}, "The weight of K-9 is 25 kg"),
    ("weights", ["7,25 kg", "8,5 kg"], "The weights of K-9 include 25 kg"),
    # A range, a deduction and two values.
    ("weight", "6 - 8 kg", "The weight of K-9 is 8 kg"),
    ("weight", "6 kg – 8 kg", "The weight of K-9 is 6 kg"),
    ("temperature", "-10 - 30 °C", "The temperature of K-9 is 30 °C"),
    ("price", "90 EUR - 5%", "K-9 costs 90 EUR"),
    ("price", "90 EUR, 110 EUR", "K-9 costs 90 EUR"),
    ("price", "90 EUR; 110 CHF", "K-9 costs 90 EUR"),
    ("weight", "6 kg / 8 kg", "The weight of K-9 is 8 kg"),
    ("weight", "6 kg; 8 kg with lid", "K-9 weighs less than 7 kg"),
    ("weight", "6 kg (8 kg)", "K-9 weighs 8 kg"),
    ("serialNumber", "AB-1, AB-2", "The serial number of K-9 is AB-2"),
    ("testDate", "2018, 2020", "K-9 was tested in 2018"),
    ("testDate", "2018 - 2020", "K-9 was tested in 2020"),
    ("testDate", "2018 and 2020", "K-9 was tested in 2020"),
    ("testDate", "January - March 2020", "K-9 was tested in March 2020"),
    # A list, a name with a comma, a head and a tail that go with all of it.
    ("finish", "matt, glossy", "The finish of K-9 is matt"),
    ("finish", "matt / glossy", "The finish of K-9 is glossy"),
    ("colour", "dark blue - red", "The colour of K-9 is red"),
    ("supplier", "Orvo, Ltd.", "The supplier of K-9 is Ltd"),
    ("supplier", "Acme AG, Orvo Ltd", "K-9 is supplied by Orvo Ltd"),
    ("suppliers", ["Orvo, Ltd.", "Acme"], "The suppliers of K-9 are Ltd and Acme"),
    ("city", "Paris, Texas", "The city of K-9 is Texas"),
    ("material", "imitation leather, suede", "K-9 is made of suede"),
    ("material", "e.g. leather, suede", "K-9 is made of suede"),
    ("material", "leather, suede excluded", "K-9 is made of leather"),
    ("material", "steel\nzinc", "K-9 is made of zinc"),
    ("type", "pump, filter", "K-9 is a filter"),
    # Places side by side.
    ("countryOfOrigin", "France, Germany", "K-9 is from Germany"),
    ("countryOfOrigin", "France, Germany", "The country of origin of K-9 is Germany"),
    ("countryOfOrigin", "Ulm, Germany", "The country of origin of K-9 is Ulm"),
    ("countryOfOrigin", "assembled Italy, Germany", "K-9 is from Germany"),
    ("origin", "Ulm, Germany; Lyon, France", "The origin of K-9 is Ulm"),
    # One end of something.
    ("weight", "from 40 kg", "The weight of K-9 is 40 kg"),
    ("weight", "from 40 kg", "The weight of K-9 is less than 45 kg"),
    ("weight", {"value": "from 40", "unit": "kg"}, "The weight of K-9 is 40 kg"),
    ("price", "von 90 EUR", "K-9 costs 90 EUR"),
    ("price", "90 EUR upwards", "K-9 costs 90 EUR"),
    ("testDate", "by 2021", "K-9 was tested in 2021"),
    ("testDate", "by the end of 2021", "K-9 was tested in 2021"),
    ("testDate", "from 2021", "K-9 was tested before 2022"),
    ("testDate", "from 3 May 2021", "K-9 was tested in the spring of 2021"),
    ("testDate", "3 May 2021 onwards", "K-9 was tested in 2021"),
    ("testDate", "by 2021", "K-9 was tested in the 2020s"),
    ("testDate", "through 2021", "K-9 was tested in 2021"),
    ("weight", "40 kg ...", "The weight of K-9 is 40 kg"),
    # A date is one only where it fills its piece.
    ("testDate", "6 - 7 May 2021", "K-9 was tested on 7 May 2021"),
    ("testDate", "6, 7 May 2021", "K-9 was tested on 7 May 2021"),
    ("testDate", "Jan - Mar 2021", "K-9 was tested in March 2021"),
    ("testDate", "7 May 2021 - ongoing", "K-9 was tested on 7 May 2021"),
    ("testDate", "> 7 May 2021", "K-9 was tested on 7 May 2021"),
    ("testDate", "deadline 7 May 2021", "K-9 was tested in 2021"),
    ("released", "test, 2021", "K-9 was released in 2021"),
]


@pytest.mark.parametrize(("name", "value", "claim"), TOLD)
def test_a_whole_text_and_the_piece_of_a_place_are_told(name, value, claim):
    assert check(records({**PRODUCT, name: value}), f"{claim} [e1].").verdict == "supported"


@pytest.mark.parametrize(("name", "value", "claim"), NOT_TOLD)
def test_a_piece_of_a_text_is_not_its_value(name, value, claim):
    assert check(records({**PRODUCT, name: value}), f"{claim} [e1].").verdict != "supported"


@pytest.mark.parametrize(
    ("name", "value", "claim", "supported"),
    [
        ("Born", "4 May 1961, Ulm, Germany", "Ada Berg was born in Ulm", True),
        ("Born", "4 May 1961, Ulm, Germany", "Ada Berg was born in Germany", True),
        ("Born", "May 4, 1961  Ulm, Germany", "Ada Berg was born on 4 May 1961", True),
        ("Born", "4 May 1961, 5 June 1962", "Ada Berg was born on 4 May 1961", False),
        ("Born", "4 May 1961 - 5 June 1962", "Ada Berg was born on 4 May 1961", False),
        ("Born", "from 4 May 1961, Ulm", "Ada Berg was born on 4 May 1961", False),
        ("Height", "5 ft 6 in (168 cm)", "The height of Ada Berg is 168 cm", True),
        ("Height", "5 ft 6 in (190 cm)", "The height of Ada Berg is 190 cm", False),
        ("Weight", "60,5 kg", "The weight of Ada Berg is 5 kg", False),
        ("Agent", "Bo Ek, Cy Orr", "The agent of Ada Berg is Bo Ek", False),
        ("Capital", "Paris, Texas", "The capital of Ada Berg is Texas", False),
        ("Awards", "Blue Star (1995)", "Ada Berg won the Blue Star in 1995", True),
    ],
)
def test_of_people_a_date_and_a_place_are_pieces(name, value, claim, supported):
    person = {"title": "Ada Berg", "Born": "1961", name: value}
    assert (check(records(person), f"{claim} [e1].").verdict == "supported") is supported


@pytest.mark.parametrize(
    ("value", "is_open"),
    [
        ("from 40 kg", True),
        ("by May 2021", True),
        ("40 kg upwards", True),
        ("as of Monday, 3 May 2021", True),
        ("40 kg", False),
        ("3 May 2021", False),
        ("Ulm, from where it came", False),
    ],
)
def test_words_that_make_one_end_of_a_value(value, is_open):
    assert has_open_end(value) is is_open


def test_a_comma_or_a_dash_between_digits_parts_nothing():
    assert parts_of_value("1,5 kg") == parts_of_value("1 - 5 kg") == ()
    assert parts_of_value("Ulm, 1,5 km east") == ("Ulm", "1,5 km east")


def test_a_row_of_a_table_is_a_record():
    table = [{"id": "e1", "text": "| property | value |\n|---|---|\n| mass | 7,25 kg |"}]
    assert check(table, "The mass is 25 kg [e1].").verdict != "supported"
    assert check(table, "The mass is 7.25 kg [e1].").verdict == "supported"


def test_a_text_with_doubled_spaces_is_told_as_it_stands():
    record = {"productId": "K-2", "noteNumber": "22210 20756  8928 041"}
    said = 'The record states "22210 20756  8928 041" for the note number [e1].'
    assert check(records(record), said).verdict == "supported"
    assert check(records(record), said.replace("041", "042")).verdict != "supported"
