"""A claim with the record's own value in the place of what it says of that value.

The principle of all rules that go beyond one stated value: "The mass is more than 4 kg" holds of a record exactly if
"The mass is 5 kg" is supported by it, through every gate, and 5 kg is more than 4 kg.  So no rule reads evidence on its
own: what the verifier does not support word by word, no rule can.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from veracord.gates.claims import Claim, Reading, read_claim
from veracord.gates.outcomes import GateOutcome, GateResult
from veracord.gates.statements import Field, Standing, Statement
from veracord.grounding.claim_words import ClaimWords, words_of
from veracord.grounding.field_names import asked_keys, name_variants
from veracord.grounding.packs import PackView
from veracord.grounding.relations import relations_of
from veracord.grounding.support import SUPPORTED, Judgement, judge

Span = tuple[int, int]

#: A claim that could be about more fields than this is about none of them in particular.
_MOST_FIELDS: Final = 12
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class Stated:
    """A field, and the judgement of the claim that states its value.

    Attributes:
        field: The field.
        judgement: What the verifier says of that claim; always supported.
    """

    field: Field
    judgement: Judgement


def reworded(claim: Reading, text: str) -> Reading:
    """Return another text as a claim with the same citations and the same way to write numbers."""
    return read_claim(Claim(text, claim.claim.spans, claim.claim.evidence_ids), claim.locale)


def fields_asked(claim: Reading, text: str, pack: PackView) -> list[Field]:
    """Return the fields of the cited evidence that a text could be about; none where there are too many.

    Of a list one value stands for all: a rule holds for the whole list, or not at all.
    """
    if len(text) > _LONGEST:
        return []
    words = words_of(text)
    found: dict[object, Field] = {}
    for key in asked_keys(words):
        for field in pack.fields_by_word.get(key, ()):
            if field.evidence_id in claim.claim.evidence_ids and _is_named(field, words):
                place = field.path[:-1] if field.is_list_item else field.path
                found.setdefault((field.evidence_id, place), field)
    return list(found.values()) if len(found) <= _MOST_FIELDS else []


def _is_named(field: Field, words: ClaimWords) -> bool:
    """Whether all words of a name of a field, or of a verb that stands for it, stand in a claim: a quick look."""
    keys = {*words.keys, *words.squashed}
    names = [*(names[-1] for names in name_variants(field)), *field.aliases]
    if any(name.squashed in words.joined or keys.issuperset(name.stems) for name in names):
        return True
    return any(keys.issuperset(relation.keys) for relation in relations_of(field.names[-1]))


def stating(claim: Reading, texts: Iterable[str], field: Field, pack: PackView) -> Stated | None:
    """Return that one of the texts is supported by a field, or None."""
    for text in texts:
        found = judge(reworded(claim, text), pack)
        if found.verdict == SUPPORTED and any(one is field for one in found.statements):
            return Stated(field, found)
    return None


def values_beside(field: Field, pack: PackView) -> Iterator[Field]:
    """Yield all values of the list that a field is one of, or the field alone."""
    if not field.is_list_item:
        yield field
        return
    for other in pack.items[field.evidence_id].fields:
        if other.path[:-1] == field.path[:-1] and other.standing is Standing.EVIDENCE:
            yield other


def supported_by(*found: Judgement) -> Judgement:
    """Return the judgement of a claim that several supported ones bear; a gate that one of them passed is passed."""
    gates: dict[str, GateResult] = {}
    statements: list[Statement] = []
    for one in found:
        for gate in one.gates:
            if gate.gate not in gates or gate.outcome is GateOutcome.PASSED:
                gates[gate.gate] = gate
        statements += [statement for statement in one.statements if not any(statement is held for held in statements)]
    return Judgement(SUPPORTED, tuple(gates.values()), tuple(statements))
