"""Quantities: bounds, ranges, tolerances, hedges and kinds as they are said, with their very characters."""

from decimal import Decimal
from itertools import pairwise

import pytest

from veracord.language.mentions import mentions_of
from veracord.language.quantities import AmbiguousQuantity, quantities_of, single_quantity
from veracord.language.units import unit_named


def shown(text):
    """Return each quantity as `[low high] unit kind`, with ( for strict ends and ~ for a hedge."""
    out = []
    for quantity in quantities_of(text):
        if isinstance(quantity, AmbiguousQuantity):
            out.append(f"? {quantity.written}")
            continue
        numbers = ":".join(f"{number.value:f}" for number in quantity.numbers)
        ends = [numbers] if quantity.kind == "ratio" else [
            "" if end is None else f"{end:f}" for end in dict.fromkeys((quantity.low, quantity.high))
        ]  # fmt: skip
        kind = "" if quantity.kind in {"cardinal", "money"} else f" {quantity.kind}"
        plus = "" if quantity.tolerance is None else f" ±{quantity.tolerance:f}"
        open_, close = "(" if quantity.low_strict else "[", ")" if quantity.high_strict else "]"
        unit = "" if quantity.unit is None else f" {quantity.unit}"
        out.append(f"{'~' * quantity.approximate}{open_}{' '.join(ends)}{close}{plus}{unit}{kind}")
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The box holds 40 screws.", ["[40]"]),
        ("It weighs 1.5 kg.", ["[1.5] kg"]),
        ("½ mm", ["[0.5] mm"]),
        ("Range 1.2 million km", ["[1200000] km"]),
        ("1\u2009500 g", ["[1500] g"]),
        ("2 500 g", ["? 2 500 g"]),
        ("1.234 kg", ["? 1.234 kg"]),
        ("Preis EUR 1.200,50 (de-DE)", ["[1200.50] EUR"]),
        ("the price is €1,200.50", ["[1200.50] EUR"]),
        ("$5 million", ["[5000000] $"]),
        ("0.30 €/kWh", ["[0.30] EUR/kWh"]),
        ("-20 °C to 60 °C", ["[-20 60] °C"]),
        ("from \u221220 °C to +60 °C", ["[-20 60] °C"]),
        ("3–5 %", ["[3 5] %"]),
        ("3 to 5 million km", ["[3000000 5000000] km"]),
        ("between 3 and 5 mm", ["[3 5] mm"]),
        ("zwischen 3 und 5 mm", ["[3 5] mm"]),
        ("500 g to 2 kg", ["[0.5 2] kg"]),
        ("10 ± 0.5 mm", ["[9.5 10.5] ±0.5 mm"]),
        ("10+/-0.5 mm", ["[9.5 10.5] ±0.5 mm"]),
        ("10 mm ± 5 %", ["[9.50 10.50] ±0.50 mm"]),
        ("25 °C ± 2 K", ["[23.00 27.00] ±2.00 °C"]),
        ("accuracy ±5 %", ["[-5 5] ±5 %"]),
        ("≥ 70 %", ["[70 ] %"]),
        ("< 0.1 %", ["[ 0.1) %"]),
        ("at least 20 mm", ["[20 ] mm"]),
        ("more than 20 mm", ["(20 ] mm"]),
        ("no more than 7 V", ["[ 7] V"]),
        ("mindestens 10 kg", ["[10 ] kg"]),
        ("bis zu 5 %", ["[ 5] %"]),
        ("weniger als 3 Stück", ["[ 3) piece"]),
        ("20 mm or more", ["[20 ] mm"]),
        ("5 kg max.", ["[ 5] kg"]),
        ("20+ years", ["[20 ] yr"]),
        ("about 12.7 kg", ["~[12.7] kg"]),
        ("ca. 10 kg", ["~[10] kg"]),
        ("at least about 20 mm", ["~[20 ] mm"]),
        ("nearly 13 kg", ["~[ 13) kg"]),
        ("It rose from 10 % to 15 %.", ["[10 15] % change"]),
        ("It fell from 15 % to 10 %.", ["[10 15] % change"]),
        ("It rose by 5 %.", ["[5] % change"]),
        ("It rose by 5 % to 20 %.", ["[5] % change", "[20] %"]),
        ("a 5 % increase", ["[5] % change"]),
        ("5 % less than B", ["[5] % change"]),
        ("um 5 % gesunken", ["[5] % change"]),
        ("the 3rd cell", ["[3] ordinal"]),
        ("the third cell", ["[3] ordinal"]),
        ("Die 3. Zelle ist in der Box", ["[3] ordinal"]),
        ("a ratio of 3:1", ["[3:1] ratio"]),
        ("one in five cells", ["[1:5] ratio"]),
        ("two thirds of it", ["[2:3] ratio"]),
        ("10 x 20 x 30 mm", ["[10] mm", "[20] mm", "[30] mm"]),
        ("230/400 V", ["[230] V", "[400] V"]),
        ("12 V / 80 Ah", ["[12] V", "[80] Ah"]),
        ("5 ft 2 in", ["[62] in"]),
        ("1 h 30 min", ["[90] min"]),
        ("10 -20 kg", ["? 10 -20 kg"]),
        ("5 foo", ["[5]"]),
        ("minus 20 degrees Celsius", ["[-20] °C"]),
        ("minus five percent", ["[-5] %"]),
        ("There is one cell.", ["[1]"]),
        ("One of them, this one, one source says", []),
        ("a thousand cycles", ["[1000]"]),
        ("half a kilogram", ["[0.5] kg"]),
        ("1.3x10^6 Wh", ["[1300000] Wh"]),
        ("three, 4 and five", ["[3]", "[4]", "[5]"]),
        ("75 USD million", ["? 75 USD million"]),
    ],
)
def test_a_quantity_is_what_is_said(text, expected):
    assert shown(text) == expected


@pytest.mark.parametrize(
    "text",
    ["Model LFP-48-100", "EN 50604-1:2016", "CO2 and H2O", "made on 2026-03-01", "in 2024", "IP67", "at 10:30",
    "v1.2.3", "see Table 3",
     "https://example.org/5kg", "Type 2 plug", "GTIN 04012345678901"],
)  # fmt: skip
def test_numbers_of_names_and_dates_are_no_quantities(text):
    assert quantities_of(text) == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("It is at least 20 mm wide", "at least 20 mm"),
        ("mass ca. 10 kg here", "ca. 10 kg"),
        ("temperatures from -20 °C to 60 °C only", "from -20 °C to 60 °C"),
        ("paid EUR 1.200,50 then", "EUR 1.200,50"),
        ("61.5 kg CO2e per kWh delivered", "61.5 kg CO2e per kWh"),
        ("20 mm or more of it", "20 mm or more"),
    ],
)
def test_the_span_holds_the_words_that_belong_to_it(text, written):
    (quantity,) = quantities_of(text)
    assert text[slice(*quantity.span)] == written


def test_one_and_a_half_kilograms_hold_no_five_kilograms():
    (quantity,) = quantities_of("It weighs 1.5 kg")
    assert [number.value for number in quantity.numbers] == [Decimal("1.5")]


def test_a_leaf_of_a_record_is_an_exact_quantity():
    quantity = single_quantity(Decimal("0.70"), unit_named("fraction"))
    assert quantity.is_exact
    assert quantity.value == Decimal("0.7")
    assert quantity.numbers[0].digits_after == 2


def test_a_locale_that_is_given_decides():
    assert quantities_of("1.234 kg", "de")[0].low == 1234
    assert quantities_of("1.234 kg", "en")[0].low == Decimal("1.234")


def test_mentions_share_no_characters():
    text = "Model A100 (EN 50604-1:2016), made on 1 March 2026, weighs 12.5 kg; 2024 units since 2024."
    mentions = mentions_of(text)
    spans = sorted(one.span for kind in (mentions.dates, mentions.identifiers, mentions.quantities) for one in kind)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert [text[slice(*one.span)] for one in mentions.quantities] == ["12.5 kg", "2024 units"]
    assert [text[slice(*one.span)] for one in mentions.dates] == ["1 March 2026", "2024"]
    assert [one.text for one in mentions.identifiers] == ["A100", "EN 50604-1:2016"]
