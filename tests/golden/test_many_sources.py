"""Among many sources a hundred are named, those that match first; the others are counted by reason."""

from collections import Counter

from tests.golden.runner import own_profile, repair

ARTICLE = {"code": "TX-100", "maker": "Loomwell", "style": "Harbour"}
RECORD = {"passport_no": "GP-0001", "issued_on": "2026-02-01", "article": ARTICLE}


def sources_of(evidence):
    result = repair({"record": RECORD, "evidence": evidence}, own_profile("garment"))
    return result, [row.to_dict() for row in result.sources]


def test_a_hundred_are_named_and_the_others_counted():
    matching = {"id": "zz", "content": {"article": {**ARTICLE, "line": "knit"}}}
    weaker = {"id": "zy", "content": {"article": {"maker": "Loomwell", "style": "Harbour"}}}
    others = [{"id": f"o{n:03}", "content": {"article": {**ARTICLE, "code": f"TX-{n}x"}}} for n in range(120)]
    texts = [{"id": f"t{n:03}", "text": "line: knit"} for n in range(30)]
    result, rows = sources_of([*texts, *others, matching, weaker])
    assert result.conforms
    named = [row for row in rows if row["evidence_id"] is not None]
    counted = Counter({row["reason"]: row["count"] for row in rows if row["evidence_id"] is None})
    assert len(named) == 100
    assert {"evidence_id": "zz", "used": True, "reason": None} in named
    assert {"evidence_id": "zy", "used": False, "reason": "weaker_key_only"} in named
    total = Counter(row["reason"] for row in named) + counted
    assert total == {None: 1, "weaker_key_only": 1, "other_product": 120, "not_structured": 30}


def test_exactly_a_hundred_need_no_count():
    _, rows = sources_of([{"id": f"t{n:03}", "text": ""} for n in range(100)])
    assert [row["evidence_id"] for row in rows] == [f"t{n:03}" for n in range(100)]


def test_many_that_match_are_still_named_up_to_a_hundred():
    content = {"article": {**ARTICLE, "line": "knit"}}
    result, rows = sources_of([{"id": f"m{n:03}", "content": content} for n in range(130)])
    assert len(result.fills[0].also) == 129
    named = [row for row in rows if row["evidence_id"] is not None]
    assert len(named) == 100
    assert sum(row["count"] for row in rows if row["evidence_id"] is None) == 30
