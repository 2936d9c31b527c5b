"""What is done about access: one transaction each, told in the log by ids alone, refusals as well."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from veracord.access.stores import AccessStore, AccessTransaction
from veracord.audit.events import Actor, Draft, EventType, utc_text
from veracord.audit.keys import SigningKey
from veracord.composer.repair import TOOL
from veracord.errors import AccessError
from veracord.ports import Clock
from veracord.records.values import JsonObject
from veracord.review import chronicle
from veracord.review.people import Caller, actor_of
from veracord.review.permissions import Action, refusal

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AccessAct:
    """Something that somebody does.

    Attributes:
        transaction: Where; it holds the end of the log.
        caller: Who.
        now: When.
        new_id: Makes ids of events.
        request_id: The request that it happens in.
    """

    transaction: AccessTransaction
    caller: Caller
    now: datetime
    new_id: Callable[[], str]
    request_id: str | None

    @property
    def at(self) -> str:
        """The time, as events tell it."""
        return utc_text(self.now)

    @property
    def actor(self) -> Actor:
        """How the log names the caller."""
        return actor_of(self.caller)

    def tell(self, kind: EventType, data: JsonObject) -> None:
        """Add an event; no password, no secret and no digest of one is ever in it."""
        draft = Draft(self.new_id(), kind, self.actor, TOOL, data, self.request_id)
        chronicle.append(self.transaction, [draft], self.now)

    def tell_refusal(self, action: Action, code: str, about: JsonObject | None = None) -> None:
        """Add the event of a refusal."""
        self.tell(EventType.ACCESS_DENIED, {"action": action.value, "code": code, **(about or {})})


class AccessActs:
    """Does acts on a store."""

    def __init__(
        self, store: AccessStore, clock: Clock, new_id: Callable[[], str], key: SigningKey | None = None
    ) -> None:
        """Remember the parts; with a key, checkpoints are signed as they are due."""
        self._store = store
        self._key = key
        self._clock = clock
        self._new_id = new_id

    async def _act(self, caller: Caller, work: "Callable[[AccessAct], T | AccessError]", request_id: str | None) -> T:
        """Do something; a refusal that it returns is raised, and what it told of that is kept."""

        def inside(transaction: AccessTransaction) -> T | AccessError:
            # Held before anything is read, so that what is read is what others left.
            before = transaction.head()
            now = self._clock.now()
            done = work(AccessAct(transaction, caller, now, self._new_id, request_id))
            if self._key is not None and chronicle.is_due(before, transaction.head()):
                chronicle.add_checkpoint(transaction, self._key, self._new_id(), now)
            return done

        done = await self._store.transact(inside)
        if isinstance(done, AccessError):
            raise done
        return done

    async def _manage(
        self, caller: Caller, action: Action, work: Callable[[AccessAct], T], request_id: str | None
    ) -> T:
        """Do what only some may do; who may not is told of.

        Raises:
            AccessError: The caller may not.
        """

        def permitted(act: AccessAct) -> T | AccessError:
            found = refusal(caller, action, act.transaction.settings())
            if found is None:
                return work(act)
            act.tell_refusal(action, found.code)
            return AccessError(found.what, remedy=found.remedy, code=found.code)

        return await self._act(caller, permitted, request_id)
