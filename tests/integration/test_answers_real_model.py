"""A real small model drafts: whatever it says, nothing ungrounded is returned; an independent look at the text tells.

The evidence is cut to 400 tokens; what the model cannot do is left to the fields, or to an abstention.
"""

import re
from decimal import Decimal

import pytest

from tests.integration.small_model import required_model_path
from veracord import AnswerSettings, EvidencePack, Profile, RecordComposer
from veracord.models import LlamaCppModel

RECORD = {
    "productId": "P-1",
    "ratedCapacity": {"value": 100, "unit": "Ah"},
    "mass": {"value": 10.5, "unit": "kg"},
    "maker": "Acme GmbH",
    "chemistry": "LFP",
    "cycles": 1500,
    "colour": "black",
}
OTHER = {"productId": "P-2", "mass": {"value": 77, "unit": "kg"}, "price": 400}
TEXT = "Product P-1 is shipped in a wooden crate. The crate of product P-1 is returnable."
QUESTIONS = (
    "What is the rated capacity of product P-1?",
    "How heavy is product P-1?",
    "Who is the maker of product P-1?",
    "Which chemistry does product P-1 have?",
    "How many cycles does product P-1 have?",
    "What colour is product P-1?",
    "How is product P-1 shipped?",
    "Is the crate of product P-1 returnable?",
    "What is the price of product P-1?",
    "When was product P-1 made?",
)
#: Words that an answer may have beside those of the evidence.
_FRAME = frozenset(["the", "is", "are", "of", "a", "an", "in", "has", "have", "with", "product"])


def unstated(text):
    """Return the words of an answer that the evidence about P-1 does not have; it shares no code with the verifier."""
    told = f"{RECORD} {TEXT} rated capacity".lower()
    words = re.findall(r"[a-z0-9][\w.-]*", re.sub(r"\[[^\]]*\]", "", text).lower())
    return [word for word in words if word.strip(".") not in _FRAME and word.strip(".") not in told]


@pytest.mark.slow
def test_ten_questions():
    model = LlamaCppModel(required_model_path(), temperature=0, max_tokens=120, seed=1)
    pack = EvidencePack.from_items(
        [{"id": "e1", "content": RECORD}, {"id": "e2", "content": OTHER}, {"id": "t1", "text": TEXT}]
    )
    paths = []
    with RecordComposer(Profile.of_anything(), model) as composer:
        for question in QUESTIONS:
            result = composer.answer(question, pack, settings=AnswerSettings(evidence_characters=1_600))
            if not result.is_answered:
                paths.append(result.code.value)
                continue
            paths.append(result.path)
            assert unstated(result.text) == []
            assert "77" not in result.text
            assert {c.evidence_id for c in result.citations} <= {"e1", "t1"}
            numbers = [
                Decimal(found)
                for found in re.findall(r"(?<![\w-])\d+(?:\.\d+)?", re.sub(r"\[[^\]]*\]", "", result.text))
            ]
            assert set(numbers) <= {Decimal(100), Decimal("10.5"), Decimal(1500)}
    print("paths:", *paths)  # noqa: T201 - the share answered is reported
