"""Gate `product`, both sides."""

import pytest

from tests.unit.gates.gate_cases import check, outcome, records

ONE, TWO = {"productId": "K-1", "tare": 3}, {"productId": "K-2", "tare": 4}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The tare of product K-1 is 3 [e1].", "passed"),
        ("For product K-2, the tare is 4 [e2].", "passed"),
        ("The tare of product K-1 is 4 [e2].", "failed"),
        ("The tare of product K-9 is 4 [e2].", "failed"),
    ],
)
def test_the_evidence_is_about_the_product_of_the_claim(answer, expected):
    assert outcome("product", records(ONE, TWO), answer) == expected


def test_evidence_about_another_product_than_the_one_asked_about_fails():
    assert outcome("product", records(ONE, TWO), "The tare is 4 [e2].", product="K-1") == "failed"
    assert check(records(ONE, TWO), "The tare is 3 [e1].", product="K-1").verdict == "supported"
