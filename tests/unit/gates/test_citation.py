"""Gate `citation`, both sides."""

import pytest

from tests.unit.gates.gate_cases import check, outcome, texts


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The tare is 3 kg [e1].", "passed"),
        ("The tare is 3 kg. [e1]", "passed"),
        ("The tare is 3 kg [e1][e2].", "passed"),
        ("The tare is 3 kg [e1, e2].", "passed"),
        ("The tare is 3 kg [e7].", "failed"),
        ("The tare is 3 kg [e1][e7].", "failed"),
        ("The tare is 3 kg.", "failed"),
    ],
)
def test_every_citation_leads_to_evidence(answer, expected):
    assert outcome("citation", texts("Tare 3 kg.", "Colour grey."), answer) == expected


def test_a_citation_belongs_to_its_own_clause():
    evidence = texts("Tare 3 kg.", "The frame is grey.")
    assert check(evidence, "The tare is 3 kg [e1] and the frame is grey [e2].").verdict == "supported"
    assert check(evidence, "The tare is 3 kg [e1] and the frame is grey.").verdict == "unsupported"
    assert check(evidence, "The tare is 3 kg [e2] and the frame is grey [e1].").verdict != "supported"


def test_an_id_is_no_identifier_of_the_product():
    evidence = [{"id": "K-7", "text": "The tare is 3 kg."}]
    assert check(evidence, "The tare is 3 kg [K-7].").verdict == "supported"
    assert check(evidence, "The crate with serial K-7 has a tare of 3 kg [K-7].").verdict != "supported"
