"""The log grows here, and nowhere else: each event follows the head that the transaction holds.

A signature by another key than the log goes on with would break it for good, so it is refused before it is made.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from veracord.audit.chain import GENESIS, Head, link, next_event
from veracord.audit.events import Actor, Draft, Event, EventType
from veracord.audit.keys import PublicKey, SigningKey
from veracord.audit.signatures import CHECKPOINT_EVERY, Checkpoint, Rotation, sign_checkpoint, sign_rotation
from veracord.composer.repair import TOOL
from veracord.errors import ConfigurationError, InputError
from veracord.records.values import JsonObject
from veracord.review.damage import damaged, kept_as_written
from veracord.review.stores import ReviewTransaction

#: Who signs.
SYSTEM: Final = Actor("veracord", "system", "", "")

#: In the line of every signature; where another line holds one of these, its type is told by reading it.
_SIGNATURES: Final = (b'"type":"checkpoint.signed"', b'"type":"key.rotated"')
_PAGE: Final = 500


def append(transaction: ReviewTransaction, drafts: Sequence[Draft], at: datetime) -> None:
    """Add events at the head of the log.

    Raises:
        InputError: ``not_an_event``: one holds what cannot be kept exactly.
    """
    head = transaction.head()
    for draft in drafts:
        event = next_event(head, draft, at)
        transaction.append(event)
        head = Head(event.seq, event.hash)


def is_due(before: Head, after: Head) -> bool:
    """Whether so many events were added that a checkpoint must follow."""
    return before.seq // CHECKPOINT_EVERY != after.seq // CHECKPOINT_EVERY


def add_checkpoint(transaction: ReviewTransaction, key: SigningKey, event_id: str, at: datetime) -> Checkpoint:
    """Sign where the log ends, and say so in the log.

    Raises:
        ConfigurationError: ``wrong_key``: another key signs this log.
        StorageError: ``store_damaged``: what came since the last signature is no chain; it is not signed.
    """
    _check_signer(transaction, key.public)
    head = transaction.head()
    checkpoint = sign_checkpoint(head.seq, head.hash, key)
    append(transaction, [_signed(EventType.CHECKPOINT_SIGNED, checkpoint.to_object(), event_id, SYSTEM)], at)
    return checkpoint


def add_rotation(
    transaction: ReviewTransaction, keys: tuple[SigningKey, PublicKey], event_id: str, actor: Actor, at: datetime
) -> Rotation:
    """Let the old key sign the new one, and say so in the log.

    Raises:
        ConfigurationError: ``wrong_key``: another key than the old one signs this log.
    """
    _check_signer(transaction, keys[0].public)
    rotation = sign_rotation(transaction.head(), *keys)
    append(transaction, [_signed(EventType.KEY_ROTATED, rotation.to_object(), event_id, actor)], at)
    return rotation


def signer(transaction: ReviewTransaction) -> PublicKey | None:
    """Return the key that a log goes on with; None where nobody has signed it."""
    found = _last_signature(transaction)
    return found[0] if found else None


def _last_signature(transaction: ReviewTransaction) -> tuple[PublicKey, Head] | None:
    """Return the key that a log goes on with, and the event that says so."""
    last = transaction.head().seq
    while last:
        first = max(0, last - _PAGE)
        for _, line in reversed(transaction.lines(first, last - first, None)):
            if any(mark in line for mark in _SIGNATURES):
                with kept_as_written("a signature in the audit log"):
                    event = Event.from_json(line)
                    if event.type is EventType.CHECKPOINT_SIGNED:
                        return Checkpoint.from_object(event.data).key, Head(event.seq, event.hash)
                    if event.type is EventType.KEY_ROTATED:
                        return Rotation.from_object(event.data).new_key, Head(event.seq, event.hash)
        last = first
    return None


def _check_signer(transaction: ReviewTransaction, key: PublicKey) -> None:
    found = _last_signature(transaction)
    if found is not None and found[0] != key:
        raise ConfigurationError(
            "another key signs this log",
            where=key.id,
            remedy="if the key was changed just now, do it again; else name the key with --signing-key FILE",
            code="wrong_key",
        )
    _check_chain(transaction, found[1] if found else GENESIS)


def _check_chain(transaction: ReviewTransaction, head: Head) -> None:
    """Make sure that what follows an event is a chain up to the end: nobody signs what was changed since."""
    while page := transaction.lines(head.seq, _PAGE, None):
        for number, line in page:
            try:
                head = link(head, Event.from_json(line))
            except InputError as error:
                raise damaged(f"the log is broken: {error.what}", f"seq {number} of the audit log") from None


def _signed(kind: EventType, data: JsonObject, event_id: str, actor: Actor) -> Draft:
    return Draft(id=event_id, type=kind, actor=actor, tool=TOOL, data=data)
