"""Removing members from JSON text, and reading how a value is spelled in it; the rest of the text stays as it is."""

from dataclasses import dataclass
from json import JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]  # public, and not in the stubs
from typing import Final

from veracord.records.pointers import Tokens

_SPACES: Final = " \t\n\r"
_SKIP: Final = JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class _Member:
    """Where a member of an object, or an item of an array, stands in a text.

    Attributes:
        gap: Behind the bracket or comma before it.
        value_at: Where its value begins.
        end: Behind its value.
        next_gap: Behind the comma after it; None for the last one.
        is_first: Whether it is the first one.
    """

    gap: int
    value_at: int
    end: int
    next_gap: int | None
    is_first: bool


def spelling(text: str, place: Tokens) -> str:
    """Return the text of the value at a place that is there.

    Raises:
        LookupError: Nothing stands there.
    """
    at = _skip_space(text, 0)
    for token in place:
        at = _member(text, at, token).value_at
    return text[at : _SKIP(text, at)[1]]


def cut(text: str, place: Tokens) -> str:
    """Return a text without the member of an object at a place; what `splice` appends, this takes off again.

    Args:
        text: One strict JSON value (see `veracord.records.reading`).
        place: A member that is there; its parent is an object.

    Raises:
        LookupError: Nothing stands there.
    """
    at = _skip_space(text, 0)
    for token in place[:-1]:
        at = _member(text, at, token).value_at
    member = _member(text, at, place[-1])
    if not member.is_first:
        return text[: member.gap - 1] + text[member.end :]
    return text[: member.gap] + text[member.end if member.next_gap is None else member.next_gap :]


def _member(text: str, at: int, token: str) -> _Member:
    gap = at + 1
    position = _skip_space(text, gap)
    number = 0
    while text[at] in "{[" and text[position] not in "}]":
        name, value_at = str(number), position
        if text[at] == "{":
            name, name_end = scanstring(text, position + 1)
            value_at = _skip_space(text, _skip_space(text, name_end) + 1)
        end = _SKIP(text, value_at)[1]
        after = _skip_space(text, end)
        next_gap = after + 1 if text[after] == "," else None
        if name == token:
            return _Member(gap, value_at, end, next_gap, is_first=number == 0)
        if next_gap is None:
            break
        number += 1
        gap = next_gap
        position = _skip_space(text, gap)
    raise LookupError


def _skip_space(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _SPACES:
        at += 1
    return at
