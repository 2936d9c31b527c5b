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
from veracord.gates.statements import Binding, BoundEvidence, Field, Statement
from veracord.grounding.binding import bindings_of, is_of_other_product, is_same_thing
from veracord.grounding.packs import PackView, identifies
from veracord.grounding.pronouns import leans_back

SUPPORTED: Final = "supported"
UNSUPPORTED: Final = "unsupported"
UNDECIDED: Final = "undecided"

_GATES: Final = (citation, quote, number, unit, comparator, date, identifier, polarity, product, conflict)
#: Reasons that show that another statement says something else, and not only more or less.
_CONTRADICTING: Final = frozenset({"number_differs", "unit_differs", "identifier_differs", "date_differs", "differs"})
_VALUE_GATES: Final = (number, unit, date, identifier)


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
    if not candidates:
        return _judge_bound(claim, bound)
    best: Judgement | None = None
    contradicted: Judgement | None = None
    for binding in candidates:
        named = replace(bound, binding=binding)
        if (
            best is not None
            and best.verdict == SUPPORTED
            and identifier.check(claim, named).outcome is GateOutcome.FAILED
        ):
            continue
        found = _judge_bound(claim, named)
        if found.verdict == SUPPORTED:
            # Only here it matters what else the evidence says of the same thing.
            found = _judge_bound(claim, _with_rivals(claim, named, bindings, is_asked=asked_product is not None))
            contradicted = contradicted or (found if found.verdict != SUPPORTED else None)
        if best is None or _rank(found) < _rank(best):
            best = found
    # One reading of the evidence has a rival; that another reading sees none does not settle it.
    return contradicted or best or _judge_bound(claim, bound)


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
    """Whether a field may not hold as it stands, for what stands beside it."""
    return isinstance(statement, Field) and statement.is_limited


def _is_all_quoted(claim: Reading) -> bool:
    """Whether a claim is a quotation and nothing else; the quote gate has found it in the evidence."""
    inside = [quotation.span for quotation in claim.quotations]
    return bool(inside) and all(
        atom.kind in ("article", "mark") or any(start <= atom.span[0] and atom.span[1] <= end for start, end in inside)
        for atom in claim.atoms
    )


def _with_rivals(claim: Reading, bound: BoundEvidence, bindings: Sequence[Binding], *, is_asked: bool) -> BoundEvidence:
    """Return what a claim is held against with what contradicts it, and with what it may mean instead.

    Args:
        is_asked: Whether the question was about one product, so that a claim need not name it.
    """
    chosen = bound.binding
    if chosen is None:
        return bound
    others = () if chosen.is_named or is_asked else _others(claim, chosen, bindings)
    leans = bool(others) and leans_back(claim.text)
    return replace(bound, rivals=_rivals(claim, chosen, bindings), others=others, leans_back=leans)


def _rivals(claim: Reading, chosen: Binding, bindings: Sequence[Binding]) -> tuple[Binding, ...]:
    """Return the statements about the same thing that say something else."""
    return tuple(
        other
        for other in bindings
        if other is not chosen and is_same_thing(chosen, other) and _contradicts(claim, chosen, other)
    )


def _others(claim: Reading, chosen: Binding, bindings: Sequence[Binding]) -> tuple[Binding, ...]:
    """Return what other products have for the same: a claim that names no product may mean theirs."""
    return tuple(
        other for other in bindings if is_of_other_product(chosen, other) and _contradicts(claim, chosen, other)
    )


def _contradicts(claim: Reading, chosen: Binding, other: Binding) -> bool:
    bound = BoundEvidence(binding=other)
    are_fields = isinstance(other.statement, Field) and isinstance(chosen.statement, Field)
    if not are_fields and identifier.check(claim, bound).outcome is GateOutcome.FAILED:
        # Another model, another product: not the same thing.
        return False
    differs = any(gate.check(claim, bound).detail in _CONTRADICTING for gate in _VALUE_GATES)
    if are_fields:
        return differs
    said = [cue for cue, _ in other.said_cues if cue != "not"]
    held = [cue for cue, _ in other.held_cues if cue != "not"]
    if len(other.said_cues) != len(other.held_cues):
        # The same said once with a negation and once without.
        return said == held
    return differs and other.said_cues == other.held_cues
