"""Attaching evidence: the record is repaired from it, and what it states is an ordinary fill.

What was accepted is taken away first, so that nothing leans on it, not even the key of a row, and what was wrong there
before is put back.  This is the one way in which what was once guessed becomes grounded: because a source states it.
"""

from collections.abc import Mapping

from veracord.audit.events import EventType
from veracord.composer.laundering import mark_issued, products_about
from veracord.composer.ledgers import LedgerEntry, entries_of
from veracord.composer.results import RepairResult
from veracord.errors import DecisionError
from veracord.records.evidence import UNSUPPORTING_ORIGINS, EvidencePack
from veracord.records.matching import EvidenceIndex
from veracord.records.pointers import Tokens, get, split
from veracord.records.profiles import Profile
from veracord.records.reading import read_record
from veracord.records.values import MISSING, JsonObject, JsonValue, equal
from veracord.review.accepting import ACCEPTED
from veracord.review.acting import Act, Changes, moved
from veracord.review.decisions import Attach, Done
from veracord.review.filling import apply_fills, document_of_text, repaired
from veracord.review.records import StoredEvidence, StoredRecord
from veracord.review.seeing import record_at
from veracord.review.suggestions import Status, StoredSuggestion
from veracord.review.texts import is_related, leaf_of, leaves_at, set_in_text, without
from veracord.review.written import REASON, check_source, check_text


def attach(act: Act, asked: Attach) -> Changes:
    """Add evidence to a record and repair it from all that it has.

    Raises:
        DecisionError: Why not; see docs/decisions.md.
    """
    act.permit()
    record = act.find_record(asked.record_id)
    check_text(asked.reason, REASON)
    check_source(asked.item)
    profile = act.profile_of(record)
    known = [kept for kept in act.reader.evidence_of(record.record_id) if kept.is_active]
    new = _checked(StoredEvidence.of(asked.item, is_attached=True), known)
    result = repair_anew(act, profile, record, [*known, new])
    changes = Changes(evidence=[(record.record_id, new)])
    event_id = act.new_id()
    after = apply_fills(act, changes, record, result, event_id)
    supported = _supported(act, profile, result)
    suggestions, told = _superseded(act, after, result)
    data: JsonObject = {
        "reason": asked.reason,
        "evidence_id": asked.item.id,
        "evidence_ref": asked.item.evidence_ref,
        "attached": {"key": new.key, "digest": new.digest},
        "statuses": told,
        "withdrawn_issued": [list(entry) for entry in supported],
    }
    changes.drafts.insert(0, act.draft(EventType.EVIDENCE_ATTACHED, data, before=record, id=event_id))
    changes.suggestions = suggestions
    changes.withdraw_issued = supported
    fills = tuple(fill.path for fill in result.fills)
    changes.result = Done(event_id, record.record_id, after.revision, fills=fills)
    return changes


def accepted_leaves(record: StoredRecord) -> list[str]:
    """Return the leaves of a record that were accepted and are unverified."""
    return [at for at, origin in record.origins.items() if origin == ACCEPTED]


def _checked(new: StoredEvidence, known: list[StoredEvidence]) -> StoredEvidence:
    same = next((kept for kept in known if kept.key == new.key), None)
    if same is None:
        return new
    if same.digest == new.digest and same.is_attached:
        raise DecisionError("this evidence is attached already", remedy="undo that first", code="already_decided")
    if same.digest != new.digest:
        message = "the record has other evidence with this id"
        raise DecisionError(message, remedy="give it another id", code="value_invalid")
    return new


def repair_anew(act: Act, profile: Profile, record: StoredRecord, kept: list[StoredEvidence]) -> RepairResult:
    """Return the repair of a record without what was accepted; of what people attached, nothing counts as a guess."""
    text, value, _ = without(record.text, record.value, accepted_leaves(record))
    text, value = _as_it_was(act, record, text, value)
    latest = {one.key: one for one in kept}
    index = EvidenceIndex.of(EvidencePack(one.item for one in latest.values()), profile.identity)
    document = document_of_text(text, value)
    issued = act.reader.issued(products_about(profile, document, index))
    marked = mark_issued(issued, profile, document, index).evidence
    attached = {one.item.id for one in latest.values() if one.is_attached}
    vouched = {source.evidence_id: source for source in index.related(value) if source.evidence_id in attached}
    return repaired(profile, text, value, marked.swapped(vouched), {})


def _as_it_was(act: Act, record: StoredRecord, text: str, value: JsonObject) -> tuple[str, JsonObject]:
    """Put back what was wrong where something was accepted: a place that need not be there is filled only then."""
    events = act.reader.events_of(record.record_id)
    undone = {event.data["undone"] for event in events if event.type is EventType.DECISION_UNDONE}
    done: set[Tokens] = set()
    for event in reversed(events):
        if event.type is not EventType.SUGGESTION_ACCEPTED or event.id in undone:
            continue
        place = split(event.pointer or "")
        leaf = leaf_of(record.value, place)
        stands = get(record.value, place)
        is_accepted = all(record.origins.get(at) == ACCEPTED for at in leaves_at(record.value, leaf))
        if leaf in done or not is_accepted or stands is MISSING or not equal(stands, event.data["value"]):
            continue
        done.add(leaf)
        old = record_at(act, record, event.revision_before or 0)
        before = get(read_record(old.text.encode()).value, leaf) if old else MISSING
        if old is None or before is MISSING or _is_guess(old.origins, leaf):
            continue
        text, value = set_in_text(text, value, leaf, before)
    return text, value


def _is_guess(origins: Mapping[str, str], place: Tokens) -> bool:
    return any(origin in UNSUPPORTING_ORIGINS and is_related(split(at), place) for at, origin in origins.items())


def _supported(act: Act, profile: Profile, result: RepairResult) -> list[LedgerEntry]:
    """Return what the ledger holds as guesses and the fills of a repair support now."""
    told = [entry for fill in result.fills for entry in entries_of(profile, result.record, fill.path, fill.value)]
    issued = act.reader.issued({entry.product for entry in told})
    return sorted(set(told) & issued)


def _superseded(act: Act, record: StoredRecord, result: RepairResult) -> tuple[list[StoredSuggestion], list[JsonValue]]:
    """Return suggestions that are over because their place was filled; an accepted one only when nothing is left."""
    still = [split(at) for at in accepted_leaves(record)]
    over = [
        one
        for one in act.reader.suggestions_of(record.record_id)
        if one.status in (Status.OPEN, Status.DEFERRED, Status.ACCEPTED)
        and any(is_related(one.place, place) for place in result.filled)
        and not (one.status is Status.ACCEPTED and any(is_related(one.place, at) for at in still))
    ]
    return moved(over, Status.WITHDRAWN)
