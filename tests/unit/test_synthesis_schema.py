"""A result of synthesis: its JSON Schema, its verification and its explanation."""

import json
from copy import deepcopy
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from tests.unit.synthesis_worlds import FULL, PROFILE, SEED, changed, pack_of
from veracord import InputError, RecordComposer
from veracord.composer.explanation import explain
from veracord.composer.synthesis_results import result_of
from veracord.composer.verification import verify_result
from veracord.composer.verified_seed import GivenSeed
from veracord.records.reading import Document, read_record
from veracord.testing import ScriptedModel


def validator(name):
    schema = json.loads((files("veracord") / f"bundled/schemas/{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


ROWS = changed(SEED, ("/materials", [{"name": "zinc"}]))


@pytest.fixture
def result():
    synthesized = RecordComposer(PROFILE).synthesize(ROWS, pack_of(FULL), origins={"/dpp_id": "declared"})
    return read_record(synthesized.encode()).value


def test_a_result_fits_its_schema(result):
    assert list(validator("synthesis-result").iter_errors(json.loads(json.dumps(result, default=str)))) == []


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/support", ...),
        ("/support/0/evidence_ref", "s0"),
        ("/support/0/value", 1),
        ("/method", "guess"),
        ("/digests/seed", ...),
        ("/origins/~1dpp_id", "suggestion_origin"),
        ("/suggestions", []),
        ("/sources/0/reason", "unlucky"),
    ],
)
def test_another_shape_is_refused(result, pointer, value):
    spoiled = changed(result, (pointer, value))
    assert list(validator("synthesis-result").iter_errors(spoiled))


def test_a_result_is_what_its_json_says(result):
    seed = Document(ROWS, b"", "")
    assert result_of(result, seed, 0).to_dict() == result
    many = pack_of(FULL, *[f"text {number}" for number in range(150)])
    told = RecordComposer(PROFILE).synthesize(ROWS, many).to_dict()
    assert result_of(told, seed, 0).to_dict() == told
    assert list(validator("synthesis-result").iter_errors(told)) == []


def reasons(result, pack=None):
    return [row.reason for row in verify_result(result, pack or pack_of(FULL)).rows if row.ok is False]


def test_an_untouched_result_is_verified(result):
    verification = verify_result(result, pack_of(FULL))
    assert verification.ok
    assert [row.path for row in verification.rows] == [row["path"] for row in result["support"]]
    assert list(validator("verification-result").iter_errors(verification.to_dict())) == []
    assert verification.not_checked == ("seed", "same_product")
    unchecked = [row for row in verification.rows if row.ok is None]
    assert {row.evidence_id for row in unchecked} == {"request:seed"}
    assert {row.reason for row in unchecked} == {"the seed was not given"}
    assert verification.to_dict()["counts"]["not_checked"] == len(unchecked)


def test_with_seed_and_profile_all_is_checked(result):
    verification = verify_result(result, pack_of(FULL), profile=PROFILE, seed=GivenSeed(ROWS))
    assert (verification.ok, verification.not_checked) == (True, ())
    assert {row.ok for row in verification.rows} == {True}


def with_seed(result, seed=ROWS, origins=None, **given):
    told = verify_result(result, pack_of(FULL), seed=GivenSeed(seed, origins or {}), **given)
    # What failed first of a place is told first.
    return {row.path: row.reason for row in reversed(told.rows) if not row.ok}


@pytest.mark.parametrize("given", [{}, {"profile": PROFILE}])
@pytest.mark.parametrize(
    ("path", "value"), [("/dpp_id", "DPP-1"), ("/materials/0/name", "tin"), ("/materials/0", {"name": "tin"})]
)
def test_what_the_seed_does_not_say_fails(result, path, value, given):
    found = with_seed(changed(result, (f"/record{path}", value)), **given)
    at = "/materials/0/name" if "materials" in path else path
    assert found[at] == "the seed does not hold this value there"


@pytest.mark.parametrize("given", [{}, {"profile": PROFILE}])
def test_a_leaf_of_the_seed_that_was_dropped_fails(result, given):
    told = verify_result(without(result, OF_SEED), pack_of(FULL), seed=GivenSeed(ROWS), **given)
    found = [(row.path, row.reason) for row in told.rows if not row.ok]
    assert ("/dpp_id", "what the seed says here was dropped or changed") in found


@pytest.mark.parametrize("given", [{}, {"profile": PROFILE}])
def test_rows_of_the_seed_may_stand_in_another_order(given):
    seed = changed(SEED, ("/materials", [{"name": "zinc"}, {"name": "tin", "share_pct": 40}]))
    told = read_record(RecordComposer(PROFILE).synthesize(seed, pack_of(FULL)).encode()).value
    told["record"]["materials"].reverse()
    turned = {"0": "1", "1": "0"}
    for row in told["support"]:
        parts = row["path"].split("/")
        if parts[1] == "materials":
            row["path"] = "/".join([*parts[:2], turned[parts[2]], *parts[3:]])
    told["origins"] = {
        row["path"]: "seed" if row["evidence_id"] == "request:seed" else "evidence" for row in told["support"]
    }
    assert with_seed(told, seed, **given) == {}


def without(result, number):
    """Return a result without a leaf, and without all that is said of it."""
    path = result["support"][number]["path"]
    spoiled = changed(result, (f"/record{path}", ...), (f"/support/{number}", ...))
    del spoiled["origins"][path]
    return spoiled


def test_an_invented_record_of_the_seed_fails(result):
    ref = result["digests"]["seed"]
    spoiled = {
        **result,
        "record": {"whole": "invented"},
        "origins": {"/whole": "seed"},
        "support": [{"path": "/whole", "evidence_id": "request:seed", "evidence_ref": ref, "source_pointer": "/whole"}],
    }
    told = verify_result(spoiled, pack_of(FULL))
    assert [row.ok for row in told.rows] == [None]
    assert with_seed(spoiled)["/whole"] == "the seed does not hold this value there"
    assert with_seed(spoiled)["/product/brand"] == "what the seed says here was dropped or changed"


def test_another_seed_fails(result):
    found = with_seed(result, changed(ROWS, ("/dpp_id", "DPP-1")))
    assert set(found.values()) == {"the seed given is another one: its digest differs"}
    assert {"", "/dpp_id", "/product/id"} <= found.keys()


def test_a_suggestion_in_the_seed_supports_nothing(result):
    assert with_seed(result, origins={"/dpp_id": "accepted_suggestion"}) == {
        "/dpp_id": "the seed itself held a suggestion there"
    }


def test_an_origin_of_no_leaf_fails(result):
    spoiled = deepcopy(result)
    spoiled["origins"]["/nothing"] = "seed"
    assert reasons(spoiled) == ["an origin is told of a leaf that the record does not have"]


def test_leaves_of_one_row_come_from_one_source():
    pack = pack_of(FULL, changed(FULL, ("/notes", "the same")))
    told = read_record(RecordComposer(PROFILE).synthesize(SEED, pack).encode()).value
    assert reasons(told, pack) == []
    row = next(row for row in told["support"] if row["path"] == "/materials/0/share_pct")
    row.update(evidence_id="s1", evidence_ref=pack.items[1].evidence_ref)
    assert set(reasons(told, pack)) == {"leaves of this row of the record come from several sources"}
    category = next(row for row in told["support"] if row["path"] == "/product/category")
    row.update(evidence_id="s0", evidence_ref=pack.items[0].evidence_ref)
    category.update(evidence_id="s1", evidence_ref=pack.items[1].evidence_ref)
    # Whoever of those that say the same is named, it is so.
    assert verify_result(told, pack, profile=PROFILE, seed=GivenSeed(SEED)).ok


def test_a_profile_decides_anew_what_supports(result):
    def told(pack):
        for row in result["support"]:
            if row["evidence_id"] == "s0":
                row["evidence_ref"] = pack.items[0].evidence_ref
        assert reasons(result, pack) == []
        rows = verify_result(result, pack, profile=PROFILE).rows
        return {row.path: row.reason for row in rows if row.ok is False}

    assert told(pack_of(FULL)) == {}
    assert set(told(pack_of(changed(FULL, ("/product/id", "K-2")))).values()) == {
        "neither the seed nor a structured source about this product states this value here"
    }
    rival = changed(FULL, ("/carbon/total_kg_co2e", 6))
    assert told(pack_of(FULL, rival)) == {
        "/carbon/total_kg_co2e": "sources about this product disagree here, so no value is supported"
    }


def test_a_record_that_violates_the_profile_fails(result):
    rows = verify_result(without(result, OF_SEED), pack_of(FULL), profile=PROFILE).rows
    assert {row.path: row.reason for row in rows if row.ok is False} == {
        "/dpp_id": "the record violates the profile here (required)"
    }


def test_changed_evidence_fails(result):
    found = reasons(result, pack_of(changed(FULL, ("/notes", "one byte more"))))
    assert set(found) == {"the evidence is not what it was: its digest differs"}


#: Rows of the result: the first is evidence's, the one of /dpp_id the seed's.
FIRST, OF_SEED = 0, 3
NO_REF = "sha256:" + "0" * 64
OTHER_SEED = "the seed is not the one of this result: its digest differs"


@pytest.mark.parametrize(
    ("pointer", "value", "reason"),
    [
        (f"/support/{FIRST}/source_pointer", "/notes", "the source pointer is another place"),
        (f"/support/{FIRST}/source_pointer", "notes", "a pointer is malformed"),
        (f"/support/{FIRST}/evidence_id", "elsewhere", "no evidence has this id"),
        (f"/support/{FIRST}/evidence_id", "request:seed", "the origin of the leaf is another one"),
        (f"/support/{FIRST}/path", "/nothing", "the record has no leaf there"),
        (f"/support/{FIRST}/path", 7, "the row is malformed"),
        (f"/support/{FIRST}", "row", "the row is malformed"),
        (
            f"/support/{OF_SEED}/evidence_ref",
            "sha256:" + "0" * 64,
            "the seed is not the one of this result: its digest differs",
        ),
        (f"/support/{OF_SEED}/source_pointer", "/notes", "the source pointer is another place"),
        (f"/support/{OF_SEED}/evidence_id", "s0", "the origin of the leaf is another one"),
        ("/digests/seed", NO_REF, OTHER_SEED),
        ("/record/product/category", "laptop", "the evidence does not hold this value there"),
        ("/record/notes", "made up", "no row of support stands for this leaf"),
        ("/record/materials", "none", "the record has no leaf there"),
        (f"/support/{FIRST}", ..., "no row of support stands for this leaf"),
    ],
)
def test_a_changed_result_fails(result, pointer, value, reason):
    assert result["support"][OF_SEED]["path"] == "/dpp_id"
    assert reason in reasons(changed(result, (pointer, value)))


def test_two_rows_for_one_leaf_fail(result):
    doubled = deepcopy(result)
    doubled["support"].append(doubled["support"][0])
    assert reasons(doubled) == ["two rows stand for this leaf"]


def test_a_leaf_that_was_a_suggestion_in_the_evidence_fails(result):
    marked = pack_of(FULL, origins={0: {"/product/category": "accepted_suggestion"}})
    assert reasons(result, marked) == ["the evidence itself was a suggestion there"]


@pytest.mark.parametrize("change", [("/support", {}), ("/record", []), ("/digests", []), ("/schema_version", 2)])
def test_what_is_no_result_is_refused(result, change):
    with pytest.raises(InputError, match="not_a_result"):
        verify_result(changed(result, change), pack_of(FULL))


@pytest.mark.parametrize(
    ("pointer", "origin", "paths"),
    [
        ("/dpp_id", "declared", ["/dpp_id"]),
        ("/product/category", "evidence", ["/product/category"]),
        ("/materials/0", "several", ["/materials/0/name", "/materials/0/share_pct"]),
        ("/compliance/standards/0", "evidence", ["/compliance/standards"]),
        ("/product/brand", "seed", ["/product/brand"]),
    ],
)
def test_where_a_value_comes_from(result, pointer, origin, paths):
    explanation = explain(result, pointer)
    assert explanation.origin == origin
    assert [row["path"] for row in explanation.support] == paths
    told = json.loads(json.dumps(explanation.to_dict(), default=str))
    assert list(validator("explanation").iter_errors(told)) == []


def test_it_is_told_in_words(result):
    assert explain(result, "/materials/0/share_pct").lines() == [
        "/materials/0/share_pct = 60",
        f"  from evidence s0 at /materials/1/share_pct ({pack_of(FULL).items[0].evidence_ref})",
    ]
    assert explain(result, "/product/brand").lines()[1].startswith("  from the seed at /product/brand (sha256:")
    assert len(explain(result, "").lines()) == 2 * len(result["support"]) + 1
    declared = explain(result, "/dpp_id")
    assert declared.lines()[-1] == "/dpp_id: declared by who gave it (declared)"
    assert declared.to_dict()["origins"] == {"/dpp_id": "declared"}


def test_a_place_where_nothing_stands(result):
    with pytest.raises(InputError, match="no_such_place"):
        explain(result, "/notes")
    with pytest.raises(InputError, match="not_a_result"):
        explain(changed(result, ("/support", 1)), "/dpp_id")


def test_an_item_that_is_called_like_the_seed_is_refused():
    from veracord import EvidencePack

    pack = EvidencePack.from_items([{"id": "request:seed", "content": FULL}])
    with pytest.raises(InputError, match="reserved_evidence_id"):
        RecordComposer(PROFILE).synthesize(SEED, pack)


SPARE = "/circularity/spare_parts_availability_years"


@pytest.fixture
def disputed():
    """A result of sources that disagree about an optional place, and of a row that the seed says otherwise."""
    pack = pack_of(changed(FULL, (SPARE, 6)), changed(FULL, (SPARE, 9)))
    seed = changed(SEED, ("/materials", [{"name": "zinc", "share_pct": 60}, {"name": "tin", "share_pct": 41}]))
    return read_record(RecordComposer(PROFILE).synthesize(seed, pack).encode()).value


def test_what_was_not_taken_is_told(disputed):
    assert {row["path"]: (row["outcome"], row["detail"]) for row in disputed["left_out"]} == {
        SPARE: ("conflict", None),
        "/materials/1/mass_kg": ("conflict", "rows_differ"),
    }
    assert [said["value"] for said in disputed["left_out"][0]["candidates"]] == [6, 9]
    assert list(validator("synthesis-result").iter_errors(json.loads(json.dumps(disputed, default=str)))) == []
    assert result_of(disputed, Document(SEED, b"", ""), 0).to_dict()["left_out"] == disputed["left_out"]


def test_nothing_is_left_out_where_all_was_taken(result):
    assert result["left_out"] == []


def test_what_was_not_taken_is_explained(disputed):
    explanation = explain(disputed, SPARE)
    assert explanation.origin == "left_out"
    assert explanation.lines() == [
        f"{SPARE} was left out",
        "  conflict: sources disagree",
        f"  s0 at {SPARE} says 6",
        f"  s1 at {SPARE} says 9",
    ]
    for place in (SPARE, "/circularity", "/materials/1", ""):
        told = json.loads(json.dumps(explain(disputed, place).to_dict(), default=str))
        assert told["left_out"]
        assert list(validator("explanation").iter_errors(told)) == []
    assert "left_out" not in explain(disputed, "/product").to_dict()
    with pytest.raises(InputError, match="no_such_place"):
        explain(disputed, "/circularity/nothing")


def test_what_was_not_taken_stands_at_its_row_in_the_record(disputed):
    model = ScriptedModel(
        [json.dumps({**disputed["record"], "materials": disputed["record"]["materials"][::-1]}, default=str)]
    )
    seed = changed(SEED, ("/materials", [{"name": "zinc", "share_pct": 60}, {"name": "tin", "share_pct": 41}]))
    pack = pack_of(changed(FULL, (SPARE, 6)), changed(FULL, (SPARE, 9)))
    with RecordComposer(PROFILE, model) as composer:
        written = composer.synthesize(seed, pack, assemble=False)
    assert written.method == "model"
    assert [row.path for row in written.left_out] == [SPARE, "/materials/0/mass_kg"]
