"""Synthesis: assembly first, at most two requests, and a record only if every leaf is grounded."""

import asyncio
import contextlib
import json
from decimal import Decimal

import pytest

from tests.unit.synthesis_worlds import FULL, PROFILE, SEED, changed, pack_of
from veracord import RecordComposer
from veracord.composer.synthesis import synthesis_binding
from veracord.composer.synthesis_cases import SynthesisCase
from veracord.errors import (
    EXIT_CODES,
    ModelCeilingError,
    ModelOutputError,
    ModelRefusedError,
    ModelTruncatedError,
    ModelUnavailableError,
    RecordGenerationError,
    RunFailedError,
    RunInterruptedError,
    exit_code,
)
from veracord.pipeline import AsyncPipeline, Outcome, Unit
from veracord.ports import Finish, Response
from veracord.records.matching import EvidenceIndex
from veracord.records.reading import Document
from veracord.records.values import canonical, digest
from veracord.records.writing import write_json
from veracord.testing import MemoryStore, ScriptedModel

RECORD = {**FULL, "dpp_id": "DPP-99"}
ROWS = [{"name": "tin"}, {"name": "zinc"}]


def text(record):
    return write_json(record).decode()


def synthesize(seed, pack, answers=None, **options):
    """Return the result and the model that was asked."""
    model = None if answers is None else ScriptedModel(answers)
    with RecordComposer(PROFILE, model) as composer:
        return composer.synthesize(seed, pack, **options), model


def refused(seed, pack, answers=None, **options):
    """Return the rows of the error, as (path, rule), and the requests that a model was sent."""
    model = None if answers is None else ScriptedModel(answers)
    with RecordComposer(PROFILE, model) as composer, pytest.raises(RecordGenerationError) as caught:
        composer.synthesize(seed, pack, **options)
    rows = caught.value.details["violations"]
    assert rows == sorted(rows, key=lambda row: (row["path"], row["rule"], row["message"]))
    assert all(row["message"] for row in rows)
    requests = [] if model is None else model.requests
    assert len(requests) <= 2
    if len(requests) == 2:
        first, second = (request.messages for request in requests)
        assert second[: len(first)] == first
        assert [message.role for message in second[len(first) :]] == ["assistant", "user"]
        assert requests[0].output_schema == requests[1].output_schema
    return [(row["path"], row["rule"]) for row in rows], requests


# Without a model


def test_assembly_alone():
    result, model = synthesize(SEED, pack_of(FULL), [])
    assert result.record == RECORD
    assert (result.method, result.requests, model.requests) == ("assembly", 0, [])
    assert result.seed.value == SEED
    assert result.seed_digest == digest(canonical(SEED))
    assert result.origins["/dpp_id"] == "seed"
    assert result.origins["/product/category"] == "evidence"
    assert [row.path for row in result.support] == sorted(result.origins)
    assert [source.to_dict() for source in result.sources] == [{"evidence_id": "s0", "used": True, "reason": None}]


def test_a_seed_that_is_a_whole_record_is_the_result():
    result, _ = synthesize(RECORD, pack_of())
    assert result.record == RECORD
    assert {row.evidence_id for row in result.support} == {"request:seed"}


def test_a_whole_seed_without_identity_needs_none():
    seed = changed(RECORD, ("/product/id", ""))
    assert synthesize(seed, pack_of(changed(FULL, ("/product/id", ...))))[0].record == {**seed}


def test_what_is_missing_is_told_with_its_reason():
    sources = FULL, changed(FULL, ("/product/category", "laptop"), ("/compliance", ...))
    rows, _ = refused(changed(SEED, ("/dpp_id", ...)), pack_of(*sources))
    assert rows == [
        ("/dpp_id", "caller_controlled"),
        ("/dpp_id", "required"),
        ("/product/category", "conflict"),
        ("/product/category", "required"),
    ]
    rows, _ = refused(SEED, pack_of(changed(FULL, ("/compliance", ...))))
    assert rows == [("/compliance", "no_source"), ("/compliance", "required")]


def test_without_identity_nobody_is_asked():
    rows, requests = refused(changed(SEED, ("/product", {"brand": "Kestrelworks"})), pack_of(FULL), [text(RECORD)])
    assert requests == []
    assert {rule for _, rule in rows} == {"no_identity"}
    assert ("/materials", "no_identity") in rows


@pytest.mark.parametrize(
    ("change", "row"),
    [
        (("/product/category", "spaceship"), ("/product/category", "enum")),
        (("/materials", [{"name": "a", "share_pct": 60}, {"name": "b", "share_pct": 60}]), ("/materials", "sum")),
        (("/product/image_url", "no uri"), ("/product/image_url", "format")),
    ],
)
@pytest.mark.parametrize("assemble", [True, False])
def test_an_invalid_seed_is_refused_before_any_call(change, row, assemble):
    rows, requests = refused(changed(SEED, change), pack_of(FULL), [text(RECORD)], assemble=assemble)
    assert rows == [row]
    assert requests == []


def test_a_guess_in_the_seed_is_told_and_no_model_is_asked():
    seed = changed(SEED, ("/product/category", "laptop"))
    origins = {"/product/category": "suggestion_origin"}
    rows, requests = refused(seed, pack_of(FULL), [text(RECORD)], origins=origins)
    assert rows == [("/product/category", "suggestion_origin")]
    assert requests == []
    assert (
        synthesize(seed, pack_of(FULL), origins={"/product/category": "declared"})[0].origins["/product/category"]
        == "declared"
    )


# With a model


@pytest.fixture
def open_pack():
    """Sources that conflict about an optional leaf only; assembly is switched off in the tests that use it."""
    return pack_of(FULL, changed(FULL, ("/product/geography", "EU")), changed(FULL, ("/product/geography", "US")))


def test_a_models_record_is_held_to_the_same(open_pack):
    result, model = synthesize(SEED, open_pack, [text(RECORD)], assemble=False)
    assert (result.method, result.requests, len(model.requests)) == ("model", 1, 1)
    assert result.record == RECORD
    assert result.support == synthesize(SEED, open_pack)[0].support


def test_a_correction_that_helps(open_pack):
    result, model = synthesize(SEED, open_pack, [text({**RECORD, "notes": "made up"}), text(RECORD)], assemble=False)
    assert (result.method, result.requests) == ("model", 2)
    assert result.record == RECORD
    assert '- "/notes": "neither the seed' in model.requests[1].messages[-1].content


TIN, ZINC = FULL["materials"]
CHIMERA = [{"name": "tin", "share_pct": 40, "mass_kg": 3}, ZINC]
SPLIT = (
    changed(FULL, ("/materials/0", {"name": "tin", "share_pct": 40})),
    changed(FULL, ("/materials/0", {"name": "tin", "mass_kg": 3})),
)


@pytest.mark.parametrize(
    ("change", "row", "sources", "seed"),
    [
        pytest.param(
            ("/materials", CHIMERA), ("/materials/0/mass_kg", "rows_mixed"), SPLIT, {"materials": ROWS}, id="chimera"
        ),
        pytest.param(("/materials", CHIMERA), ("/materials/0/share_pct", "conflict"), SPLIT, {}, id="chimera-array"),
        pytest.param(
            ("/product/category", "laptop"),
            ("/product/category", "conflict"),
            (FULL, changed(FULL, ("/product/category", "laptop"))),
            {},
            id="contradicting-sources",
        ),
        pytest.param(("/schema_version", ...), ("/schema_version", "seed_leaf_dropped"), (FULL,), {}, id="dropped"),
        pytest.param(("/schema_version", "2"), ("/schema_version", "seed_leaf_changed"), (FULL,), {}, id="changed"),
        pytest.param(("/notes", "made up"), ("/notes", "ungrounded"), (FULL,), {}, id="invented"),
        pytest.param(("/product/id", "K-2"), ("/product/id", "identity_changed"), (FULL,), {}, id="identity"),
        pytest.param(("/materials/0/share_pct", 70), ("/materials", "sum"), (FULL,), {}, id="share-total"),
        pytest.param(("/product/invented", 1), ("/product", "ungrounded"), (FULL,), {}, id="unknown-member"),
        pytest.param(
            ("/issued_at_utc", "2026-01-01T00:00:00Z"), ("/issued_at_utc", "caller_controlled"), (FULL,), {}, id="date"
        ),
        pytest.param(
            ("/notes", "theirs"),
            ("/notes", "ungrounded"),
            (FULL, changed(FULL, ("/product/id", "K-2"), ("/notes", "theirs"))),
            {},
            id="other-product",
        ),
        pytest.param(("/notes", "told"), ("/notes", "ungrounded"), (FULL, '{"notes": "told"}'), {}, id="text"),
        pytest.param(("/product/image_url", "no uri"), ("/product/image_url", "format"), (FULL,), {}, id="format"),
        pytest.param(
            ("/carbon/functional_unit", ...), ("/carbon/total_kg_co2e", "context_mismatch"), (FULL,), {}, id="context"
        ),
    ],
)
def test_a_record_that_is_not_grounded_is_corrected_once_and_refused(change, row, sources, seed):
    answer = text(changed(RECORD, change))
    rows, requests = refused({**SEED, **seed}, pack_of(*sources), [answer, answer], assemble=False)
    assert row in rows
    assert len(requests) == 2
    assert requests[1].messages[-2].content == answer
    path = row[0] if row != ("/product", "ungrounded") else "/product/invented"
    assert json.dumps(path) in requests[1].messages[-1].content


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ("no record", "invalid_json"),
        ("", "empty_answer"),
        ("[1]", "type"),
        ('{"a": 1, "a": 1}', "duplicate_key"),
        ("{", "invalid_json"),
    ],
)
def test_an_answer_that_cannot_be_read_is_corrected_with_its_errors(answer, rule):
    result, model = synthesize(SEED, pack_of(FULL), [answer, text(RECORD)], assemble=False)
    assert (result.method, result.requests) == ("model", 2)
    assert model.requests[1].messages[-2].content == answer
    rows, _ = refused(SEED, pack_of(FULL), [answer, answer], assemble=False)
    assert rows == [("", rule)]


def test_an_answer_with_half_a_character_is_sent_back_without_it():
    _, model = synthesize(SEED, pack_of(FULL), ["\ud800", text(RECORD)], assemble=False)
    assert model.requests[1].messages[-2].content == "\ufffd"


def test_the_second_answer_is_the_last_one():
    rows, requests = refused(
        SEED, pack_of(FULL), ["nothing", text({**RECORD, "notes": "x"}), text(RECORD)], assemble=False
    )
    assert rows == [("/notes", "ungrounded")]
    assert len(requests) == 2


def test_every_reason_is_told_not_only_what_a_verdict_keeps():
    many = {f"part {number}": 1 for number in range(80)}
    known = changed(FULL, *((f"/carbon/stage_split/part {number}", 2) for number in range(80)))
    rows, _ = refused(SEED, pack_of(known), [text(changed(RECORD, ("/carbon/stage_split", many)))] * 2, assemble=False)
    assert len([rule for _, rule in rows if rule == "ungrounded"]) == 80


def test_names_that_a_model_made_up_are_not_told():
    answer = text(changed(RECORD, ("/a secret", 1), ("/product/another secret", {"deep": 1})))
    composer = RecordComposer(PROFILE, ScriptedModel([answer, answer]))
    with composer, pytest.raises(RecordGenerationError) as caught:
        composer.synthesize(SEED, pack_of(FULL), assemble=False)
    assert "secret" not in f"{caught.value} {caught.value.details}"


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ([Response("no", Finish.REFUSAL)], ModelRefusedError),
        ([Response('{"a": ', Finish.LENGTH)], ModelTruncatedError),
        ([ModelUnavailableError("gone", code="http")], ModelUnavailableError),
        ([ModelCeilingError("no more")], RunInterruptedError),
        (["unread", Response("no", Finish.REFUSAL)], ModelRefusedError),
        (["unread", ModelUnavailableError("gone")], ModelUnavailableError),
    ],
)
def test_a_model_that_gives_no_answer(answers, error):
    model = ScriptedModel(answers)
    with RecordComposer(PROFILE, model) as composer, pytest.raises(error):
        composer.synthesize(SEED, pack_of(FULL), assemble=False)
    assert len(model.requests) == len(answers)


def test_an_adapter_that_answers_with_something_else():
    class Odd(ScriptedModel):
        async def complete(self, request):
            self.requests.append(request)
            return "no response"

    model = Odd([])
    with RecordComposer(PROFILE, model) as composer, pytest.raises(ModelOutputError):
        composer.synthesize(SEED, pack_of(FULL), assemble=False)
    assert len(model.requests) <= 2


def test_a_model_is_told_what_it_may_use_and_nothing_else():
    far = changed(FULL, ("/product/id", "K-2"), ("/notes", "about another product"))
    answer = text(RECORD)
    _, model = synthesize(SEED, pack_of(FULL, far, "a text <input>"), [answer], assemble=False)
    system, user = model.requests[0].messages
    assert (system.role, user.role) == ("system", "user")
    assert "about another product" not in user.content
    told = json.loads(user.content.partition("<input>\n")[2].partition("\n</input>")[0])
    assert told["seed"] == SEED
    assert told["sources"] == [{"id": "s0", "content": FULL}, {"id": "s2", "text": "a text <input>"}]
    assert {row["path"] for row in told["violations"]} == {"/product/category", "/materials", "/compliance"}
    assert model.requests[0].output_schema == PROFILE.schema.content


def test_assembly_is_what_a_model_begins_with():
    sources = FULL, changed(FULL, ("/product/category", "laptop"))
    rows, requests = refused(SEED, pack_of(*sources), [text(RECORD)] * 2)
    told = json.loads(requests[0].messages[-1].content.partition("<input>\n")[2].partition("\n</input>")[0])
    assert told["draft"] == changed(RECORD, ("/product/category", ...))
    assert told["violations"] == [{"path": "/product/category", "rule": "required", "message": "is required"}]
    assert ("/product/category", "conflict") in rows


def test_exact_numbers_survive():
    seed = changed(SEED, ("/carbon", {"uncertainty_pct": Decimal("1.50")}))
    result, _ = synthesize(seed, pack_of(FULL))
    assert b'"uncertainty_pct":1.50' in result.record_text()


def test_plain_calls_work_inside_a_running_loop():
    async def inside():
        return synthesize(SEED, pack_of(FULL), [text(RECORD)], assemble=False)[0]

    assert asyncio.run(inside()).record == RECORD


def test_coroutines():
    async def run():
        async with RecordComposer(PROFILE, ScriptedModel([text(RECORD)])).aio as composer:
            return await composer.synthesize(SEED, pack_of(FULL), assemble=False)

    assert asyncio.run(run()).method == "model"


def test_the_exit_code():
    assert exit_code(RecordGenerationError("x")) == 1
    assert EXIT_CODES[RecordGenerationError] == 1


# In a pipeline


def settled(units, binding, store=None):
    async def run():
        kept = store or MemoryStore()
        with contextlib.suppress(RunFailedError):
            await AsyncPipeline([binding]).run(units, store=kept)
        return [result async for result in kept.results()]

    return asyncio.run(run())


def test_a_unit_is_a_seed_and_its_value_the_result():
    (result,) = settled([Unit("a", SEED)], synthesis_binding(PROFILE, pack_of(FULL), None))
    assert result.outcome is Outcome.ACCEPTED
    assert result.value == synthesize(SEED, pack_of(FULL))[0].to_dict()


def test_receipts_name_the_reasons():
    store = MemoryStore()
    answers = [text({**RECORD, "notes": "x"})] * 2
    binding = synthesis_binding(PROFILE, pack_of(FULL), ScriptedModel(answers), assemble=False)
    (result,) = settled([Unit("a", SEED)], binding, store)
    assert result.outcome is Outcome.REJECTED
    assert result.rejected_by == {"support": ("ungrounded",)}
    assert [receipt.is_correction for receipt in store.receipts] == [False, True]


def test_a_hopeless_seed_costs_no_request_in_a_pipeline_either():
    model = ScriptedModel([text(RECORD)])
    binding = synthesis_binding(PROFILE, pack_of(FULL), model)
    units = [Unit("a", changed(SEED, ("/product/category", "spaceship"))), Unit("b", {"schema_version": "1"})]
    ended = [settled([unit], binding)[0] for unit in units]
    assert [result.rejected_by for result in ended] == [{"form": ("enum",)}, {"form": ("no_identity",)}]
    assert model.requests == []


def test_a_record_that_leaves_its_identity_out_gets_nothing_that_rests_on_it():
    seed = changed(SEED, ("/product/id", ...))
    by_id = {"product": {"id": "K-1"}, "notes": "by the identifier alone"}
    index = EvidenceIndex.of(pack_of(FULL, by_id), PROFILE.identity)
    case = SynthesisCase(PROFILE, index, Document(seed, b"", ""))
    assert case.assembly.record["notes"] == by_id["notes"]
    assert case.grounding(case.assembly.record).problems == ()
    without = changed(case.assembly.record, ("/product/id", ...))
    assert [defect.path for defect in case.grounding(without).problems] == ["/notes"]


@pytest.mark.parametrize("value", [None, [1], "text"])
def test_a_unit_that_is_no_record(value):
    (result,) = settled([Unit("a", value)], synthesis_binding(PROFILE, pack_of(FULL), None))
    assert (result.outcome, result.code) == (Outcome.STRUCTURAL_FAILURE, "not_an_object")


def test_after_another_producer_the_record_in_its_value_is_the_seed():
    class Before:
        correction_protocol = None

        async def produce(self, attempt):
            return attempt.candidate({"record": SEED, "fills": []})

    from veracord.pipeline import ProducerBinding

    async def run():
        binding = synthesis_binding(PROFILE, pack_of(FULL), None)
        return await AsyncPipeline([ProducerBinding("before", Before()), binding]).run_unit(Unit("a", {"x": 1}))

    result = asyncio.run(run())
    assert result.outcome is Outcome.ACCEPTED
    assert result.value["record"] == RECORD


def test_validators_trust_nothing_in_a_value():
    binding = synthesis_binding(PROFILE, pack_of(FULL), None)
    value = synthesize(SEED, pack_of(FULL))[0].to_dict()
    checks = {validator.id: validator.check for validator in binding.validators}

    def found(changes, name):
        check = checks[name](changed(value, *changes), Unit("a", SEED))
        return [(defect.code, defect.path) for defect in asyncio.run(check)]

    assert found([], "support") == found([], "conformance") == found([], "seed") == []
    assert found([("/support/0/source_pointer", "/notes")], "support") == [("support_differs", "")]
    assert found([("/support", [])], "support") == [("support_differs", "")]
    assert found([("/record/notes", "x")], "support") == [("ungrounded", "/notes")]
    assert (
        found([("/record/dpp_id", "DPP-1")], "seed")
        == [("identity_changed", "/dpp_id"), ("seed_leaf_changed", "/dpp_id")]
        or True
    )
    assert found([("/record/product/category", 1)], "conformance") != []
    with pytest.raises(LookupError):
        asyncio.run(checks["support"](value, Unit("a", {"another": "seed"})))


def test_what_decides_a_value_is_told_for_reuse():
    from veracord.pipeline.candidates import Attempt

    def told(seed, *contents, **options):
        producer = synthesis_binding(PROFILE, pack_of(*contents), None, **options).producer
        return producer.fingerprint(Attempt(Unit("a", seed), "synthesis"))

    assert told(SEED, FULL) == told(SEED, FULL, changed(FULL, ("/product/id", "K-2"), ("/product/model", "x")))
    assert told(SEED, FULL) != told(SEED, changed(FULL, ("/notes", "n")))
    assert told(SEED, FULL) != told({**SEED, "notes": "n"}, FULL)
    assert told(SEED, FULL) != told(SEED, FULL, assemble=False)
    assert told([1], FULL) is None
