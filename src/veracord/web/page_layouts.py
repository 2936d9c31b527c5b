"""Sources laid out for reading: JSON line by line with the lines of one place marked, and text with a quote marked.

Only what lies around the mark is shown first, so that a source opens where it matters, with or without scripts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import ndiff
from typing import Any, Final

from veracord.records.pointers import Tokens, is_under
from veracord.records.values import JsonValue
from veracord.records.writing import write_json
from veracord.web.page_texts import shortened, visible

#: Lines shown before and behind what is marked, and of a source without a mark.
_AROUND: Final = 4
_UNMARKED: Final = 14
#: One place may hold a whole record; more of it is shown on its own page.
_MOST_MARKED: Final = 40
_MOST_LINE: Final = 2_000
_MOST_LINES: Final = 5_000
_DIFFED: Final = 400
_BLANKS: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line.

    Attributes:
        text: The text.
        is_marked: Whether it is what is meant.
    """

    text: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a source, or a gap.

    Attributes:
        number: Its number, from 1; 0 for a gap.
        pieces: What it holds.
        is_marked: Whether any of it is meant.
        left_out: Of a gap: how many lines are not shown.
    """

    number: int
    pieces: tuple[Piece, ...] = ()
    is_marked: bool = False
    left_out: int = 0


def json_lines(value: JsonValue, marked: Tokens | None) -> list[Line]:
    """Return JSON laid out, the lines of one place marked; None marks nothing."""
    found: list[Line] = []
    for number, (text, place) in enumerate(_written(value, (), "", ""), 1):
        is_marked = marked is not None and is_under(place, marked)
        found.append(Line(number, (Piece(shortened(visible(text), _MOST_LINE), is_marked),), is_marked))
        if number == _MOST_LINES:
            break
    return found


def _written(value: JsonValue, place: Tokens, before: str, behind: str, depth: int = 0) -> Iterator[tuple[str, Tokens]]:
    """Yield the lines of a value, each with the place that it belongs to."""
    indent = "  " * depth
    if not isinstance(value, (dict, list)) or not value:
        yield f"{indent}{before}{write_json(value).decode()}{behind}", place
        return
    is_object = isinstance(value, dict)
    yield f"{indent}{before}{'{' if is_object else '['}", place
    members: Any = value.items() if isinstance(value, dict) else enumerate(value)
    last = len(value) - 1
    for at, (name, item) in enumerate(members):
        label = f"{write_json(name).decode()}: " if is_object else ""
        yield from _written(item, (*place, str(name)), label, "" if at == last else ",", depth + 1)
    yield f"{indent}{'}' if is_object else ']'}{behind}", place


def text_lines(text: str, quote: str | None) -> list[Line]:
    """Return a text line by line, the first occurrence of a quote marked.

    Blanks and line breaks count as one blank, as where a quote is looked for.
    """
    start, end = find_quote(text, quote) if quote else (0, 0)
    found: list[Line] = []
    at = 0
    for number, line in enumerate(text.split("\n")[:_MOST_LINES], 1):
        first, last = max(start - at, 0), min(end - at, len(line))
        is_marked = first < last
        parts = (
            [(line[:first], False), (line[first:last], True), (line[last:], False)] if is_marked else [(line, False)]
        )
        pieces = tuple(Piece(shortened(visible(part), _MOST_LINE), mark) for part, mark in parts if part)
        found.append(Line(number, pieces, is_marked))
        at += len(line) + 1
    return found


def find_quote(text: str, quote: str) -> tuple[int, int]:
    """Return where a quote begins and ends in a text; (0, 0) where it does not stand there."""
    words = _BLANKS.split(quote.strip())
    if not words[0]:
        return 0, 0
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.span() if found else (0, 0)


def windowed(lines: Sequence[Line], *, whole: bool = False) -> list[Line]:
    """Return the lines around what is marked, and gaps for the rest; the beginning where nothing is marked."""
    if whole:
        return list(lines)
    marked = [at for at, line in enumerate(lines) if line.is_marked]
    if not marked:
        return _with_gaps(lines, range(min(len(lines), _UNMARKED)))
    first, last = marked[0], min(marked[-1], marked[0] + _MOST_MARKED)
    return _with_gaps(lines, range(max(first - _AROUND, 0), min(last + _AROUND + 1, len(lines))))


def _with_gaps(lines: Sequence[Line], shown: range) -> list[Line]:
    found = list(lines[shown.start : shown.stop])
    if shown.start > 0:
        found.insert(0, Line(0, left_out=shown.start))
    if shown.stop < len(lines):
        found.append(Line(0, left_out=len(lines) - shown.stop))
    return found


def value_lines(value: JsonValue) -> list[str]:
    """Return a value laid out as JSON, safe to show."""
    return [line.pieces[0].text for line in json_lines(value, None)]


def diff_rows(before: Sequence[str], after: Sequence[str]) -> list[dict[str, str]]:
    """Return the lines of a change: ``kind`` is ``minus``, ``plus`` or ``same``."""
    if len(before) + len(after) > _DIFFED:
        rows = [*(f"- {line}" for line in before), *(f"+ {line}" for line in after)]
    else:
        rows = [row for row in ndiff(before, after) if not row.startswith("?")]
    kinds = {"-": "minus", "+": "plus", " ": "same"}
    return [{"kind": kinds[row[0]], "sign": row[0].replace("-", "−"), "text": row[2:]} for row in rows]  # noqa: RUF001 - the minus sign
