"""Every error that Veracord raises on purpose.

::

    VeracordError
    ├── ConfigurationError   a profile, schema, setting or option cannot be used as it is
    └── InputError           a record, evidence or result cannot be read or is not what it must be

Expected outcomes (a violation, a conflict, a value no source states) are values, never exceptions.
A message says what is wrong, where, and what to do; it never holds record content.
"""

from collections.abc import Mapping
from typing import ClassVar


class VeracordError(Exception):
    """An error with a stable code.

    Attributes:
        code: A short name that stays the same between versions, such as ``invalid_json``.
        what: What is wrong, without any content of a record.
        where: A file with line and column, a pointer, or "" where there is no place.
        remedy: What the user can do.
        retryable: Whether the same call may succeed later.
        details: Values that may be logged.
    """

    default_code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        remedy: str = "",
        code: str | None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        """Keep the parts of the message; ``str()`` joins them into one line."""
        super().__init__(what)
        self.code = code or self.default_code
        self.what = what
        self.where = where
        self.remedy = remedy
        self.details = dict(details or {})

    def __str__(self) -> str:
        """Return ``CODE: what, where, remedy`` on one line."""
        parts = (part for part in (self.what, self.where, self.remedy) if part)
        line = f"{self.code}: {', '.join(parts)}"
        return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in line)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all parts, so that an error crosses a process boundary whole."""
        return (_rebuild, (type(self), self.what, self.where, self.remedy, self.code, self.details))


class ConfigurationError(VeracordError):
    """A profile, schema, setting or option cannot be used as it is."""

    default_code = "configuration"


class InputError(VeracordError):
    """A record, evidence or result cannot be read, or is not what it must be."""

    default_code = "input"


#: The exit code of each class; a class without an entry takes the one of its nearest parent.
EXIT_CODES: dict[type[VeracordError], int] = {VeracordError: 70, ConfigurationError: 2, InputError: 2}


def exit_code(error: VeracordError) -> int:
    """Return the exit code of the command line for an error."""
    return next(EXIT_CODES[cls] for cls in type(error).__mro__ if cls in EXIT_CODES)


def _rebuild(
    cls: type[VeracordError],
    what: str,
    where: str,
    remedy: str,
    code: str,
    details: Mapping[str, object],
) -> VeracordError:
    return cls(what, where=where, remedy=remedy, code=code, details=details)
