"""Units: every spelling of one unit is that unit, and what differs in case, basis or functional unit is another."""

from decimal import Decimal

import pint
import pytest

from veracord.language.unit_table import unit_table
from veracord.language.units import Unit, comparable, convert, literal_unit, read_unit, unit_named


@pytest.mark.parametrize(
    "spellings",
    [
        (
            "kg",
            "KGM",
            "unit:kilogram",
            "kilograms",
            "Kilogramm",
            "kilogramme",
            "urn:samm:org.eclipse.esmf.samm:unit:2.1.0#kilogram",
        ),
        ("mm", "MMT", "unit:millimetre", "millimeters", "Millimeter"),
        ("°C", "CEL", "unit:degreeCelsius", "degrees Celsius", "Grad Celsius", "\u2103"),
        ("Ah", "AMH", "unit:ampereHour", "ampere-hours", "Amperestunden"),
        ("kWh", "KWH", "unit:kilowattHour", "kilowatt hours", "Kilowattstunden", "kwh"),
        ("\u00b5m", "\u03bcm", "um", "4H", "micrometre"),
        ("k\u03a9", "k\u2126", "B49", "kiloohm"),
        ("%", "P1", "percent", "Prozent", "per cent", "unit:percent"),
        ("piece", "H87", "C62", "pieces", "Stück", "unit:piece", "EA"),
        ("m3", "m³", "MTQ", "cubic metres", "Kubikmeter"),
        ("km/h", "KMH", "kilometrePerHour", "kph"),
        ("kg/m3", "kg/m³", "KMQ", "unit:kilogramPerCubicMetre"),
        ("% by weight", "wt%", "wt.-%", "Gew.-%", "% w/w", "weight percent"),
        ("vol%", "Vol.-%", "% by volume", "% v/v"),
        ("kg CO2e", "kg CO2-eq", "kg CO₂e", "kg CO2 equivalents", "kg of CO2 equivalent", "kg CO2-Äq."),
        ("kg CO2e/kWh", "kg CO2e per kWh", "kg CO2 eq. / kWh", "kg CO2e pro kWh"),
        ("EUR", "€", "Euro", "euros"),
        ("N·m", "Nm", "newton metres", "NU"),
        ("mi2", "sq mi", "square miles"),
        ("km2", "sq km", "square kilometres"),
    ],
)
def test_spellings_of_one_unit_are_one_unit(spellings):
    units = {unit_named(spelling) for spelling in spellings}
    assert len(units) == 1
    assert units != {None}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("MJ", "mJ"),
        ("Ah", "Wh"),
        ("kg CO2", "kg CO2e"),
        ("kg CO2e", "kg"),
        ("wt%", "vol%"),
        ("wt%", "%"),
        ("kg CO2e/kWh", "kg CO2e"),
        ("kg/cell", "kg/module"),
        ("EUR", "USD"),
        ("dB", "dB(A)"),
        ("%", "percentage points"),
        ("W", "VA"),
    ],
)
def test_these_units_never_meet(one, other):
    assert unit_named(one) is not None
    assert unit_named(one) != unit_named(other)
    if {one, other} != {"MJ", "mJ"}:
        assert not comparable(unit_named(one), unit_named(other))


def test_a_spelling_that_two_units_share_but_for_case_is_none_of_them():
    assert unit_named("mj") is None
    assert unit_named("MWH") == unit_named("MWh") != unit_named("mWh")


def test_a_unit_that_we_do_not_know_equals_its_own_spelling_only():
    assert unit_named("foo") is None
    assert literal_unit("foo") == literal_unit("foo ")
    assert literal_unit("foo") != literal_unit("Foo")
    assert convert(Decimal(5), literal_unit("foo"), literal_unit("foo")) == 5
    assert convert(Decimal(5), literal_unit("foo"), literal_unit("bar")) is None


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        ("1500", "g", "kg", "1.5"),
        ("25", "°C", "K", "298.15"),
        ("298.15", "K", "°C", "25"),
        ("25", "°C", "°F", "77"),
        ("1", "kWh", "MJ", "3.6"),
        ("0.70", "fraction", "%", "70"),
        ("36", "km/h", "m/s", "10"),
        ("5", "kg CO2e/kWh", "g CO2e/kWh", "5000"),
        ("10", "kg CO2e/kWh", "kg CO2e/MWh", "10000"),
        ("1", "in", "mm", "25.4"),
        ("2", "years", "months", "24"),
        ("1", "Ah", "mAh", "1000"),
        ("80", "Ah", "Wh", None),
        ("100", "km/h", "m/s", None),
        ("1", "year", "days", None),
        ("5", "kg CO2e", "kg CO2", None),
    ],
)
def test_a_conversion_is_exact_or_none(value, source, target, result):
    converted = convert(Decimal(value), unit_named(source), unit_named(target))
    assert converted == (None if result is None else Decimal(result))


@pytest.mark.parametrize(
    ("text", "start", "written"),
    [
        ("5 kg", 1, "kg"),
        ("12-kg pack", 2, "kg"),
        ("5 kg CO2e per kWh delivered", 1, "kg CO2e per kWh"),
        ("20 [kg]", 2, "kg"),
        ("5 wt% of", 1, "wt%"),
        ("5 m² area", 1, "m²"),
        ("0.5 kg per cell.", 3, "kg per cell"),
        ("5 degrees Celsius", 1, "degrees Celsius"),
        ("5 kilograms of", 1, "kilograms"),
    ],
)
def test_a_unit_is_read_with_its_very_characters(text, start, written):
    found = read_unit(text, start)
    assert found is not None
    assert text[slice(*found[1])] == written


@pytest.mark.parametrize("text", ["5 foo", "5 cells", "5 in total", "5 kgfoo", "5 each of", "5, kg", "5\nkg"])
def test_a_word_that_is_no_unit_is_none(text):
    assert read_unit(text, 1) is None


def test_codes_are_sixty_and_more_and_each_resolves():
    codes = unit_table().codes
    assert len(codes) >= 60
    assert all(unit_named(code) is not None for code in codes)


#: Our symbol and that of Pint, where they differ.
PINT = {
    "°C": "degC", "°F": "degF", "K": "kelvin", "%": "percent", "fraction": "dimensionless", "‰": "permille",
    "N·m": "N*m", "kN·m": "kN*m", "mN·m": "mN*m",
    "wk": "week", "mo": None, "yr": None, "m2": "m**2", "km2": "km**2", "dm2": "dm**2", "cm2": "cm**2",
    "mm2": "mm**2", "in2": "inch**2",
    "ft2": "foot**2", "mi2": "mile**2", "m3": "m**3", "dm3": "dm**3", "cm3": "cm**3", "mm3": "mm**3", "in": "inch",
    "ft": "foot", "yd": "yard", "mi": "mile",
    "ha": "hectare", "t": "tonne", "kt": None, "Mt": None, "d": "day", "°": "degree", "ppb": None, "pp": None,
    "piece": None, "dB": None, "dB(A)": None,
    "rpm": None, "W/(m·K)": "W/(m*K)", "J/(kg·K)": "J/(kg*K)", "kJ/(kg·K)": "kJ/(kg*K)", "m/s2": "m/s**2",
    "100 km": None, "1000 km": None,
    "100 g": None, "coulomb": "coulomb", "h": "hour", "oz": "ounce", "lb": "pound", "A": "ampere", "rad": "radian",
    "mrad": "milliradian",
}  # fmt: skip


def test_sizes_agree_with_those_of_pint():
    registry = pint.UnitRegistry(non_int_type=Decimal)
    bases = {
        "mass": "kg",
        "length": "m",
        "time": "s",
        "energy": "J",
        "charge": "coulomb",
        "pressure": "Pa",
        "volume": "m**3",
        "area": "m**2",
        "ratio": "dimensionless",
    }
    compared = 0
    for symbol, scale in unit_table().scales.items():
        name = PINT.get(symbol, symbol)
        if name is None or scale.dimension not in bases:
            continue
        theirs = registry.Quantity(Decimal(1), name).to(bases[scale.dimension]).magnitude
        assert abs(Decimal(scale.size.numerator) / Decimal(scale.size.denominator) - theirs) <= abs(theirs) * Decimal(
            "1e-20"
        ), symbol
        compared += 1
    assert compared > 70


def test_a_unit_is_shown_with_basis_and_functional_unit():
    assert str(Unit("kg", "mass", Unit("kWh", "energy"), "CO2e")) == "kg CO2e/kWh"
