"""What a check of a result against the evidence says, row by row, and the questions that all rows are asked."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from veracord.records.evidence import EvidenceItem
from veracord.records.pointers import Tokens, get, index_of
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, equal


class NotChecked(StrEnum):
    """What a check did not look at, so that nobody takes it for verified."""

    SEED = "seed"
    SAME_PRODUCT = "same_product"
    REST_OF_RECORD = "rest_of_record"


@dataclass(frozen=True, slots=True)
class VerifiedRow:
    """One fill, or one row of support, checked.

    Attributes:
        path: Its place in the record.
        evidence_id: The evidence that it names.
        evidence_ref: The reference that it names.
        source_pointer: Where the value is said to stand.
        ok: Whether all of it is so; None where that could not be checked.
        reason: What is not so, or why it could not be checked; None where all is.
    """

    path: str
    evidence_id: str
    evidence_ref: str
    source_pointer: str
    ok: bool | None
    reason: str | None = None

    @classmethod
    def failed(cls, path: str, reason: str) -> "VerifiedRow":
        """Return a row about a place for which nothing is named that could be looked up."""
        return cls(path, "", "", "", ok=False, reason=reason)

    def refused(self, reason: str) -> "VerifiedRow":
        """Return the row as one that failed; of several reasons the first is told."""
        return self if self.ok is False else replace(self, ok=False, reason=reason)

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
    """Every row of a result, checked.

    Attributes:
        rows: In the order of the result.
        not_checked: What was not looked at.
    """

    rows: tuple[VerifiedRow, ...]
    not_checked: tuple[NotChecked, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing that was checked is otherwise than the result says."""
        return all(row.ok is not False for row in self.rows)

    def to_dict(self) -> JsonObject:
        """Return the verification as JSON."""
        verdicts = [row.ok for row in self.rows]
        return {
            "schema_version": 1,
            "ok": self.ok,
            "counts": {
                "verified": verdicts.count(True),
                "failed": verdicts.count(False),
                "not_checked": verdicts.count(None),
            },
            "not_checked": [part.value for part in self.not_checked],
            "rows": [row.to_dict() for row in self.rows],
        }


def with_refusals(rows: Iterable[VerifiedRow], reasons: dict[int, str]) -> list[VerifiedRow]:
    """Return rows with those refused for which there is a reason, by their number."""
    return [row.refused(reasons[number]) if number in reasons else row for number, row in enumerate(rows)]


def source_contradictions(
    item: EvidenceItem, evidence_ref: JsonValue, places: tuple[Tokens, Tokens], value: JsonValue
) -> Iterator[str]:
    """Yield what is not so about a value and the evidence that is named for it.

    Args:
        item: The evidence of that id.
        evidence_ref: The reference that is named.
        places: The place in the record, and where the evidence is said to hold the value.
        value: The value.
    """
    path, source = places
    if item.evidence_ref != evidence_ref:
        yield "the evidence is not what it was: its digest differs"
    if item.structured is None:
        yield "the evidence is not structured"
        return
    if not is_same_place(path, source):
        yield "the source pointer is another place"
    if item.is_unsupporting(source):
        yield "the evidence itself was a suggestion there"
    if not holds_at(item.structured, source, value):
        yield "the evidence does not hold this value there"


def is_same_place(path: Tokens, source: Tokens) -> bool:
    """Whether two places differ in nothing but the indexes of rows."""
    return len(path) == len(source) and all(
        a == b or (index_of(a) is not None and index_of(b) is not None) for a, b in zip(path, source, strict=True)
    )


def holds_at(content: JsonObject, place: Tokens, value: JsonValue) -> bool:
    """Whether an equal value stands at a place."""
    found = get(content, place)
    return found is not MISSING and equal(found, value)


def other_profile(profile: Profile, result: JsonObject) -> Iterator[VerifiedRow]:
    """Yield a row where a result was made with another profile or schema than the one given."""
    digests = result.get("digests")
    told = digests if isinstance(digests, dict) else {}
    if (told.get("profile"), told.get("schema")) != (profile.digest, profile.schema_digest):
        yield VerifiedRow.failed("", "the profile or its schema is not the one of the result: its digest differs")
    elif result.get("profile") != profile.label:
        yield VerifiedRow.failed("", "the profile of the result has another name or version")
