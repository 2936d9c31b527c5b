"""Pointers: what is one, what it names, and what only looks like it."""

import pytest

from veracord.records.pointers import (
    escape,
    get,
    index_of,
    is_pointer,
    is_under,
    join,
    split,
    step,
)
from veracord.records.values import MISSING

#: The document and the pointers of RFC 6901, section 5.
DOCUMENT = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", DOCUMENT),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_the_examples_of_the_rfc(pointer, value):
    assert get(DOCUMENT, split(pointer)) == value
    assert join(split(pointer)) == pointer


@pytest.mark.parametrize(
    ("pointer", "tokens"),
    [
        ("", ()),
        ("/", ("",)),
        ("//", ("", "")),
        ("/a/", ("a", "")),
        ("/~01", ("~1",)),
        ("/~10", ("/0",)),
        ("/~1~0", ("/~",)),
        ("/0/01/-", ("0", "01", "-")),
        ("/ü/\n", ("ü", "\n")),
    ],
)
def test_a_pointer_is_split_and_joined(pointer, tokens):
    assert split(pointer) == tokens
    assert join(tokens) == pointer
    assert is_pointer(pointer)


@pytest.mark.parametrize("text", ["a", "a/b", " /a", "#/a", "/~", "/~2", "/a~", "/~01~", "/a~b/~0"])
def test_what_is_no_pointer_is_refused(text):
    with pytest.raises(ValueError, match=r"pointer"):
        split(text)
    assert not is_pointer(text)


@pytest.mark.parametrize(
    ("token", "index"),
    [
        *(("0", 0), ("1", 1), ("17", 17), ("999999999999999999", 999999999999999999)),
        *((word, None) for word in ("", "00", "01", "-", "-1", "+1", "1.0", " 1", "1 ", "1_0", "a")),
        *((word, None) for word in ("²", "١", "９", "9" * 19, "9" * 5000)),
    ],
)
def test_only_plain_whole_numbers_are_indexes(token, index):
    assert index_of(token) == index


def test_a_step_goes_to_members_and_items_only():
    record = {"0": "member", "a": [1, {"b": None}], "t": "text", "n": None}
    assert step(record, "0") == "member"
    assert step(record, "missing") is MISSING
    assert step(record["a"], "0") == 1
    for token in ("2", "-", "-1", "01", "a", ""):
        assert step(record["a"], token) is MISSING
    for node in ("text", 1, None, True, MISSING):
        assert step(node, "0") is MISSING
    assert get(record, ("a", "1", "b")) is None
    assert get(record, ("t", "0")) is MISSING
    assert get(record, ("n", "x")) is MISSING
    assert get(MISSING, ()) is MISSING


def test_a_place_is_under_itself_and_what_is_above_it():
    assert is_under(("a", "b"), ())
    assert is_under(("a", "b"), ("a",))
    assert is_under(("a", "b"), ("a", "b"))
    assert not is_under(("a",), ("a", "b"))
    assert not is_under(("ab",), ("a",))


@pytest.mark.parametrize(("token", "text"), [("", ""), (0, "0"), (12, "12"), ("~", "~0"), ("/", "~1"), ("~1", "~01")])
def test_tokens_are_escaped(token, text):
    assert escape(token) == text
