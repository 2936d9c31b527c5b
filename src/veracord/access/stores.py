"""What a store must do for access: users, keys, sessions, links and failures, in the transactions of reviews.

So who may sign in and the log that tells of it change together.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol, TypeVar

from veracord.access.api_keys import ApiKey
from veracord.access.login_links import LoginLink
from veracord.access.sessions import Session
from veracord.access.slowing import Failures
from veracord.access.users import User
from veracord.review.stores import ReviewReader, ReviewTransaction

T = TypeVar("T")


class AccessReader(ReviewReader, Protocol):
    """What can be looked up."""

    def user(self, user_id: str) -> User | None:
        """Return a user."""

    def users(self) -> list[User]:
        """Return all users, by id."""

    def api_key(self, prefix: str) -> ApiKey | None:
        """Return a key."""

    def api_keys(self) -> list[ApiKey]:
        """Return all keys, the oldest first, then by prefix."""

    def session(self, digest: str) -> Session | None:
        """Return a session, also one that has ended by time."""

    def login_link(self, digest: str) -> LoginLink | None:
        """Return a link, also one that was used or is too old."""

    def failures(self, subject: str) -> Failures | None:
        """Return the failed sign-ins of a name or an address."""


class AccessTransaction(AccessReader, ReviewTransaction, Protocol):
    """What can be changed."""

    def put_user(self, user: User) -> None:
        """Keep a user as they are now."""

    def put_api_key(self, key: ApiKey) -> None:
        """Keep a key as it is now, but for its last use."""

    def note_key_use(self, prefix: str, at: str) -> None:
        """Keep when a key was last used; an earlier time than the one that is kept changes nothing."""

    def put_session(self, session: Session) -> None:
        """Keep a session that was made just now."""

    def note_session_use(self, digest: str, at: str) -> None:
        """Keep when a session was last used; an earlier time changes nothing, and one that has ended stays so."""

    def end_session(self, digest: str) -> None:
        """Remove a session."""

    def end_sessions_of(self, user_id: str) -> None:
        """Remove all sessions of a user, and the links that were made for them."""

    def put_login_link(self, link: LoginLink) -> None:
        """Keep a link that was made just now."""

    def take_login_link(self, digest: str, at: str) -> bool:
        """Use a link up; return whether it was there, unused and not too old: of several that try, one gets it."""

    def note_link_refusal(self, digest: str) -> None:
        """Count one more refused use of a link."""

    def put_failures(self, failures: Failures) -> None:
        """Keep failed sign-ins of a name or an address."""

    def forget_failures(self, subject: str) -> None:
        """Remove them."""

    def remove_ended(self, now: datetime) -> None:
        """Remove sessions, links and failures that are too old to matter."""


class AccessStore(Protocol):
    """Keeps who may sign in beside what is reviewed."""

    async def transact(self, work: Callable[[AccessTransaction], T]) -> T:
        """Do something in one transaction; see `veracord.review.stores.ReviewStore`."""

    async def look(self, work: Callable[[AccessReader], T]) -> T:
        """Look at one moment of the store; see `veracord.review.stores.ReviewStore`."""
