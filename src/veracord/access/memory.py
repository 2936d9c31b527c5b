"""A store of access that lasts as long as its process, beside what is reviewed in the same transactions."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from veracord.access import login_links, slowing
from veracord.access.api_keys import ApiKey
from veracord.access.login_links import LoginLink
from veracord.access.sessions import Session
from veracord.access.slowing import Failures
from veracord.access.stores import AccessReader, AccessTransaction
from veracord.access.users import User
from veracord.audit.events import utc_text
from veracord.review.memory import MemoryReviewStore, MemoryState, MemoryTransaction

T = TypeVar("T")


class MemoryAccessStore(MemoryReviewStore):
    """Keeps everything in this process."""

    async def transact(self, work: Callable[[AccessTransaction], T]) -> T:
        """Do something in one transaction; what raises leaves nothing."""
        return self._transacted(lambda state: work(MemoryAccessTransaction(state)))

    async def look(self, work: Callable[[AccessReader], T]) -> T:
        """Look at what the last transaction left."""
        return work(MemoryAccessTransaction(self._state))


class MemoryAccessTransaction(MemoryTransaction):
    """One transaction; see `AccessTransaction` for what each method does."""

    def __init__(self, state: MemoryState) -> None:
        """Remember the state, which may be changed."""
        super().__init__(state)
        self._kept = state.more

    def user(self, user_id: str) -> User | None:
        """Return a user."""
        return self._kept.get(("user", user_id))

    def users(self) -> list[User]:
        """Return all users, by id."""
        return sorted(self._all("user"), key=lambda one: one.id)

    def put_user(self, user: User) -> None:
        """Keep a user as they are now."""
        self._kept["user", user.id] = user

    def api_key(self, prefix: str) -> ApiKey | None:
        """Return a key."""
        return self._kept.get(("key", prefix))

    def api_keys(self) -> list[ApiKey]:
        """Return all keys, the oldest first."""
        return sorted(self._all("key"), key=lambda one: (one.created_at, one.prefix))

    def put_api_key(self, key: ApiKey) -> None:
        """Keep a key as it is now, but for its last use."""
        known = self.api_key(key.prefix)
        self._kept["key", key.prefix] = replace(key, last_used_at=known.last_used_at) if known else key

    def note_key_use(self, prefix: str, at: str) -> None:
        """Keep when a key was last used."""
        known = self.api_key(prefix)
        if known is not None and (known.last_used_at or "") < at:
            self._kept["key", prefix] = replace(known, last_used_at=at)

    def session(self, digest: str) -> Session | None:
        """Return a session."""
        return self._kept.get(("session", digest))

    def put_session(self, session: Session) -> None:
        """Keep a session that was made just now."""
        self._kept["session", session.digest] = session

    def note_session_use(self, digest: str, at: str) -> None:
        """Keep when a session was last used."""
        known = self.session(digest)
        if known is not None and known.seen_at < at:
            self._kept["session", digest] = replace(known, seen_at=at)

    def end_session(self, digest: str) -> None:
        """Remove a session."""
        self._kept.pop(("session", digest), None)

    def end_sessions_of(self, user_id: str) -> None:
        """Remove all sessions of a user, and the links that were made for them."""
        self._remove("session", lambda one: one.user_id == user_id)
        self._remove("link", lambda one: one.user_id == user_id and one.used_at is None)

    def login_link(self, digest: str) -> LoginLink | None:
        """Return a link."""
        return self._kept.get(("link", digest))

    def put_login_link(self, link: LoginLink) -> None:
        """Keep a link that was made just now."""
        self._kept["link", link.digest] = link

    def take_login_link(self, digest: str, at: str) -> bool:
        """Use a link up; return whether it was there, unused and not too old."""
        link = self.login_link(digest)
        if link is None or link.used_at is not None or link.expires_at <= at:
            return False
        self._kept["link", digest] = replace(link, used_at=at)
        return True

    def note_link_refusal(self, digest: str) -> None:
        """Count one more refused use of a link."""
        link = self.login_link(digest)
        if link is not None:
            self._kept["link", digest] = replace(link, refusals=link.refusals + 1)

    def failures(self, subject: str) -> Failures | None:
        """Return the failed sign-ins of a name or an address."""
        return self._kept.get(("failures", subject))

    def put_failures(self, failures: Failures) -> None:
        """Keep failed sign-ins of a name or an address."""
        self._kept["failures", failures.subject] = failures

    def forget_failures(self, subject: str) -> None:
        """Remove them."""
        self._kept.pop(("failures", subject), None)

    def remove_ended(self, now: datetime) -> None:
        """Remove sessions, links and failures that are too old to matter."""
        self._remove("session", lambda one: not one.is_live(now))
        self._remove("link", lambda one: one.created_at <= utc_text(now - login_links.REMEMBERED))
        self._remove("failures", lambda one: slowing.is_forgotten(one, now))

    def _all(self, kind: str) -> list[Any]:
        return [one for (found, _), one in self._kept.items() if found == kind]

    def _remove(self, kind: str, is_over: Callable[[Any], bool]) -> None:
        for at, one in [*self._kept.items()]:
            if at[0] == kind and is_over(one):
                del self._kept[at]
