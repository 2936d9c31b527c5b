"""The service of access: what the host, the page and the command line ask about who may sign in."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from veracord.access.api_keys import NewKey
from veracord.access.managing import Management
from veracord.access.passwords import Hashing
from veracord.access.signing_in import KeyHolder, SignedIn
from veracord.access.stores import AccessStore
from veracord.audit.keys import SigningKey
from veracord.ports import Clock
from veracord.review.lookups import new_event_id
from veracord.review.permissions import Action

__all__ = ["AccessService", "KeyHolder", "NewKey", "SignedIn"]

#: Refused requests that the log tells of in so long a time.
_MOST_TOLD: Final = 20
_WINDOW: Final = timedelta(minutes=1)


class AccessService(Management):
    """Signs in and out, knows keys, and manages both; see `SignIns` and `Management` for what each call does."""

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
        self._told: tuple[datetime, int] = (datetime.min.replace(tzinfo=UTC), 0)

    async def note_refusal(self, code: str, *, request_id: str | None = None) -> None:
        """Tell in the log of a request that was refused before anybody looked at who asks.

        Of many in one minute only the first ones are told: whoever is let in nowhere must not fill the log.

        Args:
            code: Why, such as ``key_in_url``.
            request_id: Which request.
        """
        now = self._clock.now()
        began, number = self._told
        if not timedelta(0) <= now - began < _WINDOW:
            began, number = now, 0
        self._told = (began, number + 1)
        if number < _MOST_TOLD:
            await self._act(None, lambda act: act.tell_refusal(Action.REQUEST, code), request_id)
