"""300 questions about one field of real passports, whose generator shares no code with what answers them.

Nine of ten that can be answered are answered rightly, with the right citation; nothing is ever answered wrongly.
"""

import json
from collections import Counter

import pytest

from tests.golden.field_judge import ABSTAINED_WRONGLY, RIGHT, WRONG
from tests.golden.field_phrases import PHRASINGS
from tests.golden.field_questions import evidence_json, field_questions, judge, product_json
from veracord import EvidencePack, Profile, RecordComposer
from veracord.apps.cli import run
from veracord.records.reading import read_value

COUNT = 300
SEEDS = (7,)
pytestmark = pytest.mark.shared("data/passports")


def answered(question, composer):
    rows = read_value(evidence_json(question))["evidence"]
    return json.loads(composer.answer(question.text, EvidencePack.from_items(rows)).encode())


@pytest.fixture(scope="module", params=SEEDS)
def outcomes(request, shared):
    composer = RecordComposer(Profile.of_anything())
    questions = field_questions(COUNT, request.param, shared / "data/passports")
    return [(question, answered(question, composer)) for question in questions]


def test_nothing_is_answered_wrongly(outcomes):
    wrong = [(question.id, result) for question, result in outcomes if judge(question, result) == WRONG]
    assert not wrong


@pytest.mark.parametrize("phrasing", [None, *PHRASINGS])
def test_nine_of_ten_are_answered(outcomes, phrasing):
    asked = [row for row in outcomes if row[0].answerable and phrasing in (None, row[0].phrasing)]
    counts = Counter(judge(question, result) for question, result in asked)
    missed = Counter(question.label for question, result in asked if judge(question, result) == ABSTAINED_WRONGLY)
    assert counts[RIGHT] >= (0.9 if phrasing is None else 0.85) * len(asked), missed


def test_what_cannot_be_answered_has_the_reason_of_its_kind(outcomes):
    codes = {
        "absent": {"no_such_field", "ambiguous_question"},
        "other_product_only": {"other_product"},
        "conflict": {"conflict"},
        "suggestion": {"unverified_only", "no_such_field"},
    }
    for kind, expected in codes.items():
        found = Counter(result["code"] for question, result in outcomes if question.kind == kind)
        assert sum(found[code] for code in expected) >= 0.9 * found.total(), (kind, found)


@pytest.mark.parametrize("with_product", [False, True])
def test_the_command_says_the_same(shared, tmp_path, capfdbinary, with_product):
    composer = RecordComposer(Profile.of_anything())
    for question in field_questions(8, 3, shared / "data/passports"):
        (tmp_path / "evidence.json").write_bytes(evidence_json(question))
        (tmp_path / "product.json").write_bytes(product_json(question))
        command = ["answer", question.text, "-e", str(tmp_path / "evidence.json"), "--json"]
        code = run([*command, "--product", str(tmp_path / "product.json")] if with_product else command)
        told = json.loads(capfdbinary.readouterr().out)
        assert code == (0 if told["kind"] == "answer" else 1)
        if with_product:
            assert judge(question, told) != WRONG
        else:
            expected = answered(question, composer)
            assert (told["kind"], told.get("text"), told.get("code")) == (
                expected["kind"],
                expected.get("text"),
                expected.get("code"),
            )
