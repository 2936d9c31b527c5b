"""Comparing: what holds, and in what the rest differs; the readings that are fixed."""

import pytest

from veracord.language.comparing import compare_dates, compare_quantities
from veracord.language.dates import dates_of
from veracord.language.quantities import quantities_of


def outcome(said, held):
    return compare_quantities(quantities_of(said, "en")[0], quantities_of(held, "en")[0]).outcome


@pytest.mark.parametrize(
    ("said", "held", "expected"),
    [
        ("1.50 kg", "1.5 kg", "same"),
        ("1.5 kg", "1500 g", "converted"),
        ("298.15 K", "25 °C", "converted"),
        ("3.6 MJ", "1 kWh", "converted"),
        ("70 %", "0.70 fraction", "converted"),
        ("0.70 %", "0.70 fraction", "number_differs"),
        ("55 pieces", "55 cells", "same"),
        ("5 cells", "55 cells", "number_differs"),
        ("36 mJ", "36 MJ", "number_differs"),
        ("80 Wh", "80 Ah", "unit_differs"),
        ("61.5 kg CO2e", "61.5 kg CO2e per kWh", "unit_differs"),
        ("5 vol%", "5 wt%", "unit_differs"),
        ("USD 5", "EUR 5", "unit_differs"),
        ("USD 5", "$5", "undecided"),
        ("5 kg", "5 cells", "unit_differs"),
        # bounds keep direction and strictness
        ("at least 20 mm", "20 mm", "comparator_differs"),
        ("more than 20 mm", "20 mm", "comparator_differs"),
        ("20 mm", "at least 20 mm", "comparator_differs"),
        ("at most 70 %", "≥ 70 %", "comparator_differs"),
        ("at least 70 %", "≥ 70 %", "same"),
        ("more than 70 %", "≥ 70 %", "comparator_differs"),
        ("at least 60 %", "≥ 70 %", "number_differs"),
        ("at least 2 cm", "≥ 20 mm", "converted"),
        # ranges and tolerances
        ("5 %", "3–5 %", "comparator_differs"),
        ("4 %", "3–5 %", "number_differs"),
        ("between 3 and 5 %", "3–5 %", "same"),
        ("up to 5 %", "3–5 %", "comparator_differs"),
        ("10 ± 0.5 mm", "10 mm ± 0.5 mm", "same"),
        ("10 ± 5 mm", "10 ± 0.5 mm", "number_differs"),
        ("10 mm", "10 ± 0.5 mm", "comparator_differs"),
        ("9.5 to 10.5 mm", "10 ± 0.5 mm", "number_differs"),
        # hedges
        ("about 12.7 kg", "12.678 kg", "rounded_hedged"),
        ("12.7 kg", "12.678 kg", "number_differs"),
        ("about 12.6 kg", "12.678 kg", "number_differs"),
        ("about 13 kg", "12.678 kg", "number_differs"),
        ("about 1500 kg", "1496 kg", "rounded_hedged"),
        ("about 1.3 t", "1296 kg", "rounded_hedged"),
        ("about 10 kg", "10 kg", "rounded_hedged"),
        ("10 kg", "about 10 kg", "comparator_differs"),
        ("about 10 kg", "ca. 10 kg", "same"),
        ("nearly 13 kg", "12.95 kg", "rounded_hedged"),
        ("nearly 13 kg", "13.02 kg", "number_differs"),
        ("nearly 13 kg", "13 kg", "comparator_differs"),
        # kinds
        ("rose by 5 %", "rose from 10 % to 15 %", "number_differs"),
        ("rose from 10 % to 15 %", "rose from 10 % to 15 %", "same"),
        ("fell from 15 % to 10 %", "rose from 10 % to 15 %", "number_differs"),
        ("5 %", "rose by 5 %", "number_differs"),
        ("3 cells", "3rd cell", "number_differs"),
        ("one third", "two sixths", "same"),
        ("3:1", "6:2", "same"),
        ("3:1", "1:3", "number_differs"),
    ],
)
def test_an_outcome_is_fixed(said, held, expected):
    assert outcome(said, held) == expected


def test_ambiguity_decides_only_where_no_reading_fits():
    (unclear,) = quantities_of("1.234 kg")
    (thousand,), (other,) = quantities_of("1234 kg"), quantities_of("7 kg")
    assert compare_quantities(unclear, thousand).outcome == "undecided"
    assert compare_quantities(unclear, other).outcome == "number_differs"
    again = compare_quantities(unclear, quantities_of("1.234 kg")[0])
    assert (again.outcome, again.detail) == ("undecided", "same_writing")
    assert compare_quantities(unclear, quantities_of("1234 V")[0]).outcome == "unit_differs"


@pytest.mark.parametrize(
    ("said", "held", "expected"),
    [
        ("1 March 2026", "2026-03-01", "same"),
        ("3 January 2026", "2026-03-01", "date_differs"),
        ("March 2026", "2026-03-01", "coarser"),
        ("2026-03-01", "March 2026", "finer"),
        ("in 2026", "2026-03-01", "coarser"),
        ("2026-03-01", "2026-03-01T23:30:00-05:00", "coarser"),
        ("2026-03-02", "2026-03-01T23:30:00-05:00", "date_differs"),
        ("2026-03-01T10:00Z", "2026-03-01T11:00Z", "date_differs"),
        ("2026-03-01T10:00Z", "2026-03-01", "finer"),
        ("1 March 2026", "01/03/2026", "undecided"),
        ("01/03/2026", "01/03/2026", "undecided"),
        ("5 March 2026", "01/03/2026", "date_differs"),
    ],
)
def test_a_date_holds_at_the_precision_said(said, held, expected):
    compared = compare_dates(dates_of(said)[0], dates_of(held)[0])
    assert compared.outcome == expected
    assert compared.holds == (expected in {"same", "coarser"})
