"""Answers end to end: what was altered is no answer, equal values alone are supported, guesses never answer."""

import itertools
import json
import threading
from dataclasses import replace

import pytest

from tests.contract.model_server import Answer, ModelServer, Status
from veracord import AbstentionCode, EvidencePack, Profile, RecordComposer
from veracord.answers import checking, composing
from veracord.composer.ledgers import entries_of
from veracord.errors import ModelUnavailableError
from veracord.grounding.verifier import Verifier
from veracord.models import ChatCompletionsModel, TransportOptions
from veracord.testing import MemoryLedger, ScriptedModel

NICKEL = {"passportIdentifier": "urn:p:1", "recycledContent": {"nickel": {"value": 12, "unit": "%"}}}
OTHER = {"passportIdentifier": "urn:p:2", "recycledContent": {"nickel": {"value": 70, "unit": "%"}}}
QUESTION = "What is the recycled content of nickel of the product with passport identifier urn:p:1?"


def pack_of(*contents, **named):
    items = [{"id": f"e{n}", "content": content} for n, content in enumerate(contents)]
    return EvidencePack.from_items([{**items[0], **named}, *items[1:]] if items else [])


def asked(question=QUESTION, pack=None, **named):
    return RecordComposer(Profile.of_anything()).answer(question, pack or pack_of(NICKEL, OTHER), **named)


@pytest.fixture
def seen(monkeypatch):
    """The texts that the verifier is asked about."""
    texts = []
    check = Verifier.check

    def watched(self, answer, view, **named):
        texts.append(answer)
        return check(self, answer, view, **named)

    monkeypatch.setattr(Verifier, "check", watched)
    return texts


def test_a_hint_passes_the_verifier_like_any_other_text(seen):
    result = asked()
    assert result.is_answered
    assert result.path == "hints"
    assert seen[-1] == result.text


def altered(change):
    """Return what extracts hints and changes each afterwards."""
    extract = composing.hints_of

    def extracted(question, fields, items):
        return [[change(hint) for hint in hints] for hints in extract(question, fields, items)]

    return extracted


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda h: replace(h, value="70", sentence=h.sentence.replace("12", "70")), AbstentionCode.NOT_SUPPORTED),
        (lambda h: replace(h, value="70"), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, unit="kg"), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, pointer="/recycledContent/lead/value"), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, pointer="recycledContent"), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, evidence_ref="sha256:" + "0" * 64), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, evidence_id="e7"), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, evidence_id="e1"), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, also=(("e1", h.pointer),)), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, sentence=h.sentence.replace("[e0]", "[e7]")), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, sentence=h.sentence.replace("[e0]", "[e1]")), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, sentence=h.sentence.replace(" [e0]", "")), AbstentionCode.BROKEN_CITATION),
        (lambda h: replace(h, sentence="Nickel is green [e0]."), AbstentionCode.UNDECIDED),
        (lambda h: replace(h, sentence=h.sentence.replace("is", "is not")), AbstentionCode.NOT_SUPPORTED),
    ],
)
def test_a_hint_that_was_altered_or_leads_elsewhere_ends_in_an_abstention(change, code, monkeypatch, seen):
    monkeypatch.setattr(composing, "hints_of", altered(change))
    result = asked()
    assert not result.is_answered
    assert result.code is code
    assert seen


def test_without_the_verifier_there_is_no_answer(monkeypatch):
    def fails(*_arguments, **_named):
        raise AssertionError("the verifier was asked")

    monkeypatch.setattr(checking, "check_text", fails)
    monkeypatch.setattr(composing, "check_text", fails)
    with pytest.raises(AssertionError, match="the verifier was asked"):
        asked()


VALUES = ("12", "69", "70", "71", "70.0")


@pytest.mark.parametrize(("held", "said"), list(itertools.product(VALUES, VALUES)))
def test_only_equal_recycled_content_is_supported(held, said):
    text = f'{{"passportIdentifier": "urn:p:1", "recycledContent": {{"value": {held}, "unit": "%"}}}}'
    pack = EvidencePack.from_items([{"id": "e1", "text": text}])
    draft = json.dumps({"sentences": [{"text": f"The recycled content is {said} %.", "evidence_ids": ["e1"]}]})
    with RecordComposer(Profile.of_anything(), ScriptedModel([draft, draft])) as composer:
        result = composer.answer("What is the recycled content?", pack)
    assert result.is_answered
    assert (result.path == "model") == (float(held) == float(said))
    if result.path == "hints":
        assert f"{held} %" in result.text


def test_evidence_about_another_product_never_answers():
    result = asked(pack=pack_of({"passportIdentifier": "urn:p:1"}, OTHER))
    assert result.code is AbstentionCode.OTHER_PRODUCT
    result = asked("What is the recycled content of nickel?", product={"passportIdentifier": "urn:p:1"})
    assert "12 %" in result.text
    result = asked("What is the recycled content of nickel?", product={"passportIdentifier": "urn:p:9"})
    assert result.code is AbstentionCode.NO_EVIDENCE
    result = asked("What is the recycled content of nickel?")
    assert result.code is AbstentionCode.AMBIGUOUS_PRODUCT


def test_sources_that_disagree_are_a_conflict():
    other = {**NICKEL, "recycledContent": {"nickel": {"value": 13, "unit": "%"}}}
    result = asked(pack=pack_of(NICKEL, other))
    assert (result.code, result.nearest_ids) == (AbstentionCode.CONFLICT, ("e0", "e1"))


def test_sources_that_agree_are_all_cited():
    result = asked(pack=pack_of(NICKEL, NICKEL))
    assert [c.evidence_id for c in result.citations] == ["e0", "e1"]


@pytest.mark.parametrize(
    "pack",
    [
        pack_of(NICKEL, origins={"/recycledContent/nickel/value": "accepted_suggestion"}),
        pack_of(NICKEL, origins={"/recycledContent": "suggestion_origin"}),
        pack_of({**NICKEL, "recycledContent": {"nickel": {"value": 12, "unit": "%", "status": "unverified"}}}),
        EvidencePack.from_items(
            [{"id": "e1", "text": json.dumps({**NICKEL, "status": "unverified"})}],
        ),
    ],
)
def test_a_suggestion_never_answers(pack):
    result = asked(pack=pack)
    assert result.code is AbstentionCode.UNVERIFIED_ONLY


@pytest.fixture
def lamps(tmp_path):
    schema = {"properties": {"id": {"type": "string"}, "mass_kg": {"type": "number"}, "finish": {"type": "string"}}}
    (tmp_path / "lamp.schema.json").write_text(json.dumps(schema), "utf-8")
    (tmp_path / "lamp.toml").write_text(
        'name = "lamp"\nversion = "1"\nschema = "lamp.schema.json"\n[identity]\nkeys = [["/id"]]\n'
        '[labels]\n"/mass_kg" = ["heft"]\n',
        "utf-8",
    )
    return Profile.load(tmp_path / "lamp.toml")


@pytest.mark.parametrize("kind", ["content", "text"])
def test_a_guess_that_is_pasted_back_never_answers(lamps, kind):
    """The ledger alone tells: the record bears no mark of it, and a text that is JSON is looked at, too."""
    record = {"id": "L-1", "mass_kg": 5}
    item = {"id": "e1", kind: record if kind == "content" else json.dumps(record)}
    ledger = MemoryLedger()
    with RecordComposer(lamps, ledger=ledger) as composer:
        assert composer.answer("What is the heft?", EvidencePack.from_items([item])).is_answered
        ledger.issued_entries |= dict.fromkeys(entries_of(lamps, {"id": "L-1"}, "/mass_kg", 5))
        result = composer.answer("What is the heft?", EvidencePack.from_items([item]))
        assert result.code is AbstentionCode.UNVERIFIED_ONLY


def test_labels_of_a_profile_name_fields(lamps):
    pack = EvidencePack.from_items([{"id": "e1", "content": {"id": "L-1", "mass_kg": 5}}])
    composer = RecordComposer(lamps)
    for question in (
        "What is the heft?",
        "How heavy is the product?",
        "What is the mass?",
        "Welche Masse hat das Produkt?",
    ):
        result = composer.answer(question, pack, {"id": "L-1"})
        assert "5 kg [e1]" in result.text, question
        assert result.profile == "lamp@1"


def served(*steps):
    return ModelServer(*(step if isinstance(step, Status) else Answer(json.dumps(step)) for step in steps))


def draft(text, *ids):
    return {"sentences": [{"text": text, "evidence_ids": list(ids)}]}


def test_a_model_over_http_is_asked_and_corrected_with_two_messages_more():
    wrong, right = draft("The recycled content of nickel is 70 %.", "e0"), draft("The nickel is 12 %.", "e0")
    with (
        served(wrong, right) as server,
        RecordComposer(
            Profile.of_anything(), ChatCompletionsModel(server.chat_url, "small", transport=TransportOptions(retries=0))
        ) as composer,
    ):
        result = composer.answer(QUESTION, pack_of(NICKEL, OTHER))
    first, second = (request.json["messages"] for request in server.requests)
    assert second[: len(first)] == first
    assert len(second) == len(first) + 2
    assert "urn:p:2" not in json.dumps(first)
    assert "70" not in json.dumps(first)
    assert (result.path, result.requests) == ("model", 2)


def test_a_server_that_is_down_is_an_error_and_no_answer():
    with (
        served(Status(503), Status(503)) as server,
        RecordComposer(
            Profile.of_anything(), ChatCompletionsModel(server.chat_url, "small", transport=TransportOptions(retries=0))
        ) as composer,
        pytest.raises(ModelUnavailableError),
    ):
        composer.answer(QUESTION, pack_of(NICKEL, OTHER))


def test_what_a_model_said_is_in_no_result():
    canary = "CANARY-7781"
    steps = [draft(f"The secret is {canary}.", "e0")] * 2
    with (
        served(*steps) as server,
        RecordComposer(
            Profile.of_anything(), ChatCompletionsModel(server.chat_url, "small", transport=TransportOptions(retries=0))
        ) as composer,
    ):
        result = composer.answer(
            "What is the secret of the product with passport identifier urn:p:1?", pack_of(NICKEL, OTHER)
        )
    assert not result.is_answered
    assert canary not in result.encode().decode()
    assert canary not in repr(result)


def test_it_works_inside_a_running_loop():
    import asyncio

    async def inside():
        async with RecordComposer(
            Profile.of_anything(), ScriptedModel([json.dumps(draft("The nickel is 12 %.", "e0"))])
        ).aio as aio:
            return await aio.answer(QUESTION, pack_of(NICKEL, OTHER))

    assert asyncio.run(inside()).is_answered
    assert threading.active_count() >= 1
