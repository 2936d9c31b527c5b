"""Gate `conflict`, both sides."""

import pytest

from tests.unit.gates.gate_cases import check, outcome, records, texts


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (texts("Tare 3 kg.", "Tare 4 kg."), "failed"),
        (texts("Tare 3 kg.", "Tare 3000 g."), "passed"),
        (texts("Tare 3 kg.", "Net mass 4 kg."), "passed"),
        (records({"tare": {"value": 3, "unit": "kg"}}, {"tare": {"value": 4, "unit": "kg"}}), "failed"),
        (records({"productId": "K-1", "tare": {"value": 3, "unit": "kg"}}, {"productId": "K-2", "tare": 4}), "passed"),
        ([*texts("Tare 3 kg."), {"id": "r", "content": {"tare": {"value": 4, "unit": "kg"}}}], "failed"),
    ],
)
def test_conflicting_evidence_is_not_used_one_sidedly(evidence, expected):
    assert outcome("conflict", evidence, "The tare is 3 kg [e1].") == expected


def test_an_answer_that_tells_both_sides_is_supported():
    answer = "One source gives the tare as 3 kg [e1], another as 4 kg [e2]."
    assert check(texts("Tare 3 kg.", "Tare 4 kg."), answer).verdict == "supported"
    assert check(texts("Tare 3 kg.", "Tare 5 kg."), answer).verdict != "supported"


def test_texts_with_one_label_and_two_values_are_in_conflict():
    assert check(texts("Colour: grey.", "Colour: black."), "The colour is grey [e1].").verdict == "unsupported"
