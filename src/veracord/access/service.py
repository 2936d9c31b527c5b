"""The service of access: what the host, the page and the command line ask about who may sign in."""

from collections.abc import Callable

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

    async def note_refusal(self, code: str, *, request_id: str | None = None) -> None:
        """Tell in the log of a request that was refused before anybody looked at who asks.

        Args:
            code: Why, such as ``key_in_url``.
            request_id: Which request.
        """
        await self._act(None, lambda act: act.tell_refusal(Action.REQUEST, code), request_id)
