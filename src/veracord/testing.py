"""Doubles that ship with the package: they do what they are told and keep what they were asked."""

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from veracord.access.memory import MemoryAccessStore
from veracord.composer.ledgers import LedgerEntry
from veracord.errors import InputError, ModelError, ModelUnavailableError, PipelineError
from veracord.pipeline.candidates import Unit
from veracord.pipeline.outcomes import Outcome, Receipt, UnitResult
from veracord.pipeline.policies import Disposition
from veracord.pipeline.runs import DONE_AGAIN, Claim, Lease, RunSpec, Settlement, StepRecord
from veracord.ports import Request, Response, Usage
from veracord.records.values import JsonValue, canonical, digest
from veracord.review.memory import MemoryReviewStore

Answer = str | Response | ModelError

#: Claims of one unit that may be lost before it is set aside.
_MOST_LOST = 3


class ScriptedModel:
    """A model that gives prepared answers, one after the other.

    Attributes:
        requests: What it was asked, oldest first.
    """

    def __init__(self, answers: Iterable[Answer] | Callable[[Request], Answer]) -> None:
        """Prepare the answers.

        Args:
            answers: A text is an answer that costs one request and tells no tokens; an error is raised.
                Instead of a list, a function from the request to its answer.
        """
        self._answers = answers if callable(answers) else iter(answers)
        self.requests: list[Request] = []

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """What decides an answer: nothing that can be told."""
        return {"adapter": "scripted"}

    async def complete(self, request: Request) -> Response:
        """Give the next answer.

        Raises:
            ModelError: The next answer is one.
            ModelUnavailableError: There is no answer left.
        """
        self.requests.append(request)
        answer = self._answers(request) if callable(self._answers) else next(self._answers, None)
        if answer is None:
            answer = ModelUnavailableError("the script has no answer left", code="script_ended")
        if isinstance(answer, ModelError):
            raise answer
        return Response(answer, usage=Usage(requests=1, unmetered=1)) if isinstance(answer, str) else answer

    async def aclose(self) -> None:
        """Do nothing: nothing is held."""


class MemoryStore:
    """A store that lasts as long as its process.

    Attributes:
        receipts: What happened in each attempt, in the order in which it was kept.
        review: Records under review.
        access: Who may sign in, in the same transactions.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.access = MemoryAccessStore()
        self.review: MemoryReviewStore = self.access
        self.receipts: list[Receipt] = []
        self._runs: dict[str, _MemoryRun] = {}
        self._records: dict[str, dict[str, StepRecord]] = {}

    async def open_run(self, spec: RunSpec, *, again: Collection[Outcome] = ()) -> Lease:
        """Take the lease of a run; whoever had it before has lost it."""
        run = self._runs.get(spec.run_id)
        is_resumed = run is not None
        if run is None:
            run = self._runs[spec.run_id] = _MemoryRun()
        run.epoch += 1
        if run.count is None and not any(unit.fence for unit in run.units.values()):
            # Nothing was begun, so an input that was refused may be corrected.
            run.units, run.keys = {}, {}
        for unit in run.units.values():
            result = unit.result
            if result is not None and (result.outcome in (*DONE_AGAIN, *again) or _ended_run(result)):
                unit.result = None
                unit.lost = 0
        return Lease(spec.run_id, run.epoch, b"memory", is_resumed=is_resumed, is_planned=run.count is not None)

    async def plan(self, lease: Lease, units: Sequence[Unit]) -> list[int]:
        """Make units known and return the positions of those that are still to be done."""
        run = self._run(lease)
        planned, keys = dict(run.units), dict(run.keys)
        for unit in units:
            position = unit.position or 0
            place = unit.where or f"unit {position + 1}"
            if run.count is not None and position >= run.count:
                raise InputError("the input has more units than it had", where=place, code="input_changed")
            # A digest, so that no input lives as long as the store.
            content = digest(canonical(unit.value))
            known = planned.setdefault(position, _MemoryUnit(unit.key, content))
            if (known.key, known.content) != (unit.key, content):
                raise InputError("the input is not what it was", where=place, code="input_changed")
            first = keys.setdefault(unit.key, position)
            if first != position:
                where = f"unit {first + 1} and unit {position + 1}"
                raise InputError(f"two units have the key {unit.key}", where=where, code="duplicate_unit")
        run.units, run.keys = planned, keys
        return [unit.position or 0 for unit in units if planned[unit.position or 0].result is None]

    async def finish_plan(self, lease: Lease, units: int) -> None:
        """Say that all units are known."""
        run = self._run(lease)
        if len(run.units) != units:
            raise InputError("the input is not what it was", code="input_changed")
        run.count = units

    async def claim(self, lease: Lease, position: int) -> Claim | None:
        """Take a unit before it is worked on."""
        unit = self._run(lease).units.get(position)
        if unit is None or unit.result is not None:
            raise PipelineError("the unit is nobody's to claim", code="not_claimable")
        unit.lost += unit.is_claimed
        unit.is_claimed = unit.lost < _MOST_LOST
        if not unit.is_claimed:
            unit.result = UnitResult(unit.key, position, Outcome.LOST, code="lost")
            return None
        unit.fence += 1
        return Claim(position, unit.fence)

    async def add_receipts(self, lease: Lease, claim: Claim, receipts: Sequence[Receipt]) -> None:
        """Keep what happened in attempts of a unit that has not ended."""
        if self._is_latest(lease, claim):
            self.receipts += receipts

    def _is_latest(self, lease: Lease, claim: Claim) -> bool:
        run = self._runs[lease.run_id]
        unit = run.units[claim.position]
        return run.epoch == lease.epoch and unit.fence == claim.fence and unit.is_claimed

    async def add_record(self, lease: Lease, claim: Claim, record: StepRecord) -> None:
        """Keep the accepted value of a producer that is not the last one."""
        if self._is_latest(lease, claim):
            self._records.setdefault(record.request_key, {})[record.result_key] = record

    async def find_record(self, request_key: str, result_key: str) -> StepRecord | None:
        """Return a record with this result key, else the latest one with this request key, else None."""
        records = self._records.get(request_key, {})
        return records.get(result_key) or next(reversed(records.values()), None)

    async def settle(self, lease: Lease, claim: Claim, settlement: Settlement) -> bool:
        """Keep how a unit ended; return whether it was."""
        if not self._is_latest(lease, claim):
            return False
        unit = self._runs[lease.run_id].units[claim.position]
        unit.result = settlement.result
        unit.is_claimed = False
        self.receipts += settlement.receipts
        for record in settlement.records:
            self._records.setdefault(record.request_key, {})[record.result_key] = record
        return True

    async def close_run(self, lease: Lease, ended_by: str) -> None:
        """Do nothing: there is no other process."""

    async def results(self, run_id: str = "") -> AsyncIterator[UnitResult[Any]]:
        """Yield the results of a run in the order of its units; without an id, of the latest run."""
        latest = next(reversed(self._runs), "")
        run = self._runs.get(run_id or latest, _MemoryRun())
        for position in sorted(run.units):
            result = run.units[position].result
            if result is not None:
                yield result

    def _run(self, lease: Lease) -> "_MemoryRun":
        run = self._runs[lease.run_id]
        if run.epoch != lease.epoch:
            raise PipelineError("another start works on this run", code="lease_lost")
        return run


@dataclass(slots=True)
class _MemoryUnit:
    key: str
    content: str
    fence: int = 0
    lost: int = 0
    is_claimed: bool = False
    result: UnitResult[Any] | None = None


@dataclass(slots=True)
class _MemoryRun:
    epoch: int = 0
    count: int | None = None
    units: dict[int, _MemoryUnit] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)


def _ended_run(result: UnitResult[Any]) -> bool:
    return result.disposition is Disposition.FAIL_RUN


class MemoryLedger:
    """A ledger that lasts as long as its process.

    Attributes:
        issued_entries: What was suggested, each once, oldest first.
        rejected_entries: What was refused, each once, oldest first.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.issued_entries: dict[LedgerEntry, None] = {}
        self.rejected_entries: dict[LedgerEntry, None] = {}

    async def issue(self, entries: Collection[LedgerEntry]) -> None:
        """Remember suggestions."""
        self.issued_entries |= dict.fromkeys(entries)

    async def issued(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was ever suggested for products."""
        return frozenset(entry for entry in self.issued_entries if entry.product in products)

    async def reject(self, entries: Collection[LedgerEntry]) -> None:
        """Remember that suggestions were refused."""
        self.rejected_entries |= dict.fromkeys(entries)

    async def rejected(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was ever refused for products."""
        return frozenset(entry for entry in self.rejected_entries if entry.product in products)


class FixedClock:
    """A clock that stands still except when somebody sleeps.

    Attributes:
        slept: The seconds of each sleep, in order.
    """

    def __init__(self, start: datetime | None = None) -> None:
        """Set the clock; without a time, to the beginning of 2026."""
        self._start = start or datetime(2026, 1, 1, tzinfo=UTC)
        self._passed_s = 0.0
        self.slept: list[float] = []

    def now(self) -> datetime:
        """Return the time that it was set to, plus what was slept."""
        return self._start + timedelta(seconds=self._passed_s)

    def monotonic(self) -> float:
        """Return the seconds slept."""
        return self._passed_s

    async def sleep(self, seconds: float) -> None:
        """Move on at once."""
        self.slept.append(seconds)
        self._passed_s += seconds
