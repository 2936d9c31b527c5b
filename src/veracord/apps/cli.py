"""The command line `veracord`: the one place where the end of a run becomes an exit code.

Even the parser is loaded only when it is needed, so that an interruption finds us ready for it.
"""

import os
import signal
import sys
from types import FrameType
from typing import NoReturn

from veracord.apps.failures import INTERRUPTED, ReaderGone, failure_of, print_error
from veracord.errors import VeracordError


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    signal.signal(signal.SIGTERM, _end)
    code = run(sys.argv[1:])
    if code == INTERRUPTED:
        # The interpreter remembers an interruption that met it in exec(), though it was answered,
        # and would report a death by signal. Nothing is left to clean up.
        os._exit(code)
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code; whatever goes wrong is one line on standard error."""
    try:
        from veracord.apps.outputs import StandardOutput
        from veracord.apps.parser import dispatch

        code = dispatch(arguments)
        StandardOutput().finish()
    except ReaderGone:
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except VeracordError as error:
        return print_error(error)
    except Exception as error:  # noqa: BLE001 - the user gets one line, the exit code says whose fault it is
        return print_error(failure_of(error))
    return code


def _end(signal_number: int, _frame: FrameType | None) -> NoReturn:
    """End as the signal asks, but through the cleaning up that is under way."""
    sys.exit(128 + signal_number)
