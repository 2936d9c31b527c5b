"""Claims of one answer that must be about one thing, and lists that must be told as a whole."""

import pytest

from tests.unit.gates.gate_cases import check, records

ONE, TWO = {"productId": "K-1", "tare_kg": 3}, {"productId": "K-2", "colour": "grey"}


@pytest.mark.parametrize(
    "answer",
    [
        "The tare of K-1 is 3 kg [e1]. Its colour is grey [e2].",
        "The tare of K-1 is 3 kg [e1] and its colour is grey [e2].",
        "The tare is 3 kg [e1] and the colour is grey [e2].",
        "The tare is 3 kg [e1]. The product is grey [e2].",
    ],
)
def test_facts_of_two_products_are_not_joined(answer):
    assert check(records(ONE, TWO), answer).verdict == "unsupported"
    assert check(records(ONE, TWO | {"productId": "K-1"}), answer).verdict == "supported"


def test_claims_that_name_their_products_may_stand_side_by_side():
    answer = "The tare of K-1 is 3 kg [e1]. The colour of K-2 is grey [e2]. Its tare is 4 kg [e2]."
    assert check(records(ONE, TWO | {"tare_kg": 4}), answer).verdict == "supported"


def test_given_claims_are_looked_at_in_the_order_of_the_answer():
    answer = "The tare of K-1 is 3 kg [e1]. Its colour is grey [e2]."
    claims = ["Its colour is grey", "The tare of K-1 is 3 kg"]
    for given in (claims, claims[::-1]):
        verdict = check(records(ONE, TWO), answer, claims=given)
        assert [claim.text for claim in verdict.claims] == given
        assert verdict.verdict == "unsupported"


def test_a_claim_that_names_no_product_is_ambiguous_where_two_have_other_values():
    other = {"productId": "K-2", "tare_kg": 4}
    assert check(records(ONE, other), "The tare is 3 kg [e1].").verdict == "unsupported"
    assert check(records(ONE, other), "The tare is 3 kg [e1].", product="K-1").verdict == "supported"
    assert check(records(ONE, other | {"tare_kg": 3}), "The tare is 3 kg [e1].").verdict == "supported"
    assert check(records(ONE, TWO), "The tare is 3 kg [e1].").verdict == "supported"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The tare of the lid is 1 kg and the colour is grey [e1].", False),
        ("The tare of the lid is 1 kg [e1]. Its colour is grey [e1].", False),
        ("The tare of the lid is 1 kg [e1]. Its shape is round [e1].", True),
        ("Its shape is round [e1].", False),
    ],
)
def test_facts_of_two_parts_are_not_joined(answer, expected):
    record = {"lid": {"tare_kg": 1, "shape": "round"}, "base": {"colour": "grey"}}
    assert (check(records(record), answer).verdict == "supported") == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The colours are red and blue [e1].", "supported"),
        ("The colours include red [e1].", "supported"),
        ("The colours are red [e1].", "undecided"),
        ("Colours: blue [e1].", "undecided"),
    ],
)
def test_some_values_of_a_list_are_not_all_of_them(answer, expected):
    assert check(records({"colours": ["red", "blue"]}), answer).verdict == expected


def test_a_digit_word_of_a_short_product_name_is_no_article():
    one, two = {"productId": "A", "tare_kg": 3}, {"productId": "B", "tare_kg": 4}
    assert check(records(one, two), "The product has a tare of 3 kg [e1].").verdict == "unsupported"
    assert check(records(one, two), "The tare of A is 3 kg [e1].").verdict == "supported"


@pytest.mark.parametrize(("field", "own", "another"), [("colour", "grey", "blue"), ("manufacturer", "Alpha", "Beta")])
def test_so_is_one_where_two_have_other_texts(field, own, another):
    answer = f"The {field} is {own} [e1]."
    assert check(records({"productId": "K-1", field: own}), answer).verdict == "supported"
    two = records({"productId": "K-1", field: own}, {"productId": "K-2", field: another})
    verdict = check(two, answer)
    assert verdict.verdict == "unsupported"
    assert {gate.detail for gate in verdict.claims[0].gates if gate.gate == "product"} == {"ambiguous_product"}
    assert check(two, f"The {field} of K-1 is {own} [e1].").verdict == "supported"
    same = records({"productId": "K-1", field: own}, {"productId": "K-2", field: own})
    assert check(same, answer).verdict == "supported"
    told = f"The {field} is {own} [e1]. The {field} of K-2 is {another} [e2]."
    assert check(two, told.replace("is", "of K-1 is", 1)).verdict == "supported"
