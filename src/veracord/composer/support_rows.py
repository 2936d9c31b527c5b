"""The row that tells what supports one leaf of a record."""

from typing import NamedTuple

from veracord.records.values import JsonObject


class SupportRow(NamedTuple):
    """What supports one leaf.

    Attributes:
        path: Pointer of the leaf in the record.
        evidence_id: The evidence, or what stands for the seed.
        evidence_ref: The reference that resolves to its very content; of the seed, the digest of its canonical form.
        source_pointer: Where the value stands in it.
    """

    path: str
    evidence_id: str
    evidence_ref: str
    source_pointer: str

    def to_dict(self) -> JsonObject:
        """Return the row as JSON."""
        path, evidence_id, evidence_ref, source_pointer = self
        return {
            "path": path,
            "evidence_id": evidence_id,
            "evidence_ref": evidence_ref,
            "source_pointer": source_pointer,
        }
