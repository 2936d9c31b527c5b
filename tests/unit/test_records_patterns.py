"""Patterns that spell UTF-16: rewritten, they match the same texts, character by character."""

import random
import re

import jsonschema_rs
import pytest

from veracord.records.patterns import rewrite_pattern, rewrite_patterns

LAST = 0x10FFFF
#: The pattern that the schema of the Asset Administration Shell uses for texts.
AAS = (
    r"^([\x09\x0a\x0d\x20-\ud7ff\ue000-\ufffd]"
    r"|\ud800[\udc00-\udfff]|[\ud801-\udbfe][\udc00-\udfff]|\udbff[\udc00-\udfff])*$"
)


def matches(pattern, text):
    """Match a rewritten pattern by the library that validates."""
    return jsonschema_rs.validator_for({"pattern": rewrite_pattern(pattern)}).is_valid(text)


def spelled(text):
    """Return a text as UTF-16 units in angle brackets, so that a pattern over units can be tried."""
    data = text.encode("utf-16-be", "surrogatepass")
    return "".join(f"<{data[n]:02x}{data[n + 1]:02x}>" for n in range(0, len(data), 2))


def unit_pattern(pattern):
    """Return a pattern over spelled units that means what the pattern means in UTF-16."""

    def of_class(match):
        if match[1] is None:
            return f"<{match[3].lower()}>"
        low = [(int(m[1], 16), int(m[2] or m[1], 16)) for m in UNIT_RANGE.finditer(match[1])]
        return "(?:" + "|".join(f"<{n:04x}>" for a, b in low for n in range(a, b + 1)) + ")"

    return re.sub(r"\[((\\u[0-9a-fA-F]{4}-?)+)\]|\\u([0-9a-fA-F]{4})", of_class, pattern)


UNIT_RANGE = re.compile(r"\\u([0-9a-fA-F]{4})(?:-\\u([0-9a-fA-F]{4}))?")


@pytest.mark.parametrize(
    ("pattern", "rewritten"),
    [
        (r"^\ud83d\ude00$", r"^[\u{1f600}-\u{1f600}]$"),
        (r"\ud800[\udc00-\udfff]", r"[\u{10000}-\u{103ff}]"),
        (r"[\ud801-\udbfe][\udc00-\udfff]", r"[\u{10400}-\u{10fbff}]"),
        (r"\udbff[\udc00-\udfff]", r"[\u{10fc00}-\u{10ffff}]"),
        (r"\uD800[\uDC00-\uDFFF]", r"[\u{10000}-\u{103ff}]"),
        (r"[\ud800\ud802][\udc00-\udc01]", r"[\u{10000}-\u{10001}\u{10800}-\u{10801}]"),
        (r"^[a-z]+\.\u00e4$", r"^[a-z]+\.\u00e4$"),
        ("", ""),
    ],
)
def test_a_pair_becomes_the_characters_it_spells(pattern, rewritten):
    assert rewrite_pattern(pattern) == rewritten


PAIRS = [
    *(r"\ud83d\ude00", r"\ud800\udc00", r"\udbff\udfff", r"\ud800[\udc00-\udfff]"),
    *(r"[\ud801-\udbfe][\udc00-\udfff]", r"\udbff[\udc00-\udfff]", r"[\ud800-\udbff][\udc00-\udfff]"),
    *(r"\ud83c[\udde6-\uddff]", r"[\ud83c-\ud83e][\udc00-\udc10\udffe-\udfff]", r"[\ud800\ud802]\udc05"),
    r"[\ud800-\ud801\udbff][\udc00\udc02-\udc04\udfff]",
]


@pytest.mark.parametrize("pattern", PAIRS)
def test_a_rewritten_pattern_means_what_it_meant(pattern):
    by_units = re.compile(f"^{unit_pattern(pattern)}$")
    validator = jsonschema_rs.validator_for({"pattern": f"^{rewrite_pattern(pattern)}$"})
    rng = random.Random(7)
    edges = [0x10000 + high * 0x400 + low for high in (0, 1, 2, 3, 0x3C, 0x3D, 0x3FE, 0x3FF) for low in LOWS]
    samples = {*edges, 0x1F600, LAST, *(rng.randrange(0x10000, LAST + 1) for _ in range(400))}
    samples |= {ord("a"), 0xFFFF, 0xE000, 0xD7FF, 0}
    for point in sorted(samples):
        text = chr(point)
        assert validator.is_valid(text) is bool(by_units.match(spelled(text))), hex(point)
    assert not validator.is_valid("")


LOWS = (0, 1, 2, 3, 4, 5, 0x10, 0x11, 0x1E5, 0x1E6, 0x1FF, 0x200, 0x3FE, 0x3FF)


def test_the_pattern_of_a_published_schema_means_every_character_but_control_characters():
    validator = jsonschema_rs.validator_for({"pattern": rewrite_pattern(AAS)})
    # Every character up to U+FFFF, and a sample with all edges of planes beyond.
    points = [point for point in range(0x10000) if not 0xD800 <= point <= 0xDFFF]
    points += list(range(0x10000, LAST + 1, 0x3F1))
    points += [plane * 0x10000 + offset for plane in range(1, 17) for offset in (0, 1, 0xFFFE, 0xFFFF)]
    refused = [point for point in points if not validator.is_valid(chr(point))]
    expected = [p for p in range(0x20) if p not in (9, 10, 13)] + [0xFFFE, 0xFFFF]
    assert refused == expected
    assert validator.is_valid("a😀b\tÿ𐀀\U0010ffff")
    assert not validator.is_valid("a😀\x00")


def test_quantifiers_and_alternatives_around_a_pair_keep_their_reach():
    assert matches(r"^(\ud83d\ude00|x)+$", "x😀x")
    assert matches(r"^\ud83d\ude00{2}$", "😀😀")
    assert not matches(r"^\ud83d\ude00{2}$", "😀")
    assert matches(r"^[\ud800-\udbff][\udc00-\udfff]?$", "😀")


def test_patterns_are_rewritten_wherever_they_stand_in_a_schema():
    schema = {
        "pattern": r"\ud800\udc00",
        "properties": {"pattern": {"type": "string", "pattern": r"\ud800\udc01"}},
        "patternProperties": {r"\ud800\udc02": {"pattern": "x"}, "^y": True},
        "items": [{"anyOf": [{"pattern": r"\ud800\udc03"}]}],
        "description": r"\ud800\udc04 stays in a text",
        "enum": [r"\ud800\udc05", 1, None],
    }
    kept = str(schema)
    assert rewrite_patterns(schema) == {
        "pattern": r"[\u{10000}-\u{10000}]",
        "properties": {"pattern": {"type": "string", "pattern": r"[\u{10001}-\u{10001}]"}},
        "patternProperties": {r"[\u{10002}-\u{10002}]": {"pattern": "x"}, "^y": True},
        "items": [{"anyOf": [{"pattern": r"[\u{10003}-\u{10003}]"}]}],
        "description": r"\ud800\udc04 stays in a text",
        "enum": [r"\ud800\udc05", 1, None],
    }
    assert str(schema) == kept
    assert rewrite_patterns(True) is True


@pytest.mark.parametrize("word", ["const", "enum", "default", "examples"])
def test_values_in_a_schema_are_not_patterns(word):
    value = {"pattern": r"\ud800\udc00", "patternProperties": {r"\ud800\udc00": 1}}
    schema = {word: value if word in ("const", "default") else [value]}
    assert rewrite_patterns(schema) == schema


def test_a_member_that_is_called_pattern_is_no_pattern():
    schema = {"properties": {"pattern": {"const": r"\ud800\udc00"}}}
    assert rewrite_patterns(schema) == schema


@pytest.mark.parametrize("table", ["properties", "patternProperties", "$defs", "definitions"])
@pytest.mark.parametrize("name", ["const", "enum", "default", "examples", "pattern"])
def test_a_member_that_is_called_like_a_keyword_has_a_schema(table, name):
    schema = {table: {name: {"pattern": r"\ud800\udc00"}}}
    assert rewrite_patterns(schema) == {table: {name: {"pattern": r"[\u{10000}-\u{10000}]"}}}
