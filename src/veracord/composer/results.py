"""The result of a repair, as values and as JSON.

Fills and suggestions are separate types in separate collections: what a model remembers cannot be put where
a sourced value is expected.
"""

from dataclasses import dataclass, field
from functools import cached_property

from veracord.composer.suggestions import Suggestion
from veracord.composer.units import text_edits
from veracord.records.evidence import EvidenceItem
from veracord.records.matching import SourceRow
from veracord.records.pointers import Tokens
from veracord.records.reading import MAX_DEPTH, Document
from veracord.records.values import JsonObject, JsonValue, canonical, digest
from veracord.records.violations import Finding
from veracord.records.writing import Raw, raw, splice, write_json

#: The version of the result's shape; the JSON Schema that ships with the package describes it.
SCHEMA_VERSION = 1
#: A result nests a record one level deeper, and a fill's value up to three.
RESULT_LEVELS = MAX_DEPTH + 4


@dataclass(frozen=True, slots=True)
class Fill:
    """One leaf that was set, with its source.

    Attributes:
        path: Pointer of the leaf in the record.
        value: The exact value.
        evidence: The evidence that is named for it.
        source_pointer: Where the value stands in it.
        also: Ids of further sources that say the same, sorted.
        overruled: Ids of sources of worse rank that say otherwise, sorted.
        cures: The violations that it cures, as (path, rule), sorted.
    """

    path: str
    value: JsonValue
    evidence: EvidenceItem
    source_pointer: str
    also: tuple[str, ...] = ()
    overruled: tuple[str, ...] = ()
    cures: tuple[tuple[str, str], ...] = ()

    @property
    def evidence_id(self) -> str:
        """The id of the evidence."""
        return self.evidence.id

    @property
    def evidence_ref(self) -> str:
        """The reference that resolves to the evidence's very content."""
        return self.evidence.evidence_ref

    def to_dict(self) -> JsonObject:
        """Return the fill as JSON."""
        return {
            "path": self.path,
            "value": self.value,
            "evidence_id": self.evidence_id,
            "evidence_ref": self.evidence_ref,
            "source_pointer": self.source_pointer,
            "also": list(self.also),
            "overruled": list(self.overruled),
            "cures": [{"path": path, "rule": rule} for path, rule in self.cures],
        }


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """What one source says about an unresolved place."""

    value: JsonValue
    evidence_id: str
    source_pointer: str

    def to_dict(self) -> JsonObject:
        """Return the candidate as JSON."""
        return {"value": self.value, "evidence_id": self.evidence_id, "source_pointer": self.source_pointer}


@dataclass(frozen=True, slots=True)
class Unresolved:
    """One violation that the repaired record still has.

    Attributes:
        path: Its pointer.
        rule: Its rule.
        message: The rule and the allowed values.
        outcome: Why it stays; one of the closed set.
        detail: A closed word that says more, or None.
        uncovered_by: Path of the fill that brought it to light, or None.
        candidates: What the sources say, as far as it matters.
    """

    path: str
    rule: str
    message: str
    outcome: str
    detail: str | None = None
    uncovered_by: str | None = None
    candidates: tuple[CandidateRow, ...] = ()

    def to_dict(self) -> JsonObject:
        """Return the row as JSON."""
        return {
            "path": self.path,
            "rule": self.rule,
            "message": self.message,
            "outcome": self.outcome,
            "detail": self.detail,
            "uncovered_by": self.uncovered_by,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
        }


@dataclass(frozen=True)
class RepairResult:
    """What repair did to one record.

    Attributes:
        profile: ``name@version``.
        profile_digest: Digest of the profile.
        schema_digest: Digest of its schema.
        tool: Name and version of this package.
        document: The record as it was given.
        record: The repaired record; shares with the given one what was not changed, so treat it as read-only.
        conforms: Whether it has no violation left.
        fills: By path.
        unresolved: By path, then rule.
        sources: By evidence id; rows that count several come last.
        suggestions: What a model proposes for what is unresolved, by path; unverified, and in nothing else here.
        suggestions_status: ``off``, ``none_needed``, ``no_model``, ``ok``, or ``failed:`` with why.
        suppressed: How many candidates were not used, by reason.
        filled: Places that were set: leaves, and arrays whose rows were copied.
        input_origins: Origins that the record came with, by pointer.
        findings: The violations of the repaired record, for who goes on with it; None where they are not known.
    """

    profile: str
    profile_digest: str
    schema_digest: str
    tool: str
    document: Document
    record: JsonObject
    conforms: bool
    fills: tuple[Fill, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    sources: tuple[SourceRow, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    suggestions_status: str = "off"
    suppressed: dict[str, int] = field(default_factory=dict)
    filled: tuple[Tokens, ...] = ()
    input_origins: dict[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def record_digest(self) -> str:
        """``sha256:<hex>`` of the canonical form of the record as it was given."""
        return digest(canonical(self.document.value))

    @property
    def origins(self) -> dict[str, str]:
        """Origins by pointer of the leaves that did not simply come with the input."""
        filled = {fill.path: "evidence" for fill in self.fills}
        return dict(sorted({**self.input_origins, **filled}.items()))

    def to_dict(self) -> JsonObject:
        """Return the result as JSON values; numbers are int and Decimal."""
        return self._around(self.record)  # type: ignore[return-value]  # the record is plain here

    def to_json(self) -> str:
        """Return the result as JSON text; the record inside keeps the spelling that it was read with."""
        return self.encode().decode()

    def encode(self) -> bytes:
        """Return `to_json` as UTF-8."""
        return write_json(self._around(raw(self.record_text().strip())))

    def record_text(self) -> bytes:
        """Return the repaired record alone, in UTF-8: the text that was read, with only the fills changed."""
        if not self.document.data:
            return write_json(self.record)
        if not self.filled:
            return self.document.data
        edits = text_edits(self.document.value, self.record, self.filled)
        return splice(self.document.data.decode(), edits).encode()

    def _around(self, record: JsonValue | Raw) -> dict[str, JsonValue | Raw]:
        return {
            "schema_version": SCHEMA_VERSION,
            "tool": self.tool,
            "profile": self.profile,
            "digests": {
                "profile": self.profile_digest,
                "schema": self.schema_digest,
                "record": self.record_digest,
            },
            "conforms": self.conforms,
            "record": record,
            "origins": dict(self.origins),
            "fills": [fill.to_dict() for fill in self.fills],
            "unresolved": [row.to_dict() for row in self.unresolved],
            "sources": [source.to_dict() for source in self.sources],
            "suggestions": [suggestion.to_dict() for suggestion in self.suggestions],
            "suggestions_status": self.suggestions_status,
            "suppressed": dict(self.suppressed),
        }
