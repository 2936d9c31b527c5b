"""The settings of one process: read once, frozen, handed on as a value."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from veracord.errors import ConfigurationError, system_remedy

#: The file that is read when no other is named.
SETTINGS_FILE = "veracord.toml"

_DEFAULT_RECORD_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set for a whole process.

    Attributes:
        max_record_bytes: The largest record, line or evidence document that is read, in bytes.
        model: The table `model` as it stands there, read by whoever asks a model; None where there is none.
        answers: The table `answers` in the same way, read by whoever answers questions.
    """

    max_record_bytes: int = _DEFAULT_RECORD_BYTES
    model: Mapping[str, object] | None = field(default=None, repr=False)
    answers: Mapping[str, object] | None = field(default=None, repr=False)

    @classmethod
    def load(cls, path: Path | None = None) -> "Settings":
        """Read the settings file.

        Args:
            path: The file; without one, ``veracord.toml`` in the current folder if it is there.

        Returns:
            The settings; the defaults where no file is.

        Raises:
            ConfigurationError: The file cannot be read, is no TOML, or has an unknown table or field.
        """
        if path is None:
            path = Path(SETTINGS_FILE)
            if not path.exists():
                return cls()
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        except OSError as error:
            raise ConfigurationError(
                "the settings file cannot be read",
                where=str(path),
                remedy=system_remedy(error),
                code="unreadable_file",
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            raise ConfigurationError(
                "the settings file is not TOML", where=str(path), remedy="correct it", code="invalid_toml"
            ) from None
        return cls._from_table(table, str(path))

    @classmethod
    def _from_table(cls, table: dict[str, object], where: str) -> "Settings":
        unknown = sorted(table.keys() - {"limits", "model", "answers"})
        limits = table.get("limits", {})
        if not isinstance(limits, dict):
            unknown = ["limits"]
            limits = {}
        unknown += [f"limits.{name}" for name in sorted(limits.keys() - {"max_record_bytes"})]
        if unknown:
            raise ConfigurationError(
                f"unknown setting {unknown[0]}",
                where=where,
                remedy="known: limits.max_record_bytes, and the tables model and answers",
                code="unknown_setting",
            )
        model, answers = (_inner(table, name, where) for name in ("model", "answers"))
        size = limits.get("max_record_bytes", _DEFAULT_RECORD_BYTES)
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise ConfigurationError(
                "limits.max_record_bytes is not a positive whole number",
                where=where,
                remedy="give a number of bytes",
                code="invalid_setting",
            )
        return cls(max_record_bytes=size, model=model, answers=answers)


def _inner(table: Mapping[str, object], name: str, where: str) -> dict[str, object] | None:
    """Return a table of the file that somebody else reads."""
    inner = table.get(name)
    if inner is None or isinstance(inner, dict):
        return inner
    raise ConfigurationError(f"{name} is not a table", where=where, remedy=f"write [{name}]", code="invalid_setting")
