"""API keys of programs: what they look like, what is kept of them, and what they may do.  None of them decides."""

import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, get_args

from veracord.access.tokens import are_same, new_token, token_digest
from veracord.audit.events import utc_text
from veracord.errors import InputError

Scope = Literal["read", "propose", "export"]
#: What a key may do: look; validate, repair, answer, bring records in with suggestions, start runs; hand records out.
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)

MOST_DAYS: Final = 3_650

_START: Final = "vrc_"
_PREFIX_BYTES: Final = 4
_TEXT: Final = re.compile(r"vrc_([0-9a-f]{8})_[A-Za-z0-9_-]{43}", re.ASCII)
_ID: Final = re.compile(r"(?:vrc_)?([0-9a-f]{8})", re.ASCII)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What a store has of a key.

    Attributes:
        prefix: The part of it that may be shown.
        digest: Of the whole of it.
        scopes: What it may do.
        created_at: When it was made, as events tell it.
        created_by: Who made it.
        expires_at: When it ends.
        last_used_at: When it was last used, to the minute.
        revoked_at: When it was taken back.
    """

    prefix: str
    digest: str = field(repr=False)
    scopes: tuple[Scope, ...]
    created_at: str
    created_by: str
    expires_at: str
    last_used_at: str | None = None
    revoked_at: str | None = None

    @property
    def id(self) -> str:
        """What the log calls it."""
        return f"{_START}{self.prefix}"

    def is_live(self, now: datetime) -> bool:
        """Whether it still opens something."""
        return self.revoked_at is None and utc_text(now) < self.expires_at


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was made just now.

    Attributes:
        text: The whole of it, which is told once.
        key: What is kept.
    """

    text: str = field(repr=False)
    key: ApiKey


def new_key_text() -> tuple[str, str]:
    """Return the prefix and the whole text of a new key."""
    prefix = secrets.token_hex(_PREFIX_BYTES)
    return prefix, f"{_START}{prefix}_{new_token()}"


def is_key_text(text: str) -> bool:
    """Whether a text looks like a key of ours."""
    return _TEXT.fullmatch(text) is not None


def prefix_of(text: str) -> str | None:
    """Return the prefix of a key; None for what is no key."""
    found = _TEXT.fullmatch(text)
    return found.group(1) if found else None


def prefix_of_id(text: str) -> str | None:
    """Return the prefix that an id names, with or without what it begins with; None for what is no id."""
    found = _ID.fullmatch(text)
    return found.group(1) if found else None


def is_text_of(text: str, key: ApiKey | None) -> bool:
    """Whether a text is a key, in a time that tells nothing of it; None for no key costs the same."""
    kept = key.digest if key is not None else token_digest("")
    return are_same(token_digest(text), kept) and key is not None


def check_scopes(scopes: Collection[str]) -> tuple[Scope, ...]:
    """Return scopes, each once and in their order.

    Raises:
        InputError: ``scopes``: there is none, or one that does not exist.
    """
    if not scopes or any(scope not in SCOPES for scope in scopes):
        raise InputError("a key has one or more scopes", remedy=f"use {', '.join(SCOPES)}", code="scopes")
    return tuple(scope for scope in SCOPES if scope in scopes)


def check_days(days: int) -> int:
    """Return for how many days a key lives.

    Raises:
        InputError: ``expiry``: they are too few or too many; a key without an end is none.
    """
    if not 1 <= days <= MOST_DAYS:
        raise InputError(f"a key lives for 1 to {MOST_DAYS:,} days", remedy="give another number", code="expiry")
    return days
