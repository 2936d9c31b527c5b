"""The chain: each event follows the one before, and GENESIS is where logs of this format begin."""

import pytest

from tests.unit.audit_logs import log_of
from veracord import InputError
from veracord.audit.chain import EDITED, GENESIS, OUT_OF_PLACE, UNLINKED, Head, event_hash, follow, link
from veracord.audit.events import Event
from veracord.records.values import digest


def test_the_first_event_follows_genesis():
    assert Head(0, digest(b"veracord audit log, format 1")) == GENESIS
    event = log_of(1).events[0]
    assert (event.seq, event.prev) == (1, GENESIS.hash)


def test_following_yields_every_event_and_heads():
    log = log_of(5)
    assert list(follow(log.events)) == log.events
    assert link(Head(4, log.events[3].hash), log.events[4]) == log.head
    assert list(follow(log.events[2:], Head(2, log.events[1].hash))) == log.events[2:]


@pytest.mark.parametrize(
    ("events", "seq", "why"),
    [
        (lambda log: log.events[1:], 1, OUT_OF_PLACE),
        (lambda log: [*log.events[:2], *log.events[3:]], 3, OUT_OF_PLACE),
        (lambda log: [log.events[1], log.events[0]], 1, OUT_OF_PLACE),
        (lambda log: [*log.events[:2], other(log.events[2], prev=GENESIS.hash)], 3, EDITED),
        (lambda log: [*log.events[:2], honest(log.events[2], prev=GENESIS.hash)], 3, UNLINKED),
        (lambda log: [honest(log.events[0], tool="x"), *log.events[1:]], 2, UNLINKED),
    ],
)
def test_what_does_not_follow_is_named(events, seq, why):
    with pytest.raises(InputError) as caught:
        list(follow(events(log_of(5))))
    assert (caught.value.code, caught.value.where, caught.value.what) == ("chain_broken", f"seq {seq}", why)


def other(event, **members):
    return Event(**{name: getattr(event, name) for name in Event.__slots__} | members)


def honest(event, **members):
    changed = other(event, **members)
    return other(changed, hash=event_hash(changed))
