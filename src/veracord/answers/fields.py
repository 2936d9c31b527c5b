"""Which fields of a view a question asks for, by closed-world matching: every word that tells must be explained.

Two ways lead to a field.  By its label: its own name stands in the question, and so does nothing that neither it, a
name above it, its row nor another label of it explains.  By a way to ask: "how heavy", "when was it made".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from veracord.answers.questions import Question
from veracord.answers.vocabulary import Way, Words, asked_form, keys_of, vocabulary
from veracord.gates.statements import Field, Name
from veracord.grounding.field_names import name_variants
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.record_values import mention_of
from veracord.language.dates import DateMention
from veracord.language.quantities import Quantity
from veracord.language.tokens import fold

#: Own names that say nothing without the name above them.
_WEAK: Final = frozenset("min max name value lower upper from until at id".split())
#: A day, whatever stands behind it: a time, a zone.
_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
#: Names of a column that holds the values of a table of properties.
_VALUES: Final = frozenset("value wert amount".split())
_NAMING: Final = frozenset("id name type number code identifier category".split())


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


def fits_of(question: Question, view: PackView) -> list[Fit]:
    """Return the fields that fit a question best: all of one rank."""
    fits = list(_by_label(question, view))
    if not fits:
        fits = list(_by_way(question, view))
    best = min((fit.rank for fit in fits), default=())
    return [fit for fit in fits if fit.rank == best]


def _fields(view: PackView) -> Iterator[Field]:
    for item in view.items.values():
        for field in item.fields:
            if field.names and not any(row.startswith("\x00") for row in field.row):
                yield field


def _by_label(question: Question, view: PackView) -> Iterator[Fit]:
    telling = question.telling
    if not telling:
        return
    said = [question.keys[at] for at in question.free]
    for field in _fields(view):
        row = _row_words(question, field)
        if row is None or not _is_kind(
            field, question.kind if question.kind == "date" and _asks_when(question) else ""
        ):
            continue
        needed = frozenset(question.keys[at] for at in telling if at not in row)
        fit = _label_fit(frozenset(said), needed, field, frozenset(question.forms))
        if fit is None and row and not needed and keys_of(field.names[-1].words) <= _VALUES:
            # A table of properties: what it calls a row is the label.
            fit = (-len(row), 0, 0, len(field.names) - 1)
        if fit is not None:
            yield Fit(field, by_label=True, rank=fit)


def _asks_when(question: Question) -> bool:
    return bool({"when", "wann"} & set(question.forms))


def _label_fit(
    said: frozenset[str], needed: frozenset[str], field: Field, forms: frozenset[str]
) -> tuple[int, ...] | None:
    """Return how well a field fits by its label, or None."""
    best: tuple[int, ...] | None = None
    for alias in field.aliases:
        own = keys_of(alias.words)
        if own <= said and needed <= own and own & needed:
            best = (-len(own & said), 0, 0, 0)
    for names in name_variants(field):
        own = keys_of(names[-1].words)
        above = said_above(names, said)
        if len(names) == 1 and not own & _NAMING:
            above |= {"product"}
        if not own <= said or not needed <= own | above or not own & needed:
            continue
        left = sum(not keys_of(name.words) <= said | vocabulary().neutral for name in names[:-1])
        other = sum(fold(word) not in forms for word in names[-1].words.split())
        found = (-len((own | above) & said), len(own - needed), other, left)
        best = found if best is None else min(best, found)
    return best


def said_above(names: tuple[Name, ...], said: frozenset[str]) -> frozenset[str]:
    """Return the words of the names above a field that may be said of it: of names that are said whole.

    "Part" alone does not name an explosive part.
    """
    neutral = vocabulary().neutral
    words = (keys_of(name.words) for name in names[:-1])
    return frozenset(key for keys in words if keys - neutral <= said for key in keys)


def _row_words(question: Question, field: Field) -> frozenset[int] | None:
    """Return the places of the words that name the rows of a field, or None where one is not named."""
    found: set[int] = set()
    for row in field.row:
        places = _spelled(question, squash(row))
        if places is None:
            return None
        found |= places
    return frozenset(found)


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


def _by_way(question: Question, view: PackView) -> Iterator[Fit]:
    lists = vocabulary()
    ways = [(way, consumed) for way in lists.ways for consumed in _consumed(question, way)]
    if not ways:
        return
    fields = list(_fields(view))
    for way, consumed in ways:
        for field in fields:
            row = _row_words(question, field)
            if row is not None and _fits_way(question, way, consumed, field, row):
                telling = sum(at not in question.asking for at in consumed)
                yield Fit(field, by_label=False, rank=(-telling, int(not any(way.heads[0]))))


def _consumed(question: Question, way: Way) -> Iterator[frozenset[int]]:
    """Yield the places of the words that ask in a way, for each of its phrases that the question has."""
    if way.kind == "date" and question.kind != "date":
        return
    forms = list(question.forms)
    stems = [asked_form(form) for form in forms]
    begin: frozenset[int] = frozenset()
    if way.begins:
        found = next((at for phrase in way.begins if (at := _together(forms, phrase, question.product))), None)
        if found is None:
            return
        begin = found
    for phrase in way.asks:
        places = _in_order(question, phrase, stems)
        if places is not None:
            yield begin | places


def _together(forms: list[str], phrase: Words, product: frozenset[int]) -> frozenset[int] | None:
    for start in range(len(forms) - len(phrase) + 1):
        places = range(start, start + len(phrase))
        if tuple(forms[start : start + len(phrase)]) == phrase and not product.intersection(places):
            return frozenset(places)
    return None


def _in_order(question: Question, phrase: Words, stems: list[str]) -> frozenset[int] | None:
    places = []
    at = iter(question.free)
    for word in phrase:
        place = next((place for place in at if stems[place] == word), None)
        if place is None:
            return None
        places.append(place)
    return frozenset(places)


def _fits_way(question: Question, way: Way, consumed: frozenset[int], field: Field, row: frozenset[int]) -> bool:
    lists = vocabulary()
    # The one row of a list may be one of many elsewhere: it has to be asked for by its label.
    is_of_list = not field.row and any(isinstance(step, int) for step in field.path)
    if is_of_list or not _is_kind(field, way.kind):
        return False
    said = lists.wide(question.keys[at] for at in question.free)
    left = [at for at in question.telling if at not in consumed and at not in row]
    carried = lists.generic | lists.light | lists.documents
    needed = lists.wide(question.keys[at] for at in left if question.forms[at].removesuffix("'s") not in carried)
    if way.kind == "date":
        needed -= {"date"}
    return any(_name_fits(names, way, said, needed) for names in name_variants(field))


def _name_fits(names: tuple[Name, ...], way: Way, said: frozenset[str], needed: frozenset[str]) -> bool:
    lists = vocabulary()
    own = lists.wide(keys_of(names[-1].words))
    above = [lists.wide(keys_of(name.words)) for name in names[:-1]]
    parent = above[-1] if above and own <= _WEAK | way.free else frozenset()
    every = frozenset(key for keys in above for key in keys)
    whole = frozenset(key for keys in above if keys - lists.neutral <= said | way.over for key in keys)
    for head in way.heads:
        if not head:
            # The rest of the question is the label.
            if not own & needed or not own - way.free <= said or not own - way.free:
                continue
        elif not head <= own | parent or (way.over and not way.over & (own | parent)):
            continue
        is_named = own - head - way.free <= said
        is_whole = not every - said - head - way.free - way.over - lists.neutral
        if is_named and is_whole and needed <= own | head | way.free | whole:
            return True
    return False


def _is_kind(field: Field, kind: str) -> bool:
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
