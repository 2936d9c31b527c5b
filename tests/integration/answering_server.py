"""A model's server in a process of its own, whose log is the judge of calls.

``python answering_server.py LOG [LATENCY_S]`` prints its port.  What it answers depends on the unit alone, so that a
run without faults and one with many must come to the same: see `answer_of`.  Each request is one line of the log,
written before it is answered: the number of the unit, and 1 where the request is a correction.
"""

import asyncio
import json
import os
import re
import sys

#: How much of a unit's text is looked at: the number is at its beginning.
_NUMBER = re.compile(rb"unit-(\d+)")
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)

#: The attempts that may follow the first: enough for a unit to be corrected also when one of them met a fault.
RETRIES = 3

#: No place was ever so cold: a validator says so.
WRONG = -100


def is_corrected(number: int) -> bool:
    """Whether the first answer about a unit is rejected, and the second is right."""
    return number % 5 == 0


def is_hopeless(number: int) -> bool:
    """Whether all answers about a unit are rejected."""
    return number % 17 == 3


def calls_needed(number: int) -> int:
    """Return how often a unit is asked about where nothing comes between."""
    return 1 + RETRIES if is_hopeless(number) else 1 + is_corrected(number)


def answer_of(number: int, *, is_correction: bool) -> dict[str, object]:
    """Return what is answered about a unit."""
    is_wrong = is_hopeless(number) or (is_corrected(number) and not is_correction)
    # A second wrong answer is another one.
    return {"place": f"place {number}", "degrees": WRONG - is_correction if is_wrong else number % 50}


class _Exchange(asyncio.Protocol):
    def __init__(self, log: int, latency_s: float) -> None:
        self._log = log
        self._latency_s = latency_s
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, separator, body = self._data.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not separator or length is None or len(body) < int(length[1]):
            return
        self._data = b""
        self._answer(body)

    def _answer(self, body: bytes) -> None:
        found = _NUMBER.search(body)
        assert found is not None
        number, is_correction = int(found[1]), body.count(b'"role"') > 2
        os.write(self._log, b"%d %d\n" % (number, is_correction))
        message = {"role": "assistant", "content": json.dumps(answer_of(number, is_correction=is_correction))}
        envelope = {
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3},
        }
        data = json.dumps(envelope).encode()
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(data)
        asyncio.get_running_loop().call_later(self._latency_s, self._send, head + data)

    def _send(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)


async def _serve(log: str, latency_s: float) -> None:
    number = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Exchange(number, latency_s), "127.0.0.1", 0, backlog=2048)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    # Whoever started us holds the other end.
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0.0))
