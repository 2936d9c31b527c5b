"""Lists that other evidence tells otherwise: with more values, with others, or by how many there are."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.mentions import mentions_of
from veracord.gates.statements import Field, Statement
from veracord.grounding.field_names import index_keys
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView
from veracord.grounding.restatements import known_words, labels_of, may_be_of_one_product, numbers_naming
from veracord.language.tokens import fold

_PIECE: Final = re.compile(r"[^\W_]+")


def lists_unlike(field: Field, pack: PackView) -> bool:
    """Whether the list that a field is one of is told otherwise: by another item's list, or a sentence that names it.

    Both may be true, "the suppliers are A and B", "the suppliers are A, B and C"; then neither list is the whole.
    """
    key = ("list", tuple(name.stems for name in field.names), field.products, field.row, field.path, field.evidence_id)
    if key not in pack.restated:
        own = frozenset(map(squash, _listed(field, pack)))
        found: Iterator[Statement] = iter((*_other_lists(field, own, pack), *_other_counts(field, pack)))
        pack.restated[key] = tuple(islice(found, 1))
    return bool(pack.restated[key])


def _listed(field: Field, pack: PackView) -> list[str]:
    return [
        other.value
        for other in pack.items[field.evidence_id].fields
        if other.path == field.path or (field.is_list_item and other.path[:-1] == field.path[:-1])
    ]


def _other_lists(field: Field, own: frozenset[str], pack: PackView) -> Iterator[Field]:
    """Yield values of fields of the same name in other items that hold other values, or only some of them."""
    labels, rows = labels_of(field), [squash(row) for row in field.row]
    seen: set[int] = set()
    for key in sorted(index_keys(field)):
        for other in pack.fields_by_word.get(key, ()):
            if id(other) in seen or other.evidence_id == field.evidence_id or not labels & labels_of(other):
                continue
            seen.add(id(other))
            is_of_it = may_be_of_one_product(field, other) and [squash(row) for row in other.row] == rows
            if is_of_it and frozenset(map(squash, _listed(other, pack))) != own:
                yield other


def _other_counts(field: Field, pack: PackView) -> Iterator[Statement]:
    """Yield sentences that name the list, and say more than its values: others, or how many there are."""
    known = known_words(field)
    told = {fold(piece) for value in _listed(field, pack) for piece in _PIECE.findall(value)}
    names = frozenset(map(squash, field.products))
    for item in pack.items.values():
        for view in item.prose:
            for number in sorted(numbers_naming(field, view)):
                text = view.text[slice(*view.spans[number])]
                if view.may_contradict(number) and not _is_of_another(text, names) and _says_more(text, known, told):
                    yield from view.sentences(number)[:1]


def _is_of_another(text: str, products: frozenset[str]) -> bool:
    codes = {squash(one.text) for one in mentions_of(text) if one.kind == "identifier"}
    return bool(codes and products) and codes.isdisjoint(products)


def _says_more(text: str, known: frozenset[str], told: set[str]) -> bool:
    for piece in _PIECE.findall(text):
        form = fold(piece)
        kind, key = classify_word(form)
        if form not in told and key not in known and kind in ("word", "cue"):
            return True
    return False
