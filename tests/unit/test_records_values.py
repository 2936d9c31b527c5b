"""Values: exact equality, what a leaf is, and the canonical form."""

import hashlib
from decimal import Decimal

import pytest

from veracord.records.values import (
    MISSING,
    canonical,
    copy,
    digest,
    equal,
    holds_objects,
    is_empty,
    is_leaf,
    is_number,
    is_scalar,
    leaves,
)

D = Decimal

#: Values in one row are equal, values of different rows are not.
KINDS = [
    [0, D("0"), D("-0"), D("0.00"), D("0E+7"), D("-0E-3")],
    [1, D("1"), D("1.0"), D("1.00"), D("10E-1"), D("0.1E+1")],
    [True],
    [False],
    [None],
    [100, D("1E+2"), D("100.0"), D("1.00E2")],
    [D("0.1"), D("0.10"), D("1E-1")],
    [D("0.1000000000000000055511151231257827")],
    [9007199254740992, D("9007199254740992")],
    [9007199254740993, D("9007199254740993.0")],
    [D("1E-7"), D("0.0000001")],
    [10**400, D("1E+400"), D("10E+399")],
    [10**400 + 1, D(10**400 + 1)],
    [10**4299, D("1E+4299")],
    [D("1E+4300"), D("10E+4299")],
    [D("1E+100000"), D("10E+99999")],
    [D("1E-100000")],
    [-1, D("-1.0")],
    [""],
    ["0"],
    ["1"],
    ["1.0"],
    ["true"],
    ["é"],
    ["e\u0301"],
    ["😀"],
    [" "],
    [[]],
    [{}],
    [[0], [D("0.0")], [D("-0")]],
    [[None]],
    [[[]]],
    [[{}]],
    [{"a": 1}, {"a": D("1.0")}],
    [{"a": True}],
    [{"a": 1, "b": 2}, {"b": 2, "a": 1}],
    [{"a": 2, "b": 1}],
    [{"b": 1}],
    [{"a": None}],
    [[1, 2], [D("1.0"), D("2E0")]],
    [[2, 1]],
    [[1, 2, 2]],
    [{"a": [{"b": D("1.50")}]}, {"a": [{"b": D("1.5")}]}],
]
ROWS = [(number, value) for number, row in enumerate(KINDS) for value in row]


@pytest.mark.parametrize(("row", "value"), ROWS, ids=lambda value: str(value)[:20])
def test_equal_values_and_only_they_have_equal_canonical_forms(row, value):
    for other_row, other in ROWS:
        assert equal(value, other) is (row == other_row), other
        assert (canonical(value) == canonical(other)) is (row == other_row), other


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({"b": 1, "a": [True, None, "x"]}, b'{"a":[true,null,"x"],"b":1}'),
        ({"é": 1, "z": 2, "😀": 3, "Z": 4, "": 5}, '{"":5,"Z":4,"z":2,"é":1,"😀":3}'.encode()),
        ({"\uffff": 1, "\U00010000": 2}, '{"\uffff":1,"\U00010000":2}'.encode()),
        ('"\\/\b\f\n\r\t\x00\x1f\x7f\u2028', b'"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\xe2\x80\xa8"'),
        (D("1.50"), b"1.5"),
        (D("1E+2"), b"100"),
        (D("-0"), b"0"),
        (D("-0.00"), b"0"),
        (10**30, b"1" + b"0" * 30),
        (D("0.1"), b"0.1"),
        ([], b"[]"),
        ({}, b"{}"),
    ],
)
def test_the_canonical_form_itself(value, form):
    assert canonical(value) == form


def test_members_are_ordered_by_code_point_at_every_depth():
    # By UTF-16 units, U+FF21 would come after the pair that spells U+10000.
    value = {"a": {"\U00010000": 1, "Ａ": 2, "B": 3}}
    assert canonical(value) == '{"a":{"B":3,"Ａ":2,"\U00010000":1}}'.encode()


def test_texts_that_look_like_numbers_stay_as_they_are():
    for text in ("1.0", "1E2", "-0", "0.10,", "1.0]", "2.0}"):
        assert canonical(text) == f'"{text}"'.encode()
        assert canonical({text: text}) == f'{{"{text}":"{text}"}}'.encode()
        assert canonical([text, D("2.0")]) == f'["{text}",2]'.encode()


@pytest.mark.parametrize(
    ("value", "leaf"),
    [
        *((scalar, True) for scalar in (None, True, 0, D("1.5"), "", "x")),
        *((array, True) for array in ([], [1], [None], [[]], [[1], ["x", [2]]], [1, "x"])),
        *((array, False) for array in ([{}], [1, {}], [[{}]], [[1, [{"a": 1}]]])),
        *(({}, True), ({"a": 1}, False), ({"a": {}}, False)),
    ],
)
def test_a_leaf_is_a_scalar_an_array_without_objects_or_an_empty_container(value, leaf):
    assert is_leaf(value) is leaf
    assert holds_objects(value) is (isinstance(value, list) and not leaf)


def test_leaves_come_in_the_order_of_the_value():
    value = {"z": 1, "a": {"b": [1, 2], "": {}}, "r": [{"k": 1}, 5, [{}]], "e": []}
    assert list(leaves(value)) == [
        (("z",), 1),
        (("a", "b"), [1, 2]),
        (("a", ""), {}),
        (("r", "0", "k"), 1),
        (("r", "1"), 5),
        (("r", "2", "0"), {}),
        (("e",), []),
    ]
    assert list(leaves("x")) == [((), "x")]
    assert list(leaves({})) == [((), {})]


@pytest.mark.parametrize("value", [None, "", [], {}])
def test_empty_values(value):
    assert is_empty(value)


@pytest.mark.parametrize("value", [0, False, " ", [None], {"a": None}, D(0), "0"])
def test_values_that_are_not_empty(value):
    assert not is_empty(value)


def test_a_boolean_is_no_number():
    assert is_number(0)
    assert is_number(D("0.5"))
    for value in (True, False, None, "1", 1.5, [], MISSING):
        assert not is_number(value)


def test_scalars():
    assert all(map(is_scalar, (None, True, 1, "x")))
    assert not any(map(is_scalar, ([], {})))


def test_a_copy_shares_no_container():
    value = {"a": [1, {"b": []}], "c": {}}
    made = copy(value)
    assert made == value
    made["a"][1]["b"].append(1)
    made["c"]["d"] = 1
    assert value == {"a": [1, {"b": []}], "c": {}}


def test_the_canonical_form_leaves_the_value_alone():
    value = {"b": [D("1.0")], "a": D("1E+2")}
    canonical(value)
    assert str(value) == "{'b': [Decimal('1.0')], 'a': Decimal('1E+2')}"


def test_a_digest_names_its_method():
    assert digest(b"x") == f"sha256:{hashlib.sha256(b'x').hexdigest()}"
