"""One act: what it looks at, why it is refused, and what it changes.  It looks first and changes afterwards.

So a refusal has changed nothing, and what is written is written whole: records, suggestions, ledger and events.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from veracord.audit.events import Actor, Draft, EventType, utc_text
from veracord.audit.replay import change_data
from veracord.composer.ledgers import LedgerEntry
from veracord.composer.repair import TOOL
from veracord.errors import AccessError, DecisionError
from veracord.records.profiles import Profile
from veracord.records.values import JsonObject, JsonValue, digest
from veracord.review.people import Caller, actor_of
from veracord.review.permissions import Action, refusal
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.settings import ReviewSettings
from veracord.review.stores import ReviewReader
from veracord.review.suggestions import Status, StoredSuggestion

Profiles = Callable[[str], Profile]


@dataclass(slots=True)
class Changes:
    """What an act writes, in the one transaction in which it looked.

    Attributes:
        drafts: The events, in their order.
        record: The record as it is then.
        suggestions: Suggestions as they are then.
        evidence: Evidence items as they are then, each with the id of its record.
        issue: Entries that the ledger gets.
        withdraw_issued: Entries that evidence supports now.
        reject: Entries that were refused.
        withdraw_rejected: Entries that are refused no more.
        settings: The settings of the store.
        result: What the caller gets.
    """

    drafts: list[Draft] = field(default_factory=list)
    record: StoredRecord | None = None
    suggestions: list[StoredSuggestion] = field(default_factory=list)
    evidence: list[tuple[str, StoredEvidence]] = field(default_factory=list)
    issue: list[LedgerEntry] = field(default_factory=list)
    withdraw_issued: list[LedgerEntry] = field(default_factory=list)
    reject: list[LedgerEntry] = field(default_factory=list)
    withdraw_rejected: list[LedgerEntry] = field(default_factory=list)
    settings: ReviewSettings | None = None
    result: Any = None


@dataclass(slots=True)
class Act:
    """What somebody asks for, while it is looked at.

    Attributes:
        reader: The transaction.
        caller: Who asks.
        action: What for.
        settings: The settings of the store.
        profiles: Loads a profile by the name that its importer gave it.
        now: The time.
        new_id: Makes ids of events.
        request_id: The request that it happens in.
        about: What it turned out to be about, for the log.
    """

    reader: ReviewReader
    caller: Caller
    action: Action
    settings: ReviewSettings
    profiles: Profiles
    now: datetime
    new_id: Callable[[], str]
    request_id: str | None = None
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def actor(self) -> Actor:
        """How the log names the caller."""
        return actor_of(self.caller)

    @property
    def at(self) -> str:
        """The time, as events tell it."""
        return utc_text(self.now)

    def permit(self, suggestion: StoredSuggestion | None = None, *, also: Action | None = None) -> None:
        """Make sure that the caller may do this.

        Args:
            suggestion: What it is about, where that is known.
            also: What else it does; the log tells of that where it is refused.

        Raises:
            AccessError: They may not.
        """
        self.action = also or self.action
        found = refusal(self.caller, self.action, self.settings, suggestion)
        if found is not None:
            raise AccessError(found.what, remedy=found.remedy, code=found.code)

    def find_record(self, record_id: str) -> StoredRecord:
        """Return a record.

        Raises:
            DecisionError: ``unknown_record``: there is none.
        """
        found = self.reader.record(record_id)
        if found is None:
            self.about["target"] = _name_digest(record_id)
            raise DecisionError("there is no such record", remedy="import it", code="unknown_record")
        self.about["record_id"] = found.record_id
        return found

    def find_suggestion(self, suggestion_id: str) -> StoredSuggestion:
        """Return a suggestion.

        Raises:
            DecisionError: ``unknown_suggestion``: there is none.
        """
        found = self.reader.suggestion(suggestion_id)
        if found is None:
            self.about["target"] = _name_digest(suggestion_id)
            raise DecisionError("there is no such suggestion", remedy="list them", code="unknown_suggestion")
        self.about |= {"record_id": found.record_id, "pointer": found.pointer, "suggestion_id": found.id}
        return found

    def profile_of(self, record: StoredRecord) -> Profile:
        """Return the profile that a record was imported with.

        Raises:
            DecisionError: ``profile_changed``: it is not what it was.
            ConfigurationError: It cannot be loaded.
        """
        profile = self.profiles(record.profile_ref)
        if (profile.digest, profile.schema_digest) != (record.profile_digest, record.schema_digest):
            raise DecisionError(
                "the profile or its schema is not what the record was imported with",
                where=record.profile,
                remedy="import the record again, or bring the profile back",
                code="profile_changed",
            )
        return profile

    def draft(
        self,
        kind: EventType,
        data: JsonObject,
        *,
        before: StoredRecord | None = None,
        after: StoredRecord | None = None,
        pointer: str | None = None,
        id: str | None = None,  # noqa: A002 - the member of an event
    ) -> Draft:
        """Return an event about a record.

        Args:
            kind: What happened.
            data: What belongs to it.
            before: The record before; None where it did not exist.
            after: The record after; None where it is not changed.
            pointer: The place.
            id: The id of the event, where it is known before.
        """
        told = after or before
        return Draft(
            id=id or self.new_id(),
            type=kind,
            actor=self.actor,
            tool=TOOL,
            data=data,
            request_id=self.request_id,
            schema_digest=told.schema_digest if told else None,
            profile_digest=told.profile_digest if told else None,
            record_id=told.record_id if told else None,
            revision_before=before.revision if before else None,
            revision_after=after.revision if after else None,
            pointer=pointer,
        )

    def refused(self, error: DecisionError) -> Draft:
        """Return the event that tells of a refusal; it holds no content."""
        data: JsonObject = {"action": self.action.value, "code": error.code}
        data |= {name: told for name, told in self.about.items() if name not in ("record_id", "pointer")}
        return Draft(
            id=self.new_id(),
            type=EventType.ACCESS_DENIED,
            actor=self.actor,
            tool=TOOL,
            data=data,
            request_id=self.request_id,
            record_id=self.about.get("record_id"),
            pointer=self.about.get("pointer"),
        )


def changed_record(
    record: StoredRecord,
    text: str,
    origins: Mapping[str, str],
    declarations: Mapping[str, JsonObject] | None = None,
) -> tuple[StoredRecord, JsonObject]:
    """Return the next revision of a record, and what its event must tell of the change."""
    after = replace(
        record,
        revision=record.revision + 1,
        text=text,
        origins=dict(sorted(origins.items())),
        declarations=record.declarations if declarations is None else dict(sorted(declarations.items())),
    )
    return after, change_data(record.text, text, record.origins, after.origins)


def moved(suggestions: Collection[StoredSuggestion], status: Status) -> tuple[list[StoredSuggestion], list[JsonValue]]:
    """Return suggestions with another status, and what the log tells of it."""
    told: list[JsonValue] = [{"id": one.id, "from": one.status.value, "to": status.value} for one in suggestions]
    return [replace(one, status=status, first=None) for one in suggestions], told


def _name_digest(name: str) -> str:
    """Return what the log tells of a name that a caller made up."""
    return digest(name.encode(errors="surrogatepass"))
