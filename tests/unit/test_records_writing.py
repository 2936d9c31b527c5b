"""Writing: exact numbers, and texts in which only what was set is changed."""

import json
from decimal import Decimal

import pytest

from veracord.records.reading import read_value
from veracord.records.writing import raw, splice, write_json

D = Decimal


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (D("1.50"), "1.50"),
        (D("1E+2"), "1E+2"),
        (D("-0"), "-0"),
        (D("0.1000"), "0.1000"),
        (D("1E-7"), "1E-7"),
        (D("1E+400"), "1E+400"),
        (12345678901234567890123456789, "12345678901234567890123456789"),
        (-(2**64), "-18446744073709551616"),
        (True, "true"),
        (None, "null"),
        ('ä\u2028\n"\\', '"ä\u2028\\n\\"\\\\"'),
        ({"b": 1, "a": [D("2.0"), {}]}, '{"b":1,"a":[2.0,{}]}'),
        ([], "[]"),
        ("", '""'),
    ],
)
def test_values_are_written_compactly_and_exactly(value, text):
    assert write_json(value).decode() == text
    assert read_value(text.encode()) == value


def test_numbers_keep_all_their_digits():
    digits = "0." + "123456789" * 40
    assert write_json(D(digits)).decode() == digits
    assert write_json(10**4299).decode() == "1" + "0" * 4299


def test_text_that_is_wrapped_is_copied_as_it_is():
    assert write_json({"a": raw(b'{ "x": 1.0 }')}) == b'{"a":{ "x": 1.0 }}'


PRETTY = """{
  "a": 1.50,
  "b": {
    "c" : [1, 2.0 , {"d": 1E+2}],
    "e": {}
  },
  "f": []
}
"""


@pytest.mark.parametrize(
    ("edits", "old", "new"),
    [
        ({("a",): 2}, '"a": 1.50', '"a": 2'),
        ({("a",): D("2.0")}, '"a": 1.50', '"a": 2.0'),
        ({("a",): {"x": [1]}}, '"a": 1.50', '"a": {"x":[1]}'),
        ({("b", "c", "0"): "ä"}, "[1,", '["ä",'),
        ({("b", "c", "1"): None}, "2.0 ,", "null ,"),
        ({("b", "c", "2", "d"): 0}, "1E+2", "0"),
        ({("b", "c", "2"): 0}, '{"d": 1E+2}', "0"),
        ({("b", "c"): []}, '[1, 2.0 , {"d": 1E+2}]', "[]"),
        ({("b", "e"): 5}, '"e": {}', '"e": 5'),
        ({("f",): [1]}, '"f": []', '"f": [1]'),
        # A new member takes the layout of the one before it.
        ({("g",): 1}, '"f": []\n', '"f": [],\n  "g": 1\n'),
        ({("h",): 2, ("g",): 1}, '"f": []\n', '"f": [],\n  "g": 1,\n  "h": 2\n'),
        ({("b", "x"): 1}, '"e": {}\n', '"e": {},\n    "x": 1\n'),
        ({("b", "c", "2", "x"): 1}, '{"d": 1E+2}', '{"d": 1E+2,"x": 1}'),
        ({("b", "e", "x"): 1}, '"e": {}', '"e": {"x":1}'),
        ({("b", "e", "x"): 1, ("b", "e", "w"): 2}, '"e": {}', '"e": {"w":2,"x":1}'),
        ({("g/~",): 1}, '"f": []\n', '"f": [],\n  "g/~": 1\n'),
        ({("",): 1}, '"f": []\n', '"f": [],\n  "": 1\n'),
    ],
)
def test_only_what_is_set_is_changed(edits, old, new):
    assert PRETTY.count(old) == 1
    assert splice(PRETTY, edits) == PRETTY.replace(old, new)


def test_many_places_at_once():
    edits = {("a",): 0, ("b", "c", "1"): 0, ("b", "c", "2", "d"): 0, ("b", "new"): 0, ("f",): 0}
    text = splice(PRETTY, edits)
    assert text == (
        '{\n  "a": 0,\n  "b": {\n    "c" : [1, 0 , {"d": 0}],\n    "e": {},\n    "new": 0\n  },\n  "f": 0\n}\n'
    )


@pytest.mark.parametrize(
    ("text", "edits", "new"),
    [
        ("{}", {("a",): 1}, '{"a":1}'),
        ("{ }", {("a",): 1}, '{"a":1 }'),
        (" {\n} ", {("a",): 1}, ' {"a":1\n} '),
        ('{"a":1}', {("b",): 2}, '{"a":1,"b":2}'),
        ('{"a":1 }', {("b",): 2}, '{"a":1,"b":2 }'),
        ('{ "a" : 1 }', {("b",): 2}, '{ "a" : 1, "b" : 2 }'),
        ('{"a":1}', {(): 5}, "5"),
        (" 7 ", {(): [1]}, " [1] "),
        ("[1,2,3]", {("2",): 9, ("0",): 7}, "[7,2,9]"),
        ("[ [ [ 1 ] ] ]", {("0", "0", "0"): 2}, "[ [ [ 2 ] ] ]"),
        ('{"0": [1], "1": {"0": 2}}', {("0", "0"): 5, ("1", "0"): 6}, '{"0": [5], "1": {"0": 6}}'),
        ('{"a\\u002fb": 1}', {("a/b",): 2}, '{"a\\u002fb": 2}'),
        ('{"\\ud83d\\ude00": 1}', {("😀",): 2}, '{"\\ud83d\\ude00": 2}'),
        ('{"a": "}]\\"{,", "b": 1}', {("b",): 2}, '{"a": "}]\\"{,", "b": 2}'),
        ('{"a": "\\\\", "b": 1}', {("b",): 2}, '{"a": "\\\\", "b": 2}'),
        ('{"a": [{"b": 1}, {"b": 1}]}', {("a", "1", "b"): 2}, '{"a": [{"b": 1}, {"b": 2}]}'),
        ('{"a": tr' + 'ue, "b": null}', {("a",): None, ("b",): False}, '{"a": null, "b": false}'),
        ('{"a":-0,"b":1e5}', {("c",): 1}, '{"a":-0,"b":1e5,"c":1}'),
    ],
)
def test_layouts(text, edits, new):
    assert splice(text, edits) == new
    assert json.loads(new) is not ...


def test_digits_that_the_standard_library_would_not_read_are_passed_over():
    text = '{"a": ' + "9" * 4300 + ', "b": 1e100000, "c": 1}'
    assert splice(text, {("c",): 2}) == text.replace('"c": 1', '"c": 2')


def test_a_text_of_128_levels_is_passed_over():
    text = '{"deep": ' + "[" * 127 + "]" * 127 + ', "c": 1}'
    assert splice(text, {("c",): 2}).endswith(', "c": 2}')
