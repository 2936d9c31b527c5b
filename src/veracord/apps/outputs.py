"""Standard output: a reader that goes away is no error, a full disk is one."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from veracord.apps.escaping import json_for_terminal
from veracord.apps.failures import ReaderGone
from veracord.errors import InputError, system_remedy


class StandardOutput:
    """Standard output as bytes; a reader that went away is told apart from a failure."""

    def write(self, data: bytes) -> None:
        """Write bytes.

        Raises:
            ReaderGone: Nobody reads any more.
            InputError: The bytes cannot be written, as on a full disk.
        """
        with _told_apart():
            if sys.stdout is not None:
                sys.stdout.buffer.write(data)
                if sys.stdout.isatty():
                    sys.stdout.buffer.flush()

    def show(self, text: str | bytes) -> None:
        """Write a text made for people, or JSON (or a diff of it) as bytes.

        On a terminal JSON is escaped so that it cannot steer it; texts have been made safe before.

        Raises:
            ReaderGone: Nobody reads any more.
            InputError: The text cannot be written, as on a full disk.
        """
        if isinstance(text, str):
            self.write(text.encode(_encoding(), "backslashreplace"))
        else:
            self.write(json_for_terminal(text) if is_terminal() else text)

    def finish(self) -> None:
        """Write out what is buffered; see `write`."""
        with _told_apart():
            if sys.stdout is not None:
                sys.stdout.flush()


def _encoding() -> str:
    return sys.stdout.encoding if sys.stdout is not None else "utf-8"


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


@contextmanager
def _told_apart() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        _silence()
        if isinstance(error, BrokenPipeError) or error.errno == errno.EPIPE:
            raise ReaderGone from None
        raise unwritable(error, "standard output") from None


def _silence() -> None:
    """Send the rest to nowhere: the interpreter flushes once more when it ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def unwritable(error: OSError, where: str) -> InputError:
    """Return the error for an output that the system does not let us write."""
    return InputError(
        "the output cannot be written",
        where=where,
        remedy=system_remedy(error),
        code="unwritable_output",
    )
