"""How failed sign-ins slow the next ones down: by the name that was tried, and by that name from where it was tried.

An address by itself slows nobody down: a whole office may share one, and whoever fails there would lock the others out.
But only a few sign-ins of one address are looked at, or wait for that, at a time.

Each try counts as failed before the password is looked at, so that many at once gain nothing; one that succeeds is
taken back.  Counts are kept in the store: they outlive a restart and hold for every server on it.
"""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

#: Sign-ins of one address that are under way at a time; who comes then is told to come again.
MOST_AT_ADDRESS: Final = 8
#: Failures that cost no time.
FREE: Final = 3
LONGEST_WAIT_S: Final = 300
#: After so long without another failure, all is forgotten.
FORGOTTEN_AFTER: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Failures:
    """Failed sign-ins of one name, from anywhere or from one address.

    Attributes:
        subject: Whose; see `subject_of`.
        count: How many, since they were last forgotten.
        last_at: When the last one was.
    """

    subject: str
    count: int
    last_at: datetime


def wait_s(count: int) -> int:
    """Return the seconds to wait after so many failures: none after three, then 1, 2, 4 ... 300."""
    if count < FREE:
        return 0
    return min(LONGEST_WAIT_S, 1 << min(count - FREE, 16))


def left_s(known: Failures | None, now: datetime) -> int:
    """Return the whole seconds until the next try may be made; 0 for now."""
    if known is None or is_forgotten(known, now):
        return 0
    # A clock that was set back must not lock anybody out.
    passed_s = max(0.0, (now - known.last_at).total_seconds())
    left = wait_s(known.count) - passed_s
    return max(0, -int(-left // 1))


def is_forgotten(known: Failures, now: datetime) -> bool:
    """Whether failures are so old that they count no more."""
    return now - known.last_at >= FORGOTTEN_AFTER


def one_more(known: Failures | None, subject: str, now: datetime) -> Failures:
    """Return failures after one more."""
    count = 0 if known is None or is_forgotten(known, now) else known.count
    return Failures(subject, count + 1, now)


def subject_of_name(name: str) -> str:
    """Return under what failures of a name are kept: never the name, in whose field a password may have been typed."""
    return _subject("name", name)


def subject_of_pair(name: str, address: str, kept: str) -> str:
    """Return under what failures of a name from one address are kept.

    Args:
        name: The name that was tried.
        address: Where from.
        kept: What is kept of the password of that user, or "": with another password they begin anew.
    """
    return _subject("pair", name, address, kept)


def _subject(kind: str, *texts: str) -> str:
    told = json.dumps([kind, *texts]).encode()
    return f"{kind}:{hashlib.sha256(told).hexdigest()}"
