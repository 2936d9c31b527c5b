"""When a model is asked for suggestions, with which rules, and what becomes of an answer that is none."""

import asyncio
import copy
import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.golden.runner import load_profile
from veracord import EvidencePack, Profile, RecordComposer, RunInterruptedError
from veracord.composer.suggesting import Suggester
from veracord.composer.suggestions import Suppression
from veracord.errors import (
    ModelCeilingError,
    ModelError,
    ModelOutputError,
    ModelRateLimitedError,
    ModelRefusedError,
    ModelTruncatedError,
    ModelUnavailableError,
    StorageError,
)
from veracord.pipeline import Pipeline, ProducerBinding, Unit
from veracord.ports import Finish, Message, Response
from veracord.promptkit import Prompt, StructuredOutput, StructuredProducer
from veracord.promptkit.prompts import bundled_prompt
from veracord.promptkit.suggestion_forms import ANNOTATION, SUGGESTIONS_FORM
from veracord.promptkit.system_prompts import system_message
from veracord.records.values import digest
from veracord.testing import MemoryLedger, ScriptedModel

PROFILES = Path(__file__).with_name("profiles")
LAMP = load_profile(PROFILES / "lamp.toml")
RECORD = {
    "record_id": "R-1",
    "maker": "Lumo",
    "model": "L2",
    "colour": "red",
    "power_w": 104,
    "tags": ["desk"],
    "box": {"label": "grey", "width_mm": 120},
    "parts": [{"name": "shade", "share_pct": 60}, {"name": "foot", "share_pct": 40}],
}
SOUND = {**RECORD, "name": "Lumo L2", "power_w": 9}
EMPTY = EvidencePack.from_items([])
EVIDENCE = EvidencePack.from_items(
    [{"id": "sheet", "content": {"maker": "Lumo", "model": "L2", "name": "Lumo L2", "power_w": 9}}]
)
NAME = {"path": "/name", "value": "Lumo L2", "rationale": "I recall it.", "confidence": 0.9}
GOOD = json.dumps({"suggestions": [NAME]})


def rules_digest(name):
    return digest(bundled_prompt(name).text.encode())


EVIDENCE_ONLY = rules_digest("structured")
FROM_TRAINING = rules_digest("structured_suggestions")


def repaired(model=None, record=RECORD, pack=EMPTY, *, profile=LAMP, **options):
    with RecordComposer(profile, model) as composer:
        return composer.repair(record, pack, **options)


def facts(result):
    """Return everything in a result that no model has a say in."""
    told = json.loads(result.to_json())
    for name in ("suggestions", "suggestions_status", "suppressed"):
        del told[name]
    return told, result.record_text(), result.fills, result.unresolved, result.origins


# How often it is asked


@pytest.mark.parametrize(
    ("options", "has_model", "requests", "status"),
    [
        ({}, True, 1, "ok"),
        ({"suggest_from_training": True}, True, 1, "ok"),
        ({"suggest_from_training": False}, True, 0, "off"),
        ({}, False, 0, "no_model"),
        ({"suggest_from_training": False}, False, 0, "off"),
        ({"record": SOUND}, True, 0, "none_needed"),
        ({"record": SOUND}, False, 0, "none_needed"),
        ({"record": SOUND, "suggest_from_training": False}, True, 0, "off"),
        ({"pack": EVIDENCE}, True, 0, "none_needed"),
    ],
)
def test_how_often_a_model_is_asked(options, has_model, requests, status):
    model = ScriptedModel([GOOD, GOOD])
    result = repaired(model if has_model else None, **options)
    assert len(model.requests) == requests
    assert result.suggestions_status == status
    assert len(result.suggestions) == requests
    assert json.loads(result.to_json())["suggestions_status"] == status


def test_what_evidence_says_is_filled_first_and_not_asked_for():
    pack = EvidencePack.from_items([{"id": "sheet", "content": {"maker": "Lumo", "model": "L2", "name": "Lumo L2"}}])
    model = ScriptedModel([GOOD])
    result = repaired(model, pack=pack)
    assert [fill.path for fill in result.fills] == ["/name"]
    assert result.suggestions == ()
    assert result.suppressed == {"no_violation": 1}
    asked = json.loads(model.requests[0].messages[1].content.partition("<input>\n")[2].partition("\n</input>")[0])
    assert asked["record"] == {**RECORD, "name": "Lumo L2"}
    assert asked["violations"] == [{"path": "/power_w", "rule": "maximum", "message": "must be at most 100"}]


def test_no_evidence_is_shown_to_the_model():
    pack = EvidencePack.from_items(
        [
            {"id": "other", "content": {"maker": "Lumo", "model": "L3", "name": "CANARY-1"}},
            {"id": "text", "text": "CANARY-2"},
            {"id": "same", "content": {"maker": "Lumo", "model": "L2", "sku": "CANARY-3"}},
        ]
    )
    model = ScriptedModel([GOOD])
    repaired(model, pack=pack)
    assert "CANARY" not in "".join(message.content for message in model.requests[0].messages)


def test_the_order_is_fills_then_one_question():
    result = repaired(ScriptedModel([GOOD]))
    (found,) = result.suggestions
    assert (found.path, found.value, found.confidence, found.rank) == ("/name", "Lumo L2", 0.3, 1)
    assert facts(result) == facts(repaired())
    assert not result.conforms
    assert "name" not in result.record
    assert result.origins == {}


def test_a_count_of_the_repair_is_kept_beside_those_of_the_answer():
    suggester = Suggester(LAMP, ScriptedModel([json.dumps({"suggestions": [None], "more": 1})]))
    before = replace(repaired(), suppressed={"search_bound": 11})
    asked = asyncio.run(suggester.suggest(before))
    assert asked.result.suppressed == {"malformed": 1, "not_asked_for": 1, "search_bound": 11}
    assert asked.usage.requests == 1
    assert before.suppressed == {"search_bound": 11}


# Answers that are none


FAILURES = [
    (Response("", Finish.REFUSAL), "failed:refused"),
    (Response(GOOD, Finish.REFUSAL), "failed:refused"),
    (Response(GOOD[:-5], Finish.LENGTH), "failed:truncated"),
    (Response(GOOD, Finish.LENGTH), "failed:truncated"),
    ("", "failed:empty_answer"),
    (" \n", "failed:empty_answer"),
    ("I cannot know that.", "failed:invalid_json"),
    (f"Here you are: {GOOD}", "failed:invalid_json"),
    ('{"suggestions": [{"path": "/name", "value": NaN}]}', "failed:invalid_json"),
    ('{"suggestions": [{"path": "/name", "value": -Infinity}]}', "failed:invalid_json"),
    ('{"suggestions": [], "suggestions": []}', "failed:duplicate_key"),
    ('{"suggestions": ["\\ud800"]}', "failed:lone_surrogate"),
    (f'{{"suggestions": [{"[" * 200}{"]" * 200}]}}', "failed:too_deep"),
    ("[]", "failed:type"),
    ("null", "failed:type"),
    ("{}", "failed:required"),
    ('{"suggestions": {}}', "failed:type"),
    (Response(GOOD, tool_name="save"), "failed:unexpected_tool"),
    (ModelRefusedError("no", code="content_filter"), "failed:refused"),
    (ModelTruncatedError("no"), "failed:truncated"),
    (ModelUnavailableError("CANARY"), "failed:model_unavailable"),
    (
        ModelUnavailableError("CANARY", code="model_key_refused", details={"status": 401}),
        "failed:model_key_refused:401",
    ),
    (ModelRateLimitedError("CANARY"), "failed:model_rate_limited"),
    (ModelOutputError("CANARY", code="odd"), "failed:odd"),
    (ModelError("CANARY"), "failed:model"),
]


@pytest.mark.parametrize(("answer", "status"), FAILURES, ids=[f"{n}-{case[1]}" for n, case in enumerate(FAILURES)])
def test_a_failure_costs_the_repair_nothing(answer, status):
    model = ScriptedModel([answer, GOOD])
    result = repaired(model)
    assert len(model.requests) == 1
    assert (result.suggestions, result.suggestions_status) == ((), status)
    assert result.suppressed == {}
    assert facts(result) == facts(repaired())
    assert "CANARY" not in result.to_json()


class Raising:
    """A model that raises what no model should."""

    settings = {"adapter": "raising"}  # noqa: RUF012 - as the port has it

    def __init__(self, error):
        self.error = error

    async def complete(self, _request):
        raise self.error


def test_a_model_that_breaks_is_told_by_its_type():
    result = repaired(Raising(LookupError("CANARY")))
    assert result.suggestions_status == "failed:producer_raised:LookupError"
    assert facts(result) == facts(repaired())


def test_a_limit_on_cost_ends_it_as_it_ends_a_pipeline():
    with pytest.raises(RunInterruptedError) as caught:
        repaired(ScriptedModel([ModelCeilingError("x")]))
    assert caught.value.code == "cost_ceiling"


def test_an_interruption_passes_without_its_text():
    with pytest.raises(KeyboardInterrupt) as caught:
        repaired(Raising(KeyboardInterrupt("CANARY")))
    assert caught.value.args == ()


def test_an_empty_answer_is_a_good_one():
    result = repaired(ScriptedModel(['{"suggestions": []}']))
    assert (result.suggestions, result.suggestions_status, result.suppressed) == ((), "ok", {})


# Plain calls and coroutines


def test_it_works_inside_a_running_event_loop():
    async def main():
        with RecordComposer(LAMP, ScriptedModel([GOOD, GOOD])) as composer:
            plain = composer.repair(RECORD, EMPTY)
            awaited = await composer.aio.repair(RECORD, EMPTY)
            return plain, awaited

    plain, awaited = asyncio.run(main())
    assert plain.to_json() == awaited.to_json()
    assert plain.suggestions_status == "ok"


def test_coroutines_have_a_context_of_their_own():
    async def main():
        async with RecordComposer(LAMP, ScriptedModel([GOOD])).aio as composer:
            return await composer.repair(RECORD, EMPTY)

    assert asyncio.run(main()).suggestions_status == "ok"


@pytest.mark.parametrize(
    ("model", "record", "options"),
    [
        (None, RECORD, {}),
        (ScriptedModel([]), SOUND, {}),
        (ScriptedModel([]), RECORD, {"suggest_from_training": False}),
    ],
)
def test_a_repair_that_asks_nobody_starts_no_thread(model, record, options):
    before = threading.active_count()
    composer = RecordComposer(LAMP, model)
    composer.repair(record, EMPTY, **options)
    assert threading.active_count() == before
    composer.close()


def test_closing_ends_the_thread_and_closes_the_model():
    class Closing(ScriptedModel):
        closed = 0

        async def aclose(self):
            self.closed += 1

    model = Closing([GOOD, GOOD])
    before = threading.active_count()
    composer = RecordComposer(LAMP, model)
    composer.repair(RECORD, EMPTY)
    assert threading.active_count() == before + 1
    composer.close()
    assert (threading.active_count(), model.closed) == (before, 1)
    # What is needed again is opened anew.
    assert composer.repair(RECORD, EMPTY).suggestions_status == "ok"
    composer.close()
    composer.close()
    assert (threading.active_count(), model.closed) == (before, 2)


def test_many_threads_may_use_one_composer():
    with RecordComposer(LAMP, ScriptedModel(lambda _: GOOD)) as composer:
        results = []
        threads = [
            threading.Thread(target=lambda: results.append(composer.repair(RECORD, EMPTY).to_json())) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(results) == 8
    assert len(set(results)) == 1


# With a ledger


def ledger_of(*parts):
    from veracord.composer.ledgers import entries_of

    return [entry for path, value in parts for entry in entries_of(LAMP, RECORD, path, value)]


def test_suggestions_are_entered_before_they_are_shown():
    ledger = MemoryLedger()
    with RecordComposer(LAMP, ScriptedModel([GOOD]), ledger=ledger) as composer:
        result = composer.repair(RECORD, EMPTY)
    assert [found.path for found in result.suggestions] == ["/name"]
    assert list(ledger.issued_entries) == ledger_of(("/name", "Lumo L2"))
    assert facts(result) == facts(repaired())


def test_what_cannot_be_entered_is_not_shown():
    class Full(MemoryLedger):
        async def issue(self, _entries):
            raise StorageError("the disk is full")

    with (
        RecordComposer(LAMP, ScriptedModel([GOOD]), ledger=Full()) as composer,
        pytest.raises(StorageError, match="full"),
    ):
        composer.repair(RECORD, EMPTY)


def test_what_a_reviewer_refused_is_not_shown_again():
    ledger = MemoryLedger()
    asyncio.run(ledger.reject(ledger_of(("/name", "Lumo L2"))))
    with RecordComposer(LAMP, ScriptedModel([GOOD]), ledger=ledger) as composer:
        result = composer.repair(RECORD, EMPTY)
    assert (result.suggestions, result.suppressed) == ((), {"rejected": 1})
    assert not ledger.issued_entries


def test_a_guess_that_is_pasted_into_evidence_fills_nothing():
    ledger = MemoryLedger()
    pasted = EvidencePack.from_items([{"id": "p", "content": {"maker": "Lumo", "model": "L2", "name": "Lumo L2"}}])
    with RecordComposer(LAMP, ScriptedModel([GOOD]), ledger=ledger) as composer:
        assert composer.repair(RECORD, EMPTY).suggestions
        after = composer.repair(RECORD, pasted, suggest_from_training=False)
    assert after.fills == ()
    assert (after.suggestions_status, after.suggestions) == ("off", ())
    # Without the ledger nobody knows better.
    assert [fill.path for fill in repaired(None, RECORD, pasted).fills] == ["/name"]


# The rules that go with a form


def sent(model):
    """Return the digests of the rules of every request, each a system message that comes first and alone."""
    for request in model.requests:
        assert [message.role for message in request.messages].count("system") == 1
        assert request.messages[0].role == "system"
    return [digest(request.messages[0].content.encode()) for request in model.requests]


def produced(form, prompt=None, value=1, answer="{}"):
    """Return the rules that a producer of a form sends."""
    model = ScriptedModel([answer])
    prompt = prompt or Prompt("p", 1, "x", ("input",), "Read {{ input }}")
    producer = StructuredProducer(model, prompt, StructuredOutput.of_schema(form, structure_repairs=0))
    with Pipeline([ProducerBinding("p", producer, retries=0)]) as pipeline:
        pipeline.run_unit(Unit("u", value))
    return sent(model)


def test_the_two_sets_of_rules_differ():
    assert EVIDENCE_ONLY != FROM_TRAINING
    assert bundled_prompt("structured") is bundled_prompt("structured")
    for name in ("structured", "structured_suggestions", "suggest", "synthesize"):
        prompt = bundled_prompt(name)
        assert (prompt.id, prompt.where) == (name, f"{name}.md")
        assert prompt.variables == (() if name.startswith("structured") else ("input",))


def test_a_question_for_suggestions_bears_their_rules():
    model = ScriptedModel([GOOD])
    repaired(model)
    assert sent(model) == [FROM_TRAINING]
    assert model.requests[0].output_schema is SUGGESTIONS_FORM
    assert model.requests[0].output_name == "suggestions"
    assert system_message(SUGGESTIONS_FORM) == Message("system", bundled_prompt("structured_suggestions").text)


COPIES = {
    "equal": lambda: copy.deepcopy(SUGGESTIONS_FORM),
    "shallow": lambda: dict(SUGGESTIONS_FORM),
    "annotated": lambda: {"type": "object", ANNOTATION: True},
    "annotated within": lambda: {"properties": {"suggestions": {ANNOTATION: True}}},
    "plain": lambda: {"type": "object"},
}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_of_the_form_is_a_form_like_any_other(name):
    form = COPIES[name]()
    assert produced(form) == [EVIDENCE_ONLY]
    assert system_message(form).content == bundled_prompt("structured").text


@pytest.mark.parametrize("annotation", [False, 1, "true", None])
def test_the_form_without_its_annotation_is_one_like_any_other(monkeypatch, annotation):
    monkeypatch.setitem(SUGGESTIONS_FORM, ANNOTATION, annotation)
    assert produced(SUGGESTIONS_FORM, answer=GOOD) == [EVIDENCE_ONLY]


def test_the_annotation_in_a_unit_or_a_prompt_changes_nothing():
    value = {ANNOTATION: True, "form": copy.deepcopy(SUGGESTIONS_FORM)}
    prompt = Prompt("structured_suggestions", 1, ANNOTATION, ("input",), f"{ANNOTATION}: true {{{{ input }}}}")
    assert produced({"type": "object"}, prompt, value) == [EVIDENCE_ONLY]


def annotated_profile(folder):
    """Return a profile whose schema bears the annotation wherever it can."""
    schema = json.loads((PROFILES / "lamp.schema.json").read_text("utf-8"))
    schema[ANNOTATION] = True
    for member in schema["properties"].values():
        member[ANNOTATION] = True
    (folder / "lamp.schema.json").write_text(json.dumps(schema), "utf-8")
    text = (PROFILES / "lamp.toml").read_text("utf-8")
    (folder / "lamp.toml").write_text(f'description = "{ANNOTATION}: true"\n{text}', "utf-8")
    return Profile.load(folder / "lamp.toml")


def test_the_annotation_of_a_caller_changes_nothing(tmp_path):
    """In profile, schema, record and evidence at once: one question, the same suggestions, no fill."""
    profile = annotated_profile(tmp_path)
    record = {**RECORD, ANNOTATION: True, "notes": f"{ANNOTATION}: true"}
    content = {"maker": "Lumo", "model": "L2", ANNOTATION: True, "suggestions": [NAME]}
    pack = EvidencePack.from_items([{"id": "s", "content": content}, {"id": "t", "text": json.dumps(SUGGESTIONS_FORM)}])
    model = ScriptedModel([GOOD])
    result = repaired(model, record, pack, profile=profile)
    assert sent(model) == [FROM_TRAINING]
    assert [found.path for found in result.suggestions] == ["/name"]
    assert result.fills == ()
    assert facts(result) == facts(repaired(None, record, pack, profile=profile))
    # The profile's own schema as a form of a pipeline is a form like any other.
    assert produced(profile.schema.content) == [EVIDENCE_ONLY]


def test_who_makes_the_messages_has_the_say_over_all_of_them():
    model = ScriptedModel(["{}"])
    producer = StructuredProducer(model, lambda _: [Message("user", "ask")], StructuredOutput.of_schema({}))
    with Pipeline([ProducerBinding("p", producer)]) as pipeline:
        pipeline.run_unit(Unit("u", 1))
    assert model.requests[0].messages == (Message("user", "ask"),)


def test_a_correction_keeps_the_rules_and_adds_two_messages():
    from veracord.pipeline import ValidatorBinding

    model = ScriptedModel(["{}", "{}"])
    prompt = Prompt("p", 1, "x", ("input",), "Read {{ input }}")
    producer = StructuredProducer(model, prompt, StructuredOutput.of_schema({"type": "object"}))
    binding = ProducerBinding("p", producer, [ValidatorBinding("v", lambda _: ["no"])])
    with Pipeline([binding]) as pipeline:
        pipeline.run_unit(Unit("u", 1))
    first, second = model.requests
    assert second.messages[:2] == first.messages
    assert [message.role for message in second.messages] == ["system", "user", "assistant", "user"]
    assert sent(model) == [EVIDENCE_ONLY] * 2


def test_the_words_of_suppression_are_those_of_the_result_schema():
    from importlib.resources import files

    schema = json.loads((files("veracord") / "bundled/schemas/repair-result.schema.json").read_text("utf-8"))
    words = schema["properties"]["suppressed"]["propertyNames"]["enum"]
    assert set(words) == {reason.value for reason in Suppression} | {"search_bound"}
