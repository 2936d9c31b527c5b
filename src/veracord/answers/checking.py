"""The last word on an answer, whoever wrote it: the verifier, and every citation resolved.

Source: answers.md sections 1 and 5.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from veracord.answers.codes import AbstentionCode
from veracord.answers.hints import Hint, field_at, resolves
from veracord.answers.results import AnswerClaim, Citation, GroundedAnswer, Path
from veracord.answers.tasks import AnswerTask
from veracord.gates.outcomes import GateOutcome
from veracord.gates.statements import Field, Sentence, Statement
from veracord.grounding.coverage import COMPLETE
from veracord.grounding.packs import PackView
from veracord.grounding.verdicts import ABSTAIN, SUPPORTED, UNDECIDED, ClaimVerdict, Verdict
from veracord.records.evidence import EvidenceItem
from veracord.records.pointers import join


@dataclass(frozen=True, slots=True)
class Checked:
    """What the verifier says of a text, and the answer that it is then.

    Attributes:
        verdict: The verdict.
        answer: The answer, where it is supported and its citations resolve.
        code: Why it is none.
        detail: The gate that failed first, or None.
    """

    verdict: Verdict
    answer: GroundedAnswer | None = None
    code: AbstentionCode | None = None
    detail: str | None = None


def check_text(
    task: AnswerTask,
    text: str,
    path: Path,
    hints: Sequence[Hint] = (),
    *,
    decided: Collection[str] = frozenset(),
) -> Checked:
    """Judge a text as an answer.

    Args:
        task: The question and its evidence.
        text: The answer with its markers.
        path: Who wrote it.
        hints: The hints that it was put together from; each must resolve.
        decided: Claims that no rule decides and a model may decide, and has.
    """
    verdict = _raised(task.verifier.check(text, task.view, product=task.product), decided)
    if verdict.verdict != SUPPORTED:
        code = _code_of(verdict)
        if code is AbstentionCode.REFUSED and path == "hints":
            # Nobody refused: a value reads like a refusal.
            code = AbstentionCode.NOT_SUPPORTED
        return Checked(verdict, None, code, _failed_gate(verdict.claims))
    if not all(resolves(hint, task.view, dict(task.items)) for hint in hints):
        return Checked(verdict, None, AbstentionCode.BROKEN_CITATION)
    claims = tuple(claim_of(task, claim, hints) for claim in verdict.claims)
    if any(not claim.citations for claim in claims):
        return Checked(verdict, None, AbstentionCode.BROKEN_CITATION)
    return Checked(verdict, GroundedAnswer(text, claims, path, verdict.coverage.state, task.profile, tool=task.tool))


def _raised(verdict: Verdict, decided: Collection[str]) -> Verdict:
    """Return a verdict in which open claims that were decided are supported; what failed stays failed."""
    if not decided or verdict.coverage.state != COMPLETE:
        return verdict
    claims = tuple(
        replace(claim, verdict=SUPPORTED) if claim.verdict == UNDECIDED and claim.text in decided else claim
        for claim in verdict.claims
    )
    verdicts = {claim.verdict for claim in claims}
    return replace(verdict, claims=claims, verdict=SUPPORTED if verdicts == {SUPPORTED} else verdict.verdict)


def claim_of(task: AnswerTask, claim: ClaimVerdict, hints: Sequence[Hint] = ()) -> AnswerClaim:
    """Return a claim of an answer with its citations resolved."""
    return AnswerClaim(
        text=claim.text,
        span=claim.spans[0] if claim.spans else None,
        citations=tuple(dict.fromkeys(_citations(task, claim, hints))),
        gates=tuple((result.gate, result.outcome.value, result.detail) for result in claim.gates),
    )


def _code_of(verdict: Verdict) -> AbstentionCode:
    if verdict.verdict == ABSTAIN:
        return AbstentionCode.REFUSED
    if verdict.verdict == UNDECIDED:
        return AbstentionCode.UNDECIDED
    failed = {result.gate for claim in verdict.claims for result in claim.gates if _is_failed(result.outcome)}
    if "conflict" in failed:
        return AbstentionCode.CONFLICT
    if "citation" in failed:
        return AbstentionCode.BROKEN_CITATION
    if "product" in failed:
        return AbstentionCode.OTHER_PRODUCT
    covered = verdict.coverage.state == COMPLETE
    return AbstentionCode.NOT_SUPPORTED if covered or failed else AbstentionCode.INCOMPLETE_COVERAGE


def _is_failed(outcome: GateOutcome) -> bool:
    return outcome is GateOutcome.FAILED


def _failed_gate(claims: Iterable[ClaimVerdict]) -> str | None:
    """Return the gate that failed first, with its reason in one word."""
    for claim in claims:
        for result in claim.gates:
            if _is_failed(result.outcome):
                return f"{result.gate}:{result.detail.partition(':')[0]}"
    return None


def _citations(task: AnswerTask, claim: ClaimVerdict, hints: Sequence[Hint]) -> Iterable[Citation]:
    known = {statement.evidence_id: statement for statement in claim.statements}
    places: dict[str, list[str]] = {}
    for hint in hints:
        for one, pointer in ((hint.evidence_id, hint.pointer), *hint.also):
            places.setdefault(one, []).append(pointer)
    for evidence_id in claim.evidence_ids:
        item = task.items.get(evidence_id)
        if item is None:
            continue
        if evidence_id in places:
            # Of the items of a list those that the claim states.
            own = {one.pointer for one in claim.statements if one.evidence_id == evidence_id}
            pointers = [place for place in places[evidence_id] if place in own] or places[evidence_id]
            yield from (Citation(evidence_id, item.evidence_ref, pointer) for pointer in pointers)
            continue
        statement = known.get(evidence_id) or _statement_in(task, claim, evidence_id)
        yield citation_of(task, evidence_id, statement)


def _statement_in(task: AnswerTask, claim: ClaimVerdict, evidence_id: str) -> Statement | None:
    """Return what one more item says for a claim that another item was found for."""
    alone = task.verifier.check(f"{claim.text.rstrip('. ')} [{evidence_id}].", task.view)
    found = [statement for one in alone.claims for statement in one.statements if one.verdict == SUPPORTED]
    return next((statement for statement in found if statement.evidence_id == evidence_id), None)


def citation_of(task: AnswerTask, evidence_id: str, statement: Statement | None) -> Citation:
    """Return the place of a statement; of none, the whole item."""
    ref = task.items[evidence_id].evidence_ref
    if isinstance(statement, Field):
        return Citation(evidence_id, ref, join(statement.path)) if statement.path else Citation(evidence_id, ref)
    if isinstance(statement, Sentence):
        return Citation(evidence_id, ref, _pointer_of(task, statement), statement.span)
    return Citation(evidence_id, ref)


def _pointer_of(task: AnswerTask, sentence: Sentence) -> str | None:
    """Return the field whose text a sentence stands in; None in a text."""
    item = task.items[sentence.evidence_id]
    start, end = sentence.span
    fields = task.view.items[sentence.evidence_id].fields
    prose = [text.text[start:end] for text in task.view.items[sentence.evidence_id].prose]
    if item.text is not None and item.text[start:end] in prose:
        return None
    return next(
        (
            join(field.path)
            for field in fields
            if field.kind == "text" and field.value[start:end] in prose and end > start
        ),
        None,
    )


def leads_to(citation: Citation, view: PackView, items: Mapping[str, EvidenceItem]) -> bool:
    """Whether a citation leads to the very item that it names, and to a place that is there."""
    item = items.get(citation.evidence_id)
    if item is None or item.evidence_ref != citation.evidence_ref:
        return False
    return citation.pointer is None or field_at(view, citation.evidence_id, citation.pointer) is not None
