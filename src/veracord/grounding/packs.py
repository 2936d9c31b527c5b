"""Evidence as the verifier looks at it: each item viewed once, and an index over all of them.

Only here and in `answer` a text that is wholly one JSON value is read as structured, and a Markdown table as a table.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from veracord.errors import InputError
from veracord.gates.statements import Field, Standing, Statement
from veracord.grounding.field_names import index_keys
from veracord.grounding.marked_names import LONGEST_MARKED, is_marked_name
from veracord.grounding.names import name_of, squash
from veracord.grounding.part_roles import Role
from veracord.grounding.records import fields_of
from veracord.grounding.tables import fields_of_table, table_blocks
from veracord.grounding.texts import TextView, labelled_values, view_text
from veracord.records.evidence import EvidenceItem
from veracord.records.reading import MAX_BYTES, read_value
from veracord.records.values import JsonValue

#: Labels of fields by pointer; ``*`` stands for any index of a list.
Labels = Mapping[str, Sequence[str]]

_INDEX: Final = re.compile(r"/\d+(?=/|$)")
#: A sentence inside such an object is not about the product.
_ANOTHERS: Final = frozenset({Role.OTHER, Role.UNASSERTED, Role.STRANGER})
_PROSE_WORDS: Final = 4
#: One name with an initial inside: "Ada B. Low", and no two sentences.
_WITH_INITIAL: Final = re.compile(r"[A-Z][\w'’-]*(?: [A-Z]\.)+(?: [\w'’-]+){1,4}")
_NUMBERED: Final = re.compile(r"^\d{1,2}\) ?")
_LONGEST_NAMES: Final = 400
_MOST_NAMES: Final = 200


@dataclass(frozen=True, eq=False)
class EvidenceView:
    """One item.

    Attributes:
        evidence_id: Its id.
        fields: Its fields, where it is structured or holds tables.
        prose: Its text, and texts that are values of its fields, by their pointer ("" for the item's own).
    """

    evidence_id: str
    fields: tuple[Field, ...] = ()
    prose: tuple[TextView, ...] = ()

    @cached_property
    def products(self) -> frozenset[str]:
        """What identifies the products that its fields are about."""
        return frozenset(product for found in self.fields for product in found.products)

    @cached_property
    def quotable(self) -> tuple[str, ...]:
        """The texts that a quotation of it can be verbatim in."""
        values = [" ".join(found.value.split()) for found in self.fields if found.standing is Standing.EVIDENCE]
        return ("\n".join(values), *(text.quotable() for text in self.prose))


@dataclass(frozen=True, eq=False)
class PackView:
    """The evidence of one task, ready to be asked again and again."""

    items: Mapping[str, EvidenceView] = field(default_factory=dict)
    #: What contradicts a field, by what it is; kept, as many claims are borne by few fields.
    restated: dict[tuple[object, ...], tuple[Statement, ...]] = field(default_factory=dict)

    @cached_property
    def fields_by_word(self) -> Mapping[str, list[Field]]:
        """The fields that are evidence, by the last word of their name, and by the whole of it."""
        index: dict[str, list[Field]] = defaultdict(list)
        for item in self.items.values():
            for found in item.fields:
                if found.standing is not Standing.EVIDENCE or not found.names:
                    continue
                for key in index_keys(found):
                    index[key].append(found)
        return index

    @cached_property
    def names_with_stops(self) -> tuple[str, ...]:
        """The names that hold an initial: "Ada B. Low"."""
        texts = {
            text
            for item in self.items.values()
            for found in item.fields
            if ". " in found.value or any(". " in product for product in found.products)
            for value in (found.value, *found.products)
            if ". " in value and len(value) <= _LONGEST_NAMES
            for text in value.replace(";", ",").split(",")
        }
        bare = (_NUMBERED.sub("", text.strip()) for text in texts)
        names = sorted(text for text in bare if _WITH_INITIAL.fullmatch(text))
        return tuple(names[:_MOST_NAMES])

    @cached_property
    def names_with_marks(self) -> tuple[str, ...]:
        """The titles and short values that end like a sentence, and cannot be one: "Hop, Hop!", "Acme Bros."."""
        texts = {
            text.strip()
            for item in self.items.values()
            for found in item.fields
            for text in (found.value, *found.products)
            if found.kind == "text" and len(text) <= LONGEST_MARKED and text.rstrip()[-1:] in (".", "!")
        }
        return tuple(sorted(filter(is_marked_name, texts))[:_MOST_NAMES])


def view_pack(items: Iterable[EvidenceItem], labels: Labels | None = None) -> PackView:
    """View the evidence of one task."""
    return PackView({item.id: view_item(item, labels) for item in items})


def view_item(item: EvidenceItem, labels: Labels | None = None) -> EvidenceView:
    """View one item.

    Args:
        labels: What a person calls the fields of a record.
    """
    if item.text is None:
        return _view_structured(item, item.content, labels)
    structured = _as_json(item.text)
    if structured is not None:
        return _view_structured(item, structured[0], labels)
    return _view_text(item.id, item.text)


def _as_json(text: str) -> tuple[JsonValue] | None:
    """Return the one JSON value that a text wholly is, or None."""
    stripped = text.strip()
    if not stripped or (stripped[0], stripped[-1]) not in (("{", "}"), ("[", "]")):
        return None
    try:
        return (read_value(stripped.encode("utf-8", "surrogatepass"), max_bytes=MAX_BYTES),)
    except InputError:
        return None


def _view_structured(item: EvidenceItem, content: JsonValue, labels: Labels | None) -> EvidenceView:
    fields = tuple(fields_of(item.id, content, item.unsupporting))
    if labels:
        fields = tuple(_labelled(found, labels) for found in fields)
    prose = tuple(
        view_text(item.id, found.value)
        for found in fields
        if found.kind == "text" and found.standing is Standing.EVIDENCE and _is_prose(found.value)
        if not found.is_limited and _ANOTHERS.isdisjoint(found.roles)
    )
    return EvidenceView(item.id, fields, prose)


def _labelled(found: Field, labels: Labels) -> Field:
    general = _INDEX.sub("/*", found.pointer)
    aliases = tuple(name_of(label) for label in (*labels.get(found.pointer, ()), *labels.get(general, ())))
    return replace(found, aliases=aliases) if aliases else found


def _is_prose(value: str) -> bool:
    """Whether a value is a sentence that says something by itself."""
    return value[-1:] in (".", "!") and value[:1].isupper() and value.count(" ") >= _PROSE_WORDS


def _view_text(evidence_id: str, text: str) -> EvidenceView:
    if "|" not in text:
        prose = view_text(evidence_id, text)
        return EvidenceView(evidence_id, labelled_values(prose), (prose,))
    fields: list[Field] = []
    pieces: list[str] = []
    last = 0
    for number, (start, end) in enumerate(table_blocks(text)):
        fields += fields_of_table(evidence_id, text[start:end], number)
        pieces += (text[last:start], _blank(text[start:end]))
        last = end
    pieces.append(text[last:])
    prose = view_text(evidence_id, "".join(pieces))
    return EvidenceView(evidence_id, (*fields, *labelled_values(prose)), (prose,))


def _blank(text: str) -> str:
    return "".join("\n" if c == "\n" else " " for c in text)


def identifies(view: EvidenceView, product: str) -> bool:
    """Whether an item says that it is about a product."""
    return squash(product) in {squash(found) for found in view.products}
