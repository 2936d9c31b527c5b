"""A scripted server of chat completions in a process of its own.

The reference bench beside the repository has one; where that is not at hand, ours does.
"""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

OURS: Final = Path(__file__).with_name("chat_server.py")
#: Where the reference's server lies in the folder of shared things.
REFERENCE: Final = Path("bench/peers/fake_openai.py")


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """A server that runs.

    Attributes:
        port: Where it listens on the loopback address.
    """

    port: int

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def script(self, reject: int = 0, *, latency_ms: int = 0, keep_log: bool = False, kind: str = "semantic") -> None:
        """Say how many requests are answered badly, and how; forget what came.

        Args:
            reject: How many, of those that come now.
            latency_ms: How long each one takes.
            keep_log: Whether requests are remembered.
            kind: What is bad about them; our own server knows only ``semantic``.
        """
        self._ask("POST", "/_script", {"reject": reject, "latency_ms": latency_ms, "keep_log": keep_log, "kind": kind})

    def log(self) -> list[dict[str, Any]]:
        """Return what was remembered of each request, oldest first."""
        log: list[dict[str, Any]] = self._ask("GET", "/_log")
        return log

    def most(self) -> int:
        """Return how many requests there were at the same time, at the most; only our own server tells."""
        most: int = self._ask("GET", "/_most")
        return most

    def _ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - whatever the server says
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()


def choose_server(shared: Path | None) -> Path:
    """Return the script of the reference's server, or of ours where the other is not at hand."""
    reference = None if shared is None else shared / REFERENCE
    return OURS if reference is None or not reference.is_file() else reference


@contextmanager
def serve(script: Path) -> Iterator[ServerProcess]:
    """Run a server while the context lasts."""
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None  # noqa: S101 - it was asked for
        try:
            yield ServerProcess(int(process.stdout.readline()))
        finally:
            process.terminate()
