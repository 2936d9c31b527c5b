"""Rivals of a field in whatever wording support would know it by, and what is no rival."""

import pytest

from tests.unit.gates.gate_cases import check, records, texts

RECORD = {"productId": "K-1", "tare": {"value": 3, "unit": "kg"}, "maker": "Alpha", "material": "zinc", "wet": True}


def outcome_beside(claim, *others):
    evidence = [*records(RECORD), *({"id": f"o{at}", **other} for at, other in enumerate(others))]
    verdict = check(evidence, f"{claim} [e1].")
    return next(str(gate.outcome) for gate in verdict.claims[0].gates if gate.gate == "conflict")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tare of K-1 is 4 kg.", "failed"),
        ("Product K-1 has a tare of 4 kg.", "failed"),
        ("The tare of the product is not 3 kg.", "failed"),
        ("The tare is more than 3 kg.", "failed"),
        ("tare = 4 kg", "failed"),
        ("| Parameter | Value | Unit |\n|---|---|---|\n| Tare | 4 | kg |", "failed"),
        ("The product is grey and the tare is 4 kg.", "failed"),
        ("## Product K-1\n\nThe tare is 4 kg.", "failed"),
        ("The tare is 4 kg. This is only an estimate.", "failed"),
        ("The tare of K-2 is 4 kg.", "passed"),
        ("The lid tare is 4 kg.", "passed"),
        ("## Lid\n\nThe tare is 4 kg.", "passed"),
        ("The tare is about 3 kg.", "passed"),
        ("The tare is 3000 g.", "passed"),
        ("The tare is at most 4 kg.", "passed"),
        ("The tare may be 4 kg.", "passed"),
        ("Is the tare 4 kg?", "passed"),
        ("- [ ] The tare is 4 kg.", "passed"),
        ("Optional:\n- The tare is 4 kg.", "passed"),
    ],
)
@pytest.mark.parametrize("claim", ["The tare is 3 kg", "The tare value is 3 kg"])
def test_a_text_that_says_the_field_otherwise_is_a_rival(claim, text, expected):
    assert outcome_beside(claim, {"text": text}) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"productId": "K-1 ", "tare": "4 kg"}, "failed"),
        ({"productId": "K-2", "tare": "4 kg"}, "passed"),
        ({"productId": "K-1", "lid": {"colour": "grey"}}, "passed"),
        ({"tare": {"value": 3000, "unit": "g"}}, "passed"),
    ],
)
def test_a_record_that_says_the_field_otherwise_is_a_rival(content, expected):
    assert outcome_beside("The tare value is 3 kg", {"content": content}) == expected


@pytest.mark.parametrize(
    ("claim", "text", "expected"),
    [
        ("The maker is Alpha", "The maker is Beta.", "failed"),
        ("The maker is Alpha", "The maker is Alpha AG.", "passed"),
        ("The maker is Alpha", "The maker is reliable.", "passed"),
        ("The maker is Alpha", "The maker is in Ulm.", "passed"),
        ("The material is zinc", "The product is made of tin.", "failed"),
        ("The material is zinc", "The product is made of pure zinc.", "passed"),
        ("The product is wet", "The product is not wet.", "failed"),
    ],
)
def test_a_text_value_has_rivals_where_it_has_one_value(claim, text, expected):
    assert outcome_beside(claim, {"text": text}) == expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("The lid is made of zinc.", "The lid is made of tin.", "unsupported"),
        ("The lid is made of zinc.", "The frame is made of tin.", "supported"),
        ("The lid is red.", "The lid is blue.", "unsupported"),
        ("The lid is red.", "The lid is light.", "supported"),
        ("The maker is Alpha.", "The maker is Beta.", "unsupported"),
        ("The tare is 3 kg.", "The product has a tare of 4 kg.", "unsupported"),
        ("Der Deckel besteht aus Zink.", "Der Deckel besteht aus Zinn.", "unsupported"),
        ("The tare of cell 1 is 3 kg.", "The tare of cell 2 is 4 kg.", "supported"),
        ("The tare of cell 1 is 3 kg.", "The tare of cell 1 is 4 kg.", "unsupported"),
    ],
)
def test_two_texts_exclude_each_other_only_where_there_is_one_value(one, two, expected):
    assert check(texts(one, two), f"{one.rstrip('.')} [e1].").verdict == expected
    assert check(texts(f"{one} {two}"), f"{one.rstrip('.')} [e1].").verdict == expected


def test_an_answer_that_tells_the_rival_in_other_words_is_supported():
    evidence = [*records({"tare": {"value": 3, "unit": "kg"}}), {"id": "e2", "text": "The tare is 4 kg."}]
    answer = "One source gives the tare as 3 kg [e1], another as 4 kg [e2]."
    assert check(evidence, answer).verdict == "supported"
