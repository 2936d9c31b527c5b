"""Coverage: the claims together own every asserted word of the answer, and add nothing to it.

Says nothing about truth.  A clause that can stand alone must be kept whole by one claim: a claim that leaves out a
word, a number, its unit or a condition does not own it, whatever span it was given for.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from veracord.gates.atoms import Atom, atoms_of
from veracord.gates.comparisons import compare_mentions
from veracord.grounding.frames import without_frames
from veracord.grounding.splitting import Piece

Span = tuple[int, int]

COMPLETE: Final = "complete"
INCOMPLETE: Final = "incomplete"
NONE_ASSERTED: Final = "none_asserted"

#: Talk about the verdict itself; no claim may own it.
_VERDICT_TALK: Final = re.compile(
    r"\b(?:verifier|verdict|coverage|gate|grounding|support(?:ed)?|check(?:er)?)\s*[:=]|\(\s*(?:supported"
    r"|verified|all claims|checked|grounded)\b"
    r"|\ball claims (?:are|were) (?:supported|verified|grounded)\b|\bverified by the (?:verifier|system)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the claims own.

    Attributes:
        state: "complete", "incomplete" or "none_asserted".
        missing: Parts of the answer without markers that no claim owns.
        added: Claims, by number, that say what the answer does not.
    """

    state: str
    missing: tuple[Span, ...] = ()
    added: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ownership:
    """Which pieces each claim owns.

    Attributes:
        coverage: The coverage of the answer.
        pieces: For each claim the piece that it keeps, or None.
    """

    coverage: Coverage
    pieces: tuple[Piece | None, ...]


def talks_of_verdict(text: str) -> bool:
    """Whether a sentence tells the verifier what to find."""
    return _VERDICT_TALK.search(text) is not None


def compare_claims(sentences: Sequence[tuple[Piece, Sequence[Piece]]], claims: Sequence[str]) -> Ownership:
    """Hold claims against the sentences of an answer.

    Args:
        sentences: Each asserting sentence with its clauses, none where it is left whole.
        claims: The claims as texts without markers.
    """
    wanted = [content_of(claim) for claim in claims]
    owned: list[Piece | None] = [None] * len(claims)
    missing: list[Span] = []
    for sentence, clauses in sentences:
        whole = _owners(sentence, wanted)
        if whole:
            _note(owned, whole, sentence)
        by_clause = [(clause, _owners(clause, wanted)) for clause in clauses]
        for clause, owners in by_clause:
            _note(owned, owners, clause)
        if not whole and not (by_clause and all(owners for _, owners in by_clause)):
            missing += [clause.span for clause, owners in by_clause if not owners] or [sentence.span]
    added = tuple(number for number, piece in enumerate(owned) if piece is None)
    state = INCOMPLETE if missing or added else COMPLETE
    return Ownership(Coverage(state, tuple(missing), added), tuple(owned))


def _note(owned: list[Piece | None], owners: Sequence[int], piece: Piece) -> None:
    for number in owners:
        owned[number] = owned[number] or piece


def _owners(piece: Piece, claims: Sequence[list[Atom]]) -> list[int]:
    content = content_of(piece.text)
    return [number for number, claim in enumerate(claims) if _is_same(content, claim)]


def content_of(text: str) -> list[Atom]:
    """Return the atoms of a text that assert something, in order."""
    return [
        atom
        for atom in atoms_of(without_frames(text))
        if atom.kind not in ("article", "mark", "copula") and atom.key not in ("and", "do")
    ]


def _is_same(one: Sequence[Atom], other: Sequence[Atom]) -> bool:
    return len(one) == len(other) and all(map(_are_equal, one, other))


def _are_equal(one: Atom, other: Atom) -> bool:
    if one.mention is None or other.mention is None:
        return one.mention is other.mention and one.key == other.key
    if one.mention.kind != other.mention.kind:
        return False
    if one.mention.kind == "quantity":
        return compare_mentions(one.mention, other.mention) == "same"
    return one.mention.text == other.mention.text
