"""Stems of words: plural, case and verb forms of one word meet, and different words stay apart.

Only inflection is undone, no derivation: `relation` and `relative` never meet, as they would in the Snowball
stemmers.  A word with a digit is an identifier and stays as it is.
"""

from functools import lru_cache
from typing import Final

from veracord.language.tokens import fold

#: Forms that no rule reaches, and words that only look inflected.
_IRREGULAR: Final = dict(
    pair.split("=")
    for pair in (
        "made=make has=have had=have having=have is=be are=be was=be were=be been=be being=be am=be "
        "does=do did=do done=do doing=do goes=go went=go gone=go held=hold built=build kept=keep "
        "given=give gave=give taken=take took=take written=write wrote=write known=know knew=know "
        "shown=show found=find sold=sell bought=buy brought=bring left=leave lost=lose "
        "sent=send spent=spend came=come ran=run rose=rise risen=rise fell=fall fallen=fall grew=grow grown=grow "
        "used=use using=use uses=use men=man women=woman people=person children=child feet=foot "
        "series=series species=species gas=gas gases=gas lens=lens lenses=lens bus=bus buses=bus this=this "
        "its=its his=his always=always plus=plus bias=bias news=news during=during nothing=nothing "
        "something=something anything=anything thing=thing things=thing string=string strings=string "
        "ring=ring rings=ring spring=spring springs=spring bring=bring king=king need=need seed=seed seeds=seed "
        "speed=speed speeds=speed feed=feed indeed=indeed hundred=hundred red=red bed=bed exceed=exceed "
        "exceeds=exceed exceeded=exceed analyses=analysis bases=base axes=axis indices=index matrices=matrix"
    ).split()
)
_VOWELS: Final = frozenset("aeiouy")
_SHORTEST: Final = 3
_HISSING: Final = ("sses", "xes", "ches", "shes", "zzes")
_GERMAN_ENDINGS: Final = ("ern", "em", "en", "er", "es", "st", "e", "n", "s", "t")
_GERMAN_SHORTEST: Final = 4
_UMLAUTS: Final = str.maketrans("äöü", "aou")
_GERMAN_IRREGULAR: Final = {
    "ist": "sein", "sind": "sein", "war": "sein", "waren": "sein", "hat": "haben", "hatte": "haben",
    "haben": "haben",
    "enthält": "enthalten", "enthalten": "enthalten", "enthielt": "enthalten", "hält": "halten",
    "wird": "werden", "werden": "werden", "wurde": "werden", "wurden": "werden",
}  # fmt: skip


@lru_cache(maxsize=16384)
def stem(word: str, language: str = "en") -> str:
    """Return the stem of a word, folded; `language` is "en" or "de", any other is read as "en"."""
    word = fold(word)
    if any(map(str.isdigit, word)):
        return word
    return _german(word) if language == "de" else _english(word)


def _english(word: str) -> str:
    for possessive in ("'s", "’s"):
        word = word.removesuffix(possessive)
    if word in _IRREGULAR:
        return _without_e(_IRREGULAR[word])
    if len(word) <= _SHORTEST:
        return word
    return _without_e(_without_verb_ending(_singular(word)))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith(_HISSING):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_verb_ending(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest == word or len(rest) < _SHORTEST or not _VOWELS.intersection(rest):
            continue
        doubled = rest[-1] == rest[-2] and rest[-1] not in "aeioulsz"
        return rest[:-1] if doubled else rest
    return word


def _without_e(word: str) -> str:
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST else word


def _german(word: str) -> str:
    if word in _GERMAN_IRREGULAR:
        return _GERMAN_IRREGULAR[word]
    word = word.translate(_UMLAUTS)
    for ending in _GERMAN_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _GERMAN_SHORTEST:
            return word.removesuffix(ending)
    return word
