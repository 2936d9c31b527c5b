"""Which fields of a view a question asks for, by closed-world matching: every word that tells must be explained.

Two ways lead to a field.  By its label: its own name stands in the question, and so does nothing that neither it, a
name above it, its row nor another label of it explains.  By a way to ask: "how heavy", "when was it made".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from veracord.answers.askable import Fit, fields_in, is_kind, row_words, whole_words
from veracord.answers.owners import foreign_fields, is_own
from veracord.answers.questions import NENN, Question
from veracord.answers.vocabulary import keys_of, vocabulary
from veracord.answers.ways import fits_by_way
from veracord.gates.statements import Field, Name
from veracord.grounding.field_names import name_variants
from veracord.grounding.packs import PackView
from veracord.language.tokens import fold

#: Names of a column that holds the values of a table of properties.
_VALUES: Final = frozenset("value wert amount".split())
#: What "Nenn-" may stand for; standards use both.
_NOMINAL: Final = ("nominal", "rated")


def fits_of(question: Question, view: PackView) -> list[Fit]:
    """Return the fields that fit a question best: all of one rank."""
    fits = list(_by_label(question, view))
    if not fits:
        fits = list(fits_by_way(question, view))
    best = min((fit.rank for fit in fits), default=())
    return [fit for fit in fits if fit.rank == best]


def _by_label(question: Question, view: PackView) -> Iterator[Fit]:
    telling = question.telling
    if not telling:
        return
    said = [question.keys[at] for at in question.free]
    foreign = foreign_fields(view)
    for field in fields_in(view):
        row = row_words(question, field)
        if row is None or not is_kind(field, question.kind if question.kind == "date" and _asks_when(question) else ""):
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
        for field in fields_in(view)
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
        is_explained = own <= said and needed <= own | above and bool(own & needed)
        if not is_explained or not is_own(field, names, said, is_foreign=is_foreign):
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
