"""Rejecting and deferring: the record is not touched.

What was rejected is entered in the ledger, by product, place and value, and so is not suggested again.
"""

from dataclasses import replace

from veracord.audit.events import Draft, EventType
from veracord.errors import DecisionError
from veracord.records.values import JsonObject
from veracord.review.accepting import already_decided
from veracord.review.acting import Act, Changes, moved
from veracord.review.decisions import BulkReject, Defer, Done, Reject
from veracord.review.suggestions import UNDECIDED, Status, StoredSuggestion, SuggestionFilter
from veracord.review.written import CODE, NOTE, check_text, check_words

#: Suggestions that one bulk rejection takes at most; it is one transaction.
MOST_AT_ONCE = 100_000


def reject(act: Act, asked: Reject) -> Changes:
    """Refuse one suggestion.

    Raises:
        DecisionError: Why not; see docs/decisions.md.
    """
    act.permit()
    suggestion = act.find_suggestion(asked.suggestion_id)
    act.permit(suggestion)
    _check_code(act, asked.reason_code, asked.note)
    if not suggestion.is_undecided:
        raise already_decided(suggestion)
    changes = Changes()
    event = _add(act, changes, suggestion, {"reason_code": asked.reason_code, "note": asked.note})
    changes.result = Done(event.id, suggestion.record_id, event.revision_before or 0)
    return changes


def bulk_reject(act: Act, asked: BulkReject) -> Changes:
    """Refuse all undecided suggestions that a filter means; there is nothing of the kind for accepting.

    Raises:
        DecisionError: Why not; see docs/decisions.md.
    """
    act.permit()
    wanted = asked.wanted
    _check_code(act, asked.reason_code, asked.note)
    # Those that are decided would take the places of others among so many.
    status = tuple(one for one in UNDECIDED if not wanted.status or one in wanted.status)
    if not _says_which(act, wanted, status):
        message = "no filter says which are meant: all that waits would be rejected"
        raise DecisionError(message, remedy="say which of them are meant", code="no_filter")
    # Without a status, all of them would be meant.
    found = act.reader.find_suggestions(replace(wanted, status=status), MOST_AT_ONCE, 0) if status else []
    if asked.expected is not None and asked.expected != len(found):
        raise _other_number(asked.expected, len(found))
    changes = Changes()
    for suggestion in found:
        _add(act, changes, suggestion, {"reason_code": asked.reason_code, "note": asked.note, "bulk": True})
    changes.result = len(changes.drafts)
    return changes


def _other_number(expected: int, now: int) -> DecisionError:
    return DecisionError(
        "the filter means another number of suggestions than was seen",
        remedy="look at them again and decide anew",
        code="changed_underneath",
        details={"expected": expected, "now": now},
    )


def _says_which(act: Act, wanted: SuggestionFilter, status: tuple[Status, ...]) -> bool:
    """Whether a filter says which of the undecided suggestions are meant; these may be all that there are."""
    told = (wanted.record_id, wanted.rule, wanted.model)
    # Everything is older than what is to come; and the pointer "" is the place of a whole record.
    is_older = wanted.older_than is not None and wanted.older_than <= act.now
    return any(one is not None for one in told) or is_older or bool(wanted.pointer) or len(status) < len(UNDECIDED)


def defer(act: Act, asked: Defer) -> Changes:
    """Put one suggestion off.

    Raises:
        DecisionError: Why not; see docs/decisions.md.
    """
    act.permit()
    suggestion = act.find_suggestion(asked.suggestion_id)
    act.permit(suggestion)
    check_text(asked.note, NOTE)
    if suggestion.status is not Status.OPEN:
        raise already_decided(suggestion)
    record = act.find_record(suggestion.record_id)
    later, told = moved([suggestion], Status.DEFERRED)
    data: JsonObject = {"suggestion_id": suggestion.id, "note": asked.note, "statuses": told}
    event = act.draft(EventType.SUGGESTION_DEFERRED, data, before=record, pointer=suggestion.pointer)
    return Changes([event], suggestions=later, result=Done(event.id, record.record_id, record.revision))


def _add(act: Act, changes: Changes, suggestion: StoredSuggestion, data: JsonObject) -> Draft:
    record = act.find_record(suggestion.record_id)
    refused, told = moved([suggestion], Status.REJECTED)
    data |= {"suggestion_id": suggestion.id, "value": suggestion.value, "statuses": told}
    data["rejected"] = [list(entry) for entry in suggestion.entries]
    event = act.draft(EventType.SUGGESTION_REJECTED, data, before=record, pointer=suggestion.pointer)
    changes.drafts.append(event)
    changes.suggestions += refused
    changes.reject += suggestion.entries
    return event


def _check_code(act: Act, reason_code: str, note: str) -> None:
    check_text(note, NOTE)
    check_words(reason_code, CODE)
    if reason_code not in act.settings.reject_reasons:
        known = ", ".join(act.settings.reject_reasons)
        raise DecisionError("there is no such reason code", remedy=f"use {known}", code="reason_unknown")
