"""`verify` trusts nothing in a result: each way to tamper with one is seen."""

import copy
from typing import Any

import pytest

from veracord import EvidencePack, InputError, Profile, RecordComposer
from veracord.composer.verification import verify_result
from veracord.records.reading import read_record

RECORD = {
    "schema_version": "1",
    "dpp_id": "DPP-77",
    "product": {"id": "K-1", "brand": "Kestrelworks", "model": "Two"},
    "materials": [{"name": "zinc"}, {"name": "tin", "share_pct": 40}],
    "compliance": {"standards": ["EN 1"]},
}
SOURCE = {
    "product": {"id": "K-1", "brand": "Kestrelworks", "model": "Two", "category": "display"},
    "materials": [{"name": "tin", "share_pct": 40}, {"name": "zinc", "share_pct": 60}],
}


def pack(**changes: Any) -> EvidencePack:
    item = {"id": "sheet", "content": {**SOURCE, **changes}}
    return EvidencePack.from_items([item, {"id": "note", "text": "nothing"}])


@pytest.fixture
def result() -> dict[str, Any]:
    repaired = RecordComposer(Profile.load("eu-dpp-demo")).repair(RECORD, pack())
    assert [fill.path for fill in repaired.fills] == ["/materials/0/share_pct", "/product/category"]
    return read_record(repaired.encode()).value


def test_an_untouched_result_is_verified(result: dict[str, Any]) -> None:
    verification = verify_result(result, pack())
    assert verification.ok
    assert [row.path for row in verification.rows] == ["/materials/0/share_pct", "/product/category"]


def test_changed_evidence_fails_although_the_value_is_the_same(result: dict[str, Any]) -> None:
    verification = verify_result(result, pack(notes="one byte more"))
    assert not verification.ok
    assert all("digest differs" in str(row.reason) for row in verification.rows)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"value": "laptop"}, "the evidence does not hold this value there"),
        ({"source_pointer": "/product/model"}, "the source pointer is another place"),
        ({"source_pointer": "/product/kind"}, "the source pointer is another place"),
        ({"source_pointer": "product"}, "a pointer is malformed"),
        ({"evidence_id": "elsewhere"}, "no evidence has this id, other evidence has this reference"),
        ({"evidence_id": "note"}, "the evidence is not what it was: its digest differs"),
        ({"evidence_ref": "sha256:" + "0" * 64}, "the evidence is not what it was: its digest differs"),
        ({"path": "/product/brand"}, "the source pointer is another place"),
        ({"value": None}, "the evidence does not hold this value there"),
        ({"path": 7}, "the fill is malformed"),
        ({"also": ["nobody"]}, "also names evidence that is not there"),
        ({"overruled": None}, "overruled names evidence that is not there"),
    ],
)
def test_a_changed_fill_fails(result: dict[str, Any], change: dict[str, Any], reason: str) -> None:
    tampered = copy.deepcopy(result)
    tampered["fills"][1].update(change)
    rows = verify_result(tampered, pack()).rows
    assert rows[0].ok
    assert rows[1].reason == reason


def test_a_record_that_does_not_hold_the_fill_fails(result: dict[str, Any]) -> None:
    result["record"]["product"]["category"] = "laptop"
    assert verify_result(result, pack()).rows[1].reason == "the record does not hold this value"


def test_an_origin_without_a_fill_fails(result: dict[str, Any]) -> None:
    result["origins"]["/product/brand"] = "evidence"
    assert verify_result(result, pack()).rows[-1].reason == "no fill explains this origin"


def test_a_leaf_that_was_a_suggestion_in_the_evidence_fails(result: dict[str, Any]) -> None:
    item = {"id": "sheet", "content": SOURCE, "origins": {"/product/category": "accepted_suggestion"}}
    rows = verify_result(result, EvidencePack.from_items([item])).rows
    assert rows[1].reason == "the evidence itself was a suggestion there"


def test_a_result_of_another_version_is_refused(result: dict[str, Any]) -> None:
    result["schema_version"] = 99
    with pytest.raises(InputError, match="not_a_result"):
        verify_result(result, pack())


def test_what_is_no_result_is_refused() -> None:
    with pytest.raises(InputError, match="not_a_result"):
        verify_result({"fills": []}, pack())
