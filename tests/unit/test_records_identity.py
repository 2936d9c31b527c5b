"""Identity: what members are compared by, which key decides, trade item numbers, and levels."""

from decimal import Decimal

import pytest

from veracord.records.identity import BROKEN, LEVELS, Identity, Member, normal_form
from veracord.records.values import MISSING

ID, MAKER, MODEL, GTIN = ("id",), ("maker",), ("model",), ("gtin",)


def check_digit(body):
    """Compute the last digit of a trade item number: weights 3 and 1 from the right."""
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(body)))
    return str(-total % 10)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("A", "A"), (" A\t\n", "A"), ("\u00a0A", "A"), ("Mo\u0308", "M\u00f6"), (1, Decimal("1.0"))),
        *((Decimal("1E+2"), 100), ([1, Decimal("2.0")], [1, 2]), ({"a": 1, "b": 2}, {"b": 2, "a": 1})),
        *(("\u212b", "\u00c5"), (True, True)),
    ],
)
def test_members_that_are_the_same(one, other):
    assert normal_form(one) == normal_form(other)
    assert normal_form(one) is not MISSING


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("A", "a"), ("A B", "A  B"), ("AB", "A B"), ("1", 1), ("1", "1.0"), ("01", "1"), (1, True)),
        *((0, False), ("A-1", "A\u20101"), ("ß", "ss"), ("ﬁ", "fi"), ("１", "1"), ("A\u200b", "A")),
        *(([1, 2], [2, 1]), ("true", True), ("null", "nil"), ("A,", "A")),
    ],
)
def test_members_that_differ(one, other):
    assert normal_form(one) != normal_form(other)


@pytest.mark.parametrize("value", [MISSING, None, "", " ", "\t\n ", "\u00a0", [], {}])
def test_members_that_say_nothing(value):
    assert normal_form(value) is MISSING
    assert normal_form(value, is_gtin=True) is MISSING


@pytest.mark.parametrize("value", [0, False, "0", [None], {"a": None}])
def test_members_that_say_little_are_members(value):
    assert normal_form(value) is not MISSING


# ---- trade item numbers --------------------------------------------------------------------------

BODIES = ["4006381", "40063813339", "400638133393", "1400638133393", "0000001", "000000000001", "9509990000010"[:-1]]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("wrong", range(10))
def test_only_the_right_check_digit_makes_a_number(body, wrong):
    number = f"{body}{wrong}"
    is_right = str(wrong) == check_digit(body)
    assert (normal_form(number, is_gtin=True) is not BROKEN) is is_right


@pytest.mark.parametrize(
    "number",
    [
        "96385074",
        "036000291452",
        "4006381333931",
        "14006381333938",
        "9509990000010",
        "00012345600012",
        "10614141000415",
    ],
)
def test_published_numbers_are_right(number):
    assert normal_form(number, is_gtin=True) is not BROKEN


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4006381333931", "04006381333931"),
        ("96385074", "00000096385074"),
        ("036000291452", "00036000291452"),
        ("036000291452", "0036000291452"),
        (" 4006381333931 ", "4006381333931"),
        (4006381333931, Decimal(4006381333931)),
    ],
)
def test_numbers_of_different_lengths_are_the_same(one, other):
    assert normal_form(one, is_gtin=True) == normal_form(other, is_gtin=True)
    assert normal_form(one, is_gtin=True) is not BROKEN


@pytest.mark.parametrize(
    "value",
    [
        *("4006381333932", "400638133393", "40063813339310", "4006381333931x", "4006381-333931", "4006381 333931"),
        *("0", "00000000", "0000000000000", "00000000000000", "7", "123", "12345678901234567890", "-96385074"),
        *("+96385074", "9638507４", "٩٦٣٨٥٠٧٤", "96385074.0", "9.6385074E7", True, False, [96385074], {"a": 1}),
        *(0, -96385074, Decimal("96385074.5"), 10**14, 7),
    ],
)
def test_what_is_no_trade_item_number(value):
    assert normal_form(value, is_gtin=True) is BROKEN


def test_a_swap_of_neighbours_is_seen_where_the_check_digit_can_see_it():
    number = "4006381333931"
    for place in range(len(number) - 1):
        swapped = number[:place] + number[place + 1] + number[place] + number[place + 2 :]
        difference = abs(int(number[place]) - int(number[place + 1]))
        is_seen = difference not in (0, 5)
        assert (normal_form(swapped, is_gtin=True) is BROKEN) is is_seen


# ---- keys ----------------------------------------------------------------------------------------


def identity(*keys, gtin=(), **options):
    made = tuple(tuple(Member(tokens, tokens in gtin) for tokens in key) for key in keys)
    return Identity(made, **options)


TWO_KEYS = identity([ID], [MAKER, MODEL])


@pytest.mark.parametrize(
    ("record", "violating", "decides"),
    [
        ({"id": "1", "maker": "A", "model": "B"}, [], 0),
        ({"id": "1"}, [], 0),
        ({"maker": "A", "model": "B"}, [], 1),
        ({"id": " ", "maker": "A", "model": "B"}, [], 1),
        ({"id": None, "maker": "A", "model": "B"}, [], 1),
        ({"id": "1", "maker": "A", "model": "B"}, [ID], 1),
        ({"id": {"v": 1}, "maker": "A", "model": "B"}, [("id", "v")], 1),
        ({"id": "1"}, [("idx",)], 0),
        ({"maker": "A"}, [], None),
        ({"maker": "A", "model": ""}, [], None),
        ({"maker": "A", "model": "B"}, [MODEL], None),
        ({"id": "1"}, [()], 0),
        ({}, [], None),
    ],
)
def test_the_first_key_that_the_record_has_in_full_decides(record, violating, decides):
    values = TWO_KEYS.values(record, violating)
    key = TWO_KEYS.deciding_key(values)
    assert key == (None if decides is None else TWO_KEYS.keys[decides])
    assert TWO_KEYS.broken_member(values) is None


def test_a_wrong_trade_item_number_blocks_every_weaker_key():
    keys = identity([GTIN], [MAKER, MODEL], gtin=[GTIN])
    wrong = {"gtin": "4006381333932", "maker": "A", "model": "B"}
    assert keys.deciding_key(keys.values(wrong)) is None
    assert keys.broken_member(keys.values(wrong)) == GTIN
    none = {"maker": "A", "model": "B"}
    assert keys.deciding_key(keys.values(none)) == keys.keys[1]


def test_a_wrong_number_in_a_weaker_key_does_not_touch_a_stronger_one():
    keys = identity([ID], [GTIN], gtin=[GTIN])
    assert keys.deciding_key(keys.values({"id": "1", "gtin": "4006381333932"})) == keys.keys[0]


def test_no_keys_decide_nothing():
    nothing = identity()
    assert nothing.deciding_key(nothing.values({"id": "1"})) is None


def test_each_member_is_listed_once_strongest_first():
    keys = identity([ID], [MAKER, MODEL], [MAKER, ID])
    assert [member.tokens for member in keys.all_members] == [ID, MAKER, MODEL]


# ---- levels --------------------------------------------------------------------------------------

LEVELLED = identity(
    [ID],
    level=("level",),
    levels=(("model", ("m",)), ("batch", ("b",)), ("item", ("i",)), ("item", ("m", "deep"))),
)


@pytest.mark.parametrize(
    ("value", "level"),
    [
        *(("model", "model"), ("batch", "batch"), ("item", "item"), ("Item", None), ("serial", None)),
        *((1, None), (["item"], None), (None, "batch"), ("", "batch"), (MISSING, "batch")),
    ],
)
def test_the_level_of_a_record(value, level):
    levelled = identity([ID], level=("level",), default_level="batch")
    assert levelled.level_of({} if value is MISSING else {"level": value}) == level


def test_a_level_that_is_missing_without_a_default_is_none():
    assert LEVELLED.level_of({}) is None
    assert identity([ID]).level_of({"level": "item"}) is None


#: For each level of the record and of the source: which of the places /m /b /i /x may be filled.
ADMITTED = {
    ("model", "model"): "mbix",
    ("batch", "batch"): "mbix",
    ("item", "item"): "mbix",
    ("batch", "model"): "m",
    ("item", "model"): "m",
    ("item", "batch"): "mb",
    ("model", "batch"): "",
    ("model", "item"): "",
    ("batch", "item"): "",
}


@pytest.mark.parametrize("record_level", [*LEVELS, None])
@pytest.mark.parametrize("source_level", [*LEVELS, None])
def test_which_places_a_source_of_one_level_may_fill_in_a_record_of_another(record_level, source_level):
    admitted = "".join(name for name in "mbix" if LEVELLED.level_admits(record_level, source_level, (name,)))
    expected = ADMITTED.get((record_level, source_level), "")
    assert admitted == expected
    assert LEVELLED.level_can_fill(record_level, source_level) is bool(expected)


def test_the_nearest_declaration_counts():
    assert LEVELLED.declared_level(("m", "x")) == "model"
    assert LEVELLED.declared_level(("m", "deep", "x")) == "item"
    assert LEVELLED.declared_level(("mm",)) is None
    assert LEVELLED.level_admits("item", "model", ("m", "x"))
    assert not LEVELLED.level_admits("item", "model", ("m", "deep"))


def test_without_levels_every_source_may_fill_every_place():
    assert TWO_KEYS.level_admits(None, None, ("x",))
    assert TWO_KEYS.level_can_fill(None, None)
