"""Tense and number that the forms of equal words tell, both sides."""

import pytest

from tests.unit.gates.gate_cases import check, texts


@pytest.mark.parametrize(
    ("held", "said", "expected"),
    [
        ("The maker is Alpha.", "The maker was Alpha", "unsupported"),
        ("The lid is wet.", "The lid had been wet", "unsupported"),
        ("The lid Karl weighs 3 kg.", "The lid Karl weighed 3 kg", "unsupported"),
        ("The lid was tested.", "The lid has been tested", "supported"),
        ("The lid was tested.", "The lid was tested", "supported"),
        ("A lid is wet.", "The lids are wet", "unsupported"),
        ("The battery contains zinc.", "Batteries contain zinc", "unsupported"),
        ("The lids contain zinc.", "The lids contain zinc", "supported"),
        ("The lid does not contain zinc.", "The lid contains no zinc", "supported"),
        ("The tare is 3 kg.", "The tare is exactly 3 kg", "unsupported"),
    ],
)
def test_a_claim_keeps_tense_number_and_precision(held, said, expected):
    assert check(texts(held), f"{said} [e1].").verdict == expected
