"""The faults that `make mutants` plants have their place in the code, and tests that are there."""

from pathlib import Path

import pytest

from tools.mutants import GROUPS, stands_once

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("group", GROUPS)
def test_each_fault_has_its_place(group):
    assert [fault.name for fault in GROUPS[group] if not stands_once(fault)] == []


@pytest.mark.parametrize("group", GROUPS)
def test_each_fault_names_tests_that_are_there(group):
    named = {name.partition("::")[0] for fault in GROUPS[group] for name in fault.tests if not name.startswith("-")}
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
