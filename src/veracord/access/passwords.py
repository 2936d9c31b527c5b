"""Passwords: what is kept of them, and the same work for whoever guesses, whether there is such a user or not.

Source: RFC 9106 (Argon2), section 4, the second recommended option; NIST SP 800-63B for lengths and composition.
"""

import secrets
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Final

from veracord.errors import ConfigurationError, InputError

LEAST_CHARACTERS: Final = 12
MOST_CHARACTERS: Final = 1_024


@dataclass(frozen=True)
class Hashing:
    """How passwords are hashed: Argon2id with a salt of its own for each.

    Attributes:
        passes: How often memory is gone over.
        memory_kib: How much memory that is.
        lanes: How many parts of it are worked on at once.
    """

    passes: int = 3
    memory_kib: int = 64 * 1024
    lanes: int = 4

    def hash(self, password: str) -> str:
        """Return what is kept of a password.

        Raises:
            ConfigurationError: ``missing_extra``: the library is not installed.
        """
        made: str = self._hasher.hash(_plain(password))
        return made

    def fits(self, password: str, kept: str | None) -> bool:
        """Whether a password is the one of which something is kept; None, where nothing is, costs the same work."""
        decoy = self._decoy
        text = _plain(password)
        is_right = self._verify(text if text is not None else b"", decoy if kept is None else kept)
        return is_right and kept is not None and text is not None

    def is_outdated(self, kept: str) -> bool:
        """Whether a password was hashed in another way than is usual now."""
        return bool(self._hasher.check_needs_rehash(kept))

    @cached_property
    def _decoy(self) -> str:
        """What is checked against where there is no user; nobody knows its password."""
        made: str = self._hasher.hash(secrets.token_bytes(32))
        return made

    @cached_property
    def _library(self) -> Any:  # noqa: ANN401 - a module that may be absent
        try:
            return import_module("argon2")
        except ImportError:
            pass
        raise ConfigurationError(
            "passwords need argon2-cffi, which is not installed",
            remedy="pip install 'veracord[serve]'",
            code="missing_extra",
        )

    @cached_property
    def _hasher(self) -> Any:  # noqa: ANN401 - of that module
        return self._library.PasswordHasher(time_cost=self.passes, memory_cost=self.memory_kib, parallelism=self.lanes)

    def _verify(self, password: bytes, kept: str) -> bool:
        # The library compares in constant time, and raises where the two are not the same.
        try:
            return bool(self._hasher.verify(kept, password))
        except (self._library.exceptions.VerificationError, self._library.exceptions.InvalidHashError):
            return False


def check_password(password: str, user_id: str) -> None:
    """Make sure that a password can be taken.

    Raises:
        InputError: ``password``: it is too short or too long, cannot be written, or is the user's own id.
    """
    text = _plain(password)
    length = len(unicodedata.normalize("NFC", password))
    if text is None or not LEAST_CHARACTERS <= length <= MOST_CHARACTERS:
        raise InputError(
            f"a password has {LEAST_CHARACTERS} to {MOST_CHARACTERS} characters", remedy="take another", code="password"
        )
    if password.strip().lower() == user_id or len(set(password)) == 1:
        raise InputError("the password can be guessed at once", remedy="take another", code="password")


def _plain(password: str) -> bytes | None:
    """Return the bytes that are hashed: the same however a keyboard composes letters; None for what is no password."""
    if len(password) > MOST_CHARACTERS * 4:
        return None
    try:
        return unicodedata.normalize("NFC", password).encode()
    except UnicodeEncodeError:
        return None
