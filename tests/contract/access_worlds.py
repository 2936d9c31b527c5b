"""A service of access over any store, with words as short as tests like them."""

import asyncio
from datetime import UTC, datetime, timedelta

from veracord.access.passwords import Hashing
from veracord.access.service import AccessService
from veracord.audit.events import Event
from veracord.audit.verification import verify
from veracord.review.people import Person

#: As cheap as the library allows: what it costs is for another test to say.
CHEAP = Hashing(passes=1, memory_kib=8, lanes=1)
PASSWORD = "correct horse battery"
OTHER = "wrong horse battery"
ROOT = Person("root", "terminal", "maintainer")


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.at = datetime(2026, 11, 30, 9, tzinfo=UTC)

    def now(self):
        return self.at

    def pass_by(self, **how):
        self.at += timedelta(**how)

    def monotonic(self):
        return 0.0

    async def sleep(self, seconds):
        del seconds


class Gates:
    """A service on a store; everything waits for its end."""

    def __init__(self, store, clock=None):
        self.store = store
        self.clock = clock or Clock()
        self.service = AccessService(store, self.clock, hashing=CHEAP)

    def __getattr__(self, name):
        call = getattr(self.service, name)

        def wait(*given, **more):
            return asyncio.run(call(*given, **more))

        return wait

    def add(self, name="ann", role="reviewer", password=PASSWORD):
        return self.add_user(ROOT, name, role, password)

    def enter(self, name="ann", password=PASSWORD, address="192.0.2.7", **more):
        return self.sign_in(name, password, address, **more)

    def lines(self):
        return [line for _, line in asyncio.run(self.store.look(lambda reader: reader.lines(0, 10_000, None)))]

    def told(self):
        """What the log tells, short, after it was checked."""
        lines = self.lines()
        assert verify(lines).ok
        return [(event.type.value, event.actor.id, event.data) for event in map(Event.from_json, lines)]
