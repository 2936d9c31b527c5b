"""The shape of a sentence: its content words in one order, and beside them cues and values with their places.

Two sentences say the same thing of the same subject exactly if their words are equal; whether they say the
same is then for the gates, which compare cues and values.
"""

from dataclasses import dataclass, replace
from typing import Final

from veracord.gates.atoms import Atom, dimension_behind_value
from veracord.gates.lexicon import CUE_CLASSES
from veracord.gates.mentions import Mention

_CONTAINERS: Final = frozenset({"contain", "have", "use", "includ"})
_DETERMINERS: Final = frozenset("no kein keine keinen keiner keinem".split())
_REACH: Final = 6
_NEGATED_HELPS: Final = frozenset("don't doesn't didn't dont doesnt cannot can't won't".split())
_PLURALS: Final = frozenset("are were sind waren wurden aren't weren't".split())
_SINGULARS: Final = frozenset("is was ist war wurde isn't wasn't".split())


@dataclass(frozen=True, slots=True)
class Shape:
    """What a sentence consists of.

    Attributes:
        words: The content words, canonical, in order.
        cues: What turns or limits it: the cue and how many words stand before it.
        mentions: The values: each with how many words stand before it.
        tense: "past", "perfect", "present" or "" where no form of "to be" tells.
        voices: For each word: "p" where it is a participle behind a form of "to be", "a" where it acts.
        has_pronoun: Whether it speaks of "it".
        forms: For each word how it is written, folded.
        is_plural: Whether a form of "to be" says that it speaks of many.
        is_singular: Whether one says that it speaks of one.
    """

    words: tuple[str, ...]
    cues: tuple[tuple[str, int], ...]
    mentions: tuple[tuple[Mention, int], ...]
    tense: str = ""
    voices: tuple[str, ...] = ()
    has_pronoun: bool = False
    forms: tuple[str, ...] = ()
    is_plural: bool = False
    is_singular: bool = False

    def of_kind(self, kind: str) -> tuple[tuple[Mention, int], ...]:
        """Return the mentions of one kind."""
        return tuple(pair for pair in self.mentions if pair[0].kind == kind)


def shape_of(atoms: list[Atom]) -> Shape:
    """Bring the atoms of one sentence or clause to their shape."""
    atoms = _without_measure_frames(_with_denied_parts(atoms))
    atoms = _in_possessive_order(atoms)
    words: list[str] = []
    voices: list[str] = []
    forms: list[str] = []
    cues: list[tuple[str, int]] = []
    mentions: list[tuple[Mention, int]] = []
    has_pronoun = False
    for at, atom in enumerate(atoms):
        if atom.kind == "copula":
            continue
        if atom.kind == "cue":
            cues.append((atom.key, len(words)))
        elif atom.mention is not None:
            mentions.append((atom.mention, len(words)))
        elif atom.kind == "pronoun" and not words:
            has_pronoun = True
        elif (word := _word_kept(atoms, at)) is not None:
            words.append(word)
            # Behind "does" or "may" a verb has no ending that tells anything.
            forms.append("" if _is_helped(atoms, at) else atom.form)
            voices.append(_voice(atoms, at, is_first=len(words) == 1))
    copulas = {atom.form for atom in atoms if atom.kind == "copula"}
    return Shape(
        words=tuple(words),
        cues=_settled(cues, words, atoms),
        mentions=tuple(mentions),
        tense=_tense_of(atoms),
        voices=tuple(voices),
        has_pronoun=has_pronoun,
        forms=tuple(forms),
        is_plural=not copulas.isdisjoint(_PLURALS),
        is_singular=not copulas.isdisjoint(_SINGULARS),
    )


def _is_helped(atoms: list[Atom], at: int) -> bool:
    """Whether a verb stands behind "does", "can" or their like, with nothing but cues between."""
    while at and atoms[at - 1].kind == "cue":
        at -= 1
        if CUE_CLASSES.get(atoms[at].key) == "modality":
            return True
    return at > 0 and (atoms[at - 1].key == "do" or atoms[at].form in _NEGATED_HELPS)


def _tense_of(atoms: list[Atom]) -> str:
    """Return the tense that the forms of "to be" tell: "had been" is past, "has been" is neither past nor present."""
    tenses = {atom.key for atom in atoms if atom.kind == "copula"}
    if any(atom.form in ("been", "gewesen") for atom in atoms):
        had = any(atom.form in ("had", "hatte", "hatten", "war", "waren") for atom in atoms)
        tenses.add("past" if had else "perfect")
    return next((tense for tense in ("past", "perfect", "present") if tense in tenses), "")


def _word_kept(atoms: list[Atom], at: int) -> str | None:
    """Return the word that an atom adds to the shape, or None if it adds none."""
    atom = atoms[at]
    following = atoms[at + 1] if at + 1 < len(atoms) else None
    if atom.kind in ("article", "mark", "joint") or atom.key in ("and", "as", "do"):
        return None
    if following is not None:
        if atom.key in ("in", "on", "for") and following.mention is not None and following.mention.kind == "date":
            return None
        if atom.key in ("for", "of") and following.mention is not None:
            return None
        if atom.key == "have" and following.kind == "copula":
            return None
        if atom.key == "product" and following.mention is not None and following.mention.kind == "identifier":
            return None
    return dimension_behind_value(atoms, at) or atom.key


def _voice(atoms: list[Atom], at: int, *, is_first: bool) -> str:
    form = atoms[at].form
    if not form.endswith(("ed", "ought", "ilt", "old")):
        return "a" if form.endswith("s") and not is_first else ""
    before = next((atom for atom in reversed(atoms[:at]) if atom.kind != "cue"), None)
    if before is not None and before.kind == "copula":
        return "p"
    return "" if is_first else "a"


def _settled(cues: list[tuple[str, int]], words: list[str], atoms: list[Atom]) -> tuple[tuple[str, int], ...]:
    """Put a negation in front of the verb whose object it denies: "contains no lead", "does not contain lead"."""
    if not any(atom.form in _DETERMINERS for atom in atoms):
        return tuple(cues)
    return tuple(
        (cue, place - 1) if cue == "not" and place and words[place - 1] in _CONTAINERS else (cue, place)
        for cue, place in cues
    )


def _with_denied_parts(atoms: list[Atom]) -> list[Atom]:
    """Turn "mercury-free" into "not contain mercury"."""
    for at in range(len(atoms) - 3, -1, -1):
        if atoms[at].kind == "word" and atoms[at + 1].key == "-" and atoms[at + 2].form in ("free", "frei"):
            denied = [replace(atoms[at], kind="cue", key="not"), replace(atoms[at], key="contain"), atoms[at]]
            atoms = [*atoms[:at], *denied, *atoms[at + 3 :]]
    return atoms


def _without_measure_frames(atoms: list[Atom]) -> list[Atom]:
    """Leave out "has" and "of" of "has a mass of 10 kg"."""
    dropped: set[int] = set()
    for at, atom in enumerate(atoms):
        if atom.key not in ("have", "with") or atom.kind != "preposition":
            continue
        for ahead in range(at + 1, min(at + _REACH, len(atoms) - 1)):
            if atoms[ahead].kind not in ("word", "article", "preposition"):
                break
            if atoms[ahead].key == "of":
                if atoms[ahead + 1].mention is not None:
                    dropped |= {at, ahead}
                break
    return [atom for at, atom in enumerate(atoms) if at not in dropped] if dropped else atoms


def _in_possessive_order(atoms: list[Atom]) -> list[Atom]:
    """Turn "mass of the lid" into "lid mass"."""
    if len(atoms) > 1 and atoms[0].key == "for" and any(atom.key == "," for atom in atoms):
        atoms = atoms[1:]
    predicate = next((at for at, atom in enumerate(atoms) if atom.kind == "copula" or _is_measure(atom)), 0)
    for at in range(len(atoms) - 2, 0, -1):
        if not _binds(atoms, at, predicate):
            continue
        left = at
        while left and _names(atoms[left - 1]):
            left -= 1
        start = at + 1
        while start < len(atoms) and atoms[start].kind == "article":
            start += 1
        end = start
        while end < len(atoms) and _names(atoms[end]):
            end += 1
        if left < at and start < end:
            atoms = [*atoms[:left], *atoms[start:end], *atoms[left:at], *atoms[end:]]
    return atoms


def _binds(atoms: list[Atom], at: int, predicate: int) -> bool:
    """Whether an atom ties a thing to what it is of; in German an article does: "Masse der Batterie"."""
    atom = atoms[at]
    if atom.kind == "article":
        return atom.form in ("der", "des") and _names(atoms[at - 1]) and _names(atoms[at + 1]) and at < predicate
    return atom.kind == "preposition" and (atom.key == "of" or (atom.key == "for" and at < predicate))


def _is_measure(atom: Atom) -> bool:
    return atom.mention is not None and atom.mention.kind != "identifier"


def _names(atom: Atom) -> bool:
    if atom.mention is not None:
        return atom.mention.kind == "identifier"
    return atom.kind == "word" and atom.key != "and"
