"""Doubles that ship with the package: they do what they are told and keep what they were asked."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from veracord.errors import ModelError, ModelUnavailableError
from veracord.pipeline.outcomes import Receipt, UnitResult
from veracord.ports import Request, Response, Usage
from veracord.records.values import JsonValue

Answer = str | Response | ModelError


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
        receipts: What happened in each attempt, in the order in which attempts ended.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.receipts: list[Receipt] = []
        self._results: dict[int, UnitResult[Any]] = {}

    async def add_receipt(self, receipt: Receipt) -> None:
        """Keep what happened in one attempt."""
        self.receipts.append(receipt)

    async def settle(self, result: UnitResult[Any]) -> None:
        """Keep how a unit ended."""
        self._results[result.position] = result

    def list_results(self) -> list[UnitResult[Any]]:
        """Return the results in the order of the units, for plain code."""
        return [self._results[position] for position in sorted(self._results)]

    async def results(self) -> AsyncIterator[UnitResult[Any]]:
        """Yield the results in the order of the units."""
        for position in sorted(self._results):
            yield self._results[position]


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
