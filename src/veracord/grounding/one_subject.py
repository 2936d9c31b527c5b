"""Claims that are each supported, and yet say something together that nothing supports.

"The mass of A is 5 kg [e1]. Its colour is red [e2]" takes the colour of another product for A's, and "The colours are
red" one of two colours for all.  What a claim leaves unsaid is what the claims beside it are about; where that is
another product, or another part, the claim fails the gate `product`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from veracord.gates.outcomes import GateOutcome, GateResult, failed
from veracord.gates.product import LEANING
from veracord.gates.statements import Field
from veracord.grounding.claim_words import ClaimWords, product_spans, words_of
from veracord.grounding.limits_beside import VALUE_NAMES
from veracord.grounding.names import squash
from veracord.grounding.part_roles import Role, is_inner
from veracord.grounding.pronouns import leans_back
from veracord.grounding.verdicts import SUPPORTED, UNSUPPORTED, ClaimVerdict

Place = tuple[str | int, ...]

_GATE: Final = "product"


@dataclass(frozen=True, slots=True)
class _Said:
    """What a supported claim is about.

    Attributes:
        claim: The claim.
        sentence: Which sentence of the answer it stands in.
        fields: The fields that bear it.
        words: Its words.
        products: What identifies each of the products that these fields are about.
        is_named: Whether it names each of them.
    """

    claim: ClaimVerdict
    sentence: int
    fields: tuple[Field, ...]
    words: ClaimWords
    products: tuple[frozenset[str], ...]
    is_named: bool

    @property
    def has_pronoun(self) -> bool:
        """Whether it leaves to what stands before it what it is about."""
        return leans_back(self.claim.text)


def with_one_subject(sentences: Sequence[Sequence[ClaimVerdict]]) -> list[ClaimVerdict]:
    """Return the claims of an answer, those failed that are about another thing than they seem to be.

    Args:
        sentences: The claims of each sentence, in order.
    """
    said = [_said(claim, at) for at, claims in enumerate(sentences) for claim in claims]
    products = _groups([one for each in said for one in each.products])
    parts: list[set[Place]] = [set() for _ in sentences]
    for one in said:
        parts[one.sentence].update(map(_part_of, one.fields))
    found: list[ClaimVerdict] = []
    before: _Said | None = None
    for one in said:
        if before is not None and before.sentence < one.sentence - 1:
            before = None
        reason = _reason(one, before, parts[one.sentence], is_one=len(products) < 2)  # noqa: PLR2004 - two products
        before = None if reason else one
        found.append(_failed(one.claim, reason) if reason else one.claim)
    return found


def _reason(one: _Said, before: _Said | None, parts: set[Place], *, is_one: bool) -> str:
    """Return why a claim is about another thing than it seems, as a code, or nothing.

    Args:
        before: The claim before it, where it is sound.
        parts: What the claims of its sentence are about.
        is_one: Whether the answer is about one product.
    """
    if not one.fields:
        return ""
    leans = any(gate.detail == LEANING for gate in one.claim.gates)
    if (leans or not is_one) and not _is_told_apart(one, before):
        return "ambiguous_product"
    return "" if _is_of_one_part(one, before, parts) else "ambiguous_part"


def _said(claim: ClaimVerdict, sentence: int) -> _Said:
    is_supported = claim.verdict == SUPPORTED
    fields = tuple(one for one in claim.statements if isinstance(one, Field)) if is_supported else ()
    groups = _groups([_identities(field) for field in fields if field.products])
    is_named = all(any(_names(claim.text, name) for name in _spellings(fields, group)) for group in groups)
    return _Said(claim, sentence, fields, words_of(claim.text), tuple(groups), is_named)


def _identities(field: Field) -> frozenset[str]:
    return frozenset(squash(product) or product for product in field.products)


def _spellings(fields: Sequence[Field], group: frozenset[str]) -> list[str]:
    return [product for field in fields for product in field.products if (squash(product) or product) in group]


def _names(text: str, product: str) -> bool:
    bare = product.partition(" (")[0]
    return any(product_spans(text, name) for name in (product, bare) if name)


def _groups(found: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Join the identities that have one in common."""
    groups: list[frozenset[str]] = []
    for one in found:
        joined = one
        for group in [group for group in groups if group & joined]:
            groups.remove(group)
            joined |= group
        groups.append(joined)
    return groups


def _is_told_apart(one: _Said, before: _Said | None) -> bool:
    """Whether a claim of an answer about several products says which it is about, itself or by a pronoun."""
    if not one.products or one.is_named:
        return True
    if len(one.products) > 1 or not one.has_pronoun or before is None:
        return False
    return len(before.products) == 1 and bool(before.products[0] & one.products[0])


def _is_of_one_part(one: _Said, before: _Said | None, beside: set[Place]) -> bool:
    """Whether what a claim leaves unsaid is the part that the claims beside it are about."""
    parts = {_part_of(field) for field in one.fields}
    is_said = all(_is_said(one.words, field) for field in one.fields)
    if one.has_pronoun:
        # "It" is what the claim before is about; of a text nobody can tell.
        held = {_part_of(field) for field in before.fields} if before is not None else set()
        return parts <= held or (is_said and (not held or all(parts)))
    return is_said or beside <= parts


def _part_of(field: Field) -> Place:
    """Return the item and the innermost object of it around a field that is a thing of its own; nothing for none."""
    last = _last_part(field)
    if last is None:
        return ()
    path: list[str | int] = [field.evidence_id]
    names = 0
    for step in field.path:
        names += isinstance(step, str)
        if names > last + 1:
            break
        path.append(step)
    return tuple(path)


def _last_part(field: Field) -> int | None:
    """Return which name above a field is of the innermost part; the name of a part is told of what has the part."""
    count = len(field.roles)
    if field.names and field.names[-1].squashed in VALUE_NAMES | {"name"}:
        count -= 1
    parts = [at for at in range(count) if field.roles[at] != Role.OWN and not is_inner(field.names[at])]
    return parts[-1] if parts else None


def _is_said(words: ClaimWords, field: Field) -> bool:
    """Whether a claim names the part that a field is of, or the row."""
    last = _last_part(field)
    if last is None or last in field.row_places:
        return True
    name = field.names[last]
    return set(name.stems) <= set(words.keys) or name.squashed in words.joined


def _failed(claim: ClaimVerdict, reason: str) -> ClaimVerdict:
    result: GateResult = failed(_GATE, reason)
    gates = tuple(result if gate.gate == _GATE else gate for gate in claim.gates)
    if not any(gate.outcome is GateOutcome.FAILED for gate in gates):
        gates = (*gates, result)
    return replace(claim, verdict=UNSUPPORTED, gates=gates)
