"""A sentence as a row of atoms: content words, cues and values, each with its place.

What stands for no assertion is left out (articles, forms of "to be"), and a few ways to say one thing are
brought to one order ("mass of the lid" and "lid mass").  Everything else stays, in its order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from veracord.gates.glossary import parts_of_compound
from veracord.gates.lexicon import (
    ARTICLES,
    CUE_CLASSES,
    CUE_MEANINGS,
    DIMENSIONS,
    MEANINGS,
    OTHER_COPULAS,
    PAST,
    PREPOSITIONS,
    PRESENT,
    PRONOUNS,
)
from veracord.gates.mentions import Mention, mentions_read
from veracord.language.locales import Locale
from veracord.language.mentions import mentions_of as read_mentions
from veracord.language.stems import stem
from veracord.language.tokens import Token, fold

Kind = Literal["word", "cue", "value", "article", "copula", "pronoun", "joint", "preposition", "mark"]

#: "(de-DE)" declares how numbers are written, and asserts nothing.
_LOCALE_MARK: Final = re.compile(r"\((?:[a-z]{2})(?:[-_][A-Z]{2})\)")
#: What makes a number of "no.": "no. 5", "no. of cells".
_NUMBER_BEHIND: Final = re.compile(r"\. ?(?:\d|of\b)", re.IGNORECASE)
_LONGEST_PHRASE: Final = 4


@dataclass(frozen=True, slots=True)
class Atom:
    """One piece of a sentence.

    Attributes:
        kind: What it is.
        key: Its canonical form: equal for words of one meaning.
        span: Where it stands in the text that was read.
        form: The word as written, folded.
        mention: The quantity, date or identifier that it is.
    """

    kind: Kind
    key: str
    span: tuple[int, int]
    form: str = ""
    mention: Mention | None = None


def atoms_of(text: str, locale: Locale | None = None) -> list[Atom]:
    """Return all atoms of a text in their order, frame words and marks included."""
    text = _LOCALE_MARK.sub(lambda match: " " * len(match[0]), text)
    read = read_mentions(text, locale)
    return _with_phrases(_raw_atoms(text, mentions_read(text, read), read.tokens))


def _raw_atoms(text: str, mentions: list[Mention], tokens: Sequence[Token]) -> list[Atom]:
    atoms: list[Atom] = []
    waiting = iter(mentions)
    mention = next(waiting, None)
    for token in tokens:
        while mention is not None and mention.span[1] <= token.span[0]:
            mention = next(waiting, None)
        if mention is not None and mention.span[0] <= token.span[0]:
            if not atoms or atoms[-1].mention is not mention:
                atoms.append(Atom("value", mention.kind, mention.span, mention=mention))
            continue
        atom = _atom_of(token, text, at_start=not atoms)
        if atom is None:
            continue
        parts = keys_of_compound(atom.form) if atom.kind == "word" else ()
        atoms += [Atom("word", key, atom.span, atom.form) for key in parts] or [atom]
    return atoms


@lru_cache(maxsize=32768)
def keys_of_compound(form: str) -> tuple[str, ...]:
    """Return the canonical forms of the English words of a German compound, or nothing."""
    return tuple(classify_word(part)[1] for part in parts_of_compound(form))


def _atom_of(token: Token, text: str, *, at_start: bool) -> Atom | None:
    if token.kind == "punctuation":
        return Atom("mark", token.text, token.span)
    if token.kind in ("symbol", "number"):
        kind, key = _LISTED.get(token.text, ("word", token.text))
        return Atom(kind, key, token.span, token.text)
    written = token.text
    form = fold(written)
    if form.endswith(("'s", "’s")) and form not in CUE_CLASSES:
        form = form[:-2]
    if written == "A" and not (at_start and text[token.span[1] : token.span[1] + 2].strip().islower()):
        # A name ("pack A"), not an article.
        return Atom("word", "A", token.span, form)
    return _word_atom(form, token, text)


def _word_atom(form: str, token: Token, text: str) -> Atom:
    span = token.span
    if form == "no" and _NUMBER_BEHIND.match(text, span[1]) is not None:
        return Atom("word", "number", span, form)
    kind, key = classify_word(form)
    return Atom(kind, key, span, form)


@lru_cache(maxsize=32768)
def classify_word(form: str) -> tuple[Kind, str]:
    """Return what a folded word is and its canonical form."""
    listed = _LISTED.get(form)
    if listed is not None:
        return listed
    if form in MEANINGS:
        return "word", MEANINGS[form]
    root = stem(form)
    if root in CUE_CLASSES:
        return "cue", CUE_MEANINGS.get(root, root)
    if root in MEANINGS:
        return "word", MEANINGS[root]
    return "word", _CANONICAL_STEMS.get(root, root)


#: Words of the closed lists; where a word is in two, the later entry here counts.
_LISTED: Final[dict[str, tuple[Kind, str]]] = {
    **{form: ("preposition", word) for form, word in PREPOSITIONS.items()},
    **{form: ("cue", CUE_MEANINGS.get(form, form)) for form in CUE_CLASSES},
    **dict.fromkeys(PRONOUNS, ("pronoun", "it")),
    **dict.fromkeys(OTHER_COPULAS, ("copula", "")),
    **dict.fromkeys(PAST, ("copula", "past")),
    **dict.fromkeys(PRESENT, ("copula", "present")),
    **{form: ("article", form) for form in ARTICLES},
    # Their stem is "not".
    **dict.fromkeys(("note", "notes", "noted", "noting"), ("word", "note")),
    # "300 × 200 mm" is "300 x 200 mm", and "mass = 5 kg" is "mass is 5 kg".
    "×": ("word", "x"),
    "=": ("copula", ""),
}

#: Canonical words by their stem, so that an inflection that no list has meets them as well.
_CANONICAL_STEMS: Final = {stem(word): word for word in set(MEANINGS.values())}

#: Two words that say no more than "is": "amounts to 5 kg".
COPULA_PHRASES: Final = frozenset(
    {
        ("amounts", "to"), ("amount", "to"), ("comes", "to"), ("stands", "at"), ("lies", "at"), ("liegt", "bei"),
        ("liegen", "bei"),
    }
)  # fmt: skip

#: Phrases of several words: the atoms that stand for them, as kind and key.
_PHRASES: Final[dict[tuple[str, ...], tuple[tuple[Kind, str], ...]]] = {
    ("free", "of"): (("cue", "not"), ("word", "contain")),
    ("free", "from"): (("cue", "not"), ("word", "contain")),
    ("frei", "von"): (("cue", "not"), ("word", "contain")),
    ("made", "of"): (("word", "made_of"),),
    ("made", "from"): (("word", "made_of"),),
    ("made", "out", "of"): (("word", "made_of"),),
    ("consists", "of"): (("word", "made_of"),),
    ("consist", "of"): (("word", "made_of"),),
    ("besteht", "aus"): (("word", "made_of"),),
    ("bestehen", "aus"): (("word", "made_of"),),
    ("there", "is"): (("copula", "present"),),
    ("there", "are"): (("copula", "present"),),
    ("there", "was"): (("copula", "past"),),
    ("there", "were"): (("copula", "past"),),
    ("in", "accordance", "with"): (("word", "to"),),
    ("serial", "number"): (("word", "serialnumber"),),
    ("more", "than"): (("cue", "more_than"),),
    ("less", "than"): (("cue", "less_than"),),
    ("as", "well", "as"): (("word", "and"),),
    **dict.fromkeys(COPULA_PHRASES, (("copula", "present"),)),
}
_PHRASE_STARTS: Final = frozenset(phrase[0] for phrase in _PHRASES)


def _with_phrases(atoms: list[Atom]) -> list[Atom]:
    if not any(atom.form in _PHRASE_STARTS for atom in atoms):
        return atoms
    found: list[Atom] = []
    at = 0
    while at < len(atoms):
        length = _phrase_length(atoms, at)
        if not length:
            found.append(atoms[at])
            at += 1
            continue
        span = (atoms[at].span[0], atoms[at + length - 1].span[1])
        for kind, key in _PHRASES[tuple(atom.form for atom in atoms[at : at + length])]:
            found.append(Atom(kind, key, span, atoms[at].form))
        at += length
    return found


def _phrase_length(atoms: list[Atom], at: int) -> int:
    if atoms[at].form not in _PHRASE_STARTS:
        return 0
    for length in range(min(_LONGEST_PHRASE, len(atoms) - at), 1, -1):
        if tuple(atom.form for atom in atoms[at : at + length]) in _PHRASES:
            return length
    return 0


def dimension_behind_value(atoms: list[Atom], at: int) -> str | None:
    """Return the dimension that an adjective right behind a quantity names: "0.5 mm thick"."""
    atom = atoms[at]
    if at and atoms[at - 1].kind == "value" and atom.form in DIMENSIONS:
        return DIMENSIONS[atom.form]
    return None
