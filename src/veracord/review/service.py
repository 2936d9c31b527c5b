"""The service of decisions: each call is one transaction that looks, decides, writes and tells.

It holds no rule of its own.  What is refused has changed nothing, and is told in the log by itself.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from veracord.audit.events import EventType
from veracord.audit.keys import SigningKey
from veracord.audit.signatures import Checkpoint, Rotation
from veracord.errors import ConfigurationError, DecisionError
from veracord.ports import Clock
from veracord.records.values import JsonObject
from veracord.review import chronicle
from veracord.review.accepting import accept
from veracord.review.acting import Act, Changes, Profiles
from veracord.review.attaching import attach
from veracord.review.decisions import Accept, Attach, BulkReject, Declare, Defer, Done, Edit, Reject, Undo
from veracord.review.declaring import declare
from veracord.review.exporting import ExportedRecord, export, log_export
from veracord.review.importing import Import, Imported, import_record
from veracord.review.kept_answers import answer_again, answered, caller_key
from veracord.review.lookups import ReviewLookups, new_event_id
from veracord.review.people import Caller
from veracord.review.permissions import Action
from veracord.review.rejecting import bulk_reject, defer, reject
from veracord.review.requests import Once
from veracord.review.settings import ReviewSettings
from veracord.review.stores import ReviewStore, ReviewTransaction
from veracord.review.undoing import undo
from veracord.review.written import check_settings

T = TypeVar("T")


class DecisionService(ReviewLookups):
    """What people and programs can ask of the records of one store."""

    def __init__(
        self,
        store: ReviewStore,
        profiles: Profiles,
        clock: Clock,
        *,
        key: SigningKey | None = None,
        new_id: Callable[[], str] = new_event_id,
    ) -> None:
        """Remember the parts.

        Args:
            store: Where everything is kept.
            profiles: Loads a profile by the name that its importer gave it.
            clock: Tells when things happen.
            key: Signs checkpoints, every 1,000 events and at each export; without one there are none.
            new_id: Makes ids of events.
        """
        super().__init__(store, profiles, clock, new_id)
        self._key = key

    async def import_record(
        self, caller: Caller, asked: Import, *, request_id: str | None = None, once: Once | None = None
    ) -> Imported:
        """Bring a record in; see `veracord.review.importing`."""
        done: Imported = await self._act(caller, Action.IMPORT, lambda act: import_record(act, asked), request_id, once)
        return done

    async def accept(
        self, caller: Caller, asked: Accept, *, request_id: str | None = None, once: Once | None = None
    ) -> Done:
        """Take a suggestion as it is; it stays unverified."""
        return await self._decide(caller, Action.ACCEPT, lambda act: accept(act, asked), request_id, once)

    async def edit(
        self, caller: Caller, asked: Edit, *, request_id: str | None = None, once: Once | None = None
    ) -> Done:
        """Take another value in the place of a suggestion; it is as unverified."""
        return await self._decide(caller, Action.EDIT, lambda act: accept(act, asked), request_id, once)

    async def reject(
        self, caller: Caller, asked: Reject, *, request_id: str | None = None, once: Once | None = None
    ) -> Done:
        """Refuse a suggestion; it is not made again."""
        return await self._decide(caller, Action.REJECT, lambda act: reject(act, asked), request_id, once)

    async def defer(
        self, caller: Caller, asked: Defer, *, request_id: str | None = None, once: Once | None = None
    ) -> Done:
        """Put a suggestion off."""
        return await self._decide(caller, Action.DEFER, lambda act: defer(act, asked), request_id, once)

    async def declare(
        self, caller: Caller, asked: Declare, *, request_id: str | None = None, once: Once | None = None
    ) -> Done:
        """Enter a value from a document that one holds."""
        return await self._decide(caller, Action.DECLARE, lambda act: declare(act, asked), request_id, once)

    async def attach(
        self, caller: Caller, asked: Attach, *, request_id: str | None = None, once: Once | None = None
    ) -> Done:
        """Add evidence to a record, and fill it from that."""
        return await self._decide(caller, Action.ATTACH, lambda act: attach(act, asked), request_id, once)

    async def undo(
        self, caller: Caller, asked: Undo, *, request_id: str | None = None, once: Once | None = None
    ) -> Done:
        """Take a decision back by a new event."""
        return await self._decide(caller, Action.UNDO, lambda act: undo(act, asked), request_id, once)

    async def bulk_reject(
        self, caller: Caller, asked: BulkReject, *, request_id: str | None = None, once: Once | None = None
    ) -> int:
        """Refuse all undecided suggestions that a filter means; return how many."""
        done: int = await self._act(caller, Action.BULK_REJECT, lambda act: bulk_reject(act, asked), request_id, once)
        return done

    async def change_settings(
        self, caller: Caller, settings: ReviewSettings, *, request_id: str | None = None, once: Once | None = None
    ) -> None:
        """Set what holds for all decisions of the store; a maintainer may."""
        await self.update_settings(caller, lambda _before: settings, request_id=request_id, once=once)

    async def update_settings(
        self,
        caller: Caller,
        update: Callable[[ReviewSettings], ReviewSettings],
        *,
        request_id: str | None = None,
        once: Once | None = None,
    ) -> ReviewSettings:
        """Set some of it, so that nothing is lost that another maintainer sets meanwhile; return all of it.

        Raises:
            InputError: ``review_settings``: what it would be are no settings.
        """

        def change(act: Act) -> Changes:
            act.permit()
            after = ReviewSettings.from_object(update(act.settings).to_object())
            check_settings(after)
            data: JsonObject = {"before": act.settings.to_object(), "after": after.to_object()}
            return Changes([act.draft(EventType.SETTINGS_CHANGED, data)], settings=after, result=after)

        done: ReviewSettings = await self._act(caller, Action.CHANGE_SETTINGS, change, request_id, once)
        return done

    async def export(
        self,
        caller: Caller,
        record_ids: Sequence[str] | None = None,
        *,
        include_unverified: bool = False,
        request_id: str | None = None,
    ) -> list[ExportedRecord]:
        """Hand records out, without what nothing verifies unless it is asked for; None for all of them."""
        done: list[ExportedRecord] = await self._act(
            caller,
            Action.EXPORT,
            lambda act: export(act, record_ids, include_unverified=include_unverified),
            request_id,
        )
        return done

    async def log_export(self, caller: Caller, what: str, *, request_id: str | None = None) -> str:
        """Note that the log is handed out, and in which form; return the id of the event."""
        done: str = await self._act(caller, Action.EXPORT, lambda act: log_export(act, what), request_id)
        return done

    async def checkpoint(self, caller: Caller) -> Checkpoint:
        """Sign where the log ends.

        Raises:
            ConfigurationError: ``no_key``: there is no key.
        """
        key = self._required_key()
        await self._act(caller, Action.CHECKPOINT, _permitted)
        return await self._store.transact(
            lambda transaction: chronicle.add_checkpoint(transaction, key, self._new_id(), self._clock.now())
        )

    async def rotate_key(self, caller: Caller, new: SigningKey) -> Rotation:
        """Let another key sign from the next event on; a maintainer may.

        Raises:
            ConfigurationError: ``no_key``: there is no key that could sign the new one.
        """
        old = self._required_key()
        actor = await self._act(caller, Action.ROTATE_KEY, _permitted)
        rotation = await self._store.transact(
            lambda transaction: chronicle.add_rotation(
                transaction, (old, new.public), self._new_id(), actor, self._clock.now()
            )
        )
        self._key = new
        return rotation

    async def _decide(
        self,
        caller: Caller,
        action: Action,
        plan: Callable[[Act], Changes],
        request_id: str | None,
        once: Once | None,
    ) -> Done:
        done: Done = await self._act(caller, action, plan, request_id, once)
        return done

    async def _act(
        self,
        caller: Caller,
        action: Action,
        plan: Callable[[Act], Changes],
        request_id: str | None = None,
        once: Once | None = None,
    ) -> Any:  # noqa: ANN401 - each act gives something of its own
        """Do one act in one transaction; one that is refused leaves an event and nothing else."""

        def work(transaction: ReviewTransaction) -> Any:  # noqa: ANN401 - the same
            # Held before anything is read, so that what is read is what others left.
            before = transaction.head()
            act = self._new_act(transaction, caller, action, request_id)
            known = transaction.answered(caller_key(caller), once.key) if once else None
            if once is not None and known is not None and act.at < known.until:
                return answer_again(known, once)
            try:
                changes = plan(act)
            except DecisionError as error:
                chronicle.append(transaction, [act.refused(error)], act.now)
                return error
            _write(transaction, changes)
            chronicle.append(transaction, changes.drafts, act.now)
            if self._key is not None and (action is Action.EXPORT or chronicle.is_due(before, transaction.head())):
                chronicle.add_checkpoint(transaction, self._key, self._new_id(), act.now)
            if once is not None:
                transaction.remove_answered(act.at)
                transaction.put_answered(answered(caller, once, changes.result, act.now))
            return changes.result

        done = await self._store.transact(work)
        if isinstance(done, DecisionError):
            raise done
        return done

    def _required_key(self) -> SigningKey:
        if self._key is None:
            raise ConfigurationError("there is no key to sign with", remedy="give one", code="no_key")
        return self._key


def _permitted(act: Act) -> Changes:
    act.permit()
    return Changes(result=act.actor)


def _write(transaction: ReviewTransaction, changes: Changes) -> None:
    if changes.record is not None:
        transaction.put_record(changes.record)
    transaction.put_suggestions(changes.suggestions)
    for record_id, evidence in changes.evidence:
        transaction.put_evidence(record_id, evidence)
    transaction.issue(changes.issue)
    transaction.withdraw_issued(changes.withdraw_issued)
    transaction.reject(changes.reject)
    transaction.withdraw_rejected(changes.withdraw_rejected)
    if changes.settings is not None:
        transaction.put_settings(changes.settings)
