"""One unit on its way through all producers of a pipeline, and what is recorded of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from veracord.errors import VeracordError
from veracord.pipeline.attempts import AttemptEnd, Transcripts, Turn
from veracord.pipeline.candidates import Attempt, Unit
from veracord.pipeline.interruptions import Interrupted, Reason
from veracord.pipeline.outcomes import Check, Outcome, Receipt, UnitResult
from veracord.pipeline.policies import Disposition
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
        store: Where receipts go, or None.
        transcripts: Where texts are written down that a person asked to see, or None.
        threads: The threads of the run.
    """

    turns: Sequence[Turn]
    clock: Clock
    store: Store | None
    transcripts: Transcripts | None
    threads: Threads = field(default_factory=Threads)


class UnitRun:
    """One unit under way; what it has cost is known at every moment."""

    def __init__(self, unit: Unit, scene: Scene) -> None:
        """Start at nothing."""
        self._unit = unit
        self._scene = scene
        self._usage = Usage()
        self._attempts = 0
        self._producer_id = ""
        self._is_cancelled = False
        self._open: tuple[Attempt, datetime, float] | None = None

    async def settle(self) -> tuple[UnitResult[Any], Interrupted | None]:
        """Bring the unit to its end, and return how it ended and what ends the run, if something does.

        A cancellation is answered, not passed on: who called must look at what is returned.
        """
        try:
            return await self._work(), None
        except Exception as error:  # noqa: BLE001 - of a store, or a fault of ours; the frames hold what a model said
            fault = error.with_traceback(None)
        except GeneratorExit:
            raise
        except BaseException as error:  # noqa: BLE001 - an interruption may meet us anywhere, also in our own code
            return await self._cancelled(Interrupted.by(error))
        raise fault

    async def _cancelled(self, interruption: Interrupted) -> tuple[UnitResult[Any], Interrupted]:
        code = interruption.reason.value
        if self._open is not None:
            await self._end_attempt(AttemptEnd(Outcome.CANCELLED, code))
        return self._result(Outcome.CANCELLED, producer_id=self._producer_id, code=code), interruption

    async def _work(self) -> UnitResult[Any]:
        value: object = None
        unchecked: dict[str, str] = {}
        for turn in self._scene.turns:
            producer_id = self._producer_id = turn.binding.id
            end = await self._take_turn(turn, value)
            if not end.outcome.advances:
                return self._stopped(producer_id, end, unchecked)
            value = end.value
            unchecked |= _unchecked(producer_id, end.checks)
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

    async def _take_turn(self, turn: Turn, previous: object) -> AttemptEnd:
        scene = self._scene
        attempt = turn.first(self._unit, previous, scene.transcripts)
        while True:
            self._open = (attempt, scene.clock.now(), scene.clock.monotonic())
            end = await _attempt(turn, attempt, scene.threads)
            await self._end_attempt(end)
            if not end.repeats:
                return end
            if self._is_cancelled:
                raise Interrupted(Reason.CANCELLED)
            attempt = turn.next(attempt, end, scene.transcripts)

    async def _end_attempt(self, end: AttemptEnd) -> None:
        assert self._open is not None  # noqa: S101 - called between the beginning and the end of an attempt
        (attempt, started_at, started), self._open = self._open, None
        usage = attempt.meter.usage
        self._usage += usage
        self._attempts += 1
        if self._scene.store is not None:
            receipt = Receipt(
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
            self._is_cancelled |= await undisturbed(self._scene.store.add_receipt(receipt))

    def _result(self, outcome: Outcome, **parts: Any) -> UnitResult[Any]:  # noqa: ANN401 - the other fields of the result
        return UnitResult(
            self._unit.key, self._unit.position or 0, outcome, attempts=self._attempts, usage=self._usage, **parts
        )


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
