"""Bringing a record in: its text, its evidence, the fills that the evidence states, and suggestions to be decided.

The service repairs by itself: nobody can bring in a value as filled.  Origins that come with a record are believed only
where they speak against it: that a leaf was guessed.  What was declared here before, and still stands there, stays so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from veracord.audit.events import EventType
from veracord.audit.replay import import_data
from veracord.composer.laundering import mark_issued, products_about, unstated_entries
from veracord.composer.ledgers import entries_of, is_rejected, products_of
from veracord.composer.results import RepairResult
from veracord.composer.suggestions import Suggestion
from veracord.composer.suppression import sift
from veracord.errors import DecisionError
from veracord.records.evidence import ORIGINS, UNSUPPORTING_ORIGINS, EvidenceItem, EvidencePack
from veracord.records.matching import EvidenceIndex
from veracord.records.pointers import is_pointer, split
from veracord.records.profiles import Profile
from veracord.records.reading import Document, check_levels
from veracord.records.values import JsonObject, JsonValue
from veracord.records.writing import write_json
from veracord.review.acting import Act, Changes, moved
from veracord.review.attaching import accepted_leaves
from veracord.review.declaring import DECLARED
from veracord.review.filling import apply_fills, repaired
from veracord.review.permissions import Action
from veracord.review.records import StoredEvidence, StoredRecord, check_record_id
from veracord.review.reimporting import attached_items, dropped_places, standing_decisions
from veracord.review.suggestions import Status, StoredSuggestion, suggestion_id
from veracord.review.texts import is_related


@dataclass(frozen=True, slots=True)
class Import:
    """A record that is brought in.

    Attributes:
        record_id: Its id; one that is known makes a new revision.
        profile_ref: The profile, by a name that loads it again later.
        document: The record as it was read; its text is kept.
        evidence: What it is repaired from; what may be about its product is kept.
        origins: Origins that came with it, by pointer.
        suggestions: What a model proposes for what the repair leaves open; None where none was asked, or none answered:
            then what waits for a decision goes on waiting, as far as it still fits.
        model: The name of that model.
        drops_decisions: Whether it may take away what was accepted or declared here.
    """

    record_id: str
    profile_ref: str
    document: Document = field(repr=False)
    evidence: EvidencePack = field(repr=False)
    origins: Mapping[str, str] = field(default_factory=dict)
    suggestions: Sequence[Suggestion] | None = None
    model: str = ""
    drops_decisions: bool = False


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import.

    Attributes:
        record: The record after its fills.
        fills: How many leaves were filled.
        created: Suggestions that are new.
        reopened: Suggestions that are open again.
        event_id: The event of the import.
        dropped: Places where what was accepted or declared here stands no more.
    """

    record: StoredRecord
    fills: int
    created: int
    reopened: int
    event_id: str
    dropped: tuple[str, ...] = ()


def import_record(act: Act, asked: Import) -> Changes:
    """Keep a record with its evidence, repair it, and keep the suggestions for it.

    Raises:
        DecisionError: ``not_signed_in``: nobody is known to ask; ``value_invalid``: its origins are none;
            ``other_product``: the record of that id is about another one; ``drops_decisions``: it would;
            ``not_a_person``: who is none asks for that, or brings evidence in the place of what a person attached.
        InputError: ``record_id``: no store can keep that id; ``too_deep``.
    """
    act.permit()
    check_record_id(asked.record_id)
    check_levels(asked.document.value, asked.record_id)
    _check_origins(asked.origins)
    profile = act.profiles(asked.profile_ref)
    known = act.reader.record(asked.record_id)
    act.about["record_id"] = asked.record_id
    dropped = dropped_places(profile, known, asked.document.value)
    if dropped:
        if not asked.drops_decisions:
            raise _would_drop(act, dropped)
        act.permit(also=Action.DROP_DECISIONS)
    attached = attached_items(act, asked.record_id, asked.evidence)
    brought = (item for item in asked.evidence.items if item.id not in attached)
    index = EvidenceIndex.of(EvidencePack((*brought, *attached.values())), profile.identity)
    given = {at: origin for at, origin in asked.origins.items() if origin in UNSUPPORTING_ORIGINS}
    issued = act.reader.issued(products_about(profile, asked.document, index))
    marks = mark_issued(issued, profile, asked.document, index, given)
    origins = {**marks.origins, **standing_decisions(known, asked.document.value)}
    record = _new_record(asked, profile, known, origins)
    changes = Changes(evidence=_evidence(asked, index, attached))
    # What people attached here is no guess, whatever a model said before.
    vouched = {source.evidence_id: source for source in index.related(record.value) if source.evidence_id in attached}
    result = repaired(profile, record.text, record.value, marks.evidence.swapped(vouched), origins)
    event_id = act.new_id()
    after = apply_fills(act, changes, record, result, event_id)
    counts = _suggest(act, changes, asked, profile, replace(result, document=asked.document))
    _begin(act, changes, (known, record, after), asked, event_id)
    changes.result = Imported(after, len(result.fills), *counts, event_id, dropped)
    return changes


def _begin(
    act: Act,
    changes: Changes,
    states: tuple[StoredRecord | None, StoredRecord, StoredRecord],
    asked: Import,
    event_id: str,
) -> None:
    """Put the event of the import in front, with the suggestions that are over by it."""
    known, record, after = states
    over, told = _over(act, changes, known, after)
    changes.suggestions += over
    data: JsonObject = {
        **import_data(record.text, record.origins),
        "profile": record.profile,
        "model": asked.model,
        "statuses": told,
        "evidence": [{"key": kept.key, "digest": kept.digest} for _, kept in changes.evidence],
    }
    event = act.draft(EventType.RECORD_IMPORTED, data, before=known, after=record, id=event_id)
    changes.drafts.insert(0, event)


def _new_record(asked: Import, profile: Profile, known: StoredRecord | None, origins: dict[str, str]) -> StoredRecord:
    document = asked.document
    declared = known.declarations if known else {}
    return StoredRecord(
        record_id=asked.record_id,
        profile_ref=asked.profile_ref,
        profile=profile.label,
        profile_digest=profile.digest,
        schema_digest=profile.schema_digest,
        revision=known.revision + 1 if known else 1,
        text=(document.data or write_json(document.value)).decode(),
        origins=dict(sorted(origins.items())),
        declarations={at: told for at, told in declared.items() if origins.get(at) == DECLARED},
    )


def _evidence(
    asked: Import, index: EvidenceIndex, attached: Mapping[str, EvidenceItem]
) -> list[tuple[str, StoredEvidence]]:
    """Return what of the evidence is kept with the record: sources that may be about its product, and texts."""
    sources = [source.item for source in index.related(asked.document.value)]
    texts: list[EvidenceItem] = [item for item in asked.evidence.items if item.text is not None]
    new = [item for item in (*sources, *texts) if item.id not in attached]
    return [(asked.record_id, StoredEvidence.of(item, is_attached=False)) for item in new]


def _would_drop(act: Act, dropped: tuple[str, ...]) -> DecisionError:
    act.about["pointers"] = list[JsonValue](dropped)
    return DecisionError(
        "the import would take away what was decided here",
        where=", ".join(dropped),
        remedy="import the record as it was exported with what is unverified; a person may allow it: drop_decisions",
        code="drops_decisions",
        details={"pointers": list(dropped)},
    )


def _suggest(act: Act, changes: Changes, asked: Import, profile: Profile, result: RepairResult) -> tuple[int, int]:
    """Add the suggestions that a person gets to see; return how many are new, and how many open again."""
    products = products_of(profile.identity, result.record)
    refused = act.reader.rejected(products)
    listed: list[JsonValue] = _waiting(act, asked) if asked.suggestions is None else [*map(_answer, asked.suggestions)]
    sifted = sift(
        {"suggestions": listed},
        profile,
        result.record,
        lambda path, value: bool(refused) and is_rejected(profile, result.record, path, value, refused),
    )
    rules = {row.path: row.rule for row in reversed(result.unresolved)}
    created = reopened = 0
    shown: list[Suggestion] = []
    for one in sifted.suggestions:
        new = _stored(act, asked, profile, result, one, rules.get(one.path, ""))
        known = act.reader.suggestion(new.id)
        if asked.suggestions is None and (known is None or not known.is_undecided):
            # The record is about another product now, and nobody suggested it for that one.
            continue
        if known is not None and known.status is Status.REJECTED:
            continue
        shown.append(one)
        if known is not None and known.is_undecided:
            # It is named again, so that it is not over by the import.
            changes.suggestions.append(known)
            continue
        created, reopened = created + (known is None), reopened + (known is not None)
        _open(act, changes, new, known)
    changes.issue = unstated_entries(profile, replace(result, suggestions=tuple(shown)))
    return created, reopened


def _open(act: Act, changes: Changes, new: StoredSuggestion, known: StoredSuggestion | None) -> None:
    kind = EventType.SUGGESTION_CREATED if known is None else EventType.SUGGESTION_REOPENED
    data: JsonObject = {
        "suggestion_id": new.id,
        "value": new.value,
        "rule": new.rule,
        "model": new.model,
        "confidence": Decimal(repr(new.confidence)),
        "rank": new.rank,
    }
    changes.suggestions.append(new)
    changes.drafts.append(act.draft(kind, data, before=changes.record, pointer=new.pointer))


def _stored(
    act: Act, asked: Import, profile: Profile, result: RepairResult, one: Suggestion, rule: str
) -> StoredSuggestion:
    entries = tuple(entries_of(profile, result.record, one.path, one.value))
    return StoredSuggestion(
        id=suggestion_id(asked.record_id, entries, one.path, one.value),
        record_id=asked.record_id,
        pointer=one.path,
        value=one.value,
        status=Status.OPEN,
        created_at=act.at,
        proposed_by=act.actor,
        rule=rule,
        rationale=one.rationale,
        confidence=one.confidence,
        rank=one.rank,
        model=asked.model,
        entries=entries,
    )


def _over(
    act: Act, changes: Changes, known: StoredRecord | None, after: StoredRecord
) -> tuple[list[StoredSuggestion], list[JsonValue]]:
    """Return suggestions for the record as it was that say nothing of what it is."""
    if known is None:
        return [], []
    named = {one.id for one in changes.suggestions}
    still = [split(at) for at in accepted_leaves(after)]
    over = [
        one
        for one in act.reader.suggestions_of(known.record_id)
        if one.id not in named
        and one.status in (Status.OPEN, Status.DEFERRED, Status.ACCEPTED)
        and not (one.status is Status.ACCEPTED and any(is_related(one.place, at) for at in still))
    ]
    return moved(over, Status.WITHDRAWN)


def _waiting(act: Act, asked: Import) -> list[JsonValue]:
    """Return what waits for a decision, as if it was suggested again."""
    waiting = [one for one in act.reader.suggestions_of(asked.record_id) if one.is_undecided and not one.is_declaration]
    return [
        {
            "path": one.pointer,
            "value": one.value,
            "rationale": one.rationale,
            "confidence": Decimal(repr(one.confidence)),
        }
        for one in sorted(waiting, key=lambda one: one.rank)
    ]


def _answer(one: Suggestion) -> JsonObject:
    confidence = Decimal(repr(one.confidence))
    return {"path": one.path, "value": one.value, "rationale": one.rationale, "confidence": confidence}


def _check_origins(origins: Mapping[str, str]) -> None:
    if not all(is_pointer(at) and origin in ORIGINS for at, origin in origins.items()):
        message = "the origins are no table of pointer and known origin"
        raise DecisionError(message, remedy="remove them, or write them with --record-out", code="value_invalid")
