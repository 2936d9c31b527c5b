"""Gate `unit`, both sides."""

import pytest

from tests.unit.gates.gate_cases import outcome, records, texts


@pytest.mark.parametrize(
    ("evidence", "answer", "expected"),
    [
        ("Capacity 60 Ah.", "The capacity is 60 Ah [e1].", "passed"),
        ("Capacity 60 Ah.", "The capacity is 60 Wh [e1].", "failed"),
        ("Stored energy 18 MJ.", "The stored energy is 18 mJ [e1].", "failed"),
        ("Width 30 mm.", "The width is 30 Mm [e1].", "failed"),
        ("Volume 30 ml.", "The volume is 30 Ml [e1].", "failed"),
        ("Tare 2500 g.", "The tare is 2.5 kg [e1].", "passed"),
        ("Footprint 40 kg CO2e per kWh.", "The footprint is 40 kg CO2e [e1].", "failed"),
        ("Binder 3 wt%.", "The binder is 3 vol% [e1].", "failed"),
        ("Price EUR 12.", "The price is €12 [e1].", "passed"),
        ("Price EUR 12.", "The price is USD 12 [e1].", "failed"),
        ("Film 8 µm.", "The film is 8 mm [e1].", "failed"),
        ("Storage temperature 25 °C.", "The storage temperature is 298.15 K [e1].", "passed"),
    ],
)
def test_the_unit_is_the_same_or_an_exact_conversion(evidence, answer, expected):
    assert outcome("unit", texts(evidence), answer) == expected


@pytest.mark.parametrize(
    ("record", "said", "expected"),
    [
        ({"tare": {"value": 3, "unit": "unit:kilogram"}}, "3 kg", "passed"),
        ({"tare": {"value": 3, "unit": "KGM"}}, "3 kg", "passed"),
        ({"tare": {"value": 3, "unit": "KGM"}}, "3000 g", "passed"),
        ({"tare": {"value": 3, "unit": "kg"}}, "3 g", "failed"),
        ({"tare": {"value": 3, "unit": "kg"}}, "3", "failed"),
        ({"tare": 3}, "3 kg", "failed"),
        ({"tare_kg": 3}, "3 kg", "passed"),
        ({"tare": 3, "tareUnit": "kg"}, "3 kg", "passed"),
    ],
)
def test_the_unit_of_a_record_is_its_own(record, said, expected):
    assert outcome("unit", records(record), f"The tare is {said} [e1].") == expected
