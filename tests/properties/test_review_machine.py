"""Whatever people, programs and servers do, in any order: a guess never becomes a fact, and the log gives it all back.

Two services with connections of their own work on one database.  Guesses, values of documents and values of evidence
are told apart by what they look like, so a guess that was laundered is seen wherever it stands.
"""

import asyncio
import os
import shutil
import tempfile
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.contract.postgres_server import running_postgres
from tests.contract.review_worlds import ANN, BEN, World, load_profile, suggestions
from tools import replay_log
from veracord.audit.events import EventType
from veracord.audit.verification import verify
from veracord.bootstrap.stores import open_store
from veracord.errors import DecisionError
from veracord.records.evidence import EvidencePack
from veracord.records.pointers import get, split
from veracord.records.reading import read_record
from veracord.records.values import MISSING, leaves
from veracord.review.decisions import Accept, Attach, BulkReject, Declare, Defer, Edit, Reject, Seen, Undo
from veracord.review.importing import Import
from veracord.review.people import Person, PipelineActor, Plugin, Service
from veracord.review.settings import ReviewSettings
from veracord.review.suggestions import Status, SuggestionFilter

#: One run in ten of the ordinary test, all of them where CI=true.
RUNS = 100 if os.environ.get("CI") == "true" else 25
STEPS = 20

NAMES = st.sampled_from(["r1", "r2"])
WHICH = st.integers(0, 1)
PICK = st.integers(0, 5)
PEOPLE = st.sampled_from([ANN, BEN, Person("cy", "login_link", "reviewer")])
OTHERS = st.sampled_from(
    [
        None,
        Service("key"),
        Plugin("p"),
        PipelineActor("run"),
        Person("x", "", "reviewer"),
        Person("v", "terminal", "viewer"),
    ]
)
PLACES = {
    "/mass_kg": (-1, 5, 71, 72),
    "/finish": ("", "guess matt", "declared matt", "stated matt"),
    "/tags": (["x"], ["guess a", "guess b"], ["declared a", "b"], ["stated a", "b"]),
    "/tags/1": (None, "guess b2", "declared b2", None),
    "/parts": (None, {"head": "guess h", "foot": "guess f"}, None, {"head": "stated h", "foot": "stated f"}),
    "/parts/head": (None, "guess h2", "declared h", None),
}
POINTERS = st.sampled_from(list(PLACES))
GUESSES = {"/mass_kg": 5, "/finish": "guess matt", "/tags": ["guess a", "guess b"], "/parts": PLACES["/parts"][1]}


def is_guess(value) -> bool:
    if isinstance(value, list):
        return any(is_guess(item) for item in value)
    return value == 5 or (isinstance(value, str) and value.startswith("guess"))


class Reviews(RuleBasedStateMachine):
    """What may happen to two records."""

    url = ""
    profile = None

    def __init__(self):
        super().__init__()
        self.stores = [open_store(self.url) for _ in range(2)]
        self.worlds = [World(store.review, self.profile) for store in self.stores]
        self.loop = asyncio.new_event_loop()
        self.done = []
        self.refused = 0
        #: (record, place of a leaf, value) of guesses that some evidence was attached for.
        self.attached = []
        self.numbers = count()
        self.imports = 0

    def teardown(self):
        try:
            self.compare_logs()
        finally:
            for store in self.stores:
                store.close()
            self.loop.close()

    def do(self, coroutine):
        """Do something; return what comes of it, or None where it is refused."""
        try:
            done = self.loop.run_until_complete(coroutine)
        except DecisionError:
            self.refused += 1
            return None
        return done

    def decide(self, coroutine):
        done = self.do(coroutine)
        if done is not None:
            self.done.append(done.event_id)
        return done

    def look(self, which, work):
        return self.loop.run_until_complete(self.worlds[which].store.transact(work))

    def record(self, name, which=0):
        return self.look(which, lambda reader: reader.record(name))

    def seen(self, which, name, pointer):
        shown = self.do(self.worlds[which].service.show_place(name, pointer))
        return shown.seen if shown else Seen(1, "sha256:" + "0" * 64)

    def some(self, which, name, pick):
        found = self.look(which, lambda reader: reader.suggestions_of(name))
        return found[pick % len(found)] if found else None

    @initialize()
    def begin(self):
        self.bring_in(0, "r1", dict.fromkeys(["/mass_kg", "/finish", "/tags", "/parts"], 1), {}, ANN)

    @rule(
        which=WHICH,
        name=NAMES,
        given=st.dictionaries(st.sampled_from(list(GUESSES)), st.just(1)),
        stated=st.dictionaries(st.sampled_from(["/finish", "/mass_kg"]), st.sampled_from([1, 3]), max_size=1),
        who=st.sampled_from([ANN, BEN, Service("key")]),
    )
    def bring_in(self, which, name, given, stated, who):
        """Import a record without its values, with guesses, and with evidence in which a guess may be pasted."""
        content = {"id": "L-1", **{at[1:]: PLACES[at][kind] for at, kind in stated.items()}}
        guesses = {at: GUESSES[at] for at in given}
        self._bring_in(which, name, '{"id": "L-1", "note": "n"}', guesses, [content] if stated else [], who)

    @rule(which=WHICH, name=NAMES, clean=st.booleans())
    def bring_in_what_was_handed_out(self, which, name, clean):
        """Export, lose the origins, and import again as another record or the same."""
        exported = self.do(self.worlds[which].service.export(Service("key"), ["r1"], include_unverified=not clean))
        if exported:
            self._bring_in(which, name, exported[0].text.decode(), GUESSES, [], Service("key"))

    def _bring_in(self, which, name, text, guesses, contents, who):
        items = [{"id": f"i{next(self.numbers)}", "content": one} for one in contents]
        asked = Import(
            name,
            "lamp",
            read_record(text.encode()),
            EvidencePack.from_items(items),
            {"/finish": "declared"},
            suggestions(guesses),
            "m",
            drops_decisions=True,
        )
        if self.do(self.worlds[which].service.import_record(who, asked)):
            self.imports += 1

    @rule(which=WHICH, name=NAMES, pick=PICK, who=PEOPLE, stale=st.booleans())
    def accept(self, which, name, pick, who, stale):
        one = self.some(which, name, pick)
        if one is not None:
            seen = (
                Seen(1, self.seen(which, name, one.pointer).value_hash)
                if stale
                else self.seen(which, name, one.pointer)
            )
            self.decide(self.worlds[which].service.accept(who, Accept(one.id, "so I know", seen)))

    @rule(which=WHICH, name=NAMES, pick=PICK, who=PEOPLE)
    def edit(self, which, name, pick, who):
        one = self.some(which, name, pick)
        if one is not None:
            value = PLACES.get(one.pointer, (None, one.value))[1]
            self.decide(
                self.worlds[which].service.edit(who, Edit(one.id, value, "nearly", self.seen(which, name, one.pointer)))
            )

    @rule(which=WHICH, name=NAMES, pick=PICK, who=PEOPLE)
    def reject(self, which, name, pick, who):
        one = self.some(which, name, pick)
        if one is not None:
            self.decide(self.worlds[which].service.reject(who, Reject(one.id, "other")))

    @rule(which=WHICH, name=NAMES, pick=PICK, who=PEOPLE)
    def defer(self, which, name, pick, who):
        one = self.some(which, name, pick)
        if one is not None:
            self.decide(self.worlds[which].service.defer(who, Defer(one.id)))

    @rule(which=WHICH, name=NAMES, pointer=POINTERS, who=PEOPLE)
    def declare(self, which, name, pointer, who):
        value = PLACES[pointer][2]
        if value is not None:
            seen = self.seen(which, name, pointer)
            asked = Declare(name, pointer, value, "sha256:" + "a" * 64, "3", "words", "I hold it", seen)
            self.decide(self.worlds[which].service.declare(who, asked))

    @rule(which=WHICH, name=NAMES, pointer=st.sampled_from(list(GUESSES)), kind=st.sampled_from([1, 3]), who=PEOPLE)
    def attach(self, which, name, pointer, kind, who):
        """Attach a document that states something else than was guessed, or just that."""
        value = PLACES[pointer][kind]
        item = {"id": f"a{next(self.numbers)}", "content": {"id": "L-1", pointer[1:]: value}}
        (item,) = EvidencePack.from_items([item]).items
        if self.decide(self.worlds[which].service.attach(who, Attach(name, item))) and kind == 1:
            self.attached += [(split(pointer) + below, leaf) for below, leaf in leaves(value)]

    @precondition(lambda self: self.done)
    @rule(which=WHICH, pick=st.integers(0, 30), who=PEOPLE)
    def undo(self, which, pick, who):
        self.decide(self.worlds[which].service.undo(who, Undo(self.done[-1 - pick % len(self.done)], "a slip")))

    @rule(which=WHICH, who=PEOPLE, pointer=POINTERS)
    def bulk_reject(self, which, who, pointer):
        count_before = len(self.decisions())
        done = self.do(
            self.worlds[which].service.bulk_reject(who, BulkReject(SuggestionFilter(pointer=pointer), "other"))
        )
        self.done += self.decisions()[count_before:] if done else []

    @rule(which=WHICH, who=OTHERS, name=NAMES, pick=PICK)
    def somebody_who_may_not(self, which, who, name, pick):
        one = self.some(which, name, pick)
        asked = Accept(one.id if one else "none", "because", self.seen(which, name, one.pointer if one else ""))
        assert self.do(self.worlds[which].service.accept(who, asked)) is None

    @rule(which=WHICH, pattern=st.sampled_from([(), ("/mass_kg",), ("/tags",)]), own=st.booleans())
    def change_settings(self, which, pattern, own):
        self.do(self.worlds[which].service.change_settings(ANN, ReviewSettings(pattern, own)))

    def decisions(self):
        decided = {EventType.SUGGESTION_ACCEPTED, EventType.SUGGESTION_REJECTED, EventType.SUGGESTION_DEFERRED}
        decided |= {EventType.VALUE_DECLARED, EventType.EVIDENCE_ATTACHED, EventType.DECISION_UNDONE}
        return [event.id for event in self.worlds[0].parsed(self.loop) if event.type in decided]

    @invariant()
    def no_guess_is_a_fact(self):
        for name in ("r1", "r2"):
            record = self.record(name)
            if record is None:
                continue
            for at, value in leaves(record.value):
                if is_guess(value):
                    self.check_guess(record, at, value)
            for pointer, origin in record.origins.items():
                assert get(record.value, split(pointer)) is not MISSING, (pointer, origin)

    def check_guess(self, record, at, value):
        origin = record.origins.get("/" + "/".join(at))
        assert origin != "declared"
        if (at, value) in self.attached:
            return
        assert origin in ("accepted_suggestion", "suggestion_origin"), (at, value, origin)

    @invariant()
    def an_accepted_suggestion_is_told_by_its_leaf(self):
        for name in ("r1", "r2"):
            for one in self.look(1, lambda reader, name=name: reader.suggestions_of(name)):
                assert not (one.first and one.status is not Status.DEFERRED)

    def compare_logs(self):
        """At the end: nothing lost, one chain, and both replays give every record back."""
        lines = self.worlds[0].raw(self.loop)
        assert lines == self.worlds[1].raw(self.loop)
        report = verify(lines)
        assert report.ok, report.why
        assert self.decisions() == self.done
        denied = [event for event in self.worlds[0].parsed(self.loop) if event.type is EventType.ACCESS_DENIED]
        assert len(denied) <= self.refused
        records = self.look(1, lambda reader: reader.records("", 10))
        self.replay_elsewhere(lines, records)
        suggested = self.look(0, lambda reader: reader.find_suggestions(SuggestionFilter(status=()), -1, 0))
        self.worlds[0].check_lines(lines, records, suggested)
        for record in records:
            self.check_clean(record)

    def check_clean(self, record):
        (clean,) = self.do(self.worlds[0].service.export(ANN, [record.record_id])) or [None]
        for at, value in leaves(read_record(clean.text).value):
            assert not is_guess(value) or (at, value) in self.attached

    def replay_elsewhere(self, lines, records):
        with tempfile.TemporaryDirectory() as folder:
            export = Path(folder) / "export.jsonl"
            export.write_bytes(b"".join(line + b"\n" for line in lines))
            replayed = replay_log.replay(export)
        told = {one.record_id: (one.revision, one.text, dict(one.origins)) for one in records}
        assert {name: (one["revision"], one["text"], one["origins"]) for name, one in replayed.items()} == told


def run_machine(new_url, profile):
    class Machine(Reviews):
        def __init__(self):
            type(self).url = new_url()
            type(self).profile = profile
            super().__init__()

    run_state_machine_as_test(Machine, settings=settings(max_examples=RUNS, stateful_step_count=STEPS, deadline=None))


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return load_profile(tmp_path_factory.mktemp("lamp"))


def test_no_sequence_makes_a_guess_a_fact_on_sqlite(profile, tmp_path):
    numbers = count()

    def new_url():
        number = next(numbers)
        shutil.rmtree(tmp_path / f"s{number - 1}", ignore_errors=True)
        (tmp_path / f"s{number}").mkdir()
        return str(tmp_path / f"s{number}" / "store.db")

    run_machine(new_url, profile)


def test_no_sequence_makes_a_guess_a_fact_on_postgres(profile):
    import psycopg

    numbers = count()
    with running_postgres() as server:

        def new_url():
            name = f"m{next(numbers)}"
            with psycopg.connect(server.address(), autocommit=True) as connection:
                connection.execute(f"CREATE SCHEMA {name}")
            return server.address(name)

        run_machine(new_url, profile)
