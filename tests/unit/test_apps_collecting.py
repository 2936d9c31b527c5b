"""The collector of garbage during a run."""

import gc

import pytest

from veracord.apps.collecting import collecting_seldom


def test_the_collector_looks_seldom_and_not_at_what_was_there():
    before = gc.get_threshold()
    with collecting_seldom():
        assert gc.get_threshold()[0] > before[0]
        assert gc.get_freeze_count()
    assert gc.get_threshold() == before
    assert not gc.get_freeze_count()


def test_all_is_as_it_was_after_a_failure():
    before = gc.get_threshold()
    with pytest.raises(KeyboardInterrupt), collecting_seldom():
        raise KeyboardInterrupt
    assert gc.get_threshold() == before
    assert not gc.get_freeze_count()
