"""Sessions of people who are signed in: a random token in their browser, and its digest in the store.

A session is made at each sign-in and never taken over, so that nobody can plant one.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from veracord.access.tokens import are_same
from veracord.audit.events import utc_text
from veracord.review.people import Role

#: A session ends so long after it was last used, and so long after it began.
IDLE: Final = timedelta(hours=8)
LONGEST: Final = timedelta(hours=24)
#: When a session or a key was last used is kept as exactly as this; not every request writes.
USE_IS_KEPT_EVERY: Final = timedelta(minutes=1)

_CSRF: Final = b"veracord csrf token 1"


@dataclass(frozen=True, slots=True)
class Session:
    """A session.

    Attributes:
        digest: Of its token.
        user_id: Whose it is.
        how: How they signed in; one of `veracord.review.people.SIGN_INS`.
        role: Their role, for somebody whom the host vouches for; None for a named user, whose role is the one that
            they have now.
        created_at: When it began, as events tell it.
        expires_at: When it ends, however much it is used.
        seen_at: When it was last used, to the minute.
    """

    digest: str = field(repr=False)
    user_id: str
    how: str
    role: Role | None
    created_at: str
    expires_at: str
    seen_at: str

    def is_live(self, now: datetime) -> bool:
        """Whether it still counts."""
        return utc_text(now) < self.expires_at and utc_text(now - IDLE) < self.seen_at


def csrf_token(session_token: str) -> str:
    """Return what forms of a session must bring back; it is made of the session's token and kept nowhere."""
    made = hmac.new(session_token.encode(errors="replace"), _CSRF, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def is_csrf_token(session_token: str, given: str) -> bool:
    """Whether a form brought back what its session gave it."""
    return are_same(csrf_token(session_token), given)
