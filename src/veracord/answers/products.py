"""Evidence narrowed to one product: what is about another one never enters an answer, nor a prompt.

With identity keys in the profile, the product and its sources are matched as a repair matches them.  Without, members
named like productId, gtin, serialNumber and passportIdentifier say which product an item is about: two items are about
the same product if they agree in one of them and differ in none.

Source: answers.md sections 3 and 5; records.md section 3.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from veracord.answers.codes import AbstentionCode
from veracord.answers.owners import IDENTIFYING
from veracord.answers.questions import names_in
from veracord.grounding.claim_words import literal_spans
from veracord.grounding.packs import EvidenceView, Labels, PackView, view_item
from veracord.grounding.records import fields_of
from veracord.records.evidence import EvidenceItem, EvidencePack
from veracord.records.identity import Identity
from veracord.records.matching import EvidenceIndex
from veracord.records.pointers import get
from veracord.records.structured_texts import structured_pack
from veracord.records.values import JsonObject

#: A member further down identifies a part.
_DEEPEST: Final = 3

#: An identifier that a question gives to a product, known to the evidence or not.
_GIVEN: Final = re.compile(
    r"\b(?:product|produkt|item|battery|pack|gtin|serial(?:[ -]?(?:number|no))?|number|identifier|id|seriennummer)"
    r"[ .:#]{1,3}(?:(?:number|no|id|nr|with|is)[ .:#]{1,3}){0,2}['\"]?([\w.:/#-]{0,80}\d[\w.:/#-]{0,80})",
    re.IGNORECASE,
)

#: What a question may call a product: a single capital, or letters with digits.
_OF_ONE: Final = re.compile(
    r"\b(?:of|for|is|was|are|does|did|has|have|made|weigh|and|or|von|für|ist|hat|wiegt|und)\s+"
    r"([B-HJ-Z](?!['’\w-])|(?=[\w.:/#-]*[A-Za-z])(?=[\w.:/#-]*\d)\w[\w.:/#-]{1,80})"
)
_STOPS: Final = ".:/-#"

#: The identifiers of an item: by member, what it says.
Identifiers = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The evidence about the product that was asked about.

    Attributes:
        items: The items, by id.
        inside: They, viewed.
        outside: The views of all others.
        names: Identifiers of products in all evidence, as it writes them.
        naming: Words of the names of their members.
        product: The identifier that the question names, if it names one.
        problem: Why there is nothing to answer from, or None.
    """

    items: tuple[EvidenceItem, ...]
    inside: PackView
    outside: PackView
    names: tuple[str, ...] = ()
    naming: frozenset[str] = frozenset()
    product: str | None = None
    problem: AbstentionCode | None = None


def narrow(
    question: str, pack: EvidencePack, product: JsonObject | None, identity: Identity, labels: Labels | None = None
) -> Narrowed:
    """Narrow evidence to a product.

    Args:
        question: The question, cleaned; it may name the product by its identifier.
        pack: All evidence.
        product: A record that says which product is meant, or None.
        identity: The identity keys of the profile; none: members are known by their names.
        labels: What a person calls the fields.
    """
    views = {item.id: view_item(item, labels) for item in pack.items}
    told = {item_id: identifiers_of(view) for item_id, view in views.items()}
    if identity.keys:
        told |= _by_profile(pack, identity)
    names, naming = _names(told)
    found = names_in(question, names)
    named = max(found, key=len, default=None)
    kept, problem = _kept(pack, views, told, _Asked(question, product, named, identity))
    if problem is None and _are_several(found, told):
        kept, problem = set(), AbstentionCode.AMBIGUOUS_PRODUCT
    return Narrowed(
        items=tuple(item for item in pack.items if item.id in kept),
        inside=PackView({item_id: view for item_id, view in views.items() if item_id in kept}),
        outside=PackView({item_id: view for item_id, view in views.items() if item_id not in kept}),
        names=names,
        naming=naming,
        product=named,
        problem=problem,
    )


def identifiers_of(view: EvidenceView) -> Identifiers:
    """Return what identifies the product that a whole item is about."""
    found: dict[str, set[str]] = {}
    for field in view.fields:
        is_own = len(field.path) <= _DEEPEST and not any(isinstance(step, int) for step in field.path)
        # `productId`, and `id` of `product`.
        names = [field.names[-1].squashed, "".join(name.squashed for name in field.names[-2:])] if field.names else []
        name = next((name for name in names if name.endswith(IDENTIFYING)), None)
        if is_own and name is not None and field.value.strip():
            found.setdefault(name, set()).add(field.value.strip())
    return {name: frozenset(values) for name, values in found.items()}


def without_unknown_products(question: str, names: Iterable[str]) -> str | None:
    """Return a question without what it calls a product that no evidence is about; None where it names none."""
    known = set(names)
    spans = [found.span(1) for found in _OF_ONE.finditer(question) if found[1].rstrip(_STOPS) not in known]
    for start, end in reversed(spans):
        question = f"{question[:start]} {question[end:]}"
    return question if spans else None


def _are_several(named: Iterable[str], told: Mapping[str, Identifiers]) -> bool:
    """Whether identifiers that a question names are those of more than one product."""
    groups = _groups(told)
    about = {number for name in named for number, group in enumerate(groups) if any(_has(told[i], name) for i in group)}
    return len(about) > 1 and not any(
        all(any(_has(told[i], name) for i in groups[number]) for name in named) for number in about
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """Which product was asked about."""

    question: str
    product: JsonObject | None
    named: str | None
    identity: Identity


def _kept(
    pack: EvidencePack, views: Mapping[str, EvidenceView], told: Mapping[str, Identifiers], asked: _Asked
) -> tuple[set[str], AbstentionCode | None]:
    """Return the ids of the items that are about the product, and why there are none."""
    if not pack.items:
        return set(), AbstentionCode.NO_EVIDENCE
    if asked.named is None and _names_another(asked.question, told):
        return set(), AbstentionCode.OTHER_PRODUCT
    if asked.product is None and asked.named is None:
        about, problem = _only_product(told)
        known = {value for own in told.values() for values in own.values() for value in values}
        if problem is not None and without_unknown_products(asked.question, known) is not None:
            problem = AbstentionCode.OTHER_PRODUCT
        return about, problem
    if asked.product is not None:
        about = _about_record(pack, told, asked)
    else:
        about = _joined([item_id for item_id, own in told.items() if _has(own, asked.named)], told)
    if asked.named is not None and not any(_has(told[item_id], asked.named) for item_id in about):
        return set(), AbstentionCode.OTHER_PRODUCT
    about |= _texts_about(views, told, about)
    return about, None if about else AbstentionCode.NO_EVIDENCE


def _only_product(told: Mapping[str, Identifiers]) -> tuple[set[str], AbstentionCode | None]:
    """Return the evidence where nobody says which product is meant: all of it, if it is about one."""
    groups = _groups(told)
    if len(groups) > 1:
        return set(), AbstentionCode.AMBIGUOUS_PRODUCT
    unnamed = {item_id for item_id, own in told.items() if not own}
    return (groups[0] if groups else set()) | unnamed, None


def _names_another(question: str, told: Mapping[str, Identifiers]) -> bool:
    """Whether a question gives an identifier to its product, and all evidence that names products names others."""
    known = {value for own in told.values() for values in own.values() for value in values}
    given = {found[1].rstrip(_STOPS) for found in _GIVEN.finditer(question)}
    return bool(known) and bool(given - known)


def _about_record(pack: EvidencePack, told: Mapping[str, Identifiers], asked: _Asked) -> set[str]:
    """Return the structured items about the product of a record."""
    assert asked.product is not None  # noqa: S101 - asked only then
    if asked.identity.keys:
        index = EvidenceIndex(structured_pack(pack), asked.identity)
        match = index.match(asked.product, ())
        unusable = {item_id for item_id, reason in match.reasons.items() if reason.value != "self"}
        own = {source.evidence_id for source in match.sources} | set(match.reasons)
        return own - unusable
    record = identifiers_of(EvidenceView("", tuple(fields_of("", asked.product))))
    return _joined([item_id for item_id, own in told.items() if _agree(record, own)], told, record)


def _by_profile(pack: EvidencePack, identity: Identity) -> dict[str, Identifiers]:
    """Return the identifiers of items where a profile says where they stand: those of its strongest complete key."""
    found: dict[str, Identifiers] = {}
    for item in structured_pack(pack).items:
        assert isinstance(item.content, dict)  # noqa: S101 - it was chosen so
        key = identity.deciding_key(identity.values(item.content))
        if key is None:
            continue
        values = [get(item.content, member.tokens) for member in key]
        found[item.id] = {f"\x00{identity.keys.index(key)}": frozenset([" ".join(map(str, values))])}
    return found


def _names(told: Mapping[str, Identifiers]) -> tuple[tuple[str, ...], frozenset[str]]:
    values = sorted({value for own in told.values() for found in own.values() for value in found})
    members = {name for own in told.values() for name in own}
    words = {word for name in members for word in ("passport", "battery", "product", "unique") if word in name}
    return tuple(values), frozenset(words)


def _has(own: Identifiers, named: str | None) -> bool:
    return named is not None and any(named in values for values in own.values())


def _agree(one: Identifiers, other: Identifiers) -> bool:
    """Whether two share an identifier and differ in none."""
    shared = one.keys() & other.keys()
    return bool(shared) and all(one[name] & other[name] for name in shared)


def _joined(seeds: list[str], told: Mapping[str, Identifiers], record: Identifiers | None = None) -> set[str]:
    """Return items, and those that are about the same product as one of them and contradict none."""
    kept = set(seeds)
    for item_id, own in told.items():
        near = [told[seed] for seed in seeds] + ([record] if record else [])
        if item_id not in kept and any(_agree(own, seed) for seed in near) and not any(_differ(own, s) for s in near):
            kept.add(item_id)
    return kept


def _differ(one: Identifiers, other: Identifiers) -> bool:
    return any(not one[name] & other[name] for name in one.keys() & other.keys())


def _groups(told: Mapping[str, Identifiers]) -> list[set[str]]:
    """Return the items that have an identifier, those about one product together."""
    groups: list[set[str]] = []
    for item_id, own in told.items():
        if not own:
            continue
        near = [group for group in groups if any(_agree(own, told[other]) for other in group)]
        merged = {item_id}.union(*near)
        groups = [group for group in groups if group not in near] + [merged]
    return groups


def _texts_about(views: Mapping[str, EvidenceView], told: Mapping[str, Identifiers], about: Iterable[str]) -> set[str]:
    """Return the texts that name the product, and those that name none where all other evidence is about it."""
    own = {value for item_id in about for values in told[item_id].values() for value in values}
    foreign = {value for item_id, found in told.items() for values in found.values() for value in values} - own
    texts = {item_id for item_id, view in views.items() if not view.fields and view.prose}
    kept = set()
    for item_id in texts:
        whole = "\n".join(text.text for text in views[item_id].prose)
        if any(literal_spans(whole, value, exact=True) for value in foreign):
            continue
        if not foreign or any(literal_spans(whole, value, exact=True) for value in own):
            kept.add(item_id)
    return kept
