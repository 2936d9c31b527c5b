"""An answer as sentences, each with the citations that stand at its own text.

A marker belongs to the sentence that it stands in or behind; at the beginning of a line it belongs to what
follows.  Quotations are never split.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from veracord.gates.claims import quotations_of
from veracord.grounding.clauses import parts_of
from veracord.grounding.markers import Marked, Marker, strip_markers
from veracord.grounding.sentences import sentences_of

Span = tuple[int, int]

#: What goes on behind a name: "Hop! was", "Hop!'s mass".  An article or a pronoun may begin what is said anew.
_GOES_ON: Final = re.compile(
    r"(?:['’]s |,? (?:is|was|are|were|has|had|have|contains?|comes|came|stars|starred|weighs|originated|originates|runs"
    r"|took|won|in|on|at|by|from|for|of|with|before|after)(?![\w'’]))"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of an answer, or a clause of one.

    Attributes:
        text: Its text without markers; of a clause with the words that it shares.
        span: Where it stands in the answer without markers.
        evidence_ids: The ids cited at its own text.
    """

    text: str
    span: Span
    evidence_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SplitAnswer:
    """An answer, split.

    Attributes:
        marked: The answer without markers.
        sentences: Its sentences.
        markers: The markers of each sentence.
    """

    marked: Marked
    sentences: tuple[Piece, ...]
    markers: tuple[tuple[Marker, ...], ...] = field(default=())


def split_answer(
    answer: str, evidence_ids: Collection[str], names: Collection[str] = (), marked_names: Collection[str] = ()
) -> SplitAnswer:
    """Split an answer into sentences.

    Args:
        evidence_ids: The ids of the pack.
        names: Names of the evidence with a stop inside, at which no sentence ends: "Ada B. Low".
        marked_names: Names that end like a sentence, "Hop! Stop!"; none ends there where a verb or a preposition
            follows.  Elsewhere a name may hide a sentence: "It is Fireproof! its mass is 5 kg."
    """
    marked = strip_markers(answer, evidence_ids)
    text = marked.text
    quoted = (quotation.span for quotation in quotations_of(text))
    protected = (*quoted, *_spans_of(text, names), *_spans_going_on(text, marked_names))
    spans = sentences_of(text, protected)
    owners: list[list[Marker]] = [[] for _ in spans]
    for marker in marked.markers:
        owner = _owner(text, spans, marker.at)
        if owner is not None:
            owners[owner].append(marker)
    sentences = tuple(
        Piece(text[start:end], (start, end), _ids(markers)) for (start, end), markers in zip(spans, owners, strict=True)
    )
    return SplitAnswer(marked, sentences, tuple(map(tuple, owners)))


def _spans_of(text: str, names: Collection[str]) -> Iterator[Span]:
    """Yield where names stand, up to the last stop inside them: one may end there as well."""
    for name in names:
        start = text.find(name)
        while start >= 0:
            yield start, start + len(name)
            start = text.find(name, start + len(name))


def _spans_going_on(text: str, names: Collection[str]) -> Iterator[Span]:
    """Yield where names stand, with their last mark, in front of a word in small letters."""
    for start, end in _spans_of(text, names):
        starts_word = not start or not text[start - 1].isalnum()
        if starts_word and _GOES_ON.match(text, end) is not None:
            yield start, end + 1


def clauses_of_piece(sentence: Piece, markers: tuple[Marker, ...]) -> list[Piece]:
    """Return the clauses of a sentence; one without a marker of its own has those behind it."""
    pieces = []
    parts = parts_of(sentence.text)
    start = sentence.span[0]
    for number, (text, (begin, end)) in enumerate(parts):
        next_begin = parts[number + 1][1][0] if number + 1 < len(parts) else len(sentence.text) + 1
        own = [marker for marker in markers if start + begin < marker.at < start + next_begin]
        if number + 1 == len(parts):
            own = [marker for marker in markers if start + begin < marker.at]
        if not own:
            # The next group of markers in the sentence.
            behind = [marker for marker in markers if marker.at >= start + next_begin]
            own = _group(behind)
        pieces.append(Piece(text, (start + begin, start + end), _ids(own)))
    return pieces


def _group(markers: list[Marker]) -> list[Marker]:
    return [marker for marker in markers if marker.at - markers[0].at <= 1] if markers else []


def _owner(text: str, spans: list[Span], at: int) -> int | None:
    before = [number for number, (start, _) in enumerate(spans) if start < at]
    if not before:
        return 0 if spans else None
    owner = before[-1]
    if spans[owner][1] < at and "\n" in text[spans[owner][1] : at] and owner + 1 < len(spans):
        return owner + 1
    return owner


def _ids(markers: Collection[Marker]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(evidence_id for marker in markers for evidence_id in marker.evidence_ids))
