"""Rules over several values: exact sums, comparisons and uniqueness, and where their violations stand."""

from decimal import Decimal

import pytest

from veracord.records.rules import OPERATORS, CompareRule, SumRule, UniqueRule, bind, bindings
from veracord.records.violations import Shape

D = Decimal
SHARES = ("r", "*", "s")


def paths(rule, record):
    return [finding.violation.path for finding in rule.findings(record)]


def rows(*values):
    """Return a record with one row for each value; an ellipsis makes a row without the member."""
    return {"r": [{} if value is ... else {"s": value} for value in values]}


@pytest.mark.parametrize(
    ("values", "least", "most", "holds"),
    [
        # 0.1 + 0.2 is exactly 0.3, and ten tenths are one.
        ([D("0.1"), D("0.2")], D("0.3"), D("0.3"), True),
        ([D("0.1")] * 10, 1, 1, True),
        ([D("33.3"), D("33.3"), D("33.4")], 100, 100, True),
        ([D("33.33")] * 3, 100, 100, False),
        ([D("0.1"), D("0.2")], D("0.30000000000000001"), None, False),
        # Nothing is rounded, whatever the size of the numbers.
        ([D("1E+400"), D("-1E+400"), 1], 1, 1, True),
        ([D("1E+400"), 1], D("1E+400"), D("1E+400"), False),
        ([D("1E-400"), 1], None, 1, False),
        ([D("1234567890123456789012345"), D("0.0000000000000000000000001")], None, 1234567890123456789012345, False),
        ([10**25, 1], 10**25 + 1, 10**25 + 1, True),
        ([D("1E+100000"), D("1E-100000"), D("-1E+100000")], D("1E-100000"), D("1E-100000"), True),
        # Bounds belong to the range.
        ([60, 40], 100, None, True),
        ([60, 40], None, 100, True),
        ([60, D("39.999")], 100, None, False),
        ([60, D("40.001")], None, 100, False),
        ([-5, 5], 0, 0, True),
        ([D("100.00")], 100, 100, True),
        ([D("1E+2")], 100, 100, True),
        ([-1], 0, None, False),
    ],
)
def test_a_sum_is_exact(values, least, most, holds):
    assert paths(SumRule(SHARES, least, most), rows(*values)) == ([] if holds else ["/r"])


@pytest.mark.parametrize(
    "record",
    [
        *({}, {"r": []}, {"r": None}, {"r": {"s": 1}}, {"r": 7}, rows(...), rows(1, ...), rows(1, None)),
        *(rows(1, "2"), rows(True), rows(1, [2]), {"r": [1, 2]}, {"r": [None]}, {"r": [[{"s": 1}]]}),
    ],
)
def test_a_sum_is_not_checked_without_rows_or_without_a_number_in_each(record):
    assert paths(SumRule(SHARES, 1000, 1000), record) == []


def test_a_sum_stands_at_its_array_and_names_its_operands():
    [finding] = SumRule(SHARES, 95, D("104.50")).findings(rows(50, 60))
    assert finding.violation.rule == "sum"
    assert finding.violation.path == "/r"
    assert finding.violation.message == "the sum of /s over all rows must be at least 95 and at most 104.50"
    assert finding.shape is Shape.RULE
    assert finding.reads == (("r", "0", "s"), ("r", "1", "s"))
    assert "110" not in finding.violation.message


def test_a_sum_of_the_items_themselves():
    rule = SumRule(("r", "*"), None, 5)
    assert paths(rule, {"r": [1, 2]}) == []
    assert paths(rule, {"r": [1, 5]}) == ["/r"]


def test_a_sum_of_a_member_deep_in_the_row():
    rule = SumRule(("r", "*", "a", "b~"), 3, 3)
    assert paths(rule, {"r": [{"a": {"b~": 1}}, {"a": {"b~": 2}}]}) == []
    assert paths(rule, {"r": [{"a": {"b~": 1}}, {"a": {"b~": 1}}]}) == ["/r"]


def test_an_outer_star_repeats_a_rule_for_each_row():
    rule = SumRule(("g", "*", "r", "*", "s"), 1, 1)
    record = {"g": [rows(1), rows(2), {}, rows(D("0.5"), D("0.5")), {"r": []}, rows(0), 5]}
    assert paths(rule, record) == ["/g/1/r", "/g/5/r"]
    deep = SumRule(("a", "*", "b", "*", "c", "*"), None, 1)
    assert paths(deep, {"a": [{"b": [{"c": [1]}, {"c": [2]}]}, {"b": [{"c": [1, 1]}]}]}) == ["/a/0/b/1/c", "/a/1/b/0/c"]


def test_a_member_that_is_called_star_like_an_index_is_a_member():
    assert paths(SumRule(("0", "*", "1"), 1, 1), {"0": [{"1": 2}]}) == ["/0"]


@pytest.mark.parametrize(
    ("sign", "less", "same", "more"),
    [
        *(("<", True, False, False), ("<=", True, True, False), ("==", False, True, False)),
        *(("!=", True, False, True), (">=", False, True, True), (">", False, False, True)),
    ],
)
def test_every_comparison(sign, less, same, more):
    rule = CompareRule(("a",), sign, ("b",))
    cases = [(1, 2, less), (1, 1, same), (2, 1, more)]
    cases += [(D("0.1"), D("0.10000000000000000001"), less), (D("1E+400"), D("1E+399"), more)]
    cases += [(D("1.0"), 1, same), (100, D("1E+2"), same), (D("-0.0"), 0, same), (-2, -1, less)]
    for left, right, holds in cases:
        assert paths(rule, {"a": left, "b": right}) == ([] if holds else [""])
        assert paths(CompareRule(("a",), sign, right), {"a": left}) == ([] if holds else [""])


def test_there_are_six_comparisons():
    assert set(OPERATORS) == {"<", "<=", "==", "!=", ">=", ">"}


@pytest.mark.parametrize("sign", ["<", "<=", ">=", ">"])
@pytest.mark.parametrize(
    "record",
    [
        *({}, {"a": 5}, {"b": 0}, {"a": "x", "b": "a"}, {"a": None, "b": 1}, {"a": True, "b": 0}),
        *({"a": [1], "b": 0}, {"a": 1, "b": "0"}),
    ],
)
def test_an_order_is_checked_between_numbers_only(sign, record):
    assert paths(CompareRule(("a",), sign, ("b",)), record) == []


@pytest.mark.parametrize(
    ("left", "right", "equals"),
    [
        *(("x", "x", True), ("x", "X", False), ("é", "e\u0301", False), (1, "1", False), (True, 1, False)),
        *((True, True, True), (None, None, True), (None, False, False), ([1, 2], [D("1.0"), 2], True)),
        *(({"a": 1, "b": 2}, {"b": 2, "a": 1}, True), ([1, 2], [2, 1], False), (0, False, False)),
    ],
)
def test_equality_is_checked_between_values_of_every_kind(left, right, equals):
    record = {"a": left, "b": right}
    assert (paths(CompareRule(("a",), "==", ("b",)), record) == []) is equals
    assert (paths(CompareRule(("a",), "!=", ("b",)), record) == []) is not equals


def test_equality_is_not_checked_where_one_side_is_missing():
    for sign in ("==", "!="):
        assert paths(CompareRule(("a",), sign, ("b",)), {"a": 1}) == []
        assert paths(CompareRule(("a",), sign, ("b",)), {"b": 1}) == []
        assert paths(CompareRule(("a",), sign, 1), {}) == []


@pytest.mark.parametrize(
    ("left", "right", "path"),
    [
        (("a",), ("b",), ""),
        (("o", "a"), ("o", "b"), "/o"),
        (("o", "p", "a"), ("o", "q", "b"), "/o"),
        (("o", "p", "a"), ("o", "p", "b"), "/o/p"),
        (("o", "a"), ("a",), ""),
        (("o", "a"), ("o", "p", "b"), "/o"),
        (("o", "a"), 1, "/o"),
    ],
)
def test_a_comparison_stands_at_the_object_that_holds_both(left, right, path):
    record = {"a": 1, "b": 0, "o": {"a": 5, "b": 1, "p": {"a": 5, "b": 1}, "q": {"b": 1}}}
    [finding] = CompareRule(left, "<", right).findings(record)
    assert finding.violation.path == path
    assert finding.violation.rule == "compare"
    assert finding.shape is Shape.RULE


def test_a_comparison_in_rows_binds_both_sides_to_one_row():
    rule = CompareRule(("r", "*", "low"), "<=", ("r", "*", "high"))
    record = {"r": [{"low": 1, "high": 2}, {"low": 3, "high": 2}, {"low": 3}, {"low": 9, "high": 8}]}
    assert paths(rule, record) == ["/r/1", "/r/3"]
    nested = CompareRule(("g", "*", "r", "*", "n"), "<=", ("g", "*", "most"))
    assert paths(nested, {"g": [{"most": 1, "r": [{"n": 1}, {"n": 2}]}, {"most": 0, "r": [{"n": 1}]}]}) == [
        "/g/0",
        "/g/1",
    ]
    outside = CompareRule(("r", "*", "n"), "<", ("limit",))
    assert paths(outside, {"limit": 2, "r": [{"n": 1}, {"n": 2}]}) == [""]


def test_the_words_of_a_comparison_name_places_and_never_the_value():
    [finding] = CompareRule(("a",), "<", ("b",)).findings({"a": 77, "b": 66})
    assert finding.violation.message == "/a must be < /b"
    [finding] = CompareRule(("a",), ">=", D("1.50")).findings({"a": 1})
    assert finding.violation.message == "/a must be >= 1.50"


@pytest.mark.parametrize(
    ("values", "is_unique"),
    [
        *(([], True), ([1], True), ([1, 2], True), ([1, 1], False), ([1, D("1.0")], False)),
        *(([1, "1"], True), ([1, True], True), (["é", "e\u0301"], True), ([None, None], False)),
        *(([{"a": 1, "b": 2}, {"b": 2, "a": 1}], False), ([[1, 2], [2, 1]], True), ([..., ...], True)),
        *(([1, ..., 1], False), ([1, ..., 2], True), (["", ""], False)),
    ],
)
def test_a_member_differs_from_row_to_row(values, is_unique):
    assert paths(UniqueRule(SHARES), rows(*values)) == ([] if is_unique else ["/r"])


def test_uniqueness_names_the_rows_that_have_the_member():
    [finding] = UniqueRule(SHARES).findings(rows(1, ..., 1))
    assert finding.violation.rule == "unique"
    assert finding.violation.message == "/s must differ from row to row"
    assert finding.reads == (("r", "0", "s"), ("r", "2", "s"))


def test_uniqueness_of_the_items_and_in_each_outer_row():
    assert paths(UniqueRule(("r", "*")), {"r": [1, 2, 1]}) == ["/r"]
    rule = UniqueRule(("g", "*", "r", "*", "s"))
    assert paths(rule, {"g": [rows(1, 2), rows(2, 2), rows(1)]}) == ["/g/1/r"]


@pytest.mark.parametrize("record", [{}, {"r": "x"}, {"r": {}}, {"r": [1, "x", None]}])
def test_rules_ask_nothing_of_what_is_no_array_of_objects(record):
    assert paths(UniqueRule(SHARES), record) == []


def test_stars_are_bound_in_order():
    assert bind(("a", "*", "b", "*"), ("1", "2")) == ("a", "1", "b", "2")
    assert bind(("a", "*", "b", "*"), ("1",)) == ("a", "1", "b", "*")
    assert bind(("a",), ("1",)) == ("a",)
    record = {"a": [{"b": [0, 0]}, {"b": [0]}, {}]}
    assert [place for _, place in bindings(record, ("a", "*", "b", "*"))] == [
        ("a", "0", "b", "0"),
        ("a", "0", "b", "1"),
        ("a", "1", "b", "0"),
    ]
    assert list(bindings(record, ("x",))) == [((), ("x",))]
    assert list(bindings({}, ("x", "*"))) == []
