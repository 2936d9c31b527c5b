"""Regular expressions that spell UTF-16: surrogate pairs become the characters they stand for.

Some published schemas (the Asset Administration Shell's among them) write a character beyond U+FFFF as a
pair of surrogate ranges.  A validator that works on characters cannot compile that, so the pairs are
rewritten when the schema is loaded; the language of the expression stays the same.

Source: ECMA-262, section "Patterns"; RFC 2781 for the arithmetic of pairs.
"""

import re
from typing import Final

from veracord.records.values import JsonValue

#: Keywords that hold values, in which nothing is a pattern.
_VALUES: Final = ("const", "enum", "default", "examples", "example")
#: Keywords that hold schemas by name: a name is no keyword, whatever it is.
_TABLES: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_HIGH: Final = r"\\u[dD][89abAB][0-9a-fA-F]{2}"
_LOW: Final = r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"


def _one_or_class(unit: str) -> str:
    return rf"(?:\[((?:{unit}(?:-{unit})?)+)\]|({unit}))"


_PAIR: Final = re.compile(_one_or_class(_HIGH) + _one_or_class(_LOW))
_RANGE: Final = re.compile(r"\\u([0-9a-fA-F]{4})(?:-\\u([0-9a-fA-F]{4}))?")

_FIRST_ASTRAL: Final = 0x10000
_FIRST_HIGH: Final = 0xD800
_FIRST_LOW: Final = 0xDC00
_LAST_LOW: Final = 0xDFFF
_LOWS: Final = 0x400


def rewrite_patterns(schema: JsonValue) -> JsonValue:
    """Return a schema whose ``pattern`` and ``patternProperties`` spell no surrogate pairs."""
    if type(schema) is list:
        return [rewrite_patterns(item) for item in schema]
    if type(schema) is not dict:
        return schema
    out: dict[str, JsonValue] = {}
    for name, item in schema.items():
        if name == "pattern" and type(item) is str:
            out[name] = rewrite_pattern(item)
        elif name in _TABLES and type(item) is dict:
            keys = map(rewrite_pattern, item) if name == "patternProperties" else iter(item)
            out[name] = dict(zip(keys, map(rewrite_patterns, item.values()), strict=True))
        else:
            out[name] = item if name in _VALUES else rewrite_patterns(item)
    return out


def rewrite_pattern(pattern: str) -> str:
    r"""Return a pattern in which ``\ud800[\udc00-\udfff]`` reads ``[\u{10000}-\u{103ff}]``."""
    return _PAIR.sub(_characters, pattern)


def _characters(match: re.Match[str]) -> str:
    highs = _ranges(match[1] or match[2])
    lows = _ranges(match[3] or match[4])
    out: list[str] = []
    for first, last in highs:
        if lows == [(_FIRST_LOW, _LAST_LOW)]:
            out.append(_span(_character(first, _FIRST_LOW), _character(last, _LAST_LOW)))
            continue
        for high in range(first, last + 1):
            out += [_span(_character(high, low), _character(high, to)) for low, to in lows]
    return f"[{''.join(out)}]"


def _ranges(text: str) -> list[tuple[int, int]]:
    return [(int(m[1], 16), int(m[2] or m[1], 16)) for m in _RANGE.finditer(text)]


def _character(high: int, low: int) -> int:
    return _FIRST_ASTRAL + (high - _FIRST_HIGH) * _LOWS + (low - _FIRST_LOW)


def _span(first: int, last: int) -> str:
    return rf"\u{{{first:x}}}-\u{{{last:x}}}"
