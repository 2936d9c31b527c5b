"""Checking a result against the evidence, trusting nothing in it.

Every fill must name evidence that is there, unchanged, and that holds an equal value at a pointer which is the
fill's own place; the record must hold that value; every other id that it names must be there; and no leaf may claim
to come from evidence without a fill.  Which product the evidence is about, and which of its rows is the same row, is
the profile's matter and not checked here; nor is the rest of the record.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from veracord.composer.results import SCHEMA_VERSION
from veracord.errors import InputError
from veracord.records.evidence import EvidenceItem, EvidencePack
from veracord.records.pointers import Tokens, get, index_of, is_pointer, split
from veracord.records.values import MISSING, JsonObject, JsonValue, equal

_TEXTS = ("path", "evidence_id", "evidence_ref", "source_pointer")


@dataclass(frozen=True, slots=True)
class VerifiedRow:
    """One fill, checked.

    Attributes:
        path: Its place in the record.
        evidence_id: The evidence that it names.
        evidence_ref: The reference that it names.
        source_pointer: Where the value is said to stand.
        ok: Whether all of it is so.
        reason: What is not so; None where all is.
    """

    path: str
    evidence_id: str
    evidence_ref: str
    source_pointer: str
    ok: bool
    reason: str | None = None

    def to_dict(self) -> JsonObject:
        """Return the row as JSON."""
        return {
            "path": self.path,
            "evidence_id": self.evidence_id,
            "evidence_ref": self.evidence_ref,
            "source_pointer": self.source_pointer,
            "ok": self.ok,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """Every fill of a result, checked.

    Attributes:
        rows: In the order of the result.
    """

    rows: tuple[VerifiedRow, ...]

    @property
    def ok(self) -> bool:
        """Whether every row is."""
        return all(row.ok for row in self.rows)

    def to_dict(self) -> JsonObject:
        """Return the verification as JSON."""
        return {"schema_version": 1, "ok": self.ok, "rows": [row.to_dict() for row in self.rows]}


def verify_result(result: JsonObject, pack: EvidencePack) -> Verification:
    """Check a result of repair against the evidence.

    Args:
        result: The result as JSON.
        pack: The evidence that was used, unchanged.

    Raises:
        InputError: It is no result of repair.
    """
    fills, record = result.get("fills"), result.get("record")
    if not isinstance(fills, list) or not isinstance(record, dict) or result.get("schema_version") != SCHEMA_VERSION:
        raise InputError("this is no result of repair", remedy="give the JSON that repair wrote", code="not_a_result")
    items = {item.id: item for item in pack.items}
    refs = {item.evidence_ref for item in pack.items}
    rows = [_verify(fill, record, items, refs) for fill in fills]
    explained = {row.path for row in rows}
    return Verification((*rows, *_unexplained(result.get("origins"), explained)))


def _verify(fill: JsonValue, record: JsonObject, items: dict[str, EvidenceItem], refs: set[str]) -> VerifiedRow:
    if not isinstance(fill, dict):
        return VerifiedRow("", "", "", "", ok=False, reason="the fill is malformed")
    texts = [fill.get(name) for name in _TEXTS]
    path, evidence_id, evidence_ref, source_pointer = (text if isinstance(text, str) else "" for text in texts)
    if not all(isinstance(text, str) for text in texts) or "value" not in fill:
        reason: str | None = "the fill is malformed"
    else:
        reason = _reason(fill, record, items, refs)
    return VerifiedRow(path, evidence_id, evidence_ref, source_pointer, ok=reason is None, reason=reason)


def _reason(fill: JsonObject, record: JsonObject, items: dict[str, EvidenceItem], refs: set[str]) -> str | None:
    """Return the first thing that is not as a fill says; None where all is."""
    item = items.get(str(fill["evidence_id"]))
    if item is None:
        known = fill["evidence_ref"] in refs
        return "no evidence has this id" + (", other evidence has this reference" if known else "")
    path, source = str(fill["path"]), str(fill["source_pointer"])
    if not is_pointer(path) or not is_pointer(source):
        return "a pointer is malformed"
    return next(_contradictions(fill, record, item, (split(path), split(source)), items), None)


def _contradictions(
    fill: JsonObject, record: JsonObject, item: EvidenceItem, places: tuple[Tokens, Tokens], ids: Collection[str]
) -> Iterator[str]:
    path, source = places
    if item.evidence_ref != fill["evidence_ref"]:
        yield "the evidence is not what it was: its digest differs"
    if item.structured is None:
        yield "the evidence is not structured"
        return
    if not _is_same_place(path, source):
        yield "the source pointer is another place"
    if source in item.unsupporting:
        yield "the evidence itself was a suggestion there"
    if not _holds(item.structured, source, fill["value"]):
        yield "the evidence does not hold this value there"
    if not _holds(record, path, fill["value"]):
        yield "the record does not hold this value"
    for name in ("also", "overruled"):
        named = fill.get(name)
        if not isinstance(named, list) or not all(isinstance(other, str) and other in ids for other in named):
            yield f"{name} names evidence that is not there"


def _is_same_place(path: Tokens, source: Tokens) -> bool:
    """Whether two places differ in nothing but the indexes of rows."""
    return len(path) == len(source) and all(
        a == b or (index_of(a) is not None and index_of(b) is not None) for a, b in zip(path, source, strict=True)
    )


def _holds(content: JsonObject, place: Tokens, value: JsonValue) -> bool:
    found = get(content, place)
    return found is not MISSING and equal(found, value)


def _unexplained(origins: JsonValue, explained: set[str]) -> Iterator[VerifiedRow]:
    for path, origin in origins.items() if isinstance(origins, dict) else ():
        if origin == "evidence" and path not in explained:
            yield VerifiedRow(path, "", "", "", ok=False, reason="no fill explains this origin")
