"""Running one validator on one candidate: on the loop, in a thread or in a child process, with its own budget.

A validator that raises, runs out of time or answers with something that is no verdict could not check.  Its exception
never leaves this module: what is told is the name of its type.
"""

import asyncio
import time
from collections.abc import Awaitable
from typing import Any, Final

from veracord.errors import ConfigurationError
from veracord.pipeline.candidates import Unit
from veracord.pipeline.checks import Check, check_of, is_async, verdict_of
from veracord.pipeline.interruptions import Interrupted
from veracord.pipeline.isolation import IsolatedCheck
from veracord.pipeline.texts import clean_name
from veracord.pipeline.threads import Threads
from veracord.pipeline.validators import ValidatorBinding
from veracord.pipeline.verdicts import Status, Verdict

_TIMED_OUT: Final = "timed_out"


class ValidatorExecution:
    """One validator, ready to be run."""

    def __init__(self, binding: ValidatorBinding[Any]) -> None:
        """Prepare the check.

        Raises:
            ConfigurationError: It is to be isolated and cannot be sent to another process.
        """
        self.id = binding.id
        self._retries = binding.execution_retries
        self._timeout_s = binding.timeout_s
        self._check = check_of(binding.check)
        self._is_async = is_async(binding.check)
        self._isolated = self._isolate(binding) if binding.isolate else None

    def _isolate(self, binding: ValidatorBinding[Any]) -> IsolatedCheck:
        if self._is_async:
            raise ConfigurationError(
                "a validator that is a coroutine cannot be isolated",
                where=binding.id,
                remedy="leave isolate out, or make it a plain function",
                code="invalid_validator",
            )
        return IsolatedCheck(binding.id, binding.check)

    async def run(self, value: object, unit: Unit, threads: Threads) -> tuple[Verdict, int]:
        """Return the verdict, and how often the check was run again.

        Raises:
            Interrupted: The validator asked the process to end.
        """
        for spent in range(self._retries + 1):
            verdict = await self._once(value, unit, threads)
            if verdict.status is not Status.EXECUTION_FAILED or spent == self._retries:
                return verdict, spent
        raise AssertionError

    async def _once(self, value: object, unit: Unit, threads: Threads) -> Verdict:
        if self._isolated is None and (self._timeout_s is None or self._is_async):
            ended = judge(self._check, value, unit)
        else:
            ended = await self._in_thread(value, unit, threads)
        if isinstance(ended, Awaitable):
            ended = await self._answer(ended)
        if isinstance(ended, Interrupted):
            # A fresh one: whoever still holds the other must not come to hold these frames.
            raise Interrupted.by(ended)
        return ended

    async def _in_thread(self, value: object, unit: Unit, threads: Threads) -> "Ended":
        ended: Ended
        isolated = self._isolated
        async with threads.places:
            if isolated is not None:
                lent = isolated.lend()
                try:
                    ended = await threads.call(lent.judge, value, unit, self._timeout_s)
                finally:
                    # Also when the wait was cancelled: a child that is still at work is ended.
                    isolated.take_back(lent)
                return ended
            try:
                async with asyncio.timeout(self._timeout_s):
                    ended = await threads.call(judge, self._check, value, unit)
            except TimeoutError:
                ended = Verdict.execution_failed(_TIMED_OUT)
            return ended

    async def _answer(self, found: Awaitable[object]) -> Verdict | Interrupted:
        """Return the verdict of a validator that is a coroutine."""
        limit = asyncio.timeout(self._timeout_s)
        began = time.monotonic()
        try:
            async with limit:
                verdict = verdict_of(await found)
            # One that held up the event loop, or would not be cancelled, was not faster for that.
            is_late = self._timeout_s is not None and time.monotonic() - began > self._timeout_s
            return Verdict.execution_failed(_TIMED_OUT) if is_late else verdict
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever a foreign check raises is told by its type alone
            return Verdict.execution_failed(_TIMED_OUT) if limit.expired() else _ended_by(error)

    def close(self) -> None:
        """End the child processes, if there are any."""
        if self._isolated is not None:
            self._isolated.close()


#: How a check ended; one that is a coroutine has only begun.
Ended = Verdict | Interrupted | Awaitable[object]


def judge(check: Check, value: object, unit: Unit) -> Ended:
    """Run a check and return how it ended; raises nothing."""
    try:
        found = check(value, unit)
        return found if isinstance(found, Awaitable) else verdict_of(found)
    except BaseException as error:  # noqa: BLE001 - whatever a foreign check raises is told by its type alone
        return _ended_by(error)


def _ended_by(error: BaseException) -> Verdict | Interrupted:
    if isinstance(error, Exception):
        return Verdict.execution_failed(clean_name(f"raised:{type(error).__name__}"))
    return Interrupted.by(error)
