"""The values that a text mentions: quantities, dates and identifiers, each once.

Where two readings overlap the one that begins first is meant: a number inside an identifier is no quantity.
"""

from dataclasses import dataclass
from typing import Final, Literal

from veracord.language.dates import AmbiguousDate, DateMention
from veracord.language.identifiers import Identifier
from veracord.language.locales import Locale
from veracord.language.mentions import Mentions
from veracord.language.mentions import mentions_of as read_mentions
from veracord.language.quantities import AmbiguousQuantity, Quantity

Value = Quantity | AmbiguousQuantity | DateMention | AmbiguousDate | Identifier
MentionKind = Literal["quantity", "date", "identifier", "text"]

_RANK: Final = {"date": 0, "identifier": 1, "quantity": 2}


@dataclass(frozen=True, slots=True, eq=False)
class Mention:
    """A value as it was mentioned.

    Attributes:
        kind: What it is.
        text: The characters.
        span: Where they stand.
        value: The reading.
    """

    kind: MentionKind
    text: str
    span: tuple[int, int]
    value: Value | None = None


def mentions_of(text: str, locale: Locale | None = None) -> list[Mention]:
    """Return the values that a text mentions, in order, without overlaps."""
    return mentions_read(text, read_mentions(text, locale))


def mentions_read(text: str, read: Mentions) -> list[Mention]:
    """Return what was read in a text as one row, in order."""
    readings: list[tuple[MentionKind, Value]] = [
        *(("quantity", value) for value in read.quantities),
        *(("date", value) for value in read.dates),
        *(("identifier", value) for value in read.identifiers),
    ]
    found = [Mention(kind, text[slice(*value.span)], value.span, value) for kind, value in readings]
    found.sort(key=lambda mention: (mention.span[0], -mention.span[1], _RANK[mention.kind]))
    kept: list[Mention] = []
    for mention in found:
        if not kept or mention.span[0] >= kept[-1].span[1]:
            kept.append(mention)
    return kept
