"""`verify` trusts nothing in a result: each way to tamper with one is seen."""

import copy
from decimal import Decimal
from typing import Any

import pytest

from veracord import EvidencePack, InputError, Profile, RecordComposer
from veracord.composer.verification import verify_result
from veracord.composer.verified_seed import GivenSeed
from veracord.records.reading import read_record

PROFILE = Profile.load("eu-dpp-demo")
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


def failed(told: dict[str, Any], evidence: EvidencePack | None = None, **given: Any) -> dict[str, str | None]:
    rows = verify_result(told, evidence or pack(), **given).rows
    # What failed first of a place is told first.
    return {row.path: row.reason for row in reversed(rows) if not row.ok}


def test_what_was_not_checked_is_told(result: dict[str, Any]) -> None:
    assert verify_result(result, pack()).not_checked == ("same_product", "rest_of_record")
    assert verify_result(result, pack(), profile=PROFILE).not_checked == ("rest_of_record",)
    counts = verify_result(result, pack()).to_dict()["counts"]
    assert counts == {"verified": 2, "failed": 0, "not_checked": 0}


def test_a_fill_without_its_origin_fails(result: dict[str, Any]) -> None:
    del result["origins"]["/product/category"]
    assert failed(result) == {"/product/category": "the origin of the leaf is another one"}


def test_two_fills_for_one_leaf_fail(result: dict[str, Any]) -> None:
    result["fills"].append(result["fills"][1])
    assert failed(result) == {"/product/category": "two fills stand for this leaf"}


SUGGESTION = {
    "path": "/carbon",
    "value": 3,
    "rationale": "it seems so",
    "confidence": Decimal("0.3"),
    "rank": 1,
    "source": "model_training",
    "status": "unverified",
    "requires_review": True,
}
NOT_MARKED = "a suggestion is not marked as what it is: unverified, and to be reviewed"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"status": "verified"}, NOT_MARKED),
        ({"source": "evidence"}, NOT_MARKED),
        ({"confidence": 1}, NOT_MARKED),
        ({"confidence": None}, NOT_MARKED),
        ({"requires_review": False}, NOT_MARKED),
        ({"requires_review": 1}, NOT_MARKED),
        ({"rationale": "x" * 281}, NOT_MARKED),
        ({"evidence_id": "sheet"}, NOT_MARKED),
        ({"path": 7}, "a suggestion is malformed"),
        ({"path": "/product/id", "value": "K-1"}, "the record holds what is only suggested"),
    ],
)
def test_a_suggestion_that_passes_for_more_fails(result: dict[str, Any], change: dict[str, Any], reason: str) -> None:
    result["suggestions"] = [SUGGESTION | change]
    assert list(failed(result).values()) == ([] if reason is None else [reason])


def test_suggestions_that_are_none_fail(result: dict[str, Any]) -> None:
    result["suggestions"] = "many"
    assert failed(result) == {"": "a suggestion is malformed"}


# ---- rows ---------------------------------------------------------------------------------------


@pytest.fixture
def rows() -> dict[str, Any]:
    record = {**RECORD, "materials": [{"name": "zinc"}, {"name": "tin"}]}
    return read_record(RecordComposer(PROFILE).repair(record, pack()).encode()).value


def fill_of(told: dict[str, Any], path: str) -> dict[str, Any]:
    return next(fill for fill in told["fills"] if fill["path"] == path)


def swap_shares(told: dict[str, Any]) -> None:
    """Let the two rows swap their shares, and all that is said of them."""
    first, second = (fill_of(told, f"/materials/{n}/share_pct") for n in (0, 1))
    for name in ("value", "source_pointer"):
        first[name], second[name] = second[name], first[name]
    told["record"]["materials"][0]["share_pct"] = first["value"]
    told["record"]["materials"][1]["share_pct"] = second["value"]


def test_only_the_profile_tells_rows_apart_whose_keys_are_not_filled(rows: dict[str, Any]) -> None:
    swap_shares(rows)
    assert failed(rows) == {}
    reason = "by its key this is not the same row of the source"
    assert failed(rows, profile=PROFILE) == {"/materials/0/share_pct": reason, "/materials/1/share_pct": reason}


def test_rows_that_are_mixed_are_seen_without_a_profile() -> None:
    record = {name: value for name, value in RECORD.items() if name != "materials"}
    told = read_record(RecordComposer(PROFILE).repair(record, pack()).encode()).value
    assert failed(told, profile=PROFILE) == {}
    swap_shares(told)
    reason = "leaves of this row of the record come from several rows of one source"
    assert failed(told) == {f"/materials/{row}/{name}": reason for row in (0, 1) for name in ("name", "share_pct")}


def test_two_rows_of_a_record_from_one_of_a_source_fail(rows: dict[str, Any]) -> None:
    fill_of(rows, "/materials/1/share_pct").update(value=60, source_pointer="/materials/1/share_pct")
    rows["record"]["materials"][1]["share_pct"] = 60
    reason = "several rows of the record come from this row of the source"
    assert failed(rows) == {"/materials/0/share_pct": reason, "/materials/1/share_pct": reason}


# ---- decided anew -------------------------------------------------------------------------------

OTHER_PRODUCT = "the source is not about the same product, or does not count"


def told_of(result: dict[str, Any], *items: dict[str, Any], path: str = "/product/category") -> Any:
    """Return why a fill fails by the profile that names the last of several sources, whose digest is right."""
    evidence = EvidencePack.from_items([{"id": "sheet", "content": SOURCE}, *items])
    last = next(item for item in evidence.items if item.id == items[-1]["id"])
    fill = fill_of(result, path)
    fill.update(evidence_id=last.id, evidence_ref=last.evidence_ref)
    assert verify_result(result, evidence).ok
    return failed(result, evidence, profile=PROFILE).get(path)


def test_a_source_about_another_product_is_refused(result: dict[str, Any]) -> None:
    other = {"product": {"id": "K-2", "category": "display"}}
    assert told_of(result, {"id": "other", "content": other}) == OTHER_PRODUCT


def test_the_record_itself_is_no_source(result: dict[str, Any]) -> None:
    assert told_of(result, {"id": "old", "content": {**SOURCE, "dpp_id": "DPP-77"}}) == OTHER_PRODUCT


def test_any_source_that_says_the_same_may_be_named(result: dict[str, Any]) -> None:
    assert told_of(result, {"id": "twin", "content": SOURCE}) is None


def test_sources_that_disagree_fill_nothing(result: dict[str, Any]) -> None:
    other = {"product": {**SOURCE["product"], "category": "laptop"}}
    rival, twin = {"id": "a", "content": other}, {"id": "twin", "content": SOURCE}
    assert told_of(result, rival, twin) == "sources disagree"
    assert (
        told_of(result, {**rival, "rank": 1}, twin)
        == "the source does not count here, others state the value otherwise"
    )


def test_a_suggestion_in_the_place_of_a_rival_is_seen(result: dict[str, Any]) -> None:
    other = {"product": {**SOURCE["product"], "category": "laptop"}}
    guessed = {"id": "a", "content": other, "origins": {"/product/category": "suggestion_origin"}}
    assert told_of(result, guessed, {"id": "twin", "content": SOURCE}) == "sources disagree"


def test_another_context_is_refused() -> None:
    carbon = {"functional_unit": "one year", "total_kg_co2e": 5}
    same = {"id": "K-1", "brand": "Kestrelworks", "model": "Two"}
    evidence = EvidencePack.from_items([{"id": "sheet", "content": {**SOURCE, "product": same, "carbon": carbon}}])
    record = {**RECORD, "carbon": {"functional_unit": "one year", "total_kg_co2e": -1}}
    told = read_record(RecordComposer(PROFILE).repair(record, evidence).encode()).value
    assert failed(told, evidence, profile=PROFILE) == {}
    told["record"]["carbon"]["functional_unit"] = "17 years"
    assert failed(told, evidence) == {}
    assert failed(told, evidence, profile=PROFILE) == {
        "/carbon/total_kg_co2e": "the source's value belongs to another context"
    }


def test_a_value_that_the_profile_refuses_is_no_fill(result: dict[str, Any]) -> None:
    source = {"product": {**SOURCE["product"], "category": "spaceship"}}
    evidence = EvidencePack.from_items([{"id": "sheet", "content": {**SOURCE, **source}}])
    for fill in result["fills"]:
        fill["evidence_ref"] = evidence.items[0].evidence_ref
    fill_of(result, "/product/category")["value"] = result["record"]["product"]["category"] = "spaceship"
    assert failed(result, evidence) == {}
    assert failed(result, evidence, profile=PROFILE)["/product/category"] == "the value violates the profile"


def test_what_only_the_caller_may_state_is_no_fill(result: dict[str, Any]) -> None:
    evidence = pack(issued_at_utc="2024-01-01T00:00:00Z")
    for fill in result["fills"]:
        fill["evidence_ref"] = next(item for item in evidence.items if item.id == "sheet").evidence_ref
    path = "/issued_at_utc"
    value = result["record"]["issued_at_utc"] = "2024-01-01T00:00:00Z"
    result["origins"][path] = "evidence"
    result["fills"].append({**result["fills"][1], "path": path, "source_pointer": path, "value": value})
    assert failed(result, evidence) == {}
    assert failed(result, evidence, profile=PROFILE) == {path: "the profile leaves this place to the caller"}


def test_another_profile_or_verdict_is_seen(result: dict[str, Any]) -> None:
    result["conforms"] = not result["conforms"]
    assert failed(result) == {}
    assert failed(result, profile=PROFILE) == {"": "whether the record conforms is not as the result says"}
    result["conforms"] = not result["conforms"]
    other = PROFILE.with_identity([["/product/brand"]])
    assert "its digest differs" in str(failed(result, profile=other)[""])


def test_a_repair_has_no_seed(result: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="no_seed"):
        verify_result(result, pack(), seed=GivenSeed(RECORD))


def test_other_sources_that_are_named_are_decided_anew() -> None:
    other = {"product": {**SOURCE["product"], "category": "laptop"}}
    items = [{"id": "sheet", "content": SOURCE, "rank": 1}, {"id": "old", "content": other, "rank": 2}]
    evidence = EvidencePack.from_items([*items, {"id": "twin", "content": SOURCE}])
    told = read_record(RecordComposer(PROFILE).repair(RECORD, evidence).encode()).value
    fill = fill_of(told, "/product/category")
    assert (fill["also"], fill["overruled"]) == (["twin"], ["old"])
    assert failed(told, evidence, profile=PROFILE) == {}
    fill.update(also=["old"])
    assert "also names a source" in str(failed(told, evidence, profile=PROFILE)["/product/category"])
    fill.update(also=[], overruled=[])
    assert "overruled are not those" in str(failed(told, evidence, profile=PROFILE)["/product/category"])


def test_a_violation_that_is_not_told_is_seen(result: dict[str, Any]) -> None:
    silent = "the record violates the profile here, and the result is silent"
    result["record"]["dpp_id"] = 7
    assert failed(result, profile=PROFILE)["/dpp_id"] == silent
    result["profile"] = "eu-dpp-demo@9"
    assert failed(result, profile=PROFILE)[""] == "the profile of the result has another name or version"
