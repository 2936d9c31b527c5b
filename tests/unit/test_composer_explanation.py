"""`explain` tells from the result alone where a value comes from, or why its place is open."""

from typing import Any

import pytest

from veracord import EvidencePack, InputError, Profile, RecordComposer
from veracord.composer.explanation import explain
from veracord.records.reading import read_record


@pytest.fixture
def result() -> dict[str, Any]:
    record = {
        "schema_version": "1",
        "dpp_id": "DPP-5",
        "product": {"id": "W-1", "brand": "Wendelin", "model": "Three"},
        "materials": [{"name": "zinc", "share_pct": 100}],
        "compliance": {"standards": []},
        "circularity": {"repairability_index": 12},
    }
    same = {"id": "W-1", "brand": "Wendelin", "model": "Three"}
    pack = EvidencePack.from_items(
        [
            {
                "id": "a",
                "rank": 1,
                "content": {"product": {**same, "category": "laptop"}, "compliance": {"standards": ["EN 1", "EN 2"]}},
            },
            {"id": "b", "rank": 2, "content": {"product": {**same, "category": "display"}}},
        ]
    )
    return read_record(RecordComposer(Profile.load("eu-dpp-demo")).repair(record, pack).encode()).value


def test_a_fill_is_told_with_its_source(result: dict[str, Any]) -> None:
    explanation = explain(result, "/product/category")
    assert explanation.origin == "evidence"
    assert explanation.lines() == [
        '/product/category = "laptop"',
        f"  from evidence a at /product/category ({result['fills'][1]['evidence_ref']})",
        "  a better rank overrules b",
        "  cures required at /product/category",
    ]


def test_an_open_place_is_told_with_its_reason(result: dict[str, Any]) -> None:
    explanation = explain(result, "/circularity/repairability_index")
    assert explanation.origin == "open"
    assert explanation.lines() == [
        "/circularity/repairability_index is open: must be at most 10 (maximum)",
        "  no_source: no source about this product states it",
    ]


def test_a_value_that_came_with_the_record_is_told_so(result: dict[str, Any]) -> None:
    assert explain(result, "/product/brand").origin == "input"


def test_an_item_of_an_array_is_told_by_the_fill_of_the_array(result: dict[str, Any]) -> None:
    explanation = explain(result, "/compliance/standards/1")
    assert explanation.origin == "evidence"
    assert explanation.value == "EN 2"
    assert [fill["path"] for fill in explanation.fills] == ["/compliance/standards"]


def test_a_container_tells_all_that_is_below_it(result: dict[str, Any]) -> None:
    explanation = explain(result, "")
    assert explanation.origin == "several"
    assert len(explanation.fills) == 2
    assert len(explanation.unresolved) == 1


@pytest.mark.parametrize(
    ("pointer", "code"),
    [("/product/colour", "no_such_place"), ("product", "invalid_pointer"), ("/a~2", "invalid_pointer")],
)
def test_a_pointer_that_names_nothing_is_refused(result: dict[str, Any], pointer: str, code: str) -> None:
    with pytest.raises(InputError) as refused:
        explain(result, pointer)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "fill",
    [7, {}, {"path": "/a"}, {"path": "a", "evidence_id": "", "evidence_ref": "", "source_pointer": "", "value": 1}],
)
def test_a_malformed_fill_is_no_result(result: dict[str, Any], fill: Any) -> None:
    result["fills"].append(fill)
    with pytest.raises(InputError, match="not_a_result"):
        explain(result, "")


def test_rows_may_hold_anything_where_nothing_is_needed(result: dict[str, Any]) -> None:
    result["fills"][0] |= {"also": 7, "overruled": {"a": 1}, "cures": [3, {"rule": 1}]}
    result["unresolved"][0] |= {"detail": 5, "uncovered_by": [], "candidates": "x"}
    result["origins"] = {"/product": 1}
    assert explain(result, "").lines()


BACK = "a suggestion that came back; it supports nothing"


@pytest.fixture
def marked(result: dict[str, Any]) -> dict[str, Any]:
    result["origins"] |= {
        "/product/model": "suggestion_origin",
        "/dpp_id": "declared",
        "/compliance/standards": "accepted_suggestion",
        "/circularity/repairability_index": "suggestion_origin",
    }
    return result


def test_a_suggestion_that_came_back_is_told(marked: dict[str, Any]) -> None:
    explanation = explain(marked, "/product/model")
    assert explanation.origin == "suggestion_origin"
    assert explanation.to_dict()["origins"] == {"/product/model": "suggestion_origin"}
    assert explanation.lines()[-1] == f"/product/model: {BACK} (suggestion_origin)"


def test_what_is_declared_is_told(marked: dict[str, Any]) -> None:
    assert explain(marked, "/dpp_id").origin == "declared"
    assert "declared by who gave it" in explain(marked, "/dpp_id").lines()[-1]


def test_an_open_place_that_holds_a_suggestion_is_told(marked: dict[str, Any]) -> None:
    explanation = explain(marked, "/circularity/repairability_index")
    assert explanation.origin == "open"
    assert any(BACK in line for line in explanation.lines())


def test_a_larger_value_names_the_suggestions_in_it(marked: dict[str, Any]) -> None:
    marked["origins"].pop("/product/category")
    explanation = explain({**marked, "fills": []}, "/product")
    assert explanation.origin == "several"
    assert f"/product/model: {BACK} (suggestion_origin)" in explanation.lines()
    assert "origins" not in explain(marked, "/schema_version").to_dict()


def test_an_item_of_a_suggestion_is_one(marked: dict[str, Any]) -> None:
    explanation = explain({**marked, "fills": []}, "/compliance/standards/0")
    assert explanation.origin == "accepted_suggestion"


def test_an_unknown_origin_is_not_repeated(result: dict[str, Any]) -> None:
    result["origins"]["/product/model"] = "wat"
    assert explain(result, "/product/model").origin == "several"
