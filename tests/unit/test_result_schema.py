"""The JSON Schema of a repair's result holds for every result of the golden cases, and refuses others."""

import json
from copy import deepcopy
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from tests.golden.runner import load_profile, own_cases, own_profile, repair
from veracord import EvidencePack, RecordComposer
from veracord.composer.outcomes import Outcome
from veracord.records.identity import Reason

SCHEMA = json.loads((files("veracord") / "bundled/schemas/repair-result.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def problems(result):
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(result)]


def written(case, profile):
    return json.loads(repair(case, profile).to_json())


def test_it_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in own_cases()])
def test_own_result(case):
    assert problems(written(case, own_profile(case["profile"]))) == []


@pytest.mark.shared("cases/repair/cases.jsonl")
def test_shared_result(shared, shared_case):
    name = {"passport": "profile.toml", "other": "other/profile.toml"}[shared_case["profile"]]
    assert problems(written(shared_case, load_profile(shared / "cases" / "repair" / name))) == []


def test_result_of_many_sources():
    evidence = [{"id": f"t{n}", "text": "x"} for n in range(150)]
    case = {"record": {"type": "C-18", "chemistry": "x"}, "evidence": evidence}
    result = written(case, own_profile("cell"))
    assert problems(result) == []
    assert any("count" in row for row in result["sources"])


def test_result_without_suggestions():
    record = {"type": "C-18", "chemistry": "x"}
    result = RecordComposer(own_profile("cell")).repair(record, EvidencePack(), suggest_from_training=False)
    assert problems(json.loads(result.to_json())) == []


SUGGESTION = {
    "path": "/tally",
    "value": 1,
    "rationale": "x",
    "confidence": 0.3,
    "rank": 1,
    "source": "model_training",
    "status": "unverified",
    "requires_review": True,
}


def suggested(status="ok", **changes):
    """Return the sample result with a suggestion, changed or with a member taken out (value None)."""
    result = spoiled(["suggestions_status"], status)
    kept = {name: value for name, value in {**SUGGESTION, **changes}.items() if value is not None}
    return result | {"suggestions": [kept]}


def test_result_with_suggestions():
    assert problems(suggested()) == []
    assert problems(suggested(confidence=0, value={"a": [1]}, rank=7, rationale="")) == []
    for status in ("ok", "off", "none_needed", "no_model", "failed:refused", "failed:producer_raised:TypeError"):
        assert problems(suggested(status) | {"suggestions": []}) == []


@pytest.mark.parametrize(
    "changes",
    [
        *({"status": word} for word in ("verified", "", "accepted")),
        *({"source": word} for word in ("evidence", "model", "")),
        {"requires_review": False},
        {"requires_review": 1},
        *({"confidence": number} for number in (0.31, 1, -0.1, "0.3", True)),
        *({"rank": number} for number in (0, -1, 1.5, "1")),
        {"rationale": "x" * 281},
        {"rationale": 5},
        {"path": 5},
        {"evidence_id": "s1"},
        *({name: None} for name in SUGGESTION),
    ],
)
def test_a_suggestion_of_another_shape_is_refused(changes):
    assert problems(suggested(**changes))


@pytest.mark.parametrize("status", ["off", "none_needed", "no_model", "failed:refused"])
def test_suggestions_are_there_only_where_a_model_answered(status):
    assert problems(suggested(status))


@pytest.mark.parametrize("status", ["failed", "failed:", "failed:a b", "OK", ""])
def test_another_status_is_refused(status):
    assert problems(suggested(status) | {"suggestions": []})


def test_a_record_that_conforms_has_no_suggestions():
    case = {"record": {"type": "C-18", "chemistry": "x"}, "evidence": []}
    result = {**written(case, own_profile("cell")), "conforms": True, "unresolved": [], "suggestions_status": "ok"}
    assert problems(result) == []
    assert problems(result | {"suggestions": [SUGGESTION]})


def test_the_closed_sets_are_those_of_the_code():
    outcomes = set(SCHEMA["$defs"]["unresolved"]["properties"]["outcome"]["enum"])
    assert outcomes == {outcome.value for outcome in Outcome} - {"filled"}
    reasons = set(SCHEMA["$defs"]["source"]["properties"]["reason"]["enum"])
    assert reasons == {reason.value for reason in Reason} | {None}


SAMPLE = "all-outcomes-in-one-record"


def spoiled(path, value):
    """Return the sample result with one place changed, or taken out (value None)."""
    case = next(case for case in own_cases() if case["id"] == SAMPLE)
    result = deepcopy(written(case, own_profile(case["profile"])))
    node = result
    for step in path[:-1]:
        node = node[step]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return result


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["fills"], None),
        (["unresolved"], None),
        (["sources"], None),
        (["origins"], None),
        (["digests", "record"], None),
        (["digests", "record"], "sha256:12"),
        (["conforms"], True),
        (["conforms"], "no"),
        (["record"], []),
        (["schema_version"], 2),
        (["suggestions"], [{"path": "/tally"}]),
        (["suggestions_status"], "later"),
        (["extra"], 1),
        (["fills", 0, "value"], None),
        (["fills", 0, "evidence_ref"], None),
        (["fills", 0, "evidence_ref"], "s1"),
        (["fills", 0, "confidence"], 1),
        (["fills", 0, "also"], "s2"),
        (["fills", 0, "cures"], [{"path": "/setting"}]),
        (["unresolved", 0, "outcome"], "filled"),
        (["unresolved", 0, "outcome"], "unknown"),
        (["unresolved", 0, "candidates"], None),
        (["unresolved", 0, "candidates"], [{"value": 1, "evidence_id": "s1"}]),
        (["sources", 0, "reason"], "unlucky"),
        (["sources", 0, "used"], None),
        (["origins", "/setting"], "guess"),
        (["suppressed", "search_bound"], "many"),
        (["suppressed"], {"bad_luck": 1}),
        (["suppressed"], {"clamped": 0}),
    ],
)
def test_another_shape_is_refused(path, value):
    assert problems(spoiled(path, value))
