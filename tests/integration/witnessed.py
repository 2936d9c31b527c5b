"""The command `veracord` with a witness: of which units it was told that they are settled.

The witness is a file, named by the first argument; each line of it is on its way to the system before the next unit is
told, and a process that is killed takes none back.
"""

import os
import sys
from typing import Any

from veracord.apps import cli
from veracord.apps.run_progress import RunProgress


def main() -> None:
    witness = os.open(sys.argv.pop(1), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    add = RunProgress.add

    def told(progress: RunProgress, result: Any) -> None:
        os.write(witness, f"{result.key} {result.outcome.value}\n".encode())
        add(progress, result)

    setattr(RunProgress, "add", told)  # noqa: B010 - it is no attribute to mypy
    cli.main()


if __name__ == "__main__":
    main()
