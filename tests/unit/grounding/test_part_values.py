"""Parts of a text of a record, the one day that it tells, and the season of that day."""

import pytest

from tests.unit.gates.gate_cases import check, records
from veracord.grounding.part_values import parts_of_value

PERSON = {
    "title": ["Ada Berg"],
    "Born": ["( 1952-10-06 ) 6 October 1952  Ulm, Germany"],
    "Jobs": ["baker", "poet", "smith"],
}


@pytest.mark.parametrize(
    ("answer", "supported"),
    [
        ("Ada Berg was born on 6 October 1952 [e1].", True),
        ("Ada Berg was born in 1952 [e1].", True),
        ("Ada Berg was born in the fall of 1952 [e1].", True),
        ("Ada Berg was born in Germany [e1].", True),
        ("Ada Berg was born in Ulm [e1].", True),
        ("Ada Berg was born in 1953 [e1].", False),
        ("Ada Berg was born in the spring of 1952 [e1].", False),
        ("Ada Berg was born in the fall of 1953 [e1].", False),
        ("Ada Berg was born in France [e1].", False),
        ("Ada Berg was not born in Germany [e1].", False),
        ("Bea Berg was born in Germany [e1].", False),
        ("Ada Berg has 3 jobs [e1].", True),
        ("Ada Berg has 2 jobs [e1].", False),
    ],
)
def test_a_part_of_a_text_is_a_value(answer, supported):
    assert (check(records(PERSON), answer).verdict == "supported") is supported


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("Steel, copper", ("Steel", "copper")),
        ("Alpha AG (until 2023)", ()),
        ("Alpha AG, formerly Beta", ()),
        ("Steel", ()),
    ],
)
def test_a_text_that_something_limits_has_no_parts(value, parts):
    assert parts_of_value(value) == parts
