"""Clauses of a sentence that say one thing each, and that together say no more than the sentence.

"Cobalt 5 %, nickel 15 %" falls into two; so does "The casing is aluminium and grey", where the second takes over the
beginning of the first.  A sentence with anything that limits it (a negation, a condition, "or", brackets) is
left whole, as nobody can tell how far the limit reaches.
"""

import re
from typing import Final

from veracord.gates.atoms import Atom, atoms_of

_CONJUNCTION: Final = re.compile(r"[;,]\s+(?:and\s+|und\s+)?|(?<!\s)\s+(?:and|und|as well as|sowie)\s+")
#: Words that bind what they stand with; such a sentence is left whole.
_BINDING: Final = frozenset(
    "respectively both together combined each_other total sum between jeweils beide zusammen which who whose where then"
    " that_clause dann welche welcher welches".split()
)
_VERBS: Final = frozenset(
    "contain made_of use list includ have mass price cost support provid deliver reach crack drop fail weigh last offer"
    " comply meet stor oper manufactur deliv".split()
)
_INTRANSITIVE: Final = frozenset({"crack", "drop", "fail", "break", "leak", "burn", "explod", "melt"})
#: After these an enumeration may be told apart: the subject and the verb hold for each of its items.
_LISTING: Final = frozenset({"contain", "list", "includ", "made_of", "use"})
_PARTICIPLES: Final = frozenset(
    "made built sold kept held cut cast sent bought found written drawn grown wrote gave won ran led sang taught shot"
    " hergestellt gefertigt gebaut geprüft verkauft geliefert geschrieben died".split()
)
_LONGEST: Final = 2000


def clauses_of(text: str, atoms: list[Atom]) -> list[str]:
    """Return the clauses of a sentence as texts of their own; none where it is left whole.

    Args:
        atoms: The atoms of the sentence.
    """
    parts = parts_of(text, atoms)
    return [clause for clause, _ in parts] if parts else []


def parts_of(text: str, atoms: list[Atom] | None = None) -> list[tuple[str, tuple[int, int]]]:
    """Return the clauses of a sentence with the span of what each has of its own, or nothing."""
    if len(text) > _LONGEST or _CONJUNCTION.search(text) is None:
        return []
    atoms = atoms_of(text) if atoms is None else atoms
    if is_bound(atoms, text):
        return []
    cuts = _cuts(text, atoms)
    if not cuts:
        return []
    spans = _spans(text, cuts)
    for reader in (_independent, _shared, _predicates):
        clauses = reader(text, spans, atoms)
        if clauses:
            return list(zip(clauses, spans, strict=True))
    return []


def is_bound(atoms: list[Atom], text: str) -> bool:
    """Whether a sentence holds anything that ties its parts together or limits them."""
    if any(mark in text for mark in '()[]"“”„«»'):
        return True
    return any(atom.kind == "cue" or atom.key in _BINDING or atom.form in _BINDING for atom in atoms)


def _cuts(text: str, atoms: list[Atom]) -> list[tuple[int, int]]:
    held = [atom.span for atom in atoms if atom.mention is not None]
    cuts = []
    at = 0
    for match in _CONJUNCTION.finditer(text):
        while at < len(held) and held[at][1] <= match.start():
            at += 1
        if at < len(held) and held[at][0] < match.end() and match.start() < held[at][1] and held[at][0] < match.start():
            continue
        cuts.append(match.span())
    return cuts


def _spans(text: str, cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text.rstrip(" .!?"))]
    return list(zip(starts, ends, strict=True))


def _inside(atoms: list[Atom], span: tuple[int, int]) -> list[Atom]:
    return [
        atom
        for atom in atoms
        if span[0] <= atom.span[0] and atom.span[1] <= span[1] and atom.kind not in ("article", "mark")
    ]


def _is_complete(atoms: list[Atom]) -> bool:
    """Whether a part has a subject of its own, and says something of it."""
    if not atoms or atoms[0].kind in ("copula", "preposition", "pronoun", "mark"):
        return False
    names = 0
    for at, atom in enumerate(atoms):
        if atom.kind == "word" or (atom.mention is not None and atom.mention.kind == "identifier"):
            if names and (atom.key in _INTRANSITIVE or (atom.key in _VERBS and at + 1 < len(atoms))):
                return True
            names += 1
        elif atom.kind == "copula" and names:
            return at + 1 < len(atoms)
        elif atom.mention is not None and names:
            return True
    return False


def _independent(text: str, spans: list[tuple[int, int]], atoms: list[Atom]) -> list[str]:
    """Return the parts where each can stand alone, with a label in front of a colon taken over by all."""
    first = _inside(atoms, spans[0])
    colon = text.find(": ", *spans[0])
    if colon >= 0 and not any(c.isdigit() for c in text[:colon]):
        lead = text[: colon + 2]
        own = [text[colon + 2 : spans[0][1]], *(text[start:end] for start, end in spans[1:])]
        rest = [_inside(atoms, (colon + 2, spans[0][1])), *(_inside(atoms, span) for span in spans[1:])]
        return [lead + part for part in own] if all(_is_complete(part) for part in rest) else []
    if not all(_is_complete(_inside(atoms, span)) for span in spans[1:]) or not _says_something(first):
        return []
    return [text[start:end] for start, end in spans]


def _says_something(atoms: list[Atom]) -> bool:
    return _is_complete(atoms) or (len(atoms) > 1 and atoms[0].kind in ("word", "pronoun") and any(
        atom.mention is not None or atom.kind == "copula" for atom in atoms[1:]
    ))  # fmt: skip


def _shared(text: str, spans: list[tuple[int, int]], atoms: list[Atom]) -> list[str]:
    """Return the parts where the first has the subject and the verb of all: "X is A and B"."""
    first = _inside(atoms, spans[0])
    verbs = [at for at, atom in enumerate(first) if atom.kind == "copula" or (at and atom.key in _LISTING)]
    if len(verbs) == 2 and verbs[1] == verbs[0] + 1:  # noqa: PLR2004 - "is made of"
        verbs = verbs[1:]
    if len(verbs) != 1 or verbs[0] == len(first) - 1 or not verbs[0]:
        return []
    if any(atom.kind == "preposition" for atom in first[verbs[0] + 1 :]):
        return []
    if any(_has_verb(_inside(atoms, span)) for span in spans[1:]):
        return []
    head = text[: first[verbs[0]].span[1]]
    if any(atom.mention is not None and atom.mention.kind != "identifier" for atom in first[: verbs[0]]):
        return []
    own = [text[first[verbs[0]].span[1] : spans[0][1]].strip(), *(text[start:end] for start, end in spans[1:])]
    return [f"{head} {part}" for part in own]


def _predicates(text: str, spans: list[tuple[int, int]], atoms: list[Atom]) -> list[str]:
    """Return the parts where each says something else of the subject of the first: "draws 5 W and is made in Porto"."""
    first = _inside(atoms, spans[0])
    copulas = [at for at, atom in enumerate(first) if atom.kind == "copula"]
    verb = copulas[0] if copulas else _verb_place(first)
    if len(copulas) > 1 or not verb or verb + 1 >= len(first):
        return []
    if not all(_is_named(atom) and atom.key not in _VERBS for atom in first[:verb]):
        return []
    subject = text[: first[verb].span[0]].rstrip()
    found = [text[: spans[0][1]]]
    for start, end in spans[1:]:
        part = _inside(atoms, (start, end))
        if len(part) > 1 and part[0].kind == "copula" and part[1].kind != "copula":
            found.append(f"{subject} {text[start:end]}")
        elif len(part) > 1 and copulas and begins_with_verb(part) and first[verb + 1].kind == "word":
            found.append(f"{text[: first[verb].span[1]]} {text[start:end]}")
        else:
            return []
    return found


def _verb_place(atoms: list[Atom]) -> int:
    """Return the place of the verb of "The heater draws 450 W": the last word in front of the first value."""
    value = next((at for at, atom in enumerate(atoms) if _is_measure(atom)), 0)
    return value - 1 if value > 1 and atoms[value - 1].kind == "word" else 0


def _is_measure(atom: Atom) -> bool:
    return atom.mention is not None and atom.mention.kind == "quantity"


def _is_named(atom: Atom) -> bool:
    return atom.kind == "word" or (atom.mention is not None and atom.mention.kind == "identifier")


def begins_with_verb(atoms: list[Atom]) -> bool:
    """Whether a part begins with a verb in the past or a participle, as far as its form tells."""
    return atoms[0].kind == "word" and (atoms[0].form.endswith("ed") or atoms[0].form in _PARTICIPLES)


def _has_verb(atoms: list[Atom]) -> bool:
    return not atoms or any(atom.kind in ("copula", "pronoun") or atom.key in _VERBS for atom in atoms)
