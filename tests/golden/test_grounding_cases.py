"""The shared cases of grounded and ungrounded answers: what may never pass, and how much must."""

import pytest

from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidencePack

CASES = "data/grounding/cases.jsonl"
#: Of these kinds no wrong answer may pass, and hardly a right one may fail.
STRICT = (
    "num", "unit", "date", "id", "quote", "citation", "coverage", "injection", "json", "table", "refusal",
    "unverified-suggestion",
)  # fmt: skip


def verdict_of(case):
    verifier = Verifier()
    view = verifier.view(EvidencePack.from_items(case["evidence"]).items)
    return verifier.check(case["answer"], view, claims=case.get("claims")).verdict


def is_strict(case):
    return case["kind"].startswith(STRICT)


@pytest.fixture(scope="module")
def judged(shared):
    import json

    lines = (shared / CASES).read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line.strip()]
    return [(case, verdict_of(case)) for case in cases]


@pytest.mark.shared(CASES)
def test_no_wrong_answer_of_a_strict_kind_is_supported(judged):
    wrong = [case["id"] for case, verdict in judged if verdict == "supported" and case["expected"] != "supported"]
    assert [name for name in wrong if name.startswith(STRICT)] == []
    assert len(wrong) <= 0.02 * sum(case["expected"] == "unsupported" for case, _ in judged)


@pytest.mark.shared(CASES)
def test_right_answers_of_the_strict_kinds_are_supported(judged):
    right = [(case, verdict) for case, verdict in judged if case["expected"] == "supported" and is_strict(case)]
    lost = [case["id"] for case, verdict in right if verdict != "supported"]
    assert len(lost) <= 0.05 * len(right), lost


@pytest.mark.shared(CASES)
def test_refusals_and_only_refusals_abstain(judged):
    for case, verdict in judged:
        assert (verdict == "abstain") == (case["expected"] == "abstain"), case["id"]


@pytest.mark.shared(CASES)
def test_minimal_pairs_are_right_on_both_sides(judged):
    kinds = {}
    for case, verdict in judged:
        accepted = {"unsupported": ("unsupported", "undecided")}.get(case["expected"], (case["expected"],))
        kinds.setdefault(case["kind"], []).append(verdict in accepted)
    pairs = [all(found) for found in kinds.values() if len(found) > 1]
    assert sum(pairs) >= 0.8 * len(pairs)


@pytest.mark.shared(CASES)
def test_what_is_undecided_is_told_by_kind(judged, capsys):
    open_kinds = {}
    for case, verdict in judged:
        if verdict == "undecided":
            open_kinds[case["kind"]] = open_kinds.get(case["kind"], 0) + 1
    with capsys.disabled():
        print("\nundecided:", ", ".join(f"{kind} {count}" for kind, count in sorted(open_kinds.items())))  # noqa: T201 - told on purpose
    assert sum(open_kinds.values()) < len(judged) / 4
