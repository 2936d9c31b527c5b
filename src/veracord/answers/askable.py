"""What fields of a view there are to ask for, by which rows, kinds and words; shared by both ways to a field."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from veracord.answers.owners import named_above
from veracord.answers.questions import Question
from veracord.answers.vocabulary import keys_of, label_form
from veracord.gates.statements import Field, Name
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.record_values import mention_of
from veracord.language.dates import DateMention
from veracord.language.quantities import Quantity

#: A day, whatever stands behind it: a time, a zone.
_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
#: What a record as a whole may be, where its fields say so.
WHOLES: Final = frozenset({"battery"})
NAMING: Final = frozenset("id name type number code identifier category".split())


@dataclass(frozen=True, slots=True)
class Fit:
    """A field that a question may ask for.

    Attributes:
        field: The field.
        by_label: Whether the question names it, and not only a property that it has.
        rank: What it is compared by; smaller fits better.
    """

    field: Field
    by_label: bool
    rank: tuple[int, ...]


def fields_in(view: PackView) -> Iterator[Field]:
    """Yield the fields that can be asked for by name."""
    for item in view.items.values():
        for field in item.fields:
            if field.names and not any(row.startswith("\x00") for row in field.row):
                yield field


def whole_words(field: Field, names: tuple[Name, ...]) -> frozenset[str]:
    """Return what the thing as a whole may be called beside the name of a field."""
    if named_above(field, names) or keys_of(names[-1].words) & NAMING:
        return frozenset()
    return frozenset({"product"}) | (field.wholes & WHOLES)


def row_words(question: Question, field: Field) -> frozenset[int] | None:
    """Return the places of the words that name the rows of a field, or None where one is not named."""
    found: set[int] = set()
    for row in field.row:
        places = _spelled(question, squash(row)) or _translated(question, row)
        if places is None:
            return None
        found |= places
    return frozenset(found)


def _translated(question: Question, row: str) -> set[int] | None:
    """Return the place of the word that means a row of one word in the other language."""
    wanted = label_form(row)
    places = {at for at in question.free if question.keys[at] == wanted and question.forms[at] != wanted}
    return places if len(places) == 1 and " " not in row.strip() else None


def _spelled(question: Question, wanted: str) -> set[int] | None:
    """Return the places of the words that spell a name, its letters and digits in order."""
    squashed = question.words.squashed
    for start in question.free:
        joined = ""
        for end in range(start, len(squashed)):
            joined += squashed[end]
            if joined == wanted:
                return set(range(start, end + 1))
            if not wanted.startswith(joined):
                break
    return None


def is_kind(field: Field, kind: str) -> bool:
    """Whether the value of a field is a number, a date or a text, as a question wants it."""
    if kind == "number":
        if field.kind == "number":
            return True
        mention = mention_of(field)
        return mention is not None and isinstance(mention.value, Quantity)
    if kind == "date":
        if _ISO_DAY.match(field.value):
            return True
        mention = mention_of(field)
        return mention is not None and isinstance(mention.value, DateMention)
    return kind != "text" or field.kind == "text"
