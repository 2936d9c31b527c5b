"""Seeds of one product share a plan, and nobody can tell but by the time it takes."""

from dataclasses import replace
from typing import Any

import pytest

from tests.unit.synthesis_worlds import FULL, PROFILE, SEED, changed, index_of
from veracord.composer import kept_plans
from veracord.composer.assembly import assemble
from veracord.composer.kept_plans import KeptPlans, whole_plan
from veracord.composer.outcomes import Outcome, Status
from veracord.composer.planning import Planner


@pytest.fixture
def made(monkeypatch):
    """Return the records for which a plan is worked out."""
    records: list[Any] = []

    class Noting(Planner):
        def plan_whole(self):
            records.append(self._record)
            return super().plan_whole()

    monkeypatch.setattr(kept_plans, "Planner", Noting)
    return records


def planned(seed, index, profile=PROFILE):
    return whole_plan(profile, seed, index, index.match(seed, ()))


def test_seeds_that_differ_in_values_alone_share_a_plan(made):
    index = index_of(FULL)
    first, second = planned(SEED, index), planned(changed(SEED, ("/dpp_id", "DPP-100")), index)
    assert first.units == second.units
    assert list(first.statuses.items()) == list(second.statuses.items())
    assert made == [SEED]


@pytest.mark.parametrize(
    "change",
    [
        ("/product/category", "laptop"),
        ("/dpp_id", ...),
        ("/materials", []),
        ("/materials", [{"name": "zinc"}]),
        ("/carbon", {"functional_unit": "kWh"}),
    ],
)
def test_a_seed_with_other_members_rows_or_contexts_gets_a_plan_of_its_own(made, change):
    index = index_of(FULL)
    planned(SEED, index)
    planned(changed(SEED, change), index)
    assert len(made) == 2


def test_a_context_of_another_value_gets_a_plan_of_its_own():
    index = index_of(FULL)
    same, other = (
        changed(SEED, ("/carbon", {"functional_unit": unit})) for unit in (FULL["carbon"]["functional_unit"], "kWh")
    )
    assert ("carbon", "total_kg_co2e") in planned(same, index).units
    assert ("carbon", "total_kg_co2e") not in planned(other, index).units


def test_another_profile_gets_plans_of_its_own(made):
    index = index_of(FULL)
    planned(SEED, index)
    strict = replace(PROFILE, never_filled=(*PROFILE.never_filled, ("carbon",)))
    assert not any(place[0] == "carbon" for place in planned(SEED, index, strict).units)
    assert len(made) == 2


def test_a_source_that_another_takes_the_place_of_is_planned_with_anew():
    index = index_of(FULL)
    assert ("product", "category") in planned(SEED, index).units
    (source,) = index.sources
    guessed = replace(source, item=replace(source.item, origins={"/product/category": "suggestion_origin"}))
    other = index.swapped({source.evidence_id: guessed})
    assert ("product", "category") not in planned(SEED, other).units
    assert ("product", "category") in planned(SEED, index).units


def test_what_is_added_to_a_plan_stays_with_its_asker():
    index = index_of(FULL)
    first = planned(SEED, index)
    for plan in (first, planned(SEED, index)):
        plan.statuses.add(("carbon",), Status(Outcome.SOURCE_INVALID))
        plan.units.clear()
    third = planned(SEED, index)
    assert third.units
    assert third.statuses.own(("carbon",)) is None


def test_who_changes_a_record_changes_no_later_one():
    index = index_of(FULL)
    first = assemble(PROFILE, SEED, index, PROFILE.findings(SEED)).record
    before = changed(first)
    first["materials"].clear()
    first["carbon"]["functional_unit"] = "changed"
    assert assemble(PROFILE, SEED, index, PROFILE.findings(SEED)).record == before


def key_of(number):
    return (bytes([number]), None, (), ())


def is_kept(plan, most):
    kept = KeptPlans(PROFILE, most)
    kept.keep(key_of(0), plan)
    return kept.find(key_of(0)) is not None


def test_the_plan_that_was_asked_for_longest_ago_goes_where_they_hold_too_much():
    plan = planned(SEED, index_of(FULL))
    size = next(most for most in range(1_000) if is_kept(plan, most))
    assert size > 1, "a larger one is not kept at all"
    kept = KeptPlans(PROFILE, most=2 * size)
    kept.keep(key_of(0), plan)
    kept.keep(key_of(1), plan)
    kept.find(key_of(0))
    kept.keep(key_of(2), plan)
    assert [number for number in range(3) if kept.find(key_of(number))] == [0, 2]
    kept.keep(key_of(2), plan)
    assert kept.find(key_of(0)), "what is kept again takes no more room"
