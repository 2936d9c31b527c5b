"""Records under review, and the evidence that a store keeps for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from veracord.errors import InputError, StorageError
from veracord.records.evidence import EvidenceItem
from veracord.records.reading import read_record, read_value
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, canonical, digest
from veracord.records.writing import write_json
from veracord.review.damage import kept_as_written

#: No JSON value is written so, so nothing that stands somewhere has this hash.
_ABSENT: Final = digest(b"absent")
_ITEM_BYTES: Final = 128 * 1024 * 1024
#: The content of an item may be 128 levels deep.
_ITEM_LEVELS: Final = 160
#: More than a record may have that comes in.
_KEPT_LEVELS: Final = 200
_MOST_ID: Final = 500


@dataclass(frozen=True)
class StoredRecord:
    """A record under review.  It lives as text, in the spelling that it was imported in.

    Attributes:
        record_id: Its id.
        profile_ref: The profile as the importer named it.
        profile: ``name@version``.
        profile_digest: Digest of the profile.
        schema_digest: Digest of its schema.
        revision: How often it was written.
        text: The text.
        origins: Where leaves come from, by pointer; what is not named came with it.
        declarations: What stands behind each declared value, by pointer.
    """

    record_id: str
    profile_ref: str
    profile: str
    profile_digest: str
    schema_digest: str
    revision: int
    text: str = field(repr=False)
    origins: Mapping[str, str]
    declarations: Mapping[str, JsonObject] = field(default_factory=dict, repr=False)

    @cached_property
    def value(self) -> JsonObject:
        """What the text says.

        Raises:
            StorageError: ``store_damaged``: it is no text of a record, as none was kept.
        """
        with kept_as_written(f"record {self.record_id}"):
            data = self.text.encode()
            # Whatever was let in is read: limits hold for what comes, and whoever brought it in may have had others.
            return read_record(data, max_bytes=len(data), max_levels=_KEPT_LEVELS).value

    def facts(self) -> JsonObject:
        """Return as JSON what a store keeps besides id, revision and text."""
        return {
            "profile_ref": self.profile_ref,
            "profile": self.profile,
            "profile_digest": self.profile_digest,
            "schema_digest": self.schema_digest,
            "origins": dict(self.origins),
            "declarations": dict(self.declarations),
        }

    @classmethod
    def of(cls, record_id: str, revision: int, text: str, facts: str) -> "StoredRecord":
        """Put a record together from what a store kept.

        Raises:
            InputError: It is none, as is any other error of reading: nothing of this was kept so.
        """
        members: Any = read_value(facts.encode(), max_bytes=_ITEM_BYTES, max_levels=_ITEM_LEVELS)
        if type(members["origins"]) is not dict or type(members["declarations"]) is not dict:
            raise TypeError
        return cls(record_id=record_id, revision=revision, text=text, **members)


@dataclass(frozen=True, slots=True)
class StoredEvidence:
    """An evidence item of a record.

    Attributes:
        key: Names it in the record; of its id.
        digest: ``sha256:<hex>`` of the text that is kept.
        text: The item as JSON.
        is_attached: Whether a person attached it; else it came with an import.
        is_active: Whether it counts; an attachment that was undone does not.
    """

    key: str
    digest: str
    text: str = field(repr=False)
    is_attached: bool
    is_active: bool = True

    @classmethod
    def of(cls, item: EvidenceItem, *, is_attached: bool) -> "StoredEvidence":
        """Return an item as a store keeps it."""
        members: JsonObject = {
            "id": item.id,
            "rank": item.rank,
            "source_ref": item.source_ref,
            "origins": dict(item.origins),
            "evidence_ref": item.evidence_ref,
        }
        members |= {"content": item.content} if item.text is None else {"text": item.text}
        text = write_json(members).decode()
        return cls(evidence_key(item.id), digest(text.encode()), text, is_attached)

    @property
    def item(self) -> EvidenceItem:
        """The item, exactly as it was kept.

        Raises:
            StorageError: ``evidence_damaged``: its text is not what its digest was made of.
        """
        if digest(self.text.encode()) != self.digest:
            raise StorageError(
                "evidence is not what was kept", where=self.digest, remedy="restore a copy", code="evidence_damaged"
            )
        members: Any = read_value(self.text.encode(), max_bytes=_ITEM_BYTES, max_levels=_ITEM_LEVELS)
        return EvidenceItem(
            id=members["id"],
            content=members.get("content"),
            text=members.get("text"),
            rank=members["rank"],
            source_ref=members["source_ref"],
            origins=members["origins"],
            read_digest=members["evidence_ref"],
        )


def evidence_key(evidence_id: str) -> str:
    """Return what names an evidence item in a record, whatever its id is made of."""
    return digest(evidence_id.encode())


def value_hash(value: JsonValue | Missing) -> str:
    """Return the hash of what stands at a place; nothing has one of its own."""
    return _ABSENT if value is MISSING else digest(canonical(value))


def check_record_id(record_id: str) -> None:
    """Make sure that a record can bear an id in every store.

    Raises:
        InputError: ``record_id``: it is empty, too long, or holds a control character or half a surrogate pair.
    """
    is_plain = all(character >= " " and not "\ud800" <= character <= "\udfff" for character in record_id)
    if not record_id or len(record_id) > _MOST_ID or not is_plain:
        raise InputError(
            f"a record id has 1 to {_MOST_ID} characters, none of them a control character",
            remedy="give another id",
            code="record_id",
        )
