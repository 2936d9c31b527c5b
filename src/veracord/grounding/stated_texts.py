"""Texts for values: whether a sentence gives a field another one, and what field a sentence of a text states.

"The supplier is Beta" gives the supplier another name than Acme.  "The supplier is reliable" and "The supplier is in
Ulm" do not: only names, colours, and the values of attributes that have one value exclude each other.
"""

import re
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.mentions import Mention
from veracord.gates.statements import Field, Name, Sentence
from veracord.grounding.claim_words import ClaimWords, words_of
from veracord.grounding.exclusions import texts_exclude
from veracord.grounding.names import squash
from veracord.grounding.relations import relations_of

#: What has one value, so that any other excludes it, whether it is a name or not.
_ATTRIBUTES: Final = frozenset(
    "colour color material chemistry type category class status state country origin shape format standard grade"
    " language currency chemi farbe kategori klass zustand herkunft".split()
)
_COLOURS: Final = frozenset(
    "red blue green black white grey yellow orange brown pink purple violet silver gold beige turquoise gelb braun lila"
    " rosa violett silbern golden".split()
)
_ANY: Final = frozenset({"product", "passport", "item", "article", "devic"})
#: What a thing is made of it is not made of something else; as canonical words.
_MADE_OF: Final = frozenset(
    tuple(classify_word(word)[1] for word in phrase.split())
    for phrase in ("made of", "made from", "consists of", "besteht aus", "bestehen aus")
)
_IT_IS: Final = re.compile(r"It (?:is|are|ist|sind) ([^\W\d_]{2,20})\W*", re.IGNORECASE)
_SEPARATOR: Final = re.compile(r"[:=]\s*$")
_MOST_WORDS: Final = 6


def states_other_text(text: str, said: Mention, field: Field) -> bool:
    """Whether what a sentence says in the place of a field's value is another value of it.

    Args:
        text: The sentence.
        said: All of it that nothing of the field explains.
    """
    value = text[said.span[0] : said.span[1]]
    before, after = text[: said.span[0]], text[said.span[1] :]
    inside, ahead = words_of(value), words_of(before)
    is_placed = "copula" in ahead.kinds or _SEPARATOR.search(before) is not None or _has_relation(ahead, field)
    is_placed = is_placed or ahead.keys[-2:] in _MADE_OF
    if not is_placed or after.strip(" .!") or not 0 < len(inside.keys) <= _MOST_WORDS:
        return False
    if inside.kinds[0] == "preposition" or {"copula", "cue", "pronoun"} & set(inside.kinds):
        return False
    return texts_exclude(value, field.value) and _is_of_class(value, field, ahead)


def predicates_other(text: str, field: Field) -> bool:
    """Whether "It is blue" says another colour of a thing than its field does."""
    match = _IT_IS.fullmatch(text)
    is_predicate = any(not relation.keys for relation in relations_of(field.names[-1])) if field.names else False
    if match is None or not is_predicate or not texts_exclude(match[1], field.value):
        return False
    return all(_are_colours(words_of(value)) for value in (match[1], field.value))


def with_pronoun(text: str, field: Field) -> str:
    """Return a sentence about the product as a whole with "It" for its subject, or the sentence as it is."""
    words = words_of(text)
    named = {squash(product) for product in field.products}
    at, is_subject = 0, False
    for key, kind, squashed in zip(words.keys[:-1], words.kinds, words.squashed, strict=False):
        is_name = squashed in named or key == "product" or key in field.wholes
        if not is_name and kind != "article":
            break
        at, is_subject = at + 1, is_subject or is_name
    return f"It {text[words.spans[at][0] :]}" if is_subject else text


def _are_colours(words: ClaimWords) -> bool:
    return len(words.keys) == 1 and words.keys[0] in _COLOURS


def _has_relation(words: ClaimWords, field: Field) -> bool:
    keys = set(words.keys)
    return any(relation.keys and keys.issuperset(relation.keys) for relation in relations_of(field.names[-1]))


def _is_of_class(value: str, field: Field, ahead: ClaimWords) -> bool:
    label = field.names[-1].stems
    if label[-1:] and (label[-1] in _ATTRIBUTES or label[-2:] in _MADE_OF or _has_relation(ahead, field)):
        return True
    if _is_name(value) and _is_name(field.value):
        return True
    return _are_colours(words_of(value)) and _are_colours(words_of(field.value))


def _is_name(value: str) -> bool:
    return value[:1].isupper()


def field_of(sentence: Sentence) -> Field | None:
    """Return what a sentence states as a field: its words for the name, its one value for the value."""
    shape = sentence.shape
    if shape.cues or shape.tense == "past" or shape.has_pronoun or sentence.heading or shape.of_kind("identifier"):
        return None
    if not shape.mentions:
        return _text_field(sentence)
    if len(shape.mentions) != 1 or shape.mentions[0][0].kind == "text":
        return None
    return _named(sentence, tuple(shape.words), shape.mentions[0][0].text)


def _text_field(sentence: Sentence) -> Field | None:
    words = words_of(sentence.text)
    copulas = [at for at, kind in enumerate(words.kinds) if kind == "copula"]
    made = [at for at in range(1, len(words.keys)) if words.keys[at : at + 2] in _MADE_OF]
    if len(copulas) > 1 or len(made) > 1 or {"cue", "pronoun"} & set(words.kinds):
        return None
    end = made[0] + 2 if made else copulas[0] + 1 if copulas else 0
    first = min(copulas + made, default=0)
    if not first or end >= len(words.keys):
        return None
    label = [key for key, kind in zip(words.keys[:first], words.kinds[:first], strict=True) if kind != "article"]
    stems = (*label, *words.keys[first:end]) if made else tuple(label)
    return _named(sentence, stems, sentence.text[words.spans[end][0] :].rstrip(" .!"))


def _named(sentence: Sentence, stems: tuple[str, ...], value: str) -> Field | None:
    own = stems[1:] if len(stems) > 1 and stems[0] == "product" else stems
    if not own or not value:
        return None
    name = Name("", own, " ".join(own))
    return Field(sentence.evidence_id, (), (name,), (), (), value, wholes=_ANY)
