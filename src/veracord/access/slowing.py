"""How failed sign-ins slow the next ones down: by the name that was tried, and by where it came from.

Each try counts as failed before the password is looked at, so that many at once gain nothing; one that succeeds is
taken back.  Counts are kept in the store: they outlive a restart and hold for every server on it.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

#: Failures that cost no time.
FREE: Final = 3
LONGEST_WAIT_S: Final = 300
#: After so long without another failure, all is forgotten.
FORGOTTEN_AFTER: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Failures:
    """Failed sign-ins of one name or one address.

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


def subject_of(kind: str, text: str) -> str:
    """Return under what failures are kept: never the name itself, in whose field a password may have been typed."""
    return f"{kind}:{hashlib.sha256(f'{kind}:{text}'.encode(errors='replace')).hexdigest()}"
