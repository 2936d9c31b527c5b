"""Answers by kind of fault, each beside a right one: lines of an independent writer, and neighbours of what we accept.

`grounding/cases.jsonl` was written by somebody who had not seen the rules; `grounding/own_cases.jsonl` holds near
misses of every kind of wording that the rules accept.
"""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidencePack

FOLDER = Path(__file__).parent / "grounding"
#: File: share of wrong answers that may pass, of right ones that may be refused.
LIMITS = {"cases.jsonl": (0.01, 0.09), "own_cases.jsonl": (0.0, 0.0)}


def verdict_of(line):
    verifier = Verifier()
    view = verifier.view(EvidencePack.from_items(line["evidence"]).items)
    return verifier.check(line["answer"], view, claims=line.get("claims")).verdict


@pytest.fixture(scope="module", params=list(LIMITS))
def judged(request):
    lines = (FOLDER / request.param).read_text(encoding="utf-8").splitlines()
    loaded = [json.loads(line, parse_float=Decimal) for line in lines]
    return LIMITS[request.param], [(line, verdict_of(line)) for line in loaded]


def test_hardly_a_wrong_answer_passes(judged):
    (accepts, _), lines = judged
    wrong = [line for line, _ in lines if line["expected"] == "unsupported"]
    passed = [line["id"] for line, verdict in lines if verdict == "supported" and line["expected"] != "supported"]
    assert len(passed) <= accepts * len(wrong), passed


def test_few_right_answers_are_refused(judged, capsys):
    (_, rejects), lines = judged
    right = [line for line, _ in lines if line["expected"] == "supported"]
    lost = [line["id"] for line, verdict in lines if verdict != "supported" and line["expected"] == "supported"]
    with capsys.disabled():
        print(f"\nright answers refused: {len(lost)} of {len(right)}")  # noqa: T201 - told on purpose
    assert len(lost) <= rejects * len(right), lost


def test_refusals_and_only_refusals_abstain(judged):
    wrong = [line["id"] for line, verdict in judged[1] if (verdict == "abstain") != (line["expected"] == "abstain")]
    assert wrong == []
