"""What evidence says against a claim that other evidence supports.

Two ways lead to it: the claim is held against everything that it is about, and everything is held against the field
that bears it, so that a rival in other words is seen as well.
"""

from collections.abc import Sequence

from veracord.gates import date, identifier, number, unit
from veracord.gates.claims import Reading
from veracord.gates.outcomes import GateOutcome
from veracord.gates.statements import Binding, BoundEvidence, Field, Sentence
from veracord.grounding.binding import is_of_other_product, is_same_thing
from veracord.grounding.contexts import LIMITED
from veracord.grounding.exclusions import exclude_each_other
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.part_numbers import part_numbers
from veracord.grounding.restatements import restating, told_of_another
from veracord.grounding.stated_texts import field_of

#: Reasons that show that another statement says something else, and not only more or less.
_CONTRADICTING = frozenset({"number_differs", "unit_differs", "identifier_differs", "date_differs", "differs"})
_VALUE_GATES = (number, unit, date, identifier)


class Rivals:
    """The rivals of a claim; what contradicts it is looked for once, however many statements bear it."""

    def __init__(
        self, claim: Reading, bindings: Sequence[Binding], pack: PackView, *, told: frozenset[str], is_asked: bool
    ) -> None:
        """Look for nothing yet.

        Args:
            claim: The claim.
            bindings: All statements that it may be about.
            pack: All evidence.
            told: Ids whose contradiction the answer itself tells.
            is_asked: Whether the question was about one product, so that a claim need not name it.
        """
        self._claim = claim
        self._bindings = bindings
        self._pack = pack
        self._told = told
        self._is_asked = is_asked
        self._known: dict[bool, Sequence[Binding]] = {}

    def of(self, chosen: Binding) -> tuple[Binding, ...]:
        """Return a statement about the same thing as the chosen one that says something else, if there is any.

        One is enough, and what the answer itself tells is none.
        """
        for other in self._differing(chosen):
            is_other = other is not chosen and other.statement.evidence_id not in self._told
            if is_other and _is_against(other, chosen):
                return (other,)
        bearing = chosen.statement if isinstance(chosen.statement, Field) else field_of(chosen.statement)
        restated = restating(bearing, self._pack) if bearing is not None else ()
        silent = next((one for one in restated if one.evidence_id not in self._told), None)
        return (Binding(statement=silent),) if silent is not None else ()

    def others(self, chosen: Binding) -> tuple[Binding, ...]:
        """Return what other products have for the same: a claim that names no product may mean theirs."""
        if chosen.is_named or self._is_asked:
            return ()
        found = tuple(other for other in self._differing(chosen) if is_of_other_product(chosen, other))
        if found or not isinstance(chosen.statement, Field) or chosen.statement.kind != "text":
            return found
        # A claim with the text of one field is never bound to another with another text.
        another = told_of_another(chosen.statement, self._pack)
        return (Binding(statement=another),) if another is not None else ()

    def _differing(self, chosen: Binding) -> Sequence[Binding]:
        """Return what says something else than the claim; the same for all fields that bear it, and all sentences."""
        is_field = isinstance(chosen.statement, Field)
        known = self._known.get(is_field)
        if known is None:
            known = self._known[is_field] = [
                other
                for other in self._bindings
                if _contradicts(self._claim, other, are_fields=is_field and isinstance(other.statement, Field))
            ]
        return known


def _is_against(other: Binding, chosen: Binding) -> bool:
    """Whether what says something else says it of the same thing."""
    if _is_same_sentence(chosen, other) or _names_another(chosen, other):
        return False
    return is_same_thing(chosen, other)


def _is_same_sentence(one: Binding, two: Binding) -> bool:
    """Whether two are clauses of one sentence, or one the whole of the other."""
    first, second = one.statement, two.statement
    if not isinstance(first, Sentence) or not isinstance(second, Sentence):
        return False
    return (first.evidence_id, first.span) == (second.evidence_id, second.span)


def _names_another(chosen: Binding, other: Binding) -> bool:
    """Whether a sentence names what the record that bears the claim is not: "The mass of B-7 is ..."."""
    field, sentence = chosen.statement, other.statement
    if not isinstance(field, Field) or not field.products or not isinstance(sentence, Sentence):
        return False
    said = {mention.text for mention, _ in other.said}
    named = {squash(one.text) for one, _ in other.held if one.kind == "identifier" and one.text not in said}
    return bool(named) and named.isdisjoint(map(squash, field.products))


def _contradicts(claim: Reading, other: Binding, *, are_fields: bool) -> bool:
    bound = BoundEvidence(binding=other)
    if not are_fields and identifier.check(claim, bound).outcome is GateOutcome.FAILED:
        # Another model, another product: not the same thing.
        return False
    if isinstance(other.statement, Sentence) and (
        other.statement.limit == LIMITED or _is_of_other_part(claim, other.statement)
    ):
        return False
    differs = any(gate.check(claim, bound).detail in _CONTRADICTING for gate in _VALUE_GATES)
    if are_fields:
        return differs
    said = [cue for cue, _ in other.said_cues if cue != "not"]
    held = [cue for cue, _ in other.held_cues if cue != "not"]
    if len(other.said_cues) != len(other.held_cues):
        # The same said once with a negation and once without; "not 6 kg" leaves room for 5 kg.
        return said == held and not differs
    excludes = _excludes(other)
    return (differs if excludes is None else excludes) and other.said_cues == other.held_cues


def _excludes(other: Binding) -> bool | None:
    """Whether the one value of a sentence leaves no room for that of the claim; None where there is not one of each.

    "More than 5 kg" leaves none for 5 kg, and "at most 10 kg" does.
    """
    if len(other.said) != 1 or len(other.held) != 1:
        return None
    if not other.said[0][0].kind == other.held[0][0].kind == "quantity":
        return None
    return exclude_each_other(other.said[0][0], other.held[0][0])


def _is_of_other_part(claim: Reading, sentence: Sentence) -> bool:
    said = part_numbers(claim.text, claim.shape.mentions)
    held = part_numbers(sentence.text, sentence.shape.mentions)
    return bool(said and held) and said != held
