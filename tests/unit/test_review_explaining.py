"""What is told of a place: which event stands behind each leaf, and which events are about it."""

import pytest

from tests.contract.review_worlds import ANN, BEN, GUESSES, TEXT, World, load_profile, run
from veracord.apps.account_reports import account_text
from veracord.apps.rendering import Look
from veracord.apps.review_reports import list_text, place_text
from veracord.errors import InputError
from veracord.records.pointers import join
from veracord.records.values import leaves
from veracord.reports.accounts import account_report
from veracord.reports.places import place_report
from veracord.reports.suggestions import list_report
from veracord.review.memory import MemoryReviewStore
from veracord.review.settings import ReviewSettings


@pytest.fixture
def world(tmp_path):
    world = World(MemoryReviewStore(), load_profile(tmp_path))
    world.load(TEXT, GUESSES, texts=["words"])
    return world


def told(world, pointer):
    return run(world.service.explain("r1", pointer))


def kinds(account):
    return [event.type.value for event in account.history]


def test_an_item_of_a_plain_array_is_told_as_the_array(world):
    done = world.accept("/tags")
    account = told(world, "/tags/1")
    (leaf,) = account.leaves
    assert (account.value, leaf.pointer, leaf.value, leaf.event.id) == ("b", "/tags", ["a", "b"], done.event_id)
    assert (account.origin, leaf.suggestion.pointer) == ("accepted_suggestion", "/tags")
    assert kinds(account)[-1] == "suggestion.accepted"


def test_a_leaf_of_an_accepted_object_names_the_decision_about_the_object(world):
    done = world.accept("/parts", by=BEN, reason="both")
    account = told(world, "/parts/head")
    (leaf,) = account.leaves
    assert (leaf.value, leaf.event.id, leaf.event.actor.id) == ("x", done.event_id, "ben")
    assert [one.pointer for one in told(world, "/parts").leaves] == ["/parts/head", "/parts/foot"]
    world.declare("/parts/head", "lens")
    assert [one.origin for one in told(world, "/parts").leaves] == ["declared", "accepted_suggestion"]
    assert told(world, "/parts").origin == "several"
    assert told(world, "/parts/foot").leaves[0].event.id == done.event_id


def test_the_first_of_two_persons_is_told(world):
    run(world.service.change_settings(ANN, ReviewSettings(("/finish",))))
    world.accept("/finish", by=ANN)
    account = told(world, "/finish")
    assert (account.origin, account.suggestions[0].first.person_id) == ("open", "ann")
    assert account.history[-1].data["awaits_second"] is True
    world.accept("/finish", by=BEN)
    (leaf,) = told(world, "/finish").leaves
    assert (leaf.event.actor.id, leaf.event.data["first_person"]) == ("ben", "ann")


def test_refusals_about_the_place_are_told_and_others_are_not(world):
    for pointer in ("/finish", "/mass_kg"):
        with pytest.raises(Exception, match="reason"):
            world.accept(pointer, reason="")
    world.export()
    account = told(world, "/finish")
    assert kinds(account) == ["record.imported", "suggestion.created", "access.denied"]
    assert {event.pointer for event in account.history} == {None, "/finish"}
    assert kinds(told(world, "")).count("access.denied") == 2


def test_where_nothing_stands_what_is_required_around_it_is_told(world):
    account = told(world, "/parts/head")
    assert (account.origin, [row["path"] for row in account.violations]) == ("open", ["/parts"])
    assert account.violations[0]["outcome"] == "no_source"
    for pointer in ("/nothing", "/note/deeper", "/materials/0/name/x", "/materials/7"):
        with pytest.raises(InputError) as caught:
            told(world, pointer)
        assert caught.value.code == "no_such_place", pointer


def test_every_place_of_a_record_can_be_told_whatever_happened_to_it(world):
    world.accept("/parts")
    world.edit("/finish", "gloss")
    world.declare("/mass_kg", 5)
    done = world.attach({"id": "L-1", "tags": ["c", "d"], "finish": "matt"})
    for act in (lambda: world.undo(done), lambda: world.reject("/tags"), lambda: None):
        record = world.record()
        for at, value in leaves(record.value):
            account = told(world, join(at))
            origin = record.origins.get(join(at), "input")
            assert (account.origin, account.value) == (origin, value)
            assert (
                account.leaves[0].event.type.value
                == {
                    "input": "record.imported",
                    "evidence": "fill.applied",
                    "accepted_suggestion": "suggestion.accepted",
                    "declared": "value.declared",
                }[origin]
            )
            assert (account.leaves[0].fill is not None) == (origin == "evidence")
        act()


def test_fills_that_went_with_an_attachment_are_taken_back_with_it(world):
    world.accept("/finish")
    done = world.attach({"id": "L-1", "finish": "matt"})
    assert told(world, "/finish").undone == frozenset()
    undone = world.undo(done)
    account = told(world, "/finish")
    back = [event.type.value for event in account.history if event.id in account.undone]
    assert back == ["evidence.attached", "fill.applied"]
    assert undone.event_id not in account.undone
    rows = account_report(account)["history"]
    assert [row["type"] for row in rows if row["undone"]] == back
    text = account_text(account_report(account), Look())
    assert text.count("(taken back since)") == 2
    assert done.event_id[:12] in text


def test_what_a_changed_profile_hides_is_not_claimed(world):
    report = account_report(told(world, "/finish"))
    assert "no rule asks for it" not in account_text(report, Look())
    unknown = {**report, "violations": None, "origin": "absent"}
    assert "no rule asks for it" not in account_text(unknown, Look())
    assert "no rule asks for it" in account_text({**unknown, "violations": []}, Look())


def test_who_waits_for_a_second_person_is_shown(world):
    run(world.service.change_settings(ANN, ReviewSettings(("/finish", "/tags"))))
    world.accept("/finish", by=BEN)
    world.declare("/tags", ["c", "d"])
    for pointer, name in {"/finish": "ben", "/tags": "ann"}.items():
        text = account_text(account_report(told(world, pointer)), Look())
        assert f"deferred; {name} did the first of two acts" in text
    shown = place_text(place_report(run(world.service.show(world.ids()["/finish"]))), Look())
    assert "ben did the first of two acts" in shown
    listed = list_text(list_report(run(world.service.list_suggestions())), Look())
    assert "(a declaration)" in listed
    assert "ann did the first of two acts" in listed


def test_a_record_without_identity_is_warned_of(world):
    assert place_report(run(world.service.show_place("r1", "/finish")))["warnings"] == []
    world.load('{"note": "n"}', {"/finish": "matt"}, name="r2")
    for shown in (world.service.show(world.ids("r2")["/finish"]), world.service.show_place("r2", "/finish")):
        report = place_report(run(shown))
        assert [one["code"] for one in report["warnings"]] == ["no_identity"]
        assert "cannot be recognised" in place_text(report, Look())
