"""What is marked as a guess that came back, and what is not."""

import asyncio
import json
from decimal import Decimal
from types import SimpleNamespace

import pytest

from tests.unit.test_composer_ledgers import GTIN, profile  # noqa: F401 - a fixture
from veracord.composer.laundering import issue_suggestions, mark, rejected_suggestions
from veracord.composer.ledgers import entries_of
from veracord.composer.repair import document_of, repair_record
from veracord.composer.results import CandidateRow, Unresolved
from veracord.records.evidence import EvidencePack
from veracord.records.matching import EvidenceIndex
from veracord.testing import MemoryLedger

PRODUCT = {"brand": "Acme", "model": "X"}
GUESS = {"/mass_kg": 5}


def pack(*contents, **facts):
    return EvidencePack.from_items(
        [{"id": f"e{number}", "content": content, **facts} for number, content in enumerate(contents)]
    )


def ledger_with(profile, guesses, record=PRODUCT):  # noqa: F811 - the fixture
    ledger = MemoryLedger()
    for path, value in guesses.items():
        asyncio.run(ledger.issue(entries_of(profile, record, path, value)))
    return ledger


def marked(ledger, profile, record, evidence=None, origins=None):  # noqa: F811 - the fixture
    return asyncio.run(mark(ledger, profile, document_of(record), evidence or pack(), origins))


def origins_of(marks, record):
    """The origins of the leaves of each source that matches, by its id."""
    found = marks.evidence.match(record, ())
    return {source.evidence_id: dict(source.item.origins) for source in found.sources}


@pytest.mark.parametrize("value", [5, Decimal("5.0"), Decimal("0.5E1")])
def test_a_guess_in_the_record_and_in_a_source_is_marked(profile, value):  # noqa: F811
    record = {**PRODUCT, "mass_kg": value}
    evidence = pack({**PRODUCT, "mass_kg": value})
    marks = marked(ledger_with(profile, GUESS), profile, record, evidence)
    assert marks.origins == {"/mass_kg": "suggestion_origin"}
    assert origins_of(marks, record) == {"e0": {"/mass_kg": "suggestion_origin"}}
    # Neither the pack nor its index have changed, nor has the reference.
    assert evidence.items[0].origins == {}
    assert EvidenceIndex.of(evidence, profile.identity) is not marks.evidence
    (source,) = marks.evidence.match(record, ()).sources
    assert source.item.evidence_ref == evidence.items[0].evidence_ref
    assert marks.evidence.rows(marks.evidence.match(record, ()))[0].used


@pytest.mark.parametrize("text", ["caf\u00e9", "cafe\u0301", "  caf\u00e9 ", "caf\u00e9\n"])
def test_a_text_is_known_however_it_is_written(profile, text):  # noqa: F811
    ledger = ledger_with(profile, {"/note": "caf\u00e9"})
    assert marked(ledger, profile, {**PRODUCT, "note": text}).origins == {"/note": "suggestion_origin"}


def test_a_row_is_known_at_another_index(profile):  # noqa: F811
    issued_for = {**PRODUCT, "materials": [{"name": "steel"}]}
    ledger = ledger_with(profile, {"/materials/0/share_pct": 60}, issued_for)
    record = {**PRODUCT, "materials": [{"name": "tin", "share_pct": 60}, {"name": "steel", "share_pct": 60}]}
    assert marked(ledger, profile, record).origins == {"/materials/1/share_pct": "suggestion_origin"}


@pytest.mark.parametrize(
    "record",
    [
        {"brand": "Acme", "model": "Y", "mass_kg": 5},
        {**PRODUCT, "mass_kg": 6},
        {**PRODUCT, "mass_kg": "5"},
        {**PRODUCT, "weight_kg": 5},
        {"mass_kg": 5},
    ],
)
def test_another_product_value_or_place_is_not(profile, record):  # noqa: F811
    marks = marked(ledger_with(profile, GUESS), profile, record, pack(record))
    assert marks.origins == {}
    assert all(not item.origins for item in pack(record).items)
    assert all(not source.item.origins for source in marks.evidence.sources)


def test_a_guess_for_one_name_of_the_product_is_known_under_the_others(profile):  # noqa: F811
    ledger = ledger_with(profile, GUESS, {"gtin": GTIN})
    record = {"gtin": GTIN, **PRODUCT}
    # The source is about the product by its weaker key, and does not say the one that the guess was issued for.
    evidence = pack({"gtin": GTIN, "mass_kg": 5}, {**PRODUCT, "mass_kg": 5})
    marks = marked(ledger, profile, record, evidence)
    assert origins_of(marks, record) == {"e0": {"/mass_kg": "suggestion_origin"}}
    weaker = marked(ledger, profile, PRODUCT, pack({**PRODUCT, "mass_kg": 5}, {"gtin": GTIN, **PRODUCT}))
    assert origins_of(weaker, PRODUCT)["e0"] == {"/mass_kg": "suggestion_origin"}


def test_a_source_that_matches_only_when_the_identity_is_filled_is_marked_too(profile):  # noqa: F811
    ledger = ledger_with(profile, GUESS, {"gtin": GTIN})
    evidence = pack({**PRODUCT, "gtin": GTIN}, {"gtin": GTIN, "mass_kg": 5})
    marks = marked(ledger, profile, PRODUCT, evidence)
    assert origins_of(marks, {**PRODUCT, "gtin": GTIN})["e1"] == {"/mass_kg": "suggestion_origin"}


def test_what_is_declared_is_no_guess_any_more_anywhere(profile):  # noqa: F811
    ledger = ledger_with(profile, GUESS)
    record = {**PRODUCT, "mass_kg": 5}
    assert marked(ledger, profile, record, origins={"/mass_kg": "declared"}).origins == {"/mass_kg": "declared"}
    evidence = EvidencePack.from_items(
        [
            {"id": "a", "content": record, "origins": {"/mass_kg": "declared"}},
            {"id": "b", "content": {**record, "mass_kg": Decimal("5.0")}},
        ]
    )
    marks = marked(ledger, profile, record, evidence)
    assert marks.origins == {}
    assert origins_of(marks, record) == {"a": {"/mass_kg": "declared"}, "b": {}}


def test_other_origins_do_not_save_a_guess(profile):  # noqa: F811
    ledger = ledger_with(profile, GUESS)
    record = {**PRODUCT, "mass_kg": 5}
    for origin in ("input", "seed", "evidence"):
        assert marked(ledger, profile, record, origins={"/mass_kg": origin}).origins == {
            "/mass_kg": "suggestion_origin"
        }
    accepted = {"/mass_kg": "accepted_suggestion", "/brand": "input"}
    assert marked(ledger, profile, record, origins=accepted).origins == accepted
    marks = marked(ledger, profile, record, pack(record, origins={"/mass_kg": "evidence"}))
    assert origins_of(marks, record) == {"e0": {"/mass_kg": "suggestion_origin"}}


def test_without_a_ledger_or_a_guess_everything_is_as_it_was(profile):  # noqa: F811
    evidence = pack({**PRODUCT, "mass_kg": 5})
    index = EvidenceIndex.of(evidence, profile.identity)
    for ledger in (None, MemoryLedger()):
        marks = marked(ledger, profile, {**PRODUCT, "mass_kg": 5}, evidence, {"/brand": "input"})
        assert marks == ({"/brand": "input"}, index)
        assert marks.evidence is index


def suggested(record, unresolved=(), **suggestions):
    """A repair with suggestions, as far as it is looked at."""
    return SimpleNamespace(
        record=record,
        unresolved=unresolved,
        suggestions=[SimpleNamespace(path=f"/{name}", value=value) for name, value in suggestions.items()],
    )


def disputed(value, outcome="conflict", detail=None):
    """What a repair says about a mass that stays open, of which a source says something."""
    candidate = CandidateRow(value, "e1", "/mass_kg")
    return Unresolved("/mass_kg", "required", "", outcome, detail, None, (candidate,))


def test_what_a_source_states_when_it_is_suggested_is_not_entered(profile):  # noqa: F811
    ledger = MemoryLedger()
    evidence = pack({**PRODUCT, "mass_kg": 5}, {**PRODUCT, "mass_kg": 6})
    result = suggested(PRODUCT, [disputed(5), disputed(6)], mass_kg=Decimal("5.0"), note="guess")
    asyncio.run(issue_suggestions(ledger, profile, result))
    assert set(ledger.issued_entries) == set(entries_of(profile, PRODUCT, "/note", "guess"))
    assert marked(ledger, profile, {**PRODUCT, "mass_kg": 5}, evidence).origins == {}


@pytest.mark.parametrize(
    "row",
    [
        disputed(6),
        disputed(5, "context_mismatch"),
        disputed(5, "level_mismatch"),
        disputed(5, "source_invalid"),
        disputed(5, "conflict", "identity"),
        disputed(5, "conflict", "suggestion_origin"),
    ],
)
def test_a_source_that_does_not_count_states_nothing(profile, row):  # noqa: F811
    ledger = MemoryLedger()
    asyncio.run(issue_suggestions(ledger, profile, suggested(PRODUCT, [row], mass_kg=5)))
    assert set(ledger.issued_entries) == set(entries_of(profile, PRODUCT, "/mass_kg", 5))


@pytest.mark.parametrize(
    ("told", "is_guess"),
    [
        (["EN 1", "EN 2"], True),
        (["EN 2", "EN 1"], True),
        (["EN 1"], True),
        (["EN 1", "EN 1", " EN 2"], True),
        (["EN 1", "EN 3"], False),
        ([], False),
        ("EN 1", False),
    ],
)
def test_a_list_is_a_guess_in_whatever_order_and_in_part(profile, told, is_guess):  # noqa: F811
    ledger = MemoryLedger()
    asyncio.run(issue_suggestions(ledger, profile, suggested(PRODUCT, note=["EN 1", "EN 2"])))
    origins = marked(ledger, profile, {**PRODUCT, "note": told}, pack()).origins
    assert origins == ({"/note": "suggestion_origin"} if is_guess else {})


def test_a_guess_that_was_pasted_into_a_source_states_nothing(profile):  # noqa: F811
    ledger = ledger_with(profile, GUESS, {"gtin": GTIN})
    record = {"gtin": GTIN, **PRODUCT}
    asyncio.run(issue_suggestions(ledger, profile, suggested(record, [disputed(5, "no_source")], mass_kg=5)))
    assert set(ledger.issued_entries) >= set(entries_of(profile, record, "/mass_kg", 5))


def test_what_was_rejected_is_told(profile):  # noqa: F811
    ledger = MemoryLedger()
    asyncio.run(ledger.reject(entries_of(profile, PRODUCT, "/mass_kg", 5)))
    is_rejected = asyncio.run(rejected_suggestions(ledger, profile, PRODUCT))
    assert is_rejected("/mass_kg", Decimal("5.0"))
    assert not is_rejected("/mass_kg", 6)
    assert not asyncio.run(rejected_suggestions(MemoryLedger(), profile, PRODUCT))("/mass_kg", 5)


def test_a_place_that_only_a_guess_states_stays_open_and_says_why(tmp_path):
    import json

    from veracord.records.profiles import Profile

    schema = {
        "type": "object",
        "required": ["id", "mass_kg", "tags"],
        "properties": {"id": {"type": "string"}, "mass_kg": {"type": "number"}, "tags": {"type": "array"}},
    }
    (tmp_path / "s.json").write_text(json.dumps(schema), "utf-8")
    small = Profile.from_schema([tmp_path / "s.json"], [["/id"]])
    evidence = EvidencePack.from_items(
        [
            {
                "id": "e",
                "content": {"id": "1", "mass_kg": 5, "tags": ["a", "b"]},
                # Also of a place inside of a leaf.
                "origins": {"/mass_kg": "suggestion_origin", "/tags/1": "accepted_suggestion"},
            }
        ]
    )
    result = repair_record(small, document_of({"id": "1"}), evidence)
    assert not result.fills
    assert [(row.path, row.outcome, row.detail) for row in result.unresolved] == [
        ("/mass_kg", "no_source", "suggestion_origin"),
        ("/tags", "no_source", "accepted_suggestion"),
    ]
    assert [row.candidates[0].evidence_id for row in result.unresolved] == ["e", "e"]


def lamp(tmp_path, **schema):
    """A profile of lamps, of which the mass and the maker's word must be known."""
    from veracord.records.profiles import Profile

    content = {
        "type": "object",
        "required": ["gtin", "mass_kg"],
        "properties": {"gtin": {"type": "string"}, "mass_kg": {"type": "number"}, "parts": schema},
    }
    (tmp_path / "lamp.schema.json").write_text(json.dumps(content), "utf-8")
    text = 'name = "lamp"\nversion = "1"\nschema = "lamp.schema.json"\n[identity]\nkeys = [["/gtin"]]\n'
    (tmp_path / "lamp.toml").write_text(text, "utf-8")
    return Profile.load(tmp_path / "lamp.toml")


def mass(value, rank=None, of="a"):
    return {"id": of, "content": {"gtin": GTIN, "mass_kg": value}, **({"rank": rank} if rank else {})}


@pytest.mark.parametrize(
    ("sources", "filled", "outcome"),
    [
        ([mass(5)], None, ("no_source", "suggestion_origin")),
        # The one that says what a model guessed may be the true one.
        ([mass(5), mass(6, of="b")], None, ("conflict", "suggestion_origin")),
        ([mass(5, 1), mass(6, 2, of="b")], None, ("conflict", "suggestion_origin")),
        ([mass(5, 1), mass(6, 1, of="b")], None, ("conflict", "suggestion_origin")),
        ([mass(5), mass(6, of="b"), mass(7, of="c")], None, ("conflict", None)),
        # The better rank decides, as ever, and what it overrules is told.
        ([mass(5, 2), mass(6, 1, of="b")], (6, "b", ("a",)), None),
        ([mass(6), mass(6, of="b")], (6, "a", ()), None),
    ],
)
def test_a_guess_supports_nothing_and_lets_nobody_win(tmp_path, sources, filled, outcome):
    lamps = lamp(tmp_path)
    record = {"gtin": GTIN}
    ledger = ledger_with(lamps, GUESS, record)
    marks = marked(ledger, lamps, record, EvidencePack.from_items(sources))
    result = repair_record(lamps, document_of(record), marks.evidence, marks.origins)
    if filled is None:
        (row,) = result.unresolved
        assert (row.outcome, row.detail) == outcome
        assert len(row.candidates) == len(sources)
        assert not result.fills
    else:
        (fill,) = result.fills
        assert (fill.value, fill.evidence_id, fill.overruled) == filled
        assert not result.unresolved


def test_a_list_of_rows_with_a_guess_in_it_lets_nobody_win(tmp_path):
    rows = {"type": "array", "minItems": 1, "items": {"type": "object", "properties": {"name": {}, "grams": {}}}}
    lamps = lamp(tmp_path, **rows)
    record = {"gtin": GTIN, "mass_kg": 1, "parts": []}
    first, second = [{"name": "lid", "grams": 5}], [{"name": "cap", "grams": 6}]
    ledger = ledger_with(lamps, {"/parts": first}, record)
    items = [
        {"id": f"e{number}", "content": {"gtin": GTIN, "parts": parts}} for number, parts in enumerate((first, second))
    ]
    for evidence, outcome in ((items[:1], "no_source"), (items, "conflict")):
        marks = marked(ledger, lamps, record, EvidencePack.from_items(evidence))
        (row,) = repair_record(lamps, document_of(record), marks.evidence, marks.origins).unresolved
        assert (row.outcome, row.detail) == (outcome, "suggestion_origin")
