"""Units that end the names of members."""

import re
from pathlib import Path

import pytest

from veracord.grounding.name_units import known_endings, unit_in_name

PAGE = Path(__file__).parents[3] / "docs" / "answers.md"


@pytest.mark.parametrize(
    ("member", "short", "unit"),
    [
        ("mass_kg", "mass", "kg"),
        ("lengthMm", "length", "mm"),
        ("width_m", "width", "m"),
        ("nominalVoltageV", "nominalvoltage", "V"),
        ("temperature_c", "temperature", "°C"),
        ("duration_min", "duration", "min"),
        ("lifetime_years", "lifetime", "years"),
        ("warrantyMonths", "warranty", "months"),
        ("power_mW", "power", "mW"),
        ("power_MW", "power", "MW"),
        ("footprint_kg_co2e", "footprint", "kg CO2e"),
        ("energyDensityInWh_kg", "energydensity", "Wh/kg"),
    ],
)
def test_a_known_ending_is_the_unit(member, short, unit):
    name, found = unit_in_name(member)
    assert (name.squashed, found) == (short, unit)


@pytest.mark.parametrize(
    "member",
    ["mass", "variantV", "planA", "planG", "temperature_min", "class_c", "row_m", "power_mw", "kg", "is_m", "option_l"],
)
def test_what_may_be_another_word_is_no_unit(member):
    assert unit_in_name(member) == (None, None)


def test_the_page_tells_every_ending():
    told = set(re.findall(r"`_(\w+)`", PAGE.read_text(encoding="utf-8")))
    assert {one.casefold() for one in told} == known_endings()
