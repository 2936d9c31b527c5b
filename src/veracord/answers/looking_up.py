"""The field that answers a question, or why none does; no model is asked.

Never a wrong answer: a field that is absent, another product's, disputed among sources, or there only as a suggestion
is no answer, and neither are two fields that fit equally well.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from veracord.answers.codes import NO_VALUE, AbstentionCode
from veracord.answers.fields import fits_of, partly_named
from veracord.answers.products import Narrowed, without_unknown_products
from veracord.answers.questions import Question, read_question
from veracord.answers.sentences import is_list
from veracord.gates.comparisons import compare_mentions
from veracord.gates.statements import Field, Standing
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.placeholders import says_nothing
from veracord.grounding.record_values import mention_of


@dataclass(frozen=True, slots=True)
class Found:
    """What a question led to.

    Attributes:
        fields: The fields that answer it: one, several of one place in sources that agree, or all items of a list.
        code: Why there are none.
        near: The items that come nearest to an answer.
        detail: A word of ours that says more, or None.
    """

    fields: tuple[Field, ...] = ()
    code: AbstentionCode | None = None
    near: tuple[str, ...] = ()
    detail: str | None = None


def look_up(question: Question, narrowed: Narrowed) -> Found:
    """Look for the field that a question asks for."""
    fitting = [fit.field for fit in fits_of(question, narrowed.inside)]
    own = [field for field in fitting if _is_about(field, narrowed.product)]
    told = [field for field in own if not (field.kind == "text" and says_nothing(field.value))]
    usable = [field for field in told if field.standing is Standing.EVIDENCE]
    if usable:
        code = _dispute(usable)
        return Found((), code, _ids(usable)) if code else Found(tuple(usable))
    if told:
        return Found((), AbstentionCode.UNVERIFIED_ONLY, _ids(told))
    if own:
        return Found((), AbstentionCode.NO_SUCH_FIELD, _ids(own), NO_VALUE)
    elsewhere = _ids([*fitting, *(fit.field for fit in fits_of(question, narrowed.outside))])
    if elsewhere:
        return Found((), AbstentionCode.OTHER_PRODUCT, elsewhere)
    return _not_found(question, narrowed)


def _not_found(question: Question, narrowed: Narrowed) -> Found:
    """Return why no field fits: the question is of another product, or names none of several fields in full."""
    text = without_unknown_products(question.text, narrowed.names)
    if text is not None:
        other = read_question(text, narrowed.names, narrowed.naming)
        near = _ids([fit.field for fit in fits_of(other, narrowed.inside)])
        if near:
            return Found((), AbstentionCode.OTHER_PRODUCT, near)
    partly = [field for field in partly_named(question, narrowed.inside) if _is_about(field, narrowed.product)]
    places = {(field.path, field.row) for field in partly}
    code = AbstentionCode.AMBIGUOUS_QUESTION if len(places) > 1 else AbstentionCode.NO_SUCH_FIELD
    return Found((), code, _ids(partly))


def _is_about(field: Field, product: str | None) -> bool:
    """Whether a field of a list of records may be about the product that was named."""
    return product is None or not field.products or squash(product) in map(squash, field.products) or not field.row


def _dispute(fields: Sequence[Field]) -> AbstentionCode | None:
    """Return why several fields are not one answer."""
    first = fields[0]
    if is_list(fields):
        return None
    if any(field.list_size > 1 for field in fields):
        # Some items of a list are not what the list says.
        return AbstentionCode.AMBIGUOUS_QUESTION
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
