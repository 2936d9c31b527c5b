"""What a queue of suggestions is read by: pages, counts, places; and requests that come twice.  Over every store."""

import asyncio
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.review_worlds import ANN, BEN, TEXT, World, load_profile, run, suggestions
from veracord import EvidencePack
from veracord.bootstrap.stores import open_store
from veracord.errors import DecisionError, InputError
from veracord.records.reading import read_record
from veracord.records.values import MISSING
from veracord.review.decisions import Accept, BulkReject, Defer, Reject
from veracord.review.facets import FACETS, CountChange, FacetCache, ranked, without_own
from veracord.review.importing import Import
from veracord.review.requests import Once
from veracord.review.settings import ReviewSettings
from veracord.review.suggestions import Status, SuggestionFilter
from veracord.testing import MemoryStore

EMPTY = EvidencePack.from_items([])
GUESSES = {"/mass_kg": 5, "/finish": "matt", "/tags": ["a", "b"], "/parts": {"head": "x", "foot": "y"}}


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return load_profile(tmp_path_factory.mktemp("lamp"))


@pytest.fixture
def world(place, profile):
    return World(place.open().review, profile)


def all_of(world, wanted, limit=3):
    """Every suggestion, page by page."""
    found, after = [], None
    while True:
        page = run(world.service.list_suggestions(wanted, limit=limit, after=after))
        found += page.items
        if page.next is None:
            return found
        assert len(page.items) == limit
        after = page.next


def test_pages_are_what_the_whole_list_is(world):
    for name in ("a", "b", "c"):
        world.load(name=name)
    world.reject_in("b", "/finish")
    world.defer_in("c", "/tags")
    for wanted in (
        SuggestionFilter(),
        SuggestionFilter(status=()),
        SuggestionFilter(status=(Status.REJECTED,)),
        SuggestionFilter(pointer="/finish"),
        SuggestionFilter(pointer="", rule="required", model="some-model"),
        SuggestionFilter(pointer="/tags", rule="required"),
        SuggestionFilter(record_id="b", model="some-model"),
        SuggestionFilter(model="other"),
        SuggestionFilter(newer_than=datetime(2027, 1, 1, tzinfo=UTC)),
        SuggestionFilter(record_id="a\0"),
    ):
        whole = run(world.store.look(lambda reader, wanted=wanted: reader.find_suggestions(wanted, -1, 0)))
        for limit in (1, 3, 100):
            assert all_of(world, wanted, limit) == whole
    page = run(world.service.list_suggestions(SuggestionFilter(), limit=11))
    assert (page.next, page.total, len(page.items)) == (None, 11, 11)


@pytest.mark.parametrize(
    "cursor", ["", "x", "é", "a" * 5_000, "WyJyZWNvcmRzIiwiYSJd", "WyJzdWdnZXN0aW9ucyIsMSwyXQ", "bnVsbA"]
)
def test_a_place_that_is_none_of_the_list_is_refused(cursor):
    service = World(MemoryStore().review, None).service
    for call in (service.list_suggestions, service.queue, service.list_events):
        with pytest.raises(InputError) as caught:
            run(call(after=cursor))
        assert caught.value.code == "invalid_cursor"


def test_moments_bound_the_age(world):
    world.load(name="a")
    at = run(world.service.list_suggestions()).items[0].created_at
    moment = datetime.fromisoformat(at)
    later = moment + timedelta(microseconds=1)

    def count(**wanted):
        return run(world.service.list_suggestions(SuggestionFilter(**wanted))).total

    assert [count(newer_than=moment), count(newer_than=later)] == [4, 0]
    assert [count(older_than=moment), count(older_than=later)] == [0, 4]
    assert count(newer_than=moment, older_than=later) == 4


def test_a_queue_shows_counts_and_what_stands_there(world):
    world.load(TEXT, GUESSES, name="a")
    world.load(TEXT, {"/finish": "matt"}, name="b")
    world.reject_in("a", "/tags")
    queue = run(world.service.queue(SuggestionFilter(pointer="/finish"), limit=1))
    assert queue.page.total == 2
    assert queue.page.next is not None
    assert [(one.value, one.count) for one in queue.facets.pointer] == [("/finish", 2), ("/mass_kg", 1), ("/parts", 1)]
    assert [(one.value, one.count) for one in queue.facets.record] == [("a", 1), ("b", 1)]
    assert [(one.value, one.count) for one in queue.facets.status] == [("open", 2)]
    assert {one.value for one in queue.facets.model} == {"some-model"}
    assert run(world.service.facets(SuggestionFilter(pointer="/finish"))) == queue.facets
    places = {one.pointer: queue.presents for one in queue.page.items}
    (present,) = places["/finish"].values()
    assert (present.value, present.revision) == (MISSING, 1)
    mass = run(world.service.queue(SuggestionFilter(pointer="/mass_kg")))
    (present,) = mass.presents.values()
    assert str(present.value) == "-1.50"
    # What was remembered of a place counts only for the revision that it was read of.
    world.accept("/finish", name="a")
    (after,) = run(world.service.queue(SuggestionFilter(pointer="/mass_kg"))).presents.values()
    assert after.revision == 2
    done = run(world.service.queue(SuggestionFilter(status=(Status.ACCEPTED,))))
    (present,) = done.presents.values()
    assert (present.value, present.revision) == ("matt", 2)


def test_who_decided_sees_it_at_once(world):
    """The counts of one service keep up with its own decisions and with those of another."""
    other = World(world.store, world.profile)
    world.load(name="a")
    for number, pointer in enumerate(GUESSES):
        assert {one.value: one.count for one in run(world.service.facets()).status}["open"] == 4 - number
        (other if number % 2 else world).reject_in("a", pointer)
    assert run(world.service.facets()).status[0].value == "rejected"
    assert run(world.service.facets()).pointer == ()


def test_a_bulk_rejection_of_another_number_than_was_seen_is_refused(world):
    world.load(name="a")
    wanted = SuggestionFilter(record_id="a")
    with pytest.raises(DecisionError) as caught:
        run(world.service.bulk_reject(ANN, BulkReject(wanted, "other", expected=3)))
    assert (caught.value.code, caught.value.details) == ("changed_underneath", {"expected": 3, "now": 4})
    assert run(world.service.bulk_reject(ANN, BulkReject(wanted, "other", expected=4))) == 4


def test_records_and_events_are_read_in_pages(world):
    for name in ("b", "a", "C", "é", "d"):
        world.load(name=name, guesses={})
    names, after = [], None
    while True:
        page = run(world.service.list_records(limit=2, after=after))
        names += [one.record_id for one in page.items]
        after = page.next
        if after is None:
            break
    assert names == ["C", "a", "b", "d", "é"]
    for newest_first in (False, True):
        seqs, after = [], None
        while True:
            page = run(world.service.list_events(limit=2, after=after, newest_first=newest_first))
            seqs += [one.seq for one in page.items]
            after = page.next
            if after is None:
                break
        assert seqs == sorted(range(1, 6), reverse=newest_first)
    about = run(world.service.list_events(record_id="a", newest_first=True))
    assert [(one.record_id, about.next) for one in about.items] == [("a", None)]
    assert run(world.service.list_events(record_id="\0", newest_first=True)).items == []


def test_who_reads_does_not_wait_for_who_writes(sql_place, profile):
    world = World(sql_place.open().review, profile)
    world.load(name="a")
    writing, done = threading.Event(), threading.Event()

    def slow(transaction):
        transaction.head()
        transaction.put_settings(ReviewSettings(own_proposals=False))
        writing.set()
        assert done.wait(30)

    async def both():
        writer = asyncio.ensure_future(world.store.transact(slow))
        await asyncio.to_thread(writing.wait, 30)
        seen = await asyncio.wait_for(world.service.queue(), 20)
        settled = await world.service.settings()
        done.set()
        await writer
        return seen.page.total, settled.own_proposals, (await world.service.settings()).own_proposals

    assert asyncio.run(both()) == (4, True, False)


def test_a_look_sees_one_moment(sql_place, profile):
    one, other = (World(sql_place.open().review, profile) for _ in range(2))
    one.load(name="a")
    looking, done = threading.Event(), threading.Event()

    def look(reader):
        before = reader.count_suggestions(SuggestionFilter()), reader.end()
        looking.set()
        assert done.wait(30)
        return before == (reader.count_suggestions(SuggestionFilter()), reader.end())

    async def both():
        reading = asyncio.ensure_future(one.store.look(look))
        await asyncio.to_thread(looking.wait, 30)
        await other.service.bulk_reject(ANN, BulkReject(SuggestionFilter(record_id="a"), "other"))
        done.set()
        return await reading, (await one.service.list_suggestions()).total

    assert asyncio.run(both()) == (True, 0)


def test_a_look_writes_nothing(sql_place):
    store = sql_place.open()
    with pytest.raises(Exception, match="store_failed"):
        run(store.look(lambda session: session.change("DELETE FROM settings")))
    assert run(store.look(lambda session: session.execute("SELECT COUNT(*) FROM settings"))) == [(0,)]


# Requests that come twice.


def once(key="k", *parts):
    return Once.of(key, "POST", "/v1/decisions", *parts)


def test_the_same_request_gets_the_same_answer_and_acts_once(world):
    asked = Import("a", "lamp", read_record(TEXT.encode()), EMPTY, {}, suggestions(GUESSES), "some-model")
    first = run(world.service.import_record(ANN, asked, once=once("import")))
    again = run(world.service.import_record(ANN, asked, once=once("import")))
    assert again == first
    assert again.record.value == first.record.value
    ids = world.ids("a")
    calls = [
        (world.service.accept, Accept(ids["/finish"], "I know it", world.seen("/finish", "a"))),
        (world.service.reject, Reject(ids["/tags"], "other")),
        (world.service.defer, Defer(ids["/parts"])),
        (world.service.bulk_reject, BulkReject(SuggestionFilter(record_id="a"), "other")),
    ]
    for number, (call, what) in enumerate(calls):
        done = run(call(ANN, what, once=once(f"k{number}")))
        told = world.types()
        assert run(call(ANN, what, once=once(f"k{number}"))) == done
        assert world.types() == told
    changed = ReviewSettings(own_proposals=False)
    for _ in range(2):
        assert run(world.service.update_settings(ANN, lambda _before: changed, once=once("s"))) == changed
    assert world.types().count("settings.changed") == 1
    world.check()


def test_another_request_under_the_same_key_is_refused(world):
    world.load(name="a")
    ids = world.ids("a")
    run(world.service.reject(ANN, Reject(ids["/tags"], "other"), once=once("k", "tags")))
    told = world.types()
    with pytest.raises(InputError) as caught:
        run(world.service.reject(ANN, Reject(ids["/finish"], "other"), once=once("k", "finish")))
    assert caught.value.code == "idempotency_key_reused"
    assert world.types() == told
    # Keys of another caller are another's.
    assert run(world.service.reject(BEN, Reject(ids["/finish"], "other"), once=once("k", "finish"))).revision == 1


def test_a_refusal_is_not_kept(world):
    world.load(name="a")
    world.defer_in("a", "/tags")
    again = Defer(world.ids("a")["/tags"])
    for _ in range(2):
        with pytest.raises(DecisionError):
            run(world.service.defer(ANN, again, once=once()))
    assert world.types()[-2:] == ["access.denied", "access.denied"]


def test_an_answer_is_kept_for_a_day(place, profile):
    clock = Hours()
    world = World(place.open().review, profile, clock)
    world.load(name="a")
    ids = world.ids("a")
    run(world.service.defer(ANN, Defer(ids["/tags"]), once=once()))
    clock.hours = 23
    run(world.service.defer(ANN, Defer(ids["/tags"]), once=once()))
    clock.hours = 25
    with pytest.raises(DecisionError):
        run(world.service.defer(ANN, Defer(ids["/tags"]), once=once()))


def test_of_many_that_send_the_same_at_once_all_get_one_answer(sql_place, profile):
    worlds = [World(sql_place.open().review, profile) for _ in range(2)]
    worlds[0].load(name="a")
    what = Reject(worlds[0].ids("a")["/tags"], "other")

    async def send():
        return await asyncio.gather(*(world.service.reject(ANN, what, once=once()) for world in worlds * 5))

    assert len({done.event_id for done in asyncio.run(send())}) == 1
    assert worlds[0].types().count("suggestion.rejected") == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "a b", "é", "a\n"])
def test_what_is_no_key_is_refused(key):
    with pytest.raises(InputError) as caught:
        Once.of(key)
    assert caught.value.code == "idempotency_key"


def test_parts_of_a_request_do_not_run_together():
    assert Once.of("k", "ab", "c") != Once.of("k", "a", "bc")
    assert Once.of("k", "a") == Once.of("k", b"a")


# Laws.

STEPS = st.lists(
    st.tuples(st.sampled_from(["page", "reject", "defer", "bulk", "load"]), st.integers(0, 40)), max_size=25
)


@given(STEPS, st.integers(1, 5))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_each_suggestion_comes_once_however_many_are_decided_meanwhile(profile, tmp_path_factory, steps, limit):
    store = open_store(str(tmp_path_factory.mktemp("law") / "s.db"))
    try:
        world = World(store.review, profile)
        for name in ("a", "b", "c"):
            world.load(name=name)
        waiting = {one.id for one in run(world.service.list_suggestions()).items}
        came, after, is_over = [], None, False
        for step, number in [*steps, *[("page", 0)] * 40]:
            if step == "page" and not is_over:
                page = run(world.service.list_suggestions(limit=limit, after=after))
                came += [one.id for one in page.items]
                after, is_over = page.next, page.next is None
            elif step != "page":
                gone = decide(world, step, number)
                waiting -= gone
            assert facets_are_exact(world)
        assert is_over
        assert max(Counter(came).values(), default=1) == 1
        # What was there from the beginning and waits to the end is never passed over.
        assert waiting <= set(came)
    finally:
        store.close()


def decide(world, step, number):
    """Do something; return the suggestions that do not wait any more."""
    found = run(world.service.list_suggestions()).items
    if step == "load":
        world.load(name=f"n{number}")
    elif found and step == "bulk":
        chosen = found[number % len(found)]
        run(world.service.bulk_reject(ANN, BulkReject(SuggestionFilter(record_id=chosen.record_id), "other")))
    elif found:
        chosen = found[number % len(found)]
        if step == "reject":
            run(world.service.reject(ANN, Reject(chosen.id, "other")))
        elif chosen.status is Status.OPEN:
            run(world.service.defer(ANN, Defer(chosen.id)))
    return {one.id for one in found} - {one.id for one in run(world.service.list_suggestions()).items}


WANTED = (
    SuggestionFilter(),
    SuggestionFilter(status=(Status.REJECTED, Status.OPEN), pointer="/tags"),
    SuggestionFilter(record_id="a", rule="required"),
    SuggestionFilter(newer_than=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=3)),
)


def facets_are_exact(world):
    """What a service keeps up with is what the rows say."""
    everything = run(world.store.look(lambda reader: reader.find_suggestions(SuggestionFilter(status=()), -1, 0)))
    sums = run(world.store.look(lambda reader: reader.count_suggestions(SuggestionFilter())))
    assert sums == Counter(one.status.value for one in everything)
    memory = MemoryStore().review
    run(memory.transact(lambda transaction: transaction.put_suggestions(everything)))
    for wanted in WANTED:
        found = run(world.service.facets(wanted))
        for facet in FACETS:
            told = run(memory.look(lambda reader, f=facet, w=wanted: reader.count_by(without_own(w, f), f)))
            assert getattr(found, facet) == ranked(told), (wanted, facet)
    return True


def test_the_most_frequent_values_stay_right_when_others_pass_them():
    class Reader:
        """Counts of records, which change one by one."""

        def __init__(self):
            self.at, self.counts, self.changes = 1, {f"r{n:02}": 5 for n in range(40)}, []

        def end(self):
            return self.at

        def count_by(self, _wanted, facet):
            return dict(self.counts) if facet == "record" else {}

        def count_changes(self, after):
            return self.changes[after - 1 :]

        def change(self, name, number):
            self.at += 1
            self.counts[name] = self.counts.get(name, 0) + number
            self.changes.append(CountChange(name, "/a", "r", "m", "open", "2026", number))

    reader, cache = Reader(), FacetCache()
    for number in range(400):
        reader.change(f"r{number * 7 % 45:02}", 1 if number % 3 else -1)
        assert cache.facets(reader, SuggestionFilter()).record == ranked(reader.counts)


class Hours:
    """A clock that a test sets."""

    hours = 0

    def now(self):
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=self.hours)
