"""Output files that are written whole or not at all, all of a run or none.

Each file is written beside its place under another name and moved there when the run has succeeded.
"""

import glob
import os
import re
import secrets
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import IO, Final, Self

from veracord.apps.outputs import unwritable
from veracord.errors import ConfigurationError, InputError

_MODE_BITS: Final = 0o7777

#: How much of a file's name its temporary neighbour carries; the name as a whole must stay short.
_NAME_PART: Final = 60


#: What stands behind the name in that of a temporary neighbour.
_TEMPORARY: Final = re.compile(r"\.[0-9a-f]{12}\.tmp")

#: Whoever makes a file needs a moment to hold it.
_YOUNG_S: Final = 10


class StagedFile:
    """One output file, not yet in its place."""

    def __init__(self, name: str, *, optional: bool = False) -> None:
        """Name the file; nothing is written yet.

        Args:
            name: The path that the user gave.
            optional: Whether there is to be no file, not even an old one, if nothing is written.

        Raises:
            InputError: The system refuses the name.
        """
        self.name = name
        # A link stays a link: what it points to is replaced.
        self.target = Path(os.path.realpath(name))
        self._optional = optional
        self._written = False
        self._existed = _exists(self.target, name)
        self._saved: Path | None = None
        self._temporary = self._beside("tmp")
        self._stream: IO[bytes] = BytesIO()

    def open(self) -> None:
        """Open the temporary file.

        Raises:
            InputError: The folder is missing, the place is no regular file, or may not be written.
        """
        name = self.name
        if self._existed and not self.target.is_file():
            raise _no_place("the output is not a regular file", name, "name a file")
        if not self.target.parent.is_dir():
            raise _no_place("the folder of the output does not exist", name, "create it first")
        self._sweep()
        try:
            self._stream = self._temporary.open("xb")
        except OSError as error:
            raise unwritable(error, name) from None
        _hold(self._stream)

    def _sweep(self) -> None:
        """Remove what a process that was killed left beside this place; a living one holds its own."""
        pattern = f".{glob.escape(self.target.name[:_NAME_PART])}.*.tmp"
        with suppress(OSError):
            for left in self.target.parent.glob(pattern):
                if _TEMPORARY.fullmatch(left.name.removeprefix(f".{self.target.name[:_NAME_PART]}")):
                    with suppress(OSError), left.open("rb") as stream:
                        if time.time() - left.stat().st_mtime > _YOUNG_S and _hold(stream):
                            left.unlink()

    def _beside(self, ending: str) -> Path:
        part = self.target.name[:_NAME_PART]
        return self.target.with_name(f".{part}.{secrets.token_hex(6)}.{ending}")

    def write(self, data: bytes) -> None:
        """Write bytes.

        Raises:
            InputError: They cannot be written, as on a full disk.
        """
        self._written = True
        try:
            self._stream.write(data)
        except OSError as error:
            raise unwritable(error, self.name) from None

    def close(self) -> None:
        """Make sure that the bytes are on the disk; see `write`."""
        try:
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._stream.close()
            if self._existed:
                self._temporary.chmod(self.target.stat().st_mode & _MODE_BITS)
        except OSError as error:
            raise unwritable(error, self.name) from None

    def move(self) -> None:
        """Put the file in its place; what stood there can be put back with `move_back`."""
        try:
            if self._existed:
                self._saved = _second_name(self.target, self._beside("old"))
            if self._written or not self._optional:
                self._temporary.replace(self.target)
            else:
                self.target.unlink(missing_ok=True)
            _sync_folder(self.target.parent)
        except OSError as error:
            raise unwritable(error, self.name) from None

    def move_back(self) -> None:
        """Undo `move`, as far as the file system lets us."""
        with suppress(OSError):
            if self._saved is not None:
                self._saved.replace(self.target)
            elif not self._existed:
                self.target.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove what is left over beside the place."""
        with suppress(OSError):
            self._stream.close()
        for left in (self._temporary, self._saved):
            if left is not None:
                with suppress(OSError):
                    left.unlink(missing_ok=True)


class OutputFiles:
    """The output files of one run; as a context manager it leaves no other file behind."""

    def __init__(self, inputs: Iterable[Path]) -> None:
        """Name the files that the run reads; none of them is ever overwritten."""
        known = list(inputs)
        self._inputs = {place for path in known if (place := _place(path)) is not None}
        # Also those that are not there yet, such as a store that is about to be made.
        self._named = {os.path.realpath(path) for path in known}
        self._files: list[StagedFile] = []

    def add(self, name: str, *, optional: bool = False) -> StagedFile:
        """Open one more output file; see `StagedFile`.

        Raises:
            ConfigurationError: It is an input file of the run, or another of its outputs.
            InputError: It cannot be written.
        """
        if name == "-":
            raise ConfigurationError("standard output is no output file", remedy="leave the option off", code="usage")
        place = _place(Path(name))
        target = Path(os.path.realpath(name))
        if place in self._inputs or str(target) in self._named:
            raise ConfigurationError(
                "the output is an input file of the same run",
                where=name,
                remedy="name another file",
                code="output_is_input",
            )
        if any(file.target == target for file in self._files):
            raise ConfigurationError(
                "two outputs of the run have the same name",
                where=name,
                remedy="name another file",
                code="output_twice",
            )
        file = StagedFile(name, optional=optional)
        # Known before it is there, so that it is removed whatever happens.
        self._files.append(file)
        file.open()
        return file

    def commit(self) -> None:
        """Put every file in its place; when one cannot be put there, none is.

        Raises:
            InputError: A file cannot be written or moved.
        """
        for file in self._files:
            file.close()
        moved: list[StagedFile] = []
        try:
            for file in self._files:
                moved.append(file)
                file.move()
        except BaseException:
            for file in reversed(moved):
                file.move_back()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        for file in self._files:
            file.discard()


def _hold(stream: IO[bytes]) -> bool:
    """Mark an open file as that of a living process, where the system can; return whether no other one holds it."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _exists(target: Path, name: str) -> bool:
    """Whether a file is there; a name that no file can have is an error now, not at the end."""
    try:
        target.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise unwritable(error, name) from None
    return True


def _no_place(what: str, name: str, remedy: str) -> InputError:
    return InputError(what, where=name, remedy=remedy, code="unwritable_output")


def _place(path: Path) -> tuple[int, int] | None:
    """Return what tells one existing file from another, whatever its names are."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def _second_name(existing: Path, name: Path) -> Path | None:
    """Give a file a second name, so that it outlives its replacement."""
    try:
        name.hardlink_to(existing)
    except OSError:
        # Some file systems know no links. Then the old file cannot be put back, and that is all.
        return None
    return name


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut, where the system can do that."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
