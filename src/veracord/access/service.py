"""The service of access: what the host, the page and the command line ask about who may sign in."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from veracord.access.api_keys import NewKey
from veracord.access.own_passwords import OwnPasswords
from veracord.access.passwords import Hashing
from veracord.access.signing_in import KeyHolder, SignedIn
from veracord.access.stores import AccessStore
from veracord.audit.keys import SigningKey
from veracord.ports import Clock
from veracord.records.values import JsonObject
from veracord.review.lookups import new_event_id
from veracord.review.people import Caller, actor_of
from veracord.review.permissions import Action

__all__ = ["AccessService", "KeyHolder", "NewKey", "SignedIn"]

#: A refused request of the same kind is told in the log once in so long a time.
TOLD_EVERY: Final = timedelta(minutes=1)


class AccessService(OwnPasswords):
    """Signs in and out, knows keys, and manages both.

    What each call does is told in `SignIns`, `Management` and `OwnPasswords`.
    """

    def __init__(
        self,
        store: AccessStore,
        clock: Clock,
        *,
        hashing: Hashing | None = None,
        key: SigningKey | None = None,
        new_id: Callable[[], str] = new_event_id,
    ) -> None:
        """Remember the parts.

        Args:
            store: Where everything is kept.
            clock: Tells when things happen.
            hashing: How passwords are hashed.
            key: Signs checkpoints of the log, as those of decisions are.
            new_id: Makes ids of events.
        """
        super().__init__(store, clock, new_id, hashing or Hashing(), key)
        #: When a refusal was told last; there are no more of them than keys and callers.
        self._told: dict[tuple[str, str, str], datetime] = {}

    async def note_refusal(
        self, code: str, *, caller: Caller = None, key_prefix: str | None = None, request_id: str | None = None
    ) -> None:
        """Tell in the log of a request that was refused before anybody decided about it.

        Of each caller and of each key it is told once a minute, and of keys that nobody has once a minute in all:
        whoever is let in nowhere must not fill the log, nor hide by that what happens to a key that there is.

        Args:
            code: Why, such as ``key_in_url``.
            caller: Who asked, where that is known.
            key_prefix: The part that may be shown of a key that stood in the request; told where there is such a key.
            request_id: Which request.
        """
        key = await self._store.look(lambda reader: reader.api_key(key_prefix) if key_prefix else None)
        about: JsonObject | None = {"key_id": key.id} if key is not None else None
        now, subject = self._clock.now(), (code, actor_of(caller).id, key.id if key is not None else "")
        last = self._told.get(subject)
        if last is None or not timedelta(0) <= now - last < TOLD_EVERY:
            self._told[subject] = now
            await self._act(caller, lambda act: act.tell_refusal(Action.REQUEST, code, about), request_id)
