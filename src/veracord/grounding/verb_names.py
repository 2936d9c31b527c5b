"""Names of fields that are verbs: ``replaces``, ``isPartOf``, ``suppliedTo``.

Such a field says subject, verb, object: what the record is about replaces its value.  A claim that has the value in
front of the verb, or the passive of it, turns that round, though it has the very same words.  Whether a name is a verb
or a noun ("supplies", "charges") its letters do not tell, so the claim is asked in which way it uses it.
"""

from typing import Final

from veracord.gates.statements import Field, Name
from veracord.grounding.claim_words import ClaimWords
from veracord.grounding.field_names import Label, runs_of
from veracord.grounding.part_values import has_date
from veracord.language.tokens import fold

#: A name that ends in one of these has its object behind it.
_LINKS: Final = frozenset(
    "by to from of on in into with without at for than as under over before after until via through against von aus in"
    " mit an auf für durch zu bei".split()
)
#: Between a noun and what it is of.
_OF: Final = frozenset({"of", "for", "von", "in", "to", "at", "on"})
_TIMES: Final = frozenset({"in", "on", "at", "from", "to"})
_AGENTS: Final = frozenset({"by", "durch"})
#: "Der Hersteller des Produkts": what follows is no object.
_GENITIVES: Final = frozenset({("des",), ("der",), ("dieses",), ("dieser",)})
_RELATIVE: Final = frozenset({"that", "which", "who"})
#: German verbs in the third person, most of which are the participle, too: "ersetzt".
_GERMAN: Final = frozenset(
    "ersetzt enthält benötigt braucht verwendet benutzt nutzt liefert lädt versorgt überschreitet übertrifft erfordert"
    " verkauft importiert exportiert prüft testet folgt steuert betreibt besitzt umfasst erfüllt ergänzt unterstützt"
    " produziert bezieht schützt".split()
)
_PARTICIPLES: Final = frozenset({"sold", "made", "built", "given", "lent", "sent", "bought", "taken"})


def is_turned_round(
    words: ClaimWords, field: Field, label: Label, places: frozenset[int], subject: frozenset[int]
) -> bool:
    """Whether a claim swaps what a field is said of with its value, or may do so.

    Args:
        places: Where the value stands.
        subject: Where the product stands.
    """
    if field.kind != "text" or not places or label.relation is not None:
        return False
    if label.name is not None and _is_turned(
        words, label.name, label.own, places, subject, is_dated=has_date(field.value)
    ):
        return True
    # "The model Old replaces P-1" of a model in an object "replaces".
    return any(
        _is_turned(words, name, own, places, subject, is_dated=True)
        for name in field.names[:-1]
        if _ends_open(name) or _is_third_person(fold(name.words))
        for own in runs_of(words, name, places)
        if label.used.issuperset(range(*own))
    )


def _is_turned(
    words: ClaimWords,
    name: Name,
    own: tuple[int, int],
    places: frozenset[int],
    subject: frozenset[int],
    *,
    is_dated: bool,
) -> bool:
    if _is_passive(words, name, own, places, is_dated=is_dated) or _lacks_copula(words, name, own, subject):
        return True
    if min(places) < own[0]:
        return _ends_open(name) or _takes_value_for_subject(words, own, places, subject)
    is_verb = _ends_open(name) or (_is_third_person(words.squashed[own[0]]) and "copula" not in words.kinds)
    return is_verb and any(at >= own[1] for at in subject) and (own[1] >= len(words.keys) or words.keys[own[1]] != "of")


def _takes_value_for_subject(
    words: ClaimWords, own: tuple[int, int], places: frozenset[int], subject: frozenset[int]
) -> bool:
    """Whether a value in front of a name is who does what the name says: "Orvo supplies P-1"."""
    last = max(at for at in places if at < own[0])
    has_copula = "copula" in words.kinds[last : own[0]]
    before, at = own[0] - 1, own[1]
    is_noun = has_copula and words.kinds[before] == "article" and words.squashed[before] not in _RELATIVE
    is_noun = is_noun and words.squashed[at : at + 1] in _GENITIVES
    if at < len(words.keys) and not is_noun and not (words.keys[at] in _OF or words.kinds[at] in ("copula", "cue")):
        while at < len(words.keys) and words.kinds[at] == "article":
            at += 1
        is_object = at > own[1] or at in subject or words.kinds[at] == "pronoun" or words.keys[at] == "product"
        if is_object:
            return True
    is_plain = (has_copula and words.squashed[before] not in _RELATIVE) or "have" in words.keys[: own[0]]
    return _is_third_person(words.squashed[own[0]]) and not is_plain


def _is_passive(words: ClaimWords, name: Name, own: tuple[int, int], places: frozenset[int], *, is_dated: bool) -> bool:
    """Whether a claim has the passive of what the name has as the active, or the other way round."""
    held = fold(name.words).split()
    first, at = words.squashed[own[0]], own[1]
    agents = {words.squashed[one] for one in (at, min(places) - 1) if 0 <= one < len(words.keys)} & _AGENTS
    if agents.difference(held):
        return True
    if any(words.squashed[one] in held for one in (own[:1] if _ends_open(name) else range(*own))):
        # German has one form for both: "ist durch P-0 ersetzt".
        return first in _GERMAN and "copula" in words.kinds
    if _ends_open(name):
        # "supplies to" of "suppliedTo".
        return bool(first) and not name.squashed.startswith(first) and _is_third_person(first)
    if "copula" not in words.kinds[: own[0]] or first.endswith("s"):
        return False
    if _is_third_person(held[0] if held else "") and not held[0].startswith(first):
        return True
    is_said = words.kinds[own[0] - 1] == "copula"
    is_tail = at < len(words.keys) and words.kinds[at] == "preposition" and words.keys[at] not in ("have", "of")
    return is_said and is_tail and not (is_dated and words.keys[at] in _TIMES)


def _lacks_copula(words: ClaimWords, name: Name, own: tuple[int, int], subject: frozenset[int]) -> bool:
    """Whether the product does itself what the name says is done with it: "P-1 sold to Orvo"."""
    first = words.squashed[own[0]]
    is_participle = first.endswith("ed") or first in _PARTICIPLES
    return is_participle and _ends_open(name) and words.keys[own[1] - 1] != "by" and own[0] - 1 in subject


def _is_third_person(form: str) -> bool:
    """Whether a name looks like "replaces"; "cells" looks so, too."""
    return form in _GERMAN or (form.endswith("s") and not form.endswith(("ss", "us", "is")))


def _ends_open(name: Name) -> bool:
    return not _LINKS.isdisjoint(fold(name.words).split()[-1:])
