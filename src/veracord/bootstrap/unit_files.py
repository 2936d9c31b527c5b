"""Units from a JSON Lines file: every line is checked before the first model is asked."""

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from veracord.errors import InputError
from veracord.pipeline.candidates import LONGEST_KEY, Unit
from veracord.records.lines import Line, read_lines
from veracord.records.pointers import get, split
from veracord.records.reading import read_value
from veracord.records.values import JsonValue

#: Into how many parts hashes of keys are put.
_PARTS: Final = 256
_REMEDY: Final = "correct the line, or run.key in the pipeline file"


@dataclass(slots=True)
class UnitFile:
    """A file of units, read anew each time it is asked for.

    Attributes:
        path: The file.
        key: Pointer to a unit's key; None takes the number of the line.
        max_bytes: The longest line that is read.
    """

    path: Path
    key: str | None
    max_bytes: int
    _state: tuple[int, ...] | None = None

    def check(self) -> int:
        """Read all units and return their number.

        Raises:
            InputError: The file cannot be read or is no regular one, a line is no strict JSON, a key is missing or
                stands twice.
        """
        if self.path.exists() and not self.path.is_file():
            # It is read twice; a pipe would be empty the second time.
            raise InputError(
                "the input is not a regular file",
                where=str(self.path),
                remedy="write it to a file first",
                code="unreadable_file",
            )
        self._state = self._seen()
        keys = _Hashes()
        for _, key, _ in self._keyed():
            keys.add(hash(key))
        repeated = keys.repeated()
        if repeated:
            self._refuse_repeated(repeated)
        return len(keys)

    def _refuse_repeated(self, hashes: set[int]) -> None:
        """Refuse two units of one key; two keys that merely have one hash are none."""
        places: dict[str, str] = {}
        for line, key, _ in self._keyed():
            if hash(key) not in hashes:
                continue
            if key in places:
                raise InputError(
                    "two units have the same key",
                    where=f"{places[key]} and {line.where}",
                    remedy="give each its own",
                    code="duplicate_key",
                )
            places[key] = line.where

    def __iter__(self) -> Iterator[Unit]:
        """Yield the units in the order of the file; see `check`.

        Raises:
            InputError: The file is not what was checked.
        """
        if self._state is None:
            self._state = self._seen()
        for position, (line, key, value) in enumerate(self._keyed()):
            if self._seen() != self._state:
                break
            yield Unit(key, value, position, line.where)
        if self._seen() != self._state:
            raise InputError(
                "the input was changed during the run",
                where=str(self.path),
                remedy="run it again",
                code="input_changed",
            )

    def _seen(self) -> tuple[int, ...] | None:
        """Return what tells a changed file from an unchanged one."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _keyed(self) -> Iterator[tuple[Line, str, JsonValue]]:
        """Yield each line with its key and its value."""
        pointer = None if self.key is None else split(self.key)
        for line in read_lines(self.path, self.max_bytes):
            value = _read(line, self.max_bytes)
            key = str(line.number) if pointer is None else unit_key(get(value, pointer), line.where, _REMEDY)
            yield line, key, value


class _Hashes:
    """Hashes of keys in eight bytes each, so that millions of units can be looked through."""

    def __init__(self) -> None:
        self._parts = [array("q") for _ in range(_PARTS)]

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def add(self, value: int) -> None:
        self._parts[value % _PARTS].append(value)

    def repeated(self) -> set[int]:
        """Return the hashes that were added more than once; a part at a time, since a set is a large thing."""
        found: set[int] = set()
        for part in self._parts:
            if len(set(part)) < len(part):
                found |= {value for value, count in Counter(part).items() if count > 1}
        return found


def _read(line: Line, max_bytes: int) -> JsonValue:
    data = line.checked()
    try:
        return read_value(data, max_bytes=max_bytes)
    except InputError as error:
        # A line holds no line feed, so the reader finds every fault in its line 1.
        place = f"{line.where} {error.where.removeprefix('line 1 ')}".strip()
        raise InputError(error.what, where=place, remedy=error.remedy, code=error.code) from None


def unit_key(value: object, where: str, remedy: str) -> str:
    """Return the key that a unit has in its own data.

    Raises:
        InputError: ``no_key``: it is neither a text of 1 to 500 characters nor a whole number.
    """
    if isinstance(value, str) and 0 < len(value) <= LONGEST_KEY:
        return value
    if type(value) is int:
        return str(value)
    raise InputError(
        f"the unit has no key that is a whole number or a text of 1 to {LONGEST_KEY} characters",
        where=where,
        remedy=remedy,
        code="no_key",
    )
