"""JSON texts in every layout and spelling, and where each value stands in them."""

import json
import random
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from tests.properties.oracles import Tokens

SPACE = re.compile(r"[ \t\n\r]*")
SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\[\]{}:"]+', re.DOTALL)
NAME = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
BLANKS = ("", "", " ", "  ", "\n", "\t", "\r\n", "\n    ")


@dataclass
class Layout:
    """A hand that writes JSON: how blanks, numbers and strings come out is decided by a seed."""

    seed: int

    def __post_init__(self) -> None:
        """Start the choices."""
        self._rng = random.Random(self.seed)

    def blank(self) -> str:
        """Return blanks or nothing; one hand in three writes compactly."""
        return "" if self.seed % 3 == 0 else self._rng.choice(BLANKS)

    def number(self, value: int | Decimal) -> str:
        """Return one of the many spellings of a number."""
        plain = str(value)
        if self._rng.random() < 0.6 or "E" in plain or value == 0:
            return plain
        digits = f"{Decimal(value):f}"  # an int by itself would be formatted as a float
        scale = self._rng.choice(["{}e0", "{}E+00", "{}e-0", "{}0e0"])
        if "." in digits:
            return scale.format(digits)
        return self._rng.choice(["{}.0", "{}.000", "{}e0", "{}0E-1", "{}E+0"]).format(digits)

    def text(self, value: str) -> str:
        """Return a string with or without escapes."""
        if self._rng.random() < 0.3:
            return json.dumps(value)
        if self._rng.random() < 0.2:
            return '"' + "".join(map(_escaped, value)) + '"'
        return json.dumps(value, ensure_ascii=False)


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[n] << 8 | units[n + 1]:04X}" for n in range(0, len(units), 2))


def written(value: Any, hand: Layout) -> str:
    """Return a JSON text of a value."""
    if isinstance(value, dict):
        members = (
            f"{hand.blank()}{hand.text(name)}{hand.blank()}:{hand.blank()}{written(item, hand)}"
            for name, item in value.items()
        )
        return "{" + ",".join(f"{member}{hand.blank()}" for member in members) + hand.blank() + "}"
    if isinstance(value, list):
        items = (f"{hand.blank()}{written(item, hand)}{hand.blank()}" for item in value)
        return "[" + ",".join(items) + hand.blank() + "]"
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return hand.number(value)
    return hand.text(value) if isinstance(value, str) else json.dumps(value)


@dataclass(frozen=True)
class Span:
    """Where a value stands in a text.

    Attributes:
        start: After the value before it, so that the comma between them is inside.
        value_start: Where the value itself begins.
        end: After the value.
    """

    start: int
    value_start: int
    end: int


def spans(text: str) -> dict[Tokens, Span]:
    """Return where each value of a valid JSON text stands."""
    found: dict[Tokens, Span] = {}
    _value(text, 0, (), 0, found)
    return found


def _value(text: str, position: int, place: Tokens, start: int, found: dict[Tokens, Span]) -> int:
    first = SPACE.match(text, position).end()
    is_container = text[first] in "{["
    end = _container(text, first, place, found) if is_container else SCALAR.match(text, first).end()
    found[place] = Span(start, first, end)
    return end


def _container(text: str, position: int, place: Tokens, found: dict[Tokens, Span]) -> int:
    closing = "}" if text[position] == "{" else "]"
    position += 1
    index = 0
    while True:
        start = position
        position = SPACE.match(text, position).end()
        if text[position] == closing:
            return position + 1
        if text[position] == ",":
            position = SPACE.match(text, position + 1).end()
        token = str(index)
        if closing == "}":
            name = NAME.match(text, position)
            token = json.loads(name[0])
            position = SPACE.match(text, name.end()).end() + 1
        position = _value(text, position, (*place, token), start, found)
        index += 1


def without(text: str, whole: set[Tokens], inner: set[Tokens]) -> str:
    """Return a text without some members (name, comma and all), and without some values."""
    where = spans(text)
    cuts = [(where[p].start, where[p].end) for p in whole]
    cuts += [(where[p].value_start, where[p].end) for p in inner]
    out, done = [], 0
    for first, last in sorted(cuts):
        out.append(text[done:first])
        done = last
    return "".join([*out, text[done:]])


NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?", fullmatch=True)
CHARACTERS = st.one_of(
    st.characters(codec="utf-8", exclude_characters='"\\', min_codepoint=0x20),
    st.sampled_from(['\\"', "\\\\", "\\/", "\\n", "\\u0041", "\\uD83D\\uDE00", "\\u0000", "~", "/"]),
)
STRINGS = st.lists(CHARACTERS, max_size=6).map(lambda parts: '"' + "".join(parts) + '"')
NAMES = st.one_of(STRINGS, st.sampled_from(['""', '"0"', '"01"', '"a/b"', '"~1"', '"+5"', '"a"']))
SPACES = st.sampled_from(BLANKS)
SCALARS = st.one_of(NUMBERS, STRINGS, st.sampled_from(["true", "false", "null"]))


def _array(parts: list[tuple[str, str, str]]) -> str:
    return "[" + ",".join(before + item + after for before, item, after in parts) + "]"


def _object(parts: list[tuple[str, str, str, str]]) -> str:
    return "{" + ",".join(f"{a}{name}{b}:{b}{item}{a}" for a, name, b, item in parts) + "}"


def _containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    members = st.lists(st.tuples(SPACES, NAMES, SPACES, inner), max_size=4, unique_by=lambda m: json.loads(m[1]))
    items = st.lists(st.tuples(SPACES, inner, SPACES), max_size=4)
    return st.one_of(items.map(_array), members.map(_object))


#: Strict JSON texts of any value, in any layout.
TEXTS = st.recursive(SCALARS, _containers, max_leaves=12)
#: The same with an object at the top.
RECORD_TEXTS = st.lists(st.tuples(SPACES, NAMES, SPACES, TEXTS), max_size=5, unique_by=lambda m: json.loads(m[1])).map(
    _object
)
