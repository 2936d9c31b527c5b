"""What is said of a part, a value or a person is never held against the product.

"The casing of P-1 is steel and weighs 5 kg", "... is steel, weighing 5 kg", "... is steel. Its mass is 5 kg": the mass
is the casing's, and a record that has the mass of P-1 does not say so.  Each claim of such a sentence must be borne by
fields of what its subject names; else it is undecided.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from veracord.gates.statements import Field, Name
from veracord.grounding.field_names import name_variants
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.part_roles import Role
from veracord.grounding.sentence_subjects import Kind, KnownNames, Part, Subject, known_names, parts_said
from veracord.grounding.verdicts import SUPPORTED, UNDECIDED, ClaimVerdict

#: A thing that a sentence does not tell from the product.
_UNKNOWN: Final = Subject(Kind.THING)
#: "They" behind a sentence about one product.
_SEVERAL: Final = Subject(Kind.THING, is_plural=True)
#: Members that name another person, who may be "he" or "she".
_KIN: Final = frozenset(
    "spouse spouses partner partners children child parents parent father mother sibling siblings relatives family"
    " husband wife son daughter".split()
)
_PERSONAL: Final = re.compile(r"\b(?:he|she|his|hers?|him|herself|himself)\b", re.IGNORECASE)
_QUOTED: Final = re.compile(r"[\"“„«][^\"”“»]*[\"”“»]")
#: Kinds of records, and members that only the record of a person or an animal has.
_LIVING: Final = frozenset({"person", "hors", "horse", "racehors", "racehorse"})
_SIGNS: Final = frozenset(
    "born died birth death birthdate dateofbirth deathdate birthplace placeofbirth birthname spouse spouses children"
    " parents occupation occupations nationality gender sex sire dam foaled mother father firstname lastname surname"
    " almamater education residence restingplace yearsactive causeofdeath religion".split()
)


def with_shared_subjects(
    claims: Sequence[ClaimVerdict], sizes: Sequence[int], texts: Sequence[str], pack: PackView
) -> list[ClaimVerdict]:
    """Return the claims of an answer, those undecided that are said of another thing than their fields are of.

    Args:
        claims: The claims of the answer, in order.
        sizes: How many of them each sentence has.
        texts: The sentences.
    """
    names = known_names(pack)
    before: Subject | None = None
    others: list[Field] = []
    judged: list[ClaimVerdict] = []
    for size, text in zip(sizes, texts, strict=True):
        own = claims[len(judged) : len(judged) + size]
        fields = [one for claim in own if claim.verdict == SUPPORTED for one in _fields(claim)]
        shared, after = _shared_subjects(list(parts_said(text, names)), before)
        if len(own) == 1 and len(own[0].statements) == 1:
            # One statement explains every word of it, so nothing is shared but what stands before it.
            shared = [subject for subject in shared if subject is before or subject is _SEVERAL]
        before = after
        is_living = _is_said_of_living(text, fields, [*others, *(fields if size > 1 else ())], pack, names)
        judged += [_judged(claim, fields, shared, is_living=is_living) for claim in own]
        others = fields
    return judged


def _judged(
    claim: ClaimVerdict, beside: Sequence[Field], shared: Sequence[Subject], *, is_living: bool
) -> ClaimVerdict:
    own = _fields(claim)
    is_sound = all(_belongs(field, subject, beside) for subject in shared for field in own) and (is_living or not own)
    return claim if claim.verdict != SUPPORTED or is_sound else replace(claim, verdict=UNDECIDED)


def _fields(claim: ClaimVerdict) -> list[Field]:
    return [one for one in claim.statements if isinstance(one, Field)]


def _shared_subjects(parts: Sequence[Part], before: Subject | None) -> tuple[list[Subject], Subject | None]:
    """Return the subjects other than the product of which something more is said, and that of the first predicate."""
    shared: list[Subject] = []
    now = before
    if parts and parts[0].subject is None:
        # "Made of steel, the casing weighs 5 kg": what stands in front is said of what follows.
        now = next((part.subject for part in parts if part.subject is not None and not part.subject.leans), before)
    first: Subject | None = None
    for at, part in enumerate(parts):
        own = part.subject
        if part.is_relative and at and parts[at - 1].has_verb and not parts[at - 1].says_sort:
            shared.append(_UNKNOWN)
            continue
        if own is None:
            shared += [now] if now is not None and now.kind is not Kind.PRODUCT else []
            continue
        leans = _leans_on(own, now, is_first=not at)
        if leans and now is not None:
            shared.append(_SEVERAL if own.is_plural and now.kind is Kind.PRODUCT else now)
        if not leans or own.kind is Kind.THING:
            now = own
        first = first or now
    return shared, first or now


def _leans_on(own: Subject, now: Subject | None, *, is_first: bool) -> bool:
    """Whether something is said of what stands before it, and that is no product: "its mass", and "the mass"."""
    if now is not None and own.is_plural:
        return True
    if now is None or now.kind in (Kind.PRODUCT, Kind.VALUE):
        return False
    if own.leans:
        return True
    return own.kind is Kind.VALUE and not own.is_named and not is_first and now.kind is Kind.THING


def _belongs(field: Field, subject: Subject, beside: Sequence[Field]) -> bool:
    """Whether a field is of what a subject names: it stands in its object, or is the value that the subject is."""
    if subject.kind is Kind.ANYBODY:
        # "Someone wrote and edited it": who did one thing did the other.
        return any(one.names[-1:] != field.names[-1:] and one.value == field.value for one in beside)
    if subject.is_plural and not subject.words:
        return False
    if not subject.words and len({one.path[:-1] if one.is_list_item else one.path for one in beside}) == 1:
        # All that is said is one field.
        return True
    parts = {name.squashed for one in beside for name in _parts_of(one) if _says(subject, name.stems, name.squashed)}
    if parts:
        return any(name.squashed in parts for name in _parts_of(field))
    own = [*(names[-1] for names in name_variants(field)), *field.aliases, *((field.short,) if field.short else ())]
    return (
        any(_says(subject, name.stems, name.squashed) for name in own)
        or any(_says_text(subject, row) for row in field.row)
        or _says_text(subject, field.value)
    )


def _parts_of(field: Field) -> list[Name]:
    return [
        name
        for at, (name, role) in enumerate(zip(field.names, field.roles, strict=False))
        if role != Role.OWN and at not in field.row_places
    ]


def _says(subject: Subject, stems: Sequence[str], squashed: str) -> bool:
    return bool(stems) and (set(stems) <= subject.words or squashed in subject.words)


def _says_text(subject: Subject, text: str) -> bool:
    pieces = {squash(piece) for piece in text.split()} - {""}
    return bool(pieces) and pieces <= subject.words


def _is_said_of_living(
    text: str, fields: Sequence[Field], before: Sequence[Field], pack: PackView, names: KnownNames
) -> bool:
    """Whether a sentence that speaks of "he" or "she" is borne by records of persons alone, and no other is told of."""
    if _PERSONAL.search(text) is None:
        return True
    plain = _QUOTED.sub(" ", text)
    for said in (*names.products, *(field.value for field in fields)):
        plain = plain.replace(said, " ")
    if _PERSONAL.search(plain) is None:
        return True
    is_one = not any(field.names and field.names[-1].squashed in _KIN for field in before)
    return is_one and all(_is_living(field, pack) for field in fields)


def _is_living(field: Field, pack: PackView) -> bool:
    if field.about is not None and not _LIVING.isdisjoint(field.about.kinds):
        return True
    top = field.path[:1] if len(field.path) > 1 else ()
    return any(
        other.names[-1].squashed in _SIGNS or (len(other.names) > 1 and other.names[0].squashed in _SIGNS)
        for other in pack.items[field.evidence_id].fields
        if other.names and (other.path[:1] == top or len(other.names) == 1 or not top)
    )
