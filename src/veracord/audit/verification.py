"""Whether a log is sound: every line is read, in any order of trouble the first bad place is named, and why.

The report says no more than was checked.  Without a checkpoint from elsewhere a cut tail cannot be excluded, and
without trusted keys anybody could have signed; both are told, never passed over.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from veracord.audit.chain import EDITED, GENESIS, OUT_OF_PLACE, UNLINKED, Head, flaw_of
from veracord.audit.events import MAX_LINE_BYTES, Event, EventType
from veracord.audit.findings import AuditReport, Reason
from veracord.audit.keys import PublicKey
from veracord.audit.signatures import Checkpoint, Rotation
from veracord.audit.stored_lines import StoredPage
from veracord.errors import InputError

_FLAWS: Final = {EDITED: Reason.EDITED, OUT_OF_PLACE: Reason.OUT_OF_PLACE, UNLINKED: Reason.UNLINKED}


def export_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of an export with their ends, as bytes; none is held that is longer than events can be."""
    while line := stream.readline(MAX_LINE_BYTES + 2):
        yield line


def verify(
    lines: Iterable[bytes],
    *,
    checkpoint: Checkpoint | None = None,
    keys: Collection[PublicKey] | None = None,
) -> AuditReport:
    r"""Check a log from its first event on; one line is held at a time, and the first fault ends it.

    Args:
        lines: The lines of an export, exactly as they were written, each with or without its ``\n``.
        checkpoint: One that was kept outside the log.
        keys: Public keys that are trusted at the start; a key that one of them names as its successor is, too.
            Without them, the first key that signs in the log is the only one that may go on.

    Raises:
        ConfigurationError: ``missing_extra``: there is a signature to check, and the library is not installed.
    """
    check = _Check(checkpoint, keys)
    try:
        check.run(lines)
    except _Broken as broken:
        return check.report(broken)
    return check.report(None)


def verify_store(
    pages: Iterable[StoredPage],
    *,
    checkpoint: Checkpoint | None = None,
    keys: Collection[PublicKey] | None = None,
) -> AuditReport:
    """Check the log of a store: its lines as `verify` does, what they are filed under, and the end that is noted.

    Raises:
        ConfigurationError: ``missing_extra``, as there.
    """
    check = _Check(checkpoint, keys)
    try:
        check.run_pages(pages)
    except _Broken as broken:
        return check.report(broken)
    return check.report(None)


class _Broken(Exception):  # noqa: N818 - it ends the reading, and never leaves this module
    """A fault: its place (None for the checkpoint that was given), its kind and its words."""

    def __init__(self, seq: int | None, reason: Reason, why: str) -> None:
        super().__init__(why)
        self.seq = seq
        self.reason = reason
        self.why = why


@dataclass(slots=True)
class _Keys:
    """Which keys may sign at this place of the log.

    Attributes:
        current: Those that may sign now; None before the first signature where none were given.
        ever: All that could sign at one time or another.
    """

    current: set[PublicKey] | None
    ever: set[PublicKey] = field(default_factory=set)

    def admits(self, key: PublicKey) -> bool:
        if self.current is None:
            self.current = {key}
            self.ever.add(key)
        return key in self.current

    def rotate(self, old: PublicKey, new: PublicKey) -> None:
        self.current = ((self.current or set()) - {old}) | {new}
        self.ever.add(new)


class _Check:
    """The state of one verification."""

    def __init__(self, checkpoint: Checkpoint | None, keys: Collection[PublicKey] | None) -> None:
        self._checkpoint = checkpoint
        self._is_genuine = checkpoint is None or checkpoint.is_genuine()
        self._are_keys_given = keys is not None
        self._keys = _Keys(set(keys), set(keys)) if keys is not None else _Keys(None)
        self._head = GENESIS
        self._checkpoints = 0
        self._signed_to = 0

    def run(self, lines: Iterable[bytes]) -> None:
        """Read all lines; raise `_Broken` at the first fault."""
        self._compare_head()
        for line in lines:
            self._take(line)
        self._check_given()

    def run_pages(self, pages: Iterable[StoredPage]) -> None:
        """Read all rows of a store, with what stands beside the lines; raise `_Broken` at the first fault."""
        self._compare_head()
        noted: Head | None = None
        for page in pages:
            noted = page.head
            for row in page.rows:
                event = self._take(row.line)
                if (row.seq, row.event_id, row.record_id) != (event.seq, event.id, event.record_id):
                    why = "the store files it under another number, id or record than it is about"
                    raise _Broken(event.seq, Reason.MISFILED, why)
        self._check_given()
        self._check_noted(noted)

    def _take(self, line: bytes) -> Event:
        event = self._read(line)
        self._check_signature(event)
        self._head = Head(event.seq, event.hash)
        self._compare_head()
        return event

    def _check_noted(self, noted: Head | None) -> None:
        """Hold the log against the end that the store has noted for who writes on."""
        last = self._head.seq
        if noted == self._head or (noted is None and not last):
            return
        if noted is None:
            why = "the store has lost where its log ends: whether more events were there is not known"
            raise _Broken(last + 1, Reason.WRONG_HEAD, why)
        if noted.seq > last:
            why = f"the log ends before: events {last + 1} to {noted.seq} are missing in the store"
            raise _Broken(last + 1, Reason.TRUNCATED, why)
        why = "the store has noted another end of its log than this: events were put in, or the note was changed"
        raise _Broken(max(1, min(noted.seq + 1, last)), Reason.WRONG_HEAD, why)

    def report(self, broken: _Broken | None) -> AuditReport:
        """Return what was found."""
        is_covered = broken is None and self._checkpoint is not None
        return AuditReport(
            ok=broken is None,
            events=self._head.seq,
            first_bad_seq=broken.seq if broken else None,
            reason=broken.reason if broken else None,
            why=broken.why if broken else "",
            truncation_excluded=is_covered,
            vouched_to=self._checkpoint.seq if is_covered and self._checkpoint else 0,
            checkpoints=self._checkpoints,
            signed_to=self._signed_to,
            keys_trusted=self._are_keys_given,
            head=self._head,
        )

    def _read(self, line: bytes) -> Event:
        seq = self._head.seq + 1
        try:
            event = Event.from_json(line.removesuffix(b"\n"), where=f"seq {seq}")
        except InputError as error:
            raise _Broken(seq, Reason.UNREADABLE, error.what) from None
        flaw = flaw_of(self._head, event)
        if flaw:
            raise _Broken(seq, _FLAWS[flaw], flaw)
        return event

    def _check_signature(self, event: Event) -> None:
        if event.type is EventType.CHECKPOINT_SIGNED:
            self._check_checkpoint(event)
        elif event.type is EventType.KEY_ROTATED:
            self._check_rotation(event)

    def _check_checkpoint(self, event: Event) -> None:
        try:
            signed = Checkpoint.from_object(event.data)
        except InputError as error:
            raise _Broken(event.seq, Reason.UNSIGNED_CHECKPOINT, error.what) from None
        if (signed.seq, signed.head) != (self._head.seq, self._head.hash):
            why = "the checkpoint is about another place or another log"
            raise _Broken(event.seq, Reason.MISPLACED_CHECKPOINT, why)
        self._require(event.seq, signed.key, is_genuine=signed.is_genuine())
        self._checkpoints += 1
        self._signed_to = signed.seq

    def _check_rotation(self, event: Event) -> None:
        try:
            signed = Rotation.from_object(event.data)
        except InputError as error:
            raise _Broken(event.seq, Reason.UNSIGNED_CHECKPOINT, error.what) from None
        self._require(event.seq, signed.key, is_genuine=signed.is_genuine(self._head))
        self._keys.rotate(signed.key, signed.new_key)

    def _require(self, seq: int, key: PublicKey, *, is_genuine: bool) -> None:
        if not is_genuine:
            raise _Broken(seq, Reason.WRONG_SIGNATURE, "the signature is not over this by this key")
        if not self._keys.admits(key):
            raise _Broken(seq, Reason.WRONG_KEY, "it is signed with a key that may not sign here")

    def _compare_head(self) -> None:
        """Hold the log against the checkpoint that was given, where it is about this place."""
        given = self._checkpoint
        # One that nobody signed says nothing about the log; it is told of at the end.
        if given is None or not self._is_genuine:
            return
        if given.seq == self._head.seq and given.head != self._head.hash:
            why = "its hash is not that of the checkpoint: the log was changed here or before, or it is another log"
            raise _Broken(max(1, given.seq), Reason.REWRITTEN, why)

    def _check_given(self) -> None:
        """Check the checkpoint that was given, when all keys of the log are known."""
        given = self._checkpoint
        if given is None:
            return
        if not self._is_genuine:
            raise _Broken(None, Reason.WRONG_SIGNATURE, "its signature is not over this by this key")
        if given.seq > self._head.seq:
            why = f"the log ends before: events {self._head.seq + 1} to {given.seq} of the checkpoint are missing"
            raise _Broken(self._head.seq + 1, Reason.TRUNCATED, why)
        if (self._keys.ever or self._are_keys_given) and given.key not in self._keys.ever:
            raise _Broken(None, Reason.WRONG_KEY, "it is signed with a key that signs nothing in this log")
