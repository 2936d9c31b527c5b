"""Origins that came with a record, from the file beside it: `NAME.origins.json`.

For many records the file may be as long as they are, so its entries are read one at a time, in the
layout that `--record-out` writes: one line of the file for each record.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from veracord.apps.inputs import unreadable
from veracord.errors import ConfigurationError, InputError
from veracord.records.evidence import ORIGINS
from veracord.records.pointers import is_pointer
from veracord.records.reading import read_value

_ENTRY: Final = re.compile(rb'[{,]?\s*"([1-9][0-9]*)"\s*:\s*(\{.*\})', re.DOTALL)


def sidecar_of(record: Path) -> Path:
    """Return where the origins of a record's leaves are kept."""
    return record.with_name(f"{record.stem}.origins.json")


def sidecar_to_write(record: Path) -> str:
    """Return where the origins of a record that is written go.

    Raises:
        ConfigurationError: Origins of another file of that stem stand there, and would be lost.
    """
    sidecar = sidecar_of(record)
    others = (record.with_suffix(kind) for kind in (".json", ".jsonl") if kind != record.suffix)
    other = next((path for path in others if path.is_file()), None)
    if other is not None and sidecar.is_file():
        raise ConfigurationError(
            "the origins of another file would be replaced",
            where=str(sidecar),
            remedy=f"they are of {other.name}; give the output another name",
            code="output_is_input",
        )
    return str(sidecar)


def read_origins(record: Path | None) -> Mapping[str, str]:
    """Return the origins beside a record's file; none where there is no such file.

    Raises:
        InputError: The file cannot be read, or is no table of pointer and origin.
    """
    sidecar = sidecar_of(record) if record is not None else None
    if sidecar is None or not sidecar.is_file():
        return {}
    try:
        data = sidecar.read_bytes()
    except OSError as error:
        raise unreadable(error, str(sidecar)) from None
    return parse_origins(data, str(sidecar))


def parse_origins(data: bytes, where: str) -> Mapping[str, str]:
    """Return the origins that JSON text holds.

    Raises:
        InputError: It is no table of pointer and known origin; the error names the entry.
    """
    table = read_value(data, where=where)
    if not isinstance(table, dict):
        raise _malformed(where)
    origins: dict[str, str] = {}
    for at, origin in table.items():
        if not is_pointer(at):
            raise _refused("an entry of the origins is no pointer", f"{where} {at}", "write it like /a/b/0")
        if not isinstance(origin, str) or origin not in ORIGINS:
            raise _refused("an origin is unknown", f"{where} {at}", f"use one of {', '.join(sorted(ORIGINS))}")
        origins[at] = origin
    return origins


class LineOrigins:
    """The origins beside a JSON Lines file, asked for in the order of its lines."""

    def __init__(self, record: Path | None) -> None:
        """Find the file; nothing is read before it is asked for."""
        sidecar = sidecar_of(record) if record is not None else None
        self._entries = _entries(sidecar) if sidecar is not None and sidecar.is_file() else iter(())
        self._next = next(self._entries, None)

    def of(self, number: int) -> bytes:
        """Return the origins of a line as JSON text; b"" where there are none.

        Raises:
            InputError: The file cannot be read, or is not laid out as it must be.
        """
        while self._next is not None and self._next[0] < number:
            self._next = next(self._entries, None)
        return self._next[1] if self._next is not None and self._next[0] == number else b""


def _entries(sidecar: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (line number, origins as JSON text) of a file with one record's origins a line."""
    before = 0
    try:
        with sidecar.open("rb") as stream:
            for text in stream:
                found = _ENTRY.fullmatch(_without_end(text))
                number = int(found[1]) if found else 0
                if found is None or number <= before:
                    raise _malformed(str(sidecar))
                before = number
                yield number, found[2]
    except OSError as error:
        raise unreadable(error, str(sidecar)) from None


def _without_end(text: bytes) -> bytes:
    """Return an entry without the comma behind it, or the brace that ends the file."""
    text = text.strip()
    # A table of texts cannot end in two braces, so the second one is the file's.
    return text[:-1] if text.endswith((b",", b"}}")) else text


def _malformed(where: str) -> InputError:
    remedy = "remove the file, or write it with --record-out"
    return _refused("the origins are no table of pointer and origin", where, remedy)


def _refused(what: str, where: str, remedy: str) -> InputError:
    return InputError(what, where=where, remedy=remedy, code="invalid_origins")
