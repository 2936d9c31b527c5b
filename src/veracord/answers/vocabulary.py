"""The closed lists by which a question is read, out of the bundled table, each word in its canonical form."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, Literal

from veracord.gates.atoms import classify_word
from veracord.gates.lexicon import MEANINGS
from veracord.language.tokens import fold

Kind = Literal["number", "date", "text", ""]
Words = tuple[str, ...]

_TABLE: Final = "bundled/answers/questions.toml"
_SHORTEST: Final = 3


@dataclass(frozen=True, slots=True)
class Way:
    """A way to ask for a property without its label.

    Attributes:
        asks: Words that ask, in order; one of them is enough.
        begins: Words one of which must stand somewhere together; none: any question will do.
        heads: What the own name of the field must have: all words of one of them.
        over: Words of the name above a field that is only called "min" or "name".
        free: Further words that its own name may have.
        kind: What its value must be.
        under: Words one of which must stand in a name above the field; none: any will do.
        says: Words that limit a property, which the question may say all the same.
    """

    asks: tuple[Words, ...]
    begins: tuple[Words, ...]
    heads: tuple[frozenset[str], ...]
    over: frozenset[str]
    free: frozenset[str]
    kind: Kind
    under: frozenset[str] = frozenset()
    says: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The closed lists.

    Attributes:
        frames: Words that ask, and say nothing of what is asked for.
        openers: Words that are frames at the beginning.
        telling: Verbs of a record.
        sources: What a record is called.
        light: Verbs that only carry what a way to ask says.
        documents: What a record itself is called.
        papers: Documents that a record may be about.
        generic: What a product is called.
        naming: Words in front of the identifier of a product.
        neutral: Words of names that name no part.
        grouping: Words that end the name of what only groups fields.
        others: Words of names of another thing, or of another state of the thing.
        properties: Properties that any thing has.
        roles: Words that limit or grade a property.
        narrowing: Those of them that a question may say only where the field does.
        peculiar: Names of one word that only the thing as a whole can have.
        german: What a German sentence calls a field, with its article, by the words of its name.
        translations: Words of questions that the lists of the verifier do not have.
        same: The word that stands for each of a group of one meaning.
        ways: Ways to ask without a label.
    """

    frames: frozenset[str]
    openers: frozenset[str]
    telling: frozenset[str]
    sources: frozenset[str]
    light: frozenset[str]
    documents: frozenset[str]
    papers: frozenset[str]
    generic: frozenset[str]
    naming: frozenset[str]
    neutral: frozenset[str]
    grouping: frozenset[str]
    others: frozenset[str]
    properties: frozenset[str]
    roles: frozenset[str]
    narrowing: frozenset[str]
    peculiar: frozenset[str]
    german: dict[frozenset[str], str]
    translations: dict[str, str]
    same: dict[str, str]
    ways: tuple[Way, ...]

    def wide(self, keys: Iterable[str]) -> frozenset[str]:
        """Return words of labels with the groups of one meaning brought together, as ways to ask need them."""
        return frozenset(self.same.get(key, key) for key in keys)


@lru_cache(maxsize=16_384)
def keys_of(name: str) -> frozenset[str]:
    """Return the canonical forms of the words of a name."""
    return frozenset(map(label_form, name.split()))


def label_form(word: str) -> str:
    """Return the canonical form of a word in a label: number is undone, and translations meet; verbs keep theirs."""
    form = fold(word)
    if form.endswith(("'s", "’s")):
        form = form[:-2]
    return MEANINGS.get(form) or _singular(form)


def _singular(form: str) -> str:
    """Return the singular of a word; a verb keeps its form, for "claimed" is no "claim"."""
    if len(form) <= _SHORTEST or not form.endswith("s") or form.endswith(("ss", "us", "is")):
        return form
    if form.endswith("ies"):
        return form[:-3] + "y"
    return form[:-2] if form.endswith(("sses", "xes", "ches", "shes")) else form[:-1]


@cache
def vocabulary() -> Vocabulary:
    """Return the lists, read once."""
    table = tomllib.loads((files("veracord") / _TABLE).read_text(encoding="utf-8"))
    groups = [[label_form(word) for word in words.split()] for words in table["same"]]
    same = {key: group[0] for group in groups for key in group}
    lists = {
        name: frozenset(map(fold, table[name].split()))
        for name in ("frames", "openers", "telling", "sources", "light", "documents", "papers", "generic", "naming")
    }
    names = {
        name: _keys(table[name], same)
        for name in ("neutral", "grouping", "others", "properties", "roles", "narrowing", "peculiar")
    }
    ways = tuple(_way(row, same) for row in table["ways"])
    german = {_keys(english, same): label for english, label in table["german"].items()}
    return Vocabulary(**lists, **names, german=german, translations=table["translations"], same=same, ways=ways)


def _way(row: dict[str, Any], same: dict[str, str]) -> Way:
    return Way(
        asks=tuple(tuple(map(asked_form, phrase.split())) for phrase in row["asks"]),
        begins=tuple(tuple(map(fold, phrase.split())) for phrase in row.get("begins", ())),
        heads=tuple(_keys(phrase, same) for phrase in row["heads"]),
        over=_keys(" ".join(row.get("over", ())), same),
        free=_keys(row.get("free", ""), same),
        kind=row.get("kind", ""),
        under=_keys(row.get("under", ""), same),
        says=_keys(row.get("says", ""), same),
    )


def asked_form(word: str) -> str:
    """Return the canonical form of a word that asks: a verb in any of its forms."""
    return classify_word(fold(word))[1]


def _keys(words: str, same: dict[str, str]) -> frozenset[str]:
    return frozenset(same.get(key, key) for key in map(label_form, words.split()))
