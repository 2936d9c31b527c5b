"""Gate `polarity`, both sides."""

import pytest

from tests.unit.gates.gate_cases import check, outcome, texts


@pytest.mark.parametrize(
    ("evidence", "answer", "expected"),
    [
        ("The lamp does not contain mercury.", "The lamp is free of mercury [e1].", "passed"),
        ("The lamp does not contain mercury.", "The lamp contains no mercury [e1].", "passed"),
        ("The lamp is mercury-free.", "The lamp does not contain mercury [e1].", "passed"),
        ("The lamp does not contain mercury.", "The lamp contains mercury [e1].", "failed"),
        ("The lamp contains mercury.", "The lamp does not contain mercury [e1].", "failed"),
        ("The lamp may contain zinc.", "The lamp contains zinc [e1].", "failed"),
        ("Some lamps are dimmable.", "All lamps are dimmable [e1].", "failed"),
        ("Most lamps are dimmable.", "The lamps are dimmable [e1].", "failed"),
        ("The lamp is only dimmable.", "Only the lamp is dimmable [e1].", "failed"),
        ("The lamp is dimmable if rewired.", "The lamp is dimmable if rewired [e1].", "passed"),
        ("The lamp was certified.", "The lamp is planned certified [e1].", "failed"),
        ("The supplier was Alpha.", "The supplier is Alpha [e1].", "failed"),
        ("Alpha replaces Beta.", "Alpha is replaced Beta [e1].", "failed"),
        ("The lamp is grey.", "The lamp is grey [e1].", "not_applicable"),
    ],
)
def test_what_turns_or_limits_a_statement_is_kept(evidence, answer, expected):
    assert outcome("polarity", texts(evidence), answer) == expected


@pytest.mark.parametrize(
    ("evidence", "answer"),
    [
        ("The frame cracked. The box fell.", "The frame cracked because the box fell [e1]."),
        ("The label lists zinc.", "The frame contains no tin [e1]."),
        ("The maker claims that the frame is safe.", "The frame is safe [e1]."),
        ("The frame is recyclable if dismantled.", "The frame is recyclable [e1]."),
        ("All parts except the lid are painted.", "All parts are painted [e1]."),
        ("The share rose from 4 % to 9 %.", "The share rose by 5 % [e1]."),
        ("The mean mass is 3 kg.", "The mass is 3 kg [e1]."),
        ("The lens is not suitable for rain.", "The lens is suitable for rain [e1]."),
    ],
)
def test_what_limits_a_statement_is_never_lost(evidence, answer):
    assert check(texts(evidence), answer).verdict != "supported"
