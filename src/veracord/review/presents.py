"""What stands where suggestions would stand; what was read of a revision of a record is not read again.

A revision never changes, so what stood somewhere in it can be remembered for as long as it is the latest one.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from veracord.records.evidence import UNSUPPORTING_ORIGINS
from veracord.records.pointers import Tokens, get
from veracord.records.values import MISSING, JsonValue, Missing
from veracord.review.records import StoredRecord
from veracord.review.suggestions import StoredSuggestion
from veracord.review.texts import leaves_at

#: Places that are remembered; what stands there must be no more than a plain value.
_MOST_PLACES: Final = 4_096
_MOST_CHARACTERS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Present:
    """What stands where a suggestion would stand.

    Attributes:
        value: The value; `MISSING` where there is none.
        revision: The revision of the record.
        is_guess: Whether it is, or holds, a guess that nothing verifies.
    """

    value: JsonValue | Missing = field(repr=False)
    revision: int
    is_guess: bool = False


def _is_guess(record: StoredRecord, place: Tokens) -> bool:
    if get(record.value, place) is MISSING:
        return False
    return any(record.origins.get(at) in UNSUPPORTING_ORIGINS for at in leaves_at(record.value, place))


class PresentReader(Protocol):
    """What is needed of a moment."""

    def record(self, record_id: str) -> StoredRecord | None:
        """Return a record as it is now."""

    def revisions(self, record_ids: Sequence[str]) -> Mapping[str, int]:
        """Return the revision of each record that there is."""


class Presents:
    """What stands at places; it is used by several threads."""

    def __init__(self) -> None:
        """Start empty."""
        self._known: OrderedDict[tuple[str, str], Present] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, reader: PresentReader, page: Sequence[StoredSuggestion]) -> dict[str, Present]:
        """Return what stands at the place of each suggestion, by its id; each record is read once at most."""
        revisions = reader.revisions(sorted({one.record_id for one in page}))
        records: dict[str, StoredRecord | None] = {}
        found: dict[str, Present] = {}
        for one in page:
            at = (one.record_id, one.pointer)
            with self._lock:
                known = self._known.get(at)
            if known is None or known.revision != revisions.get(one.record_id):
                if one.record_id not in records:
                    records[one.record_id] = reader.record(one.record_id)
                record = records[one.record_id]
                if record is None:
                    continue
                known = Present(get(record.value, one.place), record.revision, _is_guess(record, one.place))
                self._keep(at, known)
            found[one.id] = known
        return found

    def _keep(self, at: tuple[str, str], present: Present) -> None:
        value = present.value
        if type(value) in (dict, list) or (isinstance(value, str) and len(value) > _MOST_CHARACTERS):
            return
        with self._lock:
            self._known[at] = present
            self._known.move_to_end(at)
            while len(self._known) > _MOST_PLACES:
                self._known.popitem(last=False)
