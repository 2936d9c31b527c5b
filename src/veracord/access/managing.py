"""Users and keys: who adds, changes and takes back.  A maintainer does, or the person at the terminal, who is one."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import timedelta

from veracord.access.acts import AccessAct
from veracord.access.api_keys import ApiKey, NewKey, check_days, check_scopes, new_key_text, prefix_of_id
from veracord.access.passwords import check_password
from veracord.access.signing_in import SignIns
from veracord.access.slowing import subject_of_name
from veracord.access.tokens import token_digest
from veracord.access.users import User, check_role, check_user_id
from veracord.audit.events import EventType, utc_text
from veracord.errors import InputError
from veracord.records.values import JsonObject
from veracord.review.people import Caller, Person
from veracord.review.permissions import Action


class Management(SignIns):
    """Users and keys, for who may change them."""

    async def add_user(
        self, caller: Caller, user_id: str, role: str, password: str, *, request_id: str | None = None
    ) -> User:
        """Add a user.

        Raises:
            AccessError: The caller may not.
            InputError: ``user_id``, ``role``, ``password``; ``user_exists``: there is one of this id.
        """
        check_user_id(user_id)
        found_role = check_role(role)
        kept = await self._hashed(caller, user_id, password)

        def add(act: AccessAct) -> User:
            if act.transaction.user(user_id) is not None:
                raise InputError("there is such a user already", remedy="choose another id", code="user_exists")
            user = User(user_id, found_role, kept, act.at)
            act.transaction.put_user(user)
            _tell_user(act, user, "added", {"role": user.role})
            return user

        return await self._manage(caller, Action.CHANGE_USERS, add, request_id)

    async def change_role(self, caller: Caller, user_id: str, role: str, *, request_id: str | None = None) -> User:
        """Give a user another role; their sessions end.

        Raises:
            AccessError: The caller may not.
            InputError: ``role``, ``unknown_user``; ``last_maintainer``: nobody could change anything any more.
        """
        found_role = check_role(role)

        def change(act: AccessAct, user: User) -> tuple[User, JsonObject]:
            if found_role != "maintainer":
                _require_another_maintainer(act, user)
            return replace(user, role=found_role), {"before": user.role, "role": found_role}

        return await self._change_user(caller, user_id, "role", change, request_id)

    async def set_password(self, caller: Caller, user_id: str, password: str, *, request_id: str | None = None) -> User:
        """Give a user another password; their sessions end, and so does what slowed them down.

        Raises:
            AccessError: The caller may not.
            InputError: ``password``, ``unknown_user``.
        """
        kept = await self._hashed(caller, user_id, password)

        def change(act: AccessAct, user: User) -> tuple[User, JsonObject]:
            act.transaction.forget_failures(subject_of_name(user_id))
            return replace(user, password_hash=kept), {}

        return await self._change_user(caller, user_id, "password", change, request_id)

    async def disable_user(self, caller: Caller, user_id: str, *, request_id: str | None = None) -> User:
        """Let a user sign in no more; their sessions end.  Nothing is deleted: the log names them.

        Raises:
            AccessError: The caller may not.
            InputError: ``unknown_user``; ``last_maintainer``: nobody could change anything any more.
        """

        def disable(act: AccessAct, user: User) -> tuple[User, JsonObject]:
            _require_another_maintainer(act, user)
            return replace(user, is_disabled=True), {}

        return await self._change_user(caller, user_id, "disabled", disable, request_id)

    async def enable_user(self, caller: Caller, user_id: str, *, request_id: str | None = None) -> User:
        """Let a user sign in again.

        Raises:
            AccessError: The caller may not.
            InputError: ``unknown_user``.
        """
        return await self._change_user(
            caller, user_id, "enabled", lambda _act, user: (replace(user, is_disabled=False), {}), request_id
        )

    async def users(self, caller: Caller, *, request_id: str | None = None) -> list[User]:
        """Return all users, by id.

        Raises:
            AccessError: The caller may not.
        """
        return await self._manage(caller, Action.CHANGE_USERS, lambda act: act.transaction.users(), request_id)

    async def has_users(self) -> bool:
        """Whether anybody could sign in with a password."""
        return await self._store.look(lambda reader: any(not user.is_disabled for user in reader.users()))

    async def add_key(
        self, caller: Caller, scopes: Collection[str], days: int, *, request_id: str | None = None
    ) -> NewKey:
        """Make a key; its text is told here and never again.

        Raises:
            AccessError: The caller may not.
            InputError: ``scopes``, ``expiry``.
        """
        found_scopes = check_scopes(scopes)
        life = timedelta(days=check_days(days))

        def add(act: AccessAct) -> NewKey:
            prefix, text = new_key_text()
            while act.transaction.api_key(prefix) is not None:
                prefix, text = new_key_text()
            ends = utc_text(act.now + life)
            key = ApiKey(prefix, token_digest(text), found_scopes, act.at, act.actor.id, ends)
            act.transaction.put_api_key(key)
            _tell_key(act, key, "added", {"scopes": list(key.scopes), "expires_at": ends})
            return NewKey(text, key)

        return await self._manage(caller, Action.CHANGE_KEYS, add, request_id)

    async def revoke_key(self, caller: Caller, key_id: str, *, request_id: str | None = None) -> ApiKey:
        """Take a key back; from then on it opens nothing.

        Args:
            caller: Who asks.
            key_id: ``vrc_<prefix>``, or the prefix.
            request_id: The request that it happens in.

        Raises:
            AccessError: The caller may not.
            InputError: ``unknown_key``: there is no such key.
        """

        def revoke(act: AccessAct) -> ApiKey:
            prefix = prefix_of_id(key_id)
            key = act.transaction.api_key(prefix) if prefix else None
            if key is None:
                # What was given is not repeated: it may be the whole key.
                raise InputError("there is no such key", remedy="list them", code="unknown_key")
            if key.revoked_at is not None:
                return key
            revoked = replace(key, revoked_at=act.at)
            act.transaction.put_api_key(revoked)
            _tell_key(act, revoked, "revoked", {})
            return revoked

        return await self._manage(caller, Action.CHANGE_KEYS, revoke, request_id)

    async def keys(self, caller: Caller, *, request_id: str | None = None) -> list[ApiKey]:
        """Return all keys, the oldest first.

        Raises:
            AccessError: The caller may not.
        """
        return await self._manage(caller, Action.CHANGE_KEYS, lambda act: act.transaction.api_keys(), request_id)

    async def _hashed(self, caller: Caller, user_id: str, password: str) -> str:
        """Return what is kept of a password; nothing is hashed for who may not set one."""
        if not (type(caller) is Person and caller.role == "maintainer"):
            return ""
        check_password(password, user_id)
        async with self._gate:
            return await asyncio.to_thread(self._hashing.hash, password)

    async def _change_user(
        self,
        caller: Caller,
        user_id: str,
        change: str,
        work: Callable[[AccessAct, User], tuple[User, JsonObject]],
        request_id: str | None,
    ) -> User:
        def inside(act: AccessAct) -> User:
            user = _known_user(act, user_id)
            after, told = work(act, user)
            if after == user:
                return user
            act.transaction.put_user(after)
            act.transaction.end_sessions_of(user.id)
            _tell_user(act, after, change, told)
            return after

        return await self._manage(caller, Action.CHANGE_USERS, inside, request_id)


def _known_user(act: AccessAct, user_id: str) -> User:
    check_user_id(user_id)
    found = act.transaction.user(user_id)
    if found is None:
        raise InputError("there is no such user", remedy="list them", code="unknown_user")
    return found


def _require_another_maintainer(act: AccessAct, user: User) -> None:
    """Make sure that somebody can still change users; at the terminal there always is somebody.

    Raises:
        InputError: ``last_maintainer``.
    """
    caller = act.caller
    if user.role != "maintainer" or user.is_disabled or (type(caller) is Person and caller.how == "terminal"):
        return
    others = (one for one in act.transaction.users() if one.id != user.id)
    if not any(one.role == "maintainer" and not one.is_disabled for one in others):
        raise InputError(
            "this is the last maintainer", remedy="make another one, or do it at the terminal", code="last_maintainer"
        )


def _tell_user(act: AccessAct, user: User, change: str, more: JsonObject) -> None:
    act.tell(EventType.USER_CHANGED, {"user_id": user.id, "change": change, **more})


def _tell_key(act: AccessAct, key: ApiKey, change: str, more: JsonObject) -> None:
    act.tell(EventType.API_KEY_CHANGED, {"key_id": key.id, "change": change, **more})
