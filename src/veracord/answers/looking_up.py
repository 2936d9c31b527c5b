"""The field that answers a question, or why none does; no model is asked.

Never a wrong answer: a field that is absent, another product's, disputed among sources, or there only as a suggestion
is no answer, and neither are two fields that fit equally well.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from veracord.answers.codes import AbstentionCode
from veracord.answers.fields import fits_of
from veracord.answers.products import Narrowed
from veracord.answers.questions import Question
from veracord.gates.comparisons import compare_mentions
from veracord.gates.statements import Field, Standing
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.record_values import mention_of


@dataclass(frozen=True, slots=True)
class Found:
    """What a question led to.

    Attributes:
        fields: The fields that answer it: one, or several of one place in sources that agree.
        code: Why there are none.
        near: The items that come nearest to an answer.
    """

    fields: tuple[Field, ...] = ()
    code: AbstentionCode | None = None
    near: tuple[str, ...] = ()


def look_up(question: Question, narrowed: Narrowed) -> Found:
    """Look for the field that a question asks for."""
    fitting = [fit.field for fit in fits_of(question, narrowed.inside)]
    own = [field for field in fitting if _is_about(field, narrowed.product)]
    usable = [field for field in own if field.standing is Standing.EVIDENCE and field.value.strip()]
    if usable:
        code = _dispute(usable)
        return Found((), code, _ids(usable)) if code else Found(tuple(usable))
    if own:
        return Found((), AbstentionCode.UNVERIFIED_ONLY, _ids(own))
    elsewhere = _ids([*fitting, *(fit.field for fit in fits_of(question, narrowed.outside))])
    if elsewhere:
        return Found((), AbstentionCode.OTHER_PRODUCT, elsewhere)
    return Found((), AbstentionCode.NO_SUCH_FIELD)


def _is_about(field: Field, product: str | None) -> bool:
    """Whether a field of a list of records may be about the product that was named."""
    return product is None or not field.products or squash(product) in map(squash, field.products) or not field.row


def _dispute(fields: Sequence[Field]) -> AbstentionCode | None:
    """Return why several fields are not one answer."""
    first = fields[0]
    places = {field.path for field in fields}
    if len(places) > 1 and len({field.evidence_id for field in fields}) < len(fields):
        return AbstentionCode.AMBIGUOUS_QUESTION
    if any(not says_the_same(first, other) for other in fields[1:]):
        return AbstentionCode.CONFLICT
    return None


def says_the_same(one: Field, other: Field) -> bool:
    """Whether two fields hold one value: equal texts, or equal quantities in any unit."""
    if (one.value, one.unit) == (other.value, other.unit):
        return True
    if one.kind == "boolean" or other.kind == "boolean":
        return False
    said, held = mention_of(one), mention_of(other)
    if said is None or held is None or said.kind != held.kind or said.kind != "quantity":
        return False
    return compare_mentions(said, held) in ("same", "converted")


def _ids(fields: Sequence[Field]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(field.evidence_id for field in fields))


def passages_of(view: PackView) -> list[tuple[str, list[str]]]:
    """Return the words of each item, by its id: its names, its rows and its texts."""
    found = []
    for item_id, item in view.items.items():
        words = [key for field in item.fields for name in field.names for key in name.stems]
        words += [key for text in item.prose for word in text.words for key in (squash(word),)]
        found.append((item_id, words))
    return found
