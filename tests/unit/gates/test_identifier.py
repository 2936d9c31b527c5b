"""Gate `identifier`, both sides."""

import pytest

from tests.unit.gates.gate_cases import outcome, records, texts


@pytest.mark.parametrize(
    ("evidence", "answer", "expected"),
    [
        ("Model B200.", "The model is B200 [e1].", "passed"),
        ("Model B200.", "The model is В200 [e1].", "failed"),
        ("Model B200.", "The model is B20 [e1].", "failed"),
        ("Tested to EN 60335-1:2012.", "It was tested to EN 60335-1:2012 [e1].", "passed"),
        ("Tested to EN 60335-1:2012.", "It was tested to EN 60335-1:2020 [e1].", "failed"),
        ("Product K1 has a mass of 3 kg.", "K1 has a mass of 3 kg [e1].", "passed"),
        ("Product K1 has a mass of 3 kg.", "K2 has a mass of 3 kg [e1].", "failed"),
    ],
)
def test_an_identifier_is_whole_and_exact(evidence, answer, expected):
    assert outcome("identifier", texts(evidence), answer) == expected


@pytest.mark.parametrize(("said", "expected"), [("007-31", "passed"), ("7-31", "undecided"), ("007-32", "undecided")])
def test_the_code_of_a_record_is_exact(said, expected):
    assert outcome("identifier", records({"lotCode": "007-31"}), f"The lot code is {said} [e1].") in {
        expected,
        "failed",
    }
