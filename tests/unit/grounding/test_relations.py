"""Verbs that stand for fields, German compounds, and objects that hold one quantity."""

from decimal import Decimal

import pytest

from tests.unit.gates.gate_cases import check, records
from veracord.gates.atoms import atoms_of
from veracord.gates.glossary import parts_of_compound
from veracord.grounding.bounds import bound_of, limited, range_of
from veracord.grounding.claim_parts import claim_parts_of
from veracord.grounding.names import name_of
from veracord.grounding.relations import relations_of
from veracord.language.quantities import single_quantity

FILM = {"title": ["Low Tide"], "Directed by": ["Ann Berg"], "Starring": ["Gil Hart"], "Running time": ["90 minutes"]}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Low Tide was directed by Ann Berg [e1].", "supported"),
        ("Ann Berg directed Low Tide [e1].", "supported"),
        ("Low Tide directed Ann Berg [e1].", "undecided"),
        ("Gil Hart starred in Low Tide [e1].", "supported"),
        ("The film Low Tide stars Gil Hart [e1].", "supported"),
        ("The album Low Tide stars Gil Hart [e1].", "undecided"),
        ("Low Tide was directed by Gil Hart [e1].", "unsupported"),
    ],
)
def test_a_verb_has_its_value_on_one_side(answer, verdict):
    assert check(records(FILM), answer).verdict == verdict


def test_a_plural_in_brackets_is_the_same_field():
    assert relations_of(name_of("Spouse(s)")) == relations_of(name_of("Spouse"))
    assert relations_of(name_of("tare")) == ()


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("nennspannung", ("nenn", "voltage")),
        ("entladetiefe", ("depth", "of", "discharge")),
        ("kabelquerschnitt", ("cable", "cross", "section")),
        ("spannungsprüfer", ()),
        ("manifestation", ()),
        ("1" * 100_000, ()),
    ],
)
def test_only_known_parts_make_a_compound(word, parts):
    assert parts_of_compound(word) == parts


def test_an_operator_limits_the_number_beside_it():
    assert bound_of({"value": 1, "operator": "<"}, "value") == "<"
    assert bound_of({"value": 1, "operator": "perhaps"}, "value") == "?"
    assert bound_of({"value": 1, "unit": "kg"}, "value") == ""
    quantity = single_quantity(Decimal(5))
    assert limited(quantity, "<").low is None
    assert limited(quantity, "±1").high == 6
    assert limited(quantity, "?") is None


def test_two_ends_and_no_other_number_are_a_range():
    assert range_of({"lower": 1, "upper": 2, "unit": "mm"}) == (1, 2)
    assert range_of({"lower": 2, "upper": 1}) is None
    assert range_of({"lower": 1, "upper": 2, "count": 3}) is None


def test_a_claim_with_a_limit_is_left_whole():
    for text in ("The lid is not red and round", "It is red if wet and round"):
        assert list(claim_parts_of(text, atoms_of(text))) == []
