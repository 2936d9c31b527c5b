"""Every leaf of a record stands in the seed or in a source at its place, whoever wrote it."""

from decimal import Decimal

import pytest

from tests.unit.synthesis_worlds import FULL, PROFILE, SEED, changed, index_of, pack_of
from veracord.composer.assembly import assemble
from veracord.composer.support import ground
from veracord.records.pointers import join
from veracord.records.values import canonical, digest, leaves

RECORD = {**FULL, "dpp_id": "DPP-99"}
ROWS = changed(SEED, ("/materials", [{"name": "zinc"}]))


def grounding(record, *contents, seed=SEED, origins=None, **options):
    return ground(PROFILE, seed, index_of(*contents, **options), record, origins)


def problems(record, *contents, **options):
    found = grounding(record, *contents, **options)
    return [(defect.path, defect.code) for defect in found.problems]


def test_each_leaf_has_one_row():
    found = grounding(RECORD, FULL)
    assert found.problems == ()
    assert [row.path for row in found.rows] == sorted(join(at) for at, _ in leaves(RECORD))
    refs = {row.evidence_id: row.evidence_ref for row in found.rows}
    assert refs == {"request:seed": digest(canonical(SEED)), "s0": pack_of(FULL).items[0].evidence_ref}
    assert {row.path for row in found.rows if row.evidence_id == "request:seed"} == {join(at) for at, _ in leaves(SEED)}


def test_rows_are_matched_by_key_on_both_sides():
    record = changed(RECORD, ("/materials", [FULL["materials"][1], FULL["materials"][0]]))
    places = {row.path: (row.evidence_id, row.source_pointer) for row in grounding(record, FULL, seed=ROWS).rows}
    assert places["/materials/0/name"] == ("request:seed", "/materials/0/name")
    assert places["/materials/0/share_pct"] == ("s0", "/materials/1/share_pct")
    assert places["/materials/1/name"] == ("s0", "/materials/0/name")
    moved = grounding(RECORD, FULL, seed=ROWS)
    assert moved.problems == ()
    assert {row.path: row.source_pointer for row in moved.rows}["/materials/1/name"] == "/materials/0/name"


@pytest.mark.parametrize(
    "seed", [SEED, ROWS, changed(SEED, ("/product/id", ...)), changed(FULL, ("/dpp_id", "D-9999"))]
)
def test_the_plan_of_an_assembly_says_the_same_as_a_new_one(seed):
    index = index_of(FULL, changed(FULL, ("/notes", "n"), ("/product/category", "laptop")))
    assembly = assemble(PROFILE, seed, index, PROFILE.findings(seed))
    found = ground(PROFILE, seed, index, assembly.record, basis=assembly.basis)
    assert found.problems == ()
    assert found == ground(PROFILE, seed, index, assembly.record)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (("/notes", "invented"), "/notes"),
        (("/product/category", "laptop"), "/product/category"),
        (("/carbon/total_kg_co2e", 6), "/carbon/total_kg_co2e"),
        (("/carbon/total_kg_co2e", "5"), "/carbon/total_kg_co2e"),
        (("/compliance/standards", ["EN 1", "EN 2"]), "/compliance/standards"),
        (("/materials/0/recycled_pct", 1), "/materials/0/recycled_pct"),
        (("/materials/0/share_pct", 60), "/materials/0/share_pct"),
        (("/materials/0/name", "copper"), "/materials/0/name"),
        (("/invented", 1), "/invented"),
        (("/lifecycle", {}), "/lifecycle"),
        (("/product/brand", "Other"), "/product/brand"),
        (("/carbon", "five"), "/carbon"),
        (("/notes", None), "/notes"),
    ],
)
def test_what_nobody_states_is_not_grounded(change, path):
    assert (path, "ungrounded") in problems(changed(RECORD, change), FULL)


def test_numbers_are_compared_by_value():
    assert problems(changed(RECORD, ("/carbon/total_kg_co2e", Decimal("5.0"))), FULL) == []


def test_administrative_places_are_the_seeds_alone():
    full = changed(FULL, ("/issued_at_utc", "2026-01-01T00:00:00Z"))
    record = changed(RECORD, ("/issued_at_utc", "2026-01-01T00:00:00Z"))
    assert problems(record, full) == [("/issued_at_utc", "caller_controlled")]
    assert problems(record, full, seed=changed(SEED, ("/issued_at_utc", "2026-01-01T00:00:00Z"))) == []


def test_sources_that_disagree_support_neither_value():
    other = changed(FULL, ("/product/category", "laptop"))
    assert problems(RECORD, FULL, other) == [("/product/category", "conflict")]
    assert problems(changed(RECORD, ("/product/category", "laptop")), FULL, other) == [
        ("/product/category", "conflict")
    ]


def test_a_worse_rank_supports_nothing_that_a_better_one_contradicts():
    other = changed(FULL, ("/product/category", "laptop"))
    ranks = {0: 2, 1: 1}
    assert problems(RECORD, FULL, other, ranks=ranks) == [("/product/category", "ungrounded")]
    assert problems(changed(RECORD, ("/product/category", "laptop")), FULL, other, ranks=ranks) == []


def test_arrays_of_rows_that_differ_support_no_leaf_of_theirs():
    other = changed(FULL, ("/materials/0/mass_kg", 4))
    found = problems(RECORD, FULL, other)
    assert found == [
        (f"/materials/{at}", "conflict") for at in ("0/mass_kg", "0/name", "0/share_pct", "1/name", "1/share_pct")
    ]


def test_the_same_rows_in_another_order_agree():
    other = changed(FULL, ("/materials", FULL["materials"][::-1]))
    assert problems(RECORD, FULL, other) == []


def test_a_chimera_of_two_sources_is_refused():
    first = changed(FULL, ("/materials/0", {"name": "tin", "share_pct": 40}))
    second = changed(FULL, ("/materials/0", {"name": "tin", "mass_kg": 3}))
    seed = changed(SEED, ("/materials", [{"name": "tin"}, {"name": "zinc"}]))
    assert problems(RECORD, first, second, seed=seed) == [("/materials/0/mass_kg", "rows_mixed")]
    assert problems(changed(RECORD, ("/materials/0/mass_kg", ...)), first, second, seed=seed) == []


def test_a_row_of_the_seed_gets_nothing_from_a_source_that_contradicts_it():
    seed = changed(SEED, ("/materials", [{"name": "tin", "share_pct": 41}]))
    record = changed(RECORD, ("/materials", [{"name": "tin", "share_pct": 41, "mass_kg": 3}]))
    assert problems(record, FULL, seed=seed) == [("/materials/0/mass_kg", "conflict")]


def test_a_row_that_was_added_stands_there_once():
    twice = changed(RECORD, ("/materials", [FULL["materials"][1], FULL["materials"][0], FULL["materials"][0]]))
    assert problems(twice, FULL, seed=ROWS)


def test_a_row_of_another_array_is_no_support():
    record = changed(RECORD, ("/materials/0", {"name": "zinc", "share_pct": 40, "mass_kg": 3}))
    assert problems(record, FULL)


def test_an_undeclared_array_of_the_seed_gets_no_row():
    legs = [{"mode": "ship", "distance_km": 5}, {"mode": "rail"}]
    full = changed(FULL, ("/lifecycle/transport_legs", legs))
    seed = changed(SEED, ("/lifecycle/transport_legs", [{"mode": "ship"}]))
    record = changed(RECORD, ("/lifecycle/transport_legs", legs))
    assert problems(record, full, seed=seed) == [("/lifecycle/transport_legs/1/mode", "ungrounded")]
    assert problems(record, full) == []
    assert problems(changed(RECORD, ("/lifecycle/transport_legs", legs[::-1])), full)


def test_a_value_does_not_stand_without_its_context():
    record = changed(RECORD, ("/carbon/functional_unit", ...))
    assert problems(record, FULL) == [("/carbon/total_kg_co2e", "context_mismatch")]
    seed = changed(SEED, ("/carbon/functional_unit", "kWh"))
    record = changed(RECORD, ("/carbon/functional_unit", "kWh"))
    assert problems(record, FULL, seed=seed) == [("/carbon/total_kg_co2e", "context_mismatch")]


def test_another_products_value_is_no_support():
    other = changed(FULL, ("/product/id", "K-2"), ("/notes", "of another product"))
    assert problems({**RECORD, "notes": "of another product"}, FULL, other) == [("/notes", "ungrounded")]


def test_an_identity_that_the_record_claims_brings_no_other_product_in():
    seed = changed(SEED, ("/product/id", ...))
    other = changed(FULL, ("/product/id", "K-2"), ("/product/model", "Three"), ("/notes", "n"))
    record = changed(RECORD, ("/product/id", "K-2"), ("/notes", "n"))
    assert problems(record, FULL, other, seed=seed) == [("/notes", "ungrounded"), ("/product/id", "ungrounded")]


def test_an_identity_member_that_evidence_states_is_grounded_and_rules_others_out():
    seed = changed(SEED, ("/product/id", ...))
    weaker = changed(FULL, ("/product/id", ...), ("/notes", "n"))
    assert problems({**RECORD, "notes": "n"}, FULL, weaker, seed=seed) == [("/notes", "ungrounded")]
    rows = {row.path: row.evidence_id for row in grounding(RECORD, FULL, weaker, seed=seed).rows}
    assert rows["/product/id"] == "s0"


def test_text_is_no_support_also_where_it_looks_like_json():
    assert problems(RECORD, canonical(FULL).decode()) != []
    assert all(code == "ungrounded" for _, code in problems(RECORD, canonical(FULL).decode()))


def test_the_records_own_copy_is_no_support():
    own = changed(FULL, ("/dpp_id", "DPP-99"), ("/notes", "n"))
    assert problems({**RECORD, "notes": "n"}, FULL, own) == [("/notes", "ungrounded")]


def test_a_suggestion_that_came_back_is_no_support():
    origins = {"/product/category": "suggestion_origin"}
    seed = changed(SEED, ("/product/category", "display"))
    without = changed(FULL, ("/product/category", ...))
    assert problems(RECORD, without, seed=seed, origins=origins) == [("/product/category", "suggestion_origin")]
    assert problems(RECORD, FULL, seed=seed, origins=origins) == [], "a source says so"
    assert problems(RECORD, FULL, seed=seed, origins={"/product/category": "declared"}) == []
    found = problems(RECORD, FULL, origins=None)
    assert found == []
    index = index_of(FULL, origins={0: origins})
    found = ground(PROFILE, SEED, index, RECORD).problems
    assert [(defect.path, defect.code) for defect in found] == [("/product/category", "suggestion_origin")]


def test_a_guess_at_the_identity_finds_no_source():
    origins = {"/product/id": "suggestion_origin"}
    seed = {"schema_version": "1", "dpp_id": "DPP-99", "product": {"id": "K-1"}}
    found = problems(RECORD, FULL, seed=seed, origins=origins)
    assert ("/product/id", "suggestion_origin") in found
    assert ("/product/category", "ungrounded") in found


def test_facts_never_tell_a_value():
    record = changed(RECORD, ("/notes", "a secret"), ("/product/category", "laptop"))
    assert not any("secret" in defect.fact or "laptop" in defect.fact for defect in grounding(record, FULL).problems)


def test_an_object_whose_members_are_called_like_indexes_is_no_list():
    legs = [{"mode": "ship"}, {"mode": "rail"}]
    table = {"0": {"mode": "ship"}, "1": {"mode": "rail"}}
    seed = changed(SEED, ("/lifecycle/transport_legs", legs))
    assert problems(changed(RECORD, ("/lifecycle/transport_legs", table)), FULL, seed=seed) != []
    full = changed(FULL, ("/lifecycle/transport_legs", legs))
    assert problems(changed(RECORD, ("/lifecycle/transport_legs", table)), full) != []
    full = changed(FULL, ("/lifecycle/transport_legs", table))
    assert problems(changed(RECORD, ("/lifecycle/transport_legs", legs)), full) != []
