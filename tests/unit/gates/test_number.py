"""Gate `number`, both sides."""

import pytest

from tests.unit.gates.gate_cases import outcome, records, texts


@pytest.mark.parametrize(
    ("evidence", "answer", "expected"),
    [
        ("The crate holds 44 bottles.", "The crate holds 44 bottles [e1].", "passed"),
        ("The crate holds 44 bottles.", "The crate holds 4 bottles [e1].", "failed"),
        ("Tare: 2.5 kg.", "The tare is 2.50 kg [e1].", "passed"),
        ("Tare: 2.5 kg.", "The tare is 5 kg [e1].", "failed"),
        ("Rated energy 2.4e3 Wh.", "The rated energy is 2,400 Wh [e1].", "passed"),
        ("Rated energy 2.4e3 Wh.", "The rated energy is 2.4 Wh [e1].", "failed"),
        ("Lowest temperature −15 °C.", "The lowest temperature is -15 °C [e1].", "passed"),
        ("Lowest temperature −15 °C.", "The lowest temperature is 15 °C [e1].", "failed"),
        ("Zinc 4 %, tin 9 %.", "Tin is 9 % [e1].", "passed"),
        ("Zinc 4 %, tin 9 %.", "Zinc is 9 % [e1].", "failed"),
        ("Cover 4 fits 9 housings.", "Cover 4 fits 9 housings [e1].", "passed"),
        ("Cover 4 fits 9 housings.", "4 covers fit 9 housings [e1].", "failed"),
        ("Rod length ¾ m.", "The rod length is 0.75 m [e1].", "passed"),
        ("Batch code 00417.", "The batch code is 417 [e1].", "failed"),
        ("The frame is grey.", "The frame is grey [e1].", "not_applicable"),
        ("The frame is grey.", "The frame weighs 3 kg [e1].", "undecided"),
    ],
)
def test_a_number_is_the_complete_value_of_the_same_thing(evidence, answer, expected):
    assert outcome("number", texts(evidence), answer) == expected


@pytest.mark.parametrize("held", [12, 69, 70, 71])
@pytest.mark.parametrize("said", [12, 69, 70, 71])
def test_only_the_equal_value_of_a_record_passes(held, said):
    found = outcome("number", records({"recycledContent": held}), f"The recycled content is {said} [e1].")
    assert found == ("passed" if held == said else "failed")
