"""A claim beside one field of a record: which of its words are the label, the row, the product and the value.

The closed world: every word of the claim is the field's label, the name of its row, its product, its value, or one of
a few words that only carry them.  A word that is none of these is left unexplained, and then the claim is not
supported.
"""

from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.statements import About, Binding, Field
from veracord.grounding.claim_words import ClaimWords, product_spans, words_inside
from veracord.grounding.field_names import Label, labels_in, literal_words, may_name_row
from veracord.grounding.field_values import Value, asserts, literals_of, rest_of, value_in
from veracord.grounding.part_values import has_ended, parts_of_value
from veracord.grounding.past_tenses import tells_as_past
from veracord.grounding.product_binding import is_of_another, parts_left
from veracord.grounding.verb_names import is_turned_round
from veracord.language.locales import Locale

Span = tuple[int, int]

_IDENTIFYING: Final = frozenset(
    "productid gtin serialnumber passportidentifier product id identifier name model".split()
)
_NAMING: Final = frozenset({"id", "name", "type", "number", "code", "identifier"})
_LONGEST_NAMING: Final = 3
_LONGEST_SORT: Final = 3
#: Who is one of somebody has somebody for one; and "a type of soap" is soap.
_MUTUAL: Final = frozenset(
    classify_word(word)[1]
    for word in (
        "spouse partner sibling cousin member relative type kind sort form class category species breed variety".split()
    )
)


def bind_field(words: ClaimWords, field: Field, locale: Locale | None = None) -> Binding | None:
    """Return a claim and a field side by side, or None where the claim is not about the field.

    It is about the field if it names it, and its row where rows stand side by side.
    """
    if not all(may_name_row(words, row) for row in field.row):
        return None
    best: Binding | None = None
    literals: list[Span | None] = [*literals_of(words, field), None]
    for literal in literals:
        taken = words_inside(words, literal) if literal is not None else frozenset()
        for label in labels_in(words, field, taken):
            found = _bind_labelled(words, field, taken, label, literal, locale)
            if found is not None and (best is None or _rank(found) < _rank(best)):
                best = found
        if best is not None and literal is not None and not best.unexplained:
            break
    return best


def _rank(binding: Binding) -> tuple[int, int]:
    same = [said.text for said, _ in binding.said] == [held.text for held, _ in binding.held]
    return (len(binding.unexplained) + len(binding.said_cues) + binding.foreign_product, 0 if same else 1)


def _bind_labelled(
    words: ClaimWords,
    field: Field,
    taken: frozenset[int],
    label: Label,
    literal: Span | None,
    locale: Locale | None,
) -> Binding | None:
    used = taken | label.used
    for row in field.row:
        found = literal_words(words, row, used)
        if found is None:
            return None
        used |= found
    used, level = _without_product(words, field, used)
    is_named = level is not None
    subject = used - taken - (label.verb or label.used)
    value = value_in(words, field, used, literal, locale)
    if not _stands_right(words, field, label, value, subject):
        return None
    if field.about is not None and is_named:
        value = Value(value.said, value.held, _with_kind(words, field.about, label, value), value.places)
    rest = rest_of(words, value.used)
    return Binding(
        statement=field,
        said=tuple((mention, 0) for mention in value.said),
        held=((value.held, 0),),
        said_cues=tuple((words.keys[at], 0) for at in rest if words.kinds[at] == "cue"),
        unexplained=tuple(
            words.keys[at]
            for at in rest
            if asserts(words, at) and not _is_frame(words, at, field, label, is_named=is_named)
        ),
        differences=("tense",) if tells_as_past(words, field, label) else (),
        foreign_product=_is_foreign(words, field, label, used, level),
        names_left=sum(at not in label.said for at in range(len(field.roles))),
        is_named=is_named,
    )


def _is_foreign(words: ClaimWords, field: Field, label: Label, used: frozenset[int], level: int | None) -> bool:
    """Whether a claim is about another product than a field, or about the product where the field is a part's."""
    if level is None:
        return _names_product(words, used) or is_of_another(words, field, label)
    return bool(parts_left(words, field, label, level)) or is_of_another(words, field, label, level)


def _with_kind(words: ClaimWords, about: About, label: Label, value: Value) -> frozenset[int]:
    """Take along what only says what the thing is: "the film Low Tide", "is a folk band that", "Swedish painter"."""
    used = value.used
    heads = {at for at in rest_of(words, used) if words.keys[at] in about.kinds}
    is_predicate = label.relation is not None and not label.relation.keys
    for heads_of, sorts in ((heads, about.sorts), (value.places if is_predicate else frozenset(), about.persons)):
        for head in heads_of:
            at = head - 1
            while run := _sort_before(words, at, used, sorts):
                used |= run
                at -= len(run)
    return (
        used | heads | {at for at in rest_of(words, used) if heads and words.squashed[at] in ("who", "which", "that")}
    )


def _sort_before(words: ClaimWords, at: int, used: frozenset[int], sorts: frozenset[str]) -> frozenset[int]:
    """Return the words that end at a place and are one sort: "folk", "death metal"."""
    for length in range(1, min(_LONGEST_SORT, at + 1) + 1):
        run = frozenset(range(at - length + 1, at + 1))
        if not run & used and "".join(words.squashed[one] for one in sorted(run)) in sorts:
            return run
    return frozenset()


def _stands_right(words: ClaimWords, field: Field, label: Label, value: Value, subject: frozenset[int]) -> bool:
    """Whether the value stands on its side of the label, and with a verb the subject on the other."""
    relation = label.relation
    if field.kind == "text" and (_is_turned(words, label, value) or _tells_where(words, label, value)):
        return False
    if is_turned_round(words, field, label, value.places, subject):
        return False
    if label.side == "any" or not value.places:
        return relation is None
    verb = label.verb or label.used
    first, last = min(verb), max(verb)
    is_after = label.side == "after"
    if not all(at > first if is_after else at < last for at in value.places):
        return False
    if relation is None:
        return True
    has_kind = not relation.needs_kind or _is_kind(words, field, max(value.places) + 1)
    is_over = relation.is_lasting and has_ended(field.value) and _says_still(words, first)
    if not subject:
        is_told = words.kinds[0] in ("pronoun", "article") and is_after and first > 0
    else:
        is_told = all(at < first if is_after else at > first for at in subject)
    return has_kind and is_told and not is_over


def _is_turned(words: ClaimWords, label: Label, value: Value) -> bool:
    """Whether a claim has the value for what the label is of: "P-1 is the manufacturer of Acme"."""
    named = label.verb or label.used
    start, end = min(named), max(named) + 1
    is_thing = start > 0 and words.kinds[start - 1] in ("article", "copula") and words.keys[start] not in _MUTUAL
    if not is_thing or end >= len(words.keys) or words.keys[end] != "of" or "have" in words.keys[:start]:
        return False
    at = end + 1
    while at < len(words.keys) and words.kinds[at] == "article":
        at += 1
    return at in value.places


def _tells_where(words: ClaimWords, label: Label, value: Value) -> bool:
    """Whether a claim has the place of who did something for that of the doing: "made by Acme in Ulm"."""
    last = max(label.verb or label.used)
    return words.keys[last] == "by" and any(
        at - 1 > last and words.keys[at - 1] == "in" and not words.squashed[at].isdigit() for at in value.places
    )


def _is_kind(words: ClaimWords, field: Field, at: int) -> bool:
    return field.about is not None and at < len(words.keys) and words.keys[at] in field.about.kinds


def _says_still(words: ClaimWords, at: int) -> bool:
    """Whether a claim says that something holds now: "is married to", "has a wife", and not "married" or "was"."""
    return "past" not in words.keys and (words.keys[at] != "marry" or words.kinds[max(at - 1, 0)] == "copula")


def _is_frame(words: ClaimWords, at: int, field: Field, label: Label, *, is_named: bool) -> bool:
    """Whether a word only means the record, or the kind of its rows."""
    key = words.keys[at]
    if key in field.row_words:
        return True
    if key == "number":
        is_count = field.kind == "number" and field.unit is None and "." not in field.value
        return is_count and at + 1 < len(words.keys) and words.keys[at + 1] == "of"
    if key not in field.wholes and key != "product":
        return False
    if is_named:
        return True
    if not field.names or (field.names[-1].squashed in _NAMING and label.said <= {len(field.names) - 1}):
        # "The product name" is not the name of something in its record.
        return False
    return not parts_left(words, field, label)


def _without_product(words: ClaimWords, field: Field, used: frozenset[int]) -> tuple[frozenset[int], int | None]:
    """Take out the product that the claim names, if it is the record's; tell how deep in the record it stands."""
    for product, level in zip(field.products, field.owners, strict=True):
        for name in (product, *_short_names(product)):
            for span in product_spans(words.text, name):
                inside = words_inside(words, span)
                if inside and not inside & used:
                    return used | inside | _naming(words, min(inside)), level
    return used, None


def _short_names(product: str) -> tuple[str, ...]:
    """Return the parts of a title that stand alone: "The Honourable   Ada Low   MP", and it with single spaces."""
    plain = (" ".join(product.split()),) if "  " in product and not any(c.isdigit() for c in product) else ()
    short = plain + tuple(part for part in parts_of_value(product) if " " in part) if "  " in product else ()
    bare = product.partition(" (")[0].rstrip() if product.endswith(")") else ""
    return (*short, bare) if " " in bare else short


def _naming(words: ClaimWords, at: int) -> frozenset[int]:
    """Return the words in front of an identifier that say what it is: "serial number", "passport identifier"."""
    joined = ""
    for start in range(at - 1, max(at - 1 - _LONGEST_NAMING, -1), -1):
        joined = words.squashed[start] + joined
        if joined in _IDENTIFYING - {"product"}:
            return frozenset(range(start, at))
    return frozenset()


def _names_product(words: ClaimWords, used: frozenset[int]) -> bool:
    """Whether the claim speaks of a product by a name that is none of the record's."""
    names = [at for at, key in enumerate(words.keys) if key == "product" and at not in used]
    return any(at + 1 < len(words.keys) and at + 1 not in used and _identifies(words, at + 1) for at in names)


def _identifies(words: ClaimWords, at: int) -> bool:
    start, end = words.spans[at]
    return any(c.isdigit() for c in words.text[start:end]) or words.text[start : start + 1].isupper()
