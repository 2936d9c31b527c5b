"""Whether cited evidence supports one claim: the gates, asked of the statement that fits best.

Supported only if a statement is about the same thing, explains every word, and every gate passes.  A gate that
fails makes the claim unsupported; whatever no rule decides is undecided, and that is no support.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from veracord.gates import (
    citation,
    comparator,
    conflict,
    date,
    identifier,
    number,
    polarity,
    product,
    quote,
    unit,
)
from veracord.gates.claims import Reading
from veracord.gates.outcomes import GateOutcome, GateResult
from veracord.gates.statements import Binding, BoundEvidence, Field, Sentence, Statement
from veracord.grounding.binding import bindings_of
from veracord.grounding.packs import PackView, identifies
from veracord.grounding.placeholders import is_no_value
from veracord.grounding.pronouns import leans_back
from veracord.grounding.rivals import Rivals

SUPPORTED: Final = "supported"
UNSUPPORTED: Final = "unsupported"
UNDECIDED: Final = "undecided"

_GATES: Final = (citation, quote, number, unit, comparator, date, identifier, polarity, product, conflict)


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What the rules say of one claim.

    Attributes:
        verdict: "supported", "unsupported" or "undecided".
        gates: The outcome of each gate.
        statements: The statements that it was bound to.
    """

    verdict: str
    gates: tuple[GateResult, ...]
    statements: tuple[Statement, ...] = ()


def judge(
    claim: Reading, pack: PackView, *, told: frozenset[str] = frozenset(), asked_product: str | None = None
) -> Judgement:
    """Judge one claim.

    Args:
        told: Ids whose contradiction the answer itself tells.
        asked_product: The product that the question was about.
    """
    cited = claim.claim.evidence_ids
    known = tuple(dict.fromkeys(evidence_id for evidence_id in cited if evidence_id in pack.items))
    missing = tuple(evidence_id for evidence_id in cited if evidence_id not in pack.items)
    foreign = _foreign(known, pack, asked_product) if asked_product else ()
    quoted_ids = known if claim.quotations else ()
    texts = tuple(text for evidence_id in quoted_ids for text in pack.items[evidence_id].quotable)
    bindings = list(bindings_of(claim, pack))
    candidates = [binding for binding in bindings if binding.statement.evidence_id in known]
    bound = BoundEvidence(cited=cited, missing=missing, texts=texts, told=told, foreign=foreign)
    rivals = Rivals(claim, bindings, pack, told=told, is_asked=asked_product is not None)
    return _best_of(claim, bound, candidates, rivals)


def _best_of(claim: Reading, bound: BoundEvidence, candidates: Sequence[Binding], rivals: Rivals) -> Judgement:
    """Return the judgement by the statement that fits best, and that of a rival wherever one is seen."""
    best: Judgement | None = None
    is_borne_by_sentence = False
    for binding in candidates:
        named = replace(bound, binding=binding)
        is_supported = best is not None and best.verdict == SUPPORTED
        if is_supported and identifier.check(claim, named).outcome is GateOutcome.FAILED:
            continue
        if is_borne_by_sentence and isinstance(binding.statement, Sentence):
            # All sentences that bear a claim have the same rivals.
            continue
        found = _judge_bound(claim, named)
        if found.verdict == SUPPORTED:
            # Only here it matters what else the evidence says of the same thing.
            found = _judge_bound(claim, _with_rivals(claim, named, rivals))
            if found.verdict != SUPPORTED:
                # One reading of the evidence has a rival; that another reading sees none does not settle it.
                return found
            is_borne_by_sentence = is_borne_by_sentence or isinstance(binding.statement, Sentence)
        if best is None or _rank(found) < _rank(best):
            best = found
    return best or _judge_bound(claim, bound)


def _foreign(known: Sequence[str], pack: PackView, asked_product: str) -> tuple[str, ...]:
    """Return the ids of evidence about another product than the one that was asked about."""
    return tuple(
        evidence_id
        for evidence_id in known
        if pack.items[evidence_id].products and not identifies(pack.items[evidence_id], asked_product)
    )


def _rank(judgement: Judgement) -> tuple[int, int]:
    order = (SUPPORTED, UNSUPPORTED, UNDECIDED).index(judgement.verdict)
    return order, sum(gate.outcome is GateOutcome.FAILED for gate in judgement.gates)


def _judge_bound(claim: Reading, bound: BoundEvidence) -> Judgement:
    gates = tuple(gate.check(claim, bound) for gate in _GATES)
    binding = bound.binding
    statements = (binding.statement,) if binding is not None else ()
    if any(gate.outcome is GateOutcome.FAILED for gate in gates):
        return Judgement(UNSUPPORTED, gates, statements)
    if binding is None and _is_all_quoted(claim):
        return Judgement(SUPPORTED, gates, ())
    is_open = binding is None or binding.unexplained or binding.differences or _is_limited(binding.statement)
    if is_open or any(gate.outcome is GateOutcome.UNDECIDED for gate in gates):
        return Judgement(UNDECIDED, gates, statements)
    return Judgement(SUPPORTED, gates, statements)


def _is_limited(statement: Statement) -> bool:
    """Whether a field may not hold as it stands, for what stands beside it, or as it says that there is no value."""
    is_empty = isinstance(statement, Field) and statement.kind == "text" and is_no_value(statement.value)
    return is_empty or (isinstance(statement, Field) and statement.is_limited)


def _is_all_quoted(claim: Reading) -> bool:
    """Whether a claim is a quotation and nothing else; the quote gate has found it in the evidence."""
    inside = [quotation.span for quotation in claim.quotations]
    return bool(inside) and all(
        atom.kind in ("article", "mark") or any(start <= atom.span[0] and atom.span[1] <= end for start, end in inside)
        for atom in claim.atoms
    )


def _with_rivals(claim: Reading, bound: BoundEvidence, rivals: Rivals) -> BoundEvidence:
    """Return what a claim is held against with what contradicts it, and with what it may mean instead."""
    chosen = bound.binding
    if chosen is None:
        return bound
    others = rivals.others(chosen)
    return replace(bound, rivals=rivals.of(chosen), others=others, leans_back=bool(others) and leans_back(claim.text))
