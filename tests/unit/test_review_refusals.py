"""Every refusal has its code, changes nothing, and is told in the log; none of them tells content."""

import pytest

from tests.contract.review_worlds import ANN, BEN, DOCUMENT, World, load_profile, run, suggestions
from veracord.errors import AccessError, DecisionError, InputError
from veracord.records.evidence import EvidencePack
from veracord.records.reading import read_record
from veracord.records.values import MISSING, digest
from veracord.review.decisions import Accept, Attach, BulkReject, Declare, Defer, Edit, Reject, Seen, Undo
from veracord.review.importing import Import
from veracord.review.memory import MemoryReviewStore
from veracord.review.people import Person, PipelineActor, Plugin, Service
from veracord.review.settings import ReviewSettings
from veracord.review.suggestions import SuggestionFilter
from veracord.review.written import (
    CODE,
    EVIDENCE_ID,
    MOST_CODES,
    MOST_PATTERNS,
    MOST_RANK,
    NOTE,
    PAGE,
    POINTER,
    QUOTE,
    REASON,
)
from veracord.web.schemas import components


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return load_profile(tmp_path_factory.mktemp("lamp"))


@pytest.fixture
def world(profile):
    world = World(MemoryReviewStore(), profile)
    world.load()
    return world


def refused(world, call, code, kind=DecisionError):
    """Whatever is refused leaves everything as it was, and one event more."""
    state = world.store._state  # noqa: SLF001 - all that it holds
    before = (dict(state.records), dict(state.suggestions), dict(state.evidence), dict(state.rejected))
    length = len(world.lines())
    with pytest.raises(kind) as caught:
        call()
    assert caught.value.code == code
    state = world.store._state  # noqa: SLF001 - the same
    assert (state.records, state.suggestions, state.evidence, state.rejected) == before
    events = world.events()
    assert len(events) == length + 1
    assert (events[-1].type, events[-1].data["code"]) == ("access.denied", code)
    assert "matt" not in str(caught.value)
    assert b"matt" not in world.lines()[-1]
    return caught.value, events[-1]


NOBODIES = [
    (None, "not_a_person", "unknown"),
    ("ann", "not_a_person", "unknown"),
    (Service("key-1"), "not_a_person", "key-1"),
    (Plugin("plug"), "not_a_person", "plug"),
    (PipelineActor("run-1"), "not_a_person", "run-1"),
    (Person("ann", "", "reviewer"), "not_signed_in", "ann"),
    (Person("ann", "said_so", "reviewer"), "not_signed_in", "ann"),
    (Person("", "terminal", "reviewer"), "not_signed_in", "unknown"),
    (Person("vi", "terminal", "viewer"), "not_allowed", "vi"),
]


@pytest.mark.parametrize(("who", "code", "name"), NOBODIES)
def test_nobody_else_takes_away_what_was_decided(world, who, code, name):
    world.accept("/finish")
    document = read_record(b'{"id": "L-1", "note": "typed", "mass_kg": -1}')
    asked = Import("r1", "lamp", document, EvidencePack(()), drops_decisions=True)
    _, event = refused(world, lambda: run(world.service.import_record(who, asked)), code, AccessError)
    assert event.actor.id == name
    if who is not None and not isinstance(who, str):
        assert event.data["action"] in ("drop_decisions", "import")


@pytest.mark.parametrize(("who", "code", "name"), NOBODIES)
def test_only_a_signed_in_person_with_a_role_decides(world, who, code, name):
    ids, seen = world.ids(), world.seen("/finish")
    (item,) = EvidencePack.from_items([{"id": "s", "content": {"id": "L-1", "finish": "matt"}}]).items
    accepted = world.accept("/mass_kg")
    service = world.service
    calls = {
        "accept": lambda: service.accept(who, Accept(ids["/finish"], "yes", seen)),
        "edit": lambda: service.edit(who, Edit(ids["/finish"], "x", "yes", seen)),
        "reject": lambda: service.reject(who, Reject(ids["/finish"], "other")),
        "defer": lambda: service.defer(who, Defer(ids["/finish"])),
        "declare": lambda: service.declare(
            who, Declare("r1", "/finish", "matt", digest(DOCUMENT), "1", "finish: matt", "yes", seen)
        ),
        "attach": lambda: service.attach(who, Attach("r1", item)),
        "undo": lambda: service.undo(who, Undo(accepted.event_id, "no")),
        "bulk_reject": lambda: service.bulk_reject(who, BulkReject(SuggestionFilter(), "other")),
        "change_settings": lambda: service.change_settings(who, ReviewSettings()),
    }
    for action, call in calls.items():
        _, event = refused(world, lambda call=call: run(call()), code, AccessError)
        assert (event.actor.id, event.data["action"]) == (name, action)


@pytest.mark.parametrize("who", [Service("key-1"), Plugin("plug"), PipelineActor("run-1")])
def test_programs_may_bring_in_and_hand_out(world, who):
    assert world.load(name="r2", by=who).created == 4
    assert run(world.service.export(who, ["r2"]))[0].record_id == "r2"
    assert world.events()[-1].actor.kind == ("pipeline" if type(who) is PipelineActor else type(who).__name__.lower())


def test_nobody_that_is_known_brings_nothing_in(world):
    asked = Import("r2", "lamp", read_record(b"{}"), EvidencePack())
    refused(world, lambda: run(world.service.import_record(None, asked)), "not_a_person", AccessError)


@pytest.mark.parametrize("reason", ["", " ", "\n\t", "\u200b", "\u2800\u3164\ufe0f"])
def test_nothing_is_decided_without_a_reason(world, reason):
    done = world.accept("/mass_kg")
    refused(world, lambda: world.accept("/finish", reason=reason), "reason_missing")
    refused(world, lambda: world.edit("/finish", "x", reason=reason), "reason_missing")
    refused(world, lambda: world.undo(done, reason=reason), "reason_missing")
    for member in ("reason", "page", "quote"):
        refused(world, lambda member=member: world.declare("/finish", "x", **{member: reason}), "reason_missing")
    refused(world, lambda: world.reject("/finish", code=reason), "reason_missing")


def test_what_is_written_has_limits(world):
    """Whoever calls: the page, the API and the command line all come through here."""
    done = world.accept("/mass_kg")
    long = "x" * 10_001
    refused(world, lambda: world.accept("/finish", reason=long), "text_too_long")
    refused(world, lambda: world.edit("/finish", "x", reason=long), "text_too_long")
    refused(world, lambda: world.undo(done, reason=long), "text_too_long")
    refused(world, lambda: world.reject("/finish", note=long), "text_too_long")
    refused(world, lambda: run(world.service.defer(ANN, Defer(world.ids()["/finish"], long))), "text_too_long")
    for member, most in (("reason", 10_000), ("page", 1_000), ("quote", 100_000)):
        refused(world, lambda told={member: "x" * (most + 1)}: world.declare("/finish", "x", **told), "text_too_long")
    refused(world, lambda: world.declare("/finish", "x", page="1\r\n2"), "value_invalid")
    refused(world, lambda: world.reject("/finish", note="\udcff"), "value_invalid")
    assert world.accept("/finish", reason=long[1:]).revision


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ({"id": "a\r\nb", "text": "t"}, "evidence_name"),
        ({"id": "\u200b", "text": "t"}, "evidence_name"),
        ({"id": "n" * 501, "text": "t"}, "evidence_name"),
        ({"id": "a", "text": "t", "rank": 10**20}, "evidence_rank"),
        ({"id": "a", "content": [1]}, "evidence_content"),
        ({"id": "a", "content": None}, "evidence_content"),
    ],
)
def test_a_source_that_is_attached_has_a_name_a_rank_and_one_object(world, item, code):
    (source,) = EvidencePack.from_items([item]).items
    refused(world, lambda: run(world.service.attach(ANN, Attach("r1", source))), code)
    with pytest.raises(DecisionError) as caught:
        run(world.service.attach(ANN, Attach("r1", source)))
    assert caught.value.where.startswith("evidence/")
    assert caught.value.remedy


def test_the_api_names_the_limits_of_the_services():
    forms = components()
    for form, kind in (
        (forms["Reason"], REASON),
        (forms["Reason"], NOTE),
        (forms["Reject"]["properties"]["code"], CODE),
        (forms["RejectAll"]["properties"]["code"], CODE),
        (forms["SettingsChange"]["properties"]["reject_reasons"]["items"], CODE),
        (forms["Declare"]["properties"]["page"], PAGE),
        (forms["Declare"]["properties"]["quote"], QUOTE),
        (forms["Pointer"], POINTER),
        (forms["EvidenceItem"]["properties"]["id"], EVIDENCE_ID),
    ):
        assert (form["maxLength"], form.get("pattern", "").startswith("^[^")) == (kind.most, kind.is_line), kind
    assert forms["SettingsChange"]["properties"]["second_person"]["maxItems"] == MOST_PATTERNS
    assert forms["SettingsChange"]["properties"]["reject_reasons"]["maxItems"] == MOST_CODES
    assert forms["EvidenceItem"]["properties"]["rank"]["maximum"] == MOST_RANK


def test_a_reason_code_is_one_of_the_store(world):
    refused(world, lambda: world.reject("/finish", code="because"), "reason_unknown")


@pytest.mark.parametrize(
    "decide", ["accept", "reject", "defer", lambda world: world.edit("/finish", "x")], ids=["a", "r", "d", "e"]
)
@pytest.mark.parametrize("first", ["accept", "reject"])
def test_what_is_decided_is_not_decided_again(world, first, decide):
    getattr(world, first)("/finish")
    act = decide if callable(decide) else lambda world: getattr(world, decide)("/finish")
    refused(world, lambda: act(world), "already_decided")


def test_a_value_that_changed_since_it_was_seen(world):
    seen = world.seen("/finish")
    world.declare("/finish", "gloss", document_digest=digest(DOCUMENT))
    world.undo(world.events()[-1].id)
    world.load('{"id": "L-1", "finish": ""}', {"/finish": "matt"})
    error, _ = refused(world, lambda: world.accept("/finish", seen=seen), "changed_underneath")
    assert (error.change.then, error.change.now, error.change.revision) == (MISSING, "", 4)


def test_another_place_that_changed_since_does_not_matter(world):
    seen = world.seen("/finish")
    world.accept("/mass_kg")
    assert world.accept("/finish", seen=seen).revision == 3


def test_a_violation_that_changed_since_it_was_seen(world):
    seen = world.seen("/parts")
    world.load('{"id": "L-1", "parts": {"head": "x"}}', {"/parts/foot": "y"})
    error, _ = refused(
        world,
        lambda: run(world.service.accept(ANN, Accept(world.ids()["/parts/foot"], "so", seen))),
        "changed_underneath",
    )
    assert error.change.now is MISSING


@pytest.mark.parametrize("revision", [0, -1, 2, 10**9])
def test_a_revision_that_there_is_not(world, revision):
    seen = Seen(revision, world.seen("/finish").value_hash)
    refused(world, lambda: world.accept("/finish", seen=seen), "changed_underneath")


def test_own_proposals_where_the_setting_forbids_them(world):
    run(world.service.change_settings(ANN, ReviewSettings(own_proposals=False)))
    refused(world, lambda: world.accept("/finish", by=ANN), "own_proposal", AccessError)
    refused(world, lambda: world.edit("/finish", "x", by=ANN), "own_proposal", AccessError)
    world.accept("/finish", by=BEN)
    assert "own_proposal" not in world.events()[-1].data


def test_own_proposals_are_told_where_they_are_allowed(world):
    world.accept("/finish", by=ANN)
    assert world.events()[-1].data["own_proposal"] is True


def test_a_second_person_must_do_the_same(world):
    run(world.service.change_settings(ANN, ReviewSettings(("/finish", "/parts/head"))))
    for pointer in ("/finish", "/parts"):
        before = world.record()
        assert world.accept(pointer, by=ANN).awaits_second
        assert world.record() == before
        assert world.status(pointer) == "deferred"
        refused(world, lambda pointer=pointer: world.accept(pointer, by=ANN), "second_person_required", AccessError)
        assert not world.accept(pointer, by=BEN).awaits_second
        assert world.events()[-1].data["first_person"] == "ann"
    assert not world.accept("/mass_kg", by=ANN).awaits_second
    world.check()


def test_a_second_person_who_wants_another_value_is_a_first_one(world):
    run(world.service.change_settings(ANN, ReviewSettings(("/finish",))))
    world.accept("/finish", by=ANN)
    assert world.edit("/finish", "gloss", by=BEN).awaits_second
    done = world.edit("/finish", "gloss", by=ANN)
    assert (done.awaits_second, world.record().value["finish"]) == (False, "gloss")


def test_a_declaration_waits_for_its_second_person(world):
    run(world.service.change_settings(ANN, ReviewSettings(("/finish",), own_proposals=False)))
    first = world.declare("/finish", "gloss")
    assert first.awaits_second
    assert "finish" not in world.record().value
    refused(world, lambda: world.declare("/finish", "gloss"), "second_person_required", AccessError)
    world.undo(first)
    assert world.declare("/finish", "gloss").awaits_second
    assert not world.declare("/finish", "gloss", by=BEN).awaits_second
    assert world.record().origins["/finish"] == "declared"
    world.check()


def test_what_there_is_not(world):
    service, seen = world.service, Seen(1, "sha256:" + "0" * 64)
    refused(world, lambda: run(service.accept(ANN, Accept("x" * 70, "so", seen))), "unknown_suggestion")
    refused(world, lambda: run(service.reject(ANN, Reject("\ud800", "other"))), "unknown_suggestion")
    refused(world, lambda: world.undo("nothing"), "unknown_event")
    (item,) = EvidencePack.from_items([{"id": "s", "text": "t"}]).items
    refused(world, lambda: run(service.attach(ANN, Attach("r9", item))), "unknown_record")


@pytest.mark.parametrize(
    ("pointer", "value"),
    [("/mass_kg", -1), ("/mass_kg", "5"), ("/tags/0", "x"), ("", []), ("mass", 1), ("/x", 1), ("/parts", {"head": 1})],
)
def test_a_value_that_cannot_stand_there(world, pointer, value):
    seen = Seen(1, world.seen(pointer if pointer.startswith("/") or not pointer else "/x").value_hash)
    refused(world, lambda: world.declare(pointer, value, seen=seen), "value_invalid")


def test_a_value_that_is_no_json(world):
    for value in (float("nan"), {1: 2}, "\ud800", object()):
        refused(world, lambda value=value: world.edit("/finish", value), "value_invalid")
    refused(world, lambda: world.accept("/finish", reason="\ud800"), "value_invalid")


def test_an_item_of_an_array_is_not_declared_alone(world):
    world.accept("/tags")
    refused(world, lambda: world.declare("/tags/1", "b"), "value_invalid")


def test_a_document_is_the_one_that_is_meant_and_holds_the_quote(world):
    right = {"document": DOCUMENT, "document_digest": digest(DOCUMENT)}
    refused(world, lambda: world.declare("/mass_kg", 5, document=DOCUMENT), "document_mismatch")
    refused(world, lambda: world.declare("/mass_kg", 5, document_digest="5"), "document_mismatch")
    refused(world, lambda: world.declare("/mass_kg", 5, quote="Mass: 6 kg", **right), "quote_not_found")
    world.declare("/mass_kg", 5, quote="Mass:  5\nkg", **right)
    assert world.record().declarations["/mass_kg"]["quote_found"] is True
    scan = b"\xff\xd8\xff\x00scan"
    world.declare("/finish", "matt", document=scan, document_digest=digest(scan))
    assert world.record().declarations["/finish"]["quote_found"] is None


def test_a_quote_is_looked_for_in_evidence_that_is_this_document(world):
    world.load("{}", {}, texts=[DOCUMENT.decode()])
    refused(
        world, lambda: world.declare("/mass_kg", 5, document_digest=digest(DOCUMENT), quote="no"), "quote_not_found"
    )


@pytest.mark.parametrize("kind", ["import", "undone", "undo"])
def test_what_cannot_be_undone(world, kind):
    done = world.accept("/finish")
    undone = world.undo(done)
    event = {"import": world.events()[0].id, "undone": done.event_id, "undo": undone.event_id}[kind]
    refused(world, lambda: world.undo(event), "cannot_undo")


def test_what_was_decided_again_since_is_not_undone(world):
    done = world.accept("/finish")
    world.declare("/finish", "gloss")
    refused(world, lambda: world.undo(done), "cannot_undo")


def test_evidence_with_the_id_of_other_evidence(world):
    world.attach({"id": "L-1", "note": "a"})
    refused(world, lambda: world.attach({"id": "L-1", "note": "a"}), "already_decided")
    refused(world, lambda: world.attach({"id": "L-1", "note": "b"}), "value_invalid")


def test_a_profile_that_is_not_what_it_was(world, tmp_path):
    (tmp_path / "other").mkdir()
    other = load_profile(tmp_path / "other")
    changed = World(world.store, other.with_identity([["/note"]]))
    ids, seen = world.ids(), Seen(1, "sha256:" + "0" * 64)
    refused(world, lambda: run(changed.service.accept(ANN, Accept(ids["/finish"], "so", seen))), "profile_changed")


def test_origins_that_are_none(world):
    for origins in ({"mass": "evidence"}, {"/mass_kg": "heaven"}):
        asked = Import("r1", "lamp", read_record(b"{}"), EvidencePack(), origins)
        with pytest.raises(DecisionError) as caught:
            run(world.service.import_record(ANN, asked))
        assert caught.value.code == "value_invalid"


def test_settings_that_are_none(world):
    for wrong in (ReviewSettings(("x",)), ReviewSettings(reject_reasons=())):
        with pytest.raises(InputError):
            run(world.service.change_settings(ANN, wrong))
    for wrong in (
        ReviewSettings(reject_reasons=("\u200b",)),
        ReviewSettings(reject_reasons=("a\nb",)),
        ReviewSettings(reject_reasons=("x" * 201,)),
        ReviewSettings(reject_reasons=tuple(map(str, range(101)))),
        ReviewSettings(tuple(f"/{number}" for number in range(1001))),
    ):
        with pytest.raises(DecisionError) as caught:
            run(world.service.change_settings(ANN, wrong))
        assert caught.value.code in ("review_settings", "reason_missing", "value_invalid", "text_too_long")
    assert run(world.service.settings()) == ReviewSettings()


def test_suggestions_that_nobody_may_make_are_not_kept(world):
    asked = Import(
        "r3",
        "lamp",
        read_record(b'{"finish": ""}'),
        EvidencePack(),
        {},
        suggestions({"/id": "L-1", "/x": 1, "/finish": ""}),
    )
    assert run(world.service.import_record(ANN, asked)).created == 0
