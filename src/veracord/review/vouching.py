"""Whether a record is what its own events left: what was changed behind the log is not handed out.

Only the events of the record are read, from its latest import on; whether these are genuine is for `audit verify`.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.audit.chain import event_hash
from veracord.audit.events import Event
from veracord.audit.replay import replay_latest
from veracord.errors import InputError
from veracord.review.comparing import record_differences
from veracord.review.damage import damaged, kept_as_written
from veracord.review.records import StoredRecord
from veracord.review.stores import ReviewReader

_PAGE: Final = 500
#: What is in the line of every event that leads to another revision, and of those that are about declarations.
#: Another line may hold it too, as a part of a value, and is read without need.
_CHANGE: Final = re.compile(rb'"revision_after":[0-9]')
_IMPORT: Final = b'"type":"record.imported"'
_DECLARING: Final = (b'"type":"value.declared"', b'"type":"decision.undone"')


def check_record(reader: ReviewReader, record: StoredRecord) -> None:
    """Make sure that text, revision, origins and declarations of a record are what its events say.

    Raises:
        StorageError: ``store_damaged``.
    """
    where = f"record {record.record_id}"
    with kept_as_written(f"events of {where}"):
        events = [Event.from_json(line) for line in _lines(reader, record.record_id)]
    edited = next((event for event in events if event_hash(event) != event.hash), None)
    if edited is not None:
        raise damaged("an event of the record was edited", f"{where}, seq {edited.seq} of the audit log")
    try:
        told = replay_latest(events)
    except InputError as error:
        raise damaged(f"the events of the record do not fit together: {error.what}", where) from None
    differs = record_differences(told, record)
    if differs:
        raise damaged(f"the record is not what the log gives: {', '.join(differs)}", where)


def _lines(reader: ReviewReader, record_id: str) -> list[bytes]:
    """Return the lines that decide how a record is now."""
    found: list[bytes] = []
    for line in _all_lines(reader, record_id):
        if _IMPORT in line and Event.from_json(line).type == "record.imported":
            # Nothing before it matters, but for declarations that it leaves standing.
            found = [one for one in found if any(mark in one for mark in _DECLARING)]
        if _CHANGE.search(line):
            found.append(line)
    return found


def _all_lines(reader: ReviewReader, record_id: str) -> Iterator[bytes]:
    after = 0
    while page := reader.lines(after, _PAGE, record_id):
        yield from (line for _, line in page)
        after = page[-1][0]
