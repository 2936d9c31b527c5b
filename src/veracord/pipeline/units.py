"""One unit on its way through all producers of a pipeline, and what is recorded of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from veracord.errors import VeracordError
from veracord.pipeline.attempts import AttemptEnd, Transcripts, Turn
from veracord.pipeline.candidates import Attempt, Unit
from veracord.pipeline.interruptions import Interrupted, Reason
from veracord.pipeline.keys import StepKeys, step_keys
from veracord.pipeline.outcomes import Check, Outcome, Receipt, UnitResult
from veracord.pipeline.policies import Disposition
from veracord.pipeline.runs import Claim, Lease, Settlement, StepRecord
from veracord.pipeline.stores import Store, undisturbed
from veracord.pipeline.threads import Threads
from veracord.pipeline.verdicts import Status
from veracord.ports import Clock, Usage


@dataclass(frozen=True, slots=True)
class Scene:
    """What all units of a run share.

    Attributes:
        turns: The producers, in order.
        clock: Time.
        transcripts: Where texts are written down that a person asked to see, or None.
        store: Where accepted values are looked for and kept, or None.
        lease: The lease of the run in that store.
        threads: The threads of the run.
    """

    turns: Sequence[Turn]
    clock: Clock
    transcripts: Transcripts | None
    store: Store | None = None
    lease: Lease | None = None
    threads: Threads = field(default_factory=Threads)


class UnitRun:
    """One unit under way; what it has cost is known at every moment."""

    def __init__(self, unit: Unit, scene: Scene, claim: Claim | None = None) -> None:
        """Start at nothing; without a claim nothing is kept."""
        self._unit = unit
        self._scene = scene
        self._claim = claim
        self._receipts: list[Receipt] = []
        self._records: list[StepRecord] = []
        self._usage = Usage()
        self._attempts = 0
        self._producer_id = ""
        self._open: tuple[Attempt, datetime, float] | None = None

    async def settle(self) -> tuple[Settlement, Interrupted | None]:
        """Bring the unit to its end, and return what is kept of it and what ends the run, if something does.

        A cancellation is answered, not passed on: who called must look at what is returned.
        """
        try:
            return self._settlement(await self._work()), None
        except Exception as error:  # noqa: BLE001 - of a store, or a fault of ours; the frames hold what a model said
            fault = error.with_traceback(None)
        except GeneratorExit:
            raise
        except BaseException as error:  # noqa: BLE001 - an interruption may meet us anywhere, also in our own code
            interruption = Interrupted.by(error)
            return self._settlement(self._cancelled(interruption.reason.value)), interruption
        raise fault

    def give_up(self) -> Settlement:
        """Return what is kept of a unit for which nothing was done, as the run is ending."""
        return self._settlement(self._result(Outcome.CANCELLED, code=Reason.CANCELLED.value))

    def _settlement(self, result: UnitResult[Any]) -> Settlement:
        return Settlement(result, self._receipts, self._records)

    def _cancelled(self, code: str) -> UnitResult[Any]:
        if self._open is not None:
            self._end_attempt(AttemptEnd(Outcome.CANCELLED, code))
        return self._result(Outcome.CANCELLED, producer_id=self._producer_id, code=code)

    async def _work(self) -> UnitResult[Any]:
        value: object = None
        unchecked: dict[str, str] = {}
        for turn in self._scene.turns:
            producer_id = self._producer_id = turn.binding.id
            first = turn.first(self._unit, value, self._scene.transcripts)
            # What was made from a value that was not fully checked is made again with it.
            keys = None if unchecked else self._keys(turn, first)
            end = await self._recall(turn, first, keys) or await self._take_turn(turn, first)
            if not end.outcome.advances:
                return self._stopped(producer_id, end, unchecked)
            value = end.value
            unchecked |= _unchecked(producer_id, end.checks)
            if not unchecked:
                await self._keep(turn, keys, value)
        outcome = Outcome.ACCEPTED_INCOMPLETE if unchecked else Outcome.ACCEPTED
        # It advanced, so a policy said that the run goes on.
        disposition = Disposition.WARN_CONTINUE if unchecked else None
        return self._result(
            outcome,
            value=value,
            incomplete=tuple(unchecked),
            unchecked=unchecked,
            producer_id=producer_id,
            disposition=disposition,
        )

    def _stopped(self, producer_id: str, end: AttemptEnd, unchecked: dict[str, str]) -> UnitResult[Any]:
        unchecked = unchecked | _unchecked(producer_id, end.checks)
        return self._result(
            end.outcome,
            incomplete=tuple(unchecked),
            unchecked=unchecked,
            producer_id=producer_id,
            code=end.code,
            disposition=end.disposition,
            rejected_by=_names(end.checks, Status.REJECTED),
        )

    def _keys(self, turn: Turn, attempt: Attempt) -> StepKeys | None:
        lease = self._scene.lease
        return None if lease is None else step_keys(turn, attempt, lease.salt)

    async def _recall(self, turn: Turn, attempt: Attempt, keys: StepKeys | None) -> AttemptEnd | None:
        """Return an accepted value that is known already; where only validators changed, if it passes them."""
        scene = self._scene
        if keys is None or scene.store is None:
            return None
        record = await scene.store.find_record(keys.request, keys.result)
        if record is None or not await _still_stands(turn, attempt):
            return None
        self._begin(attempt)
        checks: tuple[Check, ...] = ()
        if record.result_key != keys.result:
            checks = await turn.judge(record.value, attempt.unit, scene.threads)
            if any(check.status != Status.PASSED.value for check in checks):
                self._open = None
                return None
        end = AttemptEnd(Outcome.ACCEPTED, "cached", checks=checks, value=record.value)
        self._end_attempt(end)
        return end

    async def _keep(self, turn: Turn, keys: StepKeys | None, value: object) -> None:
        """Keep the value of a step: with the unit's end, or now where other steps follow."""
        scene, claim = self._scene, self._claim
        if claim is None or scene.store is None or scene.lease is None:
            return
        none = StepKeys("", "")
        record = StepRecord(turn.binding.id, (keys or none).request, (keys or none).result, value)
        if turn is not scene.turns[-1]:
            await self._keep_receipts()
        if turn is scene.turns[-1] or keys is None:
            self._records.append(record)
        else:
            _, is_cancelled = await undisturbed(scene.store.add_record(scene.lease, claim, record))
            if is_cancelled:
                raise Interrupted(Reason.CANCELLED)

    async def _keep_receipts(self) -> None:
        """Keep what happened so far before more is paid for: a crash must not hide more than what is in flight."""
        scene, claim = self._scene, self._claim
        if claim is None or scene.store is None or scene.lease is None or not self._receipts:
            return
        kept, self._receipts = self._receipts, []
        _, is_cancelled = await undisturbed(scene.store.add_receipts(scene.lease, claim, kept))
        if is_cancelled:
            raise Interrupted(Reason.CANCELLED)

    async def _take_turn(self, turn: Turn, attempt: Attempt) -> AttemptEnd:
        scene = self._scene
        while True:
            self._begin(attempt)
            end = await _attempt(turn, attempt, scene.threads)
            self._end_attempt(end)
            if not end.repeats:
                return end
            await self._keep_receipts()
            attempt = turn.next(attempt, end, scene.transcripts)

    def _begin(self, attempt: Attempt) -> None:
        self._open = (attempt, self._scene.clock.now(), self._scene.clock.monotonic())

    def _end_attempt(self, end: AttemptEnd) -> None:
        assert self._open is not None  # noqa: S101 - called between the beginning and the end of an attempt
        (attempt, started_at, started), self._open = self._open, None
        usage = attempt.meter.usage
        self._usage += usage
        self._attempts += 1
        if self._claim is not None:
            self._receipts.append(
                Receipt(
                    unit_key=self._unit.key,
                    producer_id=attempt.producer_id,
                    attempt=attempt.number,
                    outcome=end.outcome,
                    code=end.code,
                    is_correction=attempt.correction is not None,
                    checks=end.checks,
                    structure_repairs=attempt.meter.structure_repairs,
                    usage=usage,
                    started_at=started_at,
                    duration_s=self._scene.clock.monotonic() - started,
                )
            )

    def _result(self, outcome: Outcome, **parts: Any) -> UnitResult[Any]:  # noqa: ANN401 - the other fields of the result
        return UnitResult(
            self._unit.key, self._unit.position or 0, outcome, attempts=self._attempts, usage=self._usage, **parts
        )


async def _still_stands(turn: Turn, attempt: Attempt) -> bool:
    """Whether a producer agrees that a value of its own is taken over; most know nothing that could have changed."""
    ask = getattr(turn.binding.producer, "still_stands", None)
    return ask is None or bool(await ask(attempt))


async def _attempt(turn: Turn, attempt: Attempt, threads: Threads) -> AttemptEnd:
    try:
        return await turn.attempt(attempt, threads)
    except Exception as error:  # noqa: BLE001 - a fault of ours; its frames hold what a model said
        fault = type(error).__name__
    raise VeracordError(
        f"unexpected {fault} in an attempt", where=attempt.producer_id, remedy="please report it", code="internal"
    )


def _unchecked(producer_id: str, checks: Sequence[Check]) -> dict[str, str]:
    """Return the validators that could not check, by producer and id, with the code of why."""
    failed = _names(checks, Status.EXECUTION_FAILED)
    return {f"{producer_id}/{name}": "".join(codes) for name, codes in failed.items()}


def _names(checks: Sequence[Check], status: Status) -> Mapping[str, tuple[str, ...]]:
    """Return the validators that ended in one way, with their codes."""
    return {check.validator_id: check.codes for check in checks if check.status == status.value}
