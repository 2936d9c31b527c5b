"""What may stand beside a value, and what takes it back."""

import pytest

from tests.unit.gates.gate_cases import check, records


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        ({}, "supported"),
        ({"source": "scale 4", "id": "7", "@type": "Quantity"}, "supported"),
        ({"name": "tare"}, "supported"),
        ({"obsolete": False, "note": None}, "supported"),
        ({"name": "lid tare"}, "undecided"),
        ({"obsolete": True}, "undecided"),
        ({"note": "of the lid"}, "undecided"),
        ({"per": "layer"}, "undecided"),
        ({"neverHeardOf": "x"}, "undecided"),
        ({"stage": "use"}, "undecided"),
    ],
)
def test_only_what_is_known_to_change_nothing_may_stand_beside_a_value(beside, expected):
    record = {"tare": {"value": 3, "unit": "kg", **beside}}
    found = check(records(record), "The tare is 3 kg [e1].").verdict
    assert (found == "supported") == (expected == "supported")


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"tare_kg": 3, "tare_status": "final"}, "supported"),
        ({"tare_kg": 3, "tare_status": "withdrawn"}, "undecided"),
        ({"tare_kg": 3, "tareNote": "of the lid"}, "undecided"),
        ({"tare_kg": 3, "deprecated": True}, "undecided"),
        ({"weights": {"deprecated": True, "box": {"tare_kg": 3}}}, "undecided"),
    ],
)
def test_a_remark_or_a_flag_takes_back_what_it_stands_beside(record, expected):
    assert check(records(record), "The tare is 3 kg [e1].").verdict == expected


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ({"status": "valid"}, "supported"),
        ({"status": "revoked"}, "undecided"),
        ({"present": False}, "undecided"),
        ({"present": "no"}, "undecided"),
        ({"share": 0}, "undecided"),
    ],
)
def test_a_name_stands_for_its_object_only_where_that_holds(member, expected):
    found = check(records({"label": {"name": "CE", **member}}), "The label is CE [e1].").verdict
    assert (found == "supported") == (expected == "supported")


@pytest.mark.parametrize("claim", ["The colours of K-7 include red", "The colours of K-7 are red and blue"])
def test_a_remark_on_a_list_limits_what_it_says(claim):
    colours = {"productId": "K-7", "colours": ["red", "blue"]}
    assert check(records(colours), f"{claim} [e1].").verdict == "supported"
    assert check(records({**colours, "coloursNote": "on request"}), f"{claim} [e1].").verdict != "supported"
    assert check(records({**colours, "coloursStatus": "valid"}), f"{claim} [e1].").verdict == "supported"


def test_a_remark_limits_a_quantity_and_not_a_thing_with_fields_of_its_own():
    claim = "The mass of K-7 is 5 kg [e1]."
    mass = {"mass": {"value": 5, "unit": "kg"}}
    assert check(records({"productId": "K-7", **mass}), claim).verdict == "supported"
    assert check(records({"productId": "K-7", **mass, "massNote": "gross"}), claim).verdict != "supported"
    whole = {"productId": "K-7", "technicalData": mass, "technicalDataStatus": "in use"}
    assert check(records(whole), claim).verdict == "supported"
