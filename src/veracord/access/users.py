"""Named users of a store: an id, a role, and what their password is checked against.

An id is no name: it stands in the log, from which nothing can be removed.
"""

import re
from dataclasses import dataclass, field
from typing import Final, get_args

from veracord.errors import InputError
from veracord.review.people import Role

#: The roles, least first.
ROLES: Final[tuple[Role, ...]] = get_args(Role)

_ID: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class User:
    """A named user.

    Attributes:
        id: What they sign in as, and what the log calls them.
        role: What they may do.
        password_hash: What `veracord.access.passwords` made of their password.
        created_at: When they were added, as events tell it.
        is_disabled: Whether they may sign in no more.
    """

    id: str
    role: Role
    password_hash: str = field(repr=False)
    created_at: str
    is_disabled: bool = False


def is_user_id(text: str) -> bool:
    """Whether a user can have an id."""
    return _ID.fullmatch(text) is not None


def check_user_id(text: str) -> None:
    """Make sure that a user can have an id.

    Raises:
        InputError: ``user_id``: it is none; it is not repeated, since a password may stand in the wrong field.
    """
    if not is_user_id(text):
        raise InputError(
            "a user id has 1 to 64 of a-z, 0-9, dot, dash and underscore, and begins with a letter or digit",
            remedy="give another id",
            code="user_id",
        )


def check_role(text: str) -> Role:
    """Return a role.

    Raises:
        InputError: ``role``: there is no such role.
    """
    found = next((role for role in ROLES if role == text), None)
    if found is None:
        raise InputError("there is no such role", remedy=f"use {', '.join(ROLES)}", code="role")
    return found
