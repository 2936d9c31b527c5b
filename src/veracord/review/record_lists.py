"""Lists of records, and how many violations each has: what was counted of a revision is not counted again."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from veracord.errors import VeracordError
from veracord.review.acting import Act
from veracord.review.records import StoredRecord

#: Revisions whose count is remembered.
_MOST_KEPT: Final = 10_000


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Some of the records.

    Attributes:
        items: By id.
        next: Where the next page begins; None for the last one.
    """

    items: Sequence[StoredRecord]
    next: str | None


class OpenCounts:
    """How much is wrong with records; it is used by several threads."""

    def __init__(self) -> None:
        """Start empty."""
        self._known: OrderedDict[tuple[str, int, str, str], int] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, act: Act, records: Sequence[StoredRecord]) -> dict[str, int | None]:
        """Return the number of violations of each record, by id; None where its profile is not what it was."""
        return {one.record_id: self._count(act, one) for one in records}

    def _count(self, act: Act, record: StoredRecord) -> int | None:
        key = (record.record_id, record.revision, record.profile_digest, record.schema_digest)
        try:
            # A profile that has changed since is not the one that was counted by.
            profile = act.profile_of(record)
        except VeracordError:
            return None
        with self._lock:
            known = self._known.get(key)
        if known is None:
            known = len(profile.findings(record.value))
            with self._lock:
                self._known[key] = known
                while len(self._known) > _MOST_KEPT:
                    self._known.popitem(last=False)
        return known
