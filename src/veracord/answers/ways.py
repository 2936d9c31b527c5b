"""Fields that are asked for without their label: "how heavy", "when was it made", by closed lists."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from veracord.answers.askable import WHOLES, Fit, fields_in, is_kind, row_words, whole_words
from veracord.answers.owners import foreign_fields, named_above
from veracord.answers.questions import Question
from veracord.answers.vocabulary import Way, Words, asked_form, keys_of, vocabulary
from veracord.gates.statements import Field, Name
from veracord.grounding.field_names import name_variants
from veracord.grounding.packs import PackView

#: Own names that say nothing without the name above them.
_WEAK: Final = frozenset("min max name value lower upper from until at id".split())


def fits_by_way(question: Question, view: PackView) -> Iterator[Fit]:
    """Yield the fields that a question asks for without their label."""
    lists = vocabulary()
    ways = [(way, consumed) for way in lists.ways for consumed in _consumed(question, way)]
    if not ways:
        return
    foreign = foreign_fields(view)
    fields = [field for field in fields_in(view) if id(field) not in foreign]
    for way, consumed in ways:
        for field in fields:
            row = row_words(question, field)
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
    if is_of_list or not is_kind(field, way.kind):
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


def _sayable(way: Way, field: Field, names: tuple[Name, ...]) -> frozenset[str]:
    """Return words that a question may say though the field does not: none that would limit what is asked for."""
    return (way.free - vocabulary().narrowing - WHOLES) | way.says | whole_words(field, names) | field.wholes & WHOLES


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
