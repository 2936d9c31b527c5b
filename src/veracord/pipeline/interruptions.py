"""What ends a run from outside the pipeline's own decisions, without the text that it carried."""

import asyncio
from enum import Enum

from veracord.errors import RunInterruptedError


class Reason(Enum):
    """Why a run was ended."""

    CANCELLED = "cancelled"
    KEYBOARD_INTERRUPT = "keyboard_interrupt"
    SYSTEM_EXIT = "system_exit"
    OTHER_EXIT = "other_exit"
    COST_CEILING = "cost_ceiling"
    TRANSCRIPT = "transcript_unwritable"


class Interrupted(BaseException):
    """Ends a unit, and with it the run; never leaves the pipeline.

    Attributes:
        reason: Why.
        status: The exit status that was asked for, where it was a number.
    """

    def __init__(self, reason: Reason, status: int = 1) -> None:
        """Keep the reason alone."""
        super().__init__(reason)
        self.reason = reason
        self.status = status

    @classmethod
    def by(cls, exception: BaseException) -> "Interrupted":
        """Return what stands for an exception that is no `Exception`; its text is left behind."""
        if isinstance(exception, Interrupted):
            return cls(exception.reason, exception.status)
        if isinstance(exception, asyncio.CancelledError):
            return cls(Reason.CANCELLED)
        if isinstance(exception, KeyboardInterrupt):
            return cls(Reason.KEYBOARD_INTERRUPT)
        if isinstance(exception, SystemExit):
            return cls(Reason.SYSTEM_EXIT, exception.code if isinstance(exception.code, int) else 1)
        return cls(Reason.OTHER_EXIT)


def exception_for(interruption: Interrupted) -> BaseException:
    """Return a fresh exception that tells a caller why its run ended."""
    match interruption.reason:
        case Reason.CANCELLED:
            return asyncio.CancelledError()
        case Reason.KEYBOARD_INTERRUPT:
            return KeyboardInterrupt()
        case Reason.SYSTEM_EXIT:
            return SystemExit(interruption.status)
        case Reason.COST_CEILING:
            return RunInterruptedError(
                "the next request could pass the limit on cost",
                remedy="raise max_cost_usd and run it again",
                code="cost_ceiling",
            )
        case Reason.TRANSCRIPT:
            return RunInterruptedError(
                "a transcript cannot be written",
                remedy="make room in its folder, or run without transcripts",
                code="transcript_unwritable",
            )
        case Reason.OTHER_EXIT:
            return RunInterruptedError(
                "a validator or producer ended the run", remedy="correct it and run again", code="exit_requested"
            )
