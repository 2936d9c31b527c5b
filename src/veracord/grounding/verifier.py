"""The verifier: coverage, gates and support of an answer, in one verdict.

An answer is `supported` only if its claims own all that it asserts, every gate passes and every claim is supported;
`abstain` only if it asserts nothing.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from veracord.errors import InputError
from veracord.gates.atoms import atoms_of
from veracord.gates.claims import Claim, Reading, read_claim
from veracord.gates.statements import Field
from veracord.grounding.claim_parts import claim_parts_of
from veracord.grounding.contexts import asks
from veracord.grounding.coverage import (
    COMPLETE,
    INCOMPLETE,
    NONE_ASSERTED,
    Coverage,
    compare_claims,
    talks_of_verdict,
)
from veracord.grounding.frames import without_frames
from veracord.grounding.markers import strip_markers
from veracord.grounding.one_subject import with_one_subject
from veracord.grounding.packs import Labels, PackView, view_pack
from veracord.grounding.pronouns import with_subject
from veracord.grounding.refusals import is_filler, refuses
from veracord.grounding.rules import supported_by_rule
from veracord.grounding.shared_subjects import with_shared_subjects
from veracord.grounding.splitting import Piece, SplitAnswer, clauses_of_piece, split_answer
from veracord.grounding.support import Judgement, judge
from veracord.grounding.text_rules import sides_of
from veracord.grounding.told_otherwise import is_of_other_origin, is_told_otherwise
from veracord.grounding.verdicts import ABSTAIN, SUPPORTED, UNDECIDED, UNSUPPORTED, ClaimVerdict, Verdict
from veracord.grounding.whole_lists import with_whole_lists
from veracord.records.evidence import EvidenceItem

__all__ = ["MAX_ANSWER", "MAX_CLAIMS", "ClaimVerdict", "Verdict", "Verifier"]

#: Each claim is held against all of the evidence; an answer of many pages would hold up whoever waits for it.
MAX_ANSWER: Final = 65_536
MAX_CLAIMS: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of the answer that asserts something."""

    piece: Piece
    clauses: tuple[Piece, ...]
    before: str


class Verifier:
    """Judges answers against evidence; it has no state, and asks no model.

    Attributes:
        labels: What a person calls the fields of records, by pointer.
    """

    def __init__(self, labels: Labels | None = None) -> None:
        self.labels = labels

    def view(self, items: Iterable[EvidenceItem]) -> PackView:
        """View evidence once, to check many answers against it."""
        return view_pack(items, self.labels)

    def check(
        self, answer: str, view: PackView, *, claims: Sequence[str] | None = None, product: str | None = None
    ) -> Verdict:
        """Judge an answer.

        Args:
            answer: The answer with its citation markers.
            view: The evidence.
            claims: Its claims, where somebody else has split it; they may have markers of their own.
            product: The product that was asked about; evidence of another one supports nothing.

        Raises:
            InputError: The answer is longer than `MAX_ANSWER` characters, or has more than `MAX_CLAIMS` claims.
        """
        if len(answer) > MAX_ANSWER or len(claims or ()) > MAX_CLAIMS:
            raise InputError(
                f"an answer has at most {MAX_ANSWER:,} characters and {MAX_CLAIMS:,} claims",
                remedy="check it in parts",
                code="answer_too_long",
            )
        split = split_answer(answer, view.items.keys(), view.names_with_stops, view.names_with_marks)
        sentences, stray = _asserting(split)
        own_claims = [claim for claim in claims or () if not refuses(strip_markers(claim, view.items.keys()).text)]
        if not sentences and not stray and not own_claims:
            return Verdict(ABSTAIN, Coverage(NONE_ASSERTED), ())
        if claims is not None:
            return _check_given(split, sentences, stray, own_claims, view, product)
        found = [_judge_sentence(sentence, split, view, product) for sentence in sentences]
        missing = tuple(piece.span for piece in stray)
        claims_found = with_whole_lists(_of_their_subjects(found, sentences, view), split.marked.text, view)
        return _verdict(Coverage(INCOMPLETE if missing else COMPLETE, missing), claims_found)


def _asserting(split: SplitAnswer) -> tuple[list[_Sentence], list[Piece]]:
    """Return the sentences that assert something, and the stray ones that no claim can own."""
    found: list[_Sentence] = []
    stray: list[Piece] = []
    before = ""
    for piece, markers in zip(split.sentences, split.markers, strict=True):
        if talks_of_verdict(piece.text):
            stray.append(piece)
        elif asks(piece.text) and not refuses(piece.text) and not (is_filler(piece.text) and not markers):
            # A question asserts nothing that a claim could own, and it is no answer.
            stray.append(piece)
        elif not refuses(piece.text) and not (is_filler(piece.text) and not markers):
            found.append(_Sentence(piece, tuple(clauses_of_piece(piece, markers)), before))
            before = piece.text
    return found, stray


def _check_given(
    split: SplitAnswer,
    sentences: Sequence[_Sentence],
    stray: Sequence[Piece],
    claims: Sequence[str],
    view: PackView,
    product: str | None,
) -> Verdict:
    marked = [strip_markers(claim, view.items.keys()) for claim in claims]
    texts = [one.text.strip() for one in marked]
    ownership = compare_claims([(sentence.piece, sentence.clauses) for sentence in sentences], texts)
    found = []
    for text, own, piece in zip(texts, marked, ownership.pieces, strict=True):
        ids = tuple(dict.fromkeys(evidence_id for marker in own.markers for evidence_id in marker.evidence_ids))
        if piece is not None:
            # What the answer cites is what counts; a claim may only pick among it.
            ids = tuple(one for one in ids if one in piece.evidence_ids) or piece.evidence_ids
        before = _before(sentences, piece)
        reading = _read(Piece(text, (0, 0), ids), before)
        span = (piece.span,) if piece is not None else ()
        found.append(_claim_verdict(reading, text, _judge_one(reading, view, product), _given(split, span)))
    coverage = ownership.coverage
    if stray:
        coverage = replace(coverage, state=INCOMPLETE, missing=(*coverage.missing, *(piece.span for piece in stray)))
    return _verdict(
        coverage, with_whole_lists(_in_place(sentences, ownership.pieces, found, view), split.marked.text, view)
    )


def _in_place(
    sentences: Sequence[_Sentence], pieces: Sequence[Piece | None], found: Sequence[ClaimVerdict], view: PackView
) -> list[ClaimVerdict]:
    """Return given claims, as they were given, after a look at them in the order in which the answer has them."""
    grouped: list[list[ClaimVerdict]] = [[] for _ in (*sentences, None)]
    for piece, claim in zip(pieces, found, strict=True):
        at = next((n for n, one in enumerate(sentences) if one.piece is piece or piece in one.clauses), len(sentences))
        grouped[at].append(claim)
    for group in grouped:
        group.sort(key=lambda claim: (claim.spans, claim.text))
    looked_at = iter(_of_their_subjects(grouped, sentences, view))
    by_claim = {id(claim): next(looked_at) for group in grouped for claim in group}
    return [by_claim[id(claim)] for claim in found]


def _of_their_subjects(
    grouped: Sequence[Sequence[ClaimVerdict]], sentences: Sequence[_Sentence], view: PackView
) -> list[ClaimVerdict]:
    """Return the claims of an answer, those not supported that are about another thing than what bears them.

    Args:
        grouped: The claims of each sentence; behind them those of none.
    """
    texts = [*(sentence.piece.text for sentence in sentences), ""][: len(grouped)]
    return with_shared_subjects(with_one_subject(grouped), [len(group) for group in grouped], texts, view)


def _before(sentences: Sequence[_Sentence], piece: Piece | None) -> str:
    return next((one.before for one in sentences if one.piece is piece or piece in one.clauses), "")


def _judge_sentence(sentence: _Sentence, split: SplitAnswer, view: PackView, product: str | None) -> list[ClaimVerdict]:
    whole = _judge_piece(sentence.piece, sentence.before, split, view, product)
    if whole.verdict == SUPPORTED:
        return [whole]
    sides = _judge_sides(sentence.piece, split, view, product)
    if sides:
        return sides
    parts = [_judge_piece(clause, sentence.before, split, view, product) for clause in sentence.clauses]
    if parts and all(part.verdict == SUPPORTED for part in parts):
        return parts
    return _judge_parts(sentence, split, view, product) or parts or [whole]


def _judge_parts(sentence: _Sentence, split: SplitAnswer, view: PackView, product: str | None) -> list[ClaimVerdict]:
    """Judge a sentence by parts that together say the same; nothing where no way has all parts supported."""
    piece = sentence.piece
    middle = [marker for marker in split.marked.markers if piece.span[0] < marker.at < piece.span[1]]
    if not piece.evidence_ids or len(middle) > 1:
        return []
    first = middle[0].evidence_ids if middle else piece.evidence_ids
    for left, right in claim_parts_of(piece.text, atoms_of(piece.text)):
        one = _judge_piece(Piece(left, piece.span, first), sentence.before, split, view, product)
        if one.verdict != SUPPORTED:
            continue
        ids = tuple(one_id for one_id in piece.evidence_ids if not middle or one_id not in first) or first
        other = _judge_piece(Piece(right, piece.span, ids), sentence.before, split, view, product)
        if other.verdict == SUPPORTED:
            return [one, other]
    return []


def _judge_piece(
    piece: Piece, before: str, split: SplitAnswer, view: PackView, product: str | None, told: Collection[str] = ()
) -> ClaimVerdict:
    reading = _read(piece, before)
    found = _judge_one(reading, view, product, told)
    if found.verdict != SUPPORTED and without_frames(piece.text) != piece.text:
        # A sentence of the evidence may itself say what its source says.
        verbatim = read_claim(Claim(piece.text, (piece.span,), piece.evidence_ids))
        again = _judge_one(verbatim, view, product, told)
        reading, found = (verbatim, again) if again.verdict == SUPPORTED else (reading, found)
    return _claim_verdict(reading, piece.text, found, _given(split, (piece.span,)))


def _judge_sides(piece: Piece, split: SplitAnswer, view: PackView, product: str | None) -> list[ClaimVerdict]:
    """Judge "one source gives ..., another ..." as two claims that tell of each other."""
    sides = sides_of(piece.text)
    markers = [marker for marker in split.marked.markers if piece.span[0] < marker.at <= piece.span[1] + 1]
    if sides is None or len(markers) != len(sides):
        return []
    found = []
    for text, own, other in zip(sides, markers, reversed(markers), strict=True):
        one = Piece(text, piece.span, own.evidence_ids)
        found.append(_judge_piece(one, "", split, view, product, other.evidence_ids))
    return found if all(verdict.verdict == SUPPORTED for verdict in found) else []


def _read(piece: Piece, before: str) -> Reading:
    text = with_subject(without_frames(piece.text), before)
    return read_claim(Claim(text, (piece.span,), piece.evidence_ids))


def _judge_one(reading: Reading, view: PackView, product: str | None, told: Collection[str] = ()) -> Judgement:
    found = judge(reading, view, told=frozenset(told), asked_product=product)
    citation_holds = reading.claim.evidence_ids and all(one in view.items for one in reading.claim.evidence_ids)
    if found.verdict == SUPPORTED:
        fields = [one for one in found.statements if isinstance(one, Field)]
        is_open = is_of_other_origin(reading, fields, view, told)
        return Judgement(UNDECIDED, found.gates, found.statements) if is_open else found
    if not citation_holds or product is not None or reading.quotations:
        return found
    by_rule = supported_by_rule(reading, view)
    if by_rule is None or is_told_otherwise(reading, by_rule, view, told):
        return found
    # The gates looked at no single statement; the rule has asked them of each that it used.
    return Judgement(SUPPORTED, by_rule.gates or found.gates, by_rule.statements)


def _claim_verdict(
    reading: Reading, text: str, judgement: Judgement, spans: tuple[tuple[int, int], ...]
) -> ClaimVerdict:
    return ClaimVerdict(
        text, judgement.verdict, reading.claim.evidence_ids, judgement.gates, judgement.statements, spans
    )


def _given(split: SplitAnswer, spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return places in the answer as given for places in it without markers."""
    return tuple((split.marked.original(start), split.marked.original(end - 1) + 1) for start, end in spans)


def _verdict(coverage: Coverage, claims: Sequence[ClaimVerdict]) -> Verdict:
    verdicts = {claim.verdict for claim in claims}
    if coverage.state != COMPLETE or UNSUPPORTED in verdicts or not claims:
        return Verdict(UNSUPPORTED, coverage, tuple(claims))
    return Verdict(UNDECIDED if UNDECIDED in verdicts else SUPPORTED, coverage, tuple(claims))
