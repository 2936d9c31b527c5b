"""Cassettes: answers of a model on file, played back without it.

An answer is found by the digest of its request and of the settings of the model that gave it, and only there: a
request that was not recorded is an error, never a call.  One cassette holds the answers of one model.

Cassettes are made by `Cassette.record` alone.  They hold prompts and answers as they were, so only their owner can read
the file.
"""

import asyncio
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from veracord.errors import ModelUnavailableError
from veracord.models.cassette_files import (
    Entry,
    Tape,
    check_settings,
    is_there,
    read_tape,
    request_digest,
    request_value,
    write_tape,
)
from veracord.models.redaction import Redaction
from veracord.ports import Model, Request, Response
from veracord.records.values import JsonValue, equal


class Cassette:
    """A model that answers as another one did."""

    def __init__(self, path: str | os.PathLike[str], *, model: Model | None = None) -> None:
        """Read a cassette.

        Args:
            path: The file.
            model: The model that the answers must be of.  It is never asked; `aclose` closes it.

        Raises:
            InputError: The file cannot be read, or is no cassette.
            ConfigurationError: The answers are of another model, or were given with other settings.
        """
        self._path = Path(path)
        self._model = model
        self._tape = read_tape(self._path)
        if model is not None:
            check_settings(self._tape, model.settings, self._path)

    @classmethod
    def record(cls, path: str | os.PathLike[str], model: Model, *, secrets: Iterable[str] = ()) -> "CassetteRecorder":
        """Return a model that asks another one and keeps what it answers; `aclose` writes the file.

        Args:
            path: The file.  If it exists, new answers are added.
            model: Who is asked; it is closed together with the recorder.
            secrets: Texts that must not get into the file, such as the API key.

        Raises:
            InputError: The file exists and is no cassette.
            ConfigurationError: It holds answers of another model, or with other settings.
        """
        return CassetteRecorder(Path(path), model, Redaction(secrets))

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """The settings of the model that was recorded."""
        return self._tape.settings

    async def complete(self, request: Request) -> Response:
        """Give the recorded answer, the same one each time.

        Raises:
            ModelUnavailableError: There is none (``cassette_miss``); its `details` hold the digest.
        """
        key = request_digest(request_value(request), self._tape.settings)
        # Nothing that was asked may stay in this frame: a traceback would show it.
        del request
        entry = self._tape.entries.get(key) if key else None
        if entry is None:
            raise _miss(key, self._path)
        return entry.response

    async def aclose(self) -> None:
        """Close the model that was named, if one was."""
        if self._model is not None:
            await self._model.aclose()


@dataclass(frozen=True, slots=True)
class _Pending:
    """A request while it is asked; who asks the same waits."""

    request: Request = field(repr=False)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class CassetteRecorder:
    """A model that asks another one and keeps the first answer to each request.

    What is on the cassette is played, also while it is recorded: whoever asks again gets the same answer, so that a
    run that was recorded and its replay are alike.  Errors are not recorded.

    As a context manager it closes itself, also after an error.
    """

    def __init__(self, path: Path, model: Model, redaction: Redaction) -> None:
        """See `Cassette.record`."""
        self._path = path
        self._model = model
        self._redaction = redaction
        self._settings = redaction.of_object(dict(model.settings))
        self._tape = read_tape(path) if is_there(path) else Tape(self._settings)
        check_settings(self._tape, self._settings, path)
        self._pending: dict[str, _Pending] = {}
        self._is_changed = not self._tape.entries

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """The settings of the model that is recorded."""
        return self._settings

    async def complete(self, request: Request) -> Response:
        """Ask the model, unless it has answered this request before.

        Raises:
            ModelUnavailableError: As the model says; or the request cannot be written.
            ModelCeilingError: As the model says.
        """
        key = request_digest(request_value(request), self._settings)
        if key is not None:
            self._pending.setdefault(key, _Pending(request))
        # As in a cassette; an error of the model passes through here.
        del request
        if key is None:
            raise _miss(None, self._path)
        pending = self._pending[key]
        try:
            async with pending.lock:
                if key not in self._tape.entries:
                    self._keep(key, pending.request, await self._model.complete(pending.request))
        finally:
            self._pending.pop(key, None)
        return self._tape.entries[key].response

    def _keep(self, key: str, request: Request, response: Response) -> None:
        value = request_value(request)
        redacted = self._redaction.of_object(value)
        # Half a surrogate pair, which no wire lets through, could not be written.
        response = replace(response, text=response.text.encode(errors="replace").decode())
        entry = Entry(redacted, self._redaction.of_response(response), not equal(value, redacted))
        self._tape.entries.setdefault(key, entry)
        self._is_changed = True

    async def aclose(self) -> None:
        """Write what is new, then close the model.

        Raises:
            InputError: The file cannot be written, or is no cassette any more.
        """
        try:
            if self._is_changed:
                tape = Tape(self._settings, dict(self._tape.entries))
                await asyncio.to_thread(write_tape, self._path, tape)
                self._is_changed = False
        finally:
            await self._model.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _miss(key: str | None, path: Path) -> ModelUnavailableError:
    if key is None:
        return ModelUnavailableError(
            "the request cannot be written as JSON",
            remedy="look for lone surrogates in its texts",
            code="model_request_invalid",
            details={"requests": 0, "retryable": False},
        )
    return ModelUnavailableError(
        f"no answer is recorded for the request {key}",
        where=str(path),
        remedy="record it with Cassette.record",
        code="cassette_miss",
        details={"requests": 0, "retryable": False, "digest": key},
    )
