"""The evidence of a question: the record alone, with company, or without the field that is asked for."""

import copy
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from tests.golden.field_choice import Field
from tests.golden.field_records import Record, at, is_identity, leaves, pointer, replaced, without


@dataclass(frozen=True)
class Case:
    """The evidence for one question."""

    evidence: list[dict[str, Any]]
    sources: tuple[str, ...] = ()
    rivals: tuple[tuple[str, Record], ...] = ()
    names_product: bool = False


def _changed(value: object, rng: random.Random) -> object:
    """Return another value of the same kind: a number moved, the last letter or digit of a text exchanged."""
    if isinstance(value, int | Decimal):
        moved = Decimal(value) * rng.choice((2, 3)) + rng.randint(1, 9)
        moved += 1 if moved == value else 0
        return int(moved) if isinstance(value, int) else moved
    text = str(value)
    if re.match(r"\d{4}-\d{2}-\d{2}", text):
        return f"{int(text[:4]) + rng.randint(1, 5):04}{text[4:]}"
    where = max(index for index, char in enumerate(text) if char.isalnum())
    pool = "0123456789" if text[where].isdigit() else "abcdef"
    return text[:where] + rng.choice([char for char in pool if char != text[where].lower()]) + text[where + 1 :]


def _other_product(record: Record, rng: random.Random) -> Record:
    """Return a copy with every identity changed."""
    changed = copy.deepcopy(record)
    for leaf in leaves(record):
        if is_identity(leaf) and isinstance(leaf.value, str) and leaf.value.strip():
            at(changed, leaf.keys[:-1])[leaf.keys[-1]] = _changed(leaf.value, rng)
    return changed


def _items(rng: random.Random, *contents: Record) -> list[dict[str, Any]]:
    """Return evidence items; their ids tell nothing of their order, and hold no number of the record."""
    names = rng.sample(("rec-a", "rec-b", "rec-c", "rec-d"), len(contents))
    return [{"id": name, "content": copy.deepcopy(content)} for name, content in zip(names, contents, strict=True)]


def _one_record(field: Field, rng: random.Random) -> Case:
    evidence = _items(rng, field.record)
    return Case(evidence, (evidence[0]["id"],))


def _beside_other_product(field: Field, rng: random.Random) -> Case:
    other = replaced(_other_product(field.record, rng), field.leaf.keys, _changed(field.leaf.value, rng))
    evidence = _items(rng, field.record, other)
    return Case(_shuffled(evidence, rng), (evidence[0]["id"],), names_product=True)


def _beside_agreeing_record(field: Field, rng: random.Random) -> Case:
    evidence = _items(rng, field.record, copy.deepcopy(field.record))
    return Case(evidence, tuple(item["id"] for item in evidence))


def _absent(field: Field, rng: random.Random) -> Case:
    return Case(_items(rng, without(field.record, field.leaf)))


def _other_product_only(field: Field, rng: random.Random) -> Case:
    evidence = _items(rng, without(field.record, field.leaf), _other_product(field.record, rng))
    return Case(_shuffled(evidence, rng), names_product=True)


def _conflict(field: Field, rng: random.Random) -> Case:
    other = replaced(field.record, field.leaf.keys, _changed(field.leaf.value, rng))
    evidence = _items(rng, field.record, other)
    return Case(_shuffled(evidence, rng), rivals=tuple((item["id"], item["content"]) for item in evidence))


def _suggestion(field: Field, rng: random.Random) -> Case:
    """Leave the value only as a guess: listed beside the record, marked in place, or by the origin of its leaf."""
    form = rng.choice(("listed", "marked", "origin"))
    record = without(field.record, field.leaf)
    held = at(field.record, field.leaf.holder)
    if form == "listed":
        row = {
            "path": pointer(field.leaf.holder),
            "value": held,
            "rationale": "usual for this class",
            "confidence": 0.3,
        }
        row |= {"source": "model_training", "status": "unverified", "requires_review": True}
        return Case(_items(rng, {**record, "suggestions": [row]}))
    if form == "marked":
        inner = held if isinstance(held, dict) else {"value": held}
        accepted = rng.random() < 0.5
        mark = (
            {"origin": "accepted_suggestion", "status": "accepted_unverified"} if accepted else {"status": "unverified"}
        )
        return Case(_items(rng, replaced(field.record, field.leaf.holder, {**inner, **mark})))
    (item,) = _items(rng, field.record)
    return Case([{**item, "origins": {pointer(field.leaf.keys): "accepted_suggestion"}}])


def _shuffled(evidence: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    return rng.sample(evidence, len(evidence))


MAKERS: Final[dict[str, Callable[[Field, random.Random], Case]]] = {
    "one_record": _one_record,
    "beside_other_product": _beside_other_product,
    "beside_agreeing_record": _beside_agreeing_record,
    "absent": _absent,
    "other_product_only": _other_product_only,
    "conflict": _conflict,
    "suggestion": _suggestion,
}
