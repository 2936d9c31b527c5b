"""One-time links: the host hands one out where people see it, and whoever opens it first is signed in."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from veracord.review.people import Role

#: So long a link can be used.
LIFE: Final = timedelta(minutes=10)
#: So long it is remembered that it was used, so that a second use can be told from a typing error.
REMEMBERED: Final = timedelta(hours=24)
#: Refused uses of one link that the log tells of; it is not filled by whoever has an old link.
MOST_TOLD: Final = 20


@dataclass(frozen=True, slots=True)
class LoginLink:
    """A link.

    Attributes:
        digest: Of its token.
        user_id: Whom it signs in.
        role: Their role, where the host vouches for it; None for a named user with the role of their own.
        created_at: When it was made, as events tell it.
        expires_at: Until when it can be used.
        used_at: When it was used; None where it was not.
        refusals: How often it was refused.
    """

    digest: str = field(repr=False)
    user_id: str
    role: Role | None
    created_at: str
    expires_at: str
    used_at: str | None = None
    refusals: int = 0
