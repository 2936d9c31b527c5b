"""`veracord serve` on a store with many suggestions, in a process that can be killed and started again."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.figures import expect
from bench.review_queue import fill_store
from bench.timing import own_environment
from veracord.access.service import AccessService
from veracord.bootstrap.stores import open_store
from veracord.ports import SystemClock

#: People who look, and people who decide.
READERS: Final = 50
DECIDERS: Final = 10
_CLOCK_TICK_S: Final = 1 / os.sysconf("SC_CLK_TCK")
_END_S: Final = 30


class Server:
    """`veracord serve` on a store, at one port however often it is started."""

    def __init__(self, store: Path) -> None:
        """Start it."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._store = store
        self.address = f"http://127.0.0.1:{self._port}"
        self.busy_s = 0.0
        self._process = self._started()

    def _started(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "veracord", "serve", "--store", str(self._store), "--port", str(self._port)]
        return subprocess.Popen(command, env=own_environment(), stderr=subprocess.DEVNULL, cwd=self._store.parent)

    def kill(self) -> None:
        """Kill it, as nothing can be told beforehand."""
        if self._process.poll() is None:
            self._count()
            self._process.kill()
        self._process.wait()

    def restart(self) -> None:
        """Start it again."""
        self._process = self._started()

    def end(self) -> None:
        """Ask it to end; it must."""
        self._count()
        self._process.send_signal(signal.SIGTERM)
        expect(holds=self._process.wait(_END_S) == 0, what="a server that is asked to end ends")

    def _count(self) -> None:
        """Add what it has used of the processor."""
        text = Path(f"/proc/{self._process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        self.busy_s += (int(text[11]) + int(text[12])) * _CLOCK_TICK_S


async def prepare_store(path: Path, count: int) -> tuple[list[str], list[str]]:
    """Make a store; return its suggestions, and a link to sign in with for each person."""
    store = open_store(str(path))
    try:
        names = await fill_store(store, count)
        access = AccessService(store.access, SystemClock())
        readers = [await access.new_link(f"reader-{one}", "viewer") for one in range(READERS)]
        deciders = [await access.new_link(f"decider-{one}", "reviewer") for one in range(DECIDERS)]
        return names, readers + deciders
    finally:
        store.close()
