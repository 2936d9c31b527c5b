"""The laws of repair, each as a function of a world and the result of its repair.

A law asserts; it reads the profile only through the list of violations of a record, and everything else by
itself.
"""

from decimal import Decimal
from itertools import combinations

from tests.properties.oracles import (
    ABSENT,
    at,
    copied,
    has_object,
    identity_text,
    is_leaf,
    is_same_product,
    leaves,
    same,
    spelled,
    tokens_of,
    under,
)
from tests.properties.worlds import ADMINISTRATIVE, KEYS, ROWS
from veracord import read_record
from veracord.composer.verification import verify_result

OUTCOMES = {
    *("not_settable", "caller_controlled", "no_identity", "conflict", "source_invalid"),
    *("source_placeholder", "context_mismatch", "row_mismatch", "level_mismatch", "no_source"),
}


def fills_of(result):
    return {tokens_of(fill.path): fill for fill in result.fills}


def violations_of(world, record):
    return {(row.path, row.rule) for row in world.profile.validate(record)}


def broken_places(world, record):
    return {tokens_of(path) for path, _ in violations_of(world, record)}


def no_valid_leaf_is_touched(world, result):
    """A leaf that is valid stays where it is, as it is, spelled as it is."""
    broken = broken_places(world, world.record)
    fills = fills_of(result)
    for place, value in leaves(world.record):
        if any(under(b, place) for b in broken):
            continue
        now = at(result.record, place)
        if value == {} and any(under(f, place) for f in fills):
            continue  # an empty object that members were added to
        if place in fills and spelled(now) != spelled(value):
            # Only a leaf that other fills showed to be wrong may change.
            old = with_value(result.record, place, value)
            assert any(under(b, place) for b in broken_places(world, old)), place
            continue
        assert now is not ABSENT, place
        assert spelled(now) == spelled(value), place


def nothing_but_fills_changes(world, result):
    """The new record is the old one with the fills: no leaf more, none less, members in their order."""
    fills = fills_of(result)
    assert len(fills) == len(result.fills)
    before, after = dict(leaves(world.record)), dict(leaves(result.record))
    for place, value in after.items():
        expected = fills[place].value if place in fills else before.get(place, ABSENT)
        assert spelled(value) == spelled(expected), place
    for place in fills:
        assert place in after, place
    for place in before.keys() - after.keys():
        assert any(under(fill, place) or under(place, fill) for fill in fills), place
    keeps_order(world.record, result.record)


def keeps_order(before, after):
    if isinstance(before, dict) and isinstance(after, dict):
        assert list(after)[: len(before)] == list(before)
        for name, value in before.items():
            keeps_order(value, after[name])
    elif has_object(before) and isinstance(after, list):
        assert len(before) == len(after)
        for ours, theirs in zip(before, after, strict=True):
            keeps_order(ours, theirs)


def fills_stand_where_something_was_wrong(world, result):
    """A fill is at a leaf that violated, or in what was missing or of the wrong kind."""
    fills = fills_of(result)
    for place in fills:
        without = {p: f for p, f in fills.items() if p != place}
        assert place_was_wrong(world, result, place, without), place


def place_was_wrong(world, result, place, others):
    broken = broken_places(world, world.record)
    top = top_change(world.record, result.record, place)
    before = at(world.record, place)
    if top == place and before is not ABSENT:
        old = with_value(result.record, place, before)
        return any(under(b, place) for b in {*broken, *broken_places(world, old)})
    if any(under(top, b) or under(b, top) for b in broken):
        return True
    # Otherwise the place came to be asked for because of other fills.
    uncovered = broken_places(world, without_place(result.record, top))
    return bool(others) and any(under(top, b) for b in uncovered)


def top_change(before, after, place):
    """Return the topmost place on the way to a fill that is new or of another kind."""
    for depth in range(1, len(place) + 1):
        old, new = at(before, place[:depth]), at(after, place[:depth])
        if old is ABSENT or type(old) is not type(new) or not isinstance(old, dict | list):
            return place[:depth]
        if isinstance(old, list) and len(old) != len(new):
            return place[:depth]
    return place


def with_value(record, place, value):
    """Return a record with another value at a place that is there."""
    out = copied(record)
    parent = at(out, place[:-1])
    parent[int(place[-1]) if isinstance(parent, list) else place[-1]] = copied(value)
    return out


def without_place(record, place):
    """Return a record without what stands at a place."""
    out = copied(record)
    parent = at(out, place[:-1])
    if isinstance(parent, dict):
        parent.pop(place[-1], None)
    return out


def every_fill_has_its_source(world, result):
    """The reference of a fill resolves to content that holds an equal value at its pointer."""
    pack = world.pack
    by_id = {item["id"]: item for item in world.evidence}
    for fill in result.fills:
        item = pack.resolve(fill.evidence_ref)
        assert same(at(item.content, tokens_of(fill.source_pointer)), fill.value), fill.path
        assert "content" in by_id[fill.evidence_id]
        own = at(by_id[fill.evidence_id]["content"], tokens_of(fill.source_pointer))
        assert spelled(own) == spelled(fill.value), fill.path
        assert fill.evidence_id not in fill.also
        assert not {fill.evidence_id, *fill.also} & set(fill.overruled)
        assert same(at(result.record, tokens_of(fill.path)), fill.value)


def fills_come_from_the_same_product(world, result):
    """No source of another product, no text and no other copy of the record gives a value."""
    by_id = {item["id"]: item for item in world.evidence}
    for fill in result.fills:
        for evidence_id in (fill.evidence_id, *fill.also):
            content = by_id[evidence_id]["content"]
            assert is_same_product(KEYS, result.record, content), fill.path
            own = identity_text(result.record, RID)
            assert own is None or identity_text(content, RID) != own, fill.path


def rows_are_found_by_their_key(world, result):
    """A leaf in a row that was there comes from the row with the same key, and from the same member."""
    key = world.traits.row_key
    rows = at(world.record, ROWS)
    by_id = {item["id"]: item for item in world.evidence}
    for place, fill in fills_of(result).items():
        source = tokens_of(fill.source_pointer)
        if place[:1] != ROWS:
            assert source == place
            continue
        assert source[2:] == place[2:]
        if not isinstance(rows, list) or not has_object(rows):
            assert source == place  # copied whole
            continue
        theirs = at(by_id[fill.evidence_id]["content"], source[:2])
        for name in key:
            assert same(theirs[name], at(world.record, (*place[:2], name))), fill.path


def undeclared_rows_are_the_same_row(world, result):
    """A row without a key is filled from the row at its index, if they share a member and differ in none."""
    rows = at(world.record, ("parts",))
    broken = broken_places(world, world.record)
    by_id = {item["id"]: item for item in world.evidence}
    for place, fill in fills_of(result).items():
        if place[:1] != ("parts",) or not has_object(rows):
            continue
        ours = at(world.record, place[:2])
        theirs = at(by_id[fill.evidence_id]["content"], place[:2])
        shared = [
            name
            for name, value in ours.items()
            if name in theirs
            and not isinstance(value, dict | list)
            and not isinstance(theirs[name], dict | list)
            and not any(under(b, (*place[:2], name)) for b in broken)
        ]
        assert shared, fill.path
        assert all(same(ours[name], theirs[name]) for name in shared), fill.path


def rows_are_not_mixed_from_sources_that_differ(world, result):
    """Leaves of one row come from two sources only if the two rows agree in all that both have.

    This holds for the rows that the record had.  A row that was copied, and lacks what the schema requires, is
    completed in a later pass as a second repair would complete it: that one knows the row's key, not where it came
    from, and a second repair may change nothing.
    """
    by_id = {item["id"]: item for item in world.evidence}
    rows = {}
    for place, fill in fills_of(result).items():
        if place[:1] == ROWS and at(world.record, place[:2]) is not ABSENT:
            row = at(by_id[fill.evidence_id]["content"], tokens_of(fill.source_pointer)[:2])
            rows.setdefault(place[1], {})[fill.evidence_id] = row
    for named in rows.values():
        for one, other in combinations(named.values(), 2):
            assert agree(one, other), rows


def agree(one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        return all(agree(one[name], other[name]) for name in one.keys() & other.keys())
    return same(one, other) or one in (None, "", [], {}) or other in (None, "", [], {})


def every_cured_violation_is_named(world, result):
    """What is no longer violated is named by a fill as cured, and nothing else is."""
    cured = violations_of(world, world.record) - violations_of(world, result.record)
    assert {cure for fill in result.fills for cure in fill.cures} == cured


def sources_that_gave_a_value_were_used(world, result):
    """Every source is listed once, and only those that are used gave, support or dispute a value."""
    listed = [row.evidence_id for row in result.sources]
    assert sorted(listed) == sorted(item["id"] for item in world.evidence)
    used = {row.evidence_id for row in result.sources if row.used}
    assert all((row.reason is None) is row.used for row in result.sources)
    for fill in result.fills:
        if tokens_of(fill.path) not in NEED_MORE_THAN_THEIR_PLACE:
            assert {fill.evidence_id, *fill.also, *fill.overruled} <= used, fill.path


def outcomes_tell_the_truth(world, result):
    """An outcome is what the evidence says: checked where nothing but the place decides."""
    has_key = any(
        all(isinstance(at(result.record, m), str) and at(result.record, m).strip() for m in key) for key in KEYS
    )
    for row in result.unresolved:
        place = tokens_of(row.path)
        above = [at(result.record, place[:depth]) for depth in range(len(place))]
        is_array = any(isinstance(value, list) for value in [*above, at(world.truth, place)])
        assert (row.outcome == "row_mismatch") <= is_array, row
        is_context = place[:1] == ("carbon",) or (place == ("mode",) and world.traits.chained)
        assert (row.outcome == "context_mismatch") <= is_context, row
        assert (row.outcome == "no_identity") <= (not has_key), row
        assert row.outcome != "level_mismatch"
        if place not in PLAIN or is_context or not is_leaf(at(result.record, place)):
            continue
        assert row.outcome not in ("not_settable", "caller_controlled"), row
        if has_key:
            assert row.outcome in plain_outcomes(world, result, place), row


#: Leaves at which sources may be asked whatever the rest of the record holds.
PLAIN = {("gauge",), ("label",), ("mode",), ("extra",), ("uuid",)}


def plain_outcomes(world, result, place):
    said, shown = [], []
    for item in eligible_sources(world, result.record):
        value = at(item["content"], place)
        if value is ABSENT or value in (None, "", [], {}):
            continue
        if isinstance(value, dict) or has_object(value):
            return OUTCOMES  # the sources may differ even in kind
        is_shown = "00000000-0000" in str(value) or (value == "Shown" and place == ("label",))
        (shown if is_shown else said).append((item.get("rank", 9), value))
    best = [value for rank, value in said if rank == min(rank for rank, _ in said)]
    if any(not same(best[0], value) for value in best):
        return {"conflict"}
    if not best:
        return {"source_placeholder"} if shown else {"no_source", "conflict"}
    return {"source_invalid"}


def results_read_back(_world, result):
    """The JSON of a result is strict and says what the result says."""
    assert same(read_record(result.encode()).value, result.to_dict())


def a_profile_decides_the_same_anew(world, result):
    """`verify` with the profile allows every fill, and finds every violation told."""
    anew = verify_result(result.to_dict(), world.pack, profile=world.profile)
    assert [row for row in anew.rows if not row.ok] == []


def values_keep_their_context(world, result):
    """A value comes from a source that agrees about what it means nothing without."""
    by_id = {item["id"]: item for item in world.evidence}
    context = {("carbon", "total"): ("carbon", "unit")}
    if world.traits.chained:
        context[("carbon", "unit")] = ("mode",)
    for place, fill in fills_of(result).items():
        if place in context:
            neighbour = context[place]
            theirs = at(by_id[fill.evidence_id]["content"], neighbour)
            assert same(at(result.record, neighbour), theirs), fill.path


RID = ("rid",)

#: Values that count only in their context, and members that decide which sources count.
NEED_MORE_THAN_THEIR_PLACE = {
    *(("carbon", "total"), ("carbon", "unit")),
    *(member for key in KEYS for member in key),
}


def counts(place, value):
    """Whether a value is not empty, or is a text that may be empty by the schema."""
    may_be_empty = place[-1:] in (("scope",), ("b",), ("~1",))
    return value not in (ABSENT, None, "", [], {}) or (value == "" and may_be_empty)


def eligible_sources(world, record):
    """Return the sources about the record's product, without those that dispute its stronger key."""
    found = [
        item
        for item in world.evidence
        if isinstance(item.get("content"), dict)
        and is_same_product(KEYS, record, item["content"])
        and (identity_text(record, RID) is None or identity_text(item["content"], RID) != identity_text(record, RID))
    ]
    if isinstance(at(record, ("id",)), str) and identity_text(record, ("id",)):
        return found
    ids = {item["id"]: identity_text(item["content"], ("id",)) for item in found}
    if len(set(ids.values()) - {None}) > 1:
        return [item for item in found if ids[item["id"]] is None]
    return found


def no_conflict_is_settled_silently(world, result):
    """Sources of the best rank that say something else about a filled leaf are none, or the leaf stays."""
    for place, fill in fills_of(result).items():
        if place[:1] in (ROWS, ("parts",)) or place in NEED_MORE_THAN_THEIR_PLACE:
            continue
        if place == ("mode",) and world.traits.chained:
            continue  # the context of a value
        said = []
        for item in eligible_sources(world, result.record):
            parent, value = at(item["content"], place[:-1]), at(item["content"], place)
            if isinstance(parent, dict) and counts(place, value) and is_leaf(value):
                said.append((item.get("rank", 9), item["id"], value))
        if any(value == "Shown" or "00000000-0000" in str(value) for _, _, value in said):
            continue
        best = min(rank for rank, _, _ in said)
        for rank, evidence_id, value in said:
            if same(value, fill.value):
                assert evidence_id in (fill.evidence_id, *fill.also), fill.path
            else:
                assert rank > best, fill.path
                assert evidence_id in fill.overruled, fill.path


def administrative_places_stay(_world, result):
    """What the caller controls is never filled."""
    for place in fills_of(result):
        assert not any(under(place, admin) for admin in ADMINISTRATIVE)


def each_violation_is_told_once(world, result):
    """The rows that stay are the violations of the new record, each once, with an outcome."""
    told = [(row.path, row.rule, row.message) for row in result.unresolved]
    found = world.profile.validate(result.record)
    assert told == [(row.path, row.rule, row.message) for row in found]
    assert told == sorted(set(told))
    assert result.conforms is (not told)
    assert {row.outcome for row in result.unresolved} <= OUTCOMES
    paths = [fill.path for fill in result.fills]
    assert paths == sorted(set(paths))


def new_violations_were_masked(world, result):
    """A violation that was not there before names the fill that uncovered it, and could not show before."""
    before = violations_of(world, world.record)
    fills = fills_of(result)
    for row in result.unresolved:
        if (row.path, row.rule) in before:
            assert row.uncovered_by is None, row
            continue
        assert row.uncovered_by is not None, row
        assert tokens_of(row.uncovered_by) in fills, row
        place = tokens_of(row.path)
        assert not any(under(place, fill) for fill in fills), row
        assert was_masked(world, row.rule, place), row


def was_masked(world, rule, place):
    """Whether a violation could not be checked in the old record, by the rules of this schema."""
    record, above = world.record, at(world.record, place[:-1])
    if rule in OPERANDS:
        return not could_be_checked(rule, at(record, place))
    broken = broken_places(world, record)
    wrong = {b[:1] for b in broken} | ({()} if () in broken else set())
    if rule in ("required", "dependentRequired", "dependencies"):
        if place[:1] == ("power",) and isinstance(above, dict):
            return any(under(b, ("power",)) for b in broken)
        return not isinstance(above, dict) or bool(wrong & {(), ("mode",), ("label",), ("uuid",)})
    return place == ("gauge",) and bool(wrong & {(), ("mode",)})


OPERANDS = {"sum": ["share"], "unique": ["code"], "compare": ["low", "high"]}


def could_be_checked(rule, value):
    """Whether every operand of a rule was there, and a number where it must be one."""
    objects = value if has_object(value) else [value]
    operands = [at(holder, (name,)) for holder in objects for name in OPERANDS[rule]]
    return all(value is not ABSENT and (rule == "unique" or is_number(value)) for value in operands)


def is_number(value):
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


LAWS = (
    no_valid_leaf_is_touched,
    nothing_but_fills_changes,
    fills_stand_where_something_was_wrong,
    every_fill_has_its_source,
    fills_come_from_the_same_product,
    rows_are_found_by_their_key,
    values_keep_their_context,
    no_conflict_is_settled_silently,
    administrative_places_stay,
    undeclared_rows_are_the_same_row,
    rows_are_not_mixed_from_sources_that_differ,
    every_cured_violation_is_named,
    sources_that_gave_a_value_were_used,
    outcomes_tell_the_truth,
    results_read_back,
    a_profile_decides_the_same_anew,
    each_violation_is_told_once,
    new_violations_were_masked,
)
