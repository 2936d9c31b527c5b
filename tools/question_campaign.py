"""Asks a real small model about fields of real passports, and holds what is returned to the evidence that it cites.

Whatever the model drafts, no answer may say what the evidence does not: each word of it stands in the items that it
cites, and each number at a place that it cites.  This look shares no code with the verifier.
"""

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Final

from tests.golden.field_judge import NUMBER, WRONG, FieldQuestion
from tests.golden.field_phrases import unit_spellings
from tests.golden.field_questions import field_questions, judge
from tests.golden.field_records import leaves, passports_folder, pointer, split_words
from tests.integration.small_model import ABSENT, model_path
from veracord import AnswerSettings, EvidencePack, Profile, RecordComposer
from veracord.models import LlamaCppModel

#: About 400 tokens.
_SHOWN: Final = 1_600
_TOLD_EVERY: Final = 20
_FRAME: Final = frozenset(
    re.findall(
        r"\w+",
        "the a an is are of in for to and has have with by as at on it its this that was were product unit value",
    )
)
_MARKER: Final = re.compile(r"\[[^\]]*\]")
_WORD: Final = re.compile(r"[^\W\d_]+")


def ask_questions(count: int, seed: int) -> bool:
    """Ask, tell the figures, and return whether nothing ungrounded was returned."""
    path = model_path()
    folder = passports_folder()
    if path is None or not folder.is_dir():
        print(f"questions: left out, {ABSENT if path is None else 'the passports are not at hand'}")
        return True
    began = time.monotonic()
    counts: Counter[str] = Counter()
    faults: list[str] = []
    for number, (question, result) in enumerate(_asked(path, folder, count, seed), 1):
        if number % _TOLD_EVERY == 0:
            print(f"questions: {number} of {count}", file=sys.stderr, flush=True)
        counts[_kind(result)] += 1
        faults += [f"{question.id} {question.text!r}: {fault}" for fault in faults_of(question, result)]
        if result["kind"] == "answer" and judge(question, result) == WRONG:
            counts["answers beside the point"] += 1
    _tell(counts, count, time.monotonic() - began, faults)
    return not faults


def _asked(path: Path, folder: Path, count: int, seed: int) -> Iterator[tuple[FieldQuestion, dict[str, Any]]]:
    model = LlamaCppModel(path, temperature=0, max_tokens=120, seed=1)
    settings = AnswerSettings(evidence_characters=_SHOWN)
    with RecordComposer(Profile.of_anything(), model) as composer:
        for question in field_questions(count, seed, folder):
            result = composer.answer(question.text, EvidencePack.from_items(question.evidence), settings=settings)
            yield question, json.loads(result.encode())


def _kind(result: dict[str, Any]) -> str:
    return f"answered by {result['path']}" if result["kind"] == "answer" else f"abstained: {result['code']}"


def faults_of(question: FieldQuestion, result: dict[str, Any]) -> list[str]:
    """Return what an answer says that the evidence that it cites does not."""
    if result["kind"] != "answer":
        return []
    if result["path"] == "hints":
        return [f"wrong: {result['text']!r}"] if judge(question, result) == WRONG else []
    cited = {row["evidence_id"] for row in result["citations"]}
    contents = {item["id"]: item["content"] for item in question.evidence if item["id"] in cited}
    if not cited or cited - contents.keys():
        return ["it cites what is not there"]
    text = _MARKER.sub(" ", result["text"])
    held = {word for content in contents.values() for word in _words_in(content)}
    strange = [word for word in _WORD.findall(text.lower()) if word not in held | _FRAME]
    numbers = _numbers(" ".join(str(value) for value in _values_at(contents, result["citations"])))
    made_up = sorted(_numbers(text) - numbers)
    return [f"{result['text']!r} has {rest}" for rest in (strange, made_up) if rest]


def _words_in(content: dict[str, Any]) -> Iterator[str]:
    for leaf in leaves(content):
        spellings = unit_spellings(leaf.unit) if leaf.unit else ()
        for text in (*map(str, leaf.keys), str(leaf.value), *spellings):
            yield from _WORD.findall(text.lower())
            yield from _WORD.findall(" ".join(split_words(text)).lower())


def _values_at(contents: dict[str, Any], citations: list[dict[str, Any]]) -> Iterator[object]:
    for row in citations:
        for leaf in leaves(contents[row["evidence_id"]]):
            place = pointer(leaf.keys)
            if row["pointer"] is None or place == row["pointer"] or place.startswith(f"{row['pointer']}/"):
                yield leaf.value


def _numbers(text: str) -> set[Decimal]:
    found = set()
    for match in NUMBER.finditer(text):
        try:
            found.add(Decimal(match.group().replace(",", "").replace("\u2212", "-")))
        except InvalidOperation:
            continue
    return found


def _tell(counts: Counter[str], count: int, seconds: float, faults: list[str]) -> None:
    answered = sum(number for kind, number in counts.items() if kind.startswith("answered by"))
    print("questions, with the small model:")
    rows = {"questions": count, "answered": answered, **dict(sorted(counts.items())), "seconds": round(seconds)}
    for name, figure in (rows | {"faults": len(faults)}).items():
        print(f"  {name:<36}{figure:>12,}")
    print(f"  {'share answered':<36}{100 * answered / count:>10.1f} %")
    for fault in faults[:20]:
        print(f"  FAULT: {fault}")
