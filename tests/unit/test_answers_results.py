"""Results of `answer`: their JSON Schema, and the way back from JSON."""

import json
from copy import deepcopy
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from veracord import AbstentionCode, EvidencePack, GroundedAnswer, Profile, RecordComposer
from veracord.answers.codes import REASONS
from veracord.answers.results import answered_of

RECORD = {"productId": "P-1", "mass": {"value": 10, "unit": "kg"}, "note": "Delivered in a wooden crate."}
PACK = EvidencePack.from_items([{"id": "e1", "content": RECORD}])
SCHEMA = json.loads((files("veracord") / "bundled/schemas/grounded-answer.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def asked(question, pack=PACK, **named):
    return RecordComposer(Profile.of_anything()).answer(question, pack, **named)


def as_json(result):
    return json.loads(result.encode())


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


def test_an_answer_fits_its_schema_and_comes_back():
    result = asked("What is the mass?")
    assert isinstance(result, GroundedAnswer)
    assert result.text == "The mass is 10 kg [e1]."
    assert list(VALIDATOR.iter_errors(as_json(result))) == []
    assert answered_of(as_json(result), 0) == result
    assert result.is_answered


def test_an_abstention_fits_its_schema_and_comes_back():
    result = asked("What is the colour?")
    assert result.code is AbstentionCode.NO_SUCH_FIELD
    assert list(VALIDATOR.iter_errors(as_json(result))) == []
    assert answered_of(as_json(result), 0) == result
    assert not result.is_answered


@pytest.mark.parametrize("change", ["text", "claims", "coverage", "citations"])
def test_another_shape_is_refused(change):
    told = as_json(asked("What is the mass?"))
    spoiled = deepcopy(told)
    del spoiled[change]
    assert list(VALIDATOR.iter_errors(spoiled))
    assert list(VALIDATOR.iter_errors({**told, "more": 1}))
    assert list(VALIDATOR.iter_errors({**told, "coverage": "incomplete"}))


def test_every_code_has_a_reason_and_is_in_the_schema():
    assert set(REASONS) == set(AbstentionCode)
    assert set(SCHEMA["$defs"]["abstention"]["properties"]["code"]["enum"]) == {code.value for code in AbstentionCode}


def test_the_references_resolve():
    result = asked("What is the mass?")
    (citation,) = result.citations
    assert PACK.resolve(citation.evidence_ref).id == citation.evidence_id == "e1"
    assert citation.pointer == "/mass/value"
    assert result.evidence_refs == {"e1": citation.evidence_ref}
    start, end = result.claims[0].span
    assert result.text[start:end].startswith("The mass is 10 kg")
