"""Citation markers of an answer: found, tied to the text that they stand behind, and taken out.

A marker is ``[id]``, or several ids in one pair of brackets.  What stands in brackets and is no id of the
pack, but looks like one, is a citation that leads nowhere.  Markers are stripped before anything else is
read, so that an id is never a number or an identifier of a product.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

_BRACKETS: Final = re.compile(r"\[([^\[\]\n]{1,200})\]")
_ID: Final = re.compile(r"[\w.:/#@+\-]{1,80}")
_SEPARATOR: Final = re.compile(r"\s*[,;]\s*|\s+")


@dataclass(frozen=True, slots=True)
class Marker:
    """One citation.

    Attributes:
        evidence_ids: The ids that it names, in order.
        at: Where it stood, as a place in the text without markers.
    """

    evidence_ids: tuple[str, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A text without its markers.

    Attributes:
        text: What is left.
        markers: The markers, in order.
        offsets: For the place where each marker stood in `text`, its beginning and end in the text as given.
    """

    text: str
    markers: tuple[Marker, ...]
    offsets: tuple[tuple[int, int, int], ...]

    def original(self, at: int) -> int:
        """Return the place in the text as given for a place in the text without markers."""
        return at + sum(end - start for place, start, end in self.offsets if place <= at)


def strip_markers(text: str, evidence_ids: Collection[str]) -> Marked:
    """Take the markers out of a text.

    Args:
        evidence_ids: The ids of the pack.
    """
    kept: list[str] = []
    markers: list[Marker] = []
    offsets: list[tuple[int, int, int]] = []
    length = last = 0
    for match in _BRACKETS.finditer(text):
        ids = _ids_in(match[1], evidence_ids)
        if not ids:
            continue
        start = match.start()
        # The blank in front of a marker belongs to it; a stop behind it then follows the text.
        while start > last and text[start - 1] in " \t\u00a0":
            start -= 1
        end = match.end()
        blank = " " if start < match.start() and end < len(text) and text[end].isalnum() else ""
        kept.append(text[last:start] + blank)
        length += start - last + len(blank)
        markers.append(Marker(ids, length - len(blank)))
        offsets.append((length, start, end - len(blank)))
        last = end
    kept.append(text[last:])
    return Marked("".join(kept), tuple(markers), tuple(offsets))


def _ids_in(inside: str, evidence_ids: Collection[str]) -> tuple[str, ...]:
    if inside in evidence_ids:
        return (inside,)
    parts = tuple(part for part in _SEPARATOR.split(inside.strip()) if part)
    if parts and all(part in evidence_ids for part in parts):
        return parts
    # Several words in brackets are a remark, and a remark is asserted text.
    listed = "," in inside or ";" in inside or len(parts) == 1
    if listed and all(_ID.fullmatch(part) for part in parts) and any(_looks_cited(part) for part in parts):
        return parts
    return ()


def _looks_cited(part: str) -> bool:
    return any(c.isalnum() for c in part)
