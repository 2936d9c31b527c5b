"""Commands in processes of their own that need not load the package again.

Each is forked from a process that has loaded every module and done nothing else. It has its own arguments, folder,
environment and streams, and ends as the interpreter ends.  The tests run thousands of commands; loading alone would
take ten minutes.  What depends on how a process starts (variables of the interpreter, the order of imports) or on
signals is tested with processes that do start: see `e2e/test_cli_start.py` and the documents.

    [*loaded_command(), "validate", "record.json"]  # stands for [sys.executable, "-m", "veracord", ...]
"""

import atexit
import gc
import json
import os
import signal
import socket
import sys
from functools import cache
from pathlib import Path
from typing import NoReturn

_ROOT = Path(__file__).resolve().parents[1]
_MAIN = str(_ROOT / "src/veracord/__main__.py")
_LONGEST = 1 << 20
_PATIENCE_S = 5


@cache
def loaded_command() -> tuple[str, ...]:
    """Return the words of a command that is loaded; the first call starts the process that loads it."""
    import subprocess
    from tempfile import TemporaryDirectory

    folder = TemporaryDirectory()
    address = str(Path(folder.name) / "s")
    env = {**os.environ, "PYTHONPATH": str(_ROOT / "src"), "PYTHONWARNINGS": "error"}
    words = [sys.executable, __file__, "serve", address]
    process = subprocess.Popen(words, cwd=_ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout as told:
        assert told.readline() == b"ready\n"

    def end() -> None:
        process.kill()
        process.wait()
        folder.cleanup()

    atexit.register(end)
    return sys.executable, "-S", __file__, "run", address


def _run(address: str, arguments: list[str]) -> NoReturn:
    """Have a command run with the streams, the folder and the environment of this process, and end as it does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.connect(address)
        wish = json.dumps([arguments, str(Path.cwd()), dict(os.environ)]).encode()
        socket.send_fds(connection, [wish], [0, 1, 2])
        code = int(connection.recv(_LONGEST))
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


def _load() -> None:
    """Load every module of the package, and what it needs, without running anything."""
    import importlib
    import pkgutil
    import threading

    import veracord

    for module in pkgutil.walk_packages(veracord.__path__, "veracord."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    # What a thread holds while others fork is held for ever.
    assert threading.active_count() == 1
    sys.dont_write_bytecode = True
    gc.collect()
    gc.freeze()


def _serve(address: str) -> None:
    """Fork a command for each connection, as long as there is somebody to ask; return only in a command's process."""
    parent = os.getppid()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(address)
        listening.listen()
        listening.settimeout(_PATIENCE_S)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while os.getppid() == parent:
            try:
                connection, _ = listening.accept()
            except TimeoutError:
                continue
            with connection:
                if os.fork() == 0:
                    listening.close()
                    connection.setblocking(True)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    _keep(connection)
                    return
    os._exit(0)


def _keep(connection: socket.socket) -> None:
    """Fork the command and tell how it ends; return only in its process."""
    wish, streams, _, _ = socket.recv_fds(connection, _LONGEST, 3)
    pid = os.fork()
    if pid == 0:
        arguments, folder, env = json.loads(wish)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(env)
        sys.argv = [_MAIN, *arguments]
        sys.path[0] = folder
        return
    for stream in streams:
        os.close(stream)
    _, status = os.waitpid(pid, 0)
    connection.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1] == "run":
        _run(sys.argv[2], sys.argv[3:])
    _load()
    _serve(sys.argv[2])
    from veracord.apps.cli import main

    main()
