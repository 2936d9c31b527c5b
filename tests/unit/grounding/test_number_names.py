"""Names with "no" in them that count or identify, and deny nothing."""

import pytest

from tests.unit.gates.gate_cases import check, records

CELLS = [{"productId": "K-7", name: 18} for name in ("No. of cells", "no_of_cells", "noOfCells")]
PARTS = [{"productId": "K-7", name: "A-12"} for name in ("Part No.", "part_no", "partNo")]


@pytest.mark.parametrize("record", CELLS)
@pytest.mark.parametrize(
    ("answer", "is_supported"),
    [
        ("The number of cells is 18 [e1].", True),
        ("The no. of cells is 18 [e1].", True),
        ("K-7 has 18 cells [e1].", True),
        ("The number of cells is not 18 [e1].", False),
        ("K-7 is not of cells 18 [e1].", False),
        ("K-7 does not have 18 cells [e1].", False),
        ("The number of cells is 8 [e1].", False),
    ],
)
def test_a_number_of_things(record, answer, is_supported):
    assert (check(records(record), answer).verdict == "supported") is is_supported


@pytest.mark.parametrize("record", PARTS)
@pytest.mark.parametrize(
    ("answer", "is_supported"),
    [
        ("The part number is A-12 [e1].", True),
        ("The part no. of K-7 is A-12 [e1].", True),
        ("The part is not A-12 [e1].", False),
        ("The part not A-12 [e1].", False),
    ],
)
def test_a_number_that_identifies(record, answer, is_supported):
    assert (check(records(record), answer).verdict == "supported") is is_supported


def test_a_name_that_denies_goes_on_denying():
    assert (
        check(records({"productId": "K-7", "containsNoLead": True}), "K-7 contains lead [e1].").verdict != "supported"
    )
