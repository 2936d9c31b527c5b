"""A model that tells an attempt what was asked on its behalf, where whoever asks does not know the attempt.

A repair asks by itself.  In a run of many units, what that costs is still the cost of one attempt at one unit.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from veracord.errors import ModelCeilingError, ModelError
from veracord.pipeline import Attempt
from veracord.ports import Model, Request, Response, Usage, requests_before
from veracord.records.values import JsonValue


class ObservedModel:
    """A model, and the attempt that is under way."""

    def __init__(self, model: Model) -> None:
        """Wrap a model."""
        self._model = model
        # Tasks that are started on behalf of an attempt see it, those of other units do not.
        self._attempt: ContextVar[Attempt | None] = ContextVar("attempt", default=None)

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """What decides an answer; see `veracord.ports.Model`."""
        return self._model.settings

    @contextmanager
    def working_on(self, attempt: Attempt) -> Iterator[None]:
        """Tell an attempt what is asked meanwhile."""
        token = self._attempt.set(attempt)
        try:
            yield
        finally:
            self._attempt.reset(token)

    async def complete(self, request: Request) -> Response:
        """Answer a request; see `veracord.ports.Model`."""
        attempt = self._attempt.get()
        if attempt is None:
            return await self._model.complete(request)
        attempt.meter.sent()
        usage = Usage(requests=1, unmetered=1)
        try:
            response = await self._model.complete(request)
            usage = response.usage
        except asyncio.CancelledError as stop:
            usage = _of_unknown_cost(requests_before(stop))
            raise
        except ModelError as error:
            usage = _of_unknown_cost(error.details.get("requests", 0 if isinstance(error, ModelCeilingError) else 1))
            raise
        finally:
            attempt.meter.answered(usage)
        if attempt.transcript is not None:
            asked = [{"role": message.role, "content": message.content} for message in request.messages]
            attempt.transcript.add(asked, response.text)
        return response

    async def aclose(self) -> None:
        """Close the model."""
        await self._model.aclose()


def _of_unknown_cost(requests: object) -> Usage:
    count = requests if isinstance(requests, int) else 1
    return Usage(requests=count, unmetered=count)
