"""Sentences of the evidence that take from a claim what a rule has found, in words that no field is restated in.

A rule goes from "DE" to "from the EU", and from "64% steel" to "mostly steel"; what says "not from Europe" or "mostly
glass" of the same thing says neither "DE" nor "steel".  So what speaks of the origin, or of the most of it, is held
against the claim, and where it does not plainly agree nothing follows.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.claims import Reading
from veracord.gates.mentions import mentions_of
from veracord.gates.statements import Field
from veracord.grounding.countries import Country, found_country
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.restatements import restating
from veracord.grounding.support import Judgement
from veracord.grounding.told_countries import told_country

_LONGEST: Final = 400
_MADE: Final = r"(?:made|manufactured|produced|built|assembled|sourced)"
#: "is (not) from Germany", "comes from China", "was made in Germany".
_ORIGIN: Final = re.compile(
    rf"(?P<verb>\b(?:is|are|was|were|comes?|came|originates?|originated|stems?)(?:n['’]t)?) (?P<not>(?:not|never) )?"
    rf"(?:(?:\w+ly|now|still|also) )?(?:(?:{_MADE} )?from|{_MADE} in) (?:the )?(?P<place>[^.,;:()]{{2,60}})",
    re.IGNORECASE,
)
_MOST: Final = re.compile(
    r"\b(?:mostly|mainly|largely|primarily|predominantly|chiefly|principally)\b(?P<what>[^.;:()]{2,120})", re.IGNORECASE
)
#: "consists of glass", "is made of glass", "the main material is glass".
_WHOLE: Final = re.compile(
    r"\b(?:made (?:up )?(?:of|from)|consists? of|composed of|main (?:\w+ ){1,2}(?:of [^.;:()]{1,60} )?is)\b"
    r"(?P<what>[^.;:()]{2,120})",
    re.IGNORECASE,
)
_WHOLES: Final = tuple(
    dict.fromkeys(
        key for word in ("made", "consists", "consist", "composed", "main") for key in (word, classify_word(word)[1])
    )
)
_ADVERBS: Final = ("mostly", "mainly", "largely", "primarily", "predominantly", "chiefly", "principally")
_ORIGINS: Final = ("from", "in")
_GENERAL: Final = re.compile(r"\W*(?:it|this|the (?:product|article|item|device|whole))\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+")
_CARRYING: Final = frozenset("is are was were made of consists consist composed the a an from".split())


def is_told_otherwise(claim: Reading, judgement: Judgement, pack: PackView, told: Collection[str] = ()) -> bool:
    """Whether evidence says something else of what a rule rests on, in whatever item.

    Args:
        told: Ids whose contradiction the answer itself tells.
    """
    fields = [one for one in judgement.statements if isinstance(one, Field)]
    if any(other.evidence_id not in told for field in fields for other in restating(field, pack)):
        return True
    return is_of_other_origin(claim, fields, pack, told) or _is_mostly_other(claim, fields, pack, told)


def is_of_other_origin(claim: Reading, fields: Collection[Field], pack: PackView, told: Collection[str] = ()) -> bool:
    """Whether a sentence says that the thing of a claim is from elsewhere, or not from there."""
    countries = [found[1] for field in fields if (found := told_country(field)) is not None]
    said = _ORIGIN.search(claim.text)
    named = found_country(said["place"].strip()) if said is not None else None
    countries += [named] if named is not None and said is not None and not said["not"] else []
    if not countries:
        return False
    texts = _sentences(_ORIGINS, claim, fields, pack, told)
    return any(_is_elsewhere(match, countries) for text in texts for match in _ORIGIN.finditer(text))


def _is_elsewhere(match: re.Match[str], countries: Collection[Country]) -> bool:
    other = found_country(match["place"].strip())
    is_there = other is not None and other in countries
    if match["not"] is not None or match["verb"].lower().endswith(("n't", "n’t")):
        return other is None or is_there
    return other is not None and not is_there


def _is_mostly_other(claim: Reading, fields: Collection[Field], pack: PackView, told: Collection[str]) -> bool:
    said = _MOST.search(claim.text)
    if said is None:
        return False
    own = _content(said["what"])
    return any(
        any(_content(match["what"]) != own for match in _MOST.finditer(text))
        or any(not own <= _content(match["what"]) for match in _WHOLE.finditer(text))
        for text in _sentences((*_ADVERBS, *_WHOLES), claim, fields, pack, told)
    )


def _content(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text)) - _CARRYING


def _sentences(
    keys: Collection[str], claim: Reading, fields: Collection[Field], pack: PackView, told: Collection[str]
) -> Iterator[str]:
    """Yield the sentences with one of some words that may be about the thing of a claim."""
    own = {squash(product) for field in fields for product in field.products}
    own |= {squash(one.text) for one in mentions_of(claim.text) if one.kind == "identifier"}
    for evidence_id, item in pack.items.items():
        for view in item.prose if evidence_id not in told else ():
            for number in sorted({number for key in keys for number in view.numbers_of(key)}):
                start, end = view.spans[number]
                text = view.text[start:end]
                if end - start <= _LONGEST and view.may_contradict(number) and _may_be_of(text, own):
                    yield text


def _may_be_of(text: str, own: Collection[str]) -> bool:
    """Whether a sentence names the thing, or nothing that has a name of its own."""
    codes = {squash(one.text) for one in mentions_of(text) if one.kind == "identifier"}
    squashed = squash(text)
    if codes.intersection(own) or any(name and squashed.startswith(name) for name in own):
        return True
    is_general = _GENERAL.match(text)
    return not codes and is_general is not None
