"""Texts for values: whether a sentence gives a field another one, and what field a sentence of a text states.

"The supplier is Beta" gives the supplier another name than Acme.  "The supplier is reliable" and "The supplier is in
Ulm" do not: only names, colours, and the values of attributes that have one value exclude each other.
"""

import re
from typing import Final

from veracord.gates.mentions import Mention
from veracord.gates.statements import Field, Name, Sentence
from veracord.grounding.claim_words import ClaimWords, words_of
from veracord.grounding.exclusions import texts_exclude
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
_MADE_OF: Final = (("made", "of"), ("made", "from"), ("besteht", "aus"))
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
    if not is_placed or after.strip(" .!") or not 0 < len(inside.keys) <= _MOST_WORDS:
        return False
    if inside.kinds[0] == "preposition" or {"copula", "cue", "pronoun"} & set(inside.kinds):
        return False
    return texts_exclude(value, field.value) and _is_of_class(value, field, ahead)


def _has_relation(words: ClaimWords, field: Field) -> bool:
    keys = set(words.keys)
    return any(relation.keys and keys.issuperset(relation.keys) for relation in relations_of(field.names[-1]))


def _is_of_class(value: str, field: Field, ahead: ClaimWords) -> bool:
    label = field.names[-1].stems
    if label[-1:] and (label[-1] in _ATTRIBUTES or label[-2:] in _MADE_OF or _has_relation(ahead, field)):
        return True
    if _is_name(value) and _is_name(field.value):
        return True
    return all(len(keys) == 1 and keys[0] in _COLOURS for keys in (words_of(value).keys, words_of(field.value).keys))


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
    if len(copulas) != 1 or not copulas[0]:
        return None
    at = copulas[0]
    end = at + 3 if words.keys[at + 1 : at + 3] in _MADE_OF else at + 1
    label = [key for key, kind in zip(words.keys[:at], words.kinds[:at], strict=True) if kind != "article"]
    if end >= len(words.keys) or {"cue", "pronoun"} & set(words.kinds):
        return None
    value = sentence.text[words.spans[end][0] :].rstrip(" .!")
    stems = (*label, *words.keys[at:end]) if end > at + 1 else tuple(label)
    return _named(sentence, stems, value)


def _named(sentence: Sentence, stems: tuple[str, ...], value: str) -> Field | None:
    own = stems[1:] if len(stems) > 1 and stems[0] == "product" else stems
    if not own or not value:
        return None
    name = Name("", own, " ".join(own))
    return Field(sentence.evidence_id, (), (name,), (), (), value, wholes=_ANY)
