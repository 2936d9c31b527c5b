"""What a store has other than its log gives it; what is not compared here is told in docs/audit.md."""

from decimal import Decimal
from typing import Final

from veracord.audit.replay import Replayed
from veracord.audit.told_suggestions import ToldSuggestion
from veracord.records.values import JsonObject, canonical
from veracord.review.records import StoredRecord
from veracord.review.suggestions import StoredSuggestion

#: The log gives it and the store has it not; and the other way round.
MISSING_IN_STORE: Final = "missing"
UNKNOWN_TO_LOG: Final = "unknown"


def record_differences(told: Replayed | None, kept: StoredRecord | None) -> list[str]:
    """Return in what a record of the store is not what the log gives; nothing where it is the same."""
    if told is None or kept is None:
        return [UNKNOWN_TO_LOG if told is None else MISSING_IN_STORE]
    found = {
        "revision": told.revision != kept.revision,
        "text": told.text != kept.text,
        "origins": told.origins != dict(kept.origins),
        "declarations": _form(told.declarations) != _form(dict(kept.declarations)),
    }
    return [name for name, differs in found.items() if differs]


def suggestion_differences(told: ToldSuggestion | None, kept: StoredSuggestion | None) -> list[str]:
    """Return in what a suggestion of the store is not what the log gives; nothing where it is the same."""
    if told is None or kept is None:
        return [UNKNOWN_TO_LOG if told is None else MISSING_IN_STORE]
    first = kept.first.person_id if kept.first else None
    content: JsonObject = {
        "value": kept.value,
        "rule": kept.rule,
        "model": kept.model,
        "confidence": Decimal(repr(kept.confidence)),
        "rank": kept.rank,
    }
    is_same = kept.is_declaration if told.content is None else _form(told.content) == _form(content)
    found = {
        "status": told.status != kept.status.value,
        "first_person": told.first != first,
        "place": (told.record_id, told.pointer) != (kept.record_id, kept.pointer),
        "content": not is_same,
    }
    return [name for name, differs in found.items() if differs]


def _form(value: JsonObject | dict[str, JsonObject]) -> bytes:
    """Return what is the same for equal values, and different for true and 1."""
    return canonical(dict(value))
