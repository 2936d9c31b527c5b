"""A process that decides about records until it is told to stop, and says what it was promised."""

import sys
from itertools import count
from pathlib import Path

from tests.contract.review_worlds import ANN, BEN, World
from veracord.bootstrap.stores import open_store
from veracord.errors import DecisionError
from veracord.ports import SystemClock
from veracord.records.profiles import Profile


def main(url: str, name: str, folder: str) -> None:
    """Write until standard input ends; each line of output is an event that was durable before it was printed."""
    store = open_store(url)
    world = World(store.review, Profile.load(Path(folder) / "lamp.toml"), SystemClock())
    person = ANN if name == "a" else BEN
    for number in count():
        record = "shared" if number % 3 == 0 else f"{name}{number % 3}"
        try:
            told(world.load(name=record, by=person).event_id)
            done = world.accept("/finish", by=person, name=record)
            told(done.event_id)
            told(world.undo(done, by=person).event_id if number % 2 else world.accept("/tags", name=record).event_id)
        except DecisionError as error:
            # The other one was faster.
            tell("refused", error.code)


def told(event_id: str) -> None:
    tell("done", event_id)


def tell(kind: str, word: str) -> None:
    sys.stdout.write(f"{kind} {word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
