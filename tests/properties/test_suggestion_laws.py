"""Laws of suggestions: whatever a model answers, it has no say in what is known, and each guess is marked as one."""

import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.oracles import at, copied, has_object, leaves, same, tokens_of
from tests.properties.worlds import ADMINISTRATIVE, JUNK, KEYS, messes, worlds
from veracord import EvidencePack, Profile, RecordComposer
from veracord.composer.suppression import clean_rationale, sift
from veracord.errors import ModelUnavailableError
from veracord.ports import Finish, Response
from veracord.records.intake import from_python
from veracord.records.writing import write_json
from veracord.testing import ScriptedModel

SCALARS = st.none() | st.booleans() | st.integers(-5, 200) | st.decimals(-5, 200, places=2) | st.text(max_size=6)
VALUES = st.recursive(
    SCALARS | st.sampled_from(JUNK),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
CONFIDENCES = st.decimals(0, 1, places=4) | st.sampled_from([0, 1, True, "0.9", None, 2, -1, Decimal("0.30001")])
POINTERS = st.sampled_from(["", "/", "/id", "/rid", "/stamp", "/mix", "/mix/0", "/box/inner", "x", "/~", "/mix/*/name"])
#: The members of a repair that identify a product, or belong to whoever issues the record.
PROTECTED = {*ADMINISTRATIVE, *(member for key in KEYS for member in key)}


@st.composite
def answers(draw, truth, still_open):
    """Draw an answer: candidates for open places and others, some of them right, among things that are none."""
    paths = st.sampled_from(still_open) if still_open else POINTERS

    def candidate():
        path = draw(paths if draw(st.integers(0, 3)) else POINTERS)
        right = at(truth, tokens_of(path)) if path.startswith("/") else None
        is_right = draw(st.booleans()) and isinstance(right, dict | list | str | int | Decimal)
        value = copied(right) if is_right else draw(VALUES)
        raw = {"path": path, "value": value, "rationale": draw(st.text(max_size=20)), "confidence": draw(CONFIDENCES)}
        if draw(st.integers(0, 7)) == 0:
            del raw[draw(st.sampled_from(sorted(raw)))]
        return raw if draw(st.integers(0, 9)) else draw(VALUES)

    listed = [candidate() for _ in range(draw(st.integers(0, 8)))]
    if draw(st.booleans()):
        # What is drawn hangs on which modules are loaded; some right ones are there whatever is drawn.
        known = [(path, at(truth, tokens_of(path))) for path in still_open]
        right = [(path, value) for path, value in known if isinstance(value, dict | list | str | int | Decimal)]
        listed += [{"path": path, "value": copied(value), "rationale": "", "confidence": 1} for path, value in right]
    more = draw(st.dictionaries(st.sampled_from(["fills", "record", "status", "conforms"]), VALUES, max_size=2))
    return {**more, "suggestions": listed}


def as_text(value):
    """Return JSON as a model may write it, its numbers exact."""
    return write_json(value).decode()


def facts(result):
    told = json.loads(result.to_json())
    parts = {
        name: part for name, part in told.items() if name not in ("suggestions", "suggestions_status", "suppressed")
    }
    return repr(parts), result.record_text(), result.fills, result.unresolved, result.origins, repr(result.record)


def repaired(world, model):
    with RecordComposer(world.profile, model) as composer:
        return composer.repair(world.record, world.pack)


def check_marks(result):
    """Every suggestion stands at an open place, once, and says what it is."""
    rows = [found.to_dict() for found in result.suggestions]
    paths = [row["path"] for row in rows]
    assert paths == sorted(set(paths))
    assert set(paths) <= {row.path for row in result.unresolved}
    for row in rows:
        assert (row["source"], row["status"], row["requires_review"]) == ("model_training", "unverified", True)
        assert 0 <= row["confidence"] <= Decimal("0.3")
        assert row["rationale"] == clean_rationale(row["rationale"])
    assert sorted(row["rank"] for row in rows) == list(range(1, len(rows) + 1))


def set_at(value, tokens, new):
    """Return a copy of a record with a place set; a second way, without the package."""
    out = copied(value)
    if not tokens:
        return copied(new)
    node = out
    for token in tokens[:-1]:
        node = node[int(token)] if isinstance(node, list) else node[token]
    key = int(tokens[-1]) if isinstance(node, list) else tokens[-1]
    node[key] = copied(new)
    return out


def check_soundness(world, result):
    """Each alone would resolve its violation, make no other, keep what is valid, and set nothing administrative."""
    before = {(row.path, row.rule) for row in result.unresolved}
    wrong = {tokens_of(row.path) for row in result.unresolved}
    for found in result.suggestions:
        tokens = tokens_of(found.path)
        after = set_at(result.record, tokens, found.value)
        left = {(row.path, row.rule) for row in world.profile.validate(after)}
        assert not any(path == found.path for path, _ in left)
        assert left <= before
        touched = {tokens, *((*tokens, *below) for below in inner_places(found.value))}
        assert not any(place[: len(held)] == held for place in touched for held in PROTECTED)
        for place, leaf in leaves(result.record):
            holds_fault = any(fault[: len(place)] == place for fault in wrong)
            unknown = any(place[: len(fault)] == fault for fault in wrong)
            assert same(at(after, place), leaf) or holds_fault or unknown


def inner_places(value, at_place=()):
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list) and has_object(value):
        items = ((str(index), item) for index, item in enumerate(value))
    else:
        return
    for name, item in items:
        yield (*at_place, name)
        yield from inner_places(item, (*at_place, name))


def check_answer(world, data):
    alone = repaired(world, None)
    still_open = sorted({row.path for row in alone.unresolved})
    answer = data.draw(answers(world.truth, still_open))
    model = ScriptedModel([as_text(answer)])
    result = repaired(world, model)
    assert facts(result) == facts(alone)
    assert len(model.requests) == bool(still_open)
    check_marks(result)
    check_soundness(world, result)
    if result.suggestions_status == "ok":
        counted = sum(n for word, n in result.suppressed.items() if word not in ("not_asked_for", "search_bound"))
        assert len(result.suggestions) + counted == len(answer["suggestions"])
        assert result.suppressed.get("not_asked_for", 0) == len(answer) - 1
    else:
        assert result.suggestions == ()
    return result


@pytest.mark.parametrize(("kind", "least"), [(worlds, 10), (messes, 2)], ids=["worlds", "messes"])
def test_no_answer_has_a_say_in_what_is_known(kind, least):
    shown = 0
    reasons = set()

    @settings(max_examples=150)
    @given(world=kind(), data=st.data())
    def check(world, data):
        nonlocal shown
        result = check_answer(world, data)
        shown += len(result.suggestions)
        reasons.update(result.suppressed)

    check()
    # Neither side of the law holds for want of examples.
    assert shown >= least
    assert {"malformed", "no_violation", "not_resolving"} <= reasons


@settings(max_examples=100)
@given(
    world=worlds(),
    answer=st.text(max_size=60)
    | st.builds(Response, st.text(max_size=60), st.sampled_from(Finish))
    | st.just(ModelUnavailableError("x"))
    | VALUES.map(as_text)
    | st.dictionaries(st.sampled_from(["suggestions", "fills"]), VALUES).map(as_text),
)
def test_nor_has_an_answer_that_is_none(world, answer):
    result = repaired(world, ScriptedModel([answer]))
    assert facts(result) == facts(repaired(world, None))
    assert result.suggestions == ()
    assert result.suggestions_status in ("ok", "none_needed") or result.suggestions_status.startswith("failed:")


NAMES = [f"m{number}" for number in range(100)]


def wide_profile(folder):
    members = {name: {"type": "number", "minimum": 0} for name in NAMES}
    schema = {"type": "object", "required": NAMES, "properties": members}
    (folder / "wide.schema.json").write_text(json.dumps(schema), "utf-8")
    return Profile.from_schema([folder / "wide.schema.json"])


def test_ten_thousand_suggestions_are_unverified_and_to_be_reviewed(tmp_path):
    """Whatever confidence a model claims: none is above 0.3, none is verified, none can be used unseen."""
    profile = wide_profile(tmp_path)
    seen = 0

    @settings(max_examples=110)
    @given(
        confidences=st.lists(st.decimals(0, 1, places=6), min_size=100, max_size=100),
        values=st.lists(st.integers(0, 10**6), min_size=100, max_size=100),
        claims=st.dictionaries(st.sampled_from(["status", "source", "requires_review", "rank"]), VALUES),
    )
    def check(confidences, values, claims):
        nonlocal seen
        listed = [
            {**claims, "path": f"/{name}", "value": value, "rationale": "x", "confidence": confidence}
            for name, value, confidence in zip(NAMES, values, confidences, strict=True)
        ]
        found = sift(from_python({"suggestions": listed}), profile, {})
        assert found.suppressed == {}
        assert len(found.suggestions) == 100
        own = {f"/{name}": confidence for name, confidence in zip(NAMES, confidences, strict=True)}
        for suggestion in found.suggestions:
            row = suggestion.to_dict()
            assert (row["source"], row["status"], row["requires_review"]) == ("model_training", "unverified", True)
            assert row["confidence"] == min(own[suggestion.path], Decimal("0.3"))
            seen += 1
        by_rank = sorted(found.suggestions, key=lambda suggestion: suggestion.rank)
        assert [own[s.path] for s in by_rank] == sorted(confidences, reverse=True)

    check()
    assert seen >= 10_000


@settings(max_examples=300)
@given(st.text(max_size=400))
def test_a_rationale_is_one_printable_line(text):
    shown = clean_rationale(text)
    assert len(shown) <= 280
    assert clean_rationale(shown) == shown
    assert not any(character in shown for character in "\n\r\t\x1b\u202e\u2028\u200b")
    # What is left is what was there, in its order.
    rest = iter(text.translate({ord(mark): " " for mark in "\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029"}))
    assert all(character in rest for character in shown.removesuffix("…"))


def test_a_repair_without_evidence_is_the_same_with_a_model(tmp_path):
    profile = wide_profile(tmp_path)
    answer = json.dumps({"suggestions": [{"path": "/m0", "value": 1, "rationale": "", "confidence": 1}]})
    with RecordComposer(profile, ScriptedModel([answer])) as composer:
        result = composer.repair({}, EvidencePack.from_items([]))
    assert result.record == {}
    assert [found.path for found in result.suggestions] == ["/m0"]
