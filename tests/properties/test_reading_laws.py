"""Laws of reading and writing: what is strict JSON, exact numbers, texts that keep what was not changed.

The second opinion on reading is the standard library made strict.
"""

import codecs
import json
import math
import random
import re
from collections import Counter
from decimal import Decimal, InvalidOperation

import pytest
from hypothesis import assume, event, example, given, settings
from hypothesis import strategies as st

from tests.properties.json_texts import RECORD_TEXTS, SPACES, TEXTS, Layout, spans, without, written
from tests.properties.oracles import at, copied, nodes, pointer_of, same, spelled, tokens_of
from veracord import InputError
from veracord.records.intake import from_python
from veracord.records.pointers import get, join, split
from veracord.records.reading import (
    MAX_DEPTH,
    MAX_EXPONENT,
    MAX_INTEGER_DIGITS,
    read_record,
    read_value,
)
from veracord.records.values import canonical, equal
from veracord.records.writing import splice, write_json

NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9]+(\.[0-9]+)?(?:[eE]([+-]?[0-9]+))?', re.DOTALL)


class NotStrictError(Exception):
    """What the second opinion refuses."""


def strictly(data):
    """Read JSON with the standard library, refusing what strict JSON refuses."""
    text = decoded(data)
    try:
        value = json.loads(text, parse_constant=refuse, object_pairs_hook=unique, parse_float=exactly, parse_int=whole)
    except (ValueError, RecursionError) as error:
        raise NotStrictError(str(error)) from None
    check(value, MAX_DEPTH)
    for match in NUMBER.finditer(text):
        if match[2] and abs(int(match[2])) > MAX_EXPONENT:
            raise NotStrictError("exponent")
    return value


def decoded(data):
    mark, name = next((mark, name) for mark, name in MARKS if data.startswith(mark))
    if name is None:
        raise NotStrictError("UTF-32")
    try:
        return data[len(mark) :].decode(name)
    except UnicodeDecodeError as error:
        raise NotStrictError(str(error)) from None


MARKS = [
    *((codecs.BOM_UTF32_LE, None), (codecs.BOM_UTF32_BE, None), (codecs.BOM_UTF16_LE, "utf-16-le")),
    *((codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF8, "utf-8"), (b"", "utf-8")),
]


def refuse(name):
    raise NotStrictError(name)


def exactly(text):
    try:
        return Decimal(text)
    except InvalidOperation:
        raise NotStrictError(text) from None


def whole(text):
    if len(text.lstrip("-")) > MAX_INTEGER_DIGITS:
        raise NotStrictError("digits")
    return int(text)


def unique(pairs):
    if len(dict(pairs)) < len(pairs):
        raise NotStrictError("twice")
    return dict(pairs)


def check(value, levels):
    if isinstance(value, dict | list):
        if levels == 0:
            raise NotStrictError("depth")
        for item in value.values() if isinstance(value, dict) else value:
            check(item, levels - 1)
    for text in value if isinstance(value, dict) else [value]:
        if isinstance(text, str) and any(0xD800 <= ord(c) <= 0xDFFF for c in text):
            raise NotStrictError("surrogate")


def agrees(data):
    """Whether both opinions refuse, or both give the same value; returns whether they gave one."""
    try:
        expected = strictly(data)
    except NotStrictError:
        with pytest.raises(InputError) as refused:
            read_value(data)
        assert "\n" not in str(refused.value)
        return False
    found = read_value(data)
    assert spelled(found) == spelled(expected)
    return True


# ---- reading ------------------------------------------------------------------------------------


def error_of(read, data):
    """Return the input error that reading ends with, or None; any other error goes on."""
    try:
        read(data)
    except InputError as error:
        return error
    return None


@settings(max_examples=600)
@given(st.one_of(st.binary(max_size=60), st.text(max_size=40).map(str.encode)))
@example(b"")
@example(b"\xff\xfe")
@example(b"\xff\xfe{\x00}")
@example(b"\xfe\xff\xd8\x00")
@example(b"\x00\x00\xfe\xff")
@example(b'{"a":1,"a":2}')
@example(b'{"a":1,"\\u0061":2}')
@example(b"1e100001")
@example(b"[1e-100001]")
@example(b"[1e99999999999999999999999]")
@example(b"[-]")
@example(b'["\\ud800"]')
@example(b'["\\ude00\\ud83d"]')
@example(b'"\\')
@example(b"\xef\xbb\xbf\xef\xbb\xbf1")
@example(b"\xed\xa0\x80")
def test_arbitrary_bytes_are_read_or_refused_with_an_input_error(data):
    for read in (read_value, read_record):
        error = error_of(read, data)
        if error is not None:
            assert error.what
            assert error.code
            assert "\n" not in str(error)


@settings(max_examples=400)
@given(TEXTS, SPACES, SPACES)
def test_strict_json_reads_as_the_second_opinion_reads_it(text, before, after):
    assert agrees(f"{before}{text}{after}".encode())


@st.composite
def mutated(draw):
    """Return JSON text in which some bytes were deleted, doubled, exchanged or put in."""
    data = bytearray(draw(TEXTS).encode())
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(data)))
        match draw(st.integers(0, 3)):
            case 0:
                del data[place : place + draw(st.integers(1, 3))]
            case 1:
                data[place:place] = draw(st.sampled_from(INSERTS))
            case 2:
                data[place:place] = data[place : place + 4]
            case 3 if place < len(data):
                data[place] = draw(st.integers(0, 255))
    return bytes(data)


INSERTS = [
    *(b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"-", b"+", b".", b"0", b"00", b"e", b"E9"),
    *(b"e100001", b"e-100000", b"NaN", b"Infinity", b"-Infinity", b"true", b"nul", b"/*c*/", b"//"),
    *(b"\xef\xbb\xbf", b"\xff", b"\xc3\xa4", b"\xed\xa0\x80", b"\\ud800", b"\\uDC00", b"\\u00", b"\x00"),
    *(b"\n", b"\x0b", b"\x0c", b"\xc2\xa0", b"'a'", b'"a":1', b',"a":1', b"\\x41", b"#", b"9" * 25),
]


@settings(max_examples=800)
@given(mutated())
def test_damaged_json_is_judged_as_by_the_second_opinion(data):
    event("still JSON" if agrees(data) else "refused")


@settings(max_examples=200)
@given(TEXTS, st.sampled_from(["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32", "latin-1"]))
def test_other_encodings_are_judged_as_by_the_second_opinion(text, encoding):
    data = text.encode(encoding, "replace")
    if encoding in ("utf-16-le", "utf-16-be"):
        assume(not text.startswith("\ufeff"))
        data = (codecs.BOM_UTF16_LE if encoding.endswith("le") else codecs.BOM_UTF16_BE) + data
    agrees(data)


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("9" * 4300, True),
        ("-" + "9" * 4300, True),
        ("9" * 4301, False),
        ("0." + "9" * 6000, True),
        ("9" * 4300 + ".5", True),
        ("9" * 4301 + ".5", False),  # the parser underneath counts the digits before the point
        ("9" * 4301 + "e5", False),
        ("1e100000", True),
        ("1E+100000", True),
        ("1e-100000", True),
        ("1e100001", False),
        ("-1e-100001", False),
        ("0e100001", False),
        ("0." + "0" * 100_000 + "1e100001", False),
        ("1" + "0" * 4000 + "e100001", False),
        ("1e0000000000000000000000000000000005", True),
        ("1e" + "0" * 5000 + "1", True),
        ("1e-" + "0" * 100000 + "1", True),
        ("1e" + "0" * 5000 + "100001", False),
    ],
    ids=lambda value: str(value)[:12],
)
@pytest.mark.parametrize("form", ["{}", "[{}]", '{{"a":[1,{}]}}'])
def test_limits_of_numbers_hold_wherever_the_number_stands(text, is_read, form):
    data = form.format(text).encode()
    if is_read:
        value = read_value(data)
        assert same(read_value(write_json(value)), value)
    else:
        with pytest.raises(InputError, match="number_too_large"):
            read_value(data)


@pytest.mark.parametrize(("before", "after"), [("[", "]"), ('{"a":', "}"), ('[{"b":[', "]}]")])
@pytest.mark.parametrize("inner", ["1", '"x"', "null"])
def test_there_may_be_128_levels_and_no_more(before, after, inner):
    step = before.count("[") + before.count("{")
    fits = 128 // step
    rest = 128 - fits * step
    text = "[" * rest + before * fits + inner + after * fits + "]" * rest
    assert read_value(text.encode()) is not None
    for deeper in (f"[{text}]", text.replace(inner, "[]", 1), text.replace(inner, "{}", 1)):
        with pytest.raises(InputError, match="too_deep"):
            read_value(deeper.encode())


@pytest.mark.parametrize("count", [129, 200, 1000, 100_000])
def test_what_is_too_deep_is_refused_whatever_follows(count):
    for text in ("[" * count, '{"a":' * count, "[" * count + "]" * count + "x"):
        with pytest.raises(InputError):
            read_value(text.encode())


@settings(max_examples=150)
@given(st.one_of(mutated(), st.binary(max_size=30)))
def test_an_error_names_a_place_inside_the_text(data):
    lines = data.split(b"\n")
    error = error_of(read_value, data)
    if error is None:
        return
    found = re.search(r"line (\d+) column (\d+)", error.where)
    if found is None:
        assert error.code in ("wrong_encoding", "too_deep", "too_large")
        return
    line, column = int(found[1]), int(found[2])
    assert 1 <= line <= len(lines)
    assert 1 <= column <= len(lines[line - 1]) + 2


# ---- numbers ------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(TEXTS)
def test_numbers_survive_reading_and_writing(text):
    value = read_value(text.encode())
    again = read_value(write_json(value))
    assert same(again, value)
    assert equal(again, value)


@settings(max_examples=300)
@given(
    st.one_of(
        st.integers(),
        st.decimals(allow_nan=False, allow_infinity=False),
        st.floats(allow_nan=False, allow_infinity=False),
    )
)
def test_a_number_keeps_its_value_from_python_to_json(number):
    value = from_python(number)
    shown = Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
    assert Decimal(value) == shown
    assert Decimal(json.loads(write_json(value), parse_float=Decimal, parse_int=Decimal)) == shown


# ---- texts that are changed ----------------------------------------------------------------------


NEW_NAMES = st.sampled_from(["new", "", "0", "a/b", "~1", 'ü\n"', "\\u0041"])


@st.composite
def edited(draw):
    """Return a JSON text and what to set in it: replaced values, and new members of objects."""
    text = draw(st.one_of(TEXTS, RECORD_TEXTS))
    value = read_value(text.encode())
    places = [(), *nodes(value)]
    edits = {}
    for chosen in draw(st.lists(st.sampled_from(places), max_size=3, unique=True)):
        is_new = isinstance(at(value, chosen), dict) and draw(st.booleans())
        place = (*chosen, draw(NEW_NAMES)) if is_new else chosen
        if not any(place[: len(p)] == p or p[: len(place)] == place for p in edits):
            edits[place] = read_value(draw(TEXTS).encode())
    return text, edits


@settings(max_examples=250)
@given(edited(), SPACES, SPACES)
def test_a_changed_text_keeps_everything_else(case, before, after):
    text, edits = case
    text = f"{before}{text}{after}"
    value = read_value(text.encode())
    new = splice(text, edits)
    assert same(read_value(new.encode()), changed(value, edits))
    added = {place for place in edits if place and place[-1] not in parent_names(value, place)}
    set_again = edits.keys() - added
    assert without(new, added, set_again) == without(text, set(), set_again)


def parent_names(value, place):
    parent = at(value, place[:-1])
    return parent if isinstance(parent, dict) else [str(n) for n in range(len(parent))]


def changed(value, edits):
    out = copied(value)
    for place, new in edits.items():
        if not place:
            return new
        parent = at(out, place[:-1])
        parent[int(place[-1]) if isinstance(parent, list) else place[-1]] = new
    return out


@settings(max_examples=200)
@given(RECORD_TEXTS)
def test_a_text_without_edits_stays_the_same(text):
    assert splice(text, {}) == text


@settings(max_examples=200)
@given(TEXTS, st.integers(0, 1000))
def test_every_layout_of_a_value_reads_the_same(text, seed):
    value = read_value(text.encode())
    assert same(read_value(written(value, Layout(seed)).encode()), value)


# ---- Python objects -----------------------------------------------------------------------------

PYTHON = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
        *(st.floats(), st.decimals(), st.binary(max_size=2), st.sampled_from([1j, {1}, object])),
        st.text(st.characters(), max_size=3),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.text(st.characters(), max_size=3), inner, max_size=3),
        st.dictionaries(st.integers(), inner, max_size=1),
    ),
    max_leaves=8,
)


@settings(max_examples=500)
@given(PYTHON)
def test_python_objects_become_json_or_are_refused(value):
    try:
        made = from_python(value)
    except InputError:
        assert not is_json(value)
        return
    assert is_json(value)
    assert shares_nothing(made, value)
    assert same(read_value(write_json(made)), made)


def is_json(value):
    if isinstance(value, dict):
        return all(isinstance(n, str) and is_json(n) and is_json(v) for n, v in value.items())
    if isinstance(value, list | tuple):
        return all(map(is_json, value))
    if isinstance(value, str):
        return not any(0xD800 <= ord(c) <= 0xDFFF for c in value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, Decimal):
        return value.is_finite() and abs(value.as_tuple().exponent) <= MAX_EXPONENT
    return value is None or isinstance(value, bool | int)


def shares_nothing(made, value):
    if isinstance(made, dict):
        return made is not value and all(shares_nothing(made[n], value[n]) for n in made)
    if isinstance(made, list):
        return made is not value and all(map(shares_nothing, made, value))
    return True


# ---- canonical form -----------------------------------------------------------------------------


@settings(max_examples=300)
@given(TEXTS, st.integers(0, 1000))
def test_equal_values_have_the_same_canonical_form(text, seed):
    value = read_value(text.encode())
    other = read_value(written(turned(value, random.Random(seed)), Layout(seed)).encode())
    assert canonical(value) == canonical(other)
    assert same(read_value(canonical(value)), value)
    assert canonical(read_value(canonical(value))) == canonical(value)


def turned(value, rng):
    if isinstance(value, dict):
        return {name: turned(value[name], rng) for name in rng.sample(list(value), len(value))}
    return [turned(item, rng) for item in value] if isinstance(value, list) else value


NEAR = st.sampled_from(
    [
        *("0", "-0", "0.0", "0e5", "1", "1.0", "10e-1", "true", "false", "null", '"1"', '"true"', '""'),
        *("[]", "{}", "[0]", "[[]]", '{"a":1}', '{"a":1.0}', '{"b":1}', '{"a":true}', '["a"]', '"a"'),
        *("1e400", "10e399", "1e-7", "0.0000001", "9007199254740993", "9007199254740992", "0.1"),
        *("0.10", "0.1000000000000000055511151231257827", '"\\u00e9"', '"e\\u0301"', '"\\ud83d\\ude00"'),
        *('"\\u0000"', '"\\n"', '"/"', '"\\/"', '"\\u007f"', '"\\u2028"', "18446744073709551616"),
        *("18446744073709551615", "1.8446744073709551616e19", '{"a":1,"b":2}', '{"b":2,"a":1}'),
        *("9" * 500, "9" * 499 + "8", "1e499", "1" + "0" * 499),
    ]
)


@settings(max_examples=500)
@given(st.one_of(NEAR, TEXTS), st.one_of(NEAR, TEXTS))
def test_values_have_the_same_canonical_form_only_if_they_are_equal(one, other):
    first, second = read_value(one.encode()), read_value(other.encode())
    is_same = same(first, second)
    event("equal" if is_same else "different")
    assert (canonical(first) == canonical(second)) is is_same
    assert equal(first, second) is is_same
    assert equal(second, first) is is_same


@settings(max_examples=200)
@given(RECORD_TEXTS)
def test_the_canonical_form_is_compact_and_sorted(text):
    form = canonical(read_value(text.encode()))
    value = strictly(form)
    for place, span in spans(form.decode()).items():
        assert span.start == 0 or form.decode()[span.start] != " "
        node = at(value, place)
        if isinstance(node, dict):
            assert list(node) == sorted(node)
    assert not re.sub(rb'"(?:[^"\\]|\\.)*"', b"", form, flags=re.DOTALL).count(b" ")


# ---- pointers -----------------------------------------------------------------------------------


@settings(max_examples=300)
@given(st.lists(st.text(st.sampled_from("~/01a+ ü"), max_size=4)).map(tuple))
def test_pointers_and_tokens_are_the_same_thing(tokens):
    pointer = join(tokens)
    assert pointer == pointer_of(tokens)
    assert split(pointer) == tokens == tokens_of(pointer)


@settings(max_examples=150)
@given(RECORD_TEXTS)
def test_every_place_of_a_value_is_found_by_its_pointer(text):
    value = read_value(text.encode())
    found = Counter()
    for place in nodes(value):
        assert get(value, split(join(place))) is at(value, place)
        found[join(place)] += 1
    assert all(count == 1 for count in found.values())
