"""Choosing between sources: ranks order them, and nothing else does."""

from decimal import Decimal
from typing import Any

import pytest

from veracord import EvidencePack, Profile, RecordComposer

SCHEMA = """{
  "properties": {
    "id": {"type": "string"},
    "a": {"type": ["number", "string"], "minimum": 0, "minLength": 1},
    "l": {"type": "array", "minItems": 1}
  },
  "required": ["a"]
}"""


@pytest.fixture
def repair(tmp_path):
    """Repair a record that lacks /a from sources given as (id, rank, value)."""
    (tmp_path / "s.json").write_text(SCHEMA, "utf-8")
    composer = RecordComposer(Profile.from_schema([tmp_path / "s.json"], [["/id"]]))

    def act(*sources: tuple[str, int | None, Any]):
        items = [{"id": name, "content": {"id": "P", "a": value}, "rank": rank} for name, rank, value in sources]
        result = composer.repair({"id": "P"}, EvidencePack.from_items(items))
        assert len(result.fills) + len(result.unresolved) == 1
        return result

    return act


@pytest.mark.parametrize(
    ("sources", "fill"),
    [
        ([("x", None, 1)], ("x", 1, (), ())),
        ([("y", None, 1), ("x", None, 1)], ("x", 1, ("y",), ())),
        ([("x", None, 1), ("y", None, Decimal("1.0"))], ("x", 1, ("y",), ())),
        ([("x", 2, 1), ("y", 1, 1)], ("y", 1, ("x",), ())),
        ([("x", 2, 1), ("y", 1, 2)], ("y", 2, (), ("x",))),
        ([("x", None, 1), ("y", 9, 2)], ("y", 2, (), ("x",))),
        ([("x", None, 1), ("y", 10**30, 2)], ("y", 2, (), ("x",))),
        ([("w", 1, 2), ("x", 3, 2), ("y", 2, 3), ("z", None, 4)], ("w", 2, ("x",), ("y", "z"))),
        ([("x", 1, 1), ("y", 1, 1), ("z", 2, 5)], ("x", 1, ("y",), ("z",))),
        # An empty value is no rival, whatever its rank.
        ([("x", 1, ""), ("y", 2, 1)], ("y", 1, (), ())),
        ([("x", 1, None), ("y", None, 1)], ("y", 1, (), ())),
        ([("x", 1, {}), ("y", 1, 1)], ("y", 1, (), ())),
    ],
)
def test_one_value_is_chosen(repair, sources, fill):
    for given in (sources, sources[::-1]):
        [found] = repair(*given).fills
        assert (found.evidence_id, found.value, found.also, found.overruled) == fill


@pytest.mark.parametrize(
    ("sources", "outcome", "named"),
    [
        ([("x", None, 1), ("y", None, 2)], "conflict", {"x", "y"}),
        ([("x", None, 1), ("y", None, "1")], "conflict", {"x", "y"}),
        ([("x", None, "é"), ("y", None, "e\u0301")], "conflict", {"x", "y"}),
        ([("x", 1, 1), ("y", 1, 2), ("z", 2, 3)], "conflict", {"x", "y", "z"}),
        # One of them is not valid: a conflict all the same.
        ([("x", None, 1), ("y", None, -1)], "conflict", {"x", "y"}),
        ([("x", None, 1), ("y", None, {"k": 1})], "conflict", {"x", "y"}),
        # The best is not valid: nobody is used behind its back.
        ([("x", 1, -1), ("y", 2, 1)], "source_invalid", {"x", "y"}),
        ([("x", None, -1)], "source_invalid", {"x"}),
        ([], "no_source", set()),
        ([("x", None, None)], "no_source", set()),
    ],
)
def test_nothing_is_chosen(repair, sources, outcome, named):
    for given in (sources, sources[::-1]):
        [row] = repair(*given).unresolved
        assert (row.path, row.rule, row.outcome) == ("/a", "required", outcome)
        assert {candidate.evidence_id for candidate in row.candidates} == named
