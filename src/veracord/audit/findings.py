"""What is found in a log: whether it is sound, where it breaks and why, and how much was shown."""

from dataclasses import dataclass
from enum import StrEnum

from veracord.audit.chain import Head
from veracord.records.values import JsonObject


class Reason(StrEnum):
    """The closed set of why a log is not sound."""

    UNREADABLE = "unreadable"
    EDITED = "edited"
    OUT_OF_PLACE = "out_of_place"
    UNLINKED = "unlinked"
    UNSIGNED_CHECKPOINT = "unsigned_checkpoint"
    WRONG_SIGNATURE = "wrong_signature"
    MISPLACED_CHECKPOINT = "misplaced_checkpoint"
    WRONG_KEY = "wrong_key"
    TRUNCATED = "truncated"
    REWRITTEN = "rewritten"
    MISFILED = "misfiled"
    WRONG_HEAD = "wrong_head"


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What was found in a log.

    Attributes:
        ok: Whether nothing was found to be wrong.
        events: How many events are sound, from the first one on without a gap.
        first_bad_seq: The number of the event at which it breaks; None where `ok`, or where only the checkpoint that
            was given is wrong.
        reason: Why; None where `ok`.
        why: The same in words, without anything that the log holds.
        truncation_excluded: Whether a checkpoint was given and the log holds all that it covers, unchanged.
        vouched_to: The number of the last event that the checkpoint covers; 0 without one.  What came after it may
            still have been cut off.
        checkpoints: How many genuine checkpoints the sound events hold.
        signed_to: The number of the last event that one of these covers; 0 without one.
        keys_trusted: Whether keys were given to hold the signatures against.
        head: The end of the sound events; it can be compared with what others have noted.
    """

    ok: bool
    events: int
    first_bad_seq: int | None
    reason: Reason | None
    why: str
    truncation_excluded: bool
    vouched_to: int
    checkpoints: int
    signed_to: int
    keys_trusted: bool
    head: Head

    def to_dict(self) -> JsonObject:
        """Return the members by name."""
        return {
            "ok": self.ok,
            "events": self.events,
            "first_bad_seq": self.first_bad_seq,
            "reason": self.reason.value if self.reason else None,
            "why": self.why,
            "truncation_excluded": self.truncation_excluded,
            "vouched_to": self.vouched_to,
            "checkpoints": self.checkpoints,
            "signed_to": self.signed_to,
            "keys_trusted": self.keys_trusted,
            "head": {"seq": self.head.seq, "hash": self.head.hash},
        }

    def statements(self) -> list[str]:
        """Return in sentences what is shown and what is not, the verdict first."""
        if not self.ok:
            place = f"at seq {self.first_bad_seq}" if self.first_bad_seq else "with the checkpoint that was given"
            return [f"broken {place}: {self.why}", f"sound before: {self.events} events"]
        return [f"sound: {self.events} events, head {self.head.hash}", self._truncation(), self._signatures()]

    def _truncation(self) -> str:
        if not self.truncation_excluded:
            return "no checkpoint was given: that events were cut off at the end cannot be excluded"
        rest = self.events - self.vouched_to
        return (
            f"events 1 to {self.vouched_to} are all there, as the checkpoint says; {rest} came after it, and that "
            "others after it were cut off cannot be excluded"
        )

    def _signatures(self) -> str:
        if not self.checkpoints:
            return "no event is under a signature in the log"
        count = f"{self.checkpoints} checkpoint{'s' if self.checkpoints > 1 else ''}"
        signed = f"events 1 to {self.signed_to} are under {count} in the log"
        if self.keys_trusted:
            return f"{signed}, signed with keys that you trust"
        return f"{signed}, but no trusted key was given: anybody could have signed them"
