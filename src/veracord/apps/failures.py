"""How a command ends when it cannot do its work: one line on standard error and an exit code.

The line never holds record content, and never a traceback.
"""

import sys
from pathlib import Path
from typing import Final

from veracord.apps.escaping import visible
from veracord.errors import ConfigurationError, InputError, VeracordError, exit_code, system_remedy

INTERRUPTED: Final = 130


class ReaderGone(Exception):  # noqa: N818 - not an error: who read our output has seen enough
    """Nobody reads standard output any more."""


class InternalError(VeracordError):
    """Something that we did not foresee; the user cannot mend it."""

    default_code = "internal"


def usage_error(what: str, *, where: str = "", remedy: str = "see --help") -> ConfigurationError:
    """Return the error for options that do not fit together."""
    return ConfigurationError(what, where=where, remedy=remedy, code="usage")


def print_error(error: VeracordError) -> int:
    """Print the line of an error and return its exit code."""
    _print_line(f"error: {error}")
    return exit_code(error)


def print_note(text: str) -> None:
    """Print a line on standard error for whoever watches; nobody does where it is no terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        _print_line(text)


def print_warning(text: str) -> None:
    """Print a line on standard error that everybody should see."""
    _print_line(f"warning: {text}")


def print_text(text: str) -> None:
    """Print several lines on standard error."""
    for line in text.splitlines():
        _print_line(line)


def _print_line(text: str) -> None:
    """Print one line on standard error, if there is one."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{visible(text)}\n")
        sys.stderr.flush()
    except OSError:
        # Nobody is left who could be told.
        pass


def failure_of(error: Exception) -> VeracordError:
    """Return what may be told of an exception that is none of ours."""
    if isinstance(error, OSError):
        return InputError(
            "the system refused what was asked of it",
            where=str(error.filename or ""),
            remedy=system_remedy(error),
            code="system",
        )
    return _fault_of(error)


def _fault_of(error: Exception) -> InternalError:
    """Return the type of an exception and its place; its text may quote a record and is left out."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    ours = [frame for frame in frames if "veracord" in Path(frame.filename).parts]
    if ours and ours[-1] is not frames[-1]:
        place = f"{place} from {Path(ours[-1].filename).name}:{ours[-1].lineno}"
    return InternalError(
        f"unexpected {type(error).__name__}",
        where=place,
        remedy="please report it with this line; no file was written",
    )
