"""Units in a store: planned, claimed before they are worked on, and settled under the latest claim alone."""

from collections.abc import Sequence
from typing import Any, Final

from veracord.errors import InputError, PipelineError, StorageError
from veracord.pipeline.candidates import Unit
from veracord.pipeline.outcomes import Outcome, Receipt, UnitResult
from veracord.pipeline.policies import Disposition
from veracord.pipeline.runs import Claim, Lease, Settlement, StepRecord
from veracord.records.reading import read_value
from veracord.records.values import JsonValue, canonical, digest
from veracord.records.writing import Raw, raw, write_json
from veracord.storage.leases import check_lease, holds_lease
from veracord.storage.receipt_rows import add_receipts, add_word, read_facts, write_facts
from veracord.storage.sessions import Row, Session
from veracord.storage.states import DONE, MOST_LOST, READY, RUNNING

_DIGEST: Final = 24

#: The deepest value that is read back; a result nests its record a few levels deeper than a record may be.
_MOST_LEVELS: Final = 200

#: What writing JSON raises: for another type, for a text that is no Unicode, for a value in itself.
_NO_JSON: Final = (TypeError, ValueError, RecursionError)


def plan_units(session: Session, lease: Lease, units: Sequence[Unit]) -> list[int]:
    """Make units known; see `Store.plan`."""
    check_lease(session, lease)
    if not units:
        return []
    _refuse_more(session, lease, units)
    rows = [(lease.run_id, unit.position, write_key(unit.key), unit_digest(unit)) for unit in units]
    session.change_many(
        "INSERT INTO units (run_id, position, unit_key, digest, state, fence, lost, ended_run)"  # noqa: S608 - a number
        f" VALUES (?, ?, ?, ?, {READY}, 0, 0, 0) ON CONFLICT DO NOTHING",
        rows,
    )
    found = session.execute(
        "SELECT position, unit_key, digest, state FROM units WHERE run_id = ? AND position BETWEEN ? AND ?",
        (lease.run_id, rows[0][1], rows[-1][1]),
    )
    known = {row[0]: row for row in found}
    for unit, row in zip(units, rows, strict=True):
        _compare(session, unit, row, known.get(unit.position))
    return [unit.position for unit in units if known[unit.position][3] != DONE]  # type: ignore[misc]  # they have one


def _refuse_more(session: Session, lease: Lease, units: Sequence[Unit]) -> None:
    """Refuse units behind the last one of a run whose units are known: nothing is kept of them."""
    ((known,),) = session.execute("SELECT units FROM runs WHERE run_id = ?", (lease.run_id,))
    more = next((unit for unit in units if known is not None and (unit.position or 0) >= known), None)
    if more is not None:
        raise InputError(
            f"the input has more units than the {known} that it had when the run was started",
            where=_place(more),
            remedy="put it back, or give the run another name",
            code="input_changed",
        )


def _place(unit: Unit) -> str:
    return unit.where or f"unit {(unit.position or 0) + 1}"


def _compare(session: Session, unit: Unit, row: Row, known: Row | None) -> None:
    if known is None:
        others = session.execute("SELECT position FROM units WHERE run_id = ? AND unit_key = ?", (row[0], row[2]))
        raise InputError(
            f"two units have the key {unit.key}",
            where=f"unit {others[0][0] + 1} and unit {(unit.position or 0) + 1}",
            remedy="give each its own",
            code="duplicate_unit",
        )
    if (known[1], known[2]) != (row[2], row[3]):
        raise InputError(
            "the input is not what it was when the run was started",
            where=_place(unit),
            remedy="put it back, or give the run another name",
            code="input_changed",
        )


def finish_plan(session: Session, lease: Lease, units: int) -> None:
    """Say that all units are known; see `Store.finish_plan`."""
    check_lease(session, lease)
    ((known,),) = session.execute("SELECT COUNT(*) FROM units WHERE run_id = ?", (lease.run_id,))
    if known != units:
        raise InputError(
            f"the input has {units} units, and had {known} when the run was started",
            remedy="put it back, or give the run another name",
            code="input_changed",
        )
    session.change("UPDATE runs SET units = ? WHERE run_id = ?", (units, lease.run_id))


def claim_unit(session: Session, lease: Lease, position: int) -> Claim | None:
    """Take a unit; see `Store.claim`."""
    check_lease(session, lease)
    where = (lease.run_id, position)
    rows = session.execute("SELECT state, fence, lost FROM units WHERE run_id = ? AND position = ?", where)
    if not rows or rows[0][0] == DONE:
        raise PipelineError("the unit is nobody's to claim", code="not_claimable")
    state, fence, lost = rows[0]
    if state == RUNNING:
        lost += 1
        add_word(session, lease.run_id, position, fence, "lost", {"epoch": lease.epoch})
    if lost >= MOST_LOST:
        _set_aside(session, lease, position, fence)
        return None
    fence += 1
    session.change(
        f"UPDATE units SET state = {RUNNING}, fence = ?, lost = ? WHERE run_id = ? AND position = ?",  # noqa: S608 - a number
        (fence, lost, *where),
    )
    add_word(session, lease.run_id, position, fence, "intent", {"epoch": lease.epoch})
    return Claim(position, fence)


def _set_aside(session: Session, lease: Lease, position: int, fence: int) -> None:
    result: UnitResult[Any] = UnitResult("", position, Outcome.LOST, code="lost")
    session.change(
        f"UPDATE units SET state = {DONE}, outcome = ?, facts = ? WHERE run_id = ? AND position = ?",  # noqa: S608 - a number
        (Outcome.LOST.value, write_facts(result), lease.run_id, position),
    )
    add_word(session, lease.run_id, position, fence, "set_aside", {"epoch": lease.epoch})


def settle_unit(session: Session, lease: Lease, claim: Claim, settlement: Settlement) -> bool:
    """Keep how a unit ended, if the claim is the latest; see `Store.settle`."""
    result = settlement.result
    where = (lease.run_id, claim.position)
    is_held = holds_lease(session, lease)
    changed = is_held and session.change(
        f"UPDATE units SET state = {DONE}, outcome = ?, producer_id = ?, facts = ?, ended_run = ?"  # noqa: S608 - numbers
        f" WHERE run_id = ? AND position = ? AND fence = ? AND state = {RUNNING}",
        (
            result.outcome.value,
            result.producer_id,
            write_facts(result),
            int(result.disposition is Disposition.FAIL_RUN),
            *where,
            claim.fence,
        ),
    )
    if not changed:
        # The run may have been removed meanwhile.
        if session.execute("SELECT 1 FROM runs WHERE run_id = ?", (lease.run_id,)):
            add_word(session, lease.run_id, claim.position, claim.fence, "stale", {"epoch": lease.epoch})
        return False
    add_receipts(session, lease.run_id, claim, settlement.receipts)
    add_word(session, lease.run_id, claim.position, claim.fence, "commit", {"outcome": result.outcome.value})
    for record in settlement.records:
        _keep(session, lease.run_id, claim.position, record)
    session.change("DELETE FROM provisional WHERE run_id = ? AND position = ?", where)
    if result.outcome is Outcome.ACCEPTED_INCOMPLETE:
        session.change(
            "INSERT INTO provisional (run_id, position, value) VALUES (?, ?, ?)",
            (*where, _write_value(result.value, result.producer_id)),
        )
    return True


def add_attempts(session: Session, lease: Lease, claim: Claim, receipts: Sequence[Receipt]) -> None:
    """Keep what happened in attempts, if the claim is the latest; see `Store.add_receipts`."""
    if _is_latest(session, lease, claim):
        add_receipts(session, lease.run_id, claim, receipts)


def add_record(session: Session, lease: Lease, claim: Claim, record: StepRecord) -> None:
    """Keep the accepted value of one step, if the claim is the latest; see `Store.add_record`."""
    if _is_latest(session, lease, claim):
        _keep(session, lease.run_id, claim.position, record)


def _is_latest(session: Session, lease: Lease, claim: Claim) -> bool:
    """Whether nobody else has taken the run or the unit since."""
    statement = f"SELECT 1 FROM units WHERE run_id = ? AND position = ? AND fence = ? AND state = {RUNNING}"  # noqa: S608 - a number
    place = (lease.run_id, claim.position, claim.fence)
    return holds_lease(session, lease) and bool(session.execute(statement, place))


def _keep(session: Session, run_id: str, position: int, record: StepRecord) -> None:
    session.change(
        "INSERT INTO records (run_id, position, producer_id, request_key, result_key, value) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (run_id, position, producer_id) DO UPDATE SET"
        " request_key = excluded.request_key, result_key = excluded.result_key, value = excluded.value",
        (
            run_id,
            position,
            record.producer_id,
            record.request_key,
            record.result_key,
            _write_value(record.value, record.producer_id),
        ),
    )


def find_record(session: Session, request_key: str, result_key: str) -> StepRecord | None:
    """Return a record of an accepted value; see `Store.find_record`."""
    fields = "SELECT producer_id, request_key, result_key, value FROM records"
    rows = session.execute(
        f"{fields} WHERE request_key = ? AND result_key = ? LIMIT 1", (request_key, result_key)
    ) or session.execute(
        f"{fields} JOIN runs ON runs.run_id = records.run_id WHERE request_key = ?"
        " ORDER BY runs.created_at DESC, position DESC LIMIT 1",
        (request_key,),
    )
    if not rows:
        return None
    producer_id, request, result, value = rows[0]
    return StepRecord(producer_id, request, result, _read_value(value))


def read_results(
    session: Session, run_id: str, after: int, limit: int, *, as_text: bool = False
) -> list[UnitResult[Any]]:
    """Return results behind a position, in order; `as_text` as in `SqlStore.results`."""
    rows = session.execute(
        "SELECT u.position, u.unit_key, u.outcome, u.producer_id, u.facts, r.value, p.value FROM units u"  # noqa: S608 - a number
        " LEFT JOIN records r ON r.run_id = u.run_id AND r.position = u.position AND r.producer_id = u.producer_id"
        " AND u.outcome = 'accepted'"
        " LEFT JOIN provisional p ON p.run_id = u.run_id AND p.position = u.position"
        " AND u.outcome = 'accepted_incomplete'"
        f" WHERE u.run_id = ? AND u.position > ? AND u.state = {DONE} ORDER BY u.position LIMIT ?",
        (run_id, after, limit),
    )
    return [_result(row, as_text=as_text) for row in rows]


def _result(row: Row, *, as_text: bool) -> UnitResult[Any]:
    position, key, outcome, producer_id, facts, record, provisional = row
    text = record if record is not None else provisional
    value: JsonValue | Raw = None
    if text is not None:
        value = raw(text.encode()) if as_text else _read_value(text)
    return read_facts(facts, read_key(key), position, Outcome(outcome), producer_id or "", value)


def unit_digest(unit: Unit) -> str:
    """Return a short digest of a unit's content.

    Raises:
        InputError: It is no JSON.
    """
    try:
        return digest(canonical(unit.value)).removeprefix("sha256:")[:_DIGEST]
    except _NO_JSON:
        pass
    raise InputError("the unit is no JSON", where=_place(unit), remedy="make it of JSON values", code="not_json")


def write_key(key: str) -> str:
    """Return a key as JSON: a database may not take every character.

    Raises:
        InputError: It holds half of a pair of surrogates.
    """
    try:
        return write_json(key).decode()
    except UnicodeEncodeError:
        pass
    raise InputError("the key of a unit is no Unicode text", remedy="give it another", code="not_json")


def read_key(text: str) -> str:
    """Return the key that a store kept."""
    return str(read_value(text.encode()))


def _read_value(text: str) -> JsonValue:
    """Return a value that was kept; one that holds a whole record is larger and deeper than records may be."""
    data = text.encode()
    return read_value(data, max_bytes=max(len(data), 1), max_levels=_MOST_LEVELS)


def _write_value(value: object, producer_id: str) -> str:
    """Return a value as JSON.

    Raises:
        StorageError: It is none; what it is then is not told.
    """
    try:
        dump = getattr(value, "model_dump", None)
        return write_json(value if dump is None else dump(mode="json")).decode()
    except _NO_JSON:
        pass
    raise StorageError(
        "a value is no JSON, so it cannot be kept",
        where=producer_id,
        remedy="let the producer return JSON values or a pydantic model",
        code="not_json",
    )
