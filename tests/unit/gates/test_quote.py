"""Gate `quote`, both sides."""

import pytest

from tests.unit.gates.gate_cases import check, outcome, records, texts


@pytest.mark.parametrize(
    ("evidence", "answer", "expected"),
    [
        ("The lid is only washable by hand.", 'The source says "The lid is only washable by hand" [e1].', "passed"),
        ("The lid is only washable by hand.", 'The source says "The lid is washable by hand" [e1].', "failed"),
        ("The lid is not fit for ovens.", 'The source says "The lid is … fit for ovens" [e1].', "failed"),
        ("The lid is not fit for ovens.", 'The source says "fit for ovens" [e1].', "failed"),
        ("It holds 35 ml of oil.", 'It holds "35 ml of oil" [e1].', "passed"),
        ("It holds 35 ml of oil.", 'It holds "5 ml of oil" [e1].', "failed"),
        ("Keep below 2.5 bar.", 'The manual says "Keep below 2.5 bar" [e1].', "passed"),
        ("Keep below 2.5 bar.", 'The manual says "Keep below 25 bar" [e1].', "failed"),
        ("The lid is grey.", 'The lid is "grey" [e1].', "failed"),
        ("The lid is grey.", "The lid is grey [e1].", "not_applicable"),
    ],
)
def test_a_quotation_is_verbatim(evidence, answer, expected):
    assert outcome("quote", texts(evidence), answer) == expected


def test_a_quotation_comes_from_the_item_that_is_cited():
    evidence = texts("The lid is grey.", "The base is black.")
    assert check(evidence, 'One source says "The base is black" [e2].').verdict == "supported"
    assert check(evidence, 'One source says "The base is black" [e1].').verdict == "unsupported"


def test_a_value_of_a_record_is_quoted_for_its_field():
    evidence = records({"usage": "Keep dry and out of the sun at all times.", "other": "Wash by hand with warm water."})
    good = 'The record states "Keep dry and out of the sun at all times" for the usage [e1].'
    assert check(evidence, good).verdict == "supported"
    assert check(evidence, good.replace("for the usage", "for the other")).verdict != "supported"
    assert check(evidence, good.replace("dry and", "and")).verdict == "unsupported"
