"""Accepting a suggestion, as it is or edited: the value enters the record, and stays unverified.

Its leaves get the origin ``accepted_suggestion``, which supports nothing.  No later act but attached evidence, from
which the record is filled anew, makes another thing of it.
"""

from dataclasses import replace
from typing import Final

from veracord.audit.events import EventType
from veracord.composer.ledgers import LedgerEntry, entries_of, products_of, told_leaves, value_digest
from veracord.errors import DecisionError, InputError
from veracord.records.intake import from_python
from veracord.records.pointers import Tokens, get, is_under, join
from veracord.records.profiles import Profile
from veracord.records.values import JsonObject, JsonValue
from veracord.records.violations import Finding, Shape
from veracord.review.acting import Act, Changes, changed_record, moved
from veracord.review.decisions import Accept, Done, Edit
from veracord.review.permissions import is_own
from veracord.review.records import StoredRecord
from veracord.review.seeing import Change, check_seen, findings_at
from veracord.review.suggestions import FirstAct, Status, StoredSuggestion
from veracord.review.texts import is_related, origins_with, set_in_text
from veracord.review.written import REASON, check_words

#: The origin of what was accepted; it supports nothing.
ACCEPTED: Final = "accepted_suggestion"


def accept(act: Act, asked: Accept | Edit) -> Changes:
    """Take a suggestion, or another value in its place.

    Raises:
        DecisionError: Why not; see docs/decisions.md.
    """
    act.permit()
    suggestion = act.find_suggestion(asked.suggestion_id)
    act.permit(suggestion)
    check_words(asked.reason, REASON)
    if suggestion.is_declaration or not suggestion.is_undecided:
        raise already_decided(suggestion)
    record = act.find_record(suggestion.record_id)
    profile = act.profile_of(record)
    value = suggestion.value if isinstance(asked, Accept) else read_given(asked.value)
    check_seen(act, record, profile, suggestion.place, asked.seen)
    if not findings_at(profile, record.value, suggestion.place):
        raise _nothing_to_cure(record, suggestion.place)
    text, after = set_in_text(record.text, record.value, suggestion.place, value)
    check_fits(profile, record.value, after, suggestion.place)
    data: JsonObject = {"suggestion_id": suggestion.id, "reason": asked.reason, "value": value}
    data |= {"edited": True} if isinstance(asked, Edit) else {}
    data |= {"own_proposal": True} if is_own(act.caller, suggestion) else {}
    if _awaits_second(act, suggestion, value):
        return first_act(act, record, suggestion, value, data)
    changes = _take(act, record, suggestion, data, (text, after))
    # What the model said is in the ledger; what a person says instead is as little evidence.
    changes.issue = _unstated(act, profile, after, suggestion, value) if isinstance(asked, Edit) else []
    return changes


def _take(
    act: Act, record: StoredRecord, suggestion: StoredSuggestion, data: JsonObject, written: tuple[str, JsonObject]
) -> Changes:
    text, after = written
    origins = origins_with(record.origins, after, suggestion.place, ACCEPTED)
    declarations = {at: told for at, told in record.declarations.items() if origins.get(at) == "declared"}
    new, change = changed_record(record, text, origins, declarations)
    rest, told_rest = withdraw(act, record, suggestion.place, {suggestion.id})
    taken, told = moved([suggestion], Status.ACCEPTED)
    if suggestion.first is not None:
        data |= {"first_person": suggestion.first.person_id}
    data |= {**change, "statuses": [*told, *told_rest]}
    event = act.draft(EventType.SUGGESTION_ACCEPTED, data, before=record, after=new, pointer=suggestion.pointer)
    done = Done(event.id, record.record_id, new.revision)
    return Changes([event], new, [*taken, *rest], result=done)


def _unstated(
    act: Act, profile: Profile, record: JsonObject, suggestion: StoredSuggestion, value: JsonValue
) -> list[LedgerEntry]:
    """Return the entries of a value, but for what the record's own evidence about its product states there, too."""
    products = products_of(profile.identity, record)
    stated = {
        told
        for kept in act.reader.evidence_of(suggestion.record_id)
        if kept.is_active and isinstance(content := kept.item.content, dict)
        if products & products_of(profile.identity, content)
        for _, leaf in told_leaves(profile, content)
        for told in leaf
    }
    entries = entries_of(profile, record, suggestion.pointer, value)
    return [entry for entry in entries if (entry.place, entry.value_digest) not in stated]


def withdraw(
    act: Act, record: StoredRecord, place: Tokens, but: set[str]
) -> tuple[list[StoredSuggestion], list[JsonValue]]:
    """Return suggestions at a place, above or below it, that are over when something is set there."""
    others = [
        one
        for one in act.reader.suggestions_of(record.record_id)
        if one.id not in but and one.status not in (Status.REJECTED, Status.WITHDRAWN) and is_related(one.place, place)
    ]
    return moved(others, Status.WITHDRAWN)


def first_act(
    act: Act, record: StoredRecord, suggestion: StoredSuggestion, value: JsonValue, data: JsonObject
) -> Changes:
    """Note what the first of two persons wants; the record is not changed."""
    (waiting,), told = moved([suggestion], Status.DEFERRED)
    waiting = replace(waiting, first=FirstAct(act.actor.id, value_digest(value)))
    data |= {"statuses": told, "awaits_second": True, "action": act.action.value}
    event = act.draft(EventType.SUGGESTION_DEFERRED, data, before=record, pointer=suggestion.pointer)
    done = Done(event.id, record.record_id, record.revision, awaits_second=True)
    return Changes([event], suggestions=[waiting], result=done)


def read_given(value: object) -> JsonValue:
    """Return a value that somebody gives, as our own copy.

    Raises:
        DecisionError: ``value_invalid``: it is no JSON value within the limits.
    """
    try:
        return from_python(value)
    except InputError as error:
        raise DecisionError(error.what, remedy="give a JSON value", code="value_invalid") from None


def check_fits(profile: Profile, before: JsonObject, after: JsonObject, place: Tokens) -> None:
    """Make sure that nothing is wrong with what was set; rules over several values may still be broken.

    Args:
        profile: What the record must be.
        before: The record before.
        after: The record after.
        place: What was set.

    Raises:
        DecisionError: ``value_invalid``: its details name the rules.
    """
    known = {one.key for one in profile.findings(before)}
    found = [one for one in profile.findings(after) if is_under(one.tokens, place) or _is_caused(one, known, place)]
    if found:
        rules = sorted({one.violation.rule for one in found})
        raise DecisionError(
            f"the value breaks a rule: {', '.join(rules)}",
            where=join(place),
            remedy="give one that the profile allows",
            code="value_invalid",
            details={"rules": rules},
        )


def _is_caused(finding: Finding, known: set[tuple[str, str]], place: Tokens) -> bool:
    """Whether what stands above a place is wrong since it was set, such as an object where an array belongs."""
    return finding.shape is not Shape.RULE and finding.key not in known and is_under(place, finding.tokens)


def already_decided(suggestion: StoredSuggestion) -> DecisionError:
    """Return the refusal of a second decision."""
    is_over = suggestion.status is Status.WITHDRAWN
    return DecisionError(
        f"the suggestion is {suggestion.status.value} already",
        where=suggestion.pointer,
        remedy="declare the value, or undo what was decided there since" if is_over else "undo that first",
        code="already_decided",
    )


def _awaits_second(act: Act, suggestion: StoredSuggestion, value: JsonValue) -> bool:
    """Whether this is the first of two persons, or another value than the first one wanted."""
    if not act.settings.needs_second_person(suggestion.place, value):
        return False
    return suggestion.first is None or suggestion.first.value_digest != value_digest(value)


def _nothing_to_cure(record: StoredRecord, place: Tokens) -> DecisionError:
    error = DecisionError("nothing is wrong there any more", remedy="reject the suggestion", code="changed_underneath")
    now = get(record.value, place)
    error.change = Change(now, now, record.revision)
    return error
