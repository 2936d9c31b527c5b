"""A small version of `make campaign`: two runners, kills at random, and a stop for longer than the lease."""

import pytest

from tests.integration.durable_runs import Trial
from tools.campaign import Campaign


@pytest.mark.slow  # seven starts of a runner, one after the other
def test_kills_at_random_moments_lose_nothing(tmp_path):
    trial = Trial(tmp_path / "run", 400, 8, latency_s=0.02)
    campaign = Campaign(trial, kills=4, stops=0, seed=4)
    with trial.open():
        campaign.run(timeout_s=120)
    assert campaign.faults == []
    assert campaign.figures["kills"] == 4
    assert campaign.figures["claims lost"] > 0
