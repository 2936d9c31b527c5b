"""Identifiers are whole: model, serial number, standard with its edition, address."""

import pytest

from veracord.language.identifiers import identifiers_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Model LFP-48-100 is", ["LFP-48-100"]),
        ("A100 and IP67, P1.", ["A100", "IP67", "P1"]),
        ("tested to EN 50604-1:2016.", ["EN 50604-1:2016"]),
        ("DIN EN ISO 9001:2015, ISO/IEC 17025", ["DIN EN ISO 9001:2015", "ISO/IEC 17025"]),
        ("UN 38.3 and UN3480", ["UN 38.3", "UN3480"]),
        ("serial number 00123", ["00123"]),
        ("the serial is 00123", ["00123"]),
        ("GTIN 04012345678901", ["04012345678901"]),
        ("see https://example.org/a?b=1.", ["https://example.org/a?b=1"]),
        ("urn:uuid:12-3, 5 kg", ["urn:uuid:12-3"]),
        ("Regulation (EU) 2023/1542", ["(EU) 2023/1542"]),
        ("at 10:30", ["10:30"]),
        ("v1.2.3 or 1.2.3", ["v1.2.3", "1.2.3"]),
        ("Type 2 plug", ["2"]),
        ("Nos. 22,24,26 of", []),
        ("Art. no. 22,24 of", ["22,24"]),
        ("phone 1-222-2222-2222", ["1-222-2222-2222"]),
        ("a 5-pole plug", ["5-pole"]),
        ("cyrillic \u0410100", ["\u0410100"]),
        ("the 1990s", ["1990s"]),
    ],
)
def test_an_identifier_is_read_whole(text, expected):
    assert [one.text for one in identifiers_of(text)] == expected
    assert all(text[slice(*one.span)] == one.text for one in identifiers_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "12kg",
        "48V",
        "5kg/m2",
        "1.2e3Wh",
        "3-5kg",
        "20°C",
        "CO2",
        "the part is 5 mm",
        "3rd",
        "48 V/100 Ah",
        "EUR50",
        "1/2",
        "3:1",
        "12.32e+14",
    ],
)
def test_a_number_with_its_unit_is_none(text):
    assert identifiers_of(text) == []
