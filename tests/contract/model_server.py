"""A model's server on the loopback address that does what a test tells it.

It speaks both wires: whatever is posted to ``.../chat/completions`` is answered as OpenAI would, whatever is
posted to ``.../messages`` as Anthropic would.  It runs in a thread of its own::

    with ModelServer("first answer", Status(503), Answer("second", finish="length")) as server:
        model = ChatCompletionsModel(server.chat_url, "m")      # or AnthropicModel("m", base_url=server.url)
        ...
        assert server.requests[0].json["messages"] == [...]

Each request takes the next step of the script; after the last one, `default`.  A text is an `Answer`.  Instead of
steps, one function from the request to its step.  Nothing here waits for a clock except `Delay`.
"""

import asyncio
import contextlib
import json
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True)
class Answer:
    """A model's answer.  `usage` is (tokens read, tokens written); None leaves it out."""

    text: str | None = "ok"
    finish: str = "stop"  # stop, length, or refusal
    usage: tuple[int, int] | None = (7, 3)


@dataclass(frozen=True)
class ToolCalls:
    """An answer that calls tools: (name, arguments as JSON text) each."""

    calls: tuple[tuple[str, str], ...]
    usage: tuple[int, int] | None = (7, 3)


@dataclass(frozen=True)
class Status:
    """An answer with a status, a body and headers of the test's choice; also HTML or garbage with 200."""

    status: int
    body: bytes = b'{"error": {"message": "as scripted"}}'
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"


@dataclass(frozen=True)
class Raw:
    """Bytes as they are, in place of a whole HTTP answer; then the connection is closed."""

    data: bytes


@dataclass(frozen=True)
class HalfBody:
    """An answer that breaks off after half of its body."""

    body: bytes = b'{"choices": [{"message": {"content": "never complete"}}]}'


@dataclass(frozen=True)
class HugeBody:
    """An answer with a body of this size, as JSON; sent in chunks as long as somebody reads."""

    size: int


@dataclass(frozen=True)
class Drop:
    """Close the connection: after the request was read, or reset it before its body is read (then it is not logged)."""

    read: bool = True


@dataclass(frozen=True)
class Hang:
    """Read the request and never answer; with `headers`, send the head of an answer first."""

    headers: bool = False


@dataclass(frozen=True)
class Delay:
    """Wait, then take a step."""

    seconds: float
    then: "Step" = Answer()


Step = str | Answer | ToolCalls | Status | Raw | HalfBody | HugeBody | Drop | Hang | Delay


@dataclass(frozen=True)
class Received:
    """A request as it came: names of headers in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.json["messages"]


class ModelServer:
    """The server; use it as a context.

    Attributes:
        requests: What came, oldest first; also what was dropped after it was read.
        connections: How many connections were opened.
    """

    def __init__(self, *script: Step | Callable[[Received], Step], default: Step | None = None) -> None:
        self.requests: list[Received] = []
        self.connections = 0
        self._open = 0
        self._default: Step = Answer() if default is None else default
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="model-server")
        self._tasks: set[asyncio.Task[None]] = set()
        self.script(*script)

    def script(self, *script: Step | Callable[[Received], Step]) -> None:
        """Set new steps and forget what came."""
        with self._changed:
            self._function = script[0] if script and callable(script[0]) else None
            self._steps: deque[Any] = deque(() if self._function else script)
            self.requests.clear()

    @property
    def url(self) -> str:
        """The base for Anthropic's wire."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def chat_url(self) -> str:
        """The base for OpenAI's wire."""
        return f"{self.url}/v1"

    @property
    def where(self) -> str:
        return f"127.0.0.1:{self._port}"

    def wait_for_requests(self, number: int, timeout_s: float = 5.0) -> None:
        """Wait until so many requests were read; from a coroutine, by way of `asyncio.to_thread`."""
        self._wait(lambda: len(self.requests) >= number, timeout_s)

    def wait_until_left(self, timeout_s: float = 5.0) -> None:
        """Wait until no connection is open."""
        self._wait(lambda: self._open == 0, timeout_s)

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=2048), self._loop
        ).result()
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, is_so: Callable[[], bool], timeout_s: float) -> None:
        with self._changed:
            assert self._changed.wait_for(is_so, timeout_s), "what was waited for did not happen"

    async def _stop(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # lets closed transports go

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._count(1)
        try:
            while await self._one(reader, writer):
                pass
        except (OSError, EOFError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()
            self._tasks.discard(task)
            self._count(-1)

    def _count(self, change: int) -> None:
        with self._changed:
            self.connections += max(change, 0)
            self._open += change
            self._changed.notify_all()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        path = head[0].split(" ")[1]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        if self._steps and self._steps[0] == Drop(read=False):
            self._steps.popleft()
            writer.transport.abort()
            return False
        request = Received(path, headers, await reader.readexactly(int(headers.get("content-length", 0))))
        with self._changed:
            self.requests.append(request)
            if self._function:
                step = self._function(request)
            else:
                step = self._steps.popleft() if self._steps else self._default
            self._changed.notify_all()
        return await self._take(step, request, reader, writer)

    async def _take(
        self, step: Step, request: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Take a step and return whether the connection stays open."""
        if isinstance(step, Delay):
            await asyncio.sleep(step.seconds)
            return await self._take(step.then, request, reader, writer)
        if isinstance(step, Hang):
            if step.headers:
                writer.write(_head(200, 1000, "application/json", {}))
            await reader.read()  # ends when the client goes
            return False
        if isinstance(step, Drop):
            return False
        if isinstance(step, HugeBody):
            writer.write(_head(200, step.size + 2, "application/json", {}) + b'"')
            for _ in range(step.size // 65536):
                writer.write(b"x" * 65536)
                await writer.drain()
            writer.write(b"x" * (step.size % 65536) + b'"')
        else:
            writer.write(_bytes(step, request.path))
        await writer.drain()
        return not isinstance(step, Raw | HalfBody)


def _bytes(step: str | Answer | ToolCalls | Status | Raw | HalfBody, path: str) -> bytes:
    if isinstance(step, Raw):
        return step.data
    if isinstance(step, HalfBody):
        return _head(200, len(step.body) * 2, "application/json", {}) + step.body
    if isinstance(step, Status):
        return _head(step.status, len(step.body), step.content_type, step.headers) + step.body
    answer = Answer(step) if isinstance(step, str) else step
    envelope = _chat(answer) if path.endswith("/chat/completions") else _anthropic(answer)
    data = json.dumps(envelope).encode()
    return _head(200, len(data), "application/json", {}) + data


def _head(status: int, length: int, content_type: str, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Scripted", f"content-type: {content_type}", f"content-length: {length}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _chat(answer: Answer | ToolCalls) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None, "refusal": None}
    if isinstance(answer, ToolCalls):
        finish = "tool_calls"
        message["tool_calls"] = [
            {"id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for index, (name, arguments) in enumerate(answer.calls)
        ]
    else:
        finish = answer.finish
        if finish == "refusal":
            finish, message["refusal"] = "stop", answer.text
        else:
            message["content"] = answer.text
    envelope: dict[str, Any] = {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    if answer.usage:
        envelope["usage"] = {"prompt_tokens": answer.usage[0], "completion_tokens": answer.usage[1]}
    return envelope


def _anthropic(answer: Answer | ToolCalls) -> dict[str, Any]:
    if isinstance(answer, ToolCalls):
        reason = "tool_use"
        blocks = [
            {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": json.loads(arguments)}
            for index, (name, arguments) in enumerate(answer.calls)
        ]
    else:
        reason = {"stop": "end_turn", "length": "max_tokens"}.get(answer.finish, answer.finish)
        # Split in two, with a thought before: a client joins the texts and leaves the thought out.
        blocks = [{"type": "thinking", "thinking": "hm", "signature": "s"}]
        if answer.text is not None and answer.finish != "refusal":
            blocks += [{"type": "text", "text": part} for part in (answer.text[:2], answer.text[2:])]
    envelope: dict[str, Any] = {"type": "message", "role": "assistant", "content": blocks, "stop_reason": reason}
    if answer.usage:
        envelope["usage"] = {"input_tokens": answer.usage[0], "output_tokens": answer.usage[1]}
    return envelope
