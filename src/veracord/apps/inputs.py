"""What the user hands over, as bytes: one record, or the lines of a JSON Lines file, one at a time.

Nothing is read whole that may be large: a line beyond the limit is set aside in a temporary file.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from veracord.errors import InputError, VeracordError, system_remedy

#: The name that stands for standard input.
STANDARD_INPUT: Final = "-"

_CHUNK: Final = 1024 * 1024
_OTHER_ENCODINGS: Final = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a JSON Lines file.

    Attributes:
        number: Its number, from 1; blank lines count.
        data: Its text; of a line beyond the limit its beginning, one byte more than is allowed.
        ending: The line break behind it.
        origins: Origins that came with the record, as JSON text.
    """

    number: int
    data: bytes
    ending: bytes
    origins: bytes = b""


class RecordSource:
    """The RECORD of a command: a file, or standard input."""

    def __init__(self, name: str, *, lines: bool, max_bytes: int) -> None:
        """Name the source; `lines` says that it is JSON Lines whatever its name is."""
        self.name = name
        self.is_lines = lines or name.lower().endswith(".jsonl")
        self.max_bytes = max_bytes
        #: What lies beyond the limit of a long line, by its number, for whoever copies the line.
        self.rests: dict[int, IO[bytes]] = {}

    @property
    def path(self) -> Path | None:
        """The file, or None for standard input."""
        return None if self.name == STANDARD_INPUT else Path(self.name)

    @property
    def where(self) -> str:
        """What errors call the source."""
        return "standard input" if self.path is None else self.name

    def read(self) -> bytes:
        """Return the whole text, or its first bytes, one more than the limit.

        Raises:
            InputError: The file cannot be read.
        """
        with self._opened() as stream:
            return stream.read(self.max_bytes + 1)

    def lines(self, *, keep_rests: bool) -> Iterator[Line]:
        """Yield the lines of a JSON Lines file, the blank ones too.

        Args:
            keep_rests: Whether the part of a line that is beyond the limit is kept in `rests`.

        Raises:
            InputError: The file cannot be read, or is in another encoding than UTF-8.
        """
        with self._opened() as stream:
            number = 0
            while data := stream.readline(self.max_bytes + 3):
                number += 1
                if number == 1 and data.startswith(_OTHER_ENCODINGS):
                    raise InputError(
                        "a JSON Lines file in UTF-16 or UTF-32",
                        where=self.where,
                        remedy="save it as UTF-8",
                        code="wrong_encoding",
                    )
                yield self._line(stream, number, data, keep_rests=keep_rests)

    def _line(self, stream: IO[bytes], number: int, data: bytes, *, keep_rests: bool) -> Line:
        text = data.removesuffix(b"\n").removesuffix(b"\r")
        if len(text) <= self.max_bytes:
            return Line(number, text, data[len(text) :])
        limit = self.max_bytes + 1
        # The file lives as long as the rest of this line is wanted: until it was copied.
        rest = tempfile.TemporaryFile() if keep_rests else None  # noqa: SIM115
        chunk = data[limit:]
        while True:
            if rest is not None:
                rest.write(chunk)
            if (chunk or data).endswith(b"\n"):
                break
            chunk = stream.readline(_CHUNK)
            if not chunk:
                break
        if rest is not None:
            rest.seek(0)
            self.rests[number] = rest
        return Line(number, data[:limit], b"")

    @contextmanager
    def _opened(self) -> Iterator[IO[bytes]]:
        path = self.path
        if path is None:
            if sys.stdin is None:
                raise InputError("standard input is closed", remedy="name a file", code="unreadable_file")
            yield sys.stdin.buffer
            return
        try:
            with path.open("rb") as stream:
                yield stream
        except OSError as error:
            raise unreadable(error, self.where) from None


def unreadable(error: OSError, where: str) -> InputError:
    """Return the error for a file that the system does not let us read."""
    return InputError(
        "the file cannot be read",
        where=where,
        remedy=system_remedy(error),
        code="unreadable_file",
    )


def at_line(error: VeracordError, source: str, number: int) -> VeracordError:
    """Return an error about one line with its place as file, line and column."""
    inside = error.where.removeprefix(source).strip()
    # A line holds no line feed, so the reader finds every fault in its line 1.
    place = f"{source} line {number} {inside.removeprefix('line 1 ')}".strip()
    return type(error)(error.what, where=place, remedy=error.remedy, code=error.code, details=error.details)
