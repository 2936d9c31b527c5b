"""Gate `date`, both sides."""

import pytest

from tests.unit.gates.gate_cases import outcome, records, texts


@pytest.mark.parametrize(
    ("evidence", "answer", "expected"),
    [
        ("Assembled 2025-04-02.", "It was assembled on 2 April 2025 [e1].", "passed"),
        ("Assembled 2025-04-02.", "It was assembled on 4 February 2025 [e1].", "failed"),
        ("Assembled 2025-04-02.", "It was assembled in April 2025 [e1].", "passed"),
        ("Assembled in April 2025.", "It was assembled on 2 April 2025 [e1].", "failed"),
        ("Assembled 2025-04-02; tested 2025-05-09.", "It was tested on 2025-05-09 [e1].", "passed"),
        ("Assembled 2025-04-02; tested 2025-05-09.", "It was assembled on 2025-05-09 [e1].", "failed"),
        ("Delivered 02/04/2025.", "It was delivered on 2 April 2025 [e1].", "undecided"),
        ("Assembled in Ulm.", "It was assembled in Ulm [e1].", "not_applicable"),
    ],
)
def test_a_date_is_the_same_day_in_the_same_role(evidence, answer, expected):
    assert outcome("date", texts(evidence), answer) == expected


def test_a_timestamp_supports_its_own_day():
    record = {"issuedAt": "2025-04-02T23:30:00-05:00"}
    assert outcome("date", records(record), "Issued at: 2 April 2025 [e1].") == "passed"
    assert outcome("date", records(record), "Issued at: 3 April 2025 [e1].") == "failed"
