"""Assembly puts together what the seed and agreeing sources say, and leaves out all else."""

import pytest

from tests.unit.synthesis_worlds import FULL, PROFILE, SEED, changed, index_of
from veracord.composer.assembly import assemble
from veracord.records.pointers import get, split
from veracord.records.values import MISSING


def assembled(seed, *contents, **options):
    return assemble(PROFILE, seed, index_of(*contents, **options), PROFILE.findings(seed))


def at(record, pointer):
    return get(record, split(pointer))


def test_everything_that_a_source_states_and_the_seed_lacks():
    assembly = assembled(SEED, FULL)
    assert assembly.conforms
    assert assembly.record == {**FULL, "dpp_id": "DPP-99"}


def test_the_seed_is_not_changed():
    seed = changed(SEED, ("/materials", [{"name": "zinc"}]))
    before = changed(seed)
    assembled(seed, FULL)
    assert seed == before


def test_a_value_of_the_seed_stays_where_a_source_says_otherwise():
    seed = changed(SEED, ("/carbon", {"functional_unit": "kWh"}))
    record = assembled(seed, FULL).record
    assert at(record, "/carbon/functional_unit") == "kWh"
    assert at(record, "/carbon/total_kg_co2e") is MISSING, "it belongs to another context"


@pytest.mark.parametrize("empty", [{}, []])
def test_an_empty_container_of_the_seed_stays(empty):
    place = "lifecycle" if empty == {} else "sources"
    full = changed(FULL, ("/lifecycle/manufacture_country", "SE"), ("/sources", [{"id": "a", "kind": "b"}]))
    assert assembled({**SEED, place: empty}, full).record[place] == empty


def test_unknown_members_are_not_copied():
    record = assembled(SEED, changed(FULL, ("/invented", 1), ("/product/invented", 1))).record
    assert at(record, "/invented") is MISSING
    assert at(record, "/product/invented") is MISSING


def test_administrative_places_come_from_the_seed_alone():
    full = changed(FULL, ("/issued_at_utc", "2026-01-01T00:00:00Z"))
    record = assembled(changed(SEED, ("/dpp_id", ...)), full).record
    assert at(record, "/dpp_id") is MISSING
    assert at(record, "/issued_at_utc") is MISSING


def test_sources_that_disagree_about_a_leaf_give_none():
    assembly = assembled(SEED, FULL, changed(FULL, ("/product/category", "laptop")))
    assert at(assembly.record, "/product/category") is MISSING
    assert [finding.violation.path for finding in assembly.findings] == ["/product/category"]


def test_the_better_rank_decides():
    other = changed(FULL, ("/product/category", "laptop"))
    record = assembled(SEED, FULL, other, ranks={0: 2, 1: 1}).record
    assert at(record, "/product/category") == "laptop"


def test_arrays_that_differ_give_no_row():
    other = changed(FULL, ("/materials/0/mass_kg", 4))
    assert at(assembled(SEED, FULL, other).record, "/materials") is MISSING


def test_an_array_is_copied_whole_from_one_source():
    fuller = changed(FULL, ("/materials/1/recycled_pct", 7))
    record = assembled(SEED, FULL, fuller, ranks={0: 1, 1: 2}).record
    assert record["materials"] == FULL["materials"], "the other source's member is not mixed in"


def test_rows_that_are_there_are_found_by_their_key_and_completed():
    seed = changed(SEED, ("/materials", [{"name": "zinc"}, {"name": "tin"}]))
    assert assembled(seed, FULL).record["materials"] == [
        {"name": "zinc", "share_pct": 60},
        {"name": "tin", "share_pct": 40, "mass_kg": 3},
    ]


def test_rows_that_are_there_are_completed_from_one_source_each():
    seed = changed(SEED, ("/materials", [{"name": "zinc"}, {"name": "tin"}]))
    first = changed(FULL, ("/materials/0/mass_kg", ...))
    second = changed(FULL, ("/materials/0/share_pct", ...))
    record = assembled(seed, first, second).record
    assert at(record, "/materials/1") == {"name": "tin", "share_pct": 40}
    assert at(record, "/materials/0") == {"name": "zinc", "share_pct": 60}


def test_a_row_gets_nothing_from_a_source_that_contradicts_it():
    seed = changed(SEED, ("/materials", [{"name": "zinc", "share_pct": 60}, {"name": "tin", "share_pct": 41}]))
    assert at(assembled(seed, FULL).record, "/materials/1") == {"name": "tin", "share_pct": 41}


def test_a_declared_array_gets_the_rows_that_it_lacks():
    seed = changed(SEED, ("/materials", [{"name": "zinc"}]))
    assembly = assembled(seed, FULL)
    assert assembly.conforms
    assert assembly.record["materials"] == [FULL["materials"][1], FULL["materials"][0]]


def test_rows_are_not_added_where_sources_disagree_about_them():
    seed = changed(SEED, ("/materials", [{"name": "zinc"}]))
    other = changed(FULL, ("/materials/0/share_pct", 39))
    assert [row["name"] for row in assembled(seed, FULL, other).record["materials"]] == ["zinc"]


def test_rows_are_not_added_where_only_one_of_two_sources_has_them():
    seed = changed(SEED, ("/materials", [{"name": "zinc"}]))
    other = changed(FULL, ("/materials/0", ...))
    assert [row["name"] for row in assembled(seed, FULL, other).record["materials"]] == ["zinc"]


@pytest.mark.parametrize("name", ["Zinc", "lead"])
def test_rows_are_not_added_by_a_source_that_lacks_a_row_of_the_seed(name):
    seed = changed(SEED, ("/materials", [{"name": name, "share_pct": 60}]))
    assert [row["name"] for row in assembled(seed, FULL).record["materials"]] == [name]


def test_a_source_that_lists_something_else_is_a_rival_unless_its_rank_is_worse():
    seed = changed(SEED, ("/materials", [{"name": "zinc"}]))
    other = changed(FULL, ("/materials", [{"name": "lead", "share_pct": 100}]))
    assert [row["name"] for row in assembled(seed, FULL, other).record["materials"]] == ["zinc"]
    ranked = assembled(seed, FULL, other, ranks={0: 1, 1: 2}).record
    assert [row["name"] for row in ranked["materials"]] == ["zinc", "tin"]
    ranked = assembled(seed, FULL, other, ranks={0: 2, 1: 1}).record
    assert [row["name"] for row in ranked["materials"]] == ["zinc"]


def test_rows_are_not_added_where_a_row_of_the_seed_has_no_key():
    seed = changed(SEED, ("/materials", [{"share_pct": 60}]))
    assert assembled(seed, FULL).record["materials"] == [{"share_pct": 60}]


def test_rows_with_a_placeholder_are_not_added():
    seed = changed(SEED, ("/materials", [{"name": "zinc"}]))
    full = changed(FULL, ("/materials/0/name", "00000000-0000-0000-0000-000000000000"))
    assert [row["name"] for row in assembled(seed, full).record["materials"]] == ["zinc"]


def test_an_undeclared_array_that_is_there_gets_no_further_row():
    legs = [{"mode": "ship", "distance_km": 5}, {"mode": "rail", "distance_km": 6}]
    full = changed(FULL, ("/lifecycle/transport_legs", legs))
    seed = changed(SEED, ("/lifecycle/transport_legs", [{"mode": "ship"}]))
    assert assembled(seed, full).record["lifecycle"]["transport_legs"] == [legs[0]]


def test_identity_members_come_first_and_can_rule_sources_out():
    seed = changed(SEED, ("/product/id", ...))
    other = changed(FULL, ("/product/id", ...), ("/notes", "another product of that name"))
    assembly = assembled(seed, FULL, other)
    assert at(assembly.record, "/product/id") == "K-1"
    assert at(assembly.record, "/notes") is MISSING, "this source is joined by the weaker key only"
    assert [source.evidence_id for source in assembly.basis.match.sources] == ["s0"]


def test_sources_that_differ_in_a_stronger_key_give_nothing():
    seed = changed(SEED, ("/product/id", ...))
    assembly = assembled(seed, FULL, changed(FULL, ("/product/id", "K-2")))
    assert assembly.record == seed


def test_other_products_and_texts_give_nothing():
    other = changed(FULL, ("/product/id", "K-2"))
    assert assembled(SEED, other, '{"product": {"id": "K-1", "category": "display"}}').record == SEED


def test_the_records_own_copy_gives_nothing():
    assert assembled(SEED, changed(FULL, ("/dpp_id", "DPP-99"))).record == SEED


def test_what_would_violate_is_left_out():
    assembly = assembled(SEED, changed(FULL, ("/product/display_name", 7)))
    assert at(assembly.record, "/product/display_name") is MISSING
    assert assembly.conforms


def test_a_source_gives_no_leaf_that_was_a_suggestion():
    assembly = assembled(SEED, FULL, origins={0: {"/product/category": "accepted_suggestion"}})
    assert at(assembly.record, "/product/category") is MISSING
