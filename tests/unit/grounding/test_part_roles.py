"""What an object of a record is to the product, by its name."""

import pytest

from tests.unit.gates.gate_cases import check, records
from veracord.grounding.names import name_of
from veracord.grounding.part_roles import Role, role_of


@pytest.mark.parametrize(
    ("member", "role"),
    [
        ("technicalData", Role.OWN),
        ("properties", Role.OWN),
        ("physicalDimensions", Role.OWN),
        ("Technische Daten", Role.OWN),
        ("batteryCondition", Role.OWN),
        ("battery", Role.PART),
        ("lid", Role.PART),
        ("chargerData", Role.OTHER),
        ("spareParts", Role.OTHER),
        ("Umverpackung", Role.OTHER),
        ("rejectedOffers", Role.UNASSERTED),
        ("valuesOfHistory", Role.UNASSERTED),
        ("maximum", Role.UNASSERTED),
        ("requirements", Role.UNASSERTED),
        ("requirementInformation", Role.PART),
        ("partSitesAsPlanned", Role.PART),
        ("", Role.PART),
    ],
)
def test_the_role_of_an_object_is_told_by_its_name(member, role):
    assert role_of(name_of(member)) is role


@pytest.mark.parametrize("answer", ["The tare of K-1 is 3 kg [e1].", "The tare of the product is 3 kg [e1]."])
@pytest.mark.parametrize(("group", "expected"), [("technicalData", True), ("lid", False), ("unheardOf", False)])
def test_a_claim_about_the_product_is_bound_only_to_what_is_its_own(answer, group, expected):
    record = {"productId": "K-1", group: {"tare_kg": 3}}
    assert (check(records(record), answer).verdict == "supported") == expected


def test_a_claim_that_names_the_part_is_bound_to_it():
    record = {"productId": "K-1", "lid": {"tare_kg": 3, "colour": "grey"}}
    for answer in ("The tare of the lid of K-1 is 3 kg [e1].", "The lid is grey [e1].", "The lid tare is 3 kg [e1]."):
        assert check(records(record), answer).verdict == "supported"


def test_an_object_with_its_own_identifier_is_another_product():
    record = {"productId": "K-1", "data": {"productId": "K-2", "tare_kg": 3}}
    assert check(records(record), "The tare of K-1 is 3 kg [e1].").verdict != "supported"
    assert check(records(record), "The tare of K-2 is 3 kg [e1].").verdict == "supported"


def test_a_sentence_inside_another_thing_supports_nothing():
    sentence = "The casing is made of recycled steel."
    for member, expected in (("description", True), ("competitor", False)):
        record = {"productId": "K-1", member: sentence if expected else {"description": sentence}}
        assert (check(records(record), f"{sentence[:-1]} [e1].").verdict == "supported") == expected
