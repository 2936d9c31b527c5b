"""Transcripts in a folder: what was asked and answered in each attempt, for a person who asked to see it.

The folder is for its owner alone.  Nothing else writes such texts down, besides a recorder of cassettes.
"""

import hashlib
import os
import stat
from pathlib import Path
from typing import Final

from veracord.errors import ConfigurationError, system_remedy
from veracord.pipeline.interruptions import Interrupted, Reason
from veracord.pipeline.texts import clean_name
from veracord.pipeline.transcripts import Transcript
from veracord.records.writing import write_json

_FOLDER_MODE: Final = 0o700
_FILE_MODE: Final = 0o600
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class TranscriptFolder:
    """Writes one JSON Lines file for each attempt: a line for each exchange, ``{"asked": [...], "answered": ...}``."""

    def __init__(self, path: Path) -> None:
        """Make the folder, or make sure that nobody else can read the one that is there.

        Raises:
            ConfigurationError: Others can read it, or it cannot be made.
        """
        try:
            path.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            mode = path.stat().st_mode
        except OSError as error:
            remedy = system_remedy(error)
            raise _refused("the folder for transcripts cannot be made", path, remedy) from None
        if os.name == "posix" and mode & _OTHERS:
            raise _refused("others may read the folder for transcripts", path, "chmod 700, or name a new folder")
        self._path = path

    def __call__(self, unit_key: str, producer_id: str, number: int) -> Transcript:
        """Return where the texts of an attempt are written down; see `veracord.pipeline.attempts.Transcripts`."""
        # Keys may be long, and differ in characters that no file name can hold.
        digest = hashlib.sha256(unit_key.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        name = f"{clean_name(unit_key)}-{digest}-{clean_name(producer_id)}-{number}.jsonl".replace(":", "_")
        return _TranscriptFile(self._path / name.lstrip("."))


class _TranscriptFile:
    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, asked: list[dict[str, str]], answered: str) -> None:
        line = write_json({"asked": [_encodable(turn) for turn in asked], "answered": _encodable({"": answered})[""]})
        try:
            number = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _FILE_MODE)
            with os.fdopen(number, "ab") as stream:
                stream.write(line + b"\n")
        except OSError:
            is_written = False
        else:
            is_written = True
        if not is_written:
            # Who asked to see every text is not served by a run that goes on without them.
            raise Interrupted(Reason.TRANSCRIPT)


def _encodable(turn: dict[str, str]) -> dict[str, str]:
    """Return texts that UTF-8 can hold; a model may write halves of characters."""
    return {name: text.encode("utf-8", "backslashreplace").decode() for name, text in turn.items()}


def _refused(what: str, path: Path, remedy: str) -> ConfigurationError:
    return ConfigurationError(what, where=str(path), remedy=remedy, code="transcripts")
