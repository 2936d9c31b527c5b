"""Reading JSON Lines one at a time: flat memory, line numbers, and the bytes of each line as they were."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from veracord.errors import InputError, system_remedy

_CHUNK: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank.

    Attributes:
        number: From 1, blank lines counted.
        data: Its bytes without the line's end.
        is_too_long: Whether it was longer than allowed; `data` is then its beginning.
        where: The file and line.
    """

    number: int
    data: bytes
    is_too_long: bool
    where: str

    def checked(self) -> bytes:
        """Return the bytes.

        Raises:
            InputError: The line is too long.
        """
        if self.is_too_long:
            raise InputError(
                f"the line is longer than {len(self.data)} bytes",
                where=self.where,
                remedy="raise limits.max_record_bytes in veracord.toml if it is meant",
                code="too_large",
            )
        return self.data


def read_lines(file: Path, max_bytes: int) -> Iterator[Line]:
    """Yield the lines of a file that are not blank.

    Args:
        file: A file in UTF-8, with or without a byte order mark.
        max_bytes: The longest line that is read whole.

    Raises:
        InputError: The file cannot be read, or is UTF-16 or UTF-32.
    """
    try:
        with file.open("rb") as stream:
            yield from stream_lines(stream, max_bytes, str(file))
    except OSError as error:
        remedy = system_remedy(error)
        raise InputError("the file cannot be read", where=str(file), remedy=remedy, code="unreadable_file") from None


def stream_lines(stream: BinaryIO, max_bytes: int, name: str) -> Iterator[Line]:
    """Yield the lines of an open binary stream that are not blank; see `read_lines`."""
    number = 0
    while data := stream.readline(max_bytes + 3):
        number += 1
        if number == 1:
            _refuse_wide(data, name)
            data = data.removeprefix(codecs.BOM_UTF8)
        text = data.removesuffix(b"\n").removesuffix(b"\r")
        is_too_long = len(text) > max_bytes
        if is_too_long and not data.endswith(b"\n"):
            _skip_rest(stream)
        if text.strip():
            yield Line(number, text[:max_bytes], is_too_long, f"{name}:{number}")


def _skip_rest(stream: BinaryIO) -> None:
    while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
        pass


def _refuse_wide(data: bytes, name: str) -> None:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(
            "JSON Lines in UTF-16 are not read",
            where=name,
            remedy="save the file as UTF-8",
            code="wrong_encoding",
        )
