"""Laws of reading quantities: whole values, very characters, exact conversion, and cost that grows with the text."""

import gc
import re
import time
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracord.language.comparing import compare_quantities
from veracord.language.cues import cue_mentions
from veracord.language.dates import dates_of
from veracord.language.identifiers import identifiers_of
from veracord.language.locales import locale_of
from veracord.language.mentions import mentions_of
from veracord.language.numbers import Number, read_number
from veracord.language.quantities import AmbiguousQuantity, quantities_of, single_quantity
from veracord.language.tokens import tokens_of
from veracord.language.unit_table import unit_table
from veracord.language.units import comparable, convert, unit_named

VALUES = st.decimals(
    min_value=Decimal("-1e9"), max_value=Decimal("1e9"), allow_nan=False, allow_infinity=False, places=3
)
UNITS = st.sampled_from(["kg", "mm", "V", "Ah", "kWh", "°C", "%", "kg CO2e/kWh", "EUR/kWh", "MJ", "mJ", "wt%"])
TEXTS = st.text(alphabet="0123456789.,-−+±/:x%°e \u2009\u00a0½kgmMJWhACO2ToTbisund()\n€$", max_size=60)
PROSE = st.lists(
    st.sampled_from(
        [
            "about",
            "at",
            "least",
            "5",
            "5.5",
            "1,234",
            "1.234",
            "kg",
            "MJ",
            "mJ",
            "%",
            "from",
            "to",
            "between",
            "and",
            "-20",
            "°C",
            "±",
            "one",
            "third",
            "3rd",
            "LFP-48",
            "CO2",
            "EN",
            "50604-1:2016",
            "2026-03-01",
            "in",
            "2024",
            "01/03/2026",
            "two",
            "hundred",
            "half",
            "a",
            "dozen",
            "million",
            "per",
            "kWh",
            "x",
            "/",
            ":",
            "not",
            "no",
            "more",
            "than",
            "zwei",
            "mindestens",
            "Mio.",
            "$",
            "EUR",
            "½",
            "10^6",
            "1e3",
            "(a)",
            "Type",
            "2",
        ]
    ),
    max_size=24,
).map(" ".join)
ONE = st.one_of(TEXTS, PROSE)


def formats(value):
    """Return ways to write a value, with their locale."""
    plain = f"{value:f}"
    sign, digits = ("-", plain[1:]) if plain.startswith("-") else ("", plain)
    whole, _, decimals = digits.partition(".")
    groups = re.sub(r"(?<=\d)(?=(\d{3})+$)", "G", whole)
    tail = decimals or None
    yield plain, "en"
    yield sign + groups.replace("G", ",") + ("." + tail if tail else ""), "en"
    yield sign + groups.replace("G", ".") + ("," + tail if tail else ""), "de"
    yield sign + groups.replace("G", "\u2009") + ("." + tail if tail else ""), "en"
    yield sign.replace("-", "\u2212") + digits, "en"


@given(VALUES)
def test_a_value_is_read_back_from_each_way_to_write_it(value):
    for text, locale in formats(value):
        number = read_number(text, 0, locale)
        assert isinstance(number, Number)
        assert number.value == value
        assert number.span == (0, len(text))


@given(VALUES, UNITS)
def test_what_is_written_is_what_is_held(value, unit):
    for text, locale in formats(value):
        (quantity,) = quantities_of(f"{text} {unit}", locale)
        assert compare_quantities(quantity, single_quantity(value, unit_named(unit))).outcome == "same"


@given(VALUES, VALUES, UNITS, UNITS)
def test_only_equal_values_in_units_that_meet_hold(one, other, unit, second):
    said, held = single_quantity(one, unit_named(unit)), single_quantity(other, unit_named(second))
    if compare_quantities(said, held).holds:
        assert convert(one, said.unit, held.unit) == other
    if unit == second:
        assert compare_quantities(said, held).holds == (one == other)


@given(st.integers(1, 9999), st.integers(0, 9), UNITS)
def test_a_tail_of_the_digits_is_another_value(whole, digit, unit):
    (held,) = quantities_of(f"{whole}.{digit}5 {unit}", "en")
    (said,) = quantities_of(f"{digit}5 {unit}", "en")
    assert not compare_quantities(said, held).holds


@given(VALUES, st.sampled_from(sorted(unit_table().scales)), st.sampled_from(sorted(unit_table().scales)))
def test_a_conversion_there_and_back_is_the_value(value, one, other):
    first, second = unit_named(one), unit_named(other)
    if first is None or second is None:
        return
    there = convert(value, first, second)
    assert (there is None) or comparable(first, second)
    if there is not None:
        assert convert(there, second, first) == value


@given(VALUES, st.sampled_from(["at least", "more than", "at most", "less than", "about", "up to", "nearly"]))
def test_a_bound_is_never_the_value_itself(value, words):
    (said,) = quantities_of(f"{words} {value:f} mm", "en")
    (held,) = quantities_of(f"{value:f} mm", "en")
    if words != "about":
        assert compare_quantities(said, held).outcome in {"comparator_differs", "number_differs"}
    assert not compare_quantities(held, said).holds
    assert compare_quantities(said, said).outcome == "same"


@given(ONE)
def test_mentions_keep_their_characters_and_their_order_and_share_none(text):
    mentions = mentions_of(text)
    spans = sorted(one.span for kind in (mentions.quantities, mentions.dates, mentions.identifiers) for one in kind)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one.text == text[slice(*one.span)] for one in mentions.identifiers)
    assert all(
        one.written == text[slice(*one.span)] for one in mentions.quantities if isinstance(one, AmbiguousQuantity)
    )
    values = sorted(
        number.span for one in mentions.quantities if not isinstance(one, AmbiguousQuantity) for number in one.numbers
    )
    assert all(one == other or one[1] <= other[0] for one, other in pairwise(values))


@given(ONE)
def test_each_digit_belongs_to_a_quantity_a_date_or_a_name(text):
    mentions = mentions_of(text)
    owned = set()
    for kind in (mentions.quantities, mentions.dates, mentions.identifiers):
        for one in kind:
            owned |= set(range(*one.span))
    for run in re.finditer(r"[0-9]+", text):
        inside_word = re.search(r"[^\W\d][\w]*$", text[: run.start()]) is not None
        assert inside_word or owned.issuperset(range(*run.span())), text[max(0, run.start() - 10) : run.end() + 10]


@given(ONE)
def test_a_quantity_compares_with_itself_as_the_same_or_undecided(text):
    for quantity in quantities_of(text):
        expected = {"undecided"} if isinstance(quantity, AmbiguousQuantity) else {"same"}
        assert compare_quantities(quantity, quantity).outcome in expected


@given(ONE, st.sampled_from(["en", "de", "unknown"]))
def test_reading_raises_nothing(text, locale):
    mentions_of(text, locale)
    cue_mentions(text)
    locale_of(text)


MEBIBYTE = 1 << 20
#: Pieces that invite an expression to go back and forth; each repeated to a mebibyte.
SPARSE = ["1", "a-", "1.", "1\u2009000", "a@", "hundert", "zweiund", "- ", "urn:"]
#: Pieces that make a quantity or a cue every few characters; fewer of them, as each costs what it costs.
DENSE = [
    "1 kg ",
    "1 to ",
    "-1",
    "1/2",
    "1 ± ",
    "01/",
    "one hundred ",
    "1 million million ",
    "EUR 1 ",
    "EN 1 ",
    "not ",
    "in 2024 ",
    "1 March ",
    "between ",
    "1 x ",
]
READERS = [tokens_of, dates_of, identifiers_of, quantities_of, cue_mentions, locale_of]


def seconds(reader, text):
    # The collector looks at all that a test run holds, again and again; that is no cost of reading.
    gc.disable()
    try:
        start = time.process_time()
        reader(text)
        return time.process_time() - start
    finally:
        gc.enable()


@pytest.mark.slow  # A mebibyte of each piece through each reader.
@pytest.mark.parametrize("reader", READERS)
def test_no_mebibyte_is_too_hard(reader):
    spent = {piece: seconds(reader, (piece * (MEBIBYTE // len(piece) + 1))[:MEBIBYTE]) for piece in SPARSE}
    assert max(spent.values()) < 8, spent


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("piece", DENSE)
def test_cost_grows_with_the_text(reader, piece):
    size = 1 << 13
    small = min(seconds(reader, piece * (size // len(piece))) for _ in range(3))
    large = min(seconds(reader, piece * (size * 4 // len(piece))) for _ in range(2))
    # Linear is 4, quadratic 16; the clock is coarse and the machine shared.
    assert large < 10 * max(small, 0.01)
