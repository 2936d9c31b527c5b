"""What is kept of an answer, so that the same request gets the same one again."""

import hmac
from datetime import datetime, timedelta
from typing import Any, Final, NoReturn

from veracord.audit.events import utc_text
from veracord.errors import InputError
from veracord.records.reading import read_value
from veracord.records.values import JsonObject, JsonValue
from veracord.records.writing import write_json
from veracord.review.decisions import Done
from veracord.review.importing import Imported
from veracord.review.people import Caller, actor_of
from veracord.review.records import StoredRecord
from veracord.review.requests import AnsweredRequest, Once
from veracord.review.settings import ReviewSettings

#: So long an answer is kept.
KEPT: Final = timedelta(hours=24)

#: An answer may hold a record as text.
_MAX_BYTES: Final = 128 * 1024 * 1024


def caller_key(caller: Caller) -> str:
    """Return whose keys are whose: nobody meets an answer that somebody else got."""
    actor = actor_of(caller)
    return f"{actor.kind}:{actor.id}"


def answered(caller: Caller, once: Once, answer: object, now: datetime) -> AnsweredRequest:
    """Return what is kept of a request that was answered just now."""
    text = write_json(_told(answer)).decode()
    return AnsweredRequest(caller_key(caller), once.key, once.request_digest, text, utc_text(now + KEPT))


def answer_again(known: AnsweredRequest, once: Once) -> Any:  # noqa: ANN401 - each act gives something of its own
    """Return the answer that a request got before.

    Raises:
        InputError: ``idempotency_key_reused``: something else was asked for under this key.
    """
    if not hmac.compare_digest(known.request_digest, once.request_digest):
        raise InputError(
            "this idempotency key was used for another request",
            remedy="make up a new key for each request",
            code="idempotency_key_reused",
        )
    return _read(read_value(known.answer.encode(), max_bytes=_MAX_BYTES))


def _told(answer: object) -> JsonObject:
    if isinstance(answer, Done):
        return {"done": _members(answer)}
    if isinstance(answer, Imported):
        record = answer.record
        told: JsonObject = {"record_id": record.record_id, "revision": record.revision, "text": record.text}
        return {"imported": {**_members(answer), "record": {**told, "facts": write_json(record.facts()).decode()}}}
    if isinstance(answer, ReviewSettings):
        return {"settings": answer.to_object()}
    if type(answer) is int:
        return {"count": answer}
    return _no_answer()


def _members(answer: Done | Imported) -> JsonObject:
    told: dict[str, Any] = {name: getattr(answer, name) for name in answer.__slots__ if name != "record"}
    return {name: list(one) if isinstance(one, tuple) else one for name, one in told.items()}


def _read(told: JsonValue) -> Any:  # noqa: ANN401 - each act gives something of its own
    value: Any = told
    ((kind, members),) = value.items()
    if kind == "done":
        return Done(**{**members, "fills": tuple(members["fills"])})
    if kind == "imported":
        kept = members["record"]
        record = StoredRecord.of(kept["record_id"], kept["revision"], kept["text"], kept["facts"])
        return Imported(**{**members, "record": record, "dropped": tuple(members["dropped"])})
    return ReviewSettings.from_object(members) if kind == "settings" else members


def _no_answer() -> NoReturn:
    message = "an answer of this kind cannot be kept"
    raise TypeError(message)
