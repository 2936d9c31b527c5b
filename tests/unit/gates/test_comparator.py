"""Gate `comparator`, both sides."""

import pytest

from tests.unit.gates.gate_cases import outcome, texts


@pytest.mark.parametrize(
    ("evidence", "answer", "expected"),
    [
        ("Yield ≥ 80 %.", "The yield is at least 80 % [e1].", "passed"),
        ("Yield ≥ 80 %.", "The yield is at most 80 % [e1].", "failed"),
        ("Yield ≥ 80 %.", "The yield is 80 % [e1].", "failed"),
        ("Yield ≥ 80 %.", "The yield is more than 80 % [e1].", "failed"),
        ("Width 30 mm.", "The width is more than 30 mm [e1].", "failed"),
        ("Width 30 mm.", "The width is at least 30 mm [e1].", "failed"),
        ("Residue < 0.2 %.", "The residue is below 0.2 % [e1].", "passed"),
        ("Residue < 0.2 %.", "The residue is 0.2 % [e1].", "failed"),
        ("Tare ca. 6 kg.", "The tare is approximately 6 kg [e1].", "passed"),
        ("Tare ca. 6 kg.", "The tare is 6 kg [e1].", "failed"),
        ("Share 12.678 %.", "The share is about 12.7 % [e1].", "passed"),
        ("Temperature 5 °C to 40 °C.", "The temperature is 40 °C [e1].", "failed"),
    ],
)
def test_bounds_ranges_and_hedges_are_kept(evidence, answer, expected):
    assert outcome("comparator", texts(evidence), answer) == expected
