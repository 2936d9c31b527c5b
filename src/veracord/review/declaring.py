"""Declaring: a person enters a value from a document that they hold.

It gets the origin ``declared`` and is told with document, page and quote.  It supports no other record.
"""

from contextlib import suppress

from veracord.audit.events import EventType, is_digest
from veracord.errors import DecisionError, InputError
from veracord.records.pointers import Tokens, get, join, split
from veracord.records.reading import to_utf8
from veracord.records.values import JsonObject, JsonValue, digest
from veracord.review.accepting import check_fits, first_act, read_given, withdraw
from veracord.review.acting import Act, Changes, changed_record, moved
from veracord.review.decisions import Declare, Done
from veracord.review.records import StoredRecord
from veracord.review.seeing import check_seen
from veracord.review.suggestions import Status, StoredSuggestion, declaration_id
from veracord.review.texts import leaf_of, leaves_at, origins_with, set_in_text
from veracord.review.written import PAGE, POINTER, QUOTE, REASON, check_text, check_words

#: The origin of what somebody declared.
DECLARED = "declared"


def declare(act: Act, asked: Declare) -> Changes:
    """Enter a value afresh.

    Raises:
        DecisionError: Why not; see docs/decisions.md.
    """
    act.permit()
    record = act.find_record(asked.record_id)
    place = _place(act, asked.pointer)
    check_words(asked.reason, REASON)
    check_words(asked.page, PAGE)
    check_words(asked.quote, QUOTE)
    value = read_given(asked.value)
    quote_found = _check_document(act, record, asked)
    profile = act.profile_of(record)
    check_seen(act, record, profile, place, asked.seen)
    _check_leaf(record, place)
    text, after = set_in_text(record.text, record.value, place, value)
    check_fits(profile, record.value, after, place)
    source: JsonObject = {"document_digest": asked.document_digest, "page": asked.page, "quote": asked.quote}
    source |= {"quote_found": quote_found}
    data: JsonObject = {"value": value, "reason": asked.reason, **source}
    waiting = _waiting(act, record, asked, value)
    if act.settings.needs_second_person(place, value) and waiting.first is None:
        return first_act(act, record, waiting, value, data)
    return _enter(act, record, (text, after), data, waiting, source)


def _enter(
    act: Act,
    record: StoredRecord,
    written: tuple[str, JsonObject],
    data: JsonObject,
    waiting: StoredSuggestion,
    source: JsonObject,
) -> Changes:
    text, after = written
    origins = origins_with(record.origins, after, waiting.place, DECLARED)
    kept = {at: told for at, told in record.declarations.items() if origins.get(at) == DECLARED}
    event_id = act.new_id()
    told_source: JsonObject = {**source, "event_id": event_id}
    new_leaves = dict.fromkeys(leaves_at(after, waiting.place), told_source)
    new, change = changed_record(record, text, origins, {**kept, **new_leaves})
    suggestions, told = withdraw(act, record, waiting.place, {waiting.id})
    if waiting.first is not None:
        data |= {"first_person": waiting.first.person_id}
        second, told_second = moved([waiting], Status.ACCEPTED)
        suggestions, told = [*suggestions, *second], [*told, *told_second]
    data |= {**change, "statuses": told}
    event = act.draft(EventType.VALUE_DECLARED, data, before=record, after=new, pointer=waiting.pointer, id=event_id)
    return Changes([event], new, suggestions, result=Done(event.id, record.record_id, new.revision))


def _waiting(act: Act, record: StoredRecord, asked: Declare, value: JsonValue) -> StoredSuggestion:
    """Return the declaration as the first person left it, or a new one.

    Raises:
        AccessError: ``second_person_required``: the first person is this one.
    """
    name = declaration_id(record.record_id, asked.pointer, value, asked.document_digest)
    known = act.reader.suggestion(name)
    if known is not None and known.status is Status.DEFERRED and known.first is not None:
        act.permit(known)
        return known
    return StoredSuggestion(
        id=name,
        record_id=record.record_id,
        pointer=asked.pointer,
        value=value,
        status=Status.OPEN,
        created_at=act.at,
        proposed_by=act.actor,
        is_declaration=True,
    )


def _check_leaf(record: StoredRecord, place: Tokens) -> None:
    """Make sure that nothing is declared that nobody entered: an array of plain values is one leaf.

    Raises:
        DecisionError: ``value_invalid``: the place is an item of such an array.
    """
    leaf = leaf_of(record.value, place)
    if leaf != place and type(get(record.value, leaf)) is list:
        message = "an array is declared as a whole"
        raise DecisionError(message, where=join(leaf), remedy="declare all of its items", code="value_invalid")


def _place(act: Act, pointer: str) -> Tokens:
    try:
        check_text(pointer, POINTER)
        place = split(pointer)
    except ValueError:
        raise DecisionError("this is no pointer", remedy="write one as /a/b", code="value_invalid") from None
    act.about["pointer"] = pointer
    return place


def _check_document(act: Act, record: StoredRecord, asked: Declare) -> bool | None:
    """Return whether the quote was looked for and found; None where the document is not at hand as text.

    Raises:
        DecisionError: ``document_mismatch``, ``quote_not_found``.
    """
    if not is_digest(asked.document_digest):
        raise DecisionError("this is no digest", remedy="give sha256:<hex>", code="document_mismatch")
    texts = [
        item.text
        for item in (kept.item for kept in act.reader.evidence_of(record.record_id) if kept.is_active)
        if item.text is not None and item.evidence_ref == asked.document_digest
    ]
    if asked.document is not None:
        if digest(asked.document) != asked.document_digest:
            message = "the document has another digest"
            raise DecisionError(message, remedy="give the document that is meant", code="document_mismatch")
        # What is no text, such as a scan, nobody but a person can read.
        with suppress(InputError):
            texts.append(to_utf8(asked.document).decode())
    if not texts:
        return None
    if not any(_words(asked.quote) in _words(text) for text in texts):
        raise DecisionError("the quote is not in the document", remedy="quote its words", code="quote_not_found")
    return True


def _words(text: str) -> str:
    """Return a text with its line breaks and runs of blanks as one blank each."""
    return " ".join(text.split())
