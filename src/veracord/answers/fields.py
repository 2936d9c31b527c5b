"""Which fields of a view a question asks for, by closed-world matching: every word that tells must be explained.

Two ways lead to a field.  By its label: its own name stands in the question, and so does nothing that neither it, a
name above it, its row nor another label of it explains.  By a way to ask: "how heavy", "when was it made".
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from veracord.answers.owners import foreign_fields, is_own, named_above
from veracord.answers.questions import NENN, Question
from veracord.answers.vocabulary import Way, Words, asked_form, keys_of, label_form, vocabulary
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
_WHOLES: Final = frozenset({"battery"})
#: What "Nenn-" may stand for; standards use both.
_NOMINAL: Final = ("nominal", "rated")
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
    foreign = foreign_fields(view)
    for field in _fields(view):
        row = _row_words(question, field)
        if row is None or not _is_kind(
            field, question.kind if question.kind == "date" and _asks_when(question) else ""
        ):
            continue
        needed = frozenset(question.keys[at] for at in telling if at not in row)
        fit = _best(
            _label_fit(
                _Words(_as(word, said), _as(word, needed), frozenset(question.forms)),
                field,
                is_foreign=id(field) in foreign,
            )
            for word in _NOMINAL
        )
        if fit is None and row and not needed and keys_of(field.names[-1].words) <= _VALUES:
            # A table of properties: what it calls a row is the label.
            fit = (-len(row), 0, 0, len(field.names) - 1)
        if fit is not None:
            yield Fit(field, by_label=True, rank=fit)


def partly_named(question: Question, view: PackView) -> list[Field]:
    """Return fields whose names have all that a question says, and more that would tell them apart."""
    foreign = foreign_fields(view)
    said = frozenset(question.keys[at] for at in question.free)
    needed = frozenset(question.keys[at] for at in question.telling)
    return [
        field
        for field in _fields(view)
        if id(field) not in foreign and any(_is_partly(field, names, needed, said) for names in name_variants(field))
    ]


def _is_partly(field: Field, names: tuple[Name, ...], needed: frozenset[str], said: frozenset[str]) -> bool:
    own = keys_of(names[-1].words)
    rest = needed - whole_words(field, names)
    return bool(rest) and rest <= own and is_own(field, names, said) and (not own <= said or bool(field.row))


def _best(found: Iterable[tuple[int, ...] | None]) -> tuple[int, ...] | None:
    return min((rank for rank in found if rank is not None), default=None)


def _as(word: str, keys: Iterable[str]) -> frozenset[str]:
    """Return words with one for the "Nenn-" of a German compound."""
    return frozenset(word if key == NENN else key for key in keys)


def whole_words(field: Field, names: tuple[Name, ...]) -> frozenset[str]:
    """Return what the thing as a whole may be called beside the name of a field."""
    if named_above(field, names) or keys_of(names[-1].words) & _NAMING:
        return frozenset()
    return frozenset({"product"}) | (field.wholes & _WHOLES)


def _asks_when(question: Question) -> bool:
    return bool({"when", "wann"} & set(question.forms))


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of a question: all that it says, those that must be explained, and all as they are written."""

    said: frozenset[str]
    needed: frozenset[str]
    forms: frozenset[str]


def _label_fit(asked: _Words, field: Field, *, is_foreign: bool) -> tuple[int, ...] | None:
    """Return how well a field fits by its label, or None."""
    said, needed = asked.said, asked.needed
    best: tuple[int, ...] | None = None
    for alias in field.aliases:
        own = keys_of(alias.words)
        if own <= said and needed <= own and own & needed:
            best = (-len(own & said), 0, 0, 0)
    for names in name_variants(field):
        own = keys_of(names[-1].words)
        above = said_above(names, said) | whole_words(field, names)
        if not own <= said or not needed <= own | above or not own & needed or not is_own(field, names, said, is_foreign=is_foreign):
            continue
        left = sum(not keys_of(name.words) <= said | vocabulary().neutral for name in names[:-1])
        other = sum(fold(word) not in asked.forms for word in names[-1].words.split())
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
        places = _spelled(question, squash(row)) or _translated(question, row)
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


def _translated(question: Question, row: str) -> set[int] | None:
    """Return the place of the word that means a row of one word in the other language."""
    wanted = label_form(row)
    places = {at for at in question.free if question.keys[at] == wanted and not question.forms[at] == wanted}
    return places if len(places) == 1 and " " not in row.strip() else None


def _by_way(question: Question, view: PackView) -> Iterator[Fit]:
    lists = vocabulary()
    ways = [(way, consumed) for way in lists.ways for consumed in _consumed(question, way)]
    if not ways:
        return
    foreign = foreign_fields(view)
    fields = [field for field in _fields(view) if id(field) not in foreign]
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
    return any(
        _name_fits(names, _AskedBy(way, said, needed, _sayable(way, field, names), _strangers(field, names)))
        for names in name_variants(field)
    )


@dataclass(frozen=True, slots=True)
class _AskedBy:
    """A way to ask with the words of a question.

    Attributes:
        way: The way.
        said: All words of the question.
        needed: Those that must be explained.
        sayable: Words that explain themselves.
        strangers: Words of names above the field that name a thing.
    """

    way: Way
    said: frozenset[str]
    needed: frozenset[str]
    sayable: frozenset[str]
    strangers: frozenset[str]


def _strangers(field: Field, names: tuple[Name, ...]) -> frozenset[str]:
    lists = vocabulary()
    above = [lists.wide(keys_of(name.words)) for name in named_above(field, names)]
    # A row that is named is the thing itself.
    return frozenset(key for keys in (above[:-1] if field.row else above) for key in keys)


def _sayable(way: Way, field: Field, names: tuple[Name, ...]) -> frozenset[str]:
    """Return words that a question may say though the field does not: none that would limit what is asked for."""
    return (way.free - vocabulary().narrowing - _WHOLES) | way.says | whole_words(field, names) | field.wholes & _WHOLES


def _name_fits(names: tuple[Name, ...], asked: _AskedBy) -> bool:
    lists = vocabulary()
    way, said, needed = asked.way, asked.said, asked.needed
    own = lists.wide(keys_of(names[-1].words))
    above = [lists.wide(keys_of(name.words)) for name in names[:-1]]
    parent = above[-1] if above and own <= _WEAK | way.free else frozenset()
    every = frozenset(key for keys in above for key in keys)
    if way.under and not way.under & every:
        return False
    whole = frozenset(key for keys in above if keys - lists.neutral <= said | way.over for key in keys)
    for head in way.heads:
        if not head:
            # The rest of the question is the label.
            if not own & needed or not own - way.free <= said or not own - way.free:
                continue
        elif not head <= own | parent or (way.over and not way.over & (own | parent)):
            continue
        is_named = own - head - way.free <= said
        is_whole = not asked.strangers - said - head - way.free - way.over - lists.neutral
        if is_named and is_whole and needed <= own | head | asked.sayable | whole:
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
