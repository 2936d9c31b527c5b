"""The one thread in which llama.cpp answers, and how it is stopped.

The thread alone holds the engine, and the engine answers one request at a time.  What leaves it is a value, never an
exception: what llama.cpp says may quote a prompt.

Three properties of the binding (xllamacpp 2026.10) shape this module:

- A streaming callback that returns true ends the generation.  It is called for each token and, with progress asked
  for, for each batch of the prompt; so a call ends within one such step after nobody waits for it any more.
- Freeing an engine that generates waits for ever.  So only its own thread frees it, when its call has ended.
- A thread that needs the interpreter after its end aborts the process.  So the end of the process waits for the thread.
"""

import importlib
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum
from queue import SimpleQueue
from types import ModuleType
from typing import Final, Generic, Protocol, TypeVar, cast

from veracord.errors import ConfigurationError

Answer = TypeVar("Answer")

#: How many tokens of a prompt are read in one step; between two steps it can be stopped.  Larger ones are not faster
#: on a CPU.
_STEP_TOKENS: Final = 64
_SILENT: Final = -1

#: How long the end of the process waits for the step that is being computed.
_LAST_STEP_S: Final = 60.0


class Failure(Enum):
    """Why there is no answer."""

    UNUSABLE = "the engine did not start"
    CLOSED = "it was closed before it came to the request"
    STOPPED = "it was closed while it answered"
    TOO_LONG = "the request does not fit into the context"
    NOT_TAKEN = "the engine does not take such a request"
    BROKEN = "the engine failed"


class Server(Protocol):
    """The part of the binding that is used."""

    def handle_chat_completions(self, prompt: bytes, callback: Callable[[bytes], bool], /) -> None:
        """Answer a request in pieces; stop when the callback returns true."""


@dataclass(frozen=True, slots=True)
class _Job(Generic[Answer]):
    """A request, or only the wish to have the engine started."""

    body: bytes | None = field(repr=False)
    # It stays pending while it is answered, so that it can be cancelled at any time.
    future: "Future[Answer | Failure | None]" = field(default_factory=Future)

    def settle(self, outcome: Answer | Failure | None) -> None:
        if self.future.set_running_or_notify_cancel():
            self.future.set_result(outcome)


class Engine(Generic[Answer]):
    """An engine that is started with its first request."""

    def __init__(self, start: Callable[[], Server], read: Callable[[Sequence[bytes]], Answer | Failure]) -> None:
        """Prepare it; nothing is started yet.

        Args:
            start: Makes the server; called in the thread of the engine, again after it failed.
            read: Makes an answer of its pieces; called in the thread of the engine.
        """
        self._start = start
        self._read = read
        self._jobs: SimpleQueue[_Job[Answer] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._ended: Future[None] = Future()
        # From here on nobody who waits for the end can cancel it.
        self._ended.set_running_or_notify_cancel()

    def submit(self, body: bytes | None) -> "Future[Answer | Failure | None]":
        """Let a request be answered, in its turn.

        Args:
            body: A chat completion request that asks for a stream; None only starts the engine and results in None.

        Returns:
            What will hold the answer.  Cancelling it stops the engine, if it is at this request.
        """
        job: _Job[Answer] = _Job(body)
        with self._lock:
            if self._closing.is_set():
                job.settle(Failure.CLOSED)
                return job.future
            self._jobs.put(job)
            if self._thread is None:
                # A daemon, as others are joined before `atexit` could tell it to stop.
                self._thread = threading.Thread(target=self._work, name="veracord-llama-cpp", daemon=True)
                self._thread.start()
        return job.future

    def close(self) -> "Future[None]":
        """Begin to stop, also in the middle of an answer; the future ends when the engine is freed."""
        with self._lock:
            if not self._closing.is_set():
                self._closing.set()
                self._jobs.put(None)
                if self._thread is None:
                    self._ended.set_result(None)
        return self._ended

    def stop(self) -> None:
        """Close it and wait for its thread."""
        self.close()
        # The collector of garbage may call from any thread.
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_LAST_STEP_S)

    def _work(self) -> None:
        server: Server | None = None
        while (job := self._jobs.get()) is not None:
            if server is None and not self._closing.is_set():
                server = self._started()
            job.settle(self._outcome(server, job))
            # Its text must not stay here while the thread waits for another.
            del job
        server = None
        self._ended.set_result(None)

    def _started(self) -> Server | None:
        try:
            return self._start()
        except Exception:  # noqa: BLE001 - a binding in C++ promises no class, and its words stay here
            return None

    def _outcome(self, server: Server | None, job: _Job[Answer]) -> Answer | Failure | None:
        if self._closing.is_set():
            return Failure.CLOSED
        if server is None:
            return Failure.UNUSABLE
        if job.body is None or job.future.cancelled():
            return None
        pieces: list[bytes] = []

        def take(piece: bytes) -> bool:
            pieces.append(piece)
            return job.future.cancelled() or self._closing.is_set()

        try:
            server.handle_chat_completions(job.body, take)
            return Failure.STOPPED if self._closing.is_set() else self._read(pieces)
        except ValueError:
            # std::invalid_argument: as for a schema that llama.cpp makes no grammar of.
            return Failure.NOT_TAKEN
        except Exception:  # noqa: BLE001 - as above; whoever waits must hear of it
            return Failure.BROKEN


def start_server(binding: ModuleType, file: str, context_tokens: int, threads: int) -> Server:
    """Load a model; whoever is not its owner can neither ask it nor read what it was asked."""
    params = binding.CommonParams()
    params.model.path = file
    params.n_ctx = context_tokens
    # Otherwise llama.cpp may choose a smaller context to fit the memory.
    params.fit_params = False
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = _STEP_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.warmup = False
    params.verbosity = _SILENT
    params.offline = True
    params.cache_ram_mib = 0
    params.ui = params.endpoint_slots = False
    params.api_keys = [secrets.token_hex()]
    return cast("Server", binding.Server(params))


def load_binding() -> ModuleType:
    """Import xllamacpp.

    Raises:
        ConfigurationError: It is not installed.
    """
    try:
        return importlib.import_module("xllamacpp")
    except ImportError:
        pass
    raise ConfigurationError("llama.cpp is not installed", remedy="pip install 'veracord[local]'", code="missing_extra")
