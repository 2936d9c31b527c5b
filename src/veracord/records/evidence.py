"""Evidence: what sources say, each with an id, a reference that resolves, and a place where it was read.

Only *structured* evidence, whose content is a JSON object, supports values; text never does, also when it
looks like JSON.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from veracord.errors import InputError
from veracord.records.evidence_files import EvidenceFiles, RawItem
from veracord.records.intake import from_python
from veracord.records.pointers import Tokens, is_pointer, join, split
from veracord.records.reading import MAX_BYTES, MAX_DEPTH
from veracord.records.values import JsonObject, JsonValue, canonical, digest, is_number

#: The origin of a leaf that equals a suggestion which was issued.
SUGGESTION_ORIGIN: Final = "suggestion_origin"

#: Origins of leaves that support nothing: a guess that was accepted or pasted back is no evidence.
UNSUPPORTING_ORIGINS: Final = frozenset({"accepted_suggestion", SUGGESTION_ORIGIN})

#: The same of leaves of a source: what somebody declared stands for its own record alone.
SILENT_ORIGINS: Final = UNSUPPORTING_ORIGINS | {"declared"}

#: Where a leaf may come from; one that is not named came with its record.
ORIGINS: Final = frozenset({"input", "evidence", "seed", "declared", *UNSUPPORTING_ORIGINS})

_FIELDS: Final = frozenset({"id", "source_ref", "content", "text", "rank", "origins"})


@dataclass(frozen=True)
class EvidenceItem:
    """One source.

    Attributes:
        id: Names it in a pack and in results.
        content: Its JSON value; a JSON object makes it structured.  None for text.
        text: Its text, or None.
        rank: 1 is best; None comes after all ranks.
        source_ref: The caller's own reference, carried along.
        origins: Origins of leaves, by pointer.
        where: Where it was read.
    """

    id: str
    content: JsonValue = None
    text: str | None = None
    rank: int | None = None
    source_ref: JsonValue = None
    origins: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    read_digest: str | None = None

    @property
    def structured(self) -> JsonObject | None:
        """The content where it is a JSON object."""
        return self.content if type(self.content) is dict else None

    @cached_property
    def evidence_ref(self) -> str:
        """``sha256:<hex>`` of the bytes it was read from, or of its canonical form if it was in a list or memory."""
        if self.read_digest is not None:
            return self.read_digest
        return digest(self.text.encode() if self.text is not None else canonical(self.content))

    @cached_property
    def unsupporting(self) -> frozenset[Tokens]:
        """Places of leaves that support nothing because of their origin."""
        return frozenset(split(at) for at, origin in self.origins.items() if origin in SILENT_ORIGINS)

    def is_unsupporting(self, place: Tokens) -> bool:
        """Whether a place, one above it or one below it supports nothing because of its origin."""
        if not self.origins:
            return False
        return any(place[: len(at)] == at[: len(place)] for at in self.unsupporting)

    def unsupporting_origin(self, place: Tokens) -> str | None:
        """Return why a place supports nothing: the origin of it, of one above it or of one below it."""
        if not self.is_unsupporting(place):
            return None
        found = (at for at in sorted(self.unsupporting) if place[: len(at)] == at[: len(place)])
        return next((self.origins[join(at)] for at in found), None)


class EvidencePack:
    """The evidence of one task; ids are unique, order means nothing.

    Attributes:
        items: The sources, by id.
        skipped: Files of a folder that were not read because of their kind.
    """

    def __init__(self, items: Iterable[EvidenceItem] = (), skipped: Sequence[str] = ()) -> None:
        """Sort the items by id.

        Raises:
            InputError: Two items have one id.
        """
        self.items = tuple(sorted(items, key=lambda item: item.id))
        self.skipped = tuple(skipped)
        for first, second in zip(self.items, self.items[1:], strict=False):
            if first.id == second.id:
                places = " and ".join(place for place in (first.where, second.where) if place)
                raise InputError(
                    f"two evidence items have the id {first.id}",
                    where=places,
                    remedy="give each its own id or file name",
                    code="duplicate_evidence_id",
                )
        self.indexes: dict[int, object] = {}

    @classmethod
    def from_paths(cls, paths: Iterable[str | Path], *, max_bytes: int = MAX_BYTES) -> "EvidencePack":
        """Read evidence from files and folders.

        Args:
            paths: ``.json`` (a record, a list of records, or ``{"evidence": [...]}``), ``.jsonl`` (a record a line),
                ``.evidence.jsonl`` (an item a line), ``.txt``, ``.md``; a folder stands for all of these below it.
            max_bytes: The largest document or line that is read.

        Raises:
            InputError: A file cannot be read or an item is not what it must be.
        """
        reader = EvidenceFiles(max_bytes)
        items = [_from_raw(raw) for raw in reader.read(Path(path) for path in paths)]
        return cls(items, reader.skipped)

    @classmethod
    def from_items(cls, items: Iterable[Mapping[str, object]]) -> "EvidencePack":
        """Make a pack of items in memory: ``{"id", "content" | "text", "rank"?, "source_ref"?, "origins"?}``.

        Raises:
            InputError: An item is not what it must be.
        """
        found: list[EvidenceItem] = []
        for number, item in enumerate(items):
            where = f"evidence item {number}"
            value = from_python(dict(item), where=where, max_levels=MAX_DEPTH + 1)
            found.append(_from_raw(RawItem(value, where)))
        return cls(found)

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.items)

    def resolve(self, evidence_ref: str) -> EvidenceItem:
        """Return the item that a reference names, the first by id where several have the same content.

        Raises:
            InputError: No item has that digest.
        """
        found = next((item for item in self.items if item.evidence_ref == evidence_ref), None)
        if found is None:
            raise InputError(
                "no evidence has this reference",
                where=evidence_ref,
                remedy="give the evidence that was used, unchanged",
                code="unresolved_reference",
            )
        return found


def _from_raw(raw: RawItem) -> EvidenceItem:
    """Turn an item as written into an evidence item."""
    item = raw.item
    if not isinstance(item, dict):
        raise _bad("an evidence item is not an object", raw.where)
    unknown = sorted(item.keys() - _FIELDS)
    if unknown:
        raise _bad(f"an evidence item has the unknown field {unknown[0]}", raw.where)
    evidence_id, text, rank = item.get("id"), item.get("text"), item.get("rank")
    if not isinstance(evidence_id, str) or not evidence_id:
        raise _bad("an evidence item has no id", raw.where)
    if ("content" in item) == ("text" in item):
        raise _bad(f"evidence {evidence_id} must have either content or text", raw.where)
    if "text" in item and not isinstance(text, str):
        raise _bad(f"evidence {evidence_id}: text is not a text", raw.where)
    return EvidenceItem(
        id=evidence_id,
        content=item.get("content"),
        text=text if isinstance(text, str) else None,
        rank=_rank(rank, evidence_id, raw.where),
        source_ref=item.get("source_ref"),
        origins=_origins(item.get("origins"), evidence_id, raw.where),
        where=raw.where,
        read_digest=raw.digest,
    )


def _rank(rank: JsonValue, evidence_id: str, where: str) -> int | None:
    if rank is None:
        return None
    if not is_number(rank) or rank != int(rank) or rank < 1:
        raise _bad(f"evidence {evidence_id}: rank is not a whole number from 1", where)
    return int(rank)


def _origins(origins: JsonValue, evidence_id: str, where: str) -> dict[str, str]:
    if origins is None:
        return {}
    found: dict[str, str] = {}
    for pointer, origin in origins.items() if isinstance(origins, dict) else [("", None)]:
        if not isinstance(origin, str) or origin not in ORIGINS or not is_pointer(pointer):
            raise _bad(f"evidence {evidence_id}: origins is not a table of pointer and known origin", where)
        found[pointer] = origin
    return found


def _bad(what: str, where: str) -> InputError:
    return InputError(what, where=where, remedy="correct the item", code="invalid_evidence")
