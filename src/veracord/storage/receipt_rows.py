"""Receipts in a store: what happened, in rows that are only ever added."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from veracord.pipeline.outcomes import Outcome, Receipt, UnitResult
from veracord.pipeline.policies import Disposition
from veracord.pipeline.runs import Claim
from veracord.ports import Usage
from veracord.records.reading import read_value
from veracord.records.writing import write_json
from veracord.storage.sessions import Session


def add_receipts(session: Session, run_id: str, claim: Claim, receipts: Sequence[Receipt]) -> None:
    """Keep the receipts of attempts."""
    for receipt in receipts:
        kind = "cached" if receipt.code == "cached" else "attempt"
        body = receipt_row(receipt)
        _add(session, (run_id, claim.position, claim.fence), kind, body, receipt.outcome.value, receipt.usage)


def add_word(session: Session, run_id: str, position: int, fence: int, kind: str, body: Mapping[str, Any]) -> None:
    """Keep one receipt that is no attempt, behind those that are there."""
    _add(session, (run_id, position, fence), kind, body, "", Usage())


def _add(
    session: Session, place: tuple[str, int, int], kind: str, body: Mapping[str, Any], outcome: str, usage: Usage
) -> None:
    session.change(
        "INSERT INTO receipts (run_id, position, fence, number, kind, outcome, requests, input_tokens, output_tokens,"
        " cost_usd, unmetered, body) SELECT ?, ?, ?,"
        " (SELECT COUNT(*) FROM receipts WHERE run_id = ? AND position = ? AND fence = ?), ?, ?, ?, ?, ?, ?, ?, ?",
        (
            *place,
            *place,
            kind,
            outcome,
            usage.requests,
            usage.input_tokens,
            usage.output_tokens,
            None if usage.cost_usd is None else str(usage.cost_usd),
            usage.unmetered,
            write_json(body).decode(),
        ),
    )


def receipt_row(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt as JSON; it holds codes, counts and times."""
    return {
        "producer": receipt.producer_id,
        "attempt": receipt.attempt,
        "outcome": receipt.outcome.value,
        "code": receipt.code,
        "correction": receipt.is_correction,
        "checks": [
            {
                "validator": check.validator_id,
                "status": check.status,
                "codes": list(check.codes),
                "execution_retries": check.execution_retries,
            }
            for check in receipt.checks
        ],
        "structure_repairs": receipt.structure_repairs,
        "usage": receipt.usage.to_dict(),
        "started_at": receipt.started_at.isoformat(timespec="milliseconds"),
        "duration_ms": round(receipt.duration_s * 1000),
    }


def write_facts(result: UnitResult[Any]) -> str:
    """Return what a store keeps of a result beside its outcome and value."""
    facts = {
        "incomplete": list(result.incomplete),
        "unchecked": dict(result.unchecked),
        "code": result.code,
        "disposition": result.disposition.value if result.disposition is not None else None,
        "rejected_by": {name: list(codes) for name, codes in result.rejected_by.items()},
        "attempts": result.attempts,
        "usage": result.usage.to_dict(),
    }
    return write_json(facts).decode()


def read_facts(
    text: str, key: str, position: int, outcome: Outcome, producer_id: str, value: object
) -> UnitResult[Any]:
    """Return the result that a store kept."""
    facts: Any = read_value(text.encode())
    disposition = facts["disposition"]
    return UnitResult(
        key=key,
        position=position,
        outcome=outcome,
        value=value,
        incomplete=tuple(facts["incomplete"]),
        unchecked=facts["unchecked"],
        producer_id=producer_id,
        code=facts["code"],
        disposition=None if disposition is None else Disposition(disposition),
        rejected_by={name: tuple(codes) for name, codes in facts["rejected_by"].items()},
        attempts=facts["attempts"],
        usage=read_usage(facts["usage"]),
    )


def read_usage(row: Mapping[str, Any]) -> Usage:
    """Return a usage that a store kept."""
    cost = row["cost_usd"]
    return Usage(
        row["requests"],
        row["input_tokens"],
        row["output_tokens"],
        None if cost is None else Decimal(cost),
        row["unmetered"],
    )
