"""Writing JSON: exact numbers, and texts that keep everything but what was changed.

A record that was read from text is written back as that text with only the changed places replaced,
so that spelling, order and layout of the rest survive.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from json import JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]  # public, and not in the stubs
from typing import Final

import msgspec
from msgspec import Raw as Raw  # noqa: PLC0414 - exported for those who pass JSON text on

from veracord.records.pointers import Tokens
from veracord.records.values import MISSING, JsonValue, Missing

_ENCODER: Final = msgspec.json.Encoder(decimal_format="number")
_SPACE: Final = re.compile(r"[ \t\n\r]*")
#: A member up to its value.
_MEMBER: Final = re.compile(r'(?P<before>[ \t\n\r]*+)(?P<name>"(?:[^"\\]++|\\.)*+")(?P<colon>[ \t\n\r]*+:[ \t\n\r]*+)')
_SKIP: Final = JSONDecoder().raw_decode


def write_json(value: object) -> bytes:
    """Return compact JSON in UTF-8; a Decimal is written with its own digits."""
    return _ENCODER.encode(value)


def laid_out(value: object) -> str:
    """Return JSON for people, each member and item in its line."""
    return msgspec.json.format(write_json(value), indent=2).decode()


def raw(data: bytes) -> Raw:
    """Wrap JSON text so that `write_json` copies it as it is."""
    return Raw(data)


@dataclass(slots=True)
class _Edit:
    """What happens at one place: its own new value, or edits below it."""

    value: JsonValue | Missing = MISSING
    below: "dict[str, _Edit]" = field(default_factory=dict)


def splice(text: str, edits: Mapping[Tokens, JsonValue]) -> str:
    """Return a JSON text with some values set and everything else as it was.

    Args:
        text: One strict JSON value (see `veracord.records.reading`).
        edits: New values by place.  The container above a place must stand in the text: a place in an
            object is replaced or appended as its last member, a place in an array is replaced.

    Returns:
        The text; a member that is added takes the layout of the member before it.
    """
    root = _Edit()
    for tokens, value in edits.items():
        node = root
        for token in tokens:
            node = node.below.setdefault(token, _Edit())
        node.value = value
    out: list[str] = []
    done = _rewrite(text, 0, _skip_space(text, 0), root, out)
    out.append(text[done:])
    return "".join(out)


def _rewrite(text: str, copied: int, at: int, edit: _Edit, out: list[str]) -> int:
    """Copy text up to the value at `at`, apply its edits, and return where copying goes on."""
    if edit.value is not MISSING:
        out.append(text[copied:at])
        out.append(write_json(edit.value).decode())
        return _SKIP(text, at)[1]
    if text[at] == "{":
        return _rewrite_object(text, copied, at, edit, out)
    return _rewrite_array(text, copied, at, edit, out)


def _rewrite_object(text: str, copied: int, at: int, edit: _Edit, out: list[str]) -> int:
    pending = dict(edit.below)
    last_end = at + 1
    last: re.Match[str] | None = None
    member = _MEMBER.match(text, last_end)
    while member is not None:
        last = member
        child = pending.pop(scanstring(text, member.start("name") + 1)[0], None)
        if child is not None:
            copied = _rewrite(text, copied, member.end(), child, out)
            if not pending:
                return copied
        last_end = _SKIP(text, member.end())[1]
        position = _skip_space(text, last_end)
        member = _MEMBER.match(text, position + 1) if text[position] == "," else None
    if pending:
        out += (text[copied:last_end], _appended(pending, last))
        copied = last_end
    return copied


def _rewrite_array(text: str, copied: int, at: int, edit: _Edit, out: list[str]) -> int:
    wanted = {int(token): child for token, child in edit.below.items()}
    position = _skip_space(text, at + 1)
    index = 0
    while wanted:
        child = wanted.pop(index, None)
        if child is not None:
            copied = _rewrite(text, copied, position, child, out)
            if not wanted:
                break
        end = _SKIP(text, position)[1]
        position = _skip_space(text, _skip_space(text, end) + 1)
        index += 1
    return copied


def _appended(edits: Mapping[str, _Edit], last: re.Match[str] | None) -> str:
    """Return new members, laid out like the last one that stands there."""
    before, colon = (last["before"], last["colon"]) if last else ("", ":")
    members: Iterable[str] = (
        f"{before}{write_json(name).decode()}{colon}{write_json(edits[name].value).decode()}" for name in sorted(edits)
    )
    text = ",".join(members)
    return f",{text}" if last else text


def _skip_space(text: str, at: int) -> int:
    if text[at : at + 1] > " ":
        return at
    match = _SPACE.match(text, at)
    return match.end() if match else at
