"""A list of a record is the whole of it: "The colours are red" is not what ``{"colours": ["red", "blue"]}`` says.

Supported: "The colours are red and blue", "The colours include red", "It was directed by Ada Berg" of two directors.
Not: a claim that sets the field equal to some of its values, where the answer does not tell the others.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from veracord.gates.statements import Field
from veracord.grounding.claim_words import ClaimWords, literal_spans, words_of
from veracord.grounding.field_names import name_variants, runs_of
from veracord.grounding.lists_told import lists_unlike
from veracord.grounding.packs import PackView
from veracord.grounding.part_values import parts_of_value
from veracord.grounding.several_countries import leaves_out_country
from veracord.grounding.substitution import values_beside
from veracord.grounding.verdicts import SUPPORTED, UNDECIDED, ClaimVerdict

#: Words that say that there may be more.
_INCLUDING: Final = frozenset(
    "includ one among some also another einige unter anderem auch example instance partly teilweise".split()
)

#: Words in front of the name of what there is one of.
_DEFINITE: Final = frozenset("the its his her their only sole der die das dem den sein seine ihr ihre einzige".split())
#: What "is red" and "is made of steel" say all of.
_EXHAUSTIVE: Final = frozenset({"colour", "color", "material", "farbe"})


def with_whole_lists(claims: Sequence[ClaimVerdict], answer: str, pack: PackView) -> list[ClaimVerdict]:
    """Return the claims of an answer, those undecided that give some values of a list for all of them.

    Args:
        answer: The answer without markers.
    """
    return [
        replace(claim, verdict=UNDECIDED) if claim.verdict == SUPPORTED and _leaves_out(claim, answer, pack) else claim
        for claim in claims
    ]


def _leaves_out(claim: ClaimVerdict, answer: str, pack: PackView) -> bool:
    if any(isinstance(one, Field) and leaves_out_country(answer, one, pack) for one in claim.statements):
        return True
    lists = {
        (one.evidence_id, one.path[:-1]): one
        for one in claim.statements
        if isinstance(one, Field) and one.is_list_item and one.list_size > 1
    }
    if not lists:
        return False
    words = words_of(claim.text)
    return any(
        (_equates(words, field) and (_tells_some(answer, field, pack) or lists_unlike(field, pack)))
        or (_tells_none(claim.text, field, pack) and lists_unlike(field, pack))
        for field in lists.values()
    )


def _tells_none(text: str, field: Field, pack: PackView) -> bool:
    """Whether a claim tells no value of a list, and so can only say how long it is, or what all of it is."""
    return not any(_is_told(text, one.value) for one in values_beside(field, pack))


def _equates(words: ClaimWords, field: Field) -> bool:
    """Whether a claim says that the field is its values, and not only that they are among them."""
    if _INCLUDING.intersection(words.keys):
        return False
    if field.names[-1].squashed.removesuffix("s") in _EXHAUSTIVE and "copula" in words.kinds:
        return True
    for names in name_variants(field):
        for start, end in runs_of(words, names[-1], ()):
            if _is_definite(words, start):
                return True
            is_label = words.text[words.spans[end - 1][1] :].lstrip().startswith(":")
            if is_label or any(kind == "copula" for kind in words.kinds[end:]):
                return True
    return False


def _is_definite(words: ClaimWords, start: int) -> bool:
    """Whether the name of a field is told as the one that something is: "Beta is the distributor", "has the"."""
    before = words.squashed[start - 1] if start else ""
    is_told = any(kind == "copula" or key == "have" for kind, key in zip(words.kinds[:start], words.keys, strict=False))
    return is_told and start > 1 and before in _DEFINITE


def _tells_some(answer: str, field: Field, pack: PackView) -> bool:
    told = [_is_told(answer, one.value) for one in values_beside(field, pack)]
    return any(told) and not all(told)


def _is_told(answer: str, value: str) -> bool:
    return any(literal_spans(answer, part, exact=False) for part in (value.strip().rstrip("."), *parts_of_value(value)))
