"""Which statements of the evidence a claim is about, and which of them it is held against.

A claim is about a field that it names, and about a sentence that has the very same content words.  Nothing is bound by
likeness: a word more or less, and the claim is about something else.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.claims import Claim, Reading, read_claim
from veracord.gates.forms import is_plural_added, tense_differs
from veracord.gates.shapes import Shape
from veracord.gates.statements import Binding, Field, Sentence
from veracord.grounding.claim_words import ClaimWords, words_of
from veracord.grounding.field_binding import bind_field
from veracord.grounding.field_names import asked_keys
from veracord.grounding.limits_beside import VALUE_NAMES
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.texts import TextView
from veracord.language.tokens import fold

#: Words that may stand in a sentence in another form, so that no index finds them.
_SOFT: Final = frozenset({"contain", "made_of", "serialnumber", "number", "to", "A", "x"})
_MOST_WORDS: Final = 400
_PIECE: Final = re.compile(r"[^\W_]+")


def bindings_of(claim: Reading, pack: PackView) -> Iterator[Binding]:
    """Yield the claim beside each statement of the pack that it is about."""
    words = words_of(claim.text)
    if len(words.keys) > _MOST_WORDS:
        return
    yield from _fields(claim, words, pack)
    yield from _sentences(claim, pack)


def _fields(claim: Reading, words: ClaimWords, pack: PackView) -> Iterator[Binding]:
    seen: set[int] = set()
    index = pack.fields_by_word
    for key in asked_keys(words):
        for field in index.get(key, ()):
            if id(field) in seen:
                continue
            seen.add(id(field))
            binding = bind_field(words, field, claim.locale)
            if binding is not None:
                yield binding


def _sentences(claim: Reading, pack: PackView) -> Iterator[Binding]:
    shape = claim.shape
    needed = [word for word in shape.words if word not in _SOFT and word[:1].isalnum() and "_" not in word]
    if not shape.words:
        return
    codes = _codes(shape)
    for item in pack.items.values():
        seen: set[tuple[object, ...]] = set()
        for text in item.prose:
            found = _numbers(text, needed)
            # A sentence about another model supports and contradicts nothing; it counts only where no other is found.
            named = found if not codes else sorted(set(found).intersection(*(text.numbers_of(code) for code in codes)))
            for number in named or found:
                # What one item says again in the same words it has said.
                same = text.identity(number)
                if same in seen:
                    continue
                seen.add(same)
                for sentence in text.sentences(number):
                    binding = bind_sentence(shape, sentence)
                    if binding is not None:
                        yield binding


def _codes(shape: Shape) -> list[str]:
    """Return the pieces with digits of the identifiers of a claim, as the words of a text are indexed."""
    pieces = (piece for mention, _ in shape.of_kind("identifier") for piece in _PIECE.findall(mention.text))
    return [classify_word(fold(piece))[1] for piece in pieces if any(c.isdigit() for c in piece)]


def _numbers(text: TextView, needed: Collection[str]) -> list[int]:
    """Return the sentences that have all words."""
    if not needed:
        return list(range(len(text.spans)))
    common: set[int] | None = None
    for word in needed:
        found = text.numbers_of(word)
        common = found if common is None else common & found
        if not common:
            return []
    return sorted(common or ())


def bind_sentence(shape: Shape, sentence: Sentence) -> Binding | None:
    """Return a claim and a sentence side by side, or None where their content words differ."""
    held = sentence.shape
    differences = []
    if shape.words == held.words:
        if sentence.heading:
            differences.append("subject")
        if is_plural_added(shape, held):
            differences.append("plural")
        if tense_differs(shape, held):
            differences.append("tense")
    elif not sentence.heading or shape.words not in (sentence.heading + held.words, held.words + sentence.heading):
        return None
    elif held.tense == "past" and shape.tense == "present" and "p" not in held.voices:
        differences.append("tense")
    if any({said, told} == {"p", "a"} for said, told in zip(shape.voices, held.voices, strict=False)):
        differences.append("voice")
    if sentence.limit:
        differences.append(sentence.limit)
    if held.has_pronoun and not sentence.is_first and not shape.has_pronoun:
        differences.append("subject")
    return Binding(
        statement=sentence,
        said=shape.mentions,
        held=held.mentions,
        said_cues=shape.cues,
        held_cues=held.cues,
        differences=tuple(differences),
    )


def is_same_thing(chosen: Binding, other: Binding) -> bool:
    """Whether another statement is about the same thing of the same product, so that it can contradict."""
    if other.foreign_product or "subject" in other.differences:
        return False
    if other.unexplained and not _says_instead(chosen, other):
        return False
    one, two = chosen.statement, other.statement
    if not isinstance(one, Field) or not isinstance(two, Field):
        return True
    are_items = one.is_list_item and two.is_list_item
    if other.said_cues != chosen.said_cues or are_of_two_products(one, two) or are_items:
        return False
    return not _is_deeper(chosen, other, one, two)


def is_of_other_product(chosen: Binding, other: Binding) -> bool:
    """Whether another field is of another product, and the same in it; only for a claim that names no product."""
    one, two = chosen.statement, other.statement
    if not isinstance(one, Field) or not isinstance(two, Field) or not are_of_two_products(one, two):
        return False
    return not (other.foreign_product or other.unexplained or other.is_named)


def are_of_two_products(one: Field, two: Field) -> bool:
    """Whether two fields say that they are about different products; an identifier in other case is the same."""
    return bool(one.products and two.products) and not _identities(one) & _identities(two)


def _identities(field: Field) -> set[str]:
    return {squash(product) or product for product in field.products}


def _says_instead(chosen: Binding, other: Binding) -> bool:
    """Whether all that another field leaves unexplained is the value that the chosen one explains."""
    if not isinstance(other.statement, Field) or other.statement.kind != "text":
        return False
    said = [mention.text.casefold() for mention, _ in other.said if mention.kind == "text"]
    held = [mention.text.casefold().rstrip(".") for mention, _ in chosen.said if mention.kind in ("text", "identifier")]
    return bool(said) and said == held


def _is_deeper(chosen: Binding, other: Binding, one: Field, two: Field) -> bool:
    """Whether the other field is one of a part: "mass" of the record, and the mass of its cell."""
    if one.evidence_id != two.evidence_id or other.names_left <= chosen.names_left:
        return False
    above = tuple(name.squashed for name in one.names[:-1])
    if len(one.names) > 1 and one.names[-1].squashed in VALUE_NAMES:
        above = above[:-1]
    return tuple(name.squashed for name in two.names[: len(above)]) == above


def reading_of(text: str, evidence_ids: tuple[str, ...] = ()) -> Reading:
    """Read a text as a claim of its own."""
    return read_claim(Claim(text, (), evidence_ids))
