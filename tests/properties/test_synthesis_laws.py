"""Laws of synthesis: true for every profile, seed and evidence, and for whatever a model answers.

What a leaf may rest on is worked out here a second time, plainly and apart from the package.
"""

import json
import random
from collections import Counter
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.oracles import ABSENT, at, copied, has_object, is_same_product, same, tokens_of
from tests.properties.worlds import KEYS, ROWS, ZERO_UUID, World, counterpart, honest_worlds, messes, ops, worlds
from veracord import EvidencePack, RecordComposer
from veracord.composer.support import ground
from veracord.composer.synthesis_cases import SynthesisCase
from veracord.composer.verification import verify_result
from veracord.composer.verified_seed import GivenSeed
from veracord.errors import RecordGenerationError
from veracord.records.matching import EvidenceIndex
from veracord.records.pointers import join
from veracord.records.reading import Document
from veracord.records.values import leaves
from veracord.testing import ScriptedModel

CUTS = ops("drop", 14)
TWISTS = ops("tweak", 1)
ANSWERS = ops("drop tweak junk unknown twice turn", 3)
#: Places that a record may lack.
OPTIONAL = [("uuid",), ("stamp",), ("parts",), ("carbon", "scope"), ("box", "b"), ("ratios",), ("extra",)]
LEFT_OUT = st.lists(st.sampled_from(OPTIONAL), max_size=3, unique=True)
SOME_WORLDS = st.one_of(honest_worlds(), honest_worlds(), worlds(), messes())
SECTIONS = ("mode", "gauge", "extra", "label", "uuid", "carbon", "power", "box", "limits", "mix", "parts", "ratios")
MISSING_SECTIONS = st.lists(st.sampled_from(SECTIONS), max_size=len(SECTIONS), unique=True)
NUMBERS = st.integers(0, 10_000)


@st.composite
def syntheses(draw):
    """Draw a world whose record is a seed: a part of the true record, now and then with something else in it."""
    world = draw(SOME_WORLDS)
    cut = draw(MISSING_SECTIONS)
    seed = {name: value for name, value in copied(world.truth).items() if name not in cut} | {"rid": "R-1"}
    for op in (*draw(CUTS), *draw(TWISTS)):
        op.apply(seed, spares=("id", "maker", "model", "rid"))
    return World(world.traits, world.truth, seed, world.evidence)


def case_of(world, evidence=None):
    items = world.evidence if evidence is None else evidence
    index = EvidenceIndex.of(EvidencePack.from_items(items), world.profile.identity)
    return SynthesisCase(world.profile, index, Document(world.record, b"", ""))


def synthesized(world, answers=None, **options):
    """Return the result, or None where there is none."""
    model = None if answers is None else ScriptedModel(answers)
    with RecordComposer(world.profile, model) as composer:
        try:
            return composer.synthesize(world.record, world.pack, **options)
        except RecordGenerationError:
            return None


def told(grounding):
    return grounding.rows, grounding.problems


def is_accepted(case, record):
    return not (
        case.refusals
        or case.conformance_problems(record)
        or case.grounding(record).problems
        or case.seed_losses(record)
    )


# ---- a second opinion on what supports a leaf ---------------------------------------------------


def sources_of(world, record):
    """Return the structured sources about the product of a record, with their standing."""
    found = []
    for item in world.evidence:
        content = item.get("content")
        is_own_copy = isinstance(content, dict) and same(content.get("rid", ABSENT), record.get("rid"))
        if isinstance(content, dict) and not is_own_copy and is_same_product(KEYS, record, content):
            found.append((item.get("rank") or 99, content))
    return found


def key_of(world, row):
    told = [row.get(name, ABSENT) if isinstance(row, dict) else ABSENT for name in world.traits.row_key]
    return None if any(value is ABSENT or value is None for value in told) else told


def moved(world, place, holder, other):
    """Return where another record has a place: rows by their key, and by index where two rows could be meant."""
    ours, theirs = at(holder, ROWS), at(other, ROWS)
    if place[:1] != ROWS or len(place) < 2 or not isinstance(ours, list) or not isinstance(theirs, list):
        return place
    keys, other_keys = ([key_of(world, row) for row in rows] for rows in (ours, theirs))
    for told in (keys, other_keys):
        if None in told or any(same(a, b) for n, a in enumerate(told) for b in told[:n]):
            return place
    found = [str(n) for n, key in enumerate(other_keys) if same(key, keys[int(place[1])])]
    return ("mix", found[0] if found else str(len(theirs)), *place[2:])


def in_seed(world, record, place):
    """Return what the seed says at a place of the record."""
    return at(world.record, moved(world, place, record, world.record))


def assert_grounded(world, record):
    """Every leaf is the seed's, or what a source about the product says there; leaves of one row share a source."""
    shown = World(world.traits, world.truth, record, world.evidence)
    sources = sources_of(world, record)
    rows = {}
    for place, value in leaves(record):
        own = in_seed(world, record, place)
        if own is not ABSENT and same(own, value):
            continue
        said = [(rank, counterpart(shown, source, place)) for rank, source in sources]
        supporters = {number for number, (_, told) in enumerate(said) if told is not ABSENT and same(told, value)}
        assert supporters, f"nothing supports {join(place)}"
        assert place not in {("stamp",), ("rid",)}, "administrative places are the seed's alone"
        assert value not in ("Shown", ZERO_UUID) or isinstance(value, list), "a placeholder"
        if place[0] in ("mix", "parts") and len(place) > 1:
            row = place[:2]
            rows[row] = rows.get(row, supporters) & supporters
            assert rows[row], f"the leaves of {join(row)} share no source"
        elif place[0] != "carbon":
            assert_undisputed(said, value, place)


def assert_undisputed(said, value, place):
    """No source of the best rank says something else; what is empty or shown by the schema says nothing."""
    told = [
        (rank, other)
        for rank, other in said
        if other is not ABSENT and other not in (None, "", [], {}, "Shown", ZERO_UUID)
    ]
    best = min(rank for rank, _ in told)
    # Rows of which the schema knows no member say nothing.
    rivals = [other for rank, other in told if rank == best and not same(other, value) and not has_object(other)]
    assert not rivals, f"sources disagree about {join(place)}"


def assert_sound(world, record):
    assert world.profile.validate(record) == []
    assert_grounded(world, record)
    for place, value in leaves(world.record):
        now = moved(world, place, world.record, record)
        assert same(at(record, now), value), f"the seed's {join(place)} was lost"


# ---- the laws -----------------------------------------------------------------------------------


def test_what_is_assembled_is_grounded_and_the_seed_survives():
    counted = Counter()

    @settings(max_examples=300)
    @given(syntheses())
    def law(world):
        before = copied(world.record), copied(world.evidence)
        result = synthesized(world)
        assert (world.record, world.evidence) == before
        counted[result is not None] += 1
        if result is None:
            return
        counted["rows"] += any(
            row.path.startswith("/mix") and row.evidence_id != "request:seed" for row in result.support
        )
        assert_sound(world, result.record)
        assert verify_result(result.to_dict(), world.pack).ok
        anew = verify_result(result.to_dict(), world.pack, profile=world.profile, seed=GivenSeed(world.record))
        assert (anew.ok, anew.not_checked) == (True, ())
        assert [row.path for row in result.support] == sorted(join(place) for place, _ in leaves(result.record))

    law()
    assert counted[True] > 60, counted
    assert counted["rows"] > 20, counted


@settings(max_examples=150)
@given(syntheses(), NUMBERS)
def test_the_order_of_sources_means_nothing(world, number):
    rng = random.Random(number)
    other = World(world.traits, world.truth, world.record, rng.sample(world.evidence, len(world.evidence)))
    case, turned = case_of(world), case_of(other)
    assert case.refusals == turned.refusals
    assert case.assembly.record == turned.assembly.record
    assert told(case.grounding(case.assembly.record)) == told(turned.grounding(case.assembly.record))


@settings(max_examples=150)
@given(syntheses())
def test_the_plan_of_an_assembly_says_the_same_as_a_new_one(world):
    case = case_of(world)
    record = case.assembly.record
    anew = ground(case.profile, world.record, case.index, record)
    assert told(case.grounding(record)) == told(anew)
    assert anew.problems == (), "assembly adds nothing that is not grounded"


@settings(max_examples=200)
@given(syntheses(), NUMBERS)
def test_a_leaf_whose_support_is_taken_away_is_not_grounded(world, number):
    case = case_of(world)
    record = case.assembly.record
    rows = [row for row in case.grounding(record).rows if row.evidence_id != "request:seed"]
    if not rows:
        return
    row = rows[number % len(rows)]
    shown = World(world.traits, world.truth, record, world.evidence)
    evidence = copied(world.evidence)
    for item in evidence:
        content = item.get("content")
        if isinstance(content, dict):
            _take_out(shown, content, tokens_of(row.path))
    problems = case_of(world, evidence).grounding(record).problems
    assert any(row.path == problem.path for problem in problems)


def _take_out(world, content, place):
    """Take what a source says at a place of the record out of it; of a row, out of every row with its key."""
    places = [place]
    rows = at(content, ROWS)
    if place[:1] == ROWS and len(place) > 1 and isinstance(rows, list):
        key = key_of(world, at(world.record, place[:2]))
        places += [
            ("mix", str(number), *place[2:])
            for number, row in enumerate(rows)
            if key is not None and (told := key_of(world, row)) is not None and same(told, key)
        ]
    for found in places:
        parent = at(content, found[:-1])
        if isinstance(parent, dict):
            parent.pop(found[-1], None)


def test_whatever_a_model_answers_nothing_ungrounded_is_accepted():
    counted = Counter()

    @settings(max_examples=500)
    @given(syntheses(), st.one_of(st.just([]), ANSWERS), LEFT_OUT, st.booleans())
    def law(world, changes, left_out, from_truth):
        for place in left_out:
            _take_out(world, world.record, place)
        case = case_of(world)
        record = copied(world.truth) if from_truth else copied(case.assembly.record)
        record["rid"] = "R-1"
        for op in changes:
            op.apply(record)
        for place in left_out[:1]:
            _take_out(world, record, place)
        if isinstance(record.get("mix"), list):
            record["mix"] = record["mix"][:: -1 if len(left_out) > 1 else 1]
        accepted = is_accepted(case, record)
        counted[accepted] += 1
        counted["changed"] += accepted and record != case.assembly.record
        if accepted:
            assert_sound(world, record)

    law()
    assert counted[True] > 60, counted
    assert counted[False] > 150, counted

    assert counted["changed"] > 10, counted


@settings(max_examples=60)
@given(syntheses(), ANSWERS, ANSWERS)
def test_the_composer_accepts_what_the_checks_accept_and_asks_twice_at_most(world, first, second):
    case = case_of(world)
    answers = []
    for changes in (first, second):
        record = {**copied(world.truth), "rid": "R-1"}
        for op in changes:
            op.apply(record)
        answers.append(record)
    result = synthesized(world, [json.dumps(answer, default=_spelled) for answer in answers], assemble=False)
    expected = next((answer for answer in answers if is_accepted(case, answer)), None)
    assert (None if result is None else result.record) == expected
    assert result is None or result.requests <= 2


def _spelled(value):
    assert isinstance(value, Decimal)
    return float(value)


@given(syntheses(), st.lists(ops("drop tweak", 2), min_size=2, max_size=4))
def test_what_was_built_before_from_the_same_evidence_changes_nothing(world, variants):
    shared = case_of(world).index
    for changes in variants:
        seed = copied(world.record)
        for op in changes:
            op.apply(seed)
        told = [
            _told(SynthesisCase(world.profile, index, Document(seed, b"", "")))
            for index in (shared, case_of(world).index)
        ]
        assert told[0] == told[1]


def _told(case):
    record = case.assembly.record
    grounding = case.grounding(record)
    return case.result(record, grounding, "assembly").encode(), grounding.problems
