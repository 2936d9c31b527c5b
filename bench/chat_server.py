"""A scripted server of chat completions on the loopback address, for where no other one is at hand.

Its first line of output is its port.  ``POST /_script`` takes an object: how many requests are answered badly
(`reject`), how long each one takes (`latency_ms`), and whether it is remembered (`keep_log`).  ``GET /_log`` tells
what is remembered: for each request how many messages it had and how many bytes they take as JSON.  ``GET /_most``
tells how many requests there were at the same time, at the most.
"""

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import Any, Final

#: How many characters an answer holds beside what matters.
_FILLING: Final = 400
#: Connections that wait to be taken; a thousand may come at once.
_BACKLOG: Final = 2048


@dataclass(slots=True)
class Script:
    """What the server does, and what it has seen."""

    reject: int = 0
    latency_s: float = 0.0
    keep_log: bool = True
    seen: int = 0
    waiting: int = 0
    most: int = 0
    log: list[dict[str, int]] = field(default_factory=list)

    def answer(self, request: dict[str, Any], size: int) -> dict[str, Any]:
        """Return the envelope of the next answer."""
        messages = request["messages"]
        if self.keep_log:
            data = json.dumps(messages, ensure_ascii=False).encode()
            self.log.append({"messages": len(messages), "prompt_bytes": len(data)})
        self.seen += 1
        # The rejected answers differ, but not in length.
        age = 41 if self.seen > self.reject else -10_000 - self.seen
        text = json.dumps({"name": "Mira", "age": age, "notes": "y" * _FILLING})
        if request.get("response_format", {}).get("json_schema", {}).get("name") == "suggestions":
            guess = {"path": "/compliance/standards", "value": ["EN 1"], "rationale": "Usual.", "confidence": 0.5}
            text = json.dumps({"suggestions": [guess]})
        tokens = {"prompt_tokens": size // 4, "completion_tokens": len(text) // 4}
        message = {"role": "assistant", "content": text}
        return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": tokens}


class _Server:
    def __init__(self) -> None:
        self._script = Script()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request after the other until the client leaves."""
        with contextlib.suppress(EOFError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                body = await reader.readexactly(_length(head))
                data = json.dumps(await self._reply(head.split(b" ", 2)[1], body)).encode()
                lines = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
                writer.write(lines.encode() + data)
                await writer.drain()
        writer.close()

    async def _reply(self, path: bytes, body: bytes) -> object:
        if path == b"/_log":
            return self._script.log
        if path == b"/_most":
            return self._script.most
        asked = json.loads(body)
        if path == b"/_script":
            latency_s = asked.get("latency_ms", 0) / 1000
            self._script = Script(asked.get("reject", 0), latency_s, asked.get("keep_log", True))
            return {}
        script = self._script
        script.waiting += 1
        script.most = max(script.most, script.waiting)
        if script.latency_s:
            await asyncio.sleep(script.latency_s)
        script.waiting -= 1
        return script.answer(asked, len(body))


def _length(head: bytes) -> int:
    _, found, rest = head.lower().partition(b"content-length:")
    return int(rest.partition(b"\r\n")[0]) if found else 0


async def _main() -> None:
    server = await asyncio.start_server(_Server().serve, "127.0.0.1", 0, backlog=_BACKLOG)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_main())
