"""Makes questions about one field of a real passport record, with the answer that is expected.

    questions = field_questions(count=300, seed=7)        # from ../shared, or VERACORD_SHARED
    evidence_json(questions[0])                           # bytes of an `-e` file, `{"evidence": [...]}`
    judge(questions[0], result)                           # over `veracord answer --json`

No model, no clock: equal arguments and equal passports give equal questions.  Seven of ten can be answered: the
record alone, beside another product's record that has another value, or beside a second record of the same product
that agrees.  Three of ten cannot: the field is absent; only another product's record has it; two records of the
product conflict on it; it is there only as a suggestion, unverified or accepted.  Wherever more than one product is
in the evidence, the question names the one that it asks about.
"""

import random
from pathlib import Path
from typing import Final

import msgspec

from tests.golden.field_cases import MAKERS
from tests.golden.field_choice import Field, exact, fields_by_phrasing, identity
from tests.golden.field_judge import FieldQuestion, judge
from tests.golden.field_phrases import PHRASINGS, phrase
from tests.golden.field_records import at, is_identity, leaves, only, passports_folder, pointer, split_words

__all__ = ["FieldQuestion", "evidence_json", "field_questions", "judge", "product_json"]

ANSWERABLE: Final = ("one_record", "beside_other_product", "beside_agreeing_record")
UNANSWERABLE: Final = ("absent", "other_product_only", "conflict", "suggestion")
UNANSWERABLE_SHARE: Final = 0.3
#: So many questions are drawn among values with a unit; few leaves of the records have one.
UNIT_SHARE: Final = 0.3


def field_questions(count: int, seed: int, folder: Path | None = None) -> list[FieldQuestion]:
    """Return as many questions, deterministic by seed."""
    by_label = fields_by_phrasing(folder or passports_folder())
    rng = random.Random(seed)
    unanswerable = round(count * UNANSWERABLE_SHARE)
    kinds = [UNANSWERABLE[n % len(UNANSWERABLE)] for n in range(unanswerable)]
    kinds += [ANSWERABLE[n % len(ANSWERABLE)] for n in range(count - unanswerable)]
    phrasings = [PHRASINGS[n % len(PHRASINGS)] for n in range(count)]
    rng.shuffle(kinds)
    rng.shuffle(phrasings)
    return [_question(f"q{n}", kinds[n], phrasings[n], by_label, rng) for n in range(count)]


def evidence_json(question: FieldQuestion) -> bytes:
    """Return the evidence as the file that `-e` takes; numbers keep their exact value."""
    return msgspec.json.Encoder(decimal_format="number").encode({"evidence": question.evidence})


def product_json(question: FieldQuestion) -> bytes:
    """Return the record for `--product`."""
    return msgspec.json.encode(question.product)


def _drawn(labels: dict[str, list[Field]], rng: random.Random) -> Field:
    """Draw a label first, then one of its fields: a frequent label does not crowd out the others."""
    if rng.random() < UNIT_SHARE:
        united = {name: [field for field in fields if field.leaf.unit] for name, fields in labels.items()}
        labels = {name: fields for name, fields in united.items() if fields}
    return rng.choice(labels[rng.choice(sorted(labels))])


def _question(
    name: str, kind: str, phrasing: str, by_label: dict[str, dict[str, list[Field]]], rng: random.Random
) -> FieldQuestion:
    field = _drawn(by_label[phrasing], rng)
    case = MAKERS[kind](field, rng)
    own = identity(field.record)
    assert own is not None
    words = " ".join(split_words(own.names[-1]))
    subject = f"the product with {words} {own.value}" if case.names_product else "the product"
    text = phrase(phrasing, field.label, field.wording, subject)
    assert text is not None
    place = pointer(field.leaf.keys)
    identities = [leaf for item in case.evidence for leaf in leaves(item["content"]) if is_identity(leaf)]
    return FieldQuestion(
        id=name,
        text=text,
        phrasing=phrasing,
        kind=kind,
        answerable=kind in ANSWERABLE,
        label=field.label,
        evidence=case.evidence,
        product=only(own.keys, own.value),
        value=exact(field.leaf.value),
        unit=field.leaf.unit,
        sources=tuple((item, place) for item in case.sources),
        rivals=tuple((item, place, exact(at(content, field.leaf.keys))) for item, content in case.rivals),
        identities=tuple(dict.fromkeys(str(leaf.value) for leaf in identities if leaf.value)),
        identity_pointers=tuple(dict.fromkeys(pointer(leaf.keys) for leaf in identities)),
    )
