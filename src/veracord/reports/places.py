"""What programs get to see of one place of a record: what stands there, and everything beside it."""

from typing import Any, Final

from veracord.errors import InputError
from veracord.records.values import MISSING
from veracord.reports.suggestions import suggestion_row
from veracord.review.decisions import Seen
from veracord.review.looking import Beside, Shown

Row = dict[str, Any]

_UNRECOGNISABLE: Final = (
    "the record has no identity key in full: what is accepted here cannot be recognised as a guess elsewhere"
)


def seen_text(seen: Seen) -> str:
    """Return what was seen, as a decision can name it."""
    return f"{seen.revision}:{seen.value_hash}"


def read_seen(text: str) -> Seen:
    """Read what `seen_text` gave.

    Raises:
        InputError: ``invalid_seen``: it is none.
    """
    revision, _, value_hash = text.partition(":")
    if not (revision.isascii() and revision.isdigit()) or len(revision) > len(str(2**62)) or not value_hash:
        raise InputError("this is not what was shown as seen", remedy="copy it from there", code="invalid_seen")
    return Seen(int(revision), value_hash)


def place_report(shown: Shown) -> Row:
    """Return a place with everything beside it for programs."""
    return {
        "record_id": shown.record.record_id,
        "profile": shown.record.profile,
        "revision": shown.record.revision,
        "pointer": shown.pointer,
        "seen": seen_text(shown.seen),
        "stands": shown.present is not MISSING,
        "present": None if shown.present is MISSING else shown.present,
        "violations": [{"path": one.path, "rule": one.rule, "message": one.message} for one in shown.violations],
        "evidence": [beside_row(one) for one in shown.evidence],
        "suggestion": None if shown.suggestion is None else suggestion_row(shown.suggestion),
        "cap": shown.cap,
        "warnings": [] if shown.is_recognisable else [{"code": "no_identity", "message": _UNRECOGNISABLE}],
    }


def beside_row(one: Beside) -> Row:
    """Return what evidence says at a place for programs."""
    row: Row = {"id": one.evidence_id, "evidence_ref": one.evidence_ref, "origin": one.origin}
    return {**row, "text": one.text} if one.value is MISSING else {**row, "value": one.value}
