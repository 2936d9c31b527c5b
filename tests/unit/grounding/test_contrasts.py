"""The half of a contrast that says all that it says."""

import pytest

from veracord.grounding.contrasts import first_half_of


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("The tare is 3 kg, not 4 kg.", "The tare is 3 kg"),
        ("Das Gewicht ist 3 kg, nicht 4 kg.", "Das Gewicht ist 3 kg"),
        ("It is not certified to EN 809 but to EN 1012.", "It is not certified to EN 809"),
        ("The lid is made of zinc, not really.", None),
        ("The tare is 3 kg, not always.", None),
        ("The tare is 3 kg but 4 kg.", None),
        ("It is not 3 kg, not 4 kg.", None),
    ],
)
def test_only_a_contrast_of_two_values_is_cut(text, half):
    assert first_half_of(text) == half
