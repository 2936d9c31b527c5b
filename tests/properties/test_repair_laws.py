"""Laws of repair: true for every profile, record and evidence.

Examples come from `tests.properties.worlds`: most are hard, which is counted, and the messes are worse.
"""

import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.json_texts import Layout, without, written
from tests.properties.laws import LAWS, top_change
from tests.properties.oracles import ABSENT, at, copied, has_object, same, spelled, tokens_of
from tests.properties.worlds import ROWS, Traits, World, honest_worlds, is_hard, messes, worlds
from veracord import EvidencePack, RecordComposer, read_record

SEEDS = st.integers(0, 10_000)


def repaired(world, record=None, evidence=None):
    pack = world.pack if evidence is None else EvidencePack.from_items(evidence)
    record = world.record if record is None else record
    return RecordComposer(world.profile).repair(record, pack)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@settings(max_examples=80)
@given(world=worlds())
def test_law(law, world):
    law(world, repaired(world))


@settings(max_examples=500)
@given(messes())
def test_every_law_holds_in_a_mess(world):
    result = repaired(world)
    for law in LAWS:
        law(world, result)


# ---- laws about two repairs ---------------------------------------------------------------------


def told(result, *, shows_places=True):
    """Return what a result says, without what names places in sources that may be arranged anew."""
    fills = [(f.path, in_order(f.value), f.evidence_id, f.also, f.overruled, f.cures) for f in result.fills]
    rows = [
        (
            *(r.path, r.rule, r.message, r.outcome, r.detail, r.uncovered_by),
            sorted((in_order(c.value), c.evidence_id) for c in r.candidates),
        )
        for r in result.unresolved
    ]
    sources = [(s.evidence_id, s.used, s.reason, s.count) for s in result.sources]
    pointers = [f.source_pointer for f in result.fills] if shows_places else []
    return fills, rows, sources, pointers, result.conforms


def in_order(value):
    """Return a text of a value that no order of members changes, but any spelling does."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{name!r}:{in_order(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(in_order, value)) + "]"
    return repr(value)


def turned(value, rng):
    """Return an equal value whose members are in another order."""
    if isinstance(value, dict):
        names = rng.sample(list(value), len(value))
        return {name: turned(value[name], rng) for name in names}
    return [turned(item, rng) for item in value] if isinstance(value, list) else value


@settings(max_examples=200)
@given(st.one_of(worlds(), messes()), SEEDS)
def test_the_order_of_sources_and_members_changes_nothing(world, seed):
    rng = random.Random(seed)
    evidence = [turned(item, rng) for item in rng.sample(world.evidence, len(world.evidence))]
    first = repaired(world)
    second = repaired(world, turned(world.record, rng), evidence)
    assert told(first) == told(second)
    assert same(first.record, second.record)


@settings(max_examples=200)
@given(st.one_of(worlds(), messes()), SEEDS)
def test_the_order_of_declared_rows_in_sources_changes_nothing(world, seed):
    rng = random.Random(seed)
    evidence = copied(world.evidence)
    for item in evidence:
        rows = at(item.get("content"), ROWS)
        if isinstance(rows, list):
            rng.shuffle(rows)
    first, second = repaired(world), repaired(world, evidence=evidence)
    if has_object(at(world.record, ROWS)):
        assert told(first, shows_places=False) == told(second, shows_places=False)
        assert same(first.record, second.record)
        return
    # Rows that are copied whole come in the order of the source they are copied from.
    for result in (first, second):
        rows = at(result.record, ROWS)
        if isinstance(rows, list):
            rows.sort(key=spelled)
    assert same(first.record, second.record)
    assert first.conforms is second.conforms
    assert sorted(r.outcome for r in first.unresolved) == sorted(r.outcome for r in second.unresolved)


@settings(max_examples=200)
@given(st.one_of(worlds(), messes()))
def test_repairing_a_repaired_record_changes_nothing(world):
    first = repaired(world)
    second = repaired(world, first.record)
    assert not second.fills
    assert spelled(second.record) == spelled(first.record)
    assert [(r.path, r.rule, r.outcome) for r in second.unresolved] == [
        (r.path, r.rule, r.outcome) for r in first.unresolved
    ]


@settings(max_examples=80)
@given(st.one_of(worlds(), messes()))
def test_the_input_is_not_changed(world):
    record, evidence = copied(world.record), copied(world.evidence)
    pack = EvidencePack.from_items(evidence)
    contents = [spelled(item.content) for item in pack.items]
    RecordComposer(world.profile).repair(record, pack).to_json()
    assert spelled(record) == spelled(world.record)
    assert spelled(evidence) == spelled(world.evidence)
    assert [spelled(item.content) for item in pack.items] == contents


@settings(max_examples=200)
@given(st.one_of(worlds(), messes()), SEEDS)
def test_a_record_that_was_read_keeps_its_text_but_for_the_fills(world, seed):
    text = f"{Layout(seed).blank()}{written(world.record, Layout(seed))}{Layout(seed).blank()}"
    document = read_record(text.encode())
    result = repaired(world, document)
    new = result.record_text().decode()
    assert in_order(read_record(new.encode()).value) == in_order(result.record)
    changed = {top_change(document.value, result.record, tokens_of(f.path)) for f in result.fills}
    there = {place for place in changed if at(document.value, place) is not ABSENT}
    assert without(new, changed - there, there) == without(text, set(), there)
    assert (new == text) is (not result.fills)
    assert f'"record":{new.strip()},' in result.to_json()


# ---- laws about what repair must achieve --------------------------------------------------------


@settings(max_examples=250)
@given(honest_worlds())
def test_what_every_source_agrees_about_is_mended(world):
    result = repaired(world)
    assert result.conforms, [(r.path, r.rule, r.outcome) for r in result.unresolved]
    for fill in result.fills:
        place = tokens_of(fill.path)
        if place[:1] != ROWS:
            assert same(at(world.truth, place), fill.value)


# ---- hard examples ------------------------------------------------------------------------------


def world_of(record, *sources, **traits):
    """Return a world whose record and sources are the plain truth but for the given members; ... drops one."""

    def changed(changes, **more):
        content = {**copied(PLAIN_TRUTH), **copied(changes), **more}
        return {name: value for name, value in content.items() if value is not ...}

    evidence = [
        {"id": f"s{number}", "content": changed(source, rid=f"S-{number}"), "rank": rank}
        for number, (rank, source) in enumerate(sources)
    ]
    return World(Traits(**traits), PLAIN_TRUTH, changed(record, rid="R-1"), evidence)


PLAIN_TRUTH = {
    "id": "P-1",
    "maker": "A",
    "model": "M",
    "rid": "R-0",
    "mode": "idle",
    "gauge": 1,
    "extra": 1,
    "label": "true",
    "uuid": "5f0d6f2e-3f3e-4b43-9c1e-2d6d6a1c9a11",
    "carbon": {"total": 1, "unit": "kg"},
    "power": {"kind": "mains", "volts": 12},
    "box": {"a": 1, "inner": {"c": [1, 2], "0": "z"}},
    "limits": {"low": 1, "high": 2},
    "mix": [{"name": "n0", "grade": 0, "share": 100, "code": "C0", "sub": {"x": 1}}],
    "parts": [{"sku": "A", "qty": 1}],
    "ratios": [1, 1],
}
ROW = PLAIN_TRUTH["mix"][0]
WITHOUT_SHARE = {name: value for name, value in ROW.items() if name != "share"}

KNOWN = {
    "an empty array where an object belongs": world_of({"box": []}, (None, {})),
    "an array of scalars where an object belongs": world_of({"box": ["0", [1]]}, (None, {})),
    "rows that say nothing that is known": world_of(
        {"parts": -1}, (None, {"parts": [{"sku": "A", "qty": 1}, {"odd": 1}]})
    ),
    "an empty row": world_of({"mix": 5}, (None, {"mix": [{}, ROW]})),
    "identity from two sources that differ": world_of(
        {"maker": ..., "model": ...}, (None, {}), (1, {"maker": "B", "model": ...})
    ),
    "a copied row that another source would complete": world_of(
        {"mix": None}, (1, {"mix": [WITHOUT_SHARE]}), (None, {"mix": [{**ROW, "code": "other"}]})
    ),
    "a row that two differing sources would complete": world_of(
        {"mix": [{**ROW, "tags": [], "sub": 5}]},
        (None, {"mix": [{"name": "n0", "grade": 0, "tags": ["t"], "code": "C0"}]}),
        (None, {"mix": [{"name": "n0", "grade": 0, "sub": {"x": 1}, "code": "other"}]}),
    ),
    "a row that two agreeing sources complete": world_of(
        {"mix": [{**ROW, "tags": [], "sub": 5}]},
        (None, {"mix": [{"name": "n0", "grade": 0, "tags": ["t"], "code": "C0"}]}),
        (None, {"mix": [{"name": "n0", "grade": 0, "sub": {"x": 1}, "share": 7}]}),
    ),
    "a condition that a damaged member hides": world_of(
        {"mode": None, "gauge": 7, "extra": ...}, (None, {"mode": "open"})
    ),
    "names like indexes under an array": world_of(
        {"box": {"a": 1, "inner": ["junk"]}}, (1, {}), (None, {"box": ["x"]})
    ),
}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", KNOWN)
def test_every_law_holds_where_it_once_did_not(law, name):
    law(KNOWN[name], repaired(KNOWN[name]))


@pytest.mark.parametrize(
    "name", ["an empty array where an object belongs", "an array of scalars where an object belongs"]
)
def test_a_leaf_where_an_object_belongs_is_replaced(name):
    assert repaired(KNOWN[name]).conforms


def test_examples_are_hard_enough(capfd):
    seen = []

    @settings(max_examples=250, derandomize=True, database=None)
    @given(worlds())
    def count(world):
        seen.append(is_hard(world))

    count()
    share = sum(seen) / len(seen)
    with capfd.disabled():
        sys.stderr.write(
            f"\nhard examples of the laws: {share:.0%} of {len(seen)} have 3 sources, 2 of them in conflict, "
            "shares that only add up jointly, and declared rows\n"
        )
    assert share >= 0.8
