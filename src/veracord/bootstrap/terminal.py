"""Who sits at the terminal: the operating system says it, nobody else can.

Nothing that a user can set decides it, neither an option nor a variable of the environment.
"""

import os
import sys

from veracord.review.people import Person


def terminal_person() -> Person:
    """Return the person of the account that this process runs under; a maintainer, since the store is theirs."""
    return Person(_account(), "terminal", "maintainer")


def _account() -> str:
    """Return the name of the account, or its number where it has no name."""
    if sys.platform == "win32":
        import getpass

        return getpass.getuser()
    import pwd

    number = os.getuid()
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:
        return f"uid-{number}"
    return name.encode(errors="backslashreplace").decode()
