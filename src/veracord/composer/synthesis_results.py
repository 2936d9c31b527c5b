"""The result of a synthesis, as values and as JSON: a record, and for each of its leaves what supports it."""

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, cast

from veracord.composer.results import RESULT_LEVELS as RESULT_LEVELS  # noqa: PLC0414 - results of both kinds are read so
from veracord.composer.results import SCHEMA_VERSION, CandidateRow
from veracord.composer.support_rows import SupportRow
from veracord.records.matching import SourceRow
from veracord.records.reading import Document
from veracord.records.values import JsonObject, JsonValue
from veracord.records.writing import write_json

#: What stands for the evidence of a leaf that the seed holds.
REQUEST_SEED: Final = "request:seed"

Method = Literal["assembly", "model"]


class LeftOut(NamedTuple):
    """A place for which sources said something that was not taken.

    Attributes:
        path: Its pointer in the record.
        outcome: Why; one of the outcomes of a repair.
        detail: A closed word that says more, or None.
        candidates: What the sources say.
    """

    path: str
    outcome: str
    detail: str | None
    candidates: tuple[CandidateRow, ...]

    def to_dict(self) -> JsonObject:
        """Return the row as JSON."""
        return {
            "path": self.path,
            "outcome": self.outcome,
            "detail": self.detail,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
        }


@dataclass(frozen=True)
class SynthesisResult:
    """A whole record that was built from a seed and evidence.

    Attributes:
        profile: ``name@version``.
        profile_digest: Digest of the profile.
        schema_digest: Digest of its schema.
        tool: Name and version of this package.
        seed: The seed as it was given.
        seed_digest: ``sha256:<hex>`` of its canonical form.
        record: The record; it may share with the seed and with evidence, so treat it as read-only.
        support: One row for each leaf, by path.
        sources: By evidence id; rows that count several come last.
        origins: The origin of each leaf, by pointer: `evidence`, `seed`, or `declared` where that was said of it.
        method: Whether it was assembled, or a model wrote it.
        requests: How many requests a model was sent.
        left_out: Places for which sources said something that was not taken, by path.
    """

    profile: str
    profile_digest: str
    schema_digest: str
    tool: str
    seed: Document
    seed_digest: str
    record: JsonObject
    support: tuple[SupportRow, ...] = ()
    sources: tuple[SourceRow, ...] = ()
    origins: dict[str, str] = field(default_factory=dict)
    method: Method = "assembly"
    requests: int = 0
    left_out: tuple[LeftOut, ...] = ()

    def to_dict(self) -> JsonObject:
        """Return the result as JSON values; numbers are int and Decimal."""
        return {
            "schema_version": SCHEMA_VERSION,
            "tool": self.tool,
            "profile": self.profile,
            "digests": {"profile": self.profile_digest, "schema": self.schema_digest, "seed": self.seed_digest},
            "method": self.method,
            "record": self.record,
            "origins": cast("JsonObject", dict(self.origins)),
            "support": [row.to_dict() for row in self.support],
            "sources": [source.to_dict() for source in self.sources],
            "left_out": [row.to_dict() for row in self.left_out],
        }

    def to_json(self) -> str:
        """Return the result as JSON text."""
        return self.encode().decode()

    def encode(self) -> bytes:
        """Return `to_json` as UTF-8."""
        return write_json(self.to_dict())

    def record_text(self) -> bytes:
        """Return the record alone, as JSON in UTF-8."""
        return write_json(self.record)


def result_of(value: JsonObject, seed: Document, requests: int) -> SynthesisResult:
    """Return the result that a JSON value of `SynthesisResult.to_dict` stands for."""
    digests = cast("dict[str, str]", value["digests"])
    support = cast("list[dict[str, str]]", value["support"])
    return SynthesisResult(
        profile=str(value["profile"]),
        profile_digest=digests["profile"],
        schema_digest=digests["schema"],
        tool=str(value["tool"]),
        seed=seed,
        seed_digest=digests["seed"],
        record=cast("JsonObject", value["record"]),
        support=tuple(SupportRow(**row) for row in support),
        sources=tuple(_source(row) for row in cast("list[JsonObject]", value["sources"])),
        origins=cast("dict[str, str]", value["origins"]),
        method="model" if value["method"] == "model" else "assembly",
        requests=requests,
        left_out=tuple(_left_out(row) for row in cast("list[JsonObject]", value["left_out"])),
    )


def _left_out(row: JsonObject) -> LeftOut:
    detail, candidates = row["detail"], cast("list[JsonObject]", row["candidates"])
    return LeftOut(
        str(row["path"]),
        str(row["outcome"]),
        detail if isinstance(detail, str) else None,
        tuple(
            CandidateRow(said["value"], str(said["evidence_id"]), str(said["source_pointer"])) for said in candidates
        ),
    )


def _source(row: dict[str, JsonValue]) -> SourceRow:
    evidence_id, reason, count = row["evidence_id"], row["reason"], row.get("count")
    return SourceRow(
        evidence_id if isinstance(evidence_id, str) else None,
        row["used"] is True,
        reason if isinstance(reason, str) else None,
        count if isinstance(count, int) else None,
    )
