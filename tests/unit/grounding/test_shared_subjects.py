"""What is said of a part, a value or a person is never held against the product that the record is about."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracord.bootstrap.answer_lines import judge_line
from veracord.grounding.verifier import Verifier

KETTLE = {
    "productId": "K-7",
    "lid": "glass",
    "box": {"colour": "green", "mass_kg": 1},
    "distributor": "Orvo AG",
    "mass_kg": 3,
    "colour": "white",
    "isHeatproof": True,
    "countryOfOrigin": "Austria",
    "range_km": 9,
}
DESIGN = {"title": "Tern", "Designer": "Di Fenn", "Introduced": "2011", "colour": "white"}
PAINTER = {"title": "Di Fenn", "Born": "1952-10-06", "Died": "2012-05-04", "Occupation": "Painter"}


def verdict(content, answer):
    line = {"id": 1, "evidence": [{"id": "e1", "content": content}], "answer": answer}
    return judge_line(Verifier(), line)["verdict"]


@pytest.mark.parametrize(
    "subject",
    [
        "The lid of K-7 is glass",
        "The lid is glass",
        "K-7's lid is glass",
        "Its lid is glass",
        "Glass is the lid of K-7",
        "The box of K-7 is green",
        "The distributor of K-7 is Orvo AG",
        "Orvo AG is the distributor of K-7",
        "Orvo AG distributes K-7",
    ],
)
@pytest.mark.parametrize(
    "tail",
    [
        " and weighs 3 kg",
        " and is heatproof",
        ", weighing 3 kg",
        " and has a mass of 3 kg",
        " and a mass of 3 kg",
        " and its mass is 3 kg",
        ", and it is from Austria",
        " and is from Austria",
        ", which weighs 3 kg",
        " which is from Austria",
        " und wiegt 3 kg",
        " [e1]. It weighs 3 kg",
        " [e1]. Its mass is 3 kg",
        " [e1]. It also weighs 3 kg",
        " and its range is 9 km",
    ],
)
def test_a_fact_of_the_product_is_not_one_of_its_parts(subject, tail):
    assert verdict(KETTLE, f"{subject}{tail} [e1].") != "supported"


@pytest.mark.parametrize(
    "said",
    [
        "The mass of K-7 is 3 kg and is heatproof",
        "The colour of K-7 is white and weighs 3 kg",
        "The lid of K-7 is glass and the mass is 3 kg",
        "Weighing 3 kg, the lid of K-7 is glass",
    ],
)
def test_a_value_weighs_nothing(said):
    assert verdict(KETTLE, f"{said} [e1].") != "supported"


@pytest.mark.parametrize(
    "said",
    [
        "K-7 is white and weighs 3 kg [e1].",
        "K-7 is heatproof and is from Austria [e1].",
        "The mass of K-7 is 3 kg and its colour is white [e1].",
        "The mass is 3 kg and the colour is white [e1].",
        "The colour of K-7 is white [e1]. Its mass is 3 kg [e1].",
        "K-7 is white [e1]. It weighs 3 kg [e1].",
        "The lid of K-7 is glass and the mass of K-7 is 3 kg [e1].",
        "The lid of K-7 is glass, and K-7 weighs 3 kg [e1].",
        "The box of K-7 is green and weighs 1 kg [e1].",
        "The box is green [e1]. It weighs 1 kg [e1].",
        "The product is white and weighs 3 kg [e1].",
    ],
)
def test_a_fact_of_what_the_sentence_is_about_is_supported(said):
    assert verdict(KETTLE, said) == "supported"


@pytest.mark.parametrize(
    "said",
    [
        "She was introduced in 2011 [e1].",
        "Her colour is white [e1].",
        "The designer of Tern is Di Fenn [e1]. She was introduced in 2011 [e1].",
        "Tern was designed by Di Fenn, who was introduced in 2011 [e1].",
        "The designer of Tern is Di Fenn and was introduced in 2011 [e1].",
    ],
)
def test_a_person_is_no_product(said):
    assert verdict(DESIGN, said) != "supported"


@pytest.mark.parametrize(
    "said", ["She was born in 1952 [e1].", "Di Fenn was born in 1952 [e1]. She died in 2012 [e1]."]
)
def test_a_record_of_a_person_is_spoken_of_as_one(said):
    assert verdict(PAINTER, said) == "supported"


def test_a_claim_that_is_given_is_held_to_the_sentence_that_it_stands_in():
    line = {
        "id": 1,
        "evidence": [{"id": "e1", "content": KETTLE}],
        "answer": "The lid of K-7 is glass and weighs 3 kg [e1].",
        "claims": ["The lid of K-7 is glass.", "weighs 3 kg."],
    }
    assert judge_line(Verifier(), line)["verdict"] != "supported"


def test_a_text_tells_the_subject_of_what_a_record_is_cited_for():
    evidence = [{"id": "e1", "content": KETTLE}, {"id": "e2", "text": "The handle is black."}]
    line = {"id": 1, "evidence": evidence, "answer": "The handle is black [e2]. It weighs 3 kg [e1]."}
    assert judge_line(Verifier(), line)["verdict"] != "supported"


SHUFFLED = (
    "K-7 the lid box of is are was made from out free consists besteht aus amounts to comes at there more than less as"
    " well in accordance with serial number no. and , ; which glass green 3 kg Austria it its weighs not by"
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(SHUFFLED.split()), min_size=1, max_size=12))
def test_no_order_of_words_is_a_fault(words):
    assert json.dumps(verdict(KETTLE, f"{' '.join(words)} [e1]."))


@pytest.mark.parametrize("end", ["is made of", "made of", "is made", "as well", "free of", "there", "consists of"])
def test_a_claim_may_end_with_the_beginning_of_a_phrase(end):
    assert verdict(KETTLE, f"K-7 {end} [e1].") != "supported"
    assert verdict(KETTLE, f"K-7 {end} and from Austria [e1].") != "supported"
