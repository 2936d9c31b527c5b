"""Another password for oneself: whoever has no shell on the server needs nobody for that."""

import asyncio
from dataclasses import replace

from veracord.access.acts import AccessAct
from veracord.access.managing import Management
from veracord.access.passwords import check_password
from veracord.access.signing_in import SignedIn, begin_session, subjects_of, tried
from veracord.audit.events import EventType
from veracord.errors import AccessError, InputError
from veracord.review.people import Caller, Person
from veracord.review.permissions import Action


class OwnPasswords(Management):
    """Lets people change their own password."""

    async def change_own_password(
        self, caller: Caller, old: str, new: str, address: str, *, request_id: str | None = None
    ) -> SignedIn:
        """Give the one who asks another password; all their sessions end, and a fresh one begins.

        Who found a browser that is signed in may guess the old one as slowly as anybody who signs in.

        Args:
            caller: Who asks.
            old: Their password until now.
            new: The one that they want.
            address: Where the request came from.
            request_id: The request that it happens in.

        Raises:
            AccessError: ``password_refused``: the old one is not theirs; ``slowed_down``; the caller is no person.
            InputError: ``password``: the new one cannot be taken; ``no_password``: they sign in without one.
        """
        name = await self._manage(caller, Action.CHANGE_PASSWORD, _own_name, request_id)
        check_password(new, name)
        if new == old:
            raise InputError("this is the password that you have", remedy="take another", code="password")
        user = await self._act(caller, lambda act: tried(act, name, address), request_id)
        is_right = await self._checked(old, user.password_hash if user else None)
        kept = await self._hash(new) if is_right else ""

        def finish(act: AccessAct) -> "SignedIn | AccessError":
            known = act.transaction.user(name)
            # It may have been changed, or the user disabled, while it was looked at.
            if not is_right or known is None or known.is_disabled or known != user:
                act.tell_refusal(Action.CHANGE_PASSWORD, "password_refused", {"user_id": name})
                return AccessError("this is not your password", remedy="type the one you have", code="password_refused")
            for subject in subjects_of(name, address, known):
                act.transaction.forget_failures(subject)
            act.transaction.put_user(replace(known, password_hash=kept))
            act.transaction.end_sessions_of(name)
            act.tell(EventType.USER_CHANGED, {"user_id": name, "change": "password"})
            how = caller.how if type(caller) is Person else "password"
            return begin_session(act, name, how, None, None)

        return await self._act(caller, finish, request_id)

    async def _hash(self, password: str) -> str:
        async with self._gate:
            return await asyncio.to_thread(self._hashing.hash, password)


def _own_name(act: AccessAct) -> str:
    """Return the id of the user who asks.

    Raises:
        InputError: ``no_password``: they are no user, but whoever sits at the machine.
    """
    user = act.transaction.user(act.actor.id)
    if user is None:
        raise InputError("you sign in by a link, without a password", remedy="keep to the link", code="no_password")
    return user.id
