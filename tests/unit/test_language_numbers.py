"""Numbers as written: sign, groups, marks, exponents, fractions, words; and what could be two numbers."""

from decimal import Decimal

import pytest

from veracord.language.locales import locale_of
from veracord.language.numbers import Ambiguous, Number, Ratio, read_number


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("7", "unknown", "7"),
        ("-20", "unknown", "-20"),
        ("\u221220", "unknown", "-20"),
        ("minus 20", "en", "-20"),
        ("+5", "en", "5"),
        ("1,234.5", "unknown", "1234.5"),
        ("1.234,5", "unknown", "1234.5"),
        ("61,5", "unknown", "61.5"),
        ("1.234", "en", "1.234"),
        ("1.234", "de", "1234"),
        ("1,234", "en", "1234"),
        ("1,234", "de", "1.234"),
        ("0.234", "de", "0.234"),
        ("1,234,567", "unknown", "1234567"),
        ("1\u2009500", "unknown", "1500"),
        ("1\u202f500\u202f000", "unknown", "1500000"),
        ("1\u00a0500,25", "unknown", "1500.25"),
        ("1 234 567", "unknown", "1234567"),
        ("1'234.5", "unknown", "1234.5"),
        ("1.2e3", "en", "1200"),
        ("1.2E-3", "en", "0.0012"),
        ("1.2×10^3", "en", "1200"),
        ("1,2·10³", "de", "1200"),
        ("6.1 × 10⁻²", "en", "0.061"),
        ("10^6", "en", "1000000"),
        ("½", "en", "0.5"),
        ("1½", "en", "1.5"),
        ("3/4", "en", "0.75"),
        ("2 3/8", "en", "2.375"),
        ("1.2 million", "en", "1200000"),
        ("2,5 Mio.", "de", "2500000"),
        ("5 Tsd.", "de", "5000"),
        ("3 dozen", "en", "36"),
        (".08", "en", "0.08"),
        ("twenty-five", "en", "25"),
        ("two hundred and fifty", "en", "250"),
        ("three thousand four hundred", "en", "3400"),
        ("five point five", "en", "5.5"),
        ("two point seventy-one", "en", "2.71"),
        ("three quarters", "en", "0.75"),
        ("siebenundzwanzig", "de", "27"),
        ("zweitausenddreihundertfünf", "de", "2305"),
        ("zwei Komma drei", "de", "2.3"),
        ("anderthalb", "de", "1.5"),
        ("eine Million", "de", "1000000"),
        ("five and a half", "en", "5.5"),
    ],
)
def test_a_number_is_read_whole_and_exactly(text, locale, value):
    number = read_number(text, 0, locale)
    assert isinstance(number, Number)
    assert number.value == Decimal(value)
    assert number.span == (0, len(text))


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("1.234", {"1234", "1.234"}),
        ("1,234", {"1234", "1.234"}),
        ("2 500", {"2500", "2"}),
        ("1,00,000", set()),
        ("1.2.3", set()),
        ("2^5", set()),
        ("three million and a half", set()),
        ("thirty two fifths", set()),
        ("1e9999", set()),
        ("3 hundred and 21", set()),
    ],
)
def test_what_could_be_two_numbers_is_ambiguous(text, readings):
    number = read_number(text, 0)
    assert isinstance(number, Ambiguous)
    assert set(number.readings) == {Decimal(reading) for reading in readings}


@pytest.mark.parametrize(
    ("text", "top", "under"), [("1/3", 1, 3), ("⅔", 2, 3), ("two thirds", 2, 3), ("zwei Drittel", 2, 3)]
)
def test_a_third_has_no_decimal_and_stays_a_ratio(text, top, under):
    number = read_number(text, 0)
    assert isinstance(number, Ratio)
    assert (number.numerator, number.denominator) == (top, under)


def test_ordinals_are_no_cardinals():
    for word in ("third", "twenty-first", "dritte", "siebenundzwanzigsten"):
        number = read_number(word, 0)
        assert isinstance(number, Number)
        assert number.notation == "ordinal"


@pytest.mark.parametrize(
    ("text", "after"), [("12.50", 2), ("7", 0), ("1.2 million", -5), ("1.2e3", -2), ("½", 1), ("5.25e1", 1)]
)
def test_the_last_digit_shown_is_known(text, after):
    assert read_number(text, 0, "en").digits_after == after


def test_a_billion_depends_on_the_language():
    assert read_number("2 billion", 0, "en").value == 2 * 10**9
    assert read_number("2 Billionen", 0, "de").value == 2 * 10**12


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("Gewicht (de-DE): 1.234 kg", "de"),
        ("Weight (en-GB): 1,234 kg", "en"),
        ("Die Masse der Zelle beträgt 5 kg", "de"),
        ("The mass of the cell is 5 kg", "en"),
        ("1.234", "unknown"),
        ("12,5 kg; 7,25 kg", "de"),
        ("12.5 kg; 7.25 kg", "en"),
        ("The mass is 12,5 kg", "unknown"),
        ("Gewicht (de-CH): 1'234.5 kg", "unknown"),
    ],
)
def test_a_locale_is_declared_or_evident_or_unknown(text, locale):
    assert locale_of(text) == locale
