"""The results of a run, on their way into its output file or onto standard output."""

import hashlib
from collections.abc import AsyncIterator
from typing import Any

from veracord.apps.outputs import StandardOutput
from veracord.apps.staging import StagedFile
from veracord.errors import InputError
from veracord.pipeline import UnitResult
from veracord.records.writing import write_json
from veracord.reports.runs import result_line


class RunExport:
    """Writes results as lines.

    Attributes:
        lines: The results, where there is no file and the output is one JSON object.
    """

    def __init__(self, file: StagedFile | None, *, as_json: bool) -> None:
        """Write nothing yet; without a file lines are printed, or kept for one object."""
        self.lines: list[dict[str, Any]] = []
        self._file = file
        self._as_json = as_json
        self._stdout = StandardOutput()
        self._digest = hashlib.sha256()

    @property
    def digest(self) -> str:
        """``sha256:<hex>`` of what was written."""
        return f"sha256:{self._digest.hexdigest()}"

    async def write(self, results: AsyncIterator[UnitResult[Any]]) -> None:
        """Write all results.

        Raises:
            InputError: A value is no JSON, or the output cannot be written.
            ReaderGone: Nobody reads standard output any more.
        """
        async for result in results:
            line = result_line(result)
            data = _as_bytes(line, result.producer_id)
            self._digest.update(data)
            if self._file is not None:
                self._file.write(data)
            elif self._as_json:
                self.lines.append(line)
            else:
                self._stdout.show(data)


def _as_bytes(line: dict[str, Any], producer_id: str) -> bytes:
    try:
        return write_json(line) + b"\n"
    except Exception:  # noqa: BLE001, S110 - a value of a foreign producer can fail in its own ways
        pass
    raise InputError(
        "a producer made a value that is no JSON",
        where=producer_id,
        remedy="make it return JSON",
        code="unwritable_value",
    )
