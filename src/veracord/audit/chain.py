"""The hash chain: each event holds the hash of the one before, so none can change, go or come between unseen.

What a chain cannot show by itself is a tail that was cut off and a log that was written anew; see
`veracord.audit.signatures`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from veracord.audit.events import Draft, Event, utc_text
from veracord.errors import InputError
from veracord.records.values import canonical, digest, equal

#: A head is not yet known while an event is put together.
_NO_HASH: Final = f"sha256:{'0' * 64}"


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a log.

    Attributes:
        seq: The number of its last event; 0 where there is none.
        hash: The hash of its last event.
    """

    seq: int
    hash: str


#: What the first event follows.  It names the format: a log of another one does not begin here.
GENESIS: Final = Head(0, digest(b"veracord audit log, format 1"))


def event_hash(event: Event) -> str:
    """Return ``sha256:<hex>`` over the canonical form of an event without its member ``hash``.

    These are also the bytes of its line with ``"hash":"...",`` taken out.
    """
    return digest(canonical(event.content()))


def next_event(head: Head, draft: Draft, at: datetime) -> Event:
    """Return the event that follows a head.

    Whoever keeps the log calls this and appends under one lock, so that no two events follow the same head.

    Raises:
        InputError: ``not_an_event``: the draft holds what no line can hold exactly, such as a float, half a surrogate
            pair or too many levels; nothing of it may be kept.
    """
    members = {name: getattr(draft, name) for name in Draft.__slots__}
    event = Event(seq=head.seq + 1, prev=head.hash, at=utc_text(at), hash=_NO_HASH, **members)
    try:
        line = canonical({**event.content(), "hash": event_hash(event)})
        # Read back, so that no line is kept which a verifier would refuse, and none that says something else.
        kept = Event.from_json(line, where=f"seq {event.seq}")
    except InputError as error:
        raise _not_an_event(error.what, event.seq) from None
    except (TypeError, ValueError, RecursionError):
        raise _not_an_event("it holds what is no JSON", event.seq) from None
    if not equal(kept.content(), event.content()):
        raise _not_an_event("it holds what JSON does not keep exactly", event.seq)
    return kept


def link(head: Head, event: Event) -> Head:
    """Return the head that an event makes.

    Raises:
        InputError: ``chain_broken``: the event has another hash than its content, another number than the next one,
            or does not follow this head.
    """
    flaw = flaw_of(head, event)
    if flaw:
        raise InputError(
            flaw, where=f"seq {head.seq + 1}", remedy="compare it with another copy of the log", code="chain_broken"
        )
    return Head(event.seq, event.hash)


def follow(events: Iterable[Event], head: Head = GENESIS) -> Iterator[Event]:
    """Yield the events of a log, each after it was checked that it follows the one before.

    Raises:
        InputError: ``chain_broken``, see `link`.
    """
    for event in events:
        head = link(head, event)
        yield event


#: What may be wrong with an event at its place.
EDITED: Final = "its content is not what its hash was made of"
OUT_OF_PLACE: Final = "another event stands in its place: one was removed, put in, or moved"
UNLINKED: Final = "it does not follow the event before: one of the two was changed"


def flaw_of(head: Head, event: Event) -> str:
    """Return what is wrong with an event after this head: `EDITED`, `OUT_OF_PLACE`, `UNLINKED`, or ""."""
    if event_hash(event) != event.hash:
        return EDITED
    if event.seq != head.seq + 1:
        return OUT_OF_PLACE
    return "" if event.prev == head.hash else UNLINKED


def _not_an_event(what: str, seq: int) -> InputError:
    return InputError(what, where=f"seq {seq}", remedy="put JSON values in it", code="not_an_event")
