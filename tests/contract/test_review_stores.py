"""What every store of reviews keeps: one suite over memory, SQLite and PostgreSQL."""

import asyncio
from datetime import UTC, datetime

import pytest

from tests.contract.review_worlds import ANN, BEN, GUESSES, TEXT, World, load_profile, run
from veracord.audit.verification import verify
from veracord.bootstrap.run_lookups import RunLookup, copy_store
from veracord.bootstrap.stores import open_store
from veracord.errors import ConfigurationError, DecisionError, InputError, StorageError
from veracord.review.decisions import Accept
from veracord.review.settings import ReviewSettings
from veracord.review.suggestions import Status, SuggestionFilter


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return load_profile(tmp_path_factory.mktemp("lamp"))


@pytest.fixture
def world(place, profile):
    return World(place.open().review, profile)


def test_a_record_keeps_its_text_and_gets_its_fills(world):
    done = world.load(TEXT, {}, {"id": "L-1", "mass_kg": 7, "finish": "matt"})
    assert done.fills == 2
    record = world.record()
    assert record.text == TEXT.replace("-1.50", "7").replace("6E+1} ]", '6E+1} ], "finish": "matt"')
    assert record.origins == {"/finish": "evidence", "/mass_kg": "evidence"}
    assert record.revision == 3
    assert world.types() == ["record.imported", "fill.applied", "fill.applied"]
    world.check()


def test_suggestions_are_listed_with_counts(world):
    world.load()
    world.load(name="r2", guesses={"/finish": "gloss"})
    world.reject("/mass_kg")
    world.defer("/finish")
    page = run(world.service.list_suggestions(SuggestionFilter(record_id="r1")))
    assert {one.pointer for one in page.items} == {"/finish", "/tags", "/parts"}
    assert page.counts == {"rejected": 1, "deferred": 1, "open": 2}
    assert page.total == 3

    def count(**wanted):
        return run(world.service.list_suggestions(SuggestionFilter(status=(), **wanted))).total

    assert [count(), count(pointer="/finish"), count(pointer="/fin"), count(rule="required")] == [5, 2, 0, 4]
    assert [count(model="some-model"), count(model="other"), count(record_id="r\0")] == [5, 0, 0]
    assert [count(older_than=datetime(year, 1, 1, tzinfo=UTC)) for year in (2026, 2027)] == [0, 5]
    first = run(world.service.list_suggestions(SuggestionFilter(status=()), limit=1, offset=1))
    assert (len(first.items), first.total) == (1, 5)
    assert page.items[0].model == "some-model"


def test_a_decision_that_is_refused_changes_nothing_and_is_told(world):
    world.load()
    before = world.record()
    with pytest.raises(DecisionError) as caught:
        world.accept("/mass_kg", reason=" ")
    assert caught.value.code == "reason_missing"
    assert world.record() == before
    assert world.types()[-1] == "access.denied"
    world.check()


def test_a_walk_through_every_act(world):
    world.load(TEXT, GUESSES, {"id": "L-1", "note": "n"})
    accepted = world.accept("/finish")
    declared = world.declare("/mass_kg", 7)
    rejected = world.reject("/parts")
    attached = world.attach({"id": "L-1", "tags": ["a", "c"], "finish": "matt"})
    assert world.check()["r1"].origins == {"/finish": "evidence", "/mass_kg": "declared", "/tags": "evidence"}
    for done in (attached, rejected, declared, accepted):
        world.undo(done)
    record = world.check()["r1"]
    assert (record.text, record.origins, record.declarations) == (TEXT, {}, {})
    assert {world.status(at) for at in GUESSES} == {"open"}
    assert world.types().count("decision.undone") == 4
    assert verify(world.lines()).ok


def test_what_raises_in_the_middle_leaves_nothing(world):
    world.load()
    length = len(world.lines())

    def work(transaction):
        transaction.head()
        transaction.put_settings(ReviewSettings(own_proposals=False))
        raise InputError("stop", code="stop")

    with pytest.raises(InputError):
        run(world.store.transact(work))
    assert run(world.service.settings()) == ReviewSettings()
    assert len(world.lines()) == length


def test_evidence_comes_back_as_it_was(world):
    world.load(TEXT, {}, {"id": "L-1", "finish": "1.0"}, {"id": "L-2"}, texts=["a \0 b"])
    found = {one.item.id: one.item for one in run(world.service.evidence("r1"))}
    assert found.keys() == {"e0", "t0"}
    assert found["t0"].text == "a \0 b"
    assert found["e0"].content == {"id": "L-1", "finish": "1.0"}
    assert run(world.service.resolve_evidence(found["e0"].evidence_ref)).content == found["e0"].content
    for ref in ("sha256:" + "0" * 64, "\0", "\ud800"):
        with pytest.raises(InputError) as caught:
            run(world.service.resolve_evidence(ref))
        assert caught.value.code == "unresolved_reference"


def test_a_filter_that_is_none_is_refused():
    for wrong in ({"pointer": "x"}, {"older_than": datetime(2026, 1, 1)}):  # noqa: DTZ001 - that is what is wrong
        with pytest.raises(InputError):
            SuggestionFilter(**wrong)


def test_settings_are_the_store_s_and_their_change_is_told(world):
    strict = ReviewSettings(("/mass_kg",), own_proposals=False, reject_reasons=("no",))
    with pytest.raises(DecisionError) as caught:
        run(world.service.change_settings(BEN, strict))
    assert caught.value.code == "not_allowed"
    run(world.service.change_settings(ANN, strict))
    assert run(world.service.settings()) == strict
    assert world.types() == ["access.denied", "settings.changed"]


def test_records_are_read_in_pages(world):
    for name in ("b", "a", "C", "é", "d"):
        world.load(name=name, guesses={})
    first = run(world.service.records(limit=2))
    rest = run(world.service.records(after=first[-1].record_id))
    assert [one.record_id for one in (*first, *rest)] == ["C", "a", "b", "d", "é"]


def test_ids_that_no_store_could_keep_are_nobody_s(world):
    for name in ("", "a\0", "x" * 501, "\ud800"):
        with pytest.raises(InputError):
            world.load(name=name)
    for name in ("\0", "\ud800", "nobody"):
        with pytest.raises(DecisionError) as caught:
            run(world.service.record(name))
        assert caught.value.code == "unknown_record"
        with pytest.raises(DecisionError):
            run(world.service.show(name))
        with pytest.raises(DecisionError):
            world.undo(name)
    world.check()


def test_another_process_sees_it(sql_place, profile):
    first = World(sql_place.open().review, profile)
    first.load()
    second = World(sql_place.open().review, profile)
    done = second.accept("/finish")
    assert first.record().revision == done.revision == 2
    with pytest.raises(DecisionError) as caught:
        first.accept("/finish")
    assert caught.value.code == "already_decided"
    assert first.check() == second.check()


def test_two_that_write_at_once_make_one_chain(sql_place, profile):
    worlds = [World(sql_place.open().review, profile) for _ in range(3)]

    async def write(world, who):
        for number in range(8):
            await world.service.log_export(ANN, f"{who}-{number}")

    async def all_of_them():
        await asyncio.gather(*(write(world, who) for who, world in enumerate(worlds)))

    run(all_of_them())
    lines = worlds[0].lines()
    assert len(lines) == 24
    assert verify(lines).ok


def test_only_one_of_two_decisions_at_once_holds(sql_place, profile):
    worlds = [World(sql_place.open().review, profile) for _ in range(2)]
    worlds[0].load()
    ask = Accept(worlds[0].ids()["/finish"], "so it is", worlds[0].seen("/finish"))

    async def both():
        return await asyncio.gather(*(world.service.accept(ANN, ask) for world in worlds), return_exceptions=True)

    ended = run(both())
    assert sorted(getattr(one, "code", "done") for one in ended) == ["already_decided", "done"]
    worlds[0].check()


def test_it_goes_along_when_a_store_is_copied_and_stays_when_runs_go(sql_place, profile, tmp_path):
    world = World(sql_place.open().review, profile)
    world.load(TEXT, GUESSES, {"id": "L-1", "note": "n"})
    world.accept("/finish")
    with RunLookup(sql_place.url) as lookup:
        assert lookup.remove(0, None, is_dry=False) == []
    assert sql_place.count("audit_events") == len(world.lines())
    told = copy_store(sql_place.url, str(tmp_path / "copy.db"))
    assert told["rows"]["audit_events"] == len(world.lines())
    store = open_store(str(tmp_path / "copy.db"))
    copied = World(store.review, profile)
    assert copied.lines() == world.lines()
    assert copied.check() == world.check()
    copied.accept("/mass_kg")
    copied.check()
    store.close()
    with pytest.raises(ConfigurationError):
        copy_store(str(tmp_path / "copy.db"), sql_place.url)


def test_evidence_that_was_changed_in_the_database_is_seen(sql_place, profile):
    world = World(sql_place.open().review, profile)
    world.load(TEXT, {}, {"id": "L-1", "finish": "matt"})
    sql_place.change("UPDATE evidence_bodies SET body = replace(body, 'matt', 'gold')")
    (kept,) = run(world.service.evidence("r1"))
    with pytest.raises(StorageError) as caught:
        _ = kept.item
    assert caught.value.code == "evidence_damaged"


def test_statuses_are_the_closed_set():
    assert [one.value for one in Status] == ["open", "accepted", "rejected", "deferred", "withdrawn"]
