"""Letter case of prefixes, names with "Per", and powers with a caret."""

from decimal import Decimal

import pytest

from veracord.language.quantities import quantities_of
from veracord.language.units import convert, read_unit, unit_named


@pytest.mark.parametrize(("mega", "milli"), [("Mm", "mm"), ("Mg", "mg"), ("Ml", "ml"), ("ML", "mL"), ("MAh", "mAh")])
def test_a_capital_prefix_is_never_the_small_one(mega, milli):
    large, small = unit_named(mega), unit_named(milli)
    assert large is not None
    assert large != small
    assert convert(Decimal(1), large, small) == Decimal(10**9)


def test_a_small_prefix_is_never_the_capital_one():
    assert unit_named("mHz") != unit_named("MHz")
    assert read_unit("mhz", 0) is None


@pytest.mark.parametrize("spelling", ["KG", "Kg", "kwh", "KWH", "Min"])
def test_case_that_makes_no_other_unit_does_not_matter(spelling):
    assert unit_named(spelling) is not None


def test_a_name_with_per_may_be_one_unit():
    assert unit_named("unit:partPerMillion") == unit_named("ppm")
    assert unit_named("unit:kilogramPerCubicMetre") == unit_named("kg/m³")


@pytest.mark.parametrize(("caret", "plain"), [("m^2", "m²"), ("km^2", "km²"), ("cm^3", "cm³")])
def test_a_caret_is_a_power(caret, plain):
    assert read_unit(caret, 0)[0] == read_unit(plain, 0)[0]


def test_a_functional_unit_may_have_a_caret():
    (quantity,) = quantities_of("0 % per km^2")
    assert str(quantity.unit) == "%/km2"


def test_the_number_of_a_name_is_no_amount():
    assert quantities_of("The Orin 10 is new.") == []
    assert [str(one.value) for one in quantities_of("The Mass 10 kg")] == ["10"]
