"""A small world for decisions: one profile, records of lamps, and a service over any store."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from veracord.audit.chain import follow
from veracord.audit.events import Event
from veracord.audit.replay import replay, replay_latest
from veracord.audit.told_suggestions import told_suggestions
from veracord.composer.suggestions import Suggestion
from veracord.records.evidence import EvidencePack
from veracord.records.profiles import Profile
from veracord.records.reading import read_record
from veracord.review.comparing import record_differences, suggestion_differences
from veracord.review.decisions import Accept, Attach, Declare, Defer, Edit, Reject, Seen, Undo
from veracord.review.importing import Import
from veracord.review.people import Person
from veracord.review.service import DecisionService
from veracord.review.suggestions import SuggestionFilter

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["id", "mass_kg", "finish", "tags", "parts"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string", "minLength": 1},
        "mass_kg": {"type": "number", "exclusiveMinimum": 0},
        "finish": {"type": "string", "minLength": 1},
        "tags": {"type": "array", "minItems": 2, "items": {"type": "string", "minLength": 1}},
        "parts": {
            "type": "object",
            "required": ["head", "foot"],
            "properties": {"head": {"type": "string"}, "foot": {"type": "string"}},
        },
        "note": {"type": "string"},
        "materials": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "share_pct"],
                "properties": {"name": {"type": "string"}, "share_pct": {"type": "number"}},
            },
        },
    },
}
PROFILE = """\
name = "lamp"
version = "1"
schema = "lamp.schema.json"

[identity]
keys = [["/id"]]

[administrative]
never_suggested = []

[[rows]]
at = "/materials"
key = ["/name"]
"""

ANN = Person("ann", "terminal", "maintainer")
BEN = Person("ben", "password", "reviewer")
DOCUMENT = b"Data sheet\nMass: 5 kg, finish: matt.\n"

#: Odd layout and odd numbers: all of it must survive.
TEXT = (
    '{ "id":"L-1",\n  "note" : "r\\u00e9sine",\n "mass_kg": -1.50,'
    ' "materials": [ {"name":"steel" , "share_pct": 6E+1} ]}\n'
)
GUESSES = {"/mass_kg": 5, "/finish": "matt", "/tags": ["a", "b"], "/parts": {"head": "x", "foot": "y"}}


def load_profile(folder: Path) -> Profile:
    (folder / "lamp.schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    (folder / "lamp.toml").write_text(PROFILE, "utf-8")
    return Profile.load(folder / "lamp.toml")


def pack(*contents, texts=()):
    items = [{"id": f"e{number}", "content": one} for number, one in enumerate(contents)]
    return EvidencePack.from_items([*items, *({"id": f"t{n}", "text": text} for n, text in enumerate(texts))])


def suggestions(guesses):
    return [
        Suggestion(path, value, "So I recall.", 0.3, rank + 1) for rank, (path, value) in enumerate(guesses.items())
    ]


class Ticking:
    """A clock that moves a second each time that it is asked."""

    def __init__(self):
        self.asked = 0

    def now(self):
        self.asked += 1
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.asked)

    def monotonic(self):
        return 0.0

    async def sleep(self, seconds):
        del seconds


class World:
    """A service, with words as short as tests like them; everything waits for its end."""

    def __init__(self, store, profile, clock=None, **more):
        self.store = store
        self.profile = profile
        self.service = DecisionService(store, lambda _ref: profile, clock or Ticking(), **more)

    def load(self, text=TEXT, guesses=GUESSES, *contents, by=ANN, name="r1", origins=None, texts=(), drops=True):
        return run(
            self.service.import_record(
                by,
                Import(
                    name,
                    "lamp",
                    read_record(text.encode()),
                    pack(*contents, texts=texts),
                    origins or {},
                    None if guesses is None else suggestions(guesses),
                    "some-model",
                    drops_decisions=drops,
                ),
            )
        )

    def ids(self, name="r1"):
        """The suggestion at each place, the latest by its status."""
        found = run(self.store.transact(lambda reader: reader.suggestions_of(name)))
        return {one.pointer: one.id for one in found if not one.is_declaration}

    def status(self, pointer, name="r1"):
        found = run(self.store.transact(lambda reader: reader.suggestions_of(name)))
        return next(one.status.value for one in reversed(found) if one.pointer == pointer and not one.is_declaration)

    def seen(self, pointer, name="r1") -> Seen:
        return run(self.service.show_place(name, pointer)).seen

    def accept(self, pointer, by=ANN, reason="I know it", seen=None, name="r1"):
        ask = Accept(self.ids(name)[pointer], reason, seen or self.seen(pointer, name))
        return run(self.service.accept(by, ask))

    def edit(self, pointer, value, by=ANN, reason="nearly", seen=None):
        return run(self.service.edit(by, Edit(self.ids()[pointer], value, reason, seen or self.seen(pointer))))

    def reject(self, pointer, by=ANN, code="wrong_value", note=""):
        return run(self.service.reject(by, Reject(self.ids()[pointer], code, note)))

    def defer(self, pointer, by=ANN):
        return run(self.service.defer(by, Defer(self.ids()[pointer])))

    def reject_in(self, name, pointer):
        return run(self.service.reject(ANN, Reject(self.ids(name)[pointer], "wrong_value")))

    def defer_in(self, name, pointer):
        return run(self.service.defer(ANN, Defer(self.ids(name)[pointer])))

    def declare(self, pointer, value, by=ANN, seen=None, **more):
        facts = {
            "document_digest": "sha256:" + "a" * 64,
            "page": "3",
            "quote": "Mass: 5 kg",
            "reason": "I hold it",
            **more,
        }
        ask = Declare("r1", pointer, value, seen=seen or self.seen(pointer), **facts)
        return run(self.service.declare(by, ask))

    def attach(self, content, by=ANN, name="sheet"):
        (item,) = EvidencePack.from_items([{"id": name, "content": content}]).items
        return run(self.service.attach(by, Attach("r1", item, "it says so")))

    def undo(self, done, by=ANN, reason="a slip"):
        return run(self.service.undo(by, Undo(done if isinstance(done, str) else done.event_id, reason)))

    def record(self, name="r1"):
        return run(self.service.record(name))

    def export(self, **more):
        return {one.record_id: one for one in run(self.service.export(ANN, **more))}

    async def _lines(self):
        return [line async for line in self.service.lines()]

    def raw(self, loop) -> list[bytes]:
        """The lines, where somebody else has the loop."""
        return loop.run_until_complete(self._lines())

    def parsed(self, loop) -> list[Event]:
        return [Event.from_json(line) for line in self.raw(loop)]

    def lines(self) -> list[bytes]:
        return run(self._lines())

    def events(self) -> list[Event]:
        return [Event.from_json(line) for line in self.lines()]

    def types(self) -> list[str]:
        return [event.type.value for event in self.events()]

    def check(self):
        """Every record and every suggestion is what the log gives, byte for byte, and the log is one chain."""
        suggestions = run(
            self.store.transact(lambda reader: reader.find_suggestions(SuggestionFilter(status=()), -1, 0))
        )
        return self.check_lines(self.lines(), run(self.service.records(limit=1_000)), suggestions)

    def check_lines(self, lines, listed, suggestions):
        events = [Event.from_json(line) for line in lines]
        replayed = replay(follow(events))
        records = {one.record_id: one for one in listed}
        assert replayed.keys() == records.keys()
        for name, one in records.items():
            assert record_differences(replayed[name], one) == []
            latest = replay_latest([event for event in events if event.record_id == name])
            assert latest == replayed[name]
        told = told_suggestions(events)
        kept = {one.id: one for one in suggestions}
        assert told.keys() == kept.keys()
        assert [one.id for one in suggestions if suggestion_differences(told[one.id], one)] == []
        return records


def run(coroutine):
    return asyncio.run(coroutine)
