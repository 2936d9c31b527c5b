"""What each act does to the record, to repair and synthesis, and to what is handed out; and what undoing gives back."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.contract.review_worlds import ANN, BEN, DOCUMENT, GUESSES, TEXT, World, load_profile, run
from veracord.audit.keys import SigningKey
from veracord.audit.verification import verify
from veracord.composer.repair import repair_record
from veracord.composer.synthesis import assembled_record
from veracord.errors import ConfigurationError, DecisionError, InputError
from veracord.records.evidence import EvidencePack
from veracord.records.reading import read_record
from veracord.records.values import digest
from veracord.review.decisions import BulkReject
from veracord.review.memory import MemoryReviewStore
from veracord.review.people import Service
from veracord.review.settings import ReviewSettings
from veracord.review.suggestions import Status, SuggestionFilter


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return load_profile(tmp_path_factory.mktemp("lamp"))


@pytest.fixture
def world(profile):
    world = World(MemoryReviewStore(), profile)
    world.load()
    return world


BARE = b'{"id": "L-1", "note": "another"}'


def evidence_of(exported):
    """What was handed out, as a source for another record."""
    item = {"id": "p", "content": read_record(exported.text).value, "origins": dict(exported.origins)}
    return EvidencePack.from_items([item])


def test_what_is_accepted_stands_in_the_text_and_is_unverified(world):
    world.accept("/mass_kg")
    record = world.record()
    assert record.text == TEXT.replace("-1.50", "5")
    assert record.origins == {"/mass_kg": "accepted_suggestion"}
    assert world.status("/mass_kg") == "accepted"
    event = world.events()[-1]
    assert event.data["value"] == 5
    assert (event.revision_before, event.revision_after, event.pointer) == (1, 2, "/mass_kg")
    world.check()


def test_every_leaf_of_what_is_accepted_is_unverified(world):
    world.accept("/parts")
    world.accept("/tags")
    assert world.record().origins == dict.fromkeys(["/parts/foot", "/parts/head", "/tags"], "accepted_suggestion")


def test_what_is_edited_is_as_unverified(world):
    world.edit("/finish", "gloss")
    assert world.record().origins == {"/finish": "accepted_suggestion"}
    event = world.events()[-1]
    assert (event.type, event.data["value"], event.data["edited"]) == ("suggestion.accepted", "gloss", True)
    assert event.data["suggestion_id"] == world.ids()["/finish"]


def test_for_repair_and_synthesis_it_is_as_if_nothing_were_there(world, profile):
    for pointer in GUESSES:
        world.accept(pointer)
    exported = world.export(include_unverified=True)["r1"]
    assert {at: exported.origins[at] for at in ("/mass_kg", "/finish")} == dict.fromkeys(
        ("/mass_kg", "/finish"), "accepted_suggestion"
    )
    absent = world.export()["r1"]
    document = read_record(BARE)
    results = [repair_record(profile, document, evidence_of(one)) for one in (exported, absent)]
    assert [result.fills for result in results] == [(), ()]
    assert results[0].record_text() == results[1].record_text() == BARE
    assert [row.path for row in results[0].unresolved] == [row.path for row in results[1].unresolved]
    for one in (exported, absent):
        assert assembled_record(profile, document, evidence_of(one)) is None


def test_a_clean_export_leaves_out_what_is_not_verified(world):
    for pointer in GUESSES:
        world.accept(pointer)
    clean = world.export()["r1"]
    assert clean.left_out == ("/finish", "/mass_kg", "/parts", "/tags")
    assert clean.text.decode() == (
        '{ "id":"L-1",\n  "note" : "r\\u00e9sine", "materials": [ {"name":"steel" , "share_pct": 6E+1} ]}\n'
    )
    assert clean.origins == {}
    assert world.events()[-1].data["include_unverified"] is False


def test_a_guess_that_comes_back_in_an_import_is_a_guess(world):
    world.accept("/finish")
    exported = world.export(include_unverified=True)["r1"]
    world.load(exported.text.decode(), {}, name="r2", by=Service("key"), origins={"/finish": "declared"})
    assert world.record("r2").origins == {"/finish": "suggestion_origin"}
    assert world.export()["r2"].left_out == ("/finish",)
    # The same record keeps what was decided about it.
    world.load(exported.text.decode(), {})
    assert world.record().origins == {"/finish": "accepted_suggestion"}
    assert world.status("/finish") == "accepted"


def test_an_edited_value_that_comes_back_in_an_import_is_a_guess(world):
    world.edit("/finish", "gloss")
    exported = json.loads(world.export(include_unverified=True)["r1"].text)
    world.load(json.dumps(exported), {}, name="r2")
    assert world.record("r2").origins == {"/finish": "suggestion_origin"}
    world.load(BARE.decode(), {}, {**exported, "note": "a data sheet"}, name="r3")
    assert "finish" not in json.loads(world.record("r3").text)
    # What is attached to the record where it was decided is another matter: then a source states it.
    world.attach({"id": "L-1", "finish": "gloss"})
    world.load(BARE.decode(), {}, {"id": "L-1", "finish": "gloss"}, name="r4")
    assert json.loads(world.record("r4").text)["finish"] == "gloss"


def test_an_edited_value_that_a_source_states_is_no_guess(profile):
    world = World(MemoryReviewStore(), profile)
    world.load(
        '{"id": "L-1", "mass_kg": "x"}',
        {"/finish": "matt"},
        {"id": "L-1", "finish": "gloss"},
        {"id": "L-1", "finish": "dull"},
    )
    world.edit("/finish", "gloss")
    world.load(BARE.decode(), {}, {"id": "L-1", "finish": "gloss"}, name="r2")
    assert json.loads(world.record("r2").text)["finish"] == "gloss"


def test_undoing_gives_back_the_text_and_the_candidates(world):
    done = world.accept("/finish")
    undone = world.undo(done)
    record = world.record()
    assert (record.text, record.origins, record.revision) == (TEXT, {}, undone.revision)
    assert world.status("/finish") == "open"
    assert run(world.service.list_suggestions(SuggestionFilter())).total == 4
    world.accept("/finish")
    assert world.types()[-3:] == ["suggestion.accepted", "decision.undone", "suggestion.accepted"]
    world.check()


def test_undoing_leaves_what_came_later(world):
    first = world.accept("/parts")
    world.accept("/finish")
    world.declare("/mass_kg", 7)
    world.undo(first)
    record = world.record()
    assert record.text == TEXT.replace("-1.50", "7").replace("6E+1} ]", '6E+1} ], "finish": "matt"')
    assert record.origins == {"/finish": "accepted_suggestion", "/mass_kg": "declared"}
    world.check()


def test_of_an_object_that_was_made_what_others_added_stays(profile):
    world = World(MemoryReviewStore(), profile)
    world.load('{"id": "L-1", "parts": {}}', {"/parts/head": "x", "/parts/foot": "y"})
    head = world.accept("/parts/head")
    world.accept("/parts/foot")
    world.undo(head)
    assert world.record().text == '{"id": "L-1", "parts": {"foot":"y"}}'
    world.check()


def test_an_item_of_a_guessed_array_stays_a_guess_when_the_other_is_undone(profile):
    world = World(MemoryReviewStore(), profile)
    world.load('{"id": "L-1", "tags": ["", ""]}', {"/tags/0": "a", "/tags/1": "b"})
    first = world.accept("/tags/0")
    world.accept("/tags/1")
    with pytest.raises(DecisionError):
        world.undo(first)
    assert world.record().origins == {"/tags": "accepted_suggestion"}
    assert world.export()["r1"].text == b'{"id": "L-1"}'


def test_attached_evidence_makes_an_ordinary_fill(world):
    accepted = world.accept("/finish")
    done = world.attach({"id": "L-1", "finish": "matt", "mass_kg": 7})
    assert done.fills == ("/finish", "/mass_kg")
    assert world.record().origins == {"/finish": "evidence", "/mass_kg": "evidence"}
    attached, *fills = world.events()[-3:]
    assert attached.type == "evidence.attached"
    (fill,) = fills[0].data["fills"]
    assert (fill["path"], fill["evidence_id"], fill["source_pointer"]) == ("/finish", "sheet", "/finish")
    assert fill["evidence_ref"] == attached.data["evidence_ref"]
    assert [world.status(at) for at in ("/finish", "/mass_kg", "/tags")] == ["withdrawn", "withdrawn", "open"]
    assert world.export()["r1"].left_out == ()
    with pytest.raises(DecisionError):
        world.undo(accepted)
    world.check()


def test_evidence_that_says_otherwise_replaces_what_was_accepted(world):
    world.accept("/finish")
    world.attach({"id": "L-1", "finish": "gloss"})
    assert world.record().value["finish"] == "gloss"
    assert world.record().origins == {"/finish": "evidence"}


def test_what_is_attached_and_says_nothing_changes_nothing(world):
    world.accept("/finish")
    for name, content in {"other": {"id": "L-2", "finish": "matt"}, "silent": {"id": "L-1"}}.items():
        assert world.attach(content, name=name).fills == ()
    assert world.record().origins == {"/finish": "accepted_suggestion"}


def test_a_guess_in_evidence_that_nobody_attached_is_no_evidence(world):
    world.accept("/finish")
    world.load(name="r2", guesses={}, texts=())
    run_import = world.load(TEXT, {}, {"id": "L-1", "finish": "matt"}, name="r2")
    assert run_import.fills == 0
    world.attach({"id": "L-1", "finish": "matt"})
    # Evidence supports it now, so that it is no guess any more, for this product.
    assert world.load(TEXT, {}, {"id": "L-1", "finish": "matt"}, name="r2").fills == 1


def test_a_guessed_key_of_a_row_supports_no_fill(profile):
    world = World(MemoryReviewStore(), profile)
    world.load('{"id": "L-1", "materials": [{"name": 1}]}', {"/materials/0/name": "steel"})
    world.accept("/materials/0/name")
    done = world.attach({"id": "L-1", "materials": [{"name": "steel", "share_pct": 60}]})
    assert done.fills == ()


def test_undoing_an_attachment_takes_its_fills_back(world):
    world.accept("/finish")
    before = world.record()
    done = world.attach({"id": "L-1", "finish": "matt", "mass_kg": 7})
    world.undo(done)
    record = world.record()
    assert (record.text, record.origins) == (before.text, before.origins)
    assert [world.status(at) for at in ("/finish", "/mass_kg")] == ["accepted", "open"]
    assert run(world.service.evidence("r1")) == []
    assert world.load(TEXT, {}, {"id": "L-1", "finish": "matt"}, name="r2").fills == 0
    world.check()


def test_what_was_rejected_is_not_suggested_again_until_that_is_undone(world):
    done = world.reject("/finish")
    assert world.load().created == 0
    assert world.status("/finish") == "rejected"
    world.load(name="r2")
    assert "/finish" not in world.ids("r2")
    world.undo(done)
    assert world.status("/finish") == "open"
    world.load(name="r2")
    assert world.status("/finish", "r2") == "open"


def test_a_refusal_that_another_record_shares_outlives_its_undoing(world):
    world.load(name="r2")
    done = world.reject("/finish")
    run(world.service.bulk_reject(ANN, BulkReject(SuggestionFilter(record_id="r2"), "other")))
    world.undo(done)
    world.load(name="r3")
    assert "/finish" not in world.ids("r3")


def test_bulk_rejection_tells_each_of_them(world):
    world.accept("/finish")
    assert (
        run(world.service.bulk_reject(BEN, BulkReject(SuggestionFilter(model="some-model"), "other", "all of it"))) == 3
    )
    assert [event.data["bulk"] for event in world.events()[-3:]] == [True] * 3
    assert [world.status(at) for at in GUESSES] == ["rejected", "accepted", "rejected", "rejected"]


def test_what_is_declared_is_handed_out_with_its_document_and_supports_nothing_else(world, profile):
    document = {"document": DOCUMENT, "document_digest": digest(DOCUMENT)}
    done = world.declare("/mass_kg", 5, quote="Mass: 5 kg", page="1", **document)
    exported = world.export()["r1"]
    assert exported.origins == {"/mass_kg": "declared"}
    assert exported.declarations["/mass_kg"] == {
        "document_digest": digest(DOCUMENT),
        "page": "1",
        "quote": "Mass: 5 kg",
        "quote_found": True,
        "event_id": done.event_id,
    }
    assert world.status("/mass_kg") == "withdrawn"
    assert repair_record(profile, read_record(BARE), evidence_of(exported)).fills == ()
    assert assembled_record(profile, read_record(BARE), evidence_of(exported)) is None
    world.undo(done)
    assert world.record().declarations == {}
    assert world.status("/mass_kg") == "open"


def test_a_declaration_that_was_replaced_comes_back_with_its_document(world):
    world.declare("/mass_kg", 5)
    told = world.record().declarations
    second = world.declare("/mass_kg", 6)
    world.undo(second)
    assert world.record().declarations == told


def test_evidence_grounds_what_was_accepted_also_where_nothing_must_stand(profile):
    world = World(MemoryReviewStore(), profile)
    world.load(TEXT.replace('"r\\u00e9sine"', "7"), {"/note": "a lamp", "/tags": ["a", "b"]})
    world.accept("/note")
    assert world.attach({"id": "L-1", "name": "L"}).fills == ()
    assert world.record().origins == {"/note": "accepted_suggestion"}
    done = world.attach({"id": "L-1", "note": "a lamp"}, name="other")
    assert done.fills == ("/note",)
    assert world.record().origins == {"/note": "evidence"}
    world.undo(done)
    assert world.record().origins == {"/note": "accepted_suggestion"}
    assert world.attach({"id": "L-1", "note": "a light"}, name="third").fills == ("/note",)
    world.check()


def test_a_decision_ends_the_other_candidates_and_undoing_brings_them_back(profile):
    world = World(MemoryReviewStore(), profile)
    world.load('{"id": "L-1", "parts": {}}', {"/parts/head": "x"})
    done = world.declare("/parts", {"head": "a", "foot": "b"})
    assert world.status("/parts/head") == "withdrawn"
    world.undo(done)
    assert world.status("/parts/head") == "open"


def test_a_record_that_comes_again_ends_what_is_not_suggested_again(world):
    world.defer("/tags")
    again = world.load(TEXT, {"/finish": "matt", "/tags": ["a", "b"], "/mass_kg": 6})
    assert (again.created, again.reopened) == (1, 0)
    assert [world.status(at) for at in ("/finish", "/tags", "/parts")] == ["open", "deferred", "withdrawn"]
    assert world.load().reopened == 2
    world.check()


def test_what_waits_goes_on_waiting_where_no_model_answered(world):
    world.defer("/tags")
    again = world.load(TEXT, None)
    assert (again.created, again.reopened) == (0, 0)
    assert [world.status(at) for at in ("/finish", "/tags", "/parts")] == ["open", "deferred", "open"]
    world.check()


def test_what_no_longer_fits_waits_no_longer_though_no_model_answered(world):
    world.load(TEXT, None, {"id": "L-1", "finish": "gloss"})
    assert [world.status(at) for at in ("/finish", "/tags")] == ["withdrawn", "open"]
    world.check()


def test_an_import_that_would_take_away_a_decision_is_refused(world):
    world.accept("/finish")
    world.declare("/mass_kg", 5)
    before = world.record()
    with pytest.raises(DecisionError) as refused:
        world.load(TEXT, None, drops=False)
    assert (refused.value.code, refused.value.details) == ("drops_decisions", {"pointers": ["/finish", "/mass_kg"]})
    assert world.record() == before
    assert world.events()[-1].data["pointers"] == ["/finish", "/mass_kg"]
    # As it was handed out it is welcome, and so it is by whoever says so.
    assert world.load(world.export(include_unverified=True)["r1"].text.decode(), None, drops=False).dropped == ()
    assert world.record().origins == before.origins
    assert world.load(TEXT, None).dropped == ("/finish", "/mass_kg")
    assert world.record().origins == {}
    world.check()


def test_what_was_attached_counts_when_the_record_comes_again(world):
    world.attach({"id": "L-1", "finish": "gloss"})
    again = world.load(TEXT, None, drops=False)
    assert (again.fills, world.record().origins) == (1, {"/finish": "evidence"})
    assert json.loads(world.record().text)["finish"] == "gloss"
    world.check()


def test_an_id_is_not_taken_over_by_another_product(world):
    world.declare("/mass_kg", 5)
    before = world.record()
    with pytest.raises(DecisionError) as refused:
        world.load(TEXT.replace("L-1", "L-2"), None)
    assert (refused.value.code, world.record()) == ("other_product", before)


def test_what_is_shown_before_deciding(world):
    world.load(TEXT, GUESSES, {"id": "L-1", "finish": "matt", "tags": []}, texts=["words"])
    shown = run(world.service.show(world.ids()["/tags"]))
    assert [(one.evidence_id, one.text) for one in shown.evidence] == [("e0", None), ("t0", "words")]
    assert [one.rule for one in shown.violations] == ["required"]
    assert (shown.suggestion.value, shown.cap, shown.pointer) == (["a", "b"], 0.3, "/tags")


def test_a_key_signs_every_thousand_events_and_at_each_export(profile, monkeypatch):
    monkeypatch.setattr("veracord.review.chronicle.CHECKPOINT_EVERY", 50)
    pytest.importorskip("cryptography")
    key, new = SigningKey.make(), SigningKey.make()
    world = World(MemoryReviewStore(), profile, key=key)
    world.load()
    world.export()
    run(world.service.checkpoint(ANN))
    with pytest.raises(DecisionError):
        run(world.service.rotate_key(BEN, new))
    run(world.service.rotate_key(ANN, new))
    saved = run(world.service.checkpoint(Service("cron")))
    world.load(guesses={"/finish": "matt"})
    report = verify(world.lines(), checkpoint=saved, keys=[key.public])
    assert (report.ok, report.checkpoints) == (True, 3)
    for _ in range(45):
        world.load(guesses={})
    assert verify(world.lines()).checkpoints == 4


def test_a_key_that_does_not_sign_this_log_signs_nothing_in_it(profile):
    pytest.importorskip("cryptography")
    key, new = SigningKey.make(), SigningKey.make()
    store = MemoryReviewStore()
    before, after = World(store, profile, key=key), World(store, profile, key=new)
    before.load()
    before.export()
    # Such as a server that was started before the key was changed, or a file that was named by mistake.
    for ask in (
        after.export,
        lambda: run(after.service.checkpoint(ANN)),
        lambda: run(after.service.rotate_key(ANN, key)),
    ):
        with pytest.raises(ConfigurationError) as caught:
            ask()
        assert caught.value.code == "wrong_key"
    run(before.service.rotate_key(ANN, new))
    after.export()
    old = World(store, profile, key=key)
    with pytest.raises(ConfigurationError):
        old.export()
    old.load(guesses={"/finish": {"type": "checkpoint.signed"}})
    after.export()
    assert verify(after.lines(), keys=[key.public]).ok


def test_settings_are_changed_one_by_one(world):
    run(world.service.change_settings(ANN, ReviewSettings(("/finish",))))
    found = run(world.service.update_settings(ANN, lambda before: replace(before, own_proposals=False)))
    assert found == run(world.service.settings()) == ReviewSettings(("/finish",), own_proposals=False)
    with pytest.raises(InputError):
        run(world.service.update_settings(ANN, lambda before: replace(before, second_person=("finish",))))
    with pytest.raises(DecisionError):
        run(world.service.update_settings(BEN, lambda before: before))


@pytest.mark.parametrize(
    "wanted",
    [
        *(SuggestionFilter(), SuggestionFilter(status=()), SuggestionFilter(pointer="")),
        SuggestionFilter(older_than=datetime(2999, 1, 1, tzinfo=UTC)),
    ],
    ids=["none", "all", "top", "future"],
)
def test_a_bulk_rejection_must_say_what_is_meant(world, wanted):
    with pytest.raises(DecisionError) as caught:
        run(world.service.bulk_reject(ANN, BulkReject(wanted, "other")))
    assert caught.value.code == "no_filter"
    assert world.events()[-1].data == {"action": "bulk_reject", "code": "no_filter"}


def test_a_bulk_rejection_of_what_is_decided_does_nothing(world):
    world.accept("/finish")
    accepted = SuggestionFilter(record_id="r1", status=(Status.ACCEPTED,))
    assert run(world.service.bulk_reject(ANN, BulkReject(accepted, "other"))) == 0
    world.defer("/tags")
    deferred = SuggestionFilter(status=(Status.ACCEPTED, Status.DEFERRED))
    assert run(world.service.bulk_reject(ANN, BulkReject(deferred, "other"))) == 1
    assert [world.status(at) for at in GUESSES] == ["open", "accepted", "rejected", "open"]


def test_without_a_key_nothing_is_signed(world):
    with pytest.raises(ConfigurationError) as caught:
        run(world.service.checkpoint(ANN))
    assert caught.value.code == "no_key"


ODD = {
    "escapes": "\x1b[2J\x1b]0;title\x07",
    "controls": "".join(map(chr, range(32))) + "\x7f\x85\u2028",
    "script": "<script>alert(1)</script>=cmd|' /C calc'!A0",
    "right to left": "\u202e\u05d0\u2066\u200f abc \U0001f469\u200d\U0001f680 e\u0301 \u00e9",
    "large": "0123456789" * 100_000,
    "quotes": "\"\\'`$(rm -rf /)\r\n",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_texts_are_kept_exactly(profile, tmp_path, text):
    from veracord.bootstrap.stores import open_store

    store = open_store(str(tmp_path / "store.db"))
    world = World(store.review, profile)
    world.load('{"id": "L-1"}', {"/finish": f"x{text}"}, {"id": "L-1", "note": text}, texts=[text])
    # A value may be as large as a record; what people say of it has limits, and a page is one line.
    said = text[:9_000]
    line = "".join(one for one in text if one > "\x1f")[:900]
    world.accept("/finish", reason=f"because {said}")
    world.declare("/note", text, page=f"p{line}", quote=f"q{said}", reason=f"r{said}")
    world.reject("/mass_kg", note=text) if "/mass_kg" in world.ids() else None
    assert world.record().value["finish"] == f"x{text}"
    assert world.record().value["note"] == text
    accepted, declared = world.events()[-2:]
    assert accepted.data["reason"] == f"because {said}"
    assert [declared.data[name] for name in ("page", "quote", "reason")] == [f"p{line}", f"q{said}", f"r{said}"]
    assert {one.item.text for one in run(world.service.evidence("r1"))} == {None, text}
    world.check()
    assert verify(world.lines()).ok
    store.close()


def test_members_with_odd_names_are_kept_and_undone(profile, tmp_path):
    from veracord.bootstrap.stores import open_store

    store = open_store(str(tmp_path / "store.db"))
    world = World(store.review, profile)
    text = '{"id": "L-1", "parts": {"a/b~\\u0000\\"": 1, "": {"": [ {"x" :1 } ]}, "head": 1}}'
    world.load(text, {"/parts/head": "h", "/parts/foot": "f"})
    head, foot = world.accept("/parts/head"), world.accept("/parts/foot")
    done = world.declare('/parts/a~1b~0\0"', "declared")
    world.undo(foot)
    world.undo(done)
    world.undo(head)
    assert world.record().text == text
    world.check()
    store.close()
