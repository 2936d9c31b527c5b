"""Statements that say a field with another value, in whatever of the wordings that support would know it by.

Support asks whether a claim states a field; this asks it of the evidence: a sentence is held against the field as a
claim would be, a field of another item by its names.  So whatever could support the field can contradict it.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.lexicon import CUE_CLASSES
from veracord.gates.mentions import Mention, mentions_of
from veracord.gates.statements import Binding, Field, Standing, Statement
from veracord.grounding.binding import are_of_two_products
from veracord.grounding.claim_words import words_of
from veracord.grounding.exclusions import agree, exclude_each_other
from veracord.grounding.field_binding import bind_field
from veracord.grounding.field_names import index_keys, is_hollow, name_variants
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.record_values import mention_of
from veracord.grounding.relations import relations_of
from veracord.grounding.remarks import without_label
from veracord.grounding.stated_texts import predicates_other, states_other_text, with_pronoun
from veracord.grounding.texts import TextView
from veracord.language.tokens import fold
from veracord.language.units import unit_named

_JOINT: Final = re.compile(
    r"[;,]\s+(?:and\s+|und\s+|while\s+|but\s+)?|(?<!\s)\s+(?:and|und|while|whereas|but|sowie)\s+"
)
_ADVERB: Final = re.compile(
    r"\b(?:now|currently|actually|really|today|nun|jetzt|derzeit|aktuell|mittlerweile|also|auch|however)\b,?\s",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_PIECE: Final = re.compile(r"[^\W_]+")
_LONGEST: Final = 400
#: A text value may be so many words that nothing explains.
_MOST_UNKNOWN: Final = 6
_SHORT_UNIT: Final = 3
_ALLOWED_CUES: Final = frozenset({"not", "exactly"})


def restating(field: Field, pack: PackView) -> tuple[Statement, ...]:
    """Return statements of the pack that say a field with a value that excludes its own; of each item one is enough."""
    key = (
        tuple(name.stems for name in (*field.names, *field.aliases)),
        *(field.products, field.row, field.value, field.unit, field.bound, field.is_list_item, field.path == ()),
    )
    found = pack.restated.get(key)
    if found is None:
        found = pack.restated[key] = (*_fields(field, pack), *_sentences(field, pack))
    return tuple(other for other in found if not _are_of_one_record(field, other))


def _are_of_one_record(field: Field, other: Statement) -> bool:
    """Whether both are fields of one record, which may well have two of a name: what binds claims tells them apart."""
    is_other_of_record = isinstance(other, Field) and _is_of_record(other)
    return is_other_of_record and _is_of_record(field) and other.evidence_id == field.evidence_id


def told_of_another(field: Field, pack: PackView) -> Field | None:
    """Return a field of the same name of another product, with a value that excludes its own, or None."""
    key = ("another", tuple(name.stems for name in field.names), field.products, field.row, field.value)
    if key not in pack.restated:
        found = _unlike(field, pack, are_of_two_products)
        pack.restated[key] = tuple(islice(found, 1))
    return next((one for one in pack.restated[key] if isinstance(one, Field)), None)


def _fields(field: Field, pack: PackView) -> Iterator[Field]:
    """Yield the fields that have the same name, row and product, and another value."""
    return _unlike(field, pack, may_be_of_one_product)


def _unlike(field: Field, pack: PackView, may_be: Callable[[Field, Field], bool]) -> Iterator[Field]:
    """Yield the fields that have the same name and row, and another value, and a product that may be."""
    own = labels_of(field)
    held = _value_of(field)
    seen: set[int] = set()
    for key in sorted(index_keys(field)):
        for other in pack.fields_by_word.get(key, ()):
            if id(other) in seen or not _may_restate(field, other) or not may_be(field, other):
                continue
            seen.add(id(other))
            if own & labels_of(other) and exclude_each_other(_value_of(other), held):
                yield other


def _may_restate(field: Field, other: Field) -> bool:
    if other is field or other.is_list_item or field.is_list_item or other.standing is not Standing.EVIDENCE:
        return False
    return [squash(row) for row in field.row] == [squash(row) for row in other.row]


def may_be_of_one_product(field: Field, other: Field) -> bool:
    """Whether two fields may be about one product: a title alone that they share does not outweigh their codes."""
    return _are_of_one_product(*(frozenset(map(squash, each.products)) for each in (field, other)))


def _are_of_one_product(one: frozenset[str], two: frozenset[str]) -> bool:
    """Whether two records may be about one product; a title alone that they share does not outweigh their codes."""
    if not one or not two or one <= two or two <= one:
        return True
    return any(c.isdigit() for name in one & two for c in name)


def _is_of_record(field: Field) -> bool:
    return field.path[:1] not in ((), ("tables",))


def labels_of(field: Field) -> set[tuple[tuple[str, ...], ...]]:
    """Return the names that a field goes by, each with what stands above it and is no mere group."""
    found = {tuple(name.stems for name in names if not is_hollow(name)) for names in name_variants(field)}
    return {label for label in found if label} | {(alias.stems,) for alias in field.aliases}


def _value_of(field: Field) -> Mention:
    return mention_of(field) or Mention("text", field.value, (0, len(field.value)))


def _sentences(field: Field, pack: PackView) -> Iterator[Statement]:
    """Yield the sentences that, taken for claims, would be about the field, and give it another value."""
    if field.is_list_item:
        return
    known = known_words(field)
    for item in pack.items.values():
        found = next((one for view in item.prose for one in _in_text(field, view, known)), None)
        if found is not None:
            yield found


def _in_text(field: Field, view: TextView, known: frozenset[str]) -> Iterator[Statement]:
    seen: set[str] = set()
    for number in sorted(numbers_naming(field, view)):
        start, end = view.spans[number]
        if end - start > _LONGEST or not view.may_contradict(number):
            continue
        text = f"{' '.join(view.heading_words(number))} {view.text[start:end]}".lstrip()
        if text not in seen and _contradicts(text, field, view, known, is_first=number == 0):
            yield from view.sentences(number)[:1]
        seen.add(text)


def numbers_naming(field: Field, view: TextView) -> set[int]:
    """Return the sentences that have all words of a name of the field, or of a verb that stands for it."""
    labels = [name.stems for name in (*(names[-1] for names in name_variants(field)), *field.aliases)]
    labels += [relation.keys for name in field.names[-1:] for relation in relations_of(name)]
    found: set[int] = set()
    for label in labels:
        if not label:
            # "The product is blue": no word of it names the field.
            found |= _about_product(field, view) if field.kind == "text" else set()
            continue
        telling = [key for key in label if classify_word(key)[0] == "word" and key[:1].isalnum()]
        common: set[int] | None = None
        for key in telling:
            numbers = view.numbers_of(key)
            common = numbers if common is None else common & numbers
        found |= common or set()
    return found


def _about_product(field: Field, view: TextView) -> set[int]:
    """Return the sentences that name the product, or the record as a whole."""
    names = (*field.products, "product", *sorted(field.wholes))
    keys = {classify_word(fold(piece))[1] for name in names for piece in _PIECE.findall(name)[:1]}
    return {number for key in keys for number in view.numbers_of(key)}


def known_words(field: Field) -> frozenset[str]:
    """Return the words that a sentence about the field may have, its value apart."""
    names = [name for names in name_variants(field) for name in names]
    keys = {key for name in (*names, *field.aliases) for key in name.stems}
    keys |= {key for name in field.names[-1:] for relation in relations_of(name) for key in relation.keys}
    texts = " ".join((*field.products, *field.row, field.value))
    keys |= {classify_word(fold(word))[1] for word in _WORD.findall(texts)}
    return frozenset(keys | field.wholes | field.row_words | {"product"})


def _contradicts(text: str, field: Field, view: TextView, known: frozenset[str], *, is_first: bool) -> bool:
    plain = _ADVERB.sub("", without_label(text)).strip()
    most = _MOST_UNKNOWN if field.kind == "text" and mention_of(field) is None else 0
    parts = [plain]
    if _JOINT.search(plain) is not None and not any(fold(word) in CUE_CLASSES for word in _WORD.findall(plain)):
        parts += [part.rstrip(" .") for part in _JOINT.split(plain)]
    return any(
        _unknown(part, known) <= most and _says_other(part, field, view, is_first=is_first and part == plain)
        for part in parts
    )


def _unknown(text: str, known: frozenset[str]) -> int:
    """Return how many words of a sentence are neither names, nor units, nor words that only carry others."""
    count = 0
    for word in _WORD.findall(text):
        kind, key = classify_word(fold(word))
        is_known = kind != "word" or key in known or len(word) <= _SHORT_UNIT or unit_named(word) is not None
        count += not is_known
    return count


def _says_other(text: str, field: Field, view: TextView, *, is_first: bool) -> bool:
    words = words_of(text)
    if not words.keys or (words.kinds[0] == "pronoun" and not is_first):
        return False
    binding = bind_field(words, field, view.locale)
    if binding is None and field.kind == "text" and (told := with_pronoun(text, field)) != text:
        if predicates_other(told, field):
            return True
        text, words = told, words_of(told)
        binding = bind_field(words, field, view.locale)
    if binding is None or binding.foreign_product or "past" in words.keys:
        return False
    said = [mention for mention, _ in binding.said]
    cues = {cue for cue, _ in binding.said_cues}
    held = mention_of(field)
    if held is not None and held.kind == "quantity" and [mention.kind for mention in said] == ["text"]:
        # The value stands there as the record writes it; what bounds it is read with it: "more than 5 kg".
        said = [mention for mention in mentions_of(text, view.locale) if mention.kind == "quantity"]
        rest = "".join(text[: one.span[0]] + text[one.span[1] :] for one in said[:1])
        outside = words_of(rest)
        cues = {key for key, kind in zip(outside.keys, outside.kinds, strict=True) if kind == "cue"}
    is_plain = len(said) == 1 and cues <= _ALLOWED_CUES
    return is_plain and _excludes(text, binding, said[0], field, is_denied="not" in cues)


def _excludes(text: str, binding: Binding, said: Mention, field: Field, *, is_denied: bool) -> bool:
    held = mention_of(field) if said.kind == "quantity" else None
    held = held or binding.held[0][0]
    if is_denied:
        return not binding.unexplained and agree(said, held)
    if binding.unexplained:
        return said.kind == held.kind == "text" and states_other_text(text, said, field)
    return exclude_each_other(said, held)
