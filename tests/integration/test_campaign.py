"""A small version of `make campaign`: two runners, kills at random, and a stop for longer than the lease.

Its questions to a small model stand in `test_answers_real_model.py`; here, what looks at the answers is looked at.
"""

from decimal import Decimal

import pytest

from tests.golden.field_judge import FieldQuestion
from tests.integration.durable_runs import Trial
from tools.campaign import Campaign
from tools.question_campaign import faults_of


@pytest.mark.slow  # seven starts of a runner, one after the other
def test_kills_at_random_moments_lose_nothing(tmp_path):
    trial = Trial(tmp_path / "run", 400, 8, latency_s=0.02)
    campaign = Campaign(trial, kills=4, stops=0, seed=4)
    with trial.open():
        campaign.run(timeout_s=120)
    assert campaign.faults == []
    assert campaign.figures["kills"] == 4
    assert campaign.figures["claims lost"] > 0


RECORD = {"productId": "P-1", "mass": {"value": 5, "unit": "unit:kilogram"}, "maker": "Acme", "cycles": 900}
ASKED = FieldQuestion(
    "q0", "What is the mass?", "label", "one_record", True, "mass", [{"id": "rec-a", "content": RECORD}], {},
    Decimal(5), "unit:kilogram", (("rec-a", "/mass/value"),), (), ("P-1",), ("/productId",),
)  # fmt: skip


def drafted(text, pointer="/mass/value", evidence_id="rec-a"):
    return {
        "kind": "answer", "path": "model", "text": text,
        "citations": [{"evidence_id": evidence_id, "pointer": pointer}],
    }  # fmt: skip


def test_an_answer_that_its_evidence_states_has_no_fault():
    assert faults_of(ASKED, drafted("The mass is 5 kg [rec-a].")) == []
    assert faults_of(ASKED, drafted("The maker is Acme [rec-a].", "/maker")) == []
    assert faults_of(ASKED, {"kind": "abstention", "code": "no_such_field"}) == []


@pytest.mark.parametrize(
    "result",
    [
        drafted("The mass is 6 kg [rec-a]."),
        drafted("The mass is 900 kg [rec-a]."),
        drafted("The mass is 5 kg, of steel [rec-a]."),
        drafted("The mass is 5 kg [rec-b].", evidence_id="rec-b"),
        {**drafted("The mass is 5 kg."), "citations": []},
        {**drafted("The cycles are 900 [rec-a].", "/cycles"), "path": "hints"},
    ],
)
def test_what_the_evidence_does_not_state_is_a_fault(result):
    assert faults_of(ASKED, result)
