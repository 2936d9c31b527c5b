"""Who holds the lease of a run, and whether it still lives.

A process is told by host, start of the machine, number and its own start: numbers are given again.
"""

import os
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from veracord.records.reading import read_value
from veracord.records.writing import write_json

#: Where fields of /proc/PID/stat begin behind the name in brackets, and which of them is the start time.
_START_FIELD: Final = 19


@dataclass(frozen=True, slots=True)
class Owner:
    """A process that works on a run.

    Attributes:
        token: What no other owner has.
        host: The name of its machine.
        boot: The start of that machine, where the system tells.
        pid: The number of the process.
        started: When it started, in ticks of the machine, where the system tells.
    """

    token: str
    host: str
    boot: str
    pid: int
    started: str

    @classmethod
    def of_this_process(cls) -> "Owner":
        """Return an owner that stands for this process."""
        pid = os.getpid()
        return cls(secrets.token_hex(8), socket.gethostname(), _boot(), pid, _started(pid))

    @classmethod
    def read(cls, text: str) -> "Owner":
        """Return the owner that a store kept."""
        row = read_value(text.encode())
        assert isinstance(row, dict)  # noqa: S101 - written by `write`
        return cls(**row)  # type: ignore[arg-type]  # the same

    def write(self) -> str:
        """Return the owner as text."""
        row = {"token": self.token, "host": self.host, "boot": self.boot, "pid": self.pid, "started": self.started}
        return write_json(row).decode()

    def lives_here(self) -> bool:
        """Whether it surely is there: a process of this machine, also one that is stopped."""
        return self.host == socket.gethostname() and not self.is_dead()

    def is_dead(self) -> bool:
        """Whether it surely is gone: a process of this machine that is not there any more."""
        if self.host != socket.gethostname():
            return False
        if self.boot != _boot():
            return True
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except OSError:
            # It is there, and somebody else's.
            pass
        return _started(self.pid) != self.started


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _started(pid: int) -> str:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    # A process that has ended and is not yet forgotten does nothing any more.
    return "" if fields[:1] == ["Z"] else fields[_START_FIELD]
