"""The log as a store keeps it: its lines, what they are filed under, and the end that is noted for who writes on."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from veracord.audit.chain import Head


@dataclass(frozen=True, slots=True)
class StoredLine:
    """A line and what stands beside it, so that it can be found; all of that is in the line, too.

    Attributes:
        seq: The number.
        event_id: The id.
        record_id: The record that it is about.
        line: The line, without its end.
    """

    seq: int
    event_id: str
    record_id: str | None
    line: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class StoredPage:
    """Some lines of a store, and the end of the log that it had noted then.

    Attributes:
        head: The end that was noted before the rows were read; None where none is.
        rows: Lines by their number.  The last page of a log has none: then `head` is about all that were read.
    """

    head: Head | None
    rows: Sequence[StoredLine]
