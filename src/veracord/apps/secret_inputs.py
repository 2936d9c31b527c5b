"""How a command gets a password: typed where nobody sees it, or from standard input; never as an argument.

Arguments are seen by whoever lists the processes of a machine, and stay in the history of a shell.
"""

import sys
from getpass import getpass

from veracord.apps.failures import usage_error
from veracord.errors import InputError

#: No password is longer, in bytes.
_MOST_BYTES = 8_192


def read_password(source: str | None) -> str:
    """Return a password.

    Args:
        source: ``-`` for the first line of standard input; None to ask at the terminal, twice.

    Raises:
        ConfigurationError: ``usage``: it is anything else, or there is no terminal to ask at.
        InputError: ``password``: it was not typed the same twice, or is no text.
    """
    if source == "-":
        return _line_of_input()
    if source is not None:
        raise usage_error("a password is never an argument", where="--password", remedy="use --password -")
    if sys.stdin is None or not sys.stdin.isatty():
        raise usage_error("there is no terminal to ask at", remedy="use --password - and give it on standard input")
    first = getpass("Password: ")
    if first != getpass("The same again: "):
        raise InputError("the two are not the same", remedy="type it again", code="password")
    return first


def _line_of_input() -> str:
    if sys.stdin is None:
        raise usage_error("there is no standard input", where="--password")
    data = sys.stdin.buffer.readline(_MOST_BYTES)
    try:
        return data.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise InputError("the password is no UTF-8", remedy="write it in UTF-8", code="password") from None
