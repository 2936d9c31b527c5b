"""Signing in: by name and password, or by a one-time link; and who it is that a session or a key speaks for.

Whatever is wrong with a name or a password, the answer and the work are the same.  Nothing that came from outside
becomes a session: its token is made here.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from veracord.access.acts import AccessAct, AccessActs
from veracord.access.api_keys import ApiKey, Scope, is_text_of, prefix_of
from veracord.access.login_links import LIFE, MOST_TOLD, LoginLink
from veracord.access.passwords import Hashing
from veracord.access.sessions import LONGEST, USE_IS_KEPT_EVERY, Session, csrf_token
from veracord.access.slowing import MOST_AT_ADDRESS, left_s, one_more, subject_of_name, subject_of_pair
from veracord.access.stores import AccessReader, AccessStore
from veracord.access.tokens import new_token, token_digest
from veracord.access.users import User, is_user_id
from veracord.audit.events import utc_text
from veracord.audit.keys import SigningKey
from veracord.errors import AccessError, InputError
from veracord.ports import Clock
from veracord.review.people import Person, Role, Service
from veracord.review.permissions import Action

#: Passwords that are looked at together; each takes memory and a processor.
_AT_ONCE: Final = 2


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody who was signed in just now.

    Attributes:
        session_token: What their browser must bring along; it is kept nowhere.
        csrf_token: What their forms must bring along.
        person: Who it is.
        expires_at: When the session ends, as events tell it.
    """

    session_token: str = field(repr=False)
    csrf_token: str = field(repr=False)
    person: Person
    expires_at: str


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """A program that came with a key.

    Attributes:
        service: Who it is; it decides nothing.
        scopes: What it may do.
    """

    service: Service
    scopes: frozenset[Scope]


class SignIns(AccessActs):
    """Signs people in and out, and knows programs by their keys."""

    def __init__(
        self,
        store: AccessStore,
        clock: Clock,
        new_id: Callable[[], str],
        hashing: Hashing,
        key: SigningKey | None = None,
    ) -> None:
        """Remember the parts."""
        super().__init__(store, clock, new_id, key)
        self._hashing = hashing
        #: How many sign-ins of each address are under way.
        self._under_way: Counter[str] = Counter()
        self._gate = asyncio.Semaphore(_AT_ONCE)

    async def sign_in(
        self, user_id: str, password: str, address: str, *, former: str | None = None, request_id: str | None = None
    ) -> SignedIn:
        """Sign a named user in.

        Args:
            user_id: The name that was given.
            password: The password that was given.
            address: Where the request came from.
            former: The token of the session that the browser had; it ends.
            request_id: The request that it happens in.

        Raises:
            AccessError: ``sign_in_refused``: there is no such user with such a password; ``slowed_down``: too many
                failed before, its details say how long to wait (``retry_after_s``).
        """
        if self._under_way[address] >= MOST_AT_ADDRESS:
            raise _slowed("too many sign-ins at once", 1)
        self._under_way[address] += 1
        try:
            return await self._sign_in(user_id, password, address, former, request_id)
        finally:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]

    async def _sign_in(
        self, user_id: str, password: str, address: str, former: str | None, request_id: str | None
    ) -> SignedIn:
        user = await self._act(None, lambda act: tried(act, user_id, address), request_id)
        is_right = await self._checked(password, user.password_hash if user else None)
        better = await self._better_hash(password, user) if user and is_right else None

        def finish(act: AccessAct) -> "SignedIn | AccessError":
            known = act.transaction.user(_searched(user_id))
            # The password may have been changed, or the user disabled, while it was looked at.
            if not is_right or known is None or known.is_disabled or known != user:
                act.tell_refusal(Action.SIGN_IN, "sign_in_refused", {"user_id": user_id} if known else None)
                return _refused("sign_in_refused", "this name and password are not known", "check both")
            if better is not None:
                act.transaction.put_user(replace(known, password_hash=better))
            for subject in subjects_of(user_id, address, known):
                act.transaction.forget_failures(subject)
            return begin_session(act, known.id, "password", None, former)

        return await self._act(None, finish, request_id)

    async def new_link(self, user_id: str = "local", role: Role | None = "maintainer") -> str:
        """Return the token of a new one-time link.  Only the host asks for one, never a request.

        Args:
            user_id: Whom it signs in.
            role: Their role, which the host vouches for; None for a named user with the role of their own.

        Raises:
            InputError: ``unknown_user``: no named user can sign in as that; ``user_id``: nobody can be called that.
        """
        if not user_id or not user_id.isprintable():
            raise InputError("nobody can be called that", remedy="give another id", code="user_id")
        token = new_token()

        def keep(act: AccessAct) -> str:
            user = act.transaction.user(user_id)
            if role is None and (user is None or user.is_disabled):
                raise InputError("there is no such user", remedy="list them", code="unknown_user")
            act.transaction.remove_ended(act.now)
            ends = utc_text(act.now + LIFE)
            act.transaction.put_login_link(LoginLink(token_digest(token), user_id, role, act.at, ends))
            return token

        return await self._act(None, keep, None)

    async def redeem_link(self, token: str, *, former: str | None = None, request_id: str | None = None) -> SignedIn:
        """Sign in whoever opens a link first.

        Raises:
            AccessError: ``link_refused``: it was used, is too old, or is none.
        """
        digest = token_digest(token)

        def redeem(act: AccessAct) -> "SignedIn | AccessError":
            link = act.transaction.login_link(digest)
            if link is None or not _may_follow(act, link) or not act.transaction.take_login_link(digest, act.at):
                if link is not None and link.refusals < MOST_TOLD:
                    act.transaction.note_link_refusal(digest)
                    act.tell_refusal(Action.LOGIN_LINK, "link_refused", {"user_id": link.user_id})
                return _refused("link_refused", "this link does not sign in (any more)", "ask for a new one")
            return begin_session(act, link.user_id, "login_link", link.role, former)

        return await self._act(None, redeem, request_id)

    async def person_of(self, session_token: str) -> tuple[Person, str] | None:
        """Return whose session a token is of, and what forms of it must bring along; None for no session."""
        digest = token_digest(session_token)
        now = self._clock.now()

        def find(reader: AccessReader) -> tuple[Session, Person] | None:
            session = reader.session(digest)
            if session is None or not session.is_live(now):
                return None
            role = session.role or _own_role(reader.user(session.user_id))
            return (session, Person(session.user_id, session.how, role)) if role else None

        found = await self._store.look(find)
        if found is None:
            return None
        session, person = found
        if session.seen_at <= utc_text(now - USE_IS_KEPT_EVERY):
            at = utc_text(now)
            await self._store.transact(lambda transaction: transaction.note_session_use(digest, at))
        return person, csrf_token(session_token)

    async def sign_out(self, session_token: str) -> None:
        """End a session; one that is none already changes nothing."""
        digest = token_digest(session_token)
        await self._store.transact(lambda transaction: transaction.end_session(digest))

    async def service_of(self, key_text: str) -> KeyHolder | None:
        """Return the program that a key is of; None for a key that opens nothing (any more)."""
        prefix = prefix_of(key_text)
        key = await self._store.look(lambda reader: reader.api_key(prefix) if prefix else None)
        if not is_text_of(key_text, key) or key is None:
            return None
        now = self._clock.now()
        if _is_due(key, now):
            found = key.prefix
            key = await self._act(Service(key.id), lambda act: _noted(act, found), None)
        return KeyHolder(Service(key.id), frozenset(key.scopes)) if key is not None and key.is_live(now) else None

    async def _checked(self, password: str, kept: str | None) -> bool:
        async with self._gate:
            return await asyncio.to_thread(self._hashing.fits, password, kept)

    async def _better_hash(self, password: str, user: User) -> str | None:
        """Return what should be kept of a password that was hashed in a way that is usual no more."""
        if not self._hashing.is_outdated(user.password_hash):
            return None
        async with self._gate:
            return await asyncio.to_thread(self._hashing.hash, password)


def _is_due(key: ApiKey, now: datetime) -> bool:
    """Whether it is time to keep that somebody came with a key; the first time after its end it always is."""
    last = key.last_used_at
    if last is None or last <= utc_text(now - USE_IS_KEPT_EVERY):
        return True
    return not key.is_live(now) and last <= min(key.revoked_at or key.expires_at, key.expires_at)


def _noted(act: AccessAct, prefix: str) -> ApiKey | None:
    """Keep that somebody came with a key, and tell if it opens nothing any more; return it as it is now."""
    key = act.transaction.api_key(prefix)
    if key is not None and _is_due(key, act.now):
        act.transaction.note_key_use(prefix, act.at)
        if not key.is_live(act.now):
            act.tell_refusal(Action.USE_KEY, "key_revoked" if key.revoked_at else "key_expired")
    return key


def tried(act: AccessAct, user_id: str, address: str) -> "User | AccessError | None":
    """Count a try as failed, and return whom it is about."""
    user = act.transaction.user(_searched(user_id))
    subjects = subjects_of(user_id, address, user)
    known = [act.transaction.failures(subject) for subject in subjects]
    wait = max(left_s(one, act.now) for one in known)
    if wait:
        # Not told in the log: it would be filled by whoever cannot get in.
        return _slowed("too many sign-ins failed", wait)
    act.transaction.remove_ended(act.now)
    for one, subject in zip(known, subjects, strict=True):
        act.transaction.put_failures(one_more(one, subject, act.now))
    return user


def subjects_of(user_id: str, address: str, user: User | None) -> tuple[str, str]:
    """Return under what failures of a try are kept."""
    return subject_of_name(user_id), subject_of_pair(user_id, address, user.password_hash if user else "")


def _slowed(what: str, wait_s: int) -> AccessError:
    return AccessError(what, remedy=f"wait {wait_s} s", code="slowed_down", details={"retry_after_s": wait_s})


def _searched(user_id: str) -> str:
    """Return what is looked up for a name; nobody has the empty one, and a database may not even take any other."""
    return user_id if is_user_id(user_id) else ""


def _may_follow(act: AccessAct, link: LoginLink) -> bool:
    """Whether a link still signs in whom it was made for."""
    return link.role is not None or _own_role(act.transaction.user(link.user_id)) is not None


def _own_role(user: User | None) -> Role | None:
    return None if user is None or user.is_disabled else user.role


def begin_session(act: AccessAct, user_id: str, how: str, role: Role | None, former: str | None) -> SignedIn:
    """Keep a fresh session of somebody, in place of the one that their browser had."""
    token = new_token()
    ends = utc_text(act.now + LONGEST)
    if former is not None:
        act.transaction.end_session(token_digest(former))
    act.transaction.put_session(Session(token_digest(token), user_id, how, role, act.at, ends, act.at))
    found = role or _own_role(act.transaction.user(user_id))
    person = Person(user_id, how, found or "viewer")
    return SignedIn(token, csrf_token(token), person, ends)


def _refused(code: str, what: str, remedy: str) -> AccessError:
    return AccessError(what, remedy=remedy, code=code)
